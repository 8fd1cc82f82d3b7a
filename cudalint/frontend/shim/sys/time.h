#pragma once
#pragma clang system_header
#include "types.h"
#include "../time.h"
struct timezone { int tz_minuteswest, tz_dsttime; };
struct itimerval { struct timeval it_interval, it_value; };
#define ITIMER_REAL 0
#define FD_ZERO(s) ((void)(s))
#define FD_SET(d, s) ((void)(d), (void)(s))
#define FD_ISSET(d, s) ((void)(d), (void)(s), 0)
#define timersub(a, b, r) ((r)->tv_sec = (a)->tv_sec - (b)->tv_sec, (r)->tv_usec = (a)->tv_usec - (b)->tv_usec)
extern "C" { int gettimeofday(struct timeval *, void *); int settimeofday(const struct timeval *, const struct timezone *); int setitimer(int, const struct itimerval *, struct itimerval *); int getitimer(int, struct itimerval *); int utimes(const char *, const struct timeval[2]);
int select(int, fd_set *, fd_set *, fd_set *, struct timeval *); }
