// PyTorch's stable interface: its tensors are those of the rest, and calls by name give what nobody knows.
#pragma once
#pragma clang system_header
#include "torch.h"
typedef uint64_t StableIValue;
typedef int32_t AOTITorchError;
#define TORCH_ABI_VERSION 0
#ifndef AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(_) \
  _(uint8_t, Byte) _(int8_t, Char) _(int16_t, Short) _(int, Int) _(int64_t, Long) _(c10::Half, Half) _(float, Float) \
  _(double, Double) _(bool, Bool) _(c10::BFloat16, BFloat16)
#endif
#define TORCH_ERROR_CODE_CHECK(call) do { if ((call) != 0) __builtin_trap(); } while (0)
#define STD_TORCH_CHECK(condition, ...) TORCH_CHECK(condition)
#define STD_CUDA_CHECK(call) AT_CUDA_CHECK(call)
#define STD_CUDA_KERNEL_LAUNCH_CHECK() AT_CUDA_CHECK(cudaGetLastError())
#define TORCH_BOX(function) (function)
#define STABLE_TORCH_LIBRARY(name, m) TORCH_LIBRARY(name, m)
#define STABLE_TORCH_LIBRARY_FRAGMENT(name, m) TORCH_LIBRARY_FRAGMENT(name, m)
#define STABLE_TORCH_LIBRARY_IMPL(name, key, m) TORCH_LIBRARY_IMPL(name, key, m)
int32_t aoti_torch_layout_strided();
int32_t aoti_torch_memory_format_contiguous_format();
AOTITorchError aoti_torch_get_layout(void *, int32_t *);
AOTITorchError aoti_torch_get_current_cuda_stream(int32_t, void **);
AOTITorchError torch_call_dispatcher(const char *, const char *, StableIValue *, uint64_t);
AOTITorchError torch_get_current_cuda_blas_handle(void **);
namespace c10 {
typedef IntArrayRef IntHeaderOnlyArrayRef;
template <class T, size_t N, template <class> class P = at::DefaultPtrTraits, class I = int64_t>
using HeaderOnlyTensorAccessor = at::TensorAccessor<T, N, P, I>;
template <class T, size_t N, template <class> class P = at::DefaultPtrTraits, class I = int64_t>
using HeaderOnlyGenericPackedTensorAccessor = at::GenericPackedTensorAccessor<T, N, P, I>;
}
namespace torch {
namespace stable {
struct Tensor : at::Tensor {
  using at::Tensor::Tensor;
  Tensor(const at::Tensor &);
  void *get() const;
};
using c10::Device;
template <class... A> Tensor empty(const A &...);
Tensor empty(std::initializer_list<int64_t>, ...);
template <class... A> Tensor empty_like(const Tensor &, const A &...);
template <class... A> Tensor new_empty(const Tensor &, std::vector<int64_t>, const A &...);
template <class... A> Tensor new_zeros(const Tensor &, std::vector<int64_t>, const A &...);
template <class... A> Tensor fill_(const Tensor &, const A &...);
template <class... A> Tensor zero_(const Tensor &, const A &...);
Tensor copy_(const Tensor &, const Tensor &, bool = false);
Tensor view(const Tensor &, std::vector<int64_t>);
Tensor reshape(const Tensor &, std::vector<int64_t>);
Tensor transpose(const Tensor &, int64_t, int64_t);
Tensor narrow(const Tensor &, int64_t, int64_t, int64_t);
Tensor pad(const Tensor &, std::vector<int64_t>, ...);
Tensor clone(const Tensor &);
Tensor contiguous(const Tensor &, ...);
template <class... A> Tensor to(const Tensor &, const A &...);
template <class... A> Tensor sum(const Tensor &, const A &...);
namespace detail {
template <class T> StableIValue from(const T &);
template <class T> T to(StableIValue);
}
namespace accelerator {
typedef int32_t DeviceIndex;
struct DeviceGuard { explicit DeviceGuard(DeviceIndex); void set_index(DeviceIndex); };
struct Stream { int64_t id() const; void *native_handle() const; };
Stream getCurrentStream(DeviceIndex);
DeviceIndex getCurrentDeviceIndex();
}
}
}
