// OpenGL: types, and functions by name.
#pragma once
#pragma clang system_header
#include "../../cudalint_prelude.h"
typedef unsigned int GLenum, GLbitfield, GLuint;
typedef unsigned char GLboolean, GLubyte;
typedef signed char GLbyte;
typedef short GLshort;
typedef unsigned short GLushort, GLhalf;
typedef int GLint, GLsizei, GLfixed;
typedef float GLfloat, GLclampf;
typedef double GLdouble, GLclampd;
typedef char GLchar;
typedef void GLvoid;
typedef ptrdiff_t GLintptr, GLsizeiptr;
typedef long long GLint64;
typedef unsigned long long GLuint64;
typedef struct __GLsync *GLsync;
#define GL_VERSION_1_1 1
#define GL_VERSION_2_0 1
// The values are not asked for: names that tell apart are enough.
enum {
#define __E(n) GL_##n,
  GL_FALSE = 0, GL_TRUE = 1, GL_NO_ERROR = 0, GL_INVALID_ENUM = 0x500, GL_INVALID_VALUE, GL_INVALID_OPERATION, GL_STACK_OVERFLOW, GL_STACK_UNDERFLOW, GL_OUT_OF_MEMORY,
  GL_BYTE = 0x1400, GL_UNSIGNED_BYTE, GL_SHORT, GL_UNSIGNED_SHORT, GL_INT, GL_UNSIGNED_INT, GL_FLOAT, GL_DOUBLE = 0x140A, GL_HALF_FLOAT,
  GL_POINTS = 0, GL_LINES = 1, GL_LINE_LOOP = 2, GL_LINE_STRIP = 3, GL_TRIANGLES = 4, GL_TRIANGLE_STRIP = 5, GL_TRIANGLE_FAN = 6, GL_QUADS = 7, GL_QUAD_STRIP = 8, GL_POLYGON = 9,
  GL_DEPTH_BUFFER_BIT = 0x100, GL_STENCIL_BUFFER_BIT = 0x400, GL_COLOR_BUFFER_BIT = 0x4000, GL_ZERO = 0, GL_ONE = 1,
  GL_cudalint_first = 0x20000,
  __E(VENDOR) __E(RENDERER) __E(VERSION) __E(EXTENSIONS) __E(SHADING_LANGUAGE_VERSION) __E(TEXTURE_1D) __E(TEXTURE_2D) __E(TEXTURE_3D) __E(TEXTURE_RECTANGLE_ARB) __E(TEXTURE_CUBE_MAP) __E(TEXTURE0) __E(TEXTURE1) __E(TEXTURE0_ARB) __E(TEXTURE_WRAP_S) __E(TEXTURE_WRAP_T) __E(TEXTURE_WRAP_R)
  __E(TEXTURE_MIN_FILTER) __E(TEXTURE_MAG_FILTER) __E(TEXTURE_ENV) __E(TEXTURE_ENV_MODE) __E(TEXTURE_BORDER_COLOR) __E(NEAREST) __E(LINEAR) __E(LINEAR_MIPMAP_LINEAR) __E(NEAREST_MIPMAP_NEAREST) __E(CLAMP) __E(CLAMP_TO_EDGE) __E(CLAMP_TO_BORDER) __E(REPEAT) __E(REPLACE) __E(MODULATE) __E(DECAL)
  __E(ALPHA) __E(RED) __E(GREEN) __E(BLUE) __E(RGB) __E(RGBA) __E(BGR) __E(BGRA) __E(LUMINANCE) __E(LUMINANCE_ALPHA) __E(__R8) __E(RGB8) __E(RGBA8) __E(RGBA16F) __E(RGBA32F) __E(RGBA32F_ARB) __E(RGBA16F_ARB) __E(RGBA_FLOAT32_ATI) __E(R32F) __E(RG32F) __E(LUMINANCE32F_ARB) __E(RGBA8UI) __E(RGBA_INTEGER) __E(RED_INTEGER) __E(RGBA8UI_EXT) __E(RGBA_INTEGER_EXT) __E(LUMINANCE8)
  __E(DEPTH_COMPONENT) __E(DEPTH_COMPONENT24) __E(STENCIL_INDEX) __E(DEPTH_TEST) __E(BLEND) __E(CULL_FACE) __E(LIGHTING) __E(LIGHT0) __E(COLOR_MATERIAL) __E(NORMALIZE) __E(SCISSOR_TEST) __E(ALPHA_TEST) __E(STENCIL_TEST) __E(LINE_SMOOTH) __E(POINT_SMOOTH) __E(FOG) __E(MULTISAMPLE) __E(POINT_SPRITE) __E(POINT_SPRITE_ARB) __E(COORD_REPLACE) __E(COORD_REPLACE_ARB) __E(VERTEX_PROGRAM_POINT_SIZE) __E(VERTEX_PROGRAM_POINT_SIZE_NV)
  __E(SRC_ALPHA) __E(ONE_MINUS_SRC_ALPHA) __E(SRC_COLOR) __E(DST_COLOR) __E(ONE_MINUS_DST_ALPHA) __E(DST_ALPHA) __E(LESS) __E(LEQUAL) __E(EQUAL) __E(GREATER) __E(GEQUAL) __E(ALWAYS) __E(NEVER) __E(FRONT) __E(BACK) __E(FRONT_AND_BACK) __E(LINE) __E(FILL) __E(POINT) __E(FLAT) __E(SMOOTH) __E(CW) __E(CCW)
  __E(MODELVIEW) __E(PROJECTION) __E(TEXTURE) __E(COLOR) __E(MODELVIEW_MATRIX) __E(PROJECTION_MATRIX) __E(VIEWPORT) __E(AMBIENT) __E(DIFFUSE) __E(SPECULAR) __E(POSITION) __E(SHININESS) __E(AMBIENT_AND_DIFFUSE) __E(EMISSION) __E(LIGHT_MODEL_AMBIENT)
  __E(UNPACK_ALIGNMENT) __E(PACK_ALIGNMENT) __E(UNPACK_ROW_LENGTH) __E(VERTEX_ARRAY) __E(COLOR_ARRAY) __E(NORMAL_ARRAY) __E(TEXTURE_COORD_ARRAY) __E(ARRAY_BUFFER) __E(ARRAY_BUFFER_ARB) __E(ELEMENT_ARRAY_BUFFER) __E(PIXEL_UNPACK_BUFFER) __E(PIXEL_PACK_BUFFER) __E(PIXEL_UNPACK_BUFFER_ARB) __E(PIXEL_PACK_BUFFER_ARB) __E(SHADER_STORAGE_BUFFER) __E(BUFFER_SIZE) __E(BUFFER_SIZE_ARB)
  __E(STATIC_DRAW) __E(DYNAMIC_DRAW) __E(STREAM_DRAW) __E(DYNAMIC_COPY) __E(STREAM_COPY) __E(STREAM_DRAW_ARB) __E(STREAM_COPY_ARB) __E(DYNAMIC_READ) __E(STATIC_READ) __E(DYNAMIC_DRAW_ARB) __E(READ_ONLY) __E(WRITE_ONLY) __E(READ_WRITE)
  __E(VERTEX_SHADER) __E(FRAGMENT_SHADER) __E(GEOMETRY_SHADER) __E(COMPILE_STATUS) __E(LINK_STATUS) __E(INFO_LOG_LENGTH) __E(VALIDATE_STATUS) __E(FRAGMENT_PROGRAM_ARB) __E(VERTEX_PROGRAM_ARB) __E(PROGRAM_ERROR_POSITION_ARB) __E(PROGRAM_FORMAT_ASCII_ARB) __E(PROGRAM_ERROR_STRING_ARB) __E(FRAMEBUFFER) __E(FRAMEBUFFER_EXT) __E(RENDERBUFFER) __E(RENDERBUFFER_EXT) __E(COLOR_ATTACHMENT0) __E(COLOR_ATTACHMENT0_EXT) __E(DEPTH_ATTACHMENT) __E(DEPTH_ATTACHMENT_EXT) __E(FRAMEBUFFER_COMPLETE) __E(FRAMEBUFFER_COMPLETE_EXT) __E(COMPILE) __E(MAX_TEXTURE_SIZE)
  __E(INVALID_FRAMEBUFFER_OPERATION) __E(TEXTURE_WIDTH) __E(TEXTURE_HEIGHT)
#undef __E
};
extern "C" {
#define __V(n) void gl##n(...);
__V(Begin) __V(End) __V(Clear) __V(ClearColor) __V(ClearDepth) __V(Enable) __V(Disable) __V(BlendFunc) __V(DepthFunc) __V(DepthMask) __V(AlphaFunc) __V(CullFace) __V(FrontFace) __V(ShadeModel) __V(PolygonMode) __V(PointSize) __V(LineWidth) __V(Hint) __V(Scissor)
__V(Viewport) __V(MatrixMode) __V(LoadIdentity) __V(LoadMatrixf) __V(MultMatrixf) __V(PushMatrix) __V(PopMatrix) __V(Ortho) __V(Frustum) __V(Translatef) __V(Rotatef) __V(Scalef) __V(Translated) __V(Rotated)
__V(Vertex2f) __V(Vertex2i) __V(Vertex2d) __V(Vertex3f) __V(Vertex3d) __V(Vertex3fv) __V(Vertex4f) __V(Vertex2fv) __V(Color3f) __V(Color3fv) __V(Color4f) __V(Color3ub) __V(Color4ub) __V(Color4fv) __V(Normal3f) __V(TexCoord2f) __V(TexCoord2i) __V(TexCoord3f) __V(RasterPos2f) __V(RasterPos2i) __V(DrawPixels) __V(ReadPixels) __V(Rectf)
__V(GenTextures) __V(BindTexture) __V(DeleteTextures) __V(TexImage1D) __V(TexImage2D) __V(TexImage3D) __V(TexSubImage2D) __V(TexSubImage3D) __V(TexParameteri) __V(TexParameterf) __V(TexParameterfv) __V(TexEnvi) __V(TexEnvf) __V(PixelStorei) __V(CopyTexSubImage2D) __V(GetTexImage)
__V(Lightfv) __V(Lightf) __V(LightModelfv) __V(Materialfv) __V(Materialf) __V(ColorMaterial) __V(Flush) __V(Finish) __V(GetIntegerv) __V(GetFloatv) __V(GetDoublev) __V(GetBooleanv) __V(GetTexLevelParameteriv) __V(DrawArrays) __V(DrawElements) __V(VertexPointer) __V(ColorPointer) __V(NormalPointer) __V(TexCoordPointer) __V(EnableClientState) __V(DisableClientState)
__V(GenLists) __V(NewList) __V(EndList) __V(CallList) __V(DeleteLists) __V(CallLists) __V(PushAttrib) __V(PopAttrib) __V(ReadBuffer) __V(DrawBuffer) __V(ColorMask) __V(StencilFunc) __V(StencilOp) __V(Fogf) __V(Fogfv) __V(Fogi)
#ifdef GL_GLEXT_PROTOTYPES
__V(GenerateMipmap) __V(ActiveTexture) __V(GenBuffers) __V(BindBuffer) __V(BufferData) __V(BufferSubData) __V(DeleteBuffers) __V(GetBufferParameteriv) __V(GetBufferSubData) __V(BindBufferBase) __V(UnmapBuffer) __V(GenVertexArrays) __V(BindVertexArray) __V(DeleteVertexArrays) __V(VertexAttribPointer) __V(EnableVertexAttribArray) __V(DisableVertexAttribArray) __V(VertexAttribIPointer) __V(DrawElementsInstanced) __V(DrawArraysInstanced)
__V(ShaderSource) __V(CompileShader) __V(AttachShader) __V(DetachShader) __V(LinkProgram) __V(UseProgram) __V(DeleteShader) __V(DeleteProgram) __V(GetShaderiv) __V(GetProgramiv) __V(GetShaderInfoLog) __V(GetProgramInfoLog) __V(ValidateProgram) __V(Uniform1i) __V(Uniform1f) __V(Uniform2f) __V(Uniform3f) __V(Uniform4f) __V(Uniform3fv) __V(Uniform4fv) __V(UniformMatrix4fv) __V(UniformMatrix3fv) __V(BindFragDataLocation) __V(BindAttribLocation) __V(ProgramParameteriEXT)
__V(GenFramebuffers) __V(BindFramebuffer) __V(FramebufferTexture2D) __V(DeleteFramebuffers) __V(GenRenderbuffers) __V(BindRenderbuffer) __V(RenderbufferStorage) __V(FramebufferRenderbuffer) __V(DeleteRenderbuffers) __V(BindFramebufferEXT) __V(GenFramebuffersEXT) __V(FramebufferTexture2DEXT) __V(DeleteFramebuffersEXT) __V(GenRenderbuffersEXT) __V(BindRenderbufferEXT) __V(RenderbufferStorageEXT) __V(FramebufferRenderbufferEXT) __V(DeleteRenderbuffersEXT)
__V(GenBuffersARB) __V(BindBufferARB) __V(BufferDataARB) __V(BufferSubDataARB) __V(DeleteBuffersARB) __V(GetBufferParameterivARB) __V(GenProgramsARB) __V(BindProgramARB) __V(ProgramStringARB) __V(DeleteProgramsARB) __V(ActiveTextureARB) __V(ProgramEnvParameter4fARB) __V(ProgramLocalParameter4fARB) __V(SwapIntervalEXT) __V(WindowPos2i) __V(DeleteSync) __V(MultiTexCoord2f) __V(MultiTexCoord3f)
#endif
#undef __V
GLenum glGetError(); const GLubyte *glGetString(GLenum); GLboolean glIsEnabled(GLenum); GLboolean glIsTexture(GLuint); GLboolean glIsBuffer(GLuint);

#ifdef GL_GLEXT_PROTOTYPES
GLuint glCreateShader(GLenum); GLuint glCreateProgram(); GLint glGetUniformLocation(GLuint, const GLchar *); GLint glGetAttribLocation(GLuint, const GLchar *);
void *glMapBuffer(GLenum, GLenum); void *glMapBufferARB(GLenum, GLenum); GLenum glCheckFramebufferStatus(GLenum); GLenum glCheckFramebufferStatusEXT(GLenum);
#endif
#define __V(n) void n(...);
__V(gluPerspective) __V(gluLookAt) __V(gluOrtho2D) __V(gluSphere) __V(gluDeleteQuadric) __V(gluProject) __V(gluUnProject) __V(gluQuadricDrawStyle) __V(gluCylinder)
#undef __V
void *gluNewQuadric(); const GLubyte *gluErrorString(GLenum); GLint gluBuild2DMipmaps(...);
}
typedef void *GLUquadricObj;
#define APIENTRY
#define GLAPI
#define GLAPIENTRY
#include "glext.h"
