#pragma once
#pragma clang system_header
#include "types.h"
struct timeb { time_t time; unsigned short millitm; short timezone, dstflag; };
extern "C" int ftime(struct timeb *);
