// Thrust's algorithms, by name: what they return is derived from the arguments behind an optional policy.
#pragma once
#pragma clang system_header
#include "thrust_memory.h"
namespace thrust {
#define CUDALINT_THRUST __host__ __device__
// The N-th argument after an execution policy.
template <bool Policy, int N, class... A> struct cudalint_nth;
template <int N, class H, class... A> struct cudalint_nth<false, N, H, A...> : cudalint_nth<false, N - 1, A...> {};
template <class H, class... A> struct cudalint_nth<false, 0, H, A...> { using type = std::decay_t<H>; };
template <int N, class H, class... A> struct cudalint_nth<true, N, H, A...> : cudalint_nth<false, N, A...> {};
template <int N, class... A> struct cudalint_behind_policy;
template <int N, class H, class... A> struct cudalint_behind_policy<N, H, A...> : cudalint_nth<std::is_base_of_v<cudalint_policy, std::decay_t<H>>, N, H, A...> {};
template <int N, class... A> using cudalint_arg = typename cudalint_behind_policy<N, A...>::type;
template <class... A> inline constexpr int cudalint_given = sizeof...(A) - (std::is_base_of_v<cudalint_policy, std::decay_t<A>> + ... + 0);
template <class I> using cudalint_value = typename std::iterator_traits<I>::value_type;
template <int N, class... A> constexpr auto cudalint_reduced() { if constexpr (cudalint_given<A...> > N) return std::type_identity<cudalint_arg<N, A...>>(); else return std::type_identity<cudalint_value<cudalint_arg<0, A...>>>(); }
#define NOTHING(n) template <class... A> CUDALINT_THRUST void n(A &&...);
#define SAME(n, k) template <class... A> CUDALINT_THRUST cudalint_arg<k, A...> n(A &&...);
#define PLAIN(n, T) template <class... A> CUDALINT_THRUST T n(A &&...);
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
template <class... A> CUDALINT_THRUST auto reduce(A &&...) -> typename decltype(cudalint_reduced<2, A...>())::type;
template <class... A> CUDALINT_THRUST auto inner_product(A &&...) -> cudalint_arg<3, A...>;
template <class... A> CUDALINT_THRUST auto transform_reduce(A &&...) -> cudalint_arg<3, A...>;
// The output stands behind one or two inputs: which is seen from the number of arguments.
template <class... A> constexpr auto cudalint_transformed() { if constexpr (cudalint_given<A...> > 4) return std::type_identity<cudalint_arg<3, A...>>(); else return std::type_identity<cudalint_arg<2, A...>>(); }
template <class... A> CUDALINT_THRUST auto transform(A &&...) -> typename decltype(cudalint_transformed<A...>())::type;
template <class... A> CUDALINT_THRUST auto transform_if(A &&...) -> typename decltype(cudalint_transformed<A...>())::type;
template <class... A> CUDALINT_THRUST auto copy_if(A &&...) -> cudalint_arg<(cudalint_given<A...> > 4) ? 3 : 2, A...>;
template <class... A> CUDALINT_THRUST auto partition_copy(A &&...) -> pair<cudalint_arg<2, A...>, cudalint_arg<3, A...>>;
template <class... A> CUDALINT_THRUST auto reduce_by_key(A &&...) -> pair<cudalint_arg<3, A...>, cudalint_arg<4, A...>>;
template <class... A> CUDALINT_THRUST auto unique_by_key(A &&...) -> pair<cudalint_arg<0, A...>, cudalint_arg<2, A...>>;
template <class... A> CUDALINT_THRUST auto unique_by_key_copy(A &&...) -> pair<cudalint_arg<3, A...>, cudalint_arg<4, A...>>;
template <class... A> CUDALINT_THRUST auto merge_by_key(A &&...) -> pair<cudalint_arg<6, A...>, cudalint_arg<7, A...>>;
template <class... A> CUDALINT_THRUST auto minmax_element(A &&...) -> pair<cudalint_arg<0, A...>, cudalint_arg<0, A...>>;
template <class... A> CUDALINT_THRUST auto equal_range(A &&...) -> pair<cudalint_arg<0, A...>, cudalint_arg<0, A...>>;
template <class... A> CUDALINT_THRUST auto mismatch(A &&...) -> pair<cudalint_arg<0, A...>, cudalint_arg<2, A...>>;
// A search for one value gives a place; for a range of values it gives the end of the results.
template <class... A> constexpr auto cudalint_bound_of() { if constexpr (cudalint_given<A...> > 4) return std::type_identity<cudalint_arg<4, A...>>(); else return std::type_identity<cudalint_arg<0, A...>>(); }
template <class... A> CUDALINT_THRUST auto lower_bound(A &&...) -> typename decltype(cudalint_bound_of<A...>())::type;
template <class... A> CUDALINT_THRUST auto upper_bound(A &&...) -> typename decltype(cudalint_bound_of<A...>())::type;
template <class... A> constexpr auto cudalint_search_of() { if constexpr (cudalint_given<A...> > 4) return std::type_identity<cudalint_arg<4, A...>>(); else return std::type_identity<bool>(); }
template <class... A> CUDALINT_THRUST auto binary_search(A &&...) -> typename decltype(cudalint_search_of<A...>())::type;
namespace async { template <class... A> auto reduce(A &&...); template <class... A> void for_each(A &&...); }
#undef NOTHING
#undef SAME
#undef PLAIN
#undef CUDALINT_THRUST
}
