#pragma once
#pragma clang system_header
#include "../X11/Xlib.h"
#include "gl.h"
typedef struct __GLXcontextRec *GLXContext;
typedef XID GLXDrawable;
extern "C" { GLXContext glXCreateContext(...); Bool glXMakeCurrent(...); void glXSwapBuffers(...); XVisualInfo *glXChooseVisual(...); void glXDestroyContext(...); GLXContext glXGetCurrentContext(); GLXDrawable glXGetCurrentDrawable(); Display *glXGetCurrentDisplay(); void (*glXGetProcAddress(const GLubyte *))(); void (*glXGetProcAddressARB(const GLubyte *))(); }
enum { GLX_USE_GL = 1, GLX_BUFFER_SIZE, GLX_LEVEL, GLX_RGBA, GLX_DOUBLEBUFFER, GLX_STEREO, GLX_AUX_BUFFERS, GLX_RED_SIZE, GLX_GREEN_SIZE, GLX_BLUE_SIZE, GLX_ALPHA_SIZE, GLX_DEPTH_SIZE };
