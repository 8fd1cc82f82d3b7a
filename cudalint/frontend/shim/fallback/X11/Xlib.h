// The X window system's handles.
#pragma once
#pragma clang system_header
#include "../../cudalint_prelude.h"
typedef struct _XDisplay Display;
typedef unsigned long XID, Window, Colormap, Pixmap, Atom, KeySym, VisualID;
typedef int Bool, Status;
typedef struct { int type; } XEvent;
typedef struct { void *visual; VisualID visualid; int screen, depth; } XVisualInfo;
typedef struct { Pixmap background_pixmap; unsigned long background_pixel, border_pixel; long event_mask; Colormap colormap; } XSetWindowAttributes;
#define None 0L
extern "C" { Display *XOpenDisplay(const char *); int XCloseDisplay(Display *); Window XCreateWindow(...); Window XCreateSimpleWindow(...); int XMapWindow(...); int XStoreName(...); int XFlush(...); int XPending(...); int XNextEvent(...); Colormap XCreateColormap(...); int XDestroyWindow(...); int XDefaultScreen(Display *); Window XDefaultRootWindow(Display *); Window XRootWindow(Display *, int); int XInitThreads(); }
#define DefaultScreen(d) XDefaultScreen(d)
#define DefaultRootWindow(d) XDefaultRootWindow(d)
#define RootWindow(d, s) XRootWindow(d, s)
