// What CUB's algorithms over the whole device run for each element.
#pragma once
#pragma clang system_header
#include "cub_types.h"
#include "elements.h"
namespace cub {
using cudalint_elements::cudalint_at; using cudalint_elements::cudalint_of; using cudalint_elements::cudalint_plain;
struct cudalint_do_Reduce { CUDALINT_ON(class __I, class __O, class __F, class __T, class... __X)(__I first, __O, size_t n, __F f, __T initial, __X...) const { CUDALINT_IF(__F &, __T &, cudalint_at<__I>) CUDALINT_RUN(cudalint_folded, initial, f); } };
struct cudalint_do_TransformReduce { CUDALINT_ON(class __I, class __O, class __F, class __M, class __T, class... __X)(__I first, __O, size_t n, __F f, __M map, __T initial, __X...) const { CUDALINT_IF(__M &, cudalint_at<__I>) CUDALINT_RUN(cudalint_mapped, map, initial, f); } };
struct cudalint_do_InclusiveScan { CUDALINT_ON(class __I, class __O, class __F, class... __X)(__I first, __O out, __F f, size_t n, __X...) const { CUDALINT_IF(__F &, const cudalint_of<__I> &, const cudalint_of<__I> &) CUDALINT_RUN(cudalint_scanned, cudalint_plain(out), f); } };
struct cudalint_do_ExclusiveScan { CUDALINT_ON(class __I, class __O, class __F, class __T, class... __X)(__I first, __O out, __F f, __T, size_t n, __X...) const { cudalint_do_InclusiveScan()(first, out, f, n); } };
struct cudalint_do_If { CUDALINT_ON(class __I, class __O, class __K, class __P, class... __X)(__I first, __O, __K, size_t n, __P p, __X...) const { CUDALINT_IF(__P &, const cudalint_of<__I> &) CUDALINT_RUN(cudalint_picked, p); } };
struct cudalint_do_SortKeys { CUDALINT_ON(class __I, class __C, class... __X)(__I first, size_t n, __C c, __X...) const { CUDALINT_IF(__C &, const cudalint_of<__I> &, const cudalint_of<__I> &) CUDALINT_RUN(cudalint_compared, cudalint_plain(first + 1), c); } };
struct cudalint_do_SortPairs { CUDALINT_ON(class __I, class __J, class __C, class... __X)(__I first, __J, size_t n, __C c, __X...) const { cudalint_do_SortKeys()(first, n, c); } };
struct cudalint_do_Transform { CUDALINT_ON(class __I, class __O, class __F, class... __X)(__I first, __O out, size_t n, __F f, __X...) const { CUDALINT_IF(__F &, cudalint_at<__I>) CUDALINT_RUN(cudalint_unary, cudalint_plain(out), f); } };
struct cudalint_do_Bulk { CUDALINT_ON(class __N, class __F, class... __X)(__N first, __F f, __X...) const { size_t n = first; CUDALINT_IF(__F &, __N) CUDALINT_RUN(cudalint_indexed, f); } };
struct cudalint_do_ForEachN { CUDALINT_ON(class __I, class __F, class... __X)(__I first, size_t n, __F f, __X...) const { CUDALINT_IF(__F &, cudalint_at<__I>) CUDALINT_RUN(cudalint_each, f); } };
struct cudalint_do_ForEach { CUDALINT_ON(class __I, class __F, class... __X)(__I first, __I last, __F f, __X...) const { CUDALINT_COUNT CUDALINT_IF(__F &, cudalint_at<__I>) CUDALINT_RUN(cudalint_each, f); } };
template <class __W, class... __A> __host__ __device__ cudaError_t cudalint_run(__A &&...a) { if constexpr (std::is_invocable_v<__W &, std::decay_t<__A>...>) __W()(a...); return cudaSuccess; }
}
