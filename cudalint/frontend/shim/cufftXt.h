// Fourier transforms over several devices, with callbacks.
#pragma once
#pragma clang system_header
#include "cufft.h"
#include "cudalibxt.h"
typedef enum { CUFFT_COPY_HOST_TO_DEVICE, CUFFT_COPY_DEVICE_TO_HOST, CUFFT_COPY_DEVICE_TO_DEVICE, CUFFT_COPY_UNDEFINED } cufftXtCopyType;
typedef enum { CUFFT_XT_FORMAT_INPUT, CUFFT_XT_FORMAT_OUTPUT, CUFFT_XT_FORMAT_INPLACE, CUFFT_XT_FORMAT_INPLACE_SHUFFLED, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED } cufftXtSubFormat;
typedef enum { CUFFT_CB_LD_COMPLEX, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_LD_REAL, CUFFT_CB_LD_REAL_DOUBLE, CUFFT_CB_ST_COMPLEX, CUFFT_CB_ST_COMPLEX_DOUBLE, CUFFT_CB_ST_REAL, CUFFT_CB_ST_REAL_DOUBLE, CUFFT_CB_UNDEFINED } cufftXtCallbackType;
typedef cufftComplex (*cufftCallbackLoadC)(void *, size_t, void *, void *);
typedef cufftDoubleComplex (*cufftCallbackLoadZ)(void *, size_t, void *, void *);
typedef cufftReal (*cufftCallbackLoadR)(void *, size_t, void *, void *);
typedef cufftDoubleReal (*cufftCallbackLoadD)(void *, size_t, void *, void *);
typedef void (*cufftCallbackStoreC)(void *, size_t, cufftComplex, void *, void *);
typedef void (*cufftCallbackStoreZ)(void *, size_t, cufftDoubleComplex, void *, void *);
typedef void (*cufftCallbackStoreR)(void *, size_t, cufftReal, void *, void *);
typedef void (*cufftCallbackStoreD)(void *, size_t, cufftDoubleReal, void *, void *);
typedef cufftComplex (*cufftJITCallbackLoadC)(void *, size_t, void *, void *);
extern "C" {
#define __F(n) cufftResult n(...);
__F(cufftXtSetGPUs) __F(cufftXtMalloc) __F(cufftXtMemcpy) __F(cufftXtFree) __F(cufftXtSetWorkArea) __F(cufftXtExecDescriptorC2C)
__F(cufftXtExecDescriptorR2C) __F(cufftXtExecDescriptorC2R) __F(cufftXtExecDescriptorZ2Z) __F(cufftXtExecDescriptor) __F(cufftXtExec)
__F(cufftXtMakePlanMany) __F(cufftXtSetCallback) __F(cufftXtSetJITCallback) __F(cufftXtClearCallback) __F(cufftXtSetCallbackSharedSize)
#undef __F
}
