#pragma once
#pragma clang system_header
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#define FIONREAD 0x541B
#define FIONBIO 0x5421
#define TIOCOUTQ 0x5411
#define TIOCGWINSZ 0x5413
extern "C" int ioctl(int, unsigned long, ...);
