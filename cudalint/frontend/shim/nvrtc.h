// Compilation at run time.
#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
typedef struct _nvrtcProgram *nvrtcProgram;
typedef enum { NVRTC_SUCCESS, NVRTC_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_PROGRAM_CREATION_FAILURE, NVRTC_ERROR_INVALID_INPUT, NVRTC_ERROR_INVALID_PROGRAM, NVRTC_ERROR_INVALID_OPTION, NVRTC_ERROR_COMPILATION } nvrtcResult;
extern "C" {
const char *nvrtcGetErrorString(nvrtcResult);
#define __F(n) nvrtcResult n(...);
__F(nvrtcVersion) __F(nvrtcCreateProgram) __F(nvrtcDestroyProgram) __F(nvrtcCompileProgram) __F(nvrtcGetPTXSize) __F(nvrtcGetPTX) __F(nvrtcGetCUBINSize)
__F(nvrtcGetCUBIN) __F(nvrtcGetProgramLogSize) __F(nvrtcGetProgramLog) __F(nvrtcAddNameExpression) __F(nvrtcGetLoweredName)
#undef __F
}
