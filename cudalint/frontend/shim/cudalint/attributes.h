// CUDA's keywords as clang spells them, and the macros by which code recognises nvcc.
#pragma once
#pragma clang system_header

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 61
#define __NVCC_VER_MAJOR__ 12
#define __CUDA_API_VERSION_MAJOR__ 12
#define __CUDA_API_VER_MAJOR__ 12
#define __CUDA_API_VER_MINOR__ 8
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
#define __CUDART_API_VERSION 12080
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __CUDA_ARCH_LIST__ __CUDA_ARCH__
#define __CUDA_ARCH_HAS_FEATURE__(_FEAT) __CUDA_ARCH_FEAT_##_FEAT

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// clang knows managed memory for HIP only: the annotation tells the frontend.
#define __managed__ __attribute__((device)) __attribute__((annotate("cudalint.managed")))
#define __grid_constant__ __attribute__((annotate("cudalint.grid_constant")))
// libclang hides the numbers of clang's own attribute, not those of an annotation.
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__), annotate("cudalint.launch_bounds", __VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((annotate("cudalint.cluster_dims", __VA_ARGS__)))
#define __maxnreg__(...) __attribute__((annotate("cudalint.maxnreg", __VA_ARGS__)))
#define __block_size__(...)
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__ __inline__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __CUDA_ALIGN__(n) __attribute__((aligned(n)))
#define __CUDA_BUILTIN_VAR__
#define __device_builtin__
#define __cudart_builtin__
#define __nv_pure__
#define __nv_hdl_create_wrapper__
#define __cdecl
#define __thread__ __thread
#define CUDARTAPI
#define CUDAAPI
#define CUDA_CB
#define CUDART_CB
#define CUDARTAPI_CDECL
#define CUDART_DEVICE __device__
#define __CUDA_HD__ __host__ __device__
#define __nv_is_extended_device_lambda_closure_type(__T) false
#define __nv_is_extended_host_device_lambda_closure_type(__T) false

// Include guards of the toolkit's headers that other code asks for.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_TYPES_H__
#define __HOST_DEFINES_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
