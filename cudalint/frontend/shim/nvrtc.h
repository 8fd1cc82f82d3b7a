// Compilation at run time.
#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
typedef struct _nvrtcProgram *nvrtcProgram;
typedef enum { NVRTC_SUCCESS, NVRTC_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_PROGRAM_CREATION_FAILURE, NVRTC_ERROR_INVALID_INPUT, NVRTC_ERROR_INVALID_PROGRAM, NVRTC_ERROR_INVALID_OPTION, NVRTC_ERROR_COMPILATION } nvrtcResult;
extern "C" {
const char *nvrtcGetErrorString(nvrtcResult);
#define F(n) nvrtcResult n(...);
F(nvrtcVersion) F(nvrtcCreateProgram) F(nvrtcDestroyProgram) F(nvrtcCompileProgram) F(nvrtcGetPTXSize) F(nvrtcGetPTX) F(nvrtcGetCUBINSize)
F(nvrtcGetCUBIN) F(nvrtcGetProgramLogSize) F(nvrtcGetProgramLog) F(nvrtcAddNameExpression) F(nvrtcGetLoweredName)
#undef F
}
