// half and half2.
#pragma once
#pragma clang system_header
#include "cudalint/small_floats.h"
CUDALINT_SMALL_NUMBER(__half, __half_raw)
CUDALINT_SMALL_PAIR(__half, __half2, __half2_raw)
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
#endif
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;
CUDALINT_SMALL_ARITHMETIC(__half, __half2)
CUDALINT_SMALL_CONVERSIONS(__half, __half2, half)
CUDALINT_SMALL __half2 __floats2half2_rn(float, float);
CUDALINT_SMALL inline __half2 make_half2(__half a, __half b) { return __half2(a, b); }
CUDALINT_SMALL inline __half __low2half(__half2 v) { return v.x; }
CUDALINT_SMALL inline __half __high2half(__half2 v) { return v.y; }
CUDALINT_SMALL inline __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
CUDALINT_SMALL inline __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
CUDALINT_SMALL inline __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
CUDALINT_SMALL inline __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
CUDALINT_SMALL inline __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
CUDALINT_SMALL float __low2float(__half2);
CUDALINT_SMALL float __high2float(__half2);
CUDALINT_SMALL unsigned short __half_as_ushort(__half);
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
