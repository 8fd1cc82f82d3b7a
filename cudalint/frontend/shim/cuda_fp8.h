// The 8-bit floating types and their packs.
#pragma once
#pragma clang system_header
#include "device_types.h"
#include "cuda_fp16.h"
#include "cuda_bf16.h"
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2, __NV_E8M0 };
CUDALINT_SMALL __nv_fp8_storage_t __nv_cvt_float_to_fp8(float, __nv_saturation_t, __nv_fp8_interpretation_t);
CUDALINT_SMALL __nv_fp8_storage_t __nv_cvt_double_to_fp8(double, __nv_saturation_t, __nv_fp8_interpretation_t);
CUDALINT_SMALL __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
CUDALINT_SMALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
CUDALINT_SMALL __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2, __nv_saturation_t, __nv_fp8_interpretation_t);
CUDALINT_SMALL __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
CUDALINT_SMALL __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
CUDALINT_SMALL __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t, __nv_fp8_interpretation_t);
CUDALINT_SMALL __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t, __nv_fp8_interpretation_t);
CUDALINT_SMALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw, __nv_saturation_t, cudaRoundMode);
CUDALINT_SMALL __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw, __nv_saturation_t, cudaRoundMode);
CUDALINT_SMALL __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float, __nv_saturation_t, cudaRoundMode);
CUDALINT_SMALL __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2, __nv_saturation_t, cudaRoundMode);
CUDALINT_SMALL __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double, __nv_saturation_t, cudaRoundMode);
CUDALINT_SMALL __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2, __nv_saturation_t, cudaRoundMode);
CUDALINT_SMALL __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t);
CUDALINT_SMALL __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t);
#define CUDALINT_FP8(__N) \
  struct __N { \
    __nv_fp8_storage_t __x; \
    __N() = default; \
    CUDALINT_SMALL explicit __N(float); CUDALINT_SMALL explicit __N(double); CUDALINT_SMALL explicit __N(__half); \
    CUDALINT_SMALL explicit __N(__nv_bfloat16); CUDALINT_SMALL explicit __N(int); CUDALINT_SMALL explicit __N(unsigned int); \
    CUDALINT_SMALL explicit __N(long); CUDALINT_SMALL explicit __N(short); CUDALINT_SMALL explicit __N(unsigned short); \
    CUDALINT_SMALL explicit operator float() const; CUDALINT_SMALL explicit operator double() const; \
    CUDALINT_SMALL explicit operator __half() const; CUDALINT_SMALL explicit operator __nv_bfloat16() const; \
    CUDALINT_SMALL explicit operator int() const; CUDALINT_SMALL explicit operator bool() const; \
  };
#define CUDALINT_FP8_PACK(__N, __S, __F) \
  struct __attribute__((aligned(sizeof(__S)))) __N { \
    __S __x; \
    __N() = default; \
    CUDALINT_SMALL explicit __N(__F); \
    CUDALINT_SMALL explicit __N(__half2); CUDALINT_SMALL explicit __N(__half2, __half2); \
    CUDALINT_SMALL explicit __N(__nv_bfloat162); CUDALINT_SMALL explicit __N(__nv_bfloat162, __nv_bfloat162); \
    CUDALINT_SMALL explicit operator __F() const; CUDALINT_SMALL explicit operator __half2() const; \
  };
CUDALINT_FP8(__nv_fp8_e4m3) CUDALINT_FP8(__nv_fp8_e5m2) CUDALINT_FP8(__nv_fp8_e8m0)
CUDALINT_FP8_PACK(__nv_fp8x2_e4m3, __nv_fp8x2_storage_t, float2) CUDALINT_FP8_PACK(__nv_fp8x2_e5m2, __nv_fp8x2_storage_t, float2)
CUDALINT_FP8_PACK(__nv_fp8x4_e4m3, __nv_fp8x4_storage_t, float4) CUDALINT_FP8_PACK(__nv_fp8x4_e5m2, __nv_fp8x4_storage_t, float4)
CUDALINT_FP8_PACK(__nv_fp8x2_e8m0, __nv_fp8x2_storage_t, float2) CUDALINT_FP8_PACK(__nv_fp8x4_e8m0, __nv_fp8x4_storage_t, float4)
