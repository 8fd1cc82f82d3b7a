// The 6-bit floating types and their packs.
#pragma once
#pragma clang system_header
#include "cuda_fp8.h"
typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };
CUDALINT_SMALL __nv_fp6_storage_t __nv_cvt_double_to_fp6(double, __nv_fp6_interpretation_t, cudaRoundMode);
CUDALINT_SMALL __nv_fp6_storage_t __nv_cvt_float_to_fp6(float, __nv_fp6_interpretation_t, cudaRoundMode);
CUDALINT_SMALL __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(float2, __nv_fp6_interpretation_t, cudaRoundMode);
CUDALINT_SMALL __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(__half_raw, __nv_fp6_interpretation_t, cudaRoundMode);
CUDALINT_SMALL __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(__nv_bfloat16_raw, __nv_fp6_interpretation_t, cudaRoundMode);
CUDALINT_SMALL __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t, __nv_fp6_interpretation_t);
CUDALINT_SMALL __half2_raw __nv_cvt_fp6x2_to_halfraw2(__nv_fp6x2_storage_t, __nv_fp6_interpretation_t);
CUDALINT_FP8(__nv_fp6_e2m3) CUDALINT_FP8(__nv_fp6_e3m2)
CUDALINT_FP8_PACK(__nv_fp6x2_e2m3, __nv_fp6x2_storage_t, float2) CUDALINT_FP8_PACK(__nv_fp6x2_e3m2, __nv_fp6x2_storage_t, float2)
CUDALINT_FP8_PACK(__nv_fp6x4_e2m3, __nv_fp6x4_storage_t, float4) CUDALINT_FP8_PACK(__nv_fp6x4_e3m2, __nv_fp6x4_storage_t, float4)
