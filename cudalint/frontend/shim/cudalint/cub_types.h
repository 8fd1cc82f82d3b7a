// What the collectives share: enumerations, functors, pairs, iterators, utilities.
#pragma once
#pragma clang system_header
#include "../cudalint_prelude.h"
#include "../iterator"
#include "../limits"
#include "../iostream"
#include "../functional"
#define CUB_VERSION 200300
#define CUB_PTX_WARP_THREADS 32
#define CUB_PTX_ARCH 900
#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX
#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CUB_MAX(a, b) (((a) > (b)) ? (a) : (b))
#define CUB_MIN(a, b) (((a) < (b)) ? (a) : (b))
#define CUB_ROUND_UP_NEAREST(x, y) ((((x) + (y) - 1) / (y)) * y)
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CubDebugExit(e) (e)
#define CubDebug(e) (e)
#define _CubLog(...)
#define CUDALINT_CUB __host__ __device__ inline
namespace cub {
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };
struct NullType {};
struct Sum { template <class A, class B> CUDALINT_CUB auto operator()(const A &a, const B &b) const { return a + b; } };
struct Difference { template <class A, class B> CUDALINT_CUB auto operator()(const A &a, const B &b) const { return a - b; } };
struct Max { template <class A, class B> CUDALINT_CUB A operator()(const A &a, const B &b) const { return a < b ? b : a; } };
struct Min { template <class A, class B> CUDALINT_CUB A operator()(const A &a, const B &b) const { return b < a ? b : a; } };
struct ArgMax { template <class P> CUDALINT_CUB P operator()(const P &a, const P &b) const { return a.value < b.value ? b : a; } };
struct ArgMin { template <class P> CUDALINT_CUB P operator()(const P &a, const P &b) const { return b.value < a.value ? b : a; } };
struct Equality { template <class A, class B> CUDALINT_CUB bool operator()(const A &a, const B &b) const { return a == b; } };
struct Inequality { template <class A, class B> CUDALINT_CUB bool operator()(const A &a, const B &b) const { return a != b; } };
template <class T> struct CastOp { template <class A> CUDALINT_CUB T operator()(const A &a) const { return (T)a; } };
template <class K, class V> struct KeyValuePair { using Key = K; using Value = V; K key; V value; KeyValuePair() = default; CUDALINT_CUB KeyValuePair(const K &k, const V &v) : key(k), value(v) {} };
template <class T> struct Uninitialized { alignas(T) char storage[sizeof(T)]; CUDALINT_CUB T &Alias() { return *(T *)(void *)storage; } };
template <class T> struct Traits { static constexpr bool PRIMITIVE = __is_arithmetic(T); using UnsignedBits = unsigned int; __host__ __device__ static UnsignedBits TwiddleIn(UnsignedBits); __host__ __device__ static UnsignedBits TwiddleOut(UnsignedBits); };
template <class T> struct NumericTraits : Traits<T> {};
template <class T> struct FpLimits { __host__ __device__ static T Max(); __host__ __device__ static T Lowest(); };
template <class T> struct DoubleBuffer { T *d_buffers[2]; int selector; DoubleBuffer() = default; CUDALINT_CUB DoubleBuffer(T *a, T *b) : d_buffers{a, b}, selector(0) {} CUDALINT_CUB T *Current() { return d_buffers[selector]; } CUDALINT_CUB T *Alternate() { return d_buffers[selector ^ 1]; } };
template <class T> struct CountingInputIterator { using value_type = T; using reference = T; using pointer = T *; using difference_type = ptrdiff_t; using iterator_category = std::random_access_iterator_tag; T first; CUDALINT_CUB CountingInputIterator(T v) : first(v) {} CUDALINT_CUB T operator[](ptrdiff_t i) const { return first + (T)i; } CUDALINT_CUB T operator*() const { return first; } CUDALINT_CUB CountingInputIterator operator+(ptrdiff_t n) const { return CountingInputIterator(first + (T)n); } CUDALINT_CUB CountingInputIterator &operator++() { ++first; return *this; } };
template <class T> struct ConstantInputIterator { using value_type = T; using reference = T; using pointer = T *; using difference_type = ptrdiff_t; using iterator_category = std::random_access_iterator_tag; T value; CUDALINT_CUB ConstantInputIterator(T v) : value(v) {} CUDALINT_CUB T operator[](ptrdiff_t) const { return value; } CUDALINT_CUB T operator*() const { return value; } };
template <class V, class F, class I> struct TransformInputIterator { using value_type = V; using reference = V; using pointer = V *; using difference_type = ptrdiff_t; using iterator_category = std::random_access_iterator_tag; I input; F f; CUDALINT_CUB TransformInputIterator(I i, F g) : input(i), f(g) {} CUDALINT_CUB V operator[](ptrdiff_t n) const { return f(input[n]); } CUDALINT_CUB V operator*() const { return f(*input); } CUDALINT_CUB TransformInputIterator operator+(ptrdiff_t n) const { return TransformInputIterator(input + n, f); } };
template <class I> struct ArgIndexInputIterator { I input; CUDALINT_CUB ArgIndexInputIterator(I i) : input(i) {} };
template <CacheLoadModifier M, class T> struct CacheModifiedInputIterator { T *p; CUDALINT_CUB CacheModifiedInputIterator(T *q) : p(q) {} CUDALINT_CUB T operator[](ptrdiff_t i) const { return p[i]; } };
template <CacheLoadModifier M, class T> __device__ inline T ThreadLoad(T *p) { return *p; }
template <CacheStoreModifier M, class T, class U> __device__ inline void ThreadStore(T *p, U v) { *p = v; }
template <int N, class T, class F> __device__ inline T ThreadReduce(T (&items)[N], F f) { T sum = items[0]; for (int i = 1; i < N; i++) sum = f(sum, items[i]); return sum; }
template <int N, class T, class F> __device__ inline T ThreadReduce(T (&items)[N], F f, T first) { T sum = first; for (int i = 0; i < N; i++) sum = f(sum, items[i]); return sum; }
__device__ inline unsigned int LaneId() { return threadIdx.x % 32; }
__device__ inline unsigned int WarpId() { return threadIdx.x / 32; }
__device__ unsigned int LaneMaskLt();
__device__ unsigned int LaneMaskLe();
__device__ unsigned int LaneMaskGt();
__device__ unsigned int LaneMaskGe();
__device__ inline int RowMajorTid(int x, int y, int) { return (threadIdx.z * y + threadIdx.y) * x + threadIdx.x; }
template <int W, class T> __device__ T ShuffleUp(T, int, int, unsigned int);
template <int W, class T> __device__ T ShuffleDown(T, int, int, unsigned int);
template <int W, class T> __device__ T ShuffleIndex(T, int, unsigned int);
template <class N> CUDALINT_CUB N DivideAndRoundUp(N a, N b) { return (a + b - 1) / b; }
template <int N> struct Log2 { enum { VALUE = N <= 1 ? 0 : 1 + Log2<(N + 1) / 2>::VALUE }; };
template <> struct Log2<1> { enum { VALUE = 0 }; };
template <> struct Log2<0> { enum { VALUE = 0 }; };
template <int N> struct Int2Type { enum { VALUE = N }; };
struct CachingDeviceAllocator { explicit CachingDeviceAllocator(bool = false); template <class... A> explicit CachingDeviceAllocator(unsigned int, A...); cudaError_t DeviceAllocate(void **, size_t, cudaStream_t = 0); cudaError_t DeviceFree(void *); cudaError_t FreeAllCached(); };
}
