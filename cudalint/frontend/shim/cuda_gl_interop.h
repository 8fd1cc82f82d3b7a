// Graphics interoperation.
#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
#include "GL/gl.h"
enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame = 2, cudaGLDeviceListNextFrame = 3 };
enum cudaGLMapFlags { cudaGLMapFlagsNone = 0, cudaGLMapFlagsReadOnly = 1, cudaGLMapFlagsWriteDiscard = 2 };
extern "C" {
#define __F(n) cudaError_t n(...);
__F(cudaGLGetDevices) __F(cudaGraphicsGLRegisterImage) __F(cudaGraphicsGLRegisterBuffer) __F(cudaGLSetGLDevice) __F(cudaGLRegisterBufferObject)
__F(cudaGLMapBufferObject) __F(cudaGLUnmapBufferObject) __F(cudaGLUnregisterBufferObject) __F(cudaGLSetBufferObjectMapFlags)
__F(cudaGLMapBufferObjectAsync) __F(cudaGLUnmapBufferObjectAsync)
#undef __F
}
