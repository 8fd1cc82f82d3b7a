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
#define E(n) GL_##n,
  GL_FALSE = 0, GL_TRUE = 1, GL_NO_ERROR = 0, GL_INVALID_ENUM = 0x500, GL_INVALID_VALUE, GL_INVALID_OPERATION, GL_STACK_OVERFLOW, GL_STACK_UNDERFLOW, GL_OUT_OF_MEMORY,
  GL_BYTE = 0x1400, GL_UNSIGNED_BYTE, GL_SHORT, GL_UNSIGNED_SHORT, GL_INT, GL_UNSIGNED_INT, GL_FLOAT, GL_DOUBLE = 0x140A, GL_HALF_FLOAT,
  GL_POINTS = 0, GL_LINES = 1, GL_LINE_LOOP = 2, GL_LINE_STRIP = 3, GL_TRIANGLES = 4, GL_TRIANGLE_STRIP = 5, GL_TRIANGLE_FAN = 6, GL_QUADS = 7, GL_QUAD_STRIP = 8, GL_POLYGON = 9,
  GL_DEPTH_BUFFER_BIT = 0x100, GL_STENCIL_BUFFER_BIT = 0x400, GL_COLOR_BUFFER_BIT = 0x4000, GL_ZERO = 0, GL_ONE = 1,
  GL_cudalint_first = 0x20000,
  E(VENDOR) E(RENDERER) E(VERSION) E(EXTENSIONS) E(SHADING_LANGUAGE_VERSION) E(TEXTURE_1D) E(TEXTURE_2D) E(TEXTURE_3D) E(TEXTURE_RECTANGLE_ARB) E(TEXTURE_CUBE_MAP) E(TEXTURE0) E(TEXTURE1) E(TEXTURE0_ARB) E(TEXTURE_WRAP_S) E(TEXTURE_WRAP_T) E(TEXTURE_WRAP_R)
  E(TEXTURE_MIN_FILTER) E(TEXTURE_MAG_FILTER) E(TEXTURE_ENV) E(TEXTURE_ENV_MODE) E(TEXTURE_BORDER_COLOR) E(NEAREST) E(LINEAR) E(LINEAR_MIPMAP_LINEAR) E(NEAREST_MIPMAP_NEAREST) E(CLAMP) E(CLAMP_TO_EDGE) E(CLAMP_TO_BORDER) E(REPEAT) E(REPLACE) E(MODULATE) E(DECAL)
  E(ALPHA) E(RED) E(GREEN) E(BLUE) E(RGB) E(RGBA) E(BGR) E(BGRA) E(LUMINANCE) E(LUMINANCE_ALPHA) E(R8) E(RGB8) E(RGBA8) E(RGBA16F) E(RGBA32F) E(RGBA32F_ARB) E(RGBA16F_ARB) E(RGBA_FLOAT32_ATI) E(R32F) E(RG32F) E(LUMINANCE32F_ARB) E(RGBA8UI) E(RGBA_INTEGER) E(RED_INTEGER) E(RGBA8UI_EXT) E(RGBA_INTEGER_EXT) E(LUMINANCE8)
  E(DEPTH_COMPONENT) E(DEPTH_COMPONENT24) E(STENCIL_INDEX) E(DEPTH_TEST) E(BLEND) E(CULL_FACE) E(LIGHTING) E(LIGHT0) E(COLOR_MATERIAL) E(NORMALIZE) E(SCISSOR_TEST) E(ALPHA_TEST) E(STENCIL_TEST) E(LINE_SMOOTH) E(POINT_SMOOTH) E(FOG) E(MULTISAMPLE) E(POINT_SPRITE) E(POINT_SPRITE_ARB) E(COORD_REPLACE) E(COORD_REPLACE_ARB) E(VERTEX_PROGRAM_POINT_SIZE) E(VERTEX_PROGRAM_POINT_SIZE_NV)
  E(SRC_ALPHA) E(ONE_MINUS_SRC_ALPHA) E(SRC_COLOR) E(DST_COLOR) E(ONE_MINUS_DST_ALPHA) E(DST_ALPHA) E(LESS) E(LEQUAL) E(EQUAL) E(GREATER) E(GEQUAL) E(ALWAYS) E(NEVER) E(FRONT) E(BACK) E(FRONT_AND_BACK) E(LINE) E(FILL) E(POINT) E(FLAT) E(SMOOTH) E(CW) E(CCW)
  E(MODELVIEW) E(PROJECTION) E(TEXTURE) E(COLOR) E(MODELVIEW_MATRIX) E(PROJECTION_MATRIX) E(VIEWPORT) E(AMBIENT) E(DIFFUSE) E(SPECULAR) E(POSITION) E(SHININESS) E(AMBIENT_AND_DIFFUSE) E(EMISSION) E(LIGHT_MODEL_AMBIENT)
  E(UNPACK_ALIGNMENT) E(PACK_ALIGNMENT) E(UNPACK_ROW_LENGTH) E(VERTEX_ARRAY) E(COLOR_ARRAY) E(NORMAL_ARRAY) E(TEXTURE_COORD_ARRAY) E(ARRAY_BUFFER) E(ARRAY_BUFFER_ARB) E(ELEMENT_ARRAY_BUFFER) E(PIXEL_UNPACK_BUFFER) E(PIXEL_PACK_BUFFER) E(PIXEL_UNPACK_BUFFER_ARB) E(PIXEL_PACK_BUFFER_ARB) E(SHADER_STORAGE_BUFFER) E(BUFFER_SIZE) E(BUFFER_SIZE_ARB)
  E(STATIC_DRAW) E(DYNAMIC_DRAW) E(STREAM_DRAW) E(DYNAMIC_COPY) E(STREAM_COPY) E(STREAM_DRAW_ARB) E(STREAM_COPY_ARB) E(DYNAMIC_READ) E(STATIC_READ) E(DYNAMIC_DRAW_ARB) E(READ_ONLY) E(WRITE_ONLY) E(READ_WRITE)
  E(VERTEX_SHADER) E(FRAGMENT_SHADER) E(GEOMETRY_SHADER) E(COMPILE_STATUS) E(LINK_STATUS) E(INFO_LOG_LENGTH) E(VALIDATE_STATUS) E(FRAGMENT_PROGRAM_ARB) E(VERTEX_PROGRAM_ARB) E(PROGRAM_ERROR_POSITION_ARB) E(PROGRAM_FORMAT_ASCII_ARB) E(PROGRAM_ERROR_STRING_ARB) E(FRAMEBUFFER) E(FRAMEBUFFER_EXT) E(RENDERBUFFER) E(RENDERBUFFER_EXT) E(COLOR_ATTACHMENT0) E(COLOR_ATTACHMENT0_EXT) E(DEPTH_ATTACHMENT) E(DEPTH_ATTACHMENT_EXT) E(FRAMEBUFFER_COMPLETE) E(FRAMEBUFFER_COMPLETE_EXT) E(COMPILE) E(MAX_TEXTURE_SIZE)
  E(INVALID_FRAMEBUFFER_OPERATION) E(TEXTURE_WIDTH) E(TEXTURE_HEIGHT)
#undef E
};
extern "C" {
#define V(n) void gl##n(...);
V(Begin) V(End) V(Clear) V(ClearColor) V(ClearDepth) V(Enable) V(Disable) V(BlendFunc) V(DepthFunc) V(DepthMask) V(AlphaFunc) V(CullFace) V(FrontFace) V(ShadeModel) V(PolygonMode) V(PointSize) V(LineWidth) V(Hint) V(Scissor)
V(Viewport) V(MatrixMode) V(LoadIdentity) V(LoadMatrixf) V(MultMatrixf) V(PushMatrix) V(PopMatrix) V(Ortho) V(Frustum) V(Translatef) V(Rotatef) V(Scalef) V(Translated) V(Rotated)
V(Vertex2f) V(Vertex2i) V(Vertex2d) V(Vertex3f) V(Vertex3d) V(Vertex3fv) V(Vertex4f) V(Vertex2fv) V(Color3f) V(Color3fv) V(Color4f) V(Color3ub) V(Color4ub) V(Color4fv) V(Normal3f) V(TexCoord2f) V(TexCoord2i) V(TexCoord3f) V(RasterPos2f) V(RasterPos2i) V(DrawPixels) V(ReadPixels) V(Rectf)
V(GenTextures) V(BindTexture) V(DeleteTextures) V(TexImage1D) V(TexImage2D) V(TexImage3D) V(TexSubImage2D) V(TexSubImage3D) V(TexParameteri) V(TexParameterf) V(TexParameterfv) V(TexEnvi) V(TexEnvf) V(PixelStorei) V(CopyTexSubImage2D) V(GetTexImage)
V(Lightfv) V(Lightf) V(LightModelfv) V(Materialfv) V(Materialf) V(ColorMaterial) V(Flush) V(Finish) V(GetIntegerv) V(GetFloatv) V(GetDoublev) V(GetBooleanv) V(GetTexLevelParameteriv) V(DrawArrays) V(DrawElements) V(VertexPointer) V(ColorPointer) V(NormalPointer) V(TexCoordPointer) V(EnableClientState) V(DisableClientState)
V(GenLists) V(NewList) V(EndList) V(CallList) V(DeleteLists) V(CallLists) V(PushAttrib) V(PopAttrib) V(ReadBuffer) V(DrawBuffer) V(ColorMask) V(StencilFunc) V(StencilOp) V(Fogf) V(Fogfv) V(Fogi)
#ifdef GL_GLEXT_PROTOTYPES
V(GenerateMipmap) V(ActiveTexture) V(GenBuffers) V(BindBuffer) V(BufferData) V(BufferSubData) V(DeleteBuffers) V(GetBufferParameteriv) V(GetBufferSubData) V(BindBufferBase) V(UnmapBuffer) V(GenVertexArrays) V(BindVertexArray) V(DeleteVertexArrays) V(VertexAttribPointer) V(EnableVertexAttribArray) V(DisableVertexAttribArray) V(VertexAttribIPointer) V(DrawElementsInstanced) V(DrawArraysInstanced)
V(ShaderSource) V(CompileShader) V(AttachShader) V(DetachShader) V(LinkProgram) V(UseProgram) V(DeleteShader) V(DeleteProgram) V(GetShaderiv) V(GetProgramiv) V(GetShaderInfoLog) V(GetProgramInfoLog) V(ValidateProgram) V(Uniform1i) V(Uniform1f) V(Uniform2f) V(Uniform3f) V(Uniform4f) V(Uniform3fv) V(Uniform4fv) V(UniformMatrix4fv) V(UniformMatrix3fv) V(BindFragDataLocation) V(BindAttribLocation) V(ProgramParameteriEXT)
V(GenFramebuffers) V(BindFramebuffer) V(FramebufferTexture2D) V(DeleteFramebuffers) V(GenRenderbuffers) V(BindRenderbuffer) V(RenderbufferStorage) V(FramebufferRenderbuffer) V(DeleteRenderbuffers) V(BindFramebufferEXT) V(GenFramebuffersEXT) V(FramebufferTexture2DEXT) V(DeleteFramebuffersEXT) V(GenRenderbuffersEXT) V(BindRenderbufferEXT) V(RenderbufferStorageEXT) V(FramebufferRenderbufferEXT) V(DeleteRenderbuffersEXT)
V(GenBuffersARB) V(BindBufferARB) V(BufferDataARB) V(BufferSubDataARB) V(DeleteBuffersARB) V(GetBufferParameterivARB) V(GenProgramsARB) V(BindProgramARB) V(ProgramStringARB) V(DeleteProgramsARB) V(ActiveTextureARB) V(ProgramEnvParameter4fARB) V(ProgramLocalParameter4fARB) V(SwapIntervalEXT) V(WindowPos2i) V(DeleteSync) V(MultiTexCoord2f) V(MultiTexCoord3f)
#endif
#undef V
GLenum glGetError(); const GLubyte *glGetString(GLenum); GLboolean glIsEnabled(GLenum); GLboolean glIsTexture(GLuint); GLboolean glIsBuffer(GLuint);

#ifdef GL_GLEXT_PROTOTYPES
GLuint glCreateShader(GLenum); GLuint glCreateProgram(); GLint glGetUniformLocation(GLuint, const GLchar *); GLint glGetAttribLocation(GLuint, const GLchar *);
void *glMapBuffer(GLenum, GLenum); void *glMapBufferARB(GLenum, GLenum); GLenum glCheckFramebufferStatus(GLenum); GLenum glCheckFramebufferStatusEXT(GLenum);
#endif
#define V(n) void n(...);
V(gluPerspective) V(gluLookAt) V(gluOrtho2D) V(gluSphere) V(gluDeleteQuadric) V(gluProject) V(gluUnProject) V(gluQuadricDrawStyle) V(gluCylinder)
#undef V
void *gluNewQuadric(); const GLubyte *gluErrorString(GLenum); GLint gluBuild2DMipmaps(...);
}
typedef void *GLUquadricObj;
#define APIENTRY
#define GLAPI
#define GLAPIENTRY
#include "glext.h"
