// __nv_bfloat16 and __nv_bfloat162.
#pragma once
#pragma clang system_header
#include "cudalint/small_floats.h"
#include "cuda_fp16.h"
CUDALINT_SMALL_NUMBER(__nv_bfloat16, __nv_bfloat16_raw)
CUDALINT_SMALL_PAIR(__nv_bfloat16, __nv_bfloat162, __nv_bfloat162_raw)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
CUDALINT_SMALL_ARITHMETIC(__nv_bfloat16, __nv_bfloat162)
CUDALINT_SMALL_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16)
CUDALINT_SMALL __nv_bfloat162 __floats2bfloat162_rn(float, float);
CUDALINT_SMALL inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
CUDALINT_SMALL inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
CUDALINT_SMALL inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
CUDALINT_SMALL inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
CUDALINT_SMALL inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.x, v.x); }
CUDALINT_SMALL inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return __nv_bfloat162(v.y, v.y); }
CUDALINT_SMALL inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
CUDALINT_SMALL inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
CUDALINT_SMALL float __low2float(__nv_bfloat162);
CUDALINT_SMALL float __high2float(__nv_bfloat162);
CUDALINT_SMALL unsigned short __bfloat16_as_ushort(__nv_bfloat16);
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
