// Google's logging: conditions end the program, messages go nowhere.
#pragma once
#pragma clang system_header
#include "sink.h"
#define CHECK(condition) CUDALINT_CHECKED(condition)
#define CHECK_EQ(a, b) CUDALINT_CHECKED((a) == (b))
#define CHECK_NE(a, b) CUDALINT_CHECKED((a) != (b))
#define CHECK_LT(a, b) CUDALINT_CHECKED((a) < (b))
#define CHECK_LE(a, b) CUDALINT_CHECKED((a) <= (b))
#define CHECK_GT(a, b) CUDALINT_CHECKED((a) > (b))
#define CHECK_GE(a, b) CUDALINT_CHECKED((a) >= (b))
#define CHECK_NOTNULL(a) (a)
#define PCHECK(condition) CHECK(condition)
#define DCHECK(condition) CHECK(condition)
#define DCHECK_EQ(a, b) CHECK_EQ(a, b)
#define DCHECK_NE(a, b) CHECK_NE(a, b)
#define DCHECK_LT(a, b) CHECK_LT(a, b)
#define DCHECK_LE(a, b) CHECK_LE(a, b)
#define DCHECK_GT(a, b) CHECK_GT(a, b)
#define DCHECK_GE(a, b) CHECK_GE(a, b)
#define LOG(level) __cudalint_sink()
#define LOG_IF(level, condition) __cudalint_sink()
#define LOG_EVERY_N(level, n) __cudalint_sink()
#define LOG_FIRST_N(level, n) __cudalint_sink()
#define DLOG(level) __cudalint_sink()
#define VLOG(level) __cudalint_sink()
#define VLOG_IS_ON(level) false
namespace google { void InitGoogleLogging(const char *); }
