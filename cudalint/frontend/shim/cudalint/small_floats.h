// What the 16-bit floating types have in common: a two-byte number, a four-byte pair, and functions on both.
// Bodies are not needed: the models know such functions by their prefix and track the bytes they move.
#pragma once
#pragma clang system_header
#include "../cudalint_prelude.h"
#define CUDALINT_SMALL __host__ __device__
#define CUDALINT_SMALL_NUMBER(H, RAW) \
  struct RAW { unsigned short x; }; \
  struct __attribute__((aligned(2))) H { \
    unsigned short __x; \
    H() = default; \
    CUDALINT_SMALL H(RAW); \
    CUDALINT_SMALL H(float); \
    CUDALINT_SMALL H(double); \
    CUDALINT_SMALL H(short); \
    CUDALINT_SMALL H(unsigned short); \
    CUDALINT_SMALL H(int); \
    CUDALINT_SMALL H(unsigned int); \
    CUDALINT_SMALL H(long); \
    CUDALINT_SMALL H(unsigned long); \
    CUDALINT_SMALL H(long long); \
    CUDALINT_SMALL H(unsigned long long); \
    CUDALINT_SMALL operator float() const; \
    CUDALINT_SMALL explicit operator bool() const; \
    CUDALINT_SMALL explicit operator char() const; \
    CUDALINT_SMALL explicit operator signed char() const; \
    CUDALINT_SMALL explicit operator unsigned char() const; \
    CUDALINT_SMALL explicit operator short() const; \
    CUDALINT_SMALL explicit operator unsigned short() const; \
    CUDALINT_SMALL explicit operator int() const; \
    CUDALINT_SMALL explicit operator unsigned int() const; \
    CUDALINT_SMALL explicit operator long() const; \
    CUDALINT_SMALL explicit operator unsigned long() const; \
    CUDALINT_SMALL explicit operator long long() const; \
    CUDALINT_SMALL explicit operator unsigned long long() const; \
    CUDALINT_SMALL operator RAW() const; \
    CUDALINT_SMALL H &operator=(RAW); \
    CUDALINT_SMALL H &operator=(float); \
    CUDALINT_SMALL H &operator=(double); \
    CUDALINT_SMALL H &operator=(int); \
    CUDALINT_SMALL H &operator=(unsigned int); \
  };
#define CUDALINT_SMALL_PAIR(H, H2, RAW2) \
  struct RAW2 { unsigned short x, y; }; \
  struct __attribute__((aligned(4))) H2 { \
    H x, y; \
    H2() = default; \
    CUDALINT_SMALL H2(H a, H b) : x(a), y(b) {} \
    CUDALINT_SMALL H2(RAW2); \
    CUDALINT_SMALL operator RAW2() const; \
  };
#define CUDALINT_SMALL_OPERATORS(H) \
  CUDALINT_SMALL H operator+(const H &, const H &); \
  CUDALINT_SMALL H operator-(const H &, const H &); \
  CUDALINT_SMALL H operator*(const H &, const H &); \
  CUDALINT_SMALL H operator/(const H &, const H &); \
  CUDALINT_SMALL H operator+(const H &); \
  CUDALINT_SMALL H operator-(const H &); \
  CUDALINT_SMALL H &operator+=(H &, const H &); \
  CUDALINT_SMALL H &operator-=(H &, const H &); \
  CUDALINT_SMALL H &operator*=(H &, const H &); \
  CUDALINT_SMALL H &operator/=(H &, const H &); \
  CUDALINT_SMALL H &operator++(H &); \
  CUDALINT_SMALL H &operator--(H &); \
  CUDALINT_SMALL H operator++(H &, int); \
  CUDALINT_SMALL H operator--(H &, int); \
  CUDALINT_SMALL bool operator==(const H &, const H &); \
  CUDALINT_SMALL bool operator!=(const H &, const H &); \
  CUDALINT_SMALL bool operator<(const H &, const H &); \
  CUDALINT_SMALL bool operator>(const H &, const H &); \
  CUDALINT_SMALL bool operator<=(const H &, const H &); \
  CUDALINT_SMALL bool operator>=(const H &, const H &);
#define CUDALINT_SMALL_1(H, n) CUDALINT_SMALL H n(H);
#define CUDALINT_SMALL_2(H, n) CUDALINT_SMALL H n(H, H);
#define CUDALINT_SMALL_B(H, n) CUDALINT_SMALL bool n(H, H);
#define CUDALINT_SMALL_WARP(T) \
  __device__ T __shfl_sync(unsigned int, T, int, int = 32); \
  __device__ T __shfl_up_sync(unsigned int, T, unsigned int, int = 32); \
  __device__ T __shfl_down_sync(unsigned int, T, unsigned int, int = 32); \
  __device__ T __shfl_xor_sync(unsigned int, T, int, int = 32);
// Arithmetic of one type H with its pair H2; every name ends in 2 for the pair.
#define CUDALINT_SMALL_ARITHMETIC(H, H2) \
  CUDALINT_SMALL_2(H, __hadd) CUDALINT_SMALL_2(H, __hsub) CUDALINT_SMALL_2(H, __hmul) CUDALINT_SMALL_2(H, __hdiv) \
  CUDALINT_SMALL_2(H, __hadd_rn) CUDALINT_SMALL_2(H, __hsub_rn) CUDALINT_SMALL_2(H, __hmul_rn) \
  CUDALINT_SMALL_2(H, __hadd_sat) CUDALINT_SMALL_2(H, __hsub_sat) CUDALINT_SMALL_2(H, __hmul_sat) \
  CUDALINT_SMALL_2(H, __hmax) CUDALINT_SMALL_2(H, __hmin) CUDALINT_SMALL_2(H, __hmax_nan) CUDALINT_SMALL_2(H, __hmin_nan) \
  CUDALINT_SMALL_1(H, __hneg) CUDALINT_SMALL_1(H, __habs) \
  CUDALINT_SMALL H __hfma(H, H, H); CUDALINT_SMALL H __hfma_sat(H, H, H); CUDALINT_SMALL H __hfma_relu(H, H, H); \
  CUDALINT_SMALL_B(H, __heq) CUDALINT_SMALL_B(H, __hne) CUDALINT_SMALL_B(H, __hlt) CUDALINT_SMALL_B(H, __hle) \
  CUDALINT_SMALL_B(H, __hgt) CUDALINT_SMALL_B(H, __hge) CUDALINT_SMALL_B(H, __hequ) CUDALINT_SMALL_B(H, __hneu) \
  CUDALINT_SMALL_B(H, __hltu) CUDALINT_SMALL_B(H, __hleu) CUDALINT_SMALL_B(H, __hgtu) CUDALINT_SMALL_B(H, __hgeu) \
  CUDALINT_SMALL bool __hisnan(H); CUDALINT_SMALL int __hisinf(H); \
  CUDALINT_SMALL_1(H, hsqrt) CUDALINT_SMALL_1(H, hrsqrt) CUDALINT_SMALL_1(H, hrcp) CUDALINT_SMALL_1(H, hexp) \
  CUDALINT_SMALL_1(H, hexp2) CUDALINT_SMALL_1(H, hexp10) CUDALINT_SMALL_1(H, hlog) CUDALINT_SMALL_1(H, hlog2) \
  CUDALINT_SMALL_1(H, hlog10) CUDALINT_SMALL_1(H, hsin) CUDALINT_SMALL_1(H, hcos) CUDALINT_SMALL_1(H, htanh) \
  CUDALINT_SMALL_1(H, hfloor) CUDALINT_SMALL_1(H, hceil) CUDALINT_SMALL_1(H, htrunc) CUDALINT_SMALL_1(H, hrint) \
  CUDALINT_SMALL_1(H, htanh_approx) \
  CUDALINT_SMALL_2(H2, __hadd2) CUDALINT_SMALL_2(H2, __hsub2) CUDALINT_SMALL_2(H2, __hmul2) CUDALINT_SMALL_2(H2, __h2div) \
  CUDALINT_SMALL_2(H2, __hadd2_rn) CUDALINT_SMALL_2(H2, __hsub2_rn) CUDALINT_SMALL_2(H2, __hmul2_rn) \
  CUDALINT_SMALL_2(H2, __hadd2_sat) CUDALINT_SMALL_2(H2, __hsub2_sat) CUDALINT_SMALL_2(H2, __hmul2_sat) \
  CUDALINT_SMALL_2(H2, __hmax2) CUDALINT_SMALL_2(H2, __hmin2) CUDALINT_SMALL_2(H2, __hmax2_nan) CUDALINT_SMALL_2(H2, __hmin2_nan) \
  CUDALINT_SMALL_1(H2, __hneg2) CUDALINT_SMALL_1(H2, __habs2) \
  CUDALINT_SMALL H2 __hfma2(H2, H2, H2); CUDALINT_SMALL H2 __hfma2_sat(H2, H2, H2); CUDALINT_SMALL H2 __hfma2_relu(H2, H2, H2); \
  CUDALINT_SMALL H2 __hcmadd(H2, H2, H2); \
  CUDALINT_SMALL_2(H2, __heq2) CUDALINT_SMALL_2(H2, __hne2) CUDALINT_SMALL_2(H2, __hlt2) CUDALINT_SMALL_2(H2, __hle2) \
  CUDALINT_SMALL_2(H2, __hgt2) CUDALINT_SMALL_2(H2, __hge2) \
  CUDALINT_SMALL unsigned __heq2_mask(H2, H2); CUDALINT_SMALL unsigned __hne2_mask(H2, H2); CUDALINT_SMALL unsigned __hlt2_mask(H2, H2); \
  CUDALINT_SMALL unsigned __hle2_mask(H2, H2); CUDALINT_SMALL unsigned __hgt2_mask(H2, H2); CUDALINT_SMALL unsigned __hge2_mask(H2, H2); \
  CUDALINT_SMALL_B(H2, __hbeq2) CUDALINT_SMALL_B(H2, __hbne2) CUDALINT_SMALL_B(H2, __hblt2) CUDALINT_SMALL_B(H2, __hble2) \
  CUDALINT_SMALL_B(H2, __hbgt2) CUDALINT_SMALL_B(H2, __hbge2) CUDALINT_SMALL_1(H2, __hisnan2) \
  CUDALINT_SMALL_1(H2, h2sqrt) CUDALINT_SMALL_1(H2, h2rsqrt) CUDALINT_SMALL_1(H2, h2rcp) CUDALINT_SMALL_1(H2, h2exp) \
  CUDALINT_SMALL_1(H2, h2exp2) CUDALINT_SMALL_1(H2, h2exp10) CUDALINT_SMALL_1(H2, h2log) CUDALINT_SMALL_1(H2, h2log2) \
  CUDALINT_SMALL_1(H2, h2log10) CUDALINT_SMALL_1(H2, h2sin) CUDALINT_SMALL_1(H2, h2cos) CUDALINT_SMALL_1(H2, h2tanh) \
  CUDALINT_SMALL_1(H2, h2floor) CUDALINT_SMALL_1(H2, h2ceil) CUDALINT_SMALL_1(H2, h2trunc) CUDALINT_SMALL_1(H2, h2rint) \
  CUDALINT_SMALL_OPERATORS(H) CUDALINT_SMALL_OPERATORS(H2) \
  CUDALINT_SMALL_WARP(H) CUDALINT_SMALL_WARP(H2) \
  __device__ H atomicAdd(H *, H); __device__ H2 atomicAdd(H2 *, H2); \
  __device__ H atomicAdd_block(H *, H); __device__ H2 atomicAdd_block(H2 *, H2);
// Conversions: S is the word for the type in function names.
#define CUDALINT_SMALL_ROUNDED(H, S, T, t) \
  CUDALINT_SMALL T __##S##2##t##_rn(H); CUDALINT_SMALL T __##S##2##t##_rz(H); CUDALINT_SMALL T __##S##2##t##_ru(H); \
  CUDALINT_SMALL T __##S##2##t##_rd(H); CUDALINT_SMALL H __##t##2##S##_rn(T); CUDALINT_SMALL H __##t##2##S##_rz(T); \
  CUDALINT_SMALL H __##t##2##S##_ru(T); CUDALINT_SMALL H __##t##2##S##_rd(T);
#define CUDALINT_SMALL_CONVERSIONS(H, H2, S) \
  CUDALINT_SMALL H __float2##S(float); CUDALINT_SMALL H __float2##S##_rn(float); CUDALINT_SMALL H __float2##S##_rz(float); \
  CUDALINT_SMALL H __float2##S##_rd(float); CUDALINT_SMALL H __float2##S##_ru(float); CUDALINT_SMALL H __double2##S(double); \
  CUDALINT_SMALL float __##S##2float(H); CUDALINT_SMALL H2 __float2##S##2_rn(float); CUDALINT_SMALL H2 __floats2##S##2_rn(float, float); \
  CUDALINT_SMALL H2 __float22##S##2_rn(float2); CUDALINT_SMALL float2 __##S##22float2(H2); \
  CUDALINT_SMALL H2 __##S##2##S##2(H); CUDALINT_SMALL H2 __halves2##S##2(H, H); \
  CUDALINT_SMALL short __##S##_as_short(H); CUDALINT_SMALL unsigned short __##S##_as_ushort(H); \
  CUDALINT_SMALL H __short_as_##S(short); CUDALINT_SMALL H __ushort_as_##S(unsigned short); \
  CUDALINT_SMALL_ROUNDED(H, S, int, int) CUDALINT_SMALL_ROUNDED(H, S, unsigned int, uint) \
  CUDALINT_SMALL_ROUNDED(H, S, short, short) CUDALINT_SMALL_ROUNDED(H, S, unsigned short, ushort) \
  CUDALINT_SMALL_ROUNDED(H, S, long long, ll) CUDALINT_SMALL_ROUNDED(H, S, unsigned long long, ull) \
  CUDALINT_SMALL signed char __##S##2char_rz(H); CUDALINT_SMALL unsigned char __##S##2uchar_rz(H);
