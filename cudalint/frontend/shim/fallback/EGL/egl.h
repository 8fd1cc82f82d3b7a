// EGL's handles.
#pragma once
#pragma clang system_header
#include "../GL/gl.h"
typedef void *EGLDisplay, *EGLSurface, *EGLContext, *EGLConfig, *EGLImage, *EGLSync, *EGLStreamKHR, *EGLImageKHR, *EGLSyncKHR, *EGLDeviceEXT, *EGLOutputLayerEXT, *EGLNativeDisplayType, *EGLNativeWindowType, *EGLClientBuffer;
typedef int EGLint; typedef unsigned int EGLBoolean, EGLenum; typedef long EGLAttrib; typedef unsigned long long EGLuint64KHR; typedef EGLuint64KHR EGLTime; typedef int EGLNativeFileDescriptorKHR; typedef void (*__eglMustCastToProperFunctionPointerType)();
#define EGL_NO_DISPLAY ((EGLDisplay)0)
#define EGL_NO_CONTEXT ((EGLContext)0)
#define EGL_NO_SURFACE ((EGLSurface)0)
#define EGL_NO_STREAM_KHR ((EGLStreamKHR)0)
#define EGL_DEFAULT_DISPLAY ((EGLNativeDisplayType)0)
#define EGL_NO_SYNC_KHR ((EGLSyncKHR)0)
enum { EGL_FALSE = 0, EGL_TRUE = 1, EGL_SUCCESS = 0x3000, EGL_NONE = 0x3038, EGL_SURFACE_TYPE = 0x3033, EGL_RENDERABLE_TYPE = 0x3040, EGL_OPENGL_ES2_BIT = 4, EGL_OPENGL_ES_API = 0x30A0, EGL_CONTEXT_CLIENT_VERSION = 0x3098, EGL_WIDTH = 0x3057, EGL_HEIGHT = 0x3056, EGL_RED_SIZE = 0x3024, EGL_GREEN_SIZE = 0x3023, EGL_BLUE_SIZE = 0x3022, EGL_ALPHA_SIZE = 0x3021, EGL_DEPTH_SIZE = 0x3025, EGL_WINDOW_BIT = 4, EGL_STREAM_BIT_KHR = 0x800, EGL_EXTENSIONS = 0x3055 };
extern "C" { EGLDisplay eglGetDisplay(EGLNativeDisplayType); EGLBoolean eglInitialize(...); EGLBoolean eglChooseConfig(...); EGLContext eglCreateContext(...); EGLSurface eglCreateWindowSurface(...); EGLSurface eglCreatePbufferSurface(...); EGLBoolean eglMakeCurrent(...); EGLBoolean eglSwapBuffers(...); EGLBoolean eglTerminate(EGLDisplay); EGLint eglGetError(); EGLBoolean eglBindAPI(EGLenum); __eglMustCastToProperFunctionPointerType eglGetProcAddress(const char *); EGLBoolean eglDestroyContext(...); EGLBoolean eglDestroySurface(...); EGLContext eglGetCurrentContext(); EGLDisplay eglGetCurrentDisplay(); const char *eglQueryString(EGLDisplay, EGLint); EGLBoolean eglGetConfigs(...); EGLBoolean eglQueryContext(...); EGLBoolean eglQuerySurface(...); EGLBoolean eglSwapInterval(...); }
