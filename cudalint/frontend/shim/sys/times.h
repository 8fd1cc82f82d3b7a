#pragma once
#pragma clang system_header
#include "types.h"
struct tms { clock_t tms_utime, tms_stime, tms_cutime, tms_cstime; };
extern "C" clock_t times(struct tms *);
