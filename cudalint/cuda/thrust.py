"""Thrust's algorithms by name, and which of them keep temporary memory.

The CUDA backend of CCCL (`thrust/system/cuda/detail`) takes that by cudaMalloc and frees it before it
returns, unless the execution policy names an allocator.
"""

TEMPORARY = frozenset(
    """
    reduce transform_reduce inner_product count count_if min_element max_element minmax_element
    inclusive_scan exclusive_scan transform_inclusive_scan transform_exclusive_scan inclusive_scan_by_key
    exclusive_scan_by_key sort stable_sort sort_by_key stable_sort_by_key reduce_by_key unique unique_copy
    unique_by_key unique_by_key_copy copy_if remove remove_if remove_copy remove_copy_if partition
    stable_partition partition_copy merge merge_by_key set_union set_intersection set_difference
    set_symmetric_difference find find_if find_if_not all_of any_of none_of equal mismatch is_sorted
    """.split()
)
ALGORITHMS = TEMPORARY | frozenset(
    """
    adjacent_difference copy copy_n fill fill_n for_each for_each_n gather gather_if generate generate_n
    lower_bound upper_bound binary_search replace replace_if reverse reverse_copy scatter scatter_if sequence
    swap_ranges tabulate transform transform_if uninitialized_copy uninitialized_fill
    """.split()
)
# They return a number, which the host waits for whatever the policy.
NUMBERS = frozenset(
    "reduce transform_reduce inner_product count count_if equal all_of any_of none_of".split()
)
