#pragma once
#pragma clang system_header
#include "sys/types.h"
struct utimbuf { time_t actime, modtime; };
extern "C" int utime(const char *, const struct utimbuf *);
