// Owners of device memory on a stream.
#pragma once
#pragma clang system_header
#include <cstddef>
#include <memory>
#include <cuda_runtime.h>
namespace rmm {
struct cuda_stream_view {
  cuda_stream_view();
  cuda_stream_view(cudaStream_t);
  cudaStream_t value() const;
  operator cudaStream_t() const;
  void synchronize() const;
  bool is_default() const;
};
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
namespace mr {
struct device_memory_resource {
  void *allocate(size_t, cuda_stream_view = {});
  void deallocate(void *, size_t, cuda_stream_view = {});
};
device_memory_resource *get_current_device_resource();
device_memory_resource *set_current_device_resource(device_memory_resource *);
}
struct device_async_resource_ref {
  device_async_resource_ref(mr::device_memory_resource *);
};
typedef device_async_resource_ref host_async_resource_ref;
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
  device_scalar(device_scalar &&);
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
  void *data();
  const void *data() const;
  size_t size() const;
  void resize(size_t, cuda_stream_view);
};
struct exec_policy {
  template <class... T> exec_policy(T...);
};
typedef exec_policy exec_policy_nosync;
struct cuda_device_id {
  explicit cuda_device_id(int);
  int value() const;
};
}
#define RMM_CUDA_TRY(call) do { if ((call) != cudaSuccess) __builtin_trap(); } while (0)
#define RMM_EXPECTS(condition, ...) do { if (!(condition)) __builtin_trap(); } while (0)
