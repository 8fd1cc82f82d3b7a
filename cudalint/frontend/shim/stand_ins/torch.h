// What kernels and their launches use of PyTorch's C++ side, where its headers are not found. Tensors are
// opaque; an accessor's last dimension is taken to be contiguous.
#pragma once
#pragma clang system_header
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__((threads))
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__((threads), (blocks))
#define C10_MAX_THREADS_PER_BLOCK(n) (n)
#define C10_MIN_BLOCKS_PER_SM(threads, blocks) (blocks)
#define C10_WARP_SIZE 32
#define C10_RESTRICT __restrict__
#define C10_UNUSED __attribute__((unused))
#define C10_LIKELY(x) (x)
#define C10_UNLIKELY(x) (x)
#define C10_ALWAYS_INLINE inline
#define C10_API
#define C10_EXPORT
#define TORCH_API
#define TORCH_CUDA_CU_API
#define CUDA_KERNEL_ASSERT(...) assert(__VA_ARGS__)
#define CUDA_LONG int32_t
#define AT_CUDA_CHECK(call) do { cudaError_t __e = (call); if (__e != cudaSuccess) __builtin_trap(); } while (0)
#define C10_CUDA_CHECK(call) AT_CUDA_CHECK(call)
#define AT_CUDA_DRIVER_CHECK(call) AT_CUDA_CHECK(call)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() AT_CUDA_CHECK(cudaGetLastError())
#define TORCH_CUDABLAS_CHECK(call) do { if ((call) != 0) __builtin_trap(); } while (0)
#define TORCH_CHECK(condition, ...) if (!(condition)) { __builtin_trap(); }
#define TORCH_CHECK_EQ(a, b) TORCH_CHECK((a) == (b))
#define TORCH_CHECK_LE(a, b) TORCH_CHECK((a) <= (b))
#define TORCH_CHECK_LT(a, b) TORCH_CHECK((a) < (b))
#define TORCH_CHECK_GE(a, b) TORCH_CHECK((a) >= (b))
#define TORCH_CHECK_GT(a, b) TORCH_CHECK((a) > (b))
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) TORCH_CHECK(condition)
#define TORCH_CHECK_VALUE(condition, ...) TORCH_CHECK(condition)
#define TORCH_CHECK_TYPE(condition, ...) TORCH_CHECK(condition)
#define TORCH_CHECK_INDEX(condition, ...) TORCH_CHECK(condition)
#define TORCH_INTERNAL_ASSERT(condition, ...) TORCH_CHECK(condition)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...)
#define TORCH_WARN(...)
#define TORCH_WARN_ONCE(...)
#define AT_ASSERT(condition, ...) TORCH_CHECK(condition)
#define AT_ASSERTM(condition, ...) TORCH_CHECK(condition)
#define AT_ERROR(...) __builtin_trap()
#define TORCH_EXTENSION_NAME extension
#define TORCH_LIBRARY(name, m) static void __torch_library(torch::Library &m)
#define TORCH_LIBRARY_FRAGMENT(name, m) static void __torch_fragment(torch::Library &m)
#define TORCH_LIBRARY_IMPL(name, key, m) static void __torch_library_##key(torch::Library &m)
#define TORCH_SELECTIVE_NAME(name) name
#define TORCH_FN(f) (&f)
#define PYBIND11_MODULE(name, m) static void __pybind_##name(torch::Library &m)
#define CUDA_1D_KERNEL_LOOP_T(i, n, type) \
  for (type i = type(blockIdx.x) * blockDim.x + threadIdx.x; i < (n); i += type(blockDim.x) * gridDim.x)
#define CUDA_1D_KERNEL_LOOP(i, n) CUDA_1D_KERNEL_LOOP_T(i, n, int)
#define CUDA_KERNEL_LOOP_TYPE(i, n, type) CUDA_1D_KERNEL_LOOP_T(i, n, type)
#define CUDA_KERNEL_LOOP(i, n) CUDA_1D_KERNEL_LOOP_T(i, n, int)

namespace c10 {
typedef int8_t DeviceIndex;
struct Half {
  unsigned short x;
  Half() = default;
  __host__ __device__ Half(float);
  __host__ __device__ Half(const __half &);
  __host__ __device__ operator float() const;
  __host__ __device__ operator __half() const;
};
struct BFloat16 {
  unsigned short x;
  BFloat16() = default;
  __host__ __device__ BFloat16(float);
  __host__ __device__ BFloat16(const __nv_bfloat16 &);
  __host__ __device__ operator float() const;
  __host__ __device__ explicit operator __nv_bfloat16() const;
};
#define CUDALINT_TORCH_MIXED(T, U, R) \
  __host__ __device__ inline R operator+(T a, U b) { return R(float(a) + float(b)); } \
  __host__ __device__ inline R operator-(T a, U b) { return R(float(a) - float(b)); } \
  __host__ __device__ inline R operator*(T a, U b) { return R(float(a) * float(b)); } \
  __host__ __device__ inline R operator/(T a, U b) { return R(float(a) / float(b)); } \
  __host__ __device__ inline R operator+(U a, T b) { return R(float(a) + float(b)); } \
  __host__ __device__ inline R operator-(U a, T b) { return R(float(a) - float(b)); } \
  __host__ __device__ inline R operator*(U a, T b) { return R(float(a) * float(b)); } \
  __host__ __device__ inline R operator/(U a, T b) { return R(float(a) / float(b)); }
#define CUDALINT_TORCH_NUMBER(T) \
  __host__ __device__ inline T operator+(T a, T b) { return T(float(a) + float(b)); } \
  __host__ __device__ inline T operator-(T a, T b) { return T(float(a) - float(b)); } \
  __host__ __device__ inline T operator*(T a, T b) { return T(float(a) * float(b)); } \
  __host__ __device__ inline T operator/(T a, T b) { return T(float(a) / float(b)); } \
  __host__ __device__ inline T operator-(T a) { return T(-float(a)); } \
  __host__ __device__ inline T &operator+=(T &a, T b) { a = a + b; return a; } \
  __host__ __device__ inline T &operator-=(T &a, T b) { a = a - b; return a; } \
  __host__ __device__ inline T &operator*=(T &a, T b) { a = a * b; return a; } \
  __host__ __device__ inline T &operator/=(T &a, T b) { a = a / b; return a; }
// Against itself or an arithmetic type: nothing that __half converts from is asked for then.
#define CUDALINT_TORCH_COMPARED(T, op) \
  __host__ __device__ inline bool operator op(T a, T b) { return float(a) op float(b); } \
  template <class U> __host__ __device__ inline std::enable_if_t<std::is_arithmetic<U>::value, bool> operator op(T a, U b) { return float(a) op b; } \
  template <class U> __host__ __device__ inline std::enable_if_t<std::is_arithmetic<U>::value, bool> operator op(U a, T b) { return a op float(b); }
#define CUDALINT_TORCH_ORDER(T) \
  CUDALINT_TORCH_COMPARED(T, <) CUDALINT_TORCH_COMPARED(T, >) CUDALINT_TORCH_COMPARED(T, <=) \
  CUDALINT_TORCH_COMPARED(T, >=) CUDALINT_TORCH_COMPARED(T, ==) CUDALINT_TORCH_COMPARED(T, !=)
CUDALINT_TORCH_ORDER(Half)
CUDALINT_TORCH_ORDER(BFloat16)
CUDALINT_TORCH_NUMBER(Half)
CUDALINT_TORCH_NUMBER(BFloat16)
CUDALINT_TORCH_MIXED(Half, float, float) CUDALINT_TORCH_MIXED(Half, double, double)
CUDALINT_TORCH_MIXED(Half, int, Half) CUDALINT_TORCH_MIXED(Half, int64_t, Half)
CUDALINT_TORCH_MIXED(BFloat16, float, float) CUDALINT_TORCH_MIXED(BFloat16, double, double)
CUDALINT_TORCH_MIXED(BFloat16, int, BFloat16) CUDALINT_TORCH_MIXED(BFloat16, int64_t, BFloat16)
template <class T> struct complex { T re, im; };
enum class ScalarType : int8_t {
  Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8,
  QInt32, BFloat16, Float8_e5m2, Float8_e4m3fn, UInt16, UInt32, UInt64, Undefined
};
#define CUDALINT_TORCH_KIND(name) constexpr ScalarType k##name = ScalarType::name;
CUDALINT_TORCH_KIND(Byte) CUDALINT_TORCH_KIND(Char) CUDALINT_TORCH_KIND(Short) CUDALINT_TORCH_KIND(Int)
CUDALINT_TORCH_KIND(Long) CUDALINT_TORCH_KIND(Half) CUDALINT_TORCH_KIND(Float) CUDALINT_TORCH_KIND(Double)
CUDALINT_TORCH_KIND(Bool) CUDALINT_TORCH_KIND(BFloat16) CUDALINT_TORCH_KIND(Float8_e5m2)
CUDALINT_TORCH_KIND(Float8_e4m3fn) CUDALINT_TORCH_KIND(UInt16) CUDALINT_TORCH_KIND(UInt32)
CUDALINT_TORCH_KIND(UInt64)
constexpr ScalarType kInt32 = kInt, kInt64 = kLong, kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble,
                     kUInt8 = kByte, kInt8 = kChar, kInt16 = kShort;
const char *toString(ScalarType);
size_t elementSize(ScalarType);
bool isFloatingType(ScalarType);
bool isIntegralType(ScalarType, bool = false);
template <class T> struct CppTypeToScalarType { static constexpr ScalarType value = ScalarType::Undefined; };
enum class DeviceType : int8_t { CPU, CUDA };
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
enum class Layout : int8_t { Strided, Sparse };
constexpr Layout kStrided = Layout::Strided;
struct Device {
  Device(DeviceType, DeviceIndex = -1);
  Device(const std::string &);
  DeviceIndex index() const;
  DeviceType type() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool operator==(const Device &) const;
  bool operator!=(const Device &) const;
};
template <class T> class ArrayRef {
public:
  ArrayRef();
  ArrayRef(const T &);
  ArrayRef(const T *, size_t);
  ArrayRef(const std::vector<T> &);
  ArrayRef(const std::initializer_list<T> &);
  const T *begin() const;
  const T *end() const;
  const T *data() const;
  size_t size() const;
  bool empty() const;
  const T &operator[](size_t) const;
  const T &front() const;
  const T &back() const;
  ArrayRef slice(size_t, size_t = 0) const;
  std::vector<T> vec() const;
  bool equals(ArrayRef) const;
};
template <class T> bool operator==(ArrayRef<T>, ArrayRef<T>);
template <class T> bool operator!=(ArrayRef<T>, ArrayRef<T>);
typedef ArrayRef<int64_t> IntArrayRef;
typedef ArrayRef<int64_t> IntList;
typedef std::string_view string_view;
template <class T, unsigned N = 0> using SmallVector = std::vector<T>;
template <class T> using optional = std::optional<T>;
using nullopt_t = std::nullopt_t;
inline constexpr std::nullopt_t nullopt = std::nullopt;
template <class T> class intrusive_ptr {
public:
  T *get() const;
  T *operator->() const;
  T &operator*() const;
};
class Scalar {
public:
  template <class T> Scalar(T);
  template <class T> T to() const;
  double toDouble() const;
  float toFloat() const;
  int64_t toLong() const;
  int toInt() const;
  ScalarType type() const;
};
struct TensorOptions {
  TensorOptions();
  TensorOptions(ScalarType);
  TensorOptions(Device);
  TensorOptions(DeviceType);
  TensorOptions dtype(ScalarType) const;
  TensorOptions device(Device) const;
  TensorOptions device(DeviceType, DeviceIndex = -1) const;
  TensorOptions layout(Layout) const;
  TensorOptions requires_grad(bool = true) const;
  TensorOptions memory_format(MemoryFormat) const;
  TensorOptions pinned_memory(bool) const;
};
class DataPtr {
public:
  void *get() const;
  operator bool() const;
};
struct StreamData3 {
  int64_t stream_id;
  DeviceIndex device_index;
  DeviceType device_type;
};
struct Stream {};
struct intrusive_ptr_target {};
template <class T, class... A> intrusive_ptr<T> make_intrusive(A &&...);
template <class K, class V> class Dict {
public:
  Dict();
  bool contains(const K &) const;
  const V &at(const K &) const;
  void insert(K, V) const;
  void insert_or_assign(K, V) const;
  size_t size() const;
};
template <class T> class List {
public:
  List();
  T get(size_t) const;
  void push_back(T) const;
  size_t size() const;
};
struct Storage {
  size_t nbytes() const;
  void *data() const;
};
template <class T> struct multiplies;
template <class... T> std::string str(const T &...);
inline int64_t div_up(int64_t a, int64_t b) { return (a + b - 1) / b; }
namespace cuda {
struct CUDAStream {
  cudaStream_t stream() const;
  StreamData3 pack3() const;
  static CUDAStream unpack3(int64_t, DeviceIndex, DeviceType);
  operator cudaStream_t() const;
  operator Stream() const;
  void synchronize() const;
  DeviceIndex device_index() const;
};
CUDAStream getCurrentCUDAStream(DeviceIndex = -1);
CUDAStream getDefaultCUDAStream(DeviceIndex = -1);
CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1);
CUDAStream getStreamFromExternal(cudaStream_t, DeviceIndex);
void setCurrentCUDAStream(CUDAStream);
struct CUDAGuard {
  explicit CUDAGuard(DeviceIndex);
  explicit CUDAGuard(Device);
  ~CUDAGuard();
  void set_index(DeviceIndex);
};
struct OptionalCUDAGuard {
  OptionalCUDAGuard();
  template <class T> explicit OptionalCUDAGuard(T);
  ~OptionalCUDAGuard();
};
struct CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream);
  ~CUDAStreamGuard();
};
DeviceIndex current_device();
DeviceIndex device_count();
void set_device(DeviceIndex);
void device_synchronize();
int warp_size();
namespace CUDACachingAllocator {
struct Allocator {
  DataPtr allocate(size_t);
};
Allocator *get();
void *raw_alloc(size_t);
void *raw_alloc_with_stream(size_t, cudaStream_t);
void raw_delete(void *);
void emptyCache();
void recordStream(const DataPtr &, CUDAStream);
}
}
}

namespace at {
using namespace c10;
class Tensor;
template <class T> struct DefaultPtrTraits { typedef T *PtrType; };
template <class T> struct RestrictPtrTraits { typedef T *__restrict__ PtrType; };
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t> class TensorAccessor {
public:
  typedef typename P<T>::PtrType PtrType;
  __host__ __device__ TensorAccessor(PtrType data, const I *sizes, const I *strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  __host__ __device__ TensorAccessor<T, N - 1, P, I> operator[](I i) const {
    return TensorAccessor<T, N - 1, P, I>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1);
  }
  __host__ __device__ I size(int i) const { return sizes_[i]; }
  __host__ __device__ I stride(int i) const { return i == int(N) - 1 ? I(1) : strides_[i]; }
  __host__ __device__ PtrType data() const { return data_; }
  PtrType data_;
  const I *sizes_;
  const I *strides_;
};
template <class T, template <class> class P, class I> class TensorAccessor<T, 1, P, I> {
public:
  typedef typename P<T>::PtrType PtrType;
  __host__ __device__ TensorAccessor(PtrType data, const I *sizes, const I *strides) : data_(data), sizes_(sizes) {}
  __host__ __device__ T &operator[](I i) const { return data_[i]; }
  __host__ __device__ I size(int i) const { return sizes_[i]; }
  __host__ __device__ I stride(int) const { return 1; }
  __host__ __device__ PtrType data() const { return data_; }
  PtrType data_;
  const I *sizes_;
};
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
class GenericPackedTensorAccessor {
public:
  typedef typename P<T>::PtrType PtrType;
  GenericPackedTensorAccessor() = default;
  template <class S> __host__ __device__ GenericPackedTensorAccessor(PtrType data, const S *sizes, const S *strides) : data_(data) {
    for (size_t i = 0; i < N; ++i) sizes_[i] = I(sizes[i]), strides_[i] = I(strides[i]);
  }
  __host__ __device__ TensorAccessor<T, N - 1, P, I> operator[](I i) const {
    return TensorAccessor<T, N - 1, P, I>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1);
  }
  __host__ __device__ I size(int i) const { return sizes_[i]; }
  __host__ __device__ I stride(int i) const { return i == int(N) - 1 ? I(1) : strides_[i]; }
  __host__ __device__ PtrType data() const { return data_; }
  PtrType data_;
  I sizes_[N];
  I strides_[N];
};
template <class T, template <class> class P, class I> class GenericPackedTensorAccessor<T, 1, P, I> {
public:
  typedef typename P<T>::PtrType PtrType;
  GenericPackedTensorAccessor() = default;
  template <class S> __host__ __device__ GenericPackedTensorAccessor(PtrType data, const S *sizes, const S *strides) : data_(data) { sizes_[0] = I(sizes[0]), strides_[0] = I(strides[0]); }
  __host__ __device__ T &operator[](I i) const { return data_[i]; }
  __host__ __device__ I size(int i) const { return sizes_[i]; }
  __host__ __device__ I stride(int) const { return 1; }
  __host__ __device__ PtrType data() const { return data_; }
  PtrType data_;
  I sizes_[1];
  I strides_[1];
};
template <class T, size_t N, template <class> class P = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, P, int32_t>;
template <class T, size_t N, template <class> class P = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, P, int64_t>;
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, P, I>;
struct DeprecatedTypeProperties {
  ScalarType scalarType() const;
  bool is_cuda() const;
  operator ScalarType() const;
};
typedef DeprecatedTypeProperties Type;
class Tensor {
public:
  Tensor();
  bool defined() const;
  int64_t dim() const;
  int64_t ndimension() const;
  int64_t numel() const;
  int64_t size(int64_t) const;
  int64_t stride(int64_t) const;
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  int64_t element_size() const;
  size_t nbytes() const;
  int64_t itemsize() const;
  ScalarType scalar_type() const;
  ScalarType dtype() const;
  Device device() const;
  DeviceIndex get_device() const;
  TensorOptions options() const;
  DeprecatedTypeProperties &type() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  bool is_floating_point() const;
  bool is_non_overlapping_and_dense() const;
  bool is_sparse() const;
  bool requires_grad() const;
  MemoryFormat suggest_memory_format() const;
  void *data_ptr() const;
  template <class T> T *data_ptr() const;
  template <class T> T *data() const;
  template <class T> T *mutable_data_ptr() const;
  template <class T> const T *const_data_ptr() const;
  void *mutable_data_ptr() const;
  const void *const_data_ptr() const;
  int64_t storage_offset() const;
  Storage storage() const;
  template <class T> T item() const;
  Scalar item() const;
  template <class T, size_t N> TensorAccessor<T, N> accessor() const;
  template <class T, size_t N, template <class> class P = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, P> packed_accessor32() const;
  template <class T, size_t N, template <class> class P = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, P> packed_accessor64() const;
  template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
  GenericPackedTensorAccessor<T, N, P, I> packed_accessor() const;
  Tensor contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  Tensor to(ScalarType, bool = false, bool = false) const;
  Tensor to(Device, bool = false) const;
  Tensor to(DeviceType, bool = false) const;
  Tensor to(Device, ScalarType, bool = false) const;
  Tensor to(const TensorOptions &, bool = false) const;
  Tensor cpu() const;
  Tensor cuda() const;
  Tensor clone() const;
  Tensor detach() const;
  Tensor t() const;
  Tensor abs() const;
  Tensor max() const;
  Tensor min() const;
  Tensor sum() const;
  Tensor mean() const;
  Tensor view(IntArrayRef) const;
  Tensor view(ScalarType) const;
  Tensor reshape(IntArrayRef) const;
  Tensor expand(IntArrayRef) const;
  Tensor permute(IntArrayRef) const;
  Tensor repeat(IntArrayRef) const;
  Tensor sum(IntArrayRef, bool = false) const;
  Tensor transpose(int64_t, int64_t) const;
  Tensor squeeze() const;
  Tensor squeeze(int64_t) const;
  Tensor unsqueeze(int64_t) const;
  Tensor flatten(int64_t = 0, int64_t = -1) const;
  Tensor select(int64_t, int64_t) const;
  Tensor slice(int64_t, int64_t = 0, int64_t = 0, int64_t = 1) const;
  Tensor narrow(int64_t, int64_t, int64_t) const;
  Tensor index_select(int64_t, const Tensor &) const;
  bool is_pinned() const;
  Tensor view_as(const Tensor &) const;
  Tensor &addmm_(const Tensor &, const Tensor &);
  Tensor &transpose_(int64_t, int64_t);
  std::tuple<Tensor, Tensor> sort(int64_t = -1, bool = false) const;
  std::tuple<Tensor, Tensor> sort(bool, int64_t, bool) const;
  std::tuple<Tensor, Tensor> topk(int64_t, int64_t = -1, bool = true, bool = true) const;
  Tensor index(const Tensor &) const;
  Tensor operator[](int64_t) const;
  Tensor &zero_();
  Tensor &fill_(Scalar);
  Tensor masked_fill(const Tensor &, Scalar) const;
  Tensor &masked_fill_(const Tensor &, Scalar);
  Tensor masked_select(const Tensor &) const;
  Tensor &index_put_(const Tensor &, const Tensor &, bool = false);
  Tensor &true_divide_(const Tensor &);
  Tensor &clamp_(Scalar, Scalar);
  Tensor &clamp_(const Tensor &);
  Tensor &clamp_min_(Scalar);
  Tensor &masked_fill_(const Tensor &, const Tensor &);
  Tensor clamp(std::optional<Scalar>, std::optional<Scalar> = {}) const;
  Tensor cumsum(int64_t) const;
  Tensor nonzero() const;
  Tensor ne(Scalar) const;
  Tensor eq(Scalar) const;
  Tensor gt(Scalar) const;
  Tensor lt(Scalar) const;
  Tensor any() const;
  Tensor all() const;
  Tensor sub(const Tensor &) const;
  Tensor add(const Tensor &) const;
  Tensor mul(const Tensor &) const;
  Tensor div(const Tensor &) const;
  Tensor &sub_(const Tensor &);
  Tensor pow(Scalar) const;
  Tensor sqrt() const;
  Tensor matmul(const Tensor &) const;
  Tensor mm(const Tensor &) const;
  Tensor bmm(const Tensor &) const;
  Tensor scatter_add_(int64_t, const Tensor &, const Tensor &);
  Tensor gather(int64_t, const Tensor &) const;
  Tensor toType(ScalarType) const;
  Tensor &copy_(const Tensor &, bool = false);
  Tensor &add_(const Tensor &);
  Tensor &add_(Scalar);
  Tensor &mul_(const Tensor &);
  Tensor &mul_(Scalar);
  Tensor &div_(Scalar);
  Tensor &div_(const Tensor &);
  Tensor &div_(const Tensor &, const char *);
  Tensor &resize_(IntArrayRef);
  void record_stream(Stream) const;
  void reset();
  Tensor operator-() const;
  Tensor &operator+=(const Tensor &);
  Tensor &operator*=(const Tensor &);
};
Tensor operator+(const Tensor &, const Tensor &);
Tensor operator-(const Tensor &, const Tensor &);
Tensor operator*(const Tensor &, const Tensor &);
Tensor operator/(const Tensor &, const Tensor &);
Tensor operator*(const Tensor &, Scalar);
Tensor operator*(Scalar, const Tensor &);
Tensor operator+(const Tensor &, Scalar);
Tensor operator-(const Tensor &, Scalar);
Tensor operator/(const Tensor &, Scalar);
Tensor operator==(const Tensor &, Scalar);
Tensor operator!=(const Tensor &, Scalar);
Tensor operator<(const Tensor &, Scalar);
Tensor operator>(const Tensor &, Scalar);
Tensor operator<=(const Tensor &, Scalar);
Tensor operator>=(const Tensor &, Scalar);
typedef ArrayRef<Tensor> TensorList;
Tensor empty(IntArrayRef, TensorOptions = {}, std::optional<MemoryFormat> = {});
Tensor zeros(IntArrayRef, TensorOptions = {});
Tensor ones(IntArrayRef, TensorOptions = {});
Tensor full(IntArrayRef, Scalar, TensorOptions = {});
Tensor rand(IntArrayRef, TensorOptions = {});
Tensor randn(IntArrayRef, TensorOptions = {});
Tensor empty_strided(IntArrayRef, IntArrayRef, TensorOptions = {});
Tensor empty_like(const Tensor &, TensorOptions = {}, std::optional<MemoryFormat> = {});
Tensor zeros_like(const Tensor &, TensorOptions = {}, std::optional<MemoryFormat> = {});
Tensor ones_like(const Tensor &, TensorOptions = {});
Tensor full_like(const Tensor &, Scalar, TensorOptions = {});
Tensor arange(Scalar, TensorOptions = {});
Tensor arange(Scalar, Scalar, TensorOptions = {});
Tensor cat(TensorList, int64_t = 0);
Tensor stack(TensorList, int64_t = 0);
typedef const char *CheckedFrom;
struct TensorArg {
  TensorArg(const Tensor &, const char *, int);
  Tensor tensor;
};
void checkAllSameGPU(CheckedFrom, c10::ArrayRef<TensorArg>);
void checkAllSameType(CheckedFrom, c10::ArrayRef<TensorArg>);
void checkAllSameNumel(CheckedFrom, c10::ArrayRef<TensorArg>);
void checkAllContiguous(CheckedFrom, c10::ArrayRef<TensorArg>);
Tensor sum(const Tensor &);
Tensor matmul(const Tensor &, const Tensor &);
Tensor scalar_tensor(Scalar, TensorOptions = {});
Tensor from_blob(void *, IntArrayRef, TensorOptions = {});
Tensor &sum_out(Tensor &, const Tensor &, IntArrayRef, bool = false);
int64_t numel(const Tensor &);
int64_t divup(int64_t, int64_t);
int get_num_threads();
int get_num_interop_threads();
void launch(std::function<void()>);
template <class F> void parallel_for(int64_t, int64_t, int64_t, const F &);
template <class T, class U> auto ceil_div(T a, U b) { return (a + b - 1) / b; }
template <class T, class U> auto round_up(T a, U b) { return (a + b - 1) / b * b; }
template <class T, bool on_cuda = true> struct AccumulateType { typedef T type; };
template <> struct AccumulateType<Half, true> { typedef float type; };
template <> struct AccumulateType<BFloat16, true> { typedef float type; };
template <> struct AccumulateType<__half, true> { typedef float type; };
template <> struct AccumulateType<__nv_bfloat16, true> { typedef float type; };
template <class T, bool on_cuda = true> using acc_type = typename AccumulateType<T, on_cuda>::type;
template <class T> struct OpMathType { typedef acc_type<T, true> type; };
template <class T> using opmath_type = typename OpMathType<T>::type;
template <class T> struct numeric_limits {
  static __host__ __device__ T lowest();
  static __host__ __device__ T max();
  static __host__ __device__ T lower_bound();
  static __host__ __device__ T upper_bound();
};
template <> struct numeric_limits<float> {
  static __host__ __device__ float lowest() { return -3.402823466e38f; }
  static __host__ __device__ float max() { return 3.402823466e38f; }
  static __host__ __device__ float lower_bound() { return -__builtin_inff(); }
  static __host__ __device__ float upper_bound() { return __builtin_inff(); }
};
struct Generator {
  std::mutex &mutex();
};
struct PhiloxCudaState {
  union Payload {
    uint64_t val;
    int64_t *ptr;
  };
  Payload seed_, offset_;
  uint64_t offset_intragraph_;
  bool captured_;
};
struct CUDAGeneratorImpl {
  std::mutex mutex_;
  PhiloxCudaState philox_cuda_state(uint64_t);
  std::pair<uint64_t, uint64_t> philox_engine_inputs(uint64_t);
};
template <class T> T *get_generator_or_default(const std::optional<Generator> &, const Generator &);
template <class T> T *check_generator(std::optional<Generator>);
struct OptionalDeviceGuard {
  template <class T> explicit OptionalDeviceGuard(T);
  ~OptionalDeviceGuard();
};
struct DeviceGuard {
  explicit DeviceGuard(Device);
  ~DeviceGuard();
};
template <class T> Device device_of(const T &);
struct Context {
  void lazyInitDevice(DeviceType);
  void lazyInitCUDA();
  bool allowTF32CuBLAS() const;
  bool deterministicAlgorithms() const;
  void alertNotDeterministic(const char *) const;
};
Context &globalContext();
namespace cuda {
using namespace c10::cuda;
cudaDeviceProp *getCurrentDeviceProperties();
cudaDeviceProp *getDeviceProperties(int64_t);
cublasHandle_t getCurrentCUDABlasHandle();
void *getCUDADeviceAllocator();
template <class T> T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
struct CUDAEvent {
  void record();
  void record(const CUDAStream &);
  void block(const CUDAStream &);
  void synchronize() const;
};
namespace philox {
__host__ __device__ inline std::tuple<uint64_t, uint64_t> unpack(PhiloxCudaState state) {
  uint64_t seed = state.captured_ ? (uint64_t)*state.seed_.ptr : state.seed_.val;
  uint64_t offset = state.captured_ ? (uint64_t)*state.offset_.ptr + state.offset_intragraph_ : state.offset_.val;
  return std::tuple<uint64_t, uint64_t>(seed, offset);
}
}
namespace detail {
const Generator &getDefaultCUDAGenerator(DeviceIndex = -1);
bool canUse32BitIndexMath(const Tensor &, int64_t = 2147483647);
template <class T, class I> struct TensorInfo {
  bool isContiguous() const { return dims == 1 && strides[0] == 1; }
  T *data;
  I sizes[25];
  I strides[25];
  int dims;
};
template <class T, class I> TensorInfo<T, I> getTensorInfo(const Tensor &);
template <class T, class I, int Dims> struct IndexToOffset {
  static __host__ __device__ I get(I index, const TensorInfo<T, I> &info) {
    I offset = 0;
    for (int i = (Dims < 0 ? info.dims : Dims) - 1; i > 0; --i) {
      offset += index % info.sizes[i] * info.strides[i];
      index /= info.sizes[i];
    }
    return offset + index * info.strides[0];
  }
};
}
}
}
template <class T> __device__ __forceinline__ void gpuAtomicAdd(T *p, T v) { atomicAdd(p, v); }
template <class T> __device__ __forceinline__ void gpuAtomicAddNoReturn(T *p, T v) { atomicAdd(p, v); }
__device__ __forceinline__ void gpuAtomicAdd(c10::Half *p, c10::Half v) {
  atomicAdd(reinterpret_cast<__half *>(p), __half(float(v)));
}
__device__ __forceinline__ void gpuAtomicAdd(c10::BFloat16 *p, c10::BFloat16 v) {
  atomicAdd(reinterpret_cast<__nv_bfloat16 *>(p), __nv_bfloat16(float(v)));
}
template <class T> __device__ __forceinline__ T WARP_SHFL(T v, int lane, int width = 32, unsigned mask = 0xffffffff) {
  return __shfl_sync(mask, v, lane, width);
}
template <class T> __device__ __forceinline__ T WARP_SHFL_XOR(T v, int m, int width = 32, unsigned mask = 0xffffffff) {
  return __shfl_xor_sync(mask, v, m, width);
}
template <class T> __device__ __forceinline__ T WARP_SHFL_UP(T v, unsigned d, int width = 32, unsigned mask = 0xffffffff) {
  return __shfl_up_sync(mask, v, d, width);
}
template <class T> __device__ __forceinline__ T WARP_SHFL_DOWN(T v, unsigned d, int width = 32, unsigned mask = 0xffffffff) {
  return __shfl_down_sync(mask, v, d, width);
}

namespace torch {
using namespace at;
using at::Tensor;
namespace headeronly = c10;
struct CustomClassHolder : c10::intrusive_ptr_target {};
struct Library {
  template <class... T> Library &def(T &&...);
  template <class... T> Library &impl(T &&...);
};
inline TensorOptions dtype(ScalarType kind) { return TensorOptions(kind); }
TensorOptions device(Device);
template <class... T> TensorOptions requires_grad(T...);
typedef ScalarType Dtype;
namespace autograd {}
namespace indexing {}
}
namespace caffe2 { using namespace c10; }
namespace py = torch;

#define CUDALINT_AS(kind, type, ...) case c10::ScalarType::kind: { using scalar_t = type; return __VA_ARGS__(); }
#define CUDALINT_FLOATS(...) CUDALINT_AS(Double, double, __VA_ARGS__) CUDALINT_AS(Float, float, __VA_ARGS__)
#define CUDALINT_INTEGERS(...) \
  CUDALINT_AS(Byte, uint8_t, __VA_ARGS__) CUDALINT_AS(Int, int, __VA_ARGS__) CUDALINT_AS(Long, int64_t, __VA_ARGS__)
#define CUDALINT_HALF(...) CUDALINT_AS(Half, c10::Half, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...) [&] { switch (c10::ScalarType(TYPE)) { __VA_ARGS__ default: AT_ERROR(); } }()
#define AT_DISPATCH_CASE(kind, ...) case kind: { using scalar_t = typename __cudalint_type<int(kind)>::type; return __VA_ARGS__(); }
#define AT_DISPATCH_CASE_FLOATING_TYPES(...) CUDALINT_FLOATS(__VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND(K, ...) CUDALINT_FLOATS(__VA_ARGS__) AT_DISPATCH_CASE(K, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND2(K, L, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES_AND(K, __VA_ARGS__) AT_DISPATCH_CASE(L, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...) CUDALINT_INTEGERS(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...) CUDALINT_FLOATS(__VA_ARGS__) CUDALINT_INTEGERS(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND(K, ...) AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(K, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND2(K, L, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND(K, __VA_ARGS__) AT_DISPATCH_CASE(L, __VA_ARGS__)
#define AT_PRIVATE_CASE_TYPE_USING_HINT(kind, HINT, ...) \
  case kind: { using HINT = typename __cudalint_type<int(kind)>::type; return __VA_ARGS__(); }
#define AT_PRIVATE_CASE_TYPE(NAME, kind, type, ...) case kind: { using scalar_t = type; return __VA_ARGS__(); }
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, CUDALINT_FLOATS(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, CUDALINT_FLOATS(__VA_ARGS__) CUDALINT_HALF(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(K, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, CUDALINT_FLOATS(__VA_ARGS__) AT_DISPATCH_CASE(K, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(K, L, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, CUDALINT_FLOATS(__VA_ARGS__) AT_DISPATCH_CASE(K, __VA_ARGS__) AT_DISPATCH_CASE(L, __VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, CUDALINT_HALF(__VA_ARGS__) AT_DISPATCH_CASE(c10::ScalarType::BFloat16, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, CUDALINT_INTEGERS(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES_AND(K, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, CUDALINT_INTEGERS(__VA_ARGS__) AT_DISPATCH_CASE(K, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, CUDALINT_FLOATS(__VA_ARGS__) CUDALINT_INTEGERS(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(K, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, CUDALINT_FLOATS(__VA_ARGS__) CUDALINT_INTEGERS(__VA_ARGS__) AT_DISPATCH_CASE(K, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(K, L, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, CUDALINT_FLOATS(__VA_ARGS__) CUDALINT_INTEGERS(__VA_ARGS__) \
    AT_DISPATCH_CASE(K, __VA_ARGS__) AT_DISPATCH_CASE(L, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(K, L, M, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, CUDALINT_FLOATS(__VA_ARGS__) CUDALINT_INTEGERS(__VA_ARGS__) \
    AT_DISPATCH_CASE(K, __VA_ARGS__) AT_DISPATCH_CASE(L, __VA_ARGS__) AT_DISPATCH_CASE(M, __VA_ARGS__))
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...) [&] { switch (c10::ScalarType(TYPE)) { \
  case c10::ScalarType::Int: { using index_t = int32_t; return __VA_ARGS__(); } \
  case c10::ScalarType::Long: { using index_t = int64_t; return __VA_ARGS__(); } \
  default: AT_ERROR(); } }()
template <int> struct __cudalint_type { typedef float type; };
template <> struct __cudalint_type<int(c10::ScalarType::Byte)> { typedef uint8_t type; };
template <> struct __cudalint_type<int(c10::ScalarType::Char)> { typedef int8_t type; };
template <> struct __cudalint_type<int(c10::ScalarType::Short)> { typedef int16_t type; };
template <> struct __cudalint_type<int(c10::ScalarType::Int)> { typedef int type; };
template <> struct __cudalint_type<int(c10::ScalarType::Long)> { typedef int64_t type; };
template <> struct __cudalint_type<int(c10::ScalarType::Half)> { typedef c10::Half type; };
template <> struct __cudalint_type<int(c10::ScalarType::Double)> { typedef double type; };
template <> struct __cudalint_type<int(c10::ScalarType::Bool)> { typedef bool type; };
template <> struct __cudalint_type<int(c10::ScalarType::BFloat16)> { typedef c10::BFloat16 type; };
