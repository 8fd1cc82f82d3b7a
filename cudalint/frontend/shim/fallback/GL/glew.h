// The extension loader.
#pragma once
#pragma clang system_header
#define GL_GLEXT_PROTOTYPES 1
#include "gl.h"
enum { GLEW_OK = 0, GLEW_VERSION };
extern "C" { GLenum glewInit(); GLboolean glewIsSupported(const char *); const GLubyte *glewGetErrorString(GLenum); const GLubyte *glewGetString(GLenum); GLboolean glewGetExtension(const char *); extern GLboolean glewExperimental; }
#define GLEW_VERSION_2_0 1
#define GLEW_ARB_vertex_program 1
#define GLEW_ARB_fragment_program 1
