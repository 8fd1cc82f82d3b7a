// Windows for OpenGL.
#pragma once
#pragma clang system_header
#include "gl.h"
#define FREEGLUT 1
enum { GLUT_RGB = 0, GLUT_RGBA = 0, GLUT_SINGLE = 0, GLUT_DOUBLE = 2, GLUT_ALPHA = 8, GLUT_DEPTH = 16, GLUT_STENCIL = 32, GLUT_MULTISAMPLE = 128, GLUT_LEFT_BUTTON = 0, GLUT_MIDDLE_BUTTON, GLUT_RIGHT_BUTTON, GLUT_DOWN = 0, GLUT_UP = 1,
  GLUT_KEY_F1 = 1, GLUT_KEY_LEFT = 100, GLUT_KEY_UP, GLUT_KEY_RIGHT, GLUT_KEY_DOWN, GLUT_KEY_PAGE_UP, GLUT_KEY_PAGE_DOWN, GLUT_KEY_HOME, GLUT_KEY_END, GLUT_ACTIVE_SHIFT = 1, GLUT_ACTIVE_CTRL = 2, GLUT_ACTIVE_ALT = 4,
  GLUT_ELAPSED_TIME = 700, GLUT_WINDOW_WIDTH = 102, GLUT_WINDOW_HEIGHT, GLUT_SCREEN_WIDTH = 200, GLUT_SCREEN_HEIGHT, GLUT_ACTION_ON_WINDOW_CLOSE = 505, GLUT_ACTION_EXIT = 0, GLUT_ACTION_GLUTMAINLOOP_RETURNS = 1, GLUT_ACTION_CONTINUE_EXECUTION = 2 };
#define GLUT_BITMAP_8_BY_13 ((void *)3)
#define GLUT_BITMAP_9_BY_15 ((void *)2)
#define GLUT_BITMAP_HELVETICA_10 ((void *)6)
#define GLUT_BITMAP_HELVETICA_12 ((void *)7)
#define GLUT_BITMAP_HELVETICA_18 ((void *)8)
#define GLUT_BITMAP_TIMES_ROMAN_24 ((void *)5)
extern "C" {
#define __V(n) void glut##n(...);
__V(Init) __V(InitDisplayMode) __V(InitWindowSize) __V(InitWindowPosition) __V(MainLoop) __V(PostRedisplay) __V(SwapBuffers) __V(ReshapeWindow) __V(FullScreen) __V(SetWindowTitle) __V(DestroyWindow) __V(SetOption) __V(LeaveMainLoop) __V(SetWindow)
__V(DisplayFunc) __V(KeyboardFunc) __V(SpecialFunc) __V(MouseFunc) __V(MotionFunc) __V(PassiveMotionFunc) __V(ReshapeFunc) __V(IdleFunc) __V(TimerFunc) __V(CloseFunc) __V(WMCloseFunc) __V(AddMenuEntry) __V(AttachMenu) __V(AddSubMenu) __V(ReportErrors)
__V(BitmapCharacter) __V(BitmapString) __V(StrokeCharacter) __V(SolidSphere) __V(WireSphere) __V(SolidCube) __V(WireCube) __V(SolidTeapot) __V(WireTeapot) __V(Idle)
#undef __V
int glutCreateWindow(const char *); int glutCreateMenu(void (*)(int)); int glutGet(GLenum); int glutGetModifiers(); int glutExtensionSupported(const char *); int glutGetWindow(); void (*glutGetProcAddress(const char *))();
}
