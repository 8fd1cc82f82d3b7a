// Complex numbers of the C interface: pairs, and functions on them.
#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define CUDALINT_COMPLEX(__C, __T, f, s) \
  __host__ __device__ inline __T cuCreal##f(__C z) { return z.x; } \
  __host__ __device__ inline __T cuCimag##f(__C z) { return z.y; } \
  __host__ __device__ inline __C make_cu##s##Complex(__T r, __T i) { __C z; z.x = r; z.y = i; return z; } \
  __host__ __device__ inline __C cuConj##f(__C z) { return make_cu##s##Complex(z.x, -z.y); } \
  __host__ __device__ inline __C cuCadd##f(__C a, __C b) { return make_cu##s##Complex(a.x + b.x, a.y + b.y); } \
  __host__ __device__ inline __C cuCsub##f(__C a, __C b) { return make_cu##s##Complex(a.x - b.x, a.y - b.y); } \
  __host__ __device__ inline __C cuCmul##f(__C a, __C b) { return make_cu##s##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
  __host__ __device__ __C cuCdiv##f(__C, __C); \
  __host__ __device__ __T cuCabs##f(__C); \
  __host__ __device__ inline __C cuCfma##f(__C a, __C b, __C c) { return cuCadd##f(cuCmul##f(a, b), c); }
CUDALINT_COMPLEX(cuFloatComplex, float, f, Float)
CUDALINT_COMPLEX(cuDoubleComplex, double, , Double)
#undef CUDALINT_COMPLEX
__host__ __device__ inline cuComplex make_cuComplex(float r, float i) { return make_cuFloatComplex(r, i); }
__host__ __device__ inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
__host__ __device__ inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return make_cuFloatComplex((float)z.x, (float)z.y); }
