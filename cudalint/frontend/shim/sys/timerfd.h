#pragma once
#pragma clang system_header
#include "../time.h"
struct itimerspec { struct timespec it_interval, it_value; };
#define TFD_TIMER_ABSTIME 1
#define TFD_NONBLOCK 04000
#define TFD_CLOEXEC 02000000
extern "C" { int timerfd_create(int, int); int timerfd_settime(int, int, const struct itimerspec *, struct itimerspec *); int timerfd_gettime(int, struct itimerspec *); }
