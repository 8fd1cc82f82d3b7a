// Thrust's algorithms, by name: what they return is derived from the arguments behind an optional policy.
#pragma once
#pragma clang system_header
#include "thrust_memory.h"
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
#define PLAIN(n, __T) template <class... __A> CUDALINT_THRUST __T n(__A &&...);
NOTHING(fill) NOTHING(sequence) NOTHING(generate) NOTHING(sort) NOTHING(stable_sort) NOTHING(sort_by_key) NOTHING(stable_sort_by_key)
NOTHING(replace) NOTHING(replace_if) NOTHING(tabulate) NOTHING(reverse) NOTHING(shuffle) NOTHING(scatter) NOTHING(scatter_if)
NOTHING(uninitialized_fill) NOTHING(destroy)
SAME(for_each, 1) SAME(for_each_n, 0) SAME(fill_n, 0) SAME(generate_n, 0) SAME(copy, 2) SAME(copy_n, 2) SAME(gather, 3) SAME(gather_if, 4)
SAME(inclusive_scan, 2) SAME(exclusive_scan, 2) SAME(transform_inclusive_scan, 2) SAME(transform_exclusive_scan, 2)
SAME(inclusive_scan_by_key, 3) SAME(exclusive_scan_by_key, 3) SAME(adjacent_difference, 2) SAME(unique, 0) SAME(unique_copy, 2)
SAME(remove, 0) SAME(remove_if, 0) SAME(remove_copy, 2) SAME(remove_copy_if, 2) SAME(partition, 0) SAME(stable_partition, 0) SAME(find, 0)
SAME(find_if, 0) SAME(find_if_not, 0) SAME(max_element, 0) SAME(min_element, 0) SAME(is_sorted_until, 0) SAME(swap_ranges, 1)
SAME(merge, 4) SAME(set_union, 4) SAME(set_intersection, 4) SAME(set_difference, 4) SAME(set_symmetric_difference, 4)
SAME(reverse_copy, 2) SAME(shuffle_copy, 2) SAME(replace_copy, 2) SAME(replace_copy_if, 2) SAME(uninitialized_copy, 2) SAME(partition_point, 0)
SAME(adjacent_find, 0)
PLAIN(count, ptrdiff_t) PLAIN(count_if, ptrdiff_t) PLAIN(equal, bool) PLAIN(is_sorted, bool) PLAIN(all_of, bool) PLAIN(any_of, bool)
PLAIN(none_of, bool) PLAIN(is_partitioned, bool)
template <class... __A> CUDALINT_THRUST auto reduce(__A &&...) -> typename decltype(cudalint_reduced<2, __A...>())::type;
template <class... __A> CUDALINT_THRUST auto inner_product(__A &&...) -> cudalint_arg<3, __A...>;
template <class... __A> CUDALINT_THRUST auto transform_reduce(__A &&...) -> cudalint_arg<3, __A...>;
// The output stands behind one or two inputs: which is seen from the number of arguments.
template <class... __A> constexpr auto cudalint_transformed() { if constexpr (cudalint_given<__A...> > 4) return std::type_identity<cudalint_arg<3, __A...>>(); else return std::type_identity<cudalint_arg<2, __A...>>(); }
template <class... __A> CUDALINT_THRUST auto transform(__A &&...) -> typename decltype(cudalint_transformed<__A...>())::type;
template <class... __A> CUDALINT_THRUST auto transform_if(__A &&...) -> typename decltype(cudalint_transformed<__A...>())::type;
template <class... __A> CUDALINT_THRUST auto copy_if(__A &&...) -> cudalint_arg<(cudalint_given<__A...> > 4) ? 3 : 2, __A...>;
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
#undef NOTHING
#undef SAME
#undef PLAIN
#undef CUDALINT_THRUST
}
