"""Calls of device libraries that tell a thread, or a block, from the others."""

# cooperative groups, and the warp primitives of libcu++ and CUB that hand out a number of a thread.
_THREAD = frozenset(
    """
    thread_rank thread_index meta_group_rank tiled_partition labeled_partition binary_partition
    coalesced_threads invoke_one elect_one get_sreg_laneid get_sreg_warpid get_sreg_tid_x get_sreg_tid_y
    get_sreg_tid_z LaneId WarpId RowMajorTid
    """.split()
)
_BLOCK = frozenset(
    """
    block_rank block_index group_index cluster_rank query_shared_rank map_shared_rank this_grid
    this_multi_grid this_cluster grid_rank get_sreg_ctaid_x get_sreg_ctaid_y get_sreg_ctaid_z
    get_sreg_clusterid_x
    """.split()
)
_NAMESPACES = ("cooperative_groups::", "cuda::ptx::", "cub::")


def tells_threads(name: str, qualified: str) -> bool:
    """Whether a library function gives the threads of a block different results."""
    return name in _THREAD and _is_library(qualified)


def tells_blocks(name: str, qualified: str) -> bool:
    """Whether a library function gives the blocks of a grid different results, or an object that can."""
    return name in _BLOCK and _is_library(qualified)


def _is_library(qualified: str) -> bool:
    return qualified.startswith(_NAMESPACES)
