// Owners of device memory on a stream.
#pragma once
#pragma clang system_header
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <cuda/memory_resource>
#include <cuda_runtime.h>
namespace rmm {
struct cuda_stream_view {
  constexpr cuda_stream_view() : stream_() {}
  constexpr cuda_stream_view(cudaStream_t s) : stream_(s) {}
  constexpr cudaStream_t value() const { return stream_; }
  constexpr operator cudaStream_t() const { return stream_; }
  void synchronize() const;
  void synchronize_no_throw() const;
  bool is_default() const;
  bool is_per_thread_default() const;
private:
  cudaStream_t stream_;
};
bool operator==(cuda_stream_view, cuda_stream_view);
bool operator!=(cuda_stream_view, cuda_stream_view);
struct cuda_stream {
  cudaStream_t value() const;
  cuda_stream_view view() const;
  operator cuda_stream_view() const;
  operator cudaStream_t() const;
  void synchronize() const;
};
inline const cuda_stream_view cuda_stream_default{};
inline const cuda_stream_view cuda_stream_per_thread{};
struct cuda_stream_pool {
  explicit cuda_stream_pool(size_t = 16);
  cuda_stream_view get_stream() const;
  cuda_stream_view get_stream(size_t) const;
  size_t get_pool_size() const;
};
typedef cuda::mr::resource_ref<cuda::mr::device_accessible> device_async_resource_ref;
typedef device_async_resource_ref device_resource_ref;
typedef cuda::mr::resource_ref<cuda::mr::host_accessible> host_async_resource_ref;
typedef host_async_resource_ref host_resource_ref;
typedef cuda::mr::resource_ref<cuda::mr::host_accessible, cuda::mr::device_accessible> host_device_async_resource_ref;
typedef host_device_async_resource_ref host_device_resource_ref;
struct cuda_device_id {
  explicit cuda_device_id(int = 0);
  int value() const;
};
cuda_device_id get_current_cuda_device();
size_t percent_of_free_device_memory(int);
std::pair<size_t, size_t> available_device_memory();
struct bad_alloc : std::exception {};
struct out_of_memory : bad_alloc {};
struct logic_error : std::exception {};
struct cuda_error : std::exception {};
namespace mr {
struct device_memory_resource {
  virtual ~device_memory_resource();
  void *allocate(size_t, cuda_stream_view = {});
  void deallocate(void *, size_t, cuda_stream_view = {});
  bool is_equal(const device_memory_resource &) const noexcept;
};
struct cuda_memory_resource : device_memory_resource {};
struct cuda_async_memory_resource : device_memory_resource { template <class... A> cuda_async_memory_resource(A...); };
struct managed_memory_resource : device_memory_resource {};
struct pinned_host_memory_resource : device_memory_resource {};
struct cudalint_adaptor : device_memory_resource {
  template <class... A> cudalint_adaptor(A &&...);
  device_async_resource_ref get_upstream_resource() const;
  size_t get_allocation_limit() const;
  size_t get_allocated_bytes() const;
};
struct pool_memory_resource : cudalint_adaptor { using cudalint_adaptor::cudalint_adaptor; };
struct limiting_resource_adaptor : cudalint_adaptor { using cudalint_adaptor::cudalint_adaptor; };
struct logging_resource_adaptor : cudalint_adaptor { using cudalint_adaptor::cudalint_adaptor; };
struct statistics_resource_adaptor : cudalint_adaptor { using cudalint_adaptor::cudalint_adaptor; };
struct binning_memory_resource : cudalint_adaptor { using cudalint_adaptor::cudalint_adaptor; };
struct arena_memory_resource : cudalint_adaptor { using cudalint_adaptor::cudalint_adaptor; };
template <class... A> auto make_owning_wrapper(A &&...) -> std::shared_ptr<device_memory_resource>;
device_memory_resource *get_current_device_resource();
template <class R> device_async_resource_ref set_current_device_resource(R &&);
device_async_resource_ref get_current_device_resource_ref();
template <class R> device_async_resource_ref set_current_device_resource_ref(R &&);
device_memory_resource *get_per_device_resource(cuda_device_id);
device_async_resource_ref get_per_device_resource_ref(cuda_device_id);
template <class R> device_memory_resource *set_per_device_resource(cuda_device_id, R &&);
void reset_per_device_resource(cuda_device_id);
void reset_current_device_resource_ref();
template <class T> struct thrust_allocator { typedef T value_type; template <class... A> thrust_allocator(A &&...); T *allocate(size_t); void deallocate(T *, size_t); };
template <class T> using polymorphic_allocator = thrust_allocator<T>;
}
template <class T> class device_uvector {
public:
  device_uvector(size_t, cuda_stream_view);
  template <class R> device_uvector(size_t, cuda_stream_view, R);
  device_uvector(const device_uvector &, cuda_stream_view);
  device_uvector(device_uvector &&);
  device_uvector &operator=(device_uvector &&);
  ~device_uvector();
  T *data();
  const T *data() const;
  T *begin();
  T *end();
  const T *begin() const;
  const T *end() const;
  size_t size() const;
  bool is_empty() const;
  size_t capacity() const;
  cuda_stream_view stream() const;
  void resize(size_t, cuda_stream_view);
  void reserve(size_t, cuda_stream_view);
  T *element_ptr(size_t);
  T element(size_t, cuda_stream_view) const;
  T front_element(cuda_stream_view) const;
  T back_element(cuda_stream_view) const;
  void set_element(size_t, const T &, cuda_stream_view);
  void set_element_async(size_t, const T &, cuda_stream_view);
  void set_element_to_zero_async(size_t, cuda_stream_view);
  void release();
};
template <class T> using device_vector = device_uvector<T>;
template <class T> class device_scalar {
public:
  explicit device_scalar(cuda_stream_view);
  device_scalar(const T &, cuda_stream_view);
  template <class R> device_scalar(const T &, cuda_stream_view, R);
  template <class R, std::enable_if_t<!std::is_convertible<R, cuda_stream_view>::value, int> = 0> device_scalar(cuda_stream_view, R);
  device_scalar(device_scalar &&);
  device_scalar &operator=(device_scalar &&);
  cuda_stream_view stream() const;
  T *data();
  const T *data() const;
  T value(cuda_stream_view) const;
  void set_value_async(const T &, cuda_stream_view);
  void set_value_to_zero_async(cuda_stream_view);
};
class device_buffer {
public:
  device_buffer();
  device_buffer(size_t, cuda_stream_view);
  template <class R> device_buffer(size_t, cuda_stream_view, R);
  device_buffer(const void *, size_t, cuda_stream_view);
  device_buffer(device_buffer &&);
  device_buffer &operator=(device_buffer &&);
  cuda_stream_view stream() const;
  void *data();
  const void *data() const;
  size_t size() const;
  void resize(size_t, cuda_stream_view);
};
struct exec_policy {
  template <class... T> exec_policy(T...);
};
typedef exec_policy exec_policy_nosync;
}
#define RMM_CUDA_TRY(call) do { if ((call) != cudaSuccess) __builtin_trap(); } while (0)
#define RMM_EXPECTS(condition, ...) do { if (!(condition)) __builtin_trap(); } while (0)
