// hipCUB, hipFFT and hipRAND for NVIDIA's devices: the names of CUDA's libraries.
#pragma once
#pragma clang system_header
#include "hip.h"
#include <cub/cub.cuh>
#include <cufft.h>
#include <curand_kernel.h>
namespace hipcub = cub;
#define hipfftHandle cufftHandle
#define hipfftResult cufftResult
#define hipfftReal cufftReal
#define hipfftDoubleReal cufftDoubleReal
#define hipfftComplex cufftComplex
#define hipfftDoubleComplex cufftDoubleComplex
#define hipfftExecC2C cufftExecC2C
#define hipfftExecZ2Z cufftExecZ2Z
#define hipfftPlanMany cufftPlanMany
#define hipfftPlan3d cufftPlan3d
#define hipfftDestroy cufftDestroy
#define hipfftSetStream cufftSetStream
#define HIPFFT_SUCCESS CUFFT_SUCCESS
#define HIPFFT_FORWARD CUFFT_FORWARD
#define HIPFFT_BACKWARD CUFFT_INVERSE
#define HIPFFT_C2C CUFFT_C2C
#define HIPFFT_Z2Z CUFFT_Z2Z
#define hiprandState_t curandState_t
#define hiprand_init curand_init
#define hiprand_uniform curand_uniform
