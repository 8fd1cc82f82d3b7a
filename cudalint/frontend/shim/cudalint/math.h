// Math as CUDA has it: float and double overloads everywhere, C names with an `f` for float, integers go to double.
#pragma once
#pragma clang system_header
#include "std_traits.h"
#define CUDALINT_C1(__N) extern "C" __host__ __device__ double __N(double) noexcept; extern "C" __host__ __device__ float __N##f(float) noexcept;
#define CUDALINT_C2(__N) extern "C" __host__ __device__ double __N(double, double) noexcept; extern "C" __host__ __device__ float __N##f(float, float) noexcept;
#define CUDALINT_STD1(__N) \
  CUDALINT_C1(__N) \
  static __inline__ __host__ __device__ float __N(float x) noexcept { return __N##f(x); } \
  __host__ long double __N(long double) noexcept; \
  template <class __T> static __inline__ __host__ __device__ std::enable_if_t<__is_integral(__T), double> __N(__T x) noexcept { return __N((double)x); } \
  namespace std { using ::__N; using ::__N##f; }
namespace std {
template <class __A, class __B> using cudalint_promote2 = conditional_t<__is_same(__A, float) && __is_same(__B, float), float, conditional_t<__is_same(__A, long double) || __is_same(__B, long double), long double, double>>;
}
#define CUDALINT_STD2(__N) \
  CUDALINT_C2(__N) \
  static __inline__ __host__ __device__ float __N(float x, float y) noexcept { return __N##f(x, y); } \
  __host__ long double __N(long double, long double) noexcept; \
  template <class __A, class __B> static __inline__ __host__ __device__ std::enable_if_t<__is_arithmetic(__A) && __is_arithmetic(__B) && !__is_same(__A, long double) && !__is_same(__B, long double), double> __N(__A x, __B y) noexcept { return __N((double)x, (double)y); } \
  namespace std { using ::__N; using ::__N##f; }
CUDALINT_STD1(sqrt) CUDALINT_STD1(cbrt) CUDALINT_STD1(exp) CUDALINT_STD1(exp2) CUDALINT_STD1(expm1)
CUDALINT_STD1(log) CUDALINT_STD1(log2) CUDALINT_STD1(log10) CUDALINT_STD1(log1p) CUDALINT_STD1(logb)
CUDALINT_STD1(sin) CUDALINT_STD1(cos) CUDALINT_STD1(tan) CUDALINT_STD1(asin) CUDALINT_STD1(acos) CUDALINT_STD1(atan)
CUDALINT_STD1(sinh) CUDALINT_STD1(cosh) CUDALINT_STD1(tanh) CUDALINT_STD1(asinh) CUDALINT_STD1(acosh) CUDALINT_STD1(atanh)
CUDALINT_STD1(erf) CUDALINT_STD1(erfc) CUDALINT_STD1(tgamma) CUDALINT_STD1(lgamma) CUDALINT_STD1(floor) CUDALINT_STD1(ceil)
CUDALINT_STD1(trunc) CUDALINT_STD1(round) CUDALINT_STD1(rint) CUDALINT_STD1(nearbyint) CUDALINT_STD1(fabs)
CUDALINT_STD2(pow) CUDALINT_STD2(atan2) CUDALINT_STD2(fmod) CUDALINT_STD2(remainder) CUDALINT_STD2(hypot)
CUDALINT_STD2(fmin) CUDALINT_STD2(fmax) CUDALINT_STD2(fdim) CUDALINT_STD2(copysign) CUDALINT_STD2(nextafter)
#define CUDALINT_CUDA1(__N) CUDALINT_C1(__N) static __inline__ __host__ __device__ float __N(float x) noexcept { return __N##f(x); } \
  template <class __T> static __inline__ __host__ __device__ std::enable_if_t<__is_integral(__T), double> __N(__T x) noexcept { return __N((double)x); }
CUDALINT_CUDA1(rsqrt) CUDALINT_CUDA1(rcbrt) CUDALINT_CUDA1(sinpi) CUDALINT_CUDA1(cospi) CUDALINT_CUDA1(exp10)
CUDALINT_CUDA1(erfinv) CUDALINT_CUDA1(erfcinv) CUDALINT_CUDA1(erfcx) CUDALINT_CUDA1(normcdf) CUDALINT_CUDA1(normcdfinv)
CUDALINT_CUDA1(cyl_bessel_i0) CUDALINT_CUDA1(cyl_bessel_i1)
CUDALINT_C1(j0) CUDALINT_C1(j1) CUDALINT_C1(y0) CUDALINT_C1(y1) CUDALINT_C1(logb_) CUDALINT_C1(significand)
#undef CUDALINT_CUDA1
extern "C" {
__host__ __device__ double fma(double, double, double) noexcept;
__host__ __device__ float fmaf(float, float, float) noexcept;
__host__ __device__ double ldexp(double, int) noexcept;
__host__ __device__ float ldexpf(float, int) noexcept;
__host__ __device__ double frexp(double, int *) noexcept;
__host__ __device__ float frexpf(float, int *) noexcept;
__host__ __device__ double modf(double, double *) noexcept;
__host__ __device__ float modff(float, float *) noexcept;
__host__ __device__ double scalbn(double, int) noexcept;
__host__ __device__ float scalbnf(float, int) noexcept;
__host__ __device__ double scalbln(double, long) noexcept;
__host__ __device__ float scalblnf(float, long) noexcept;
__host__ __device__ int ilogb(double) noexcept;
__host__ __device__ int ilogbf(float) noexcept;
__host__ __device__ long lrint(double) noexcept;
__host__ __device__ long lrintf(float) noexcept;
__host__ __device__ long long llrint(double) noexcept;
__host__ __device__ long long llrintf(float) noexcept;
__host__ __device__ long lround(double) noexcept;
__host__ __device__ long lroundf(float) noexcept;
__host__ __device__ long long llround(double) noexcept;
__host__ __device__ long long llroundf(float) noexcept;
__host__ __device__ double remquo(double, double, int *) noexcept;
__host__ __device__ float remquof(float, float, int *) noexcept;
__host__ __device__ double nan(const char *) noexcept;
__host__ __device__ float nanf(const char *) noexcept;
__host__ __device__ double jn(int, double) noexcept;
__host__ __device__ float jnf(int, float) noexcept;
__host__ __device__ double yn(int, double) noexcept;
__host__ __device__ float ynf(int, float) noexcept;
__host__ __device__ void sincos(double, double *, double *) noexcept;
__host__ __device__ void sincosf(float, float *, float *) noexcept;
__host__ __device__ void sincospi(double, double *, double *) noexcept;
__host__ __device__ void sincospif(float, float *, float *) noexcept;
__host__ __device__ double rhypot(double, double) noexcept;
__host__ __device__ float rhypotf(float, float) noexcept;
__host__ __device__ double fdivide(double, double) noexcept;
__host__ __device__ float fdividef(float, float) noexcept;
__host__ __device__ double norm(int, const double *) noexcept;
__host__ __device__ float normf(int, const float *) noexcept;
__host__ __device__ double rnorm(int, const double *) noexcept;
__host__ __device__ float rnormf(int, const float *) noexcept;
__host__ __device__ double norm3d(double, double, double) noexcept;
__host__ __device__ float norm3df(float, float, float) noexcept;
__host__ __device__ double norm4d(double, double, double, double) noexcept;
__host__ __device__ float norm4df(float, float, float, float) noexcept;
__host__ __device__ double rnorm3d(double, double, double) noexcept;
__host__ __device__ float rnorm3df(float, float, float) noexcept;
__host__ __device__ double rnorm4d(double, double, double, double) noexcept;
__host__ __device__ float rnorm4df(float, float, float, float) noexcept;
__host__ __device__ double gamma(double) noexcept;
double lgamma_r(double, int *) noexcept;
float lgammaf_r(float, int *) noexcept;
long double sqrtl(long double) noexcept;
long double cbrtl(long double) noexcept;
long double fabsl(long double) noexcept;
long double powl(long double, long double) noexcept;
long double expl(long double) noexcept;
long double logl(long double) noexcept;
long double sinl(long double) noexcept;
long double cosl(long double) noexcept;
long double floorl(long double) noexcept;
long double ceill(long double) noexcept;
long double fmaxl(long double, long double) noexcept;
long double fminl(long double, long double) noexcept;
}
static __inline__ __host__ __device__ float fma(float a, float b, float c) noexcept { return fmaf(a, b, c); }
static __inline__ __host__ __device__ float ldexp(float x, int e) noexcept { return ldexpf(x, e); }
static __inline__ __host__ __device__ float frexp(float x, int *e) noexcept { return frexpf(x, e); }
static __inline__ __host__ __device__ float modf(float x, float *p) noexcept { return modff(x, p); }
static __inline__ __host__ __device__ float scalbn(float x, int e) noexcept { return scalbnf(x, e); }
static __inline__ __host__ __device__ float scalbln(float x, long e) noexcept { return scalblnf(x, e); }
static __inline__ __host__ __device__ int ilogb(float x) noexcept { return ilogbf(x); }
static __inline__ __host__ __device__ long lrint(float x) noexcept { return lrintf(x); }
static __inline__ __host__ __device__ long long llrint(float x) noexcept { return llrintf(x); }
static __inline__ __host__ __device__ long lround(float x) noexcept { return lroundf(x); }
static __inline__ __host__ __device__ long long llround(float x) noexcept { return llroundf(x); }
static __inline__ __host__ __device__ float remquo(float x, float y, int *q) noexcept { return remquof(x, y, q); }
static __inline__ __host__ __device__ void sincos(float x, float *s, float *c) noexcept { sincosf(x, s, c); }
static __inline__ __host__ __device__ void sincospi(float x, float *s, float *c) noexcept { sincospif(x, s, c); }
static __inline__ __host__ __device__ float j0(float x) noexcept { return j0f(x); }
static __inline__ __host__ __device__ float j1(float x) noexcept { return j1f(x); }
static __inline__ __host__ __device__ float jn(int n, float x) noexcept { return jnf(n, x); }
static __inline__ __host__ __device__ float y0(float x) noexcept { return y0f(x); }
static __inline__ __host__ __device__ float y1(float x) noexcept { return y1f(x); }
static __inline__ __host__ __device__ float yn(int n, float x) noexcept { return ynf(n, x); }
static __inline__ __host__ __device__ float fdivide(float x, float y) noexcept { return fdividef(x, y); }
template <class __T> static __inline__ __host__ __device__ std::enable_if_t<__is_integral(__T), double> ldexp(__T x, int e) noexcept { return ldexp((double)x, e); }
template <class __A, class __B, class __C>
static __inline__ __host__ __device__ std::enable_if_t<__is_arithmetic(__A) && __is_arithmetic(__B) && __is_arithmetic(__C), double> fma(__A a, __B b, __C c) noexcept { return fma((double)a, (double)b, (double)c); }
__host__ __device__ constexpr float abs(float x) noexcept { return __builtin_fabsf(x); }
__host__ __device__ constexpr double abs(double x) noexcept { return __builtin_fabs(x); }
__host__ __device__ constexpr long abs(long x) noexcept { return x < 0 ? -x : x; }
__host__ __device__ constexpr long long abs(long long x) noexcept { return x < 0 ? -x : x; }
__host__ long double abs(long double) noexcept;
extern "C" __host__ __device__ int abs(int) noexcept;
#define CUDALINT_CLASSIFY(f) \
  __host__ __device__ constexpr bool f(float x) noexcept { return __builtin_##f(x); } \
  __host__ __device__ constexpr bool f(double x) noexcept { return __builtin_##f(x); } \
  template <class __T> __host__ __device__ constexpr std::enable_if_t<__is_integral(__T), bool> f(__T x) noexcept { return __builtin_##f((double)x); } \
  __host__ bool f(long double) noexcept; \
  namespace std { using ::f; }
CUDALINT_CLASSIFY(isnan) CUDALINT_CLASSIFY(isinf) CUDALINT_CLASSIFY(isfinite) CUDALINT_CLASSIFY(isnormal)
static __inline__ __host__ __device__ bool signbit(float x) noexcept { return __builtin_signbitf(x); }
static __inline__ __host__ __device__ bool signbit(double x) noexcept { return __builtin_signbit(x); }
#undef CUDALINT_CLASSIFY
__host__ __device__ int fpclassify(float) noexcept;
__host__ __device__ int fpclassify(double) noexcept;
__host__ __device__ bool isgreater(double, double) noexcept;
__host__ __device__ bool isgreaterequal(double, double) noexcept;
__host__ __device__ bool isless(double, double) noexcept;
__host__ __device__ bool islessequal(double, double) noexcept;
__host__ __device__ bool isunordered(double, double) noexcept;

// min and max without std::, with nvcc's rules for mixed types: an unsigned side wins, a double side wins.
#define CUDALINT_MINMAX(__R, __A, __B) \
  static __inline__ __host__ __device__ constexpr __R min(__A a, __B b) { return (__R)a < (__R)b ? (__R)a : (__R)b; } \
  static __inline__ __host__ __device__ constexpr __R max(__A a, __B b) { return (__R)a > (__R)b ? (__R)a : (__R)b; }
CUDALINT_MINMAX(int, int, int)
CUDALINT_MINMAX(unsigned int, unsigned int, unsigned int)
CUDALINT_MINMAX(unsigned int, int, unsigned int)
CUDALINT_MINMAX(unsigned int, unsigned int, int)
CUDALINT_MINMAX(long, long, long)
CUDALINT_MINMAX(unsigned long, unsigned long, unsigned long)
CUDALINT_MINMAX(unsigned long, long, unsigned long)
CUDALINT_MINMAX(unsigned long, unsigned long, long)
CUDALINT_MINMAX(long long, long long, long long)
CUDALINT_MINMAX(unsigned long long, unsigned long long, unsigned long long)
CUDALINT_MINMAX(unsigned long long, long long, unsigned long long)
CUDALINT_MINMAX(unsigned long long, unsigned long long, long long)
#undef CUDALINT_MINMAX
#define CUDALINT_FMINMAX(__R, __A, __B, lo, hi) \
  static __inline__ __host__ __device__ __R min(__A a, __B b) { return lo(a, b); } \
  static __inline__ __host__ __device__ __R max(__A a, __B b) { return hi(a, b); }
CUDALINT_FMINMAX(float, float, float, fminf, fmaxf)
CUDALINT_FMINMAX(double, double, double, fmin, fmax)
CUDALINT_FMINMAX(double, float, double, fmin, fmax)
CUDALINT_FMINMAX(double, double, float, fmin, fmax)
#undef CUDALINT_FMINMAX
static __inline__ __host__ __device__ unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
static __inline__ __host__ __device__ unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
static __inline__ __host__ __device__ long long llmin(long long a, long long b) { return a < b ? a : b; }
static __inline__ __host__ __device__ long long llmax(long long a, long long b) { return a > b ? a : b; }
static __inline__ __host__ __device__ unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static __inline__ __host__ __device__ unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
typedef float float_t;
typedef double double_t;
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_PIl 3.141592653589793238462643383279502884L
namespace std {
using ::abs; using ::fma; using ::fmaf; using ::ldexp; using ::ldexpf; using ::frexp; using ::frexpf; using ::modf;
using ::modff; using ::scalbn; using ::scalbnf; using ::scalbln; using ::ilogb; using ::ilogbf; using ::lrint;
using ::lrintf; using ::llrint; using ::llrintf; using ::lround; using ::lroundf; using ::llround; using ::llroundf;
using ::remquo; using ::remquof; using ::nan; using ::nanf; using ::signbit; using ::fpclassify; using ::isgreater;
using ::isgreaterequal; using ::isless; using ::islessequal; using ::isunordered; using ::float_t; using ::double_t;
}
