// What CCCL's private headers are included for: its names, and the macros that its code is written with.
#pragma once
#pragma clang system_header
#include <cuda/std/mdspan>
#include <cuda/functional>
#include <cuda/ptx>
#define _CCCL_HOST __host__
#define _CCCL_DEVICE __device__
#define _CCCL_HOST_DEVICE __host__ __device__
#define _CCCL_API __host__ __device__
#define _CCCL_HOST_API __host__
#define _CCCL_DEVICE_API __device__
#define _CCCL_TRIVIAL_API __host__ __device__
#define _CCCL_PUBLIC_API __host__ __device__
#define _CCCL_FORCEINLINE __forceinline__
#define _CCCL_VISIBILITY_HIDDEN
#define _CCCL_TYPE_VISIBILITY_DEFAULT
#define _CCCL_HIDE_FROM_ABI
#define _CCCL_KERNEL_ATTRIBUTES __global__
#define _CCCL_NODEBUG
#define _CCCL_NODEBUG_ALIAS
#define _CCCL_CONSTEXPR_CXX14 constexpr
#define _CCCL_CONSTEXPR_CXX17 constexpr
#define _CCCL_CONSTEXPR_CXX20
#define _CCCL_IF_CONSTEXPR if constexpr
#define _CCCL_ELSE_IF_CONSTEXPR else if constexpr
#define _CCCL_GLOBAL_CONSTANT inline constexpr
#define _CCCL_FALLTHROUGH() [[fallthrough]]
#define _CCCL_NORETURN [[noreturn]]
#define _CCCL_DEPRECATED
#define _CCCL_DEPRECATED_BECAUSE(...)
#define _CCCL_NO_UNIQUE_ADDRESS
#define _CCCL_RESTRICT __restrict__
#define _CCCL_PRAGMA_UNROLL_FULL() _Pragma("unroll")
#define _CCCL_PRAGMA_UNROLL(n)
#define _CCCL_PRAGMA_NOUNROLL()
#define _CCCL_EXEC_CHECK_DISABLE
#define _CCCL_ASSERT(...) ((void)0)
#define _CCCL_ASSUME(...) ((void)0)
#define _CCCL_UNREACHABLE() __builtin_unreachable()
#define _CCCL_TRAIT(t, ...) (t<__VA_ARGS__>::value)
#define _CCCL_STD_VER 2017
#define _CCCL_HAS_CUDA_COMPILER() 1
#define _CCCL_HAS_INT128() 1
#define _CCCL_TEMPLATE(...) template <__VA_ARGS__
#define _CCCL_REQUIRES(...) , ::std::enable_if_t<(__VA_ARGS__), int> = 0>
#define _CCCL_AND &&
#define _CCCL_OR ||
#define _LIBCUDACXX_HIDE_FROM_ABI __host__ __device__
#define _LIBCUDACXX_INLINE_VISIBILITY __host__ __device__
#define _CUDA_VSTD ::cuda::std
#define _CUDA_VSTD_NOVERSION ::cuda::std
namespace cuda {
namespace std {
namespace __mdspan_detail {
template <class __I, class... __J> inline constexpr bool __all_convertible_to_index_type = (::std::is_convertible_v<__J, __I> && ...);
}
}
}
