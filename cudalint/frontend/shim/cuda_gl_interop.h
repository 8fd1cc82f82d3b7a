// Graphics interoperation.
#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
#include "GL/gl.h"
enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame = 2, cudaGLDeviceListNextFrame = 3 };
extern "C" {
#define F(n) cudaError_t n(...);
F(cudaGLGetDevices) F(cudaGraphicsGLRegisterImage) F(cudaGraphicsGLRegisterBuffer) F(cudaGLSetGLDevice) F(cudaGLRegisterBufferObject)
F(cudaGLMapBufferObject) F(cudaGLUnmapBufferObject) F(cudaGLUnregisterBufferObject) F(cudaGLSetBufferObjectMapFlags)
F(cudaGLMapBufferObjectAsync) F(cudaGLUnmapBufferObjectAsync)
#undef F
}
