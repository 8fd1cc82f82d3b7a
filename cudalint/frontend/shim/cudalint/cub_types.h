// What the collectives share: enumerations, functors, pairs, iterators, utilities.
#pragma once
#pragma clang system_header
#include "../cudalint_prelude.h"
#include "../iterator"
#include "../limits"
#include "../iostream"
#include "../functional"
#include "../chrono"
#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "std_place.h"
#include "wrapped.h"
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
template <class __T, int __S = (alignof(__T) < 16 ? alignof(__T) : 16)> struct UnitWord { using ShuffleWord = unsigned int; using VolatileWord = unsigned long long; using DeviceWord = ulonglong2; using TextureWord = uint4; };
template <class __T> struct UnitWord<__T, 8> { using ShuffleWord = unsigned int; using VolatileWord = unsigned long long; using DeviceWord = unsigned long long; using TextureWord = uint2; };
template <class __T> struct UnitWord<__T, 4> { using ShuffleWord = unsigned int; using VolatileWord = unsigned int; using DeviceWord = unsigned int; using TextureWord = unsigned int; };
template <class __T> struct UnitWord<__T, 2> { using ShuffleWord = unsigned short; using VolatileWord = unsigned short; using DeviceWord = unsigned short; using TextureWord = unsigned short; };
template <class __T> struct UnitWord<__T, 1> { using ShuffleWord = unsigned char; using VolatileWord = unsigned char; using DeviceWord = unsigned char; using TextureWord = unsigned char; };
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
struct Sum { template <class __A, class __B> CUDALINT_CUB auto operator()(const __A &a, const __B &b) const { return a + b; } };
struct Difference { template <class __A, class __B> CUDALINT_CUB auto operator()(const __A &a, const __B &b) const { return a - b; } };
struct Max { template <class __A, class __B> CUDALINT_CUB __A operator()(const __A &a, const __B &b) const { return a < b ? b : a; } };
struct Min { template <class __A, class __B> CUDALINT_CUB __A operator()(const __A &a, const __B &b) const { return b < a ? b : a; } };
struct ArgMax { template <class __P> CUDALINT_CUB __P operator()(const __P &a, const __P &b) const { return a.value < b.value ? b : a; } };
struct ArgMin { template <class __P> CUDALINT_CUB __P operator()(const __P &a, const __P &b) const { return b.value < a.value ? b : a; } };
struct Equality { template <class __A, class __B> CUDALINT_CUB bool operator()(const __A &a, const __B &b) const { return a == b; } };
struct Inequality { template <class __A, class __B> CUDALINT_CUB bool operator()(const __A &a, const __B &b) const { return a != b; } };
template <class __T> struct CastOp { template <class __A> CUDALINT_CUB __T operator()(const __A &a) const { return (__T)a; } };
template <class __K, class __V> struct KeyValuePair { using Key = __K; using Value = __V; __K key; __V value; KeyValuePair() = default; CUDALINT_CUB KeyValuePair(const __K &k, const __V &v) : key(k), value(v) {} };
template <class __T> struct Uninitialized { alignas(__T) char storage[sizeof(__T)]; CUDALINT_CUB __T &Alias() { return *(__T *)(void *)storage; } };
template <size_t __N> struct cudalint_unsigned { using type = unsigned int; };
template <> struct cudalint_unsigned<1> { using type = unsigned char; };
template <> struct cudalint_unsigned<2> { using type = unsigned short; };
template <> struct cudalint_unsigned<8> { using type = unsigned long long; };
template <size_t __N> using cudalint_bits = typename cudalint_unsigned<__N>::type;
template <class __T> struct Traits { static constexpr bool PRIMITIVE = __is_arithmetic(__T); using UnsignedBits = cudalint_bits<sizeof(__T)>; __host__ __device__ static UnsignedBits TwiddleIn(UnsignedBits); __host__ __device__ static UnsignedBits TwiddleOut(UnsignedBits); };
template <class __T> struct NumericTraits : Traits<__T> {};
template <class __T> struct FpLimits { __host__ __device__ static __T Max(); __host__ __device__ static __T Lowest(); };
template <class __T> struct DoubleBuffer { __T *d_buffers[2]; int selector; DoubleBuffer() = default; CUDALINT_CUB DoubleBuffer(__T *a, __T *b) : d_buffers{a, b}, selector(0) {} CUDALINT_CUB __T *Current() { return d_buffers[selector]; } CUDALINT_CUB __T *Alternate() { return d_buffers[selector ^ 1]; } };
template <class __T, class __N = ptrdiff_t> struct CountingInputIterator : std::cudalint_place<CountingInputIterator<__T, __N>, __T> { __T first; CUDALINT_CUB CountingInputIterator(__T v) : first(v) {} CUDALINT_CUB __T at(ptrdiff_t i) const { return first + (__T)i; } CUDALINT_CUB CountingInputIterator moved(ptrdiff_t n) const { return CountingInputIterator(at(n)); } CUDALINT_CUB ptrdiff_t operator-(const CountingInputIterator &o) const { return first - o.first; } using std::cudalint_place<CountingInputIterator<__T, __N>, __T>::operator-; };
template <class __T, class __N = ptrdiff_t> struct ConstantInputIterator : std::cudalint_place<ConstantInputIterator<__T, __N>, __T> { __T value; CUDALINT_CUB ConstantInputIterator(__T v) : value(v) {} CUDALINT_CUB __T at(ptrdiff_t) const { return value; } CUDALINT_CUB ConstantInputIterator moved(ptrdiff_t) const { return *this; } };
template <class __V, class __F, class __I, class __N = ptrdiff_t> struct TransformInputIterator : std::cudalint_place<TransformInputIterator<__V, __F, __I, __N>, __V> { __I input; __F f; CUDALINT_CUB TransformInputIterator(__I i, __F g) : input(i), f(g) {} CUDALINT_CUB __V at(ptrdiff_t n) const { return const_cast<__F &>(f)(input[n]); } CUDALINT_CUB TransformInputIterator moved(ptrdiff_t n) const { return TransformInputIterator(input + n, f); } };
template <class __I, class __N = ptrdiff_t, class __V = typename std::iterator_traits<__I>::value_type> struct ArgIndexInputIterator : std::cudalint_place<ArgIndexInputIterator<__I, __N, __V>, KeyValuePair<__N, __V>> { __I input; __N offset; CUDALINT_CUB ArgIndexInputIterator(__I i, __N n = 0) : input(i), offset(n) {} CUDALINT_CUB KeyValuePair<__N, __V> at(ptrdiff_t n) const { return KeyValuePair<__N, __V>(offset + n, input[offset + n]); } CUDALINT_CUB ArgIndexInputIterator moved(ptrdiff_t n) const { return ArgIndexInputIterator(input, offset + n); } void normalize() { input += offset; offset = 0; } };
template <CacheLoadModifier __M, class __T, class __N = ptrdiff_t> struct CacheModifiedInputIterator : std::cudalint_place<CacheModifiedInputIterator<__M, __T, __N>, std::remove_const_t<__T>> { const __T *p; CUDALINT_CUB CacheModifiedInputIterator(const __T *q) : p(q) {} CUDALINT_CUB __T at(ptrdiff_t i) const { return p[i]; } CUDALINT_CUB CacheModifiedInputIterator moved(ptrdiff_t n) const { return CacheModifiedInputIterator(p + n); } };
template <CacheStoreModifier __M, class __T, class __N = ptrdiff_t> struct CacheModifiedOutputIterator : std::cudalint_place<CacheModifiedOutputIterator<__M, __T, __N>, __T, __T &> { __T *p; CUDALINT_CUB CacheModifiedOutputIterator(__T *q) : p(q) {} CUDALINT_CUB __T &at(ptrdiff_t i) const { return p[i]; } CUDALINT_CUB CacheModifiedOutputIterator moved(ptrdiff_t n) const { return CacheModifiedOutputIterator(p + n); } };
template <class __T, class __N = ptrdiff_t> struct TexObjInputIterator : std::cudalint_place<TexObjInputIterator<__T, __N>, __T> { const __T *p; TexObjInputIterator(); cudaError_t BindTexture(const __T *, size_t = size_t(-1), size_t = 0); cudaError_t UnbindTexture(); CUDALINT_CUB __T at(ptrdiff_t i) const { return p[i]; } CUDALINT_CUB TexObjInputIterator moved(ptrdiff_t n) const { TexObjInputIterator o = *this; o.p += n; return o; } };
struct cudalint_discarded { template <class __T> CUDALINT_CUB const cudalint_discarded &operator=(const __T &) const { return *this; } };
template <class __N = ptrdiff_t> struct DiscardOutputIterator : std::cudalint_place<DiscardOutputIterator<__N>, void, cudalint_discarded> { CUDALINT_CUB DiscardOutputIterator(__N = 0) {} CUDALINT_CUB cudalint_discarded at(ptrdiff_t) const { return {}; } CUDALINT_CUB DiscardOutputIterator moved(ptrdiff_t) const { return *this; } };
template <CacheLoadModifier __M, class __T> __device__ inline __T ThreadLoad(__T *p) { return *p; }
template <CacheStoreModifier __M, class __T, class __U> __device__ inline void ThreadStore(__T *p, __U v) { *p = v; }
template <int __N, class __T, class __F> __device__ inline __T ThreadReduce(__T (&items)[__N], __F f) { __T sum = items[0]; for (int i = 1; i < __N; i++) sum = f(sum, items[i]); return sum; }
template <int __N, class __T, class __F> __device__ inline __T ThreadReduce(__T (&items)[__N], __F f, __T first) { __T sum = first; for (int i = 0; i < __N; i++) sum = f(sum, items[i]); return sum; }
__device__ inline unsigned int LaneId() { return threadIdx.x % 32; }
__device__ inline unsigned int WarpId() { return threadIdx.x / 32; }
__device__ unsigned int LaneMaskLt();
__device__ unsigned int LaneMaskLe();
__device__ unsigned int LaneMaskGt();
__device__ unsigned int LaneMaskGe();
__device__ inline int RowMajorTid(int x, int y, int) { return (threadIdx.z * y + threadIdx.y) * x + threadIdx.x; }
template <int __W, class __T> __device__ __T ShuffleUp(__T, int, int, unsigned int);
template <int __W, class __T> __device__ __T ShuffleDown(__T, int, int, unsigned int);
template <int __W, class __T> __device__ __T ShuffleIndex(__T, int, unsigned int);
template <class __N> CUDALINT_CUB __N DivideAndRoundUp(__N a, __N b) { return (a + b - 1) / b; }
template <int __N> struct Log2 { enum { VALUE = __N <= 1 ? 0 : 1 + Log2<(__N + 1) / 2>::VALUE }; };
template <> struct Log2<1> { enum { VALUE = 0 }; };
template <> struct Log2<0> { enum { VALUE = 0 }; };
template <int __N> struct Int2Type { enum { VALUE = __N }; };
struct CachingDeviceAllocator { explicit CachingDeviceAllocator(bool = false); template <class... __A> explicit CachingDeviceAllocator(unsigned int, __A...); cudaError_t DeviceAllocate(void **, size_t, cudaStream_t = 0); cudaError_t DeviceAllocate(int, void **, size_t, cudaStream_t = 0); cudaError_t DeviceFree(void *); cudaError_t DeviceFree(int, void *); cudaError_t FreeAllCached(); };
struct SwitchDevice { explicit SwitchDevice(int); ~SwitchDevice(); };
int CurrentDevice();
cudaError_t PtxVersion(int &);
cudaError_t PtxVersion(int &, int);
cudaError_t SmVersion(int &, int = 0);
int DeviceCount();
template <class __K> cudaError_t MaxSmOccupancy(int &, __K, int, int = 0);
CUDALINT_CUB cudaError_t Debug(cudaError_t e, const char *, int) { return e; }
template <class __N = int> struct GridEvenShare {
  __N num_items = 0; int grid_size = 0; __N block_offset = 0, block_end = 0, block_stride = 0;
  CUDALINT_CUB GridEvenShare() {}
  CUDALINT_CUB void DispatchInit(__N n, int most, int tile) { __N tiles = (n + tile - 1) / tile; num_items = n; grid_size = tiles < most ? tiles : most; }
};
struct GridBarrier { __device__ void Sync() const; };
struct GridBarrierLifetime : GridBarrier { cudaError_t Setup(int); cudaError_t HostReset(); };
__device__ inline void CTA_SYNC() { __syncthreads(); }
__device__ inline void WARP_SYNC(unsigned int mask) { __syncwarp(mask); }
__device__ inline int CTA_SYNC_AND(int p) { return __syncthreads_and(p); }
__device__ inline int CTA_SYNC_OR(int p) { return __syncthreads_or(p); }
__device__ inline int WARP_ANY(int p, unsigned int mask) { return __any_sync(mask, p); }
__device__ inline int WARP_ALL(int p, unsigned int mask) { return __all_sync(mask, p); }
__device__ inline int WARP_BALLOT(int p, unsigned int mask) { return __ballot_sync(mask, p); }
template <class __T> __device__ inline unsigned int BFE(__T x, unsigned int start, unsigned int bits) { return (x >> start) & ((1u << bits) - 1); }
__device__ inline unsigned int SHR_ADD(unsigned int x, unsigned int shift, unsigned int y) { return (x >> shift) + y; }
__device__ inline unsigned int SHL_ADD(unsigned int x, unsigned int shift, unsigned int y) { return (x << shift) + y; }
__device__ inline unsigned int IADD3(unsigned int x, unsigned int y, unsigned int z) { return x + y + z; }
__device__ inline int PRMT(unsigned int x, unsigned int y, unsigned int z) { return __byte_perm(x, y, z); }
template <int __N> __device__ inline unsigned int MatchAny(unsigned int label) { return __match_any_sync(0xffffffffu, label); }
template <int __N> struct PowerOfTwo { enum { VALUE = (__N & (__N - 1)) == 0 }; };
template <class __N, class __T> CUDALINT_CUB __N LowerBound(__T in, __N n, std::type_identity_t<std::remove_cvref_t<decltype(in[0])>> v) { __N at = 0; while (n > 0) { __N half = n / 2; if (in[at + half] < v) { at += half + 1; n -= half + 1; } else n = half; } return at; }
template <class __N, class __T> CUDALINT_CUB __N UpperBound(__T in, __N n, std::type_identity_t<std::remove_cvref_t<decltype(in[0])>> v) { __N at = 0; while (n > 0) { __N half = n / 2; if (v < in[at + half]) n = half; else { at += half + 1; n -= half + 1; } } return at; }
template <int __N, class __T, class __F> __device__ inline __T ThreadScanInclusive(__T (&in)[__N], __T (&out)[__N], __F f) { out[0] = in[0]; for (int i = 1; i < __N; i++) out[i] = f(out[i - 1], in[i]); return out[__N - 1]; }
template <int __N, class __T, class __F> __device__ inline __T ThreadScanExclusive(__T (&in)[__N], __T (&out)[__N], __F f, __T first) { for (int i = 0; i < __N; i++) { __T v = in[i]; out[i] = first; first = f(first, v); } return first; }
}
