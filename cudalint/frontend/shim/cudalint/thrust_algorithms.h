// Thrust's algorithms, by name: what they return is derived from the arguments behind an optional policy.
#pragma once
#pragma clang system_header
#include "thrust_elements.h"
namespace thrust {
#define CUDALINT_THRUST __host__ __device__
// The N-th argument after an execution policy.
template <bool Policy, int __N, class... __A> struct cudalint_nth;
template <int __N, class __H, class... __A> struct cudalint_nth<false, __N, __H, __A...> : cudalint_nth<false, __N - 1, __A...> {};
template <class __H, class... __A> struct cudalint_nth<false, 0, __H, __A...> { using type = std::decay_t<__H>; };
template <int __N, class __H, class... __A> struct cudalint_nth<true, __N, __H, __A...> : cudalint_nth<false, __N, __A...> {};
template <int __N, class... __A> struct cudalint_behind_policy;
template <int __N, class __H, class... __A> struct cudalint_behind_policy<__N, __H, __A...> : cudalint_nth<std::is_base_of_v<cudalint_policy, std::decay_t<__H>>, __N, __H, __A...> {};
template <int __N, class... __A> using cudalint_arg = typename cudalint_behind_policy<__N, __A...>::type;
template <class... __A> inline constexpr int cudalint_given = sizeof...(__A) - (std::is_base_of_v<cudalint_policy, std::decay_t<__A>> + ... + 0);
template <class __I> using cudalint_value = typename std::iterator_traits<__I>::value_type;
template <int __N, class... __A> constexpr auto cudalint_reduced() { if constexpr (cudalint_given<__A...> > __N) return std::type_identity<cudalint_arg<__N, __A...>>(); else return std::type_identity<cudalint_value<cudalint_arg<0, __A...>>>(); }
#define NOTHING(n) template <class... __A> CUDALINT_THRUST void n(__A &&...);
#define SAME(n, k) template <class... __A> CUDALINT_THRUST cudalint_arg<k, __A...> n(__A &&...);
// Those that call a function for each element have the body of what runs on the device.
#define RUN(work) { ::thrust::cudalint_run<cudalint_do_##work>(a...); }
#define NOTHING_RUN(n, w) template <class... __A> CUDALINT_THRUST void n(__A &&...a) RUN(w)
#define SAME_RUN(n, k, w) template <class... __A> CUDALINT_THRUST cudalint_arg<k, __A...> n(__A &&...a) RUN(w)
#define PLAIN_RUN(n, __T, w) template <class... __A> CUDALINT_THRUST __T n(__A &&...a) RUN(w)
#define PLAIN(n, __T) template <class... __A> CUDALINT_THRUST __T n(__A &&...);
NOTHING(fill) NOTHING(sequence) NOTHING_RUN(generate, generate) NOTHING_RUN(sort, sort) NOTHING_RUN(stable_sort, sort) NOTHING_RUN(sort_by_key, sort_by_key) NOTHING_RUN(stable_sort_by_key, sort_by_key)
NOTHING(replace) NOTHING(replace_if) NOTHING_RUN(tabulate, tabulate) NOTHING(reverse) NOTHING(shuffle) NOTHING(scatter) NOTHING(scatter_if)
NOTHING(uninitialized_fill) NOTHING(destroy)
SAME_RUN(for_each, 1, for_each) SAME_RUN(for_each_n, 0, for_each_n) SAME(fill_n, 0) SAME_RUN(generate_n, 0, generate_n) SAME(copy, 2) SAME(copy_n, 2) SAME(gather, 3) SAME(gather_if, 4)
SAME_RUN(inclusive_scan, 2, scan) SAME_RUN(exclusive_scan, 2, scan) SAME_RUN(transform_inclusive_scan, 2, transform_scan) SAME_RUN(transform_exclusive_scan, 2, transform_scan)
SAME(inclusive_scan_by_key, 3) SAME(exclusive_scan_by_key, 3) SAME(adjacent_difference, 2) SAME(unique, 0) SAME(unique_copy, 2)
SAME(remove, 0) SAME_RUN(remove_if, 0, remove_if) SAME(remove_copy, 2) SAME_RUN(remove_copy_if, 2, copy_if) SAME_RUN(partition, 0, remove_if) SAME_RUN(stable_partition, 0, remove_if) SAME(find, 0)
SAME_RUN(find_if, 0, count_if) SAME_RUN(find_if_not, 0, count_if) SAME(max_element, 0) SAME(min_element, 0) SAME(is_sorted_until, 0) SAME(swap_ranges, 1)
SAME(merge, 4) SAME(set_union, 4) SAME(set_intersection, 4) SAME(set_difference, 4) SAME(set_symmetric_difference, 4)
SAME(reverse_copy, 2) SAME(shuffle_copy, 2) SAME(replace_copy, 2) SAME(replace_copy_if, 2) SAME(uninitialized_copy, 2) SAME(partition_point, 0)
SAME(adjacent_find, 0)
PLAIN(count, ptrdiff_t) PLAIN_RUN(count_if, ptrdiff_t, count_if) PLAIN(equal, bool) PLAIN(is_sorted, bool) PLAIN_RUN(all_of, bool, count_if) PLAIN_RUN(any_of, bool, count_if)
PLAIN_RUN(none_of, bool, count_if) PLAIN(is_partitioned, bool)
template <class... __A> CUDALINT_THRUST auto reduce(__A &&...a) -> typename decltype(cudalint_reduced<2, __A...>())::type RUN(reduce)
template <class... __A> CUDALINT_THRUST auto inner_product(__A &&...a) -> cudalint_arg<3, __A...> RUN(inner_product)
template <class... __A> CUDALINT_THRUST auto transform_reduce(__A &&...a) -> cudalint_arg<3, __A...> RUN(transform_reduce)
// The output stands behind one or two inputs: which is seen from the number of arguments.
template <class... __A> constexpr auto cudalint_transformed() { if constexpr (cudalint_given<__A...> > 4) return std::type_identity<cudalint_arg<3, __A...>>(); else return std::type_identity<cudalint_arg<2, __A...>>(); }
template <class... __A> CUDALINT_THRUST auto transform(__A &&...a) -> typename decltype(cudalint_transformed<__A...>())::type RUN(transform)
template <class... __A> CUDALINT_THRUST auto transform_if(__A &&...a) -> typename decltype(cudalint_transformed<__A...>())::type RUN(transform_if)
template <class... __A> CUDALINT_THRUST auto copy_if(__A &&...a) -> cudalint_arg<(cudalint_given<__A...> > 4) ? 3 : 2, __A...> RUN(copy_if)
template <class... __A> CUDALINT_THRUST auto partition_copy(__A &&...) -> pair<cudalint_arg<2, __A...>, cudalint_arg<3, __A...>>;
template <class... __A> CUDALINT_THRUST auto reduce_by_key(__A &&...) -> pair<cudalint_arg<3, __A...>, cudalint_arg<4, __A...>>;
template <class... __A> CUDALINT_THRUST auto unique_by_key(__A &&...) -> pair<cudalint_arg<0, __A...>, cudalint_arg<2, __A...>>;
template <class... __A> CUDALINT_THRUST auto unique_by_key_copy(__A &&...) -> pair<cudalint_arg<3, __A...>, cudalint_arg<4, __A...>>;
template <class... __A> CUDALINT_THRUST auto merge_by_key(__A &&...) -> pair<cudalint_arg<6, __A...>, cudalint_arg<7, __A...>>;
template <class... __A> CUDALINT_THRUST auto minmax_element(__A &&...) -> pair<cudalint_arg<0, __A...>, cudalint_arg<0, __A...>>;
template <class... __A> CUDALINT_THRUST auto equal_range(__A &&...) -> pair<cudalint_arg<0, __A...>, cudalint_arg<0, __A...>>;
template <class... __A> CUDALINT_THRUST auto mismatch(__A &&...) -> pair<cudalint_arg<0, __A...>, cudalint_arg<2, __A...>>;
// A search for one value gives a place; for a range of values it gives the end of the results.
template <class... __A> constexpr auto cudalint_bound_of() { if constexpr (cudalint_given<__A...> > 4) return std::type_identity<cudalint_arg<4, __A...>>(); else return std::type_identity<cudalint_arg<0, __A...>>(); }
template <class... __A> CUDALINT_THRUST auto lower_bound(__A &&...) -> typename decltype(cudalint_bound_of<__A...>())::type;
template <class... __A> CUDALINT_THRUST auto upper_bound(__A &&...) -> typename decltype(cudalint_bound_of<__A...>())::type;
template <class... __A> constexpr auto cudalint_search_of() { if constexpr (cudalint_given<__A...> > 4) return std::type_identity<cudalint_arg<4, __A...>>(); else return std::type_identity<bool>(); }
template <class... __A> CUDALINT_THRUST auto binary_search(__A &&...) -> typename decltype(cudalint_search_of<__A...>())::type;
namespace async { template <class... __A> auto reduce(__A &&...); template <class... __A> void for_each(__A &&...); }
#undef RUN
#undef NOTHING_RUN
#undef SAME_RUN
#undef PLAIN_RUN
#undef NOTHING
#undef SAME
#undef PLAIN
#undef CUDALINT_THRUST
}
