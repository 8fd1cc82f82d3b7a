// What CUTLASS has for everyone: numbers, arrays, conversions, loads and stores, layouts, coordinates.
#pragma once
#pragma clang system_header
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#define CUTLASS_HOST_DEVICE __forceinline__ __device__ __host__
#define CUTLASS_DEVICE __forceinline__ __device__
#define CUTLASS_HOST __host__
#define CUTLASS_GLOBAL __global__ static
#define CUTLASS_PRAGMA_UNROLL _Pragma("unroll")
#define CUTLASS_PRAGMA_NO_UNROLL _Pragma("unroll 1")
#define CUTLASS_GEMM_LOOP CUTLASS_PRAGMA_NO_UNROLL
#define CUTLASS_ASSERT(x) ((void)(x))
#define CUTLASS_UNUSED(x) ((void)(x))
#define CUTLASS_CONSTEXPR_IF_CXX17 constexpr
#define CUTLASS_GRID_CONSTANT
#define CUTLASS_ENABLE_TENSOR_CORE_MMA 1
#define CUTLASS_MAJOR 3
#define CUTLASS_MINOR 5
#define CUTLASS_CHECK(call) do { if ((call) != cutlass::Status::kSuccess) __builtin_trap(); } while (0)
namespace cutlass {
enum class Status { kSuccess, kErrorMisalignedOperand, kErrorInvalidDataType, kErrorInvalidLayout, kErrorInvalidProblem, kErrorNotSupported, kErrorWorkspaceNull, kErrorInternal, kErrorArchMismatch, kErrorInsufficientDriver, kErrorMemoryAllocation, kInvalid };
inline const char *cutlassGetStatusString(Status) { return ""; }
enum class FloatRoundStyle { round_indeterminate, round_toward_zero, round_to_nearest, round_to_nearest_satfinite, round_toward_infinity, round_toward_neg_infinity, round_half_ulp_truncate, round_half_ulp_trunc_dntz };
enum class ComplexTransform { kNone, kConjugate };
static const int NumThreadsPerWarp = 32, NumThreadsPerWarpGroup = 128, NumWarpsPerWarpGroup = 4, NumThreadsPerHalfWarp = 16, NumThreadsPerQuad = 4;
struct KernelHardwareInfo {
  int device_id = 0, sm_count = 0, max_active_clusters = 0;
  static int query_device_multiprocessor_count(int = 0);
};
namespace platform {
using std::is_same; using std::conditional; using std::enable_if; using std::numeric_limits; using std::integral_constant;
using std::is_integral; using std::is_floating_point; using std::remove_const; using std::remove_cv; using std::is_pointer;
using std::true_type; using std::false_type; using std::is_base_of; using std::is_trivially_copyable; using std::alignment_of;
using std::conditional_t; using std::enable_if_t; using std::is_same_v; using std::swap; using std::remove_reference; using std::is_void;
template <class T> CUTLASS_HOST_DEVICE constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> CUTLASS_HOST_DEVICE constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
}
#define CUDALINT_NUMBER(name, native, stored) \
  struct alignas(sizeof(stored)) name { \
    stored storage; \
    name() = default; \
    CUTLASS_HOST_DEVICE explicit name(float x) : storage(0) { *reinterpret_cast<native *>(&storage) = native(x); } \
    CUTLASS_HOST_DEVICE explicit name(double x) : name(float(x)) {} \
    CUTLASS_HOST_DEVICE explicit name(int x) : name(float(x)) {} \
    CUTLASS_HOST_DEVICE explicit name(unsigned x) : name(float(x)) {} \
    CUTLASS_HOST_DEVICE explicit name(native const &x) : storage(*reinterpret_cast<const stored *>(&x)) {} \
    static CUTLASS_HOST_DEVICE name bitcast(stored x) { name h; h.storage = x; return h; } \
    static CUTLASS_HOST_DEVICE name convert(float x) { return name(x); } \
    static CUTLASS_HOST_DEVICE float convert(const name &x) { return float(x); } \
    CUTLASS_HOST_DEVICE operator float() const { return float(*reinterpret_cast<const native *>(&storage)); } \
    CUTLASS_HOST_DEVICE explicit operator double() const { return double(float(*this)); } \
    CUTLASS_HOST_DEVICE explicit operator int() const { return int(float(*this)); } \
    CUTLASS_HOST_DEVICE explicit operator bool() const { return float(*this) != 0.f; } \
    CUTLASS_HOST_DEVICE native to_##native() const { return *reinterpret_cast<const native *>(&storage); } \
    CUTLASS_HOST_DEVICE stored &raw() { return storage; } \
    CUTLASS_HOST_DEVICE stored raw() const { return storage; } \
    CUTLASS_HOST_DEVICE bool signbit() const { return float(*this) < 0.f; } \
  }; \
  CUTLASS_HOST_DEVICE name operator+(name a, name b) { return name(float(a) + float(b)); } \
  CUTLASS_HOST_DEVICE name operator-(name a, name b) { return name(float(a) - float(b)); } \
  CUTLASS_HOST_DEVICE name operator*(name a, name b) { return name(float(a) * float(b)); } \
  CUTLASS_HOST_DEVICE name operator/(name a, name b) { return name(float(a) / float(b)); } \
  CUTLASS_HOST_DEVICE name operator-(name a) { return name(-float(a)); } \
  CUTLASS_HOST_DEVICE name &operator+=(name &a, name b) { a = a + b; return a; } \
  CUTLASS_HOST_DEVICE name &operator-=(name &a, name b) { a = a - b; return a; } \
  CUTLASS_HOST_DEVICE name &operator*=(name &a, name b) { a = a * b; return a; } \
  CUTLASS_HOST_DEVICE bool operator<(name a, name b) { return float(a) < float(b); } \
  CUTLASS_HOST_DEVICE bool operator>(name a, name b) { return float(a) > float(b); } \
  CUTLASS_HOST_DEVICE bool operator<=(name a, name b) { return float(a) <= float(b); } \
  CUTLASS_HOST_DEVICE bool operator>=(name a, name b) { return float(a) >= float(b); } \
  CUTLASS_HOST_DEVICE bool operator==(name a, name b) { return float(a) == float(b); } \
  CUTLASS_HOST_DEVICE bool operator!=(name a, name b) { return float(a) != float(b); } \
  CUTLASS_HOST_DEVICE name abs(const name &x) { return name(float(x) < 0.f ? -float(x) : float(x)); } \
  CUTLASS_HOST_DEVICE bool isnan(const name &x) { return float(x) != float(x); }
CUDALINT_NUMBER(half_t, __half, uint16_t)
CUDALINT_NUMBER(bfloat16_t, __nv_bfloat16, uint16_t)
CUDALINT_NUMBER(float_e4m3_t, __nv_fp8_e4m3, uint8_t)
CUDALINT_NUMBER(float_e5m2_t, __nv_fp8_e5m2, uint8_t)
#undef CUDALINT_NUMBER
struct tfloat32_t {
  uint32_t storage;
  tfloat32_t() = default;
  CUTLASS_HOST_DEVICE explicit tfloat32_t(float x) : storage(*reinterpret_cast<const uint32_t *>(&x)) {}
  CUTLASS_HOST_DEVICE explicit tfloat32_t(int x) : tfloat32_t(float(x)) {}
  static CUTLASS_HOST_DEVICE tfloat32_t bitcast(uint32_t x) { tfloat32_t h; h.storage = x; return h; }
  CUTLASS_HOST_DEVICE operator float() const { return *reinterpret_cast<const float *>(&storage); }
  CUTLASS_HOST_DEVICE uint32_t &raw() { return storage; }
  CUTLASS_HOST_DEVICE uint32_t raw() const { return storage; }
};
template <int bits, bool is_signed = true> struct integer_subbyte {
  static_assert(bits <= 8, "");
  typedef uint8_t Storage;
  typedef std::conditional_t<is_signed, int, unsigned> xint_t;
  static constexpr Storage bits_mask_ = Storage((1u << bits) - 1);
  Storage storage;
  integer_subbyte() = default;
  CUTLASS_HOST_DEVICE integer_subbyte(int v) : storage(Storage(v) & bits_mask_) {}
  CUTLASS_HOST_DEVICE integer_subbyte(unsigned v) : storage(Storage(v) & bits_mask_) {}
  CUTLASS_HOST_DEVICE explicit integer_subbyte(float v) : integer_subbyte(int(v)) {}
  CUTLASS_HOST_DEVICE operator xint_t() const { return is_signed && (storage & (1u << (bits - 1))) ? xint_t(storage) - xint_t(1u << bits) : xint_t(storage); }
};
typedef integer_subbyte<1, false> uint1b_t; typedef integer_subbyte<2, false> uint2b_t; typedef integer_subbyte<4, false> uint4b_t;
typedef integer_subbyte<2, true> int2b_t; typedef integer_subbyte<4, true> int4b_t;
typedef bool bin1_t;
template <class T> struct sizeof_bits { static constexpr int value = int(sizeof(T) * 8); };
template <int bits, bool s> struct sizeof_bits<integer_subbyte<bits, s>> { static constexpr int value = bits; };
template <class T> constexpr int sizeof_bits_v = sizeof_bits<T>::value;
template <class T> CUTLASS_HOST_DEVICE constexpr T bits_to_bytes(T bits) { return (bits + T(7)) / T(8); }
template <class A, class B> CUTLASS_HOST_DEVICE constexpr std::common_type_t<A, B> ceil_div(A a, B b) { return (a + b - 1) / b; }
template <class A, class B> CUTLASS_HOST_DEVICE constexpr std::common_type_t<A, B> round_up(A a, B b) { return (a + b - 1) / b * b; }
template <class A, class B> CUTLASS_HOST_DEVICE constexpr std::common_type_t<A, B> round_nearest(A a, B b) { return (a + b - 1) / b * b; }
template <class A, class B> CUTLASS_HOST_DEVICE constexpr A const_min(A a, B b) { return b < a ? A(b) : a; }
template <class A, class B> CUTLASS_HOST_DEVICE constexpr A const_max(A a, B b) { return b > a ? A(b) : a; }
template <class T> CUTLASS_HOST_DEVICE constexpr T absolute_value(T a) { return a < T(0) ? -a : a; }
CUTLASS_HOST_DEVICE float fast_exp(float x) { return ::expf(x); }
CUTLASS_HOST_DEVICE float fast_log(float x) { return ::logf(x); }
CUTLASS_HOST_DEVICE float fast_tanh(float x) { return ::tanhf(x); }
CUTLASS_HOST_DEVICE float fast_sqrt(float x) { return ::sqrtf(x); }
CUTLASS_HOST_DEVICE float fast_rsqrt(float x) { return 1.f / ::sqrtf(x); }
template <class T> CUTLASS_HOST_DEVICE T fast_max(T a, T b) { return a < b ? b : a; }
template <class T> CUTLASS_HOST_DEVICE T fast_min(T a, T b) { return b < a ? b : a; }
template <int n> struct log2_down { static constexpr int value = n <= 1 ? 0 : 1 + log2_down<(n >> 1)>::value; };
template <> struct log2_down<1> { static constexpr int value = 0; };
template <> struct log2_down<0> { static constexpr int value = 0; };
template <int n> struct log2_up { static constexpr int value = log2_down<n>::value + ((1 << log2_down<n>::value) < n ? 1 : 0); };
template <int n> struct is_pow2 { static constexpr bool value = (n & (n - 1)) == 0; };
struct FastDivmod {
  int divisor;
  FastDivmod() = default;
  CUTLASS_HOST_DEVICE FastDivmod(int d) : divisor(d) {}
  CUTLASS_HOST_DEVICE void operator()(int &quotient, int &remainder, int dividend) const { quotient = dividend / divisor; remainder = dividend % divisor; }
  CUTLASS_HOST_DEVICE void operator()(int &quotient, int64_t &remainder, int64_t dividend) const { quotient = int(dividend / divisor); remainder = dividend % divisor; }
  CUTLASS_HOST_DEVICE int div(int dividend) const { return dividend / divisor; }
  CUTLASS_HOST_DEVICE int rem(int dividend) const { return dividend % divisor; }
  CUTLASS_HOST_DEVICE int divmod(int &remainder, int dividend) const { remainder = dividend % divisor; return dividend / divisor; }
  CUTLASS_HOST_DEVICE operator int() const { return divisor; }
};
template <class T, int N, bool registers = (sizeof_bits<T>::value >= 32)> struct Array {
  typedef T Element; typedef T value_type; typedef size_t size_type; typedef T Storage;
  typedef T &reference; typedef const T &const_reference; typedef T *pointer; typedef const T *const_pointer; typedef T *iterator; typedef const T *const_iterator;
  static constexpr size_t kElements = N, kStorageElements = N;
  T storage[N > 0 ? N : 1];
  CUTLASS_HOST_DEVICE T &operator[](size_t i) { return storage[i]; }
  CUTLASS_HOST_DEVICE const T &operator[](size_t i) const { return storage[i]; }
  CUTLASS_HOST_DEVICE T &at(size_t i) { return storage[i]; }
  CUTLASS_HOST_DEVICE const T &at(size_t i) const { return storage[i]; }
  CUTLASS_HOST_DEVICE T *data() { return storage; }
  CUTLASS_HOST_DEVICE const T *data() const { return storage; }
  CUTLASS_HOST_DEVICE T *raw_data() { return storage; }
  CUTLASS_HOST_DEVICE const T *raw_data() const { return storage; }
  CUTLASS_HOST_DEVICE static constexpr size_t size() { return N; }
  CUTLASS_HOST_DEVICE static constexpr size_t max_size() { return N; }
  CUTLASS_HOST_DEVICE static constexpr bool empty() { return N == 0; }
  CUTLASS_HOST_DEVICE T *begin() { return storage; }
  CUTLASS_HOST_DEVICE T *end() { return storage + N; }
  CUTLASS_HOST_DEVICE const T *begin() const { return storage; }
  CUTLASS_HOST_DEVICE const T *end() const { return storage + N; }
  CUTLASS_HOST_DEVICE T &front() { return storage[0]; }
  CUTLASS_HOST_DEVICE T &back() { return storage[N - 1]; }
  CUTLASS_HOST_DEVICE void fill(T v) { for (int i = 0; i < N; ++i) storage[i] = v; }
  CUTLASS_HOST_DEVICE void clear() { fill(T(0)); }
};
// Elements of less than four bytes, which a class stands for; those of less than a byte lie in words.
template <class T> struct cudalint_element {
  T *p;
  CUTLASS_HOST_DEVICE T get() const { return *p; }
  CUTLASS_HOST_DEVICE operator T() const { return *p; }
  CUTLASS_HOST_DEVICE cudalint_element &operator=(T v) { *p = v; return *this; }
  CUTLASS_HOST_DEVICE cudalint_element &operator=(const cudalint_element &v) { *p = *v.p; return *this; }
  CUTLASS_HOST_DEVICE explicit operator float() const { return float(*p); }
  CUTLASS_HOST_DEVICE explicit operator int() const { return int(*p); }
};
template <class T> struct cudalint_bits {
  static constexpr int kBits = sizeof_bits<T>::value;
  uint8_t *p; int first;
  CUTLASS_HOST_DEVICE T get() const { return T((*p >> first) & ((1 << kBits) - 1)); }
  CUTLASS_HOST_DEVICE operator T() const { return get(); }
  CUTLASS_HOST_DEVICE cudalint_bits &operator=(T v) { *p = uint8_t((*p & ~(((1 << kBits) - 1) << first)) | ((int(v) & ((1 << kBits) - 1)) << first)); return *this; }
  CUTLASS_HOST_DEVICE cudalint_bits &operator=(const cudalint_bits &v) { return *this = v.get(); }
  CUTLASS_HOST_DEVICE explicit operator int() const { return int(get()); }
};
template <class T, bool whole = (sizeof_bits<T>::value >= 8)> struct cudalint_kept {
  typedef T Storage; typedef cudalint_element<T> reference;
  static constexpr int kPerStored = 1;
  CUTLASS_HOST_DEVICE static reference at(T *s, size_t i) { return {s + i}; }
};
template <class T> struct cudalint_kept<T, false> {
  typedef uint8_t Storage; typedef cudalint_bits<T> reference;
  static constexpr int kPerStored = 8 / sizeof_bits<T>::value;
  CUTLASS_HOST_DEVICE static reference at(uint8_t *s, size_t i) { return {s + i / kPerStored, int(i % kPerStored) * sizeof_bits<T>::value}; }
};
template <class T, int N> struct Array<T, N, false> {
  typedef cudalint_kept<T> kept;
  typedef T Element; typedef T value_type; typedef size_t size_type; typedef typename kept::Storage Storage;
  typedef typename kept::reference reference; typedef reference const_reference; typedef T *pointer;
  static constexpr size_t kElements = N, kStorageElements = (N + kept::kPerStored - 1) / kept::kPerStored;
  alignas((sizeof_bits<T>::value * N) % 32 == 0 ? 4 : alignof(Storage)) Storage storage[kStorageElements];
  CUTLASS_HOST_DEVICE reference operator[](size_t i) { return kept::at(storage, i); }
  CUTLASS_HOST_DEVICE const_reference operator[](size_t i) const { return kept::at(const_cast<Storage *>(storage), i); }
  CUTLASS_HOST_DEVICE reference at(size_t i) { return kept::at(storage, i); }
  CUTLASS_HOST_DEVICE const_reference at(size_t i) const { return kept::at(const_cast<Storage *>(storage), i); }
  CUTLASS_HOST_DEVICE reference front() { return at(0); }
  CUTLASS_HOST_DEVICE reference back() { return at(N - 1); }
  CUTLASS_HOST_DEVICE T *data() { return reinterpret_cast<T *>(storage); }
  CUTLASS_HOST_DEVICE const T *data() const { return reinterpret_cast<const T *>(storage); }
  CUTLASS_HOST_DEVICE Storage *raw_data() { return storage; }
  CUTLASS_HOST_DEVICE const Storage *raw_data() const { return storage; }
  CUTLASS_HOST_DEVICE static constexpr size_t size() { return N; }
  CUTLASS_HOST_DEVICE static constexpr bool empty() { return N == 0; }
  CUTLASS_HOST_DEVICE void fill(T v) { for (int i = 0; i < N; ++i) at(i) = v; }
  CUTLASS_HOST_DEVICE void clear() { for (int i = 0; i < int(kStorageElements); ++i) storage[i] = Storage(0); }
};
template <class T, int N, int A = int((sizeof_bits<T>::value * N + 7) / 8)> struct alignas(A) AlignedArray : Array<T, N> {};
template <class T, int N, int A = 16> struct alignas(A) AlignedBuffer {
  typedef uint8_t Storage; typedef T *pointer;
  static constexpr int kCount = N, kBytes = (sizeof_bits<T>::value * N + 7) / 8;
  Storage storage[kBytes];
  CUTLASS_HOST_DEVICE T *data() { return reinterpret_cast<T *>(storage); }
  CUTLASS_HOST_DEVICE const T *data() const { return reinterpret_cast<const T *>(storage); }
  CUTLASS_HOST_DEVICE Storage *raw_data() { return storage; }
  CUTLASS_HOST_DEVICE static constexpr int size() { return N; }
};
template <class R, class S, FloatRoundStyle style = FloatRoundStyle::round_to_nearest> struct NumericConverter {
  typedef R result_type; typedef S source_type;
  CUTLASS_HOST_DEVICE static R convert(const S &s) { return static_cast<R>(static_cast<std::conditional_t<std::is_arithmetic<S>::value, S, float>>(s)); }
  CUTLASS_HOST_DEVICE R operator()(const S &s) const { return convert(s); }
};
template <class T, FloatRoundStyle style> struct NumericConverter<T, T, style> {
  typedef T result_type; typedef T source_type;
  CUTLASS_HOST_DEVICE static T convert(const T &s) { return s; }
  CUTLASS_HOST_DEVICE T operator()(const T &s) const { return s; }
};
template <class R, class S, int N, FloatRoundStyle style = FloatRoundStyle::round_to_nearest, class X = void> struct NumericArrayConverter {
  typedef Array<R, N> result_type; typedef Array<S, N> source_type;
  CUTLASS_HOST_DEVICE static result_type convert(const source_type &s) {
    result_type r;
    for (int i = 0; i < N; ++i) r[i] = NumericConverter<R, S, style>::convert(s[i]);
    return r;
  }
  CUTLASS_HOST_DEVICE result_type operator()(const source_type &s) const { return convert(s); }
};
#define CUDALINT_BINARY(name, text) \
  template <class T> struct name { CUTLASS_HOST_DEVICE T operator()(T a, const T &b) const { return text; } }; \
  template <class T, int N> struct name<Array<T, N>> { \
    CUTLASS_HOST_DEVICE Array<T, N> operator()(const Array<T, N> &a, const Array<T, N> &b) const { Array<T, N> r; for (int i = 0; i < N; ++i) r[i] = name<T>()(a[i], b[i]); return r; } \
    CUTLASS_HOST_DEVICE Array<T, N> operator()(const Array<T, N> &a, const T &b) const { Array<T, N> r; for (int i = 0; i < N; ++i) r[i] = name<T>()(a[i], b); return r; } \
    CUTLASS_HOST_DEVICE Array<T, N> operator()(const T &a, const Array<T, N> &b) const { Array<T, N> r; for (int i = 0; i < N; ++i) r[i] = name<T>()(a, b[i]); return r; } \
  };
CUDALINT_BINARY(plus, a + b) CUDALINT_BINARY(minus, a - b) CUDALINT_BINARY(multiplies, a * b) CUDALINT_BINARY(divides, a / b)
CUDALINT_BINARY(maximum, a < b ? b : a) CUDALINT_BINARY(minimum, b < a ? b : a)
#undef CUDALINT_BINARY
template <class A, class B = A, class C = A> struct multiply_add { CUTLASS_HOST_DEVICE C operator()(const A &a, const B &b, const C &c) const { return C(a) * C(b) + c; } };
template <class T, int N> struct multiply_add<Array<T, N>, Array<T, N>, Array<T, N>> {
  CUTLASS_HOST_DEVICE Array<T, N> operator()(const Array<T, N> &a, const Array<T, N> &b, const Array<T, N> &c) const { Array<T, N> r; for (int i = 0; i < N; ++i) r[i] = a[i] * b[i] + c[i]; return r; }
  CUTLASS_HOST_DEVICE Array<T, N> operator()(const T &a, const Array<T, N> &b, const Array<T, N> &c) const { Array<T, N> r; for (int i = 0; i < N; ++i) r[i] = a * b[i] + c[i]; return r; }
};
namespace arch {
struct Sm50 { static constexpr int kMinComputeCapability = 50; }; struct Sm60 { static constexpr int kMinComputeCapability = 60; };
struct Sm61 { static constexpr int kMinComputeCapability = 61; }; struct Sm70 { static constexpr int kMinComputeCapability = 70; };
struct Sm75 { static constexpr int kMinComputeCapability = 75; }; struct Sm80 { static constexpr int kMinComputeCapability = 80; };
struct Sm86 { static constexpr int kMinComputeCapability = 86; }; struct Sm89 { static constexpr int kMinComputeCapability = 89; };
struct Sm90 { static constexpr int kMinComputeCapability = 90; }; struct Sm100 { static constexpr int kMinComputeCapability = 100; };
struct OpClassSimt; struct OpClassTensorOp; struct OpClassWmmaTensorOp; struct OpClassSparseTensorOp; struct OpMultiplyAdd; struct OpMultiplyAddSaturate; struct OpMultiplyAddFastBF16;
struct CacheOperation { enum Kind { Always, Global, Streaming, LastUse, Volatile, WriteBack, WriteThrough }; };
CUTLASS_DEVICE int LaneId() { return threadIdx.x % 32; }
// One access of so many bytes where the guard is true.
template <int bytes> struct cudalint_bytes;
template <> struct cudalint_bytes<1> { typedef uint8_t type; };
template <> struct cudalint_bytes<2> { typedef uint16_t type; };
template <> struct cudalint_bytes<4> { typedef uint32_t type; };
template <> struct cudalint_bytes<8> { typedef uint2 type; };
template <> struct cudalint_bytes<16> { typedef uint4 type; };
template <int bytes> CUTLASS_DEVICE void cudalint_moved(void *to, const void *from) {
  typedef typename cudalint_bytes<(bytes < 16 ? bytes : 16)>::type part;
  for (int i = 0; i < bytes / int(sizeof(part)); ++i) reinterpret_cast<part *>(to)[i] = reinterpret_cast<const part *>(from)[i];
}
template <class T, int bytes, CacheOperation::Kind kind = CacheOperation::Always> struct global_load { CUTLASS_DEVICE global_load(T &d, const void *p, bool guard) { if (guard) cudalint_moved<bytes>(&d, p); } };
template <class T, int bytes> struct global_store { CUTLASS_DEVICE global_store(const T &d, void *p, bool guard) { if (guard) cudalint_moved<bytes>(p, &d); } };
}
template <int rank, class I = int, class L = int64_t> struct Coord {
  static constexpr int kRank = rank;
  typedef I Index; typedef L LongIndex;
  I idx[rank];
  CUTLASS_HOST_DEVICE explicit Coord(I v = I(0)) { for (int i = 0; i < rank; ++i) idx[i] = v; }
  CUTLASS_HOST_DEVICE I &operator[](int i) { return idx[i]; }
  CUTLASS_HOST_DEVICE const I &operator[](int i) const { return idx[i]; }
  CUTLASS_HOST_DEVICE I &at(int i) { return idx[i]; }
  CUTLASS_HOST_DEVICE const I &at(int i) const { return idx[i]; }
  CUTLASS_HOST_DEVICE L product() const { L p = 1; for (int i = 0; i < rank; ++i) p *= idx[i]; return p; }
  CUTLASS_HOST_DEVICE Coord operator+(const Coord &b) const { Coord c; for (int i = 0; i < rank; ++i) c.idx[i] = idx[i] + b.idx[i]; return c; }
  CUTLASS_HOST_DEVICE Coord operator-(const Coord &b) const { Coord c; for (int i = 0; i < rank; ++i) c.idx[i] = idx[i] - b.idx[i]; return c; }
  CUTLASS_HOST_DEVICE bool operator==(const Coord &b) const { bool same = true; for (int i = 0; i < rank; ++i) same = same && idx[i] == b.idx[i]; return same; }
};
template <class T> CUTLASS_HOST_DEVICE Coord<1, T> make_Coord(T a) { Coord<1, T> c; c[0] = a; return c; }
template <class T> CUTLASS_HOST_DEVICE Coord<2, T> make_Coord(T a, T b) { Coord<2, T> c; c[0] = a; c[1] = b; return c; }
template <class T> CUTLASS_HOST_DEVICE Coord<3, T> make_Coord(T a, T b, T d) { Coord<3, T> c; c[0] = a; c[1] = b; c[2] = d; return c; }
struct MatrixCoord : Coord<2, int> {
  CUTLASS_HOST_DEVICE MatrixCoord() {}
  CUTLASS_HOST_DEVICE MatrixCoord(const Coord<2, int> &c) : Coord<2, int>(c) {}
  CUTLASS_HOST_DEVICE MatrixCoord(int r, int c) { idx[0] = r; idx[1] = c; }
  CUTLASS_HOST_DEVICE int &row() { return idx[0]; }
  CUTLASS_HOST_DEVICE int row() const { return idx[0]; }
  CUTLASS_HOST_DEVICE int &column() { return idx[1]; }
  CUTLASS_HOST_DEVICE int column() const { return idx[1]; }
};
template <int R, int C> struct MatrixShape { static constexpr int kRow = R, kColumn = C, kCount = R * C; CUTLASS_HOST_DEVICE static MatrixCoord toCoord() { return MatrixCoord(R, C); } };
namespace gemm {
template <int m = 1, int n = 1, int k = 1> struct GemmShape { static constexpr int kM = m, kN = n, kK = k, kMN = m * n, kMK = m * k, kKN = n * k, kMNK = m * n * k, kCount = kMNK; };
struct GemmCoord : Coord<3, int> {
  CUTLASS_HOST_DEVICE GemmCoord() {}
  CUTLASS_HOST_DEVICE GemmCoord(int m, int n, int k) { idx[0] = m; idx[1] = n; idx[2] = k; }
  CUTLASS_HOST_DEVICE int &m() { return idx[0]; }
  CUTLASS_HOST_DEVICE int m() const { return idx[0]; }
  CUTLASS_HOST_DEVICE int &n() { return idx[1]; }
  CUTLASS_HOST_DEVICE int n() const { return idx[1]; }
  CUTLASS_HOST_DEVICE int &k() { return idx[2]; }
  CUTLASS_HOST_DEVICE int k() const { return idx[2]; }
};
}
namespace layout {
#define CUDALINT_LAYOUT(name, inner, outer) \
  struct name { \
    static constexpr int kRank = 2, kStrideRank = 1; \
    typedef int Index; typedef int64_t LongIndex; typedef MatrixCoord TensorCoord; typedef Coord<1, int64_t> Stride; \
    int64_t stride_; \
    CUTLASS_HOST_DEVICE name(int64_t ldm = 0) : stride_(ldm) {} \
    CUTLASS_HOST_DEVICE static name packed(const MatrixCoord &e) { return name(e.inner()); } \
    CUTLASS_HOST_DEVICE int64_t operator()(const MatrixCoord &c) const { return int64_t(c.outer()) * stride_ + c.inner(); } \
    CUTLASS_HOST_DEVICE int64_t stride(int = 0) const { return stride_; } \
    CUTLASS_HOST_DEVICE int64_t capacity(const MatrixCoord &e) const { return int64_t(e.outer()) * stride_; } \
  };
CUDALINT_LAYOUT(RowMajor, column, row)
CUDALINT_LAYOUT(ColumnMajor, row, column)
#undef CUDALINT_LAYOUT
template <int interleave> struct ColumnMajorInterleaved {
  typedef int Index; typedef int64_t LongIndex; typedef MatrixCoord TensorCoord;
  static constexpr int kInterleave = interleave;
  int64_t stride_;
  CUTLASS_HOST_DEVICE ColumnMajorInterleaved(int64_t ldm = 0) : stride_(ldm) {}
  CUTLASS_HOST_DEVICE int64_t operator()(const MatrixCoord &c) const { return int64_t(c.column() / interleave) * stride_ + int64_t(c.row()) * interleave + c.column() % interleave; }
  CUTLASS_HOST_DEVICE static ColumnMajorInterleaved packed(const MatrixCoord &e) { return ColumnMajorInterleaved(int64_t(e.row()) * interleave); }
  CUTLASS_HOST_DEVICE int64_t stride(int = 0) const { return stride_; }
};
template <int interleave> struct RowMajorInterleaved {
  typedef int Index; typedef int64_t LongIndex; typedef MatrixCoord TensorCoord;
  static constexpr int kInterleave = interleave;
  int64_t stride_;
  CUTLASS_HOST_DEVICE RowMajorInterleaved(int64_t ldm = 0) : stride_(ldm) {}
  CUTLASS_HOST_DEVICE int64_t operator()(const MatrixCoord &c) const { return int64_t(c.row() / interleave) * stride_ + int64_t(c.column()) * interleave + c.row() % interleave; }
};
}
template <class T, class L> struct TensorRef {
  typedef T Element; typedef L Layout; typedef T &Reference; typedef typename L::TensorCoord TensorCoord; typedef int64_t LongIndex;
  T *ptr_; L layout_;
  CUTLASS_HOST_DEVICE TensorRef() : ptr_(nullptr), layout_(0) {}
  CUTLASS_HOST_DEVICE TensorRef(T *p, const L &l) : ptr_(p), layout_(l) {}
  CUTLASS_HOST_DEVICE T *data() const { return ptr_; }
  CUTLASS_HOST_DEVICE L &layout() { return layout_; }
  CUTLASS_HOST_DEVICE const L &layout() const { return layout_; }
  CUTLASS_HOST_DEVICE int64_t stride(int = 0) const { return layout_.stride(); }
  CUTLASS_HOST_DEVICE int64_t offset(const TensorCoord &c) const { return layout_(c); }
  CUTLASS_HOST_DEVICE T &at(const TensorCoord &c) const { return ptr_[layout_(c)]; }
  CUTLASS_HOST_DEVICE T &operator[](const TensorCoord &c) const { return ptr_[layout_(c)]; }
  CUTLASS_HOST_DEVICE bool good() const { return ptr_ != nullptr; }
};
template <class T, class L> struct TensorView : TensorRef<T, L> {
  typename L::TensorCoord extent_;
  CUTLASS_HOST_DEVICE TensorView() {}
  CUTLASS_HOST_DEVICE TensorView(T *p, const L &l, const typename L::TensorCoord &e) : TensorRef<T, L>(p, l), extent_(e) {}
  CUTLASS_HOST_DEVICE const typename L::TensorCoord &extent() const { return extent_; }
  CUTLASS_HOST_DEVICE int extent(int i) const { return extent_[i]; }
};
}
