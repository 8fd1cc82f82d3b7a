// What the 16-bit floating types have in common: a two-byte number, a four-byte pair, and functions on both.
// Bodies are not needed: the models know such functions by their prefix and track the bytes they move.
#pragma once
#pragma clang system_header
#include "../cudalint_prelude.h"
#define CUDALINT_SMALL __host__ __device__
#define CUDALINT_SMALL_NUMBER(__H, RAW) \
  struct RAW { unsigned short x; }; \
  struct __attribute__((aligned(2))) __H { \
    unsigned short __x; \
    __H() = default; \
    CUDALINT_SMALL __H(RAW); \
    CUDALINT_SMALL __H(float); \
    CUDALINT_SMALL __H(double); \
    CUDALINT_SMALL __H(short); \
    CUDALINT_SMALL __H(unsigned short); \
    CUDALINT_SMALL __H(int); \
    CUDALINT_SMALL __H(unsigned int); \
    CUDALINT_SMALL __H(long); \
    CUDALINT_SMALL __H(unsigned long); \
    CUDALINT_SMALL __H(long long); \
    CUDALINT_SMALL __H(unsigned long long); \
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
  };
#define CUDALINT_SMALL_PAIR(__H, __H2, RAW2) \
  struct RAW2 { unsigned short x, y; }; \
  struct __attribute__((aligned(4))) __H2 { \
    __H x, y; \
    __H2() = default; \
    CUDALINT_SMALL __H2(__H a, __H b) : x(a), y(b) {} \
    CUDALINT_SMALL __H2(RAW2); \
    CUDALINT_SMALL operator RAW2() const; \
  };
#define CUDALINT_SMALL_OPERATORS(__H) \
  CUDALINT_SMALL __H operator+(const __H &, const __H &); \
  CUDALINT_SMALL __H operator-(const __H &, const __H &); \
  CUDALINT_SMALL __H operator*(const __H &, const __H &); \
  CUDALINT_SMALL __H operator/(const __H &, const __H &); \
  CUDALINT_SMALL __H operator+(const __H &); \
  CUDALINT_SMALL __H operator-(const __H &); \
  CUDALINT_SMALL __H &operator+=(__H &, const __H &); \
  CUDALINT_SMALL __H &operator-=(__H &, const __H &); \
  CUDALINT_SMALL __H &operator*=(__H &, const __H &); \
  CUDALINT_SMALL __H &operator/=(__H &, const __H &); \
  CUDALINT_SMALL __H &operator++(__H &); \
  CUDALINT_SMALL __H &operator--(__H &); \
  CUDALINT_SMALL __H operator++(__H &, int); \
  CUDALINT_SMALL __H operator--(__H &, int); \
  CUDALINT_SMALL bool operator==(const __H &, const __H &); \
  CUDALINT_SMALL bool operator!=(const __H &, const __H &); \
  CUDALINT_SMALL bool operator<(const __H &, const __H &); \
  CUDALINT_SMALL bool operator>(const __H &, const __H &); \
  CUDALINT_SMALL bool operator<=(const __H &, const __H &); \
  CUDALINT_SMALL bool operator>=(const __H &, const __H &);
#define CUDALINT_SMALL_1(__H, n) CUDALINT_SMALL __H n(__H);
#define CUDALINT_SMALL_2(__H, n) CUDALINT_SMALL __H n(__H, __H);
#define CUDALINT_SMALL_B(__H, n) CUDALINT_SMALL bool n(__H, __H);
#define CUDALINT_SMALL_WARP(__T) \
  __device__ __T __shfl_sync(unsigned int, __T, int, int = 32); \
  __device__ __T __shfl_up_sync(unsigned int, __T, unsigned int, int = 32); \
  __device__ __T __shfl_down_sync(unsigned int, __T, unsigned int, int = 32); \
  __device__ __T __shfl_xor_sync(unsigned int, __T, int, int = 32);
// Arithmetic of one type H with its pair H2; every name ends in 2 for the pair.
#define CUDALINT_SMALL_ARITHMETIC(__H, __H2) \
  CUDALINT_SMALL_2(__H, __hadd) CUDALINT_SMALL_2(__H, __hsub) CUDALINT_SMALL_2(__H, __hmul) CUDALINT_SMALL_2(__H, __hdiv) \
  CUDALINT_SMALL_2(__H, __hadd_rn) CUDALINT_SMALL_2(__H, __hsub_rn) CUDALINT_SMALL_2(__H, __hmul_rn) \
  CUDALINT_SMALL_2(__H, __hadd_sat) CUDALINT_SMALL_2(__H, __hsub_sat) CUDALINT_SMALL_2(__H, __hmul_sat) \
  CUDALINT_SMALL_2(__H, __hmax) CUDALINT_SMALL_2(__H, __hmin) CUDALINT_SMALL_2(__H, __hmax_nan) CUDALINT_SMALL_2(__H, __hmin_nan) \
  CUDALINT_SMALL_1(__H, __hneg) CUDALINT_SMALL_1(__H, __habs) \
  CUDALINT_SMALL __H __hfma(__H, __H, __H); CUDALINT_SMALL __H __hfma_sat(__H, __H, __H); CUDALINT_SMALL __H __hfma_relu(__H, __H, __H); \
  CUDALINT_SMALL_B(__H, __heq) CUDALINT_SMALL_B(__H, __hne) CUDALINT_SMALL_B(__H, __hlt) CUDALINT_SMALL_B(__H, __hle) \
  CUDALINT_SMALL_B(__H, __hgt) CUDALINT_SMALL_B(__H, __hge) CUDALINT_SMALL_B(__H, __hequ) CUDALINT_SMALL_B(__H, __hneu) \
  CUDALINT_SMALL_B(__H, __hltu) CUDALINT_SMALL_B(__H, __hleu) CUDALINT_SMALL_B(__H, __hgtu) CUDALINT_SMALL_B(__H, __hgeu) \
  CUDALINT_SMALL bool __hisnan(__H); CUDALINT_SMALL int __hisinf(__H); \
  CUDALINT_SMALL_1(__H, hsqrt) CUDALINT_SMALL_1(__H, hrsqrt) CUDALINT_SMALL_1(__H, hrcp) CUDALINT_SMALL_1(__H, hexp) \
  CUDALINT_SMALL_1(__H, hexp2) CUDALINT_SMALL_1(__H, hexp10) CUDALINT_SMALL_1(__H, hlog) CUDALINT_SMALL_1(__H, hlog2) \
  CUDALINT_SMALL_1(__H, hlog10) CUDALINT_SMALL_1(__H, hsin) CUDALINT_SMALL_1(__H, hcos) CUDALINT_SMALL_1(__H, htanh) \
  CUDALINT_SMALL_1(__H, hfloor) CUDALINT_SMALL_1(__H, hceil) CUDALINT_SMALL_1(__H, htrunc) CUDALINT_SMALL_1(__H, hrint) \
  CUDALINT_SMALL_1(__H, htanh_approx) \
  CUDALINT_SMALL_2(__H2, __hadd2) CUDALINT_SMALL_2(__H2, __hsub2) CUDALINT_SMALL_2(__H2, __hmul2) CUDALINT_SMALL_2(__H2, __h2div) \
  CUDALINT_SMALL_2(__H2, __hadd2_rn) CUDALINT_SMALL_2(__H2, __hsub2_rn) CUDALINT_SMALL_2(__H2, __hmul2_rn) \
  CUDALINT_SMALL_2(__H2, __hadd2_sat) CUDALINT_SMALL_2(__H2, __hsub2_sat) CUDALINT_SMALL_2(__H2, __hmul2_sat) \
  CUDALINT_SMALL_2(__H2, __hmax2) CUDALINT_SMALL_2(__H2, __hmin2) CUDALINT_SMALL_2(__H2, __hmax2_nan) CUDALINT_SMALL_2(__H2, __hmin2_nan) \
  CUDALINT_SMALL_1(__H2, __hneg2) CUDALINT_SMALL_1(__H2, __habs2) \
  CUDALINT_SMALL __H2 __hfma2(__H2, __H2, __H2); CUDALINT_SMALL __H2 __hfma2_sat(__H2, __H2, __H2); CUDALINT_SMALL __H2 __hfma2_relu(__H2, __H2, __H2); \
  CUDALINT_SMALL __H2 __hcmadd(__H2, __H2, __H2); \
  CUDALINT_SMALL_2(__H2, __heq2) CUDALINT_SMALL_2(__H2, __hne2) CUDALINT_SMALL_2(__H2, __hlt2) CUDALINT_SMALL_2(__H2, __hle2) \
  CUDALINT_SMALL_2(__H2, __hgt2) CUDALINT_SMALL_2(__H2, __hge2) \
  CUDALINT_SMALL unsigned __heq2_mask(__H2, __H2); CUDALINT_SMALL unsigned __hne2_mask(__H2, __H2); CUDALINT_SMALL unsigned __hlt2_mask(__H2, __H2); \
  CUDALINT_SMALL unsigned __hle2_mask(__H2, __H2); CUDALINT_SMALL unsigned __hgt2_mask(__H2, __H2); CUDALINT_SMALL unsigned __hge2_mask(__H2, __H2); \
  CUDALINT_SMALL_B(__H2, __hbeq2) CUDALINT_SMALL_B(__H2, __hbne2) CUDALINT_SMALL_B(__H2, __hblt2) CUDALINT_SMALL_B(__H2, __hble2) \
  CUDALINT_SMALL_B(__H2, __hbgt2) CUDALINT_SMALL_B(__H2, __hbge2) CUDALINT_SMALL_1(__H2, __hisnan2) \
  CUDALINT_SMALL_1(__H2, h2sqrt) CUDALINT_SMALL_1(__H2, h2rsqrt) CUDALINT_SMALL_1(__H2, h2rcp) CUDALINT_SMALL_1(__H2, h2exp) \
  CUDALINT_SMALL_1(__H2, h2exp2) CUDALINT_SMALL_1(__H2, h2exp10) CUDALINT_SMALL_1(__H2, h2log) CUDALINT_SMALL_1(__H2, h2log2) \
  CUDALINT_SMALL_1(__H2, h2log10) CUDALINT_SMALL_1(__H2, h2sin) CUDALINT_SMALL_1(__H2, h2cos) CUDALINT_SMALL_1(__H2, h2tanh) \
  CUDALINT_SMALL_1(__H2, h2floor) CUDALINT_SMALL_1(__H2, h2ceil) CUDALINT_SMALL_1(__H2, h2trunc) CUDALINT_SMALL_1(__H2, h2rint) \
  CUDALINT_SMALL_OPERATORS(__H) CUDALINT_SMALL_OPERATORS(__H2) \
  CUDALINT_SMALL_WARP(__H) CUDALINT_SMALL_WARP(__H2) \
  __device__ __H atomicAdd(__H *, __H); __device__ __H2 atomicAdd(__H2 *, __H2); \
  __device__ __H atomicAdd_block(__H *, __H); __device__ __H2 atomicAdd_block(__H2 *, __H2);
// Conversions: S is the word for the type in function names.
#define CUDALINT_SMALL_ROUNDED(__H, __S, __T, t) \
  CUDALINT_SMALL __T __##__S##2##t##_rn(__H); CUDALINT_SMALL __T __##__S##2##t##_rz(__H); CUDALINT_SMALL __T __##__S##2##t##_ru(__H); \
  CUDALINT_SMALL __T __##__S##2##t##_rd(__H); CUDALINT_SMALL __H __##t##2##__S##_rn(__T); CUDALINT_SMALL __H __##t##2##__S##_rz(__T); \
  CUDALINT_SMALL __H __##t##2##__S##_ru(__T); CUDALINT_SMALL __H __##t##2##__S##_rd(__T);
#define CUDALINT_SMALL_CONVERSIONS(__H, __H2, __S) \
  CUDALINT_SMALL __H __float2##__S(float); CUDALINT_SMALL __H __float2##__S##_rn(float); CUDALINT_SMALL __H __float2##__S##_rz(float); \
  CUDALINT_SMALL __H __float2##__S##_rd(float); CUDALINT_SMALL __H __float2##__S##_ru(float); CUDALINT_SMALL __H __double2##__S(double); \
  CUDALINT_SMALL float __##__S##2float(__H); CUDALINT_SMALL __H2 __float2##__S##2_rn(float); CUDALINT_SMALL __H2 __floats2##__S##2_rn(float, float); \
  CUDALINT_SMALL __H2 __float22##__S##2_rn(float2); CUDALINT_SMALL float2 __##__S##22float2(__H2); \
  CUDALINT_SMALL __H2 __##__S##2##__S##2(__H); CUDALINT_SMALL __H2 __halves2##__S##2(__H, __H); \
  CUDALINT_SMALL short __##__S##_as_short(__H); CUDALINT_SMALL unsigned short __##__S##_as_ushort(__H); \
  CUDALINT_SMALL __H __short_as_##__S(short); CUDALINT_SMALL __H __ushort_as_##__S(unsigned short); \
  CUDALINT_SMALL_ROUNDED(__H, __S, int, int) CUDALINT_SMALL_ROUNDED(__H, __S, unsigned int, uint) \
  CUDALINT_SMALL_ROUNDED(__H, __S, short, short) CUDALINT_SMALL_ROUNDED(__H, __S, unsigned short, ushort) \
  CUDALINT_SMALL_ROUNDED(__H, __S, long long, ll) CUDALINT_SMALL_ROUNDED(__H, __S, unsigned long long, ull) \
  CUDALINT_SMALL signed char __##__S##2char_rz(__H); CUDALINT_SMALL unsigned char __##__S##2uchar_rz(__H);
