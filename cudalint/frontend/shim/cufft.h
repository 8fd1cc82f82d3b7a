// Fourier transforms.
#pragma once
#pragma clang system_header
#include "cuComplex.h"
#define _CUFFT_H_
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef enum cufftResult_t { CUFFT_SUCCESS = 0, CUFFT_INVALID_PLAN = 1, CUFFT_ALLOC_FAILED = 2, CUFFT_INVALID_TYPE = 3, CUFFT_INVALID_VALUE = 4, CUFFT_INTERNAL_ERROR = 5, CUFFT_EXEC_FAILED = 6, CUFFT_SETUP_FAILED = 7, CUFFT_INVALID_SIZE = 8, CUFFT_UNALIGNED_DATA = 9, CUFFT_INCOMPLETE_PARAMETER_LIST = 10, CUFFT_INVALID_DEVICE = 11, CUFFT_PARSE_ERROR = 12, CUFFT_NO_WORKSPACE = 13, CUFFT_NOT_IMPLEMENTED = 14, CUFFT_LICENSE_ERROR = 15, CUFFT_NOT_SUPPORTED = 16, CUFFT_MISSING_DEPENDENCY = 17, CUFFT_NVRTC_FAILURE = 18, CUFFT_NVJITLINK_FAILURE = 19, CUFFT_NVSHMEM_FAILURE = 20 } cufftResult;
typedef enum cufftType_t { CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c, CUFFT_Z2Z = 0x69 } cufftType;
typedef enum { CUFFT_COMPATIBILITY_FFTW_PADDING = 1 } cufftCompatibility;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
extern "C" {
#define __F(n) cufftResult n(...);
__F(cufftPlan1d) __F(cufftPlan2d) __F(cufftPlan3d) __F(cufftPlanMany) __F(cufftMakePlan1d) __F(cufftMakePlan2d) __F(cufftMakePlan3d)
__F(cufftMakePlanMany) __F(cufftMakePlanMany64) __F(cufftEstimate1d) __F(cufftEstimate2d) __F(cufftEstimate3d) __F(cufftEstimateMany)
__F(cufftCreate) __F(cufftGetSize1d) __F(cufftGetSize) __F(cufftSetWorkArea) __F(cufftSetAutoAllocation) __F(cufftExecC2C) __F(cufftExecR2C)
__F(cufftExecC2R) __F(cufftExecZ2Z) __F(cufftExecD2Z) __F(cufftExecZ2D) __F(cufftSetStream) __F(cufftDestroy) __F(cufftGetVersion)
__F(cufftGetProperty) __F(cufftSetCompatibilityMode)
#undef __F
}
