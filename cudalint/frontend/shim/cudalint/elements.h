// What algorithms over the whole device run for each element, as kernels: the frontend makes one of each call.
#pragma once
#pragma clang system_header
#include "std_place.h"
namespace cudalint_elements {
// Iterators whose pointers are plain ones. device: they show that they point to memory of the device; anywhere:
// they point to no memory.
template <class __I> struct cudalint_flat { using type = __I; static constexpr bool anywhere = false, device = false; __host__ __device__ static type of(const __I &i) { return i; } __host__ __device__ static ptrdiff_t spanned(const __I &a, const __I &b) { return b - a; } };
template <class __I> __host__ __device__ typename cudalint_flat<__I>::type cudalint_plain(const __I &i) { return cudalint_flat<__I>::of(i); }
template <class __I> using cudalint_of = typename std::iterator_traits<typename cudalint_flat<__I>::type>::value_type;
template <class __I> using cudalint_at = decltype(std::declval<typename cudalint_flat<__I>::type &>()[0]);

#define CUDALINT_EACH size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < count)
template <class __I, class __F> __global__ void cudalint_each(__I input, size_t count, __F function) { CUDALINT_EACH function(input[i]); }
template <class __I, class __O, class __F> __global__ void cudalint_unary(__I input, size_t count, __O output, __F function) { CUDALINT_EACH output[i] = function(input[i]); }
template <class __I, class __J, class __O, class __F> __global__ void cudalint_binary(__I input, size_t count, __J other, __O output, __F function) { CUDALINT_EACH output[i] = function(input[i], other[i]); }
template <class __I, class __J, class __O, class __F, class __P> __global__ void cudalint_masked(__I input, size_t count, __J stencil, __O output, __F function, __P predicate) { CUDALINT_EACH { if (predicate(stencil[i])) output[i] = function(input[i]); } }
template <class __O, class __F> __global__ void cudalint_made(__O output, size_t count, __F function) { CUDALINT_EACH output[i] = function(); }
template <class __O, class __F> __global__ void cudalint_tabled(__O output, size_t count, __F function) { CUDALINT_EACH output[i] = function(i); }
// A thread's part of a reduction stays in registers; what it is so far, nobody knows.
template <class __T> __device__ __T cudalint_unknown();
template <class __T> __device__ void __cudalint_use(const __T &);
template <class __I, class __T, class __F> __global__ void cudalint_folded(__I input, size_t count, __T, __F function) { CUDALINT_EACH { __T sum = function(cudalint_unknown<__T>(), input[i]); __cudalint_use(sum); } }
template <class __I, class __F, class __T, class __G> __global__ void cudalint_mapped(__I input, size_t count, __F map, __T, __G function) { CUDALINT_EACH { __T sum = function(cudalint_unknown<__T>(), map(input[i])); __cudalint_use(sum); } }
template <class __I, class __J, class __T, class __G, class __F> __global__ void cudalint_joined(__I input, size_t count, __J other, __T, __G function, __F join) { CUDALINT_EACH { __T sum = function(cudalint_unknown<__T>(), join(input[i], other[i])); __cudalint_use(sum); } }
template <class __I, class __P> __global__ void cudalint_tested(__I input, size_t count, __P predicate) { CUDALINT_EACH { bool is = predicate(input[i]); __cudalint_use(is); } }
// Elements that are moved as a whole: the threads of a warp load the words of their records together.
template <class __I> __device__ typename std::iterator_traits<__I>::value_type cudalint_whole(__I input, size_t i) {
  using element = typename std::iterator_traits<__I>::value_type;
  if constexpr (std::is_pointer_v<__I> && std::is_class_v<element> && sizeof(element) % 4 == 0) {
    const unsigned int *words = (const unsigned int *)input;
    unsigned int sum = 0;
    for (size_t k = 0; k < sizeof(element) / 4; ++k) sum ^= words[(i / 32 * (sizeof(element) / 4) + k) * 32 + i % 32];
    __cudalint_use(sum);
    return cudalint_unknown<element>();
  } else return input[i];
}
template <class __I, class __P> __global__ void cudalint_picked(__I input, size_t count, __P predicate) { CUDALINT_EACH { const typename std::iterator_traits<__I>::value_type element = cudalint_whole(input, i); bool is = predicate(element); __cudalint_use(is); } }
template <class __I, class __J, class __P> __global__ void cudalint_stencilled(__I input, size_t count, __J stencil, __P predicate) { CUDALINT_EACH { __cudalint_use(cudalint_whole(input, i)); bool is = predicate(stencil[i]); __cudalint_use(is); } }
// Two elements, as a sort compares them in registers.
template <class __I, class __C> __global__ void cudalint_compared(__I input, size_t count, __I next, __C compare) { CUDALINT_EACH { const typename std::iterator_traits<__I>::value_type one = cudalint_whole(input, i), two = cudalint_whole(next, i); bool is = compare(one, two); __cudalint_use(is); } }
// A scan combines what it has loaded.
template <class __I, class __O, class __F> __global__ void cudalint_scanned(__I input, size_t count, __O output, __F function) { CUDALINT_EACH { const typename std::iterator_traits<__I>::value_type element = input[i]; output[i] = function(element, element); } }
template <class __I, class __O, class __F, class __G> __global__ void cudalint_map_scanned(__I input, size_t count, __O output, __F map, __G function) { CUDALINT_EACH { const auto element = map(input[i]); output[i] = function(element, element); } }
template <class __N, class __F> __global__ void cudalint_indexed(__N, size_t count, __F function) { CUDALINT_EACH function((__N)i); }
#undef CUDALINT_EACH
}
// What an algorithm does with its arguments is the operator() of a `cudalint_do_...`; the range is of n elements
// from `first`. What is not understood makes no kernel.
#define CUDALINT_RUN(kernel, ...) cudalint_elements::kernel<<<(unsigned int)((n + 255) / 256), 256>>>(cudalint_elements::cudalint_plain(first), n, ##__VA_ARGS__)
#define CUDALINT_IF(...) if constexpr (std::is_invocable_v<__VA_ARGS__>)
#define CUDALINT_COUNT size_t n = cudalint_elements::cudalint_flat<__I>::spanned(first, last);
#define CUDALINT_ON(...) template <__VA_ARGS__> __host__ __device__ void operator()
