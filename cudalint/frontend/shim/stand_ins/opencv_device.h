// What kernels use of OpenCV's device functions: operations, reductions of a block, masks, distances, filters.
#pragma once
#pragma clang system_header
#include <thrust/tuple.h>
#define CUDALINT_CV_LANE __device__ __forceinline__
namespace cv { namespace cuda { namespace device {
template <class __A, class __R> struct unary_function { typedef __A argument_type; typedef __R result_type; };
template <class __A, class __B, class __R> struct binary_function { typedef __A first_argument_type; typedef __B second_argument_type; typedef __R result_type; };
#define CUDALINT_CV_BINARY(__N, __R, __E) \
  template <class __T> struct __N : binary_function<__T, __T, __R> { \
    __CV_CUDA_HOST_DEVICE__ __R operator()(const __T &a, const __T &b) const { return __E; } \
    __CV_CUDA_HOST_DEVICE__ __N() {} \
    __CV_CUDA_HOST_DEVICE__ __N(const __N &) {} \
  };
CUDALINT_CV_BINARY(plus, __T, a + b)
CUDALINT_CV_BINARY(minus, __T, a - b)
CUDALINT_CV_BINARY(multiplies, __T, a * b)
CUDALINT_CV_BINARY(divides, __T, a / b)
CUDALINT_CV_BINARY(modulus, __T, a % b)
CUDALINT_CV_BINARY(minimum, __T, a < b ? a : b)
CUDALINT_CV_BINARY(maximum, __T, a < b ? b : a)
CUDALINT_CV_BINARY(bit_and, __T, a & b)
CUDALINT_CV_BINARY(bit_or, __T, a | b)
CUDALINT_CV_BINARY(bit_xor, __T, a ^ b)
CUDALINT_CV_BINARY(less, bool, a < b)
CUDALINT_CV_BINARY(less_equal, bool, a <= b)
CUDALINT_CV_BINARY(greater, bool, a > b)
CUDALINT_CV_BINARY(greater_equal, bool, a >= b)
CUDALINT_CV_BINARY(equal_to, bool, a == b)
CUDALINT_CV_BINARY(not_equal_to, bool, a != b)
CUDALINT_CV_BINARY(logical_and, bool, a && b)
CUDALINT_CV_BINARY(logical_or, bool, a || b)
#undef CUDALINT_CV_BINARY
template <class __T> struct identity : unary_function<__T, __T> { CUDALINT_CV_LANE const __T &operator()(const __T &v) const { return v; } };
template <class __T> struct negate : unary_function<__T, __T> { CUDALINT_CV_LANE __T operator()(const __T &v) const { return -v; } };
template <class __F> struct TransformFunctorTraits { enum { simple_block_dim_x = 16, simple_block_dim_y = 16, smart_block_dim_x = 16, smart_block_dim_y = 16, smart_shift = 4 }; };
template <class __F> struct DefaultTransformFunctorTraits : TransformFunctorTraits<__F> {};
template <class __T> CUDALINT_CV_LANE __T shfl(__T v, int lane, int width = 32) { return __shfl_sync(0xffffffff, v, lane, width); }
template <class __T> CUDALINT_CV_LANE __T shfl_down(__T v, unsigned delta, int width = 32) { return __shfl_down_sync(0xffffffff, v, delta, width); }
template <class __T> CUDALINT_CV_LANE __T shfl_up(__T v, unsigned delta, int width = 32) { return __shfl_up_sync(0xffffffff, v, delta, width); }
// A sum over the threads of a block in order: of its warps by shuffles, of these through shared memory.
template <int __N, class __P, class __T, class __O> CUDALINT_CV_LANE void reduce(__P *smem, __T &val, unsigned tid, const __O &op) {
  for (int i = (__N < 32 ? __N : 32) / 2; i > 0; i /= 2) val = op(val, shfl_down(val, i, __N < 32 ? __N : 32));
  if (__N > 32) {
    if (tid % 32 == 0) smem[tid / 32] = val;
    __syncthreads();
    if (tid < 32) {
      val = smem[tid];
      for (int i = __N / 64; i > 0; i /= 2) val = op(val, shfl_down(val, i, __N / 32));
    }
  }
}
template <int __N, class __P, class __Q, class __R, class __S, class __A, class __B>
CUDALINT_CV_LANE void reduce(const thrust::tuple<__P, __Q> &smem, const thrust::tuple<__R, __S> &val, unsigned tid, const thrust::tuple<__A, __B> &op) {
  reduce<__N>(thrust::get<0>(smem), thrust::get<0>(val), tid, thrust::get<0>(op));
  reduce<__N>(thrust::get<1>(smem), thrust::get<1>(val), tid, thrust::get<1>(op));
}
template <int __N, class __P, class __Q, class __U, class __R, class __S, class __V, class __A, class __B, class __C>
CUDALINT_CV_LANE void reduce(const thrust::tuple<__P, __Q, __U> &smem, const thrust::tuple<__R, __S, __V> &val, unsigned tid, const thrust::tuple<__A, __B, __C> &op) {
  reduce<__N>(thrust::get<0>(smem), thrust::get<0>(val), tid, thrust::get<0>(op));
  reduce<__N>(thrust::get<1>(smem), thrust::get<1>(val), tid, thrust::get<1>(op));
  reduce<__N>(thrust::get<2>(smem), thrust::get<2>(val), tid, thrust::get<2>(op));
}
template <class... __T> CUDALINT_CV_LANE thrust::tuple<__T *...> smem_tuple(__T *...t) { return thrust::tuple<__T *...>(t...); }
template <class __T> CUDALINT_CV_LANE void cudalint_down(__T &v, unsigned delta, int width) { v = shfl_down(v, delta, width); }
template <class __A, class __B> CUDALINT_CV_LANE void cudalint_down(thrust::tuple<__A, __B> &v, unsigned delta, int width) {
  cudalint_down(thrust::get<0>(v), delta, width);
  cudalint_down(thrust::get<1>(v), delta, width);
}
template <class __P, class __T> CUDALINT_CV_LANE void cudalint_store(__P *to, const __T &v, unsigned at) { to[at] = v; }
template <class __P, class __Q, class __A, class __B> CUDALINT_CV_LANE void cudalint_store(const thrust::tuple<__P, __Q> &to, const thrust::tuple<__A, __B> &v, unsigned at) {
  thrust::get<0>(to)[at] = thrust::get<0>(v);
  thrust::get<1>(to)[at] = thrust::get<1>(v);
}
template <class __P, class __T> CUDALINT_CV_LANE void cudalint_load(__P *from, __T &v, unsigned at) { v = from[at]; }
template <class __P, class __Q, class __A, class __B> CUDALINT_CV_LANE void cudalint_load(const thrust::tuple<__P, __Q> &from, thrust::tuple<__A, __B> &v, unsigned at) {
  thrust::get<0>(v) = thrust::get<0>(from)[at];
  thrust::get<1>(v) = thrust::get<1>(from)[at];
}
// The least key of a block with what belongs to it.
template <int __N, class __L, class __K, class __P, class __V, class __C> CUDALINT_CV_LANE void reduceKeyVal(__L *keys, __K &key, __P vals, const __V &val_, unsigned tid, const __C &cmp) {
  __V &val = const_cast<__V &>(val_);
  for (int i = (__N < 32 ? __N : 32) / 2; i > 0; i /= 2) {
    __K other = shfl_down(key, i, __N < 32 ? __N : 32);
    if (cmp(other, key)) key = other;
    cudalint_down(val, i, __N < 32 ? __N : 32);
  }
  if (__N > 32) {
    if (tid % 32 == 0) {
      keys[tid / 32] = key;
      cudalint_store(vals, val, tid / 32);
    }
    __syncthreads();
    if (tid < 32) {
      key = keys[tid];
      cudalint_load(vals, val, tid);
      for (int i = __N / 64; i > 0; i /= 2) {
        __K other = shfl_down(key, i, __N / 32);
        if (cmp(other, key)) key = other;
        cudalint_down(val, i, __N / 32);
      }
    }
  }
}
template <class __T> struct ForceGlob { static CUDALINT_CV_LANE void Load(const __T *p, int at, __T &v) { v = p[at]; } };
struct SingleMask {
  explicit __host__ __device__ __forceinline__ SingleMask(PtrStepb m) : mask(m) {}
  CUDALINT_CV_LANE bool operator()(int y, int x) const { return mask.ptr(y)[x] != 0; }
  PtrStepb mask;
};
struct WithOutMask {
  CUDALINT_CV_LANE void next() const {}
  CUDALINT_CV_LANE void setMask(int) const {}
  CUDALINT_CV_LANE bool operator()(int, int) const { return true; }
  CUDALINT_CV_LANE bool operator()(int, int, int) const { return true; }
};
struct MaskCollection {
  explicit __host__ __device__ __forceinline__ MaskCollection(PtrStepb *m) : maskCollection(m) {}
  CUDALINT_CV_LANE void next() { curMask = *maskCollection++; }
  CUDALINT_CV_LANE void setMask(int z) { curMask = maskCollection[z]; }
  CUDALINT_CV_LANE bool operator()(int y, int x) const { return curMask.data == 0 || curMask.ptr(y)[x] != 0; }
  const PtrStepb *maskCollection;
  PtrStepb curMask;
};
#define CUDALINT_CV_DISTANCE(__N, __V, __R, __E, __F) \
    typedef __V value_type; \
    typedef __R result_type; \
    CUDALINT_CV_LANE __N() : mySum(0) {} \
    CUDALINT_CV_LANE void reduceIter(value_type a, value_type b) { __E; } \
    template <int __M> CUDALINT_CV_LANE void reduceAll(result_type *smem, int tid) { reduce<__M>(smem, mySum, tid, plus<result_type>()); } \
    CUDALINT_CV_LANE operator result_type() const { return __F; } \
    result_type mySum;
template <class __T> struct L1Dist { CUDALINT_CV_DISTANCE(L1Dist, int, int, mySum += ::abs(a - b), mySum) };
template <> struct L1Dist<float> { CUDALINT_CV_DISTANCE(L1Dist, float, float, mySum += ::fabsf(a - b), mySum) };
struct L2Dist { CUDALINT_CV_DISTANCE(L2Dist, float, float, mySum += (a - b) * (a - b), sqrtf(mySum)) };
struct HammingDist { CUDALINT_CV_DISTANCE(HammingDist, int, int, mySum += __popc(a ^ b), mySum) };
#undef CUDALINT_CV_DISTANCE
struct Emulation {
  static CUDALINT_CV_LANE int syncthreadsOr(int p) { return __syncthreads_or(p); }
  struct smem {
    template <class __T> static CUDALINT_CV_LANE __T atomicInc(__T *a, __T v) { return ::atomicInc(a, v); }
    template <class __T> static CUDALINT_CV_LANE __T atomicAdd(__T *a, __T v) { return ::atomicAdd(a, v); }
    template <class __T> static CUDALINT_CV_LANE __T atomicMin(__T *a, __T v) { return ::atomicMin(a, v); }
  };
  struct glob {
    template <class __T> static CUDALINT_CV_LANE __T atomicAdd(__T *a, __T v) { return ::atomicAdd(a, v); }
    template <class __T> static CUDALINT_CV_LANE __T atomicMin(__T *a, __T v) { return ::atomicMin(a, v); }
  };
};
template <class __T> struct DynamicSharedMem {
  CUDALINT_CV_LANE operator __T *() {
    extern __shared__ int cudalint_dynamic[];
    return (__T *)cudalint_dynamic;
  }
  CUDALINT_CV_LANE operator const __T *() const {
    extern __shared__ int cudalint_dynamic[];
    return (__T *)cudalint_dynamic;
  }
};
// An image with what lies beyond its border, and pixels between those of one.
template <class __P, class __B> struct BorderReader {
  typedef typename __B::result_type elem_type;
  typedef int index_type;
  __host__ __device__ __forceinline__ BorderReader(const __P &p, const __B &brd) : ptr(p), b(brd) {}
  CUDALINT_CV_LANE elem_type operator()(int y, int x) const { return b.at(y, x, ptr); }
  __P ptr;
  __B b;
};
#define CUDALINT_CV_FILTER(__N, __E) \
  template <class __P> struct __N { \
    typedef typename __P::elem_type elem_type; \
    typedef float index_type; \
    explicit __host__ __device__ __forceinline__ __N(const __P &p, float fx = 0.f, float fy = 0.f) : src(p), scale_x(fx), scale_y(fy) {} \
    CUDALINT_CV_LANE elem_type operator()(float y, float x) const { __E } \
    __P src; \
    float scale_x, scale_y; \
  };
CUDALINT_CV_FILTER(PointFilter, return src(__float2int_rz(y), __float2int_rz(x));)
CUDALINT_CV_FILTER(LinearFilter,
  int x1 = __float2int_rd(x); int y1 = __float2int_rd(y);
  return saturate_cast<elem_type>(src(y1, x1) * ((x1 + 1 - x) * (y1 + 1 - y)) + src(y1, x1 + 1) * ((x - x1) * (y1 + 1 - y))
    + src(y1 + 1, x1) * ((x1 + 1 - x) * (y - y1)) + src(y1 + 1, x1 + 1) * ((x - x1) * (y - y1)));)
CUDALINT_CV_FILTER(CubicFilter,
  elem_type last = src(0, 0);
  for (int cy = __float2int_ru(y - 2.0f); cy <= __float2int_rd(y + 2.0f); ++cy)
    for (int cx = __float2int_ru(x - 2.0f); cx <= __float2int_rd(x + 2.0f); ++cx) last = src(cy, cx);
  return last;)
// A mean over an area, of which the loads along its rows are done.
#define CUDALINT_CV_AREA(__N) \
  template <class __P> struct __N { \
    typedef typename __P::elem_type elem_type; \
    typedef float index_type; \
    explicit __host__ __device__ __forceinline__ __N(const __P &p, float fx, float fy) : src(p), scale_x(fx), scale_y(fy) {} \
    CUDALINT_CV_LANE elem_type operator()(float y, float x) const { \
      int first = __float2int_ru(x * scale_x), last = __float2int_rd(x * scale_x + scale_x); \
      int top = __float2int_ru(y * scale_y), end = __float2int_rd(y * scale_y + scale_y); \
      elem_type seen = src(top, first); \
      for (int dy = top; dy < end; ++dy) \
        for (int dx = first; dx < last; ++dx) seen = src(dy, dx); \
      return seen; \
    } \
    __P src; \
    float scale_x, scale_y; \
  };
CUDALINT_CV_AREA(AreaFilter)
CUDALINT_CV_AREA(IntegerAreaFilter)
#undef CUDALINT_CV_AREA
#undef CUDALINT_CV_FILTER
template <class __T> CUDALINT_CV_LANE bool solve2x2(const __T a[2][2], const __T b[2], __T x[2]) {
  __T det = a[0][0] * a[1][1] - a[1][0] * a[0][1];
  if (det == 0) return false;
  x[0] = (b[0] * a[1][1] - b[1] * a[0][1]) / det;
  x[1] = (a[0][0] * b[1] - a[1][0] * b[0]) / det;
  return true;
}
template <class __T> CUDALINT_CV_LANE bool solve3x3(const __T a[3][3], const __T b[3], __T x[3]) {
  __T det = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) + a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
  if (det == 0) return false;
  for (int i = 0; i < 3; ++i) x[i] = (b[i] * a[(i + 1) % 3][(i + 1) % 3] - b[(i + 1) % 3] * a[i][(i + 2) % 3]) / det;
  return true;
}
template <class __S, class __D, class __O, class __M> void transform(PtrStepSz<__S>, PtrStepSz<__D>, __O, const __M &, cudaStream_t);
template <class __A, class __B, class __D, class __O, class __M> void transform(PtrStepSz<__A>, PtrStepSz<__B>, PtrStepSz<__D>, __O, const __M &, cudaStream_t);
} } }
