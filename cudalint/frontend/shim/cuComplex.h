// Complex numbers of the C interface: pairs, and functions on them.
#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define CUDALINT_COMPLEX(C, T, f, s) \
  __host__ __device__ inline T cuCreal##f(C z) { return z.x; } \
  __host__ __device__ inline T cuCimag##f(C z) { return z.y; } \
  __host__ __device__ inline C make_cu##s##Complex(T r, T i) { C z; z.x = r; z.y = i; return z; } \
  __host__ __device__ inline C cuConj##f(C z) { return make_cu##s##Complex(z.x, -z.y); } \
  __host__ __device__ inline C cuCadd##f(C a, C b) { return make_cu##s##Complex(a.x + b.x, a.y + b.y); } \
  __host__ __device__ inline C cuCsub##f(C a, C b) { return make_cu##s##Complex(a.x - b.x, a.y - b.y); } \
  __host__ __device__ inline C cuCmul##f(C a, C b) { return make_cu##s##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
  __host__ __device__ C cuCdiv##f(C, C); \
  __host__ __device__ T cuCabs##f(C); \
  __host__ __device__ inline C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }
CUDALINT_COMPLEX(cuFloatComplex, float, f, Float)
CUDALINT_COMPLEX(cuDoubleComplex, double, , Double)
#undef CUDALINT_COMPLEX
__host__ __device__ inline cuComplex make_cuComplex(float r, float i) { return make_cuFloatComplex(r, i); }
__host__ __device__ inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
__host__ __device__ inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return make_cuFloatComplex((float)z.x, (float)z.y); }
