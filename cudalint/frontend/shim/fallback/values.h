#pragma once
#pragma clang system_header
#include "limits.h"
#include "float.h"
#define MAXINT INT_MAX
#define MININT INT_MIN
#define MAXLONG LONG_MAX
#define MAXFLOAT FLT_MAX
#define MAXDOUBLE DBL_MAX
#define MINDOUBLE DBL_MIN
#define MINFLOAT FLT_MIN
#define MAXSHORT SHRT_MAX
