#pragma once
#pragma clang system_header
typedef unsigned char cc_t;
typedef unsigned int speed_t;
typedef unsigned int tcflag_t;
struct termios { tcflag_t c_iflag, c_oflag, c_cflag, c_lflag; cc_t c_line, c_cc[32]; speed_t c_ispeed, c_ospeed; };
#define ISIG 1
#define ICANON 2
#define ECHO 8
#define ECHOE 16
#define ECHONL 64
#define IEXTEN 0100000
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2
#define VTIME 5
#define VMIN 6
extern "C" {
int tcgetattr(int, struct termios *); int tcsetattr(int, int, const struct termios *); int tcflush(int, int); int tcdrain(int); void cfmakeraw(struct termios *);
int cfsetispeed(struct termios *, speed_t); int cfsetospeed(struct termios *, speed_t);
}
