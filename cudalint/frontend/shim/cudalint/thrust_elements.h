// What Thrust's algorithms run for each element.
#pragma once
#pragma clang system_header
#include "thrust_memory.h"
#include "elements.h"
namespace cudalint_elements {
template <class __T> struct cudalint_flat<thrust::device_ptr<__T>> { using type = __T *; static constexpr bool anywhere = false, device = true; __host__ __device__ static type of(const thrust::device_ptr<__T> &i) { return i.get(); } __host__ __device__ static ptrdiff_t spanned(const thrust::device_ptr<__T> &a, const thrust::device_ptr<__T> &b) { return b.get() - a.get(); } };
template <class __T> struct cudalint_flat<thrust::counting_iterator<__T>> { using type = thrust::counting_iterator<__T>; static constexpr bool anywhere = true, device = false; __host__ __device__ static type of(const type &i) { return i; } __host__ __device__ static ptrdiff_t spanned(const type &a, const type &b) { return (ptrdiff_t)(b.cudalint_first - a.cudalint_first); } };
template <class __F, class __I> struct cudalint_flat<thrust::transform_iterator<__F, __I>> { using flat = cudalint_flat<__I>; using type = thrust::transform_iterator<__F, typename flat::type>; static constexpr bool anywhere = false, device = flat::device; __host__ __device__ static type of(const thrust::transform_iterator<__F, __I> &i) { return type(flat::of(i.cudalint_base), i.cudalint_f); } __host__ __device__ static ptrdiff_t spanned(const thrust::transform_iterator<__F, __I> &a, const thrust::transform_iterator<__F, __I> &b) { return flat::spanned(a.cudalint_base, b.cudalint_base); } };
template <class __E, class __I> struct cudalint_flat<thrust::permutation_iterator<__E, __I>> { using elements = cudalint_flat<__E>; using indices = cudalint_flat<__I>; using type = thrust::permutation_iterator<typename elements::type, typename indices::type>; static constexpr bool anywhere = false, device = elements::device; __host__ __device__ static type of(const thrust::permutation_iterator<__E, __I> &i) { return type(elements::of(i.cudalint_sources), indices::of(i.cudalint_indices)); } __host__ __device__ static ptrdiff_t spanned(const thrust::permutation_iterator<__E, __I> &a, const thrust::permutation_iterator<__E, __I> &b) { return indices::spanned(a.cudalint_indices, b.cudalint_indices); } };
template <class... __I> struct cudalint_flat<thrust::zip_iterator<std::tuple<__I...>>> {
  using type = thrust::zip_iterator<std::tuple<typename cudalint_flat<__I>::type...>>; static constexpr bool anywhere = false, device = (cudalint_flat<__I>::device || ...);
  template <size_t... __K> __host__ __device__ static type each(const std::tuple<__I...> &t, std::index_sequence<__K...>) { return type(std::tuple<typename cudalint_flat<__I>::type...>(cudalint_flat<__I>::of(std::get<__K>(t))...)); }
  __host__ __device__ static type of(const thrust::zip_iterator<std::tuple<__I...>> &i) { return each(i.cudalint_iterators, std::make_index_sequence<sizeof...(__I)>()); }
  __host__ __device__ static ptrdiff_t spanned(const thrust::zip_iterator<std::tuple<__I...>> &a, const thrust::zip_iterator<std::tuple<__I...>> &b) { return cudalint_flat<typename std::tuple_element<0, std::tuple<__I...>>::type>::spanned(a.cudalint_iterators.head, b.cudalint_iterators.head); }
};
}
namespace thrust {
using cudalint_elements::cudalint_at; using cudalint_elements::cudalint_of; using cudalint_elements::cudalint_plain; using cudalint_elements::cudalint_flat;
struct cudalint_do_for_each_n { CUDALINT_ON(class __I, class __F)(__I first, size_t n, __F f) const { CUDALINT_IF(__F &, cudalint_at<__I>) CUDALINT_RUN(cudalint_each, f); } };
struct cudalint_do_for_each { CUDALINT_ON(class __I, class __F)(__I first, __I last, __F f) const { CUDALINT_COUNT CUDALINT_IF(__F &, cudalint_at<__I>) CUDALINT_RUN(cudalint_each, f); } };
struct cudalint_do_transform {
  CUDALINT_ON(class __I, class __O, class __F)(__I first, __I last, __O out, __F f) const { CUDALINT_COUNT CUDALINT_IF(__F &, cudalint_at<__I>) CUDALINT_RUN(cudalint_unary, cudalint_plain(out), f); }
  CUDALINT_ON(class __I, class __J, class __O, class __F)(__I first, __I last, __J other, __O out, __F f) const { CUDALINT_COUNT CUDALINT_IF(__F &, cudalint_at<__I>, cudalint_at<__J>) CUDALINT_RUN(cudalint_binary, cudalint_plain(other), cudalint_plain(out), f); }
};
struct cudalint_do_transform_if {
  CUDALINT_ON(class __I, class __O, class __F, class __P)(__I first, __I last, __O out, __F f, __P p) const { CUDALINT_COUNT CUDALINT_IF(__P &, cudalint_at<__I>) CUDALINT_IF(__F &, cudalint_at<__I>) CUDALINT_RUN(cudalint_masked, cudalint_plain(first), cudalint_plain(out), f, p); }
  CUDALINT_ON(class __I, class __J, class __O, class __F, class __P)(__I first, __I last, __J stencil, __O out, __F f, __P p) const { CUDALINT_COUNT CUDALINT_IF(__P &, cudalint_at<__J>) CUDALINT_IF(__F &, cudalint_at<__I>) CUDALINT_RUN(cudalint_masked, cudalint_plain(stencil), cudalint_plain(out), f, p); }
};
struct cudalint_do_generate { CUDALINT_ON(class __I, class __F)(__I first, __I last, __F f) const { CUDALINT_COUNT CUDALINT_IF(__F &) CUDALINT_RUN(cudalint_made, f); } };
struct cudalint_do_generate_n { CUDALINT_ON(class __I, class __F)(__I first, size_t n, __F f) const { CUDALINT_IF(__F &) CUDALINT_RUN(cudalint_made, f); } };
struct cudalint_do_tabulate { CUDALINT_ON(class __I, class __F)(__I first, __I last, __F f) const { CUDALINT_COUNT CUDALINT_IF(__F &, size_t) CUDALINT_RUN(cudalint_tabled, f); } };
struct cudalint_do_reduce { CUDALINT_ON(class __I, class __T, class __F)(__I first, __I last, __T initial, __F f) const { CUDALINT_COUNT CUDALINT_IF(__F &, __T &, cudalint_at<__I>) CUDALINT_RUN(cudalint_folded, initial, f); } };
struct cudalint_do_transform_reduce { CUDALINT_ON(class __I, class __M, class __T, class __F)(__I first, __I last, __M map, __T initial, __F f) const { CUDALINT_COUNT CUDALINT_IF(__M &, cudalint_at<__I>) CUDALINT_RUN(cudalint_mapped, map, initial, f); } };
struct cudalint_do_inner_product { CUDALINT_ON(class __I, class __J, class __T, class __F, class __G)(__I first, __I last, __J other, __T initial, __F f, __G join) const { CUDALINT_COUNT CUDALINT_IF(__G &, cudalint_at<__I>, cudalint_at<__J>) CUDALINT_RUN(cudalint_joined, cudalint_plain(other), initial, f, join); } };
struct cudalint_do_count_if { CUDALINT_ON(class __I, class __P)(__I first, __I last, __P p) const { CUDALINT_COUNT CUDALINT_IF(__P &, cudalint_at<__I>) CUDALINT_RUN(cudalint_tested, p); } };
struct cudalint_do_remove_if {
  CUDALINT_ON(class __I, class __P)(__I first, __I last, __P p) const { CUDALINT_COUNT CUDALINT_IF(__P &, const cudalint_of<__I> &) CUDALINT_RUN(cudalint_picked, p); }
  CUDALINT_ON(class __I, class __J, class __P)(__I first, __I last, __J stencil, __P p) const { CUDALINT_COUNT CUDALINT_IF(__P &, cudalint_at<__J>) CUDALINT_RUN(cudalint_stencilled, cudalint_plain(stencil), p); }
};
struct cudalint_do_copy_if {
  CUDALINT_ON(class __I, class __O, class __P)(__I first, __I last, __O, __P p) const { cudalint_do_remove_if()(first, last, p); }
  CUDALINT_ON(class __I, class __J, class __O, class __P)(__I first, __I last, __J stencil, __O, __P p) const { cudalint_do_remove_if()(first, last, stencil, p); }
};
struct cudalint_do_sort { CUDALINT_ON(class __I, class __C)(__I first, __I last, __C c) const { CUDALINT_COUNT CUDALINT_IF(__C &, const cudalint_of<__I> &, const cudalint_of<__I> &) CUDALINT_RUN(cudalint_compared, cudalint_plain(first + 1), c); } };
struct cudalint_do_sort_by_key { CUDALINT_ON(class __I, class __J, class __C)(__I first, __I last, __J, __C c) const { cudalint_do_sort()(first, last, c); } };
struct cudalint_do_scan {
  CUDALINT_ON(class __I, class __O, class __F)(__I first, __I last, __O out, __F f) const { CUDALINT_COUNT CUDALINT_IF(__F &, const cudalint_of<__I> &, const cudalint_of<__I> &) CUDALINT_RUN(cudalint_scanned, cudalint_plain(out), f); }
  CUDALINT_ON(class __I, class __O, class __T, class __F)(__I first, __I last, __O out, __T, __F f) const { cudalint_do_scan()(first, last, out, f); }
};
struct cudalint_do_transform_scan {
  CUDALINT_ON(class __I, class __O, class __M, class __F)(__I first, __I last, __O out, __M map, __F f) const { CUDALINT_COUNT CUDALINT_IF(__M &, cudalint_at<__I>) CUDALINT_RUN(cudalint_map_scanned, cudalint_plain(out), map, f); }
  CUDALINT_ON(class __I, class __O, class __M, class __T, class __F)(__I first, __I last, __O out, __M map, __T, __F f) const { cudalint_do_transform_scan()(first, last, out, map, f); }
};
// On the device where the policy says so, or without one the iterators.
template <class __W, class __H, class... __A> __host__ __device__ void cudalint_run(__H &&h, __A &&...a) {
  using first = std::decay_t<__H>;
  if constexpr (std::is_base_of_v<cudalint_policy, first>) {
    if constexpr (!std::is_base_of_v<cudalint_host_policy, first> && std::is_invocable_v<__W &, std::decay_t<__A>...>) __W()(a...);
  } else if constexpr (cudalint_flat<first>::device || (cudalint_flat<first>::anywhere && (cudalint_flat<std::decay_t<__A>>::device || ...))) {
    if constexpr (std::is_invocable_v<__W &, first, std::decay_t<__A>...>) __W()(h, a...);
  }
}
}
