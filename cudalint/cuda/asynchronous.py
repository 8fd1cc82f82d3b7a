"""Barriers and pipelines of libcu++ and of asynchronous copies: which calls make threads wait for each other.

Who takes part in one is data of the object, so a wait is taken as a barrier that may be one of the block.
"""

from cudalint.ir import expressions as e
from cudalint.ir.types import Pointer, Record, Reference, Type

_OBJECTS = ("barrier<", "pipeline<", "latch<", "__mbarrier_t", "counting_semaphore<")
_OF_ONE_THREAD = ("pipeline<cuda::thread_scope_thread", "pipeline<thread_scope_thread", "pipeline<3")
# They count up, or hand on; the threads go on.
_SIGNALS = frozenset(
    """
    init arrive arrive_and_drop count_down release producer_commit consumer_release expect_tx
    barrier_arrive_tx barrier_native_handle pipeline_producer_commit
    """.split()
)
_WORDS = frozenset(
    """
    __pipeline_arrive_on __mbarrier_init __mbarrier_inval __mbarrier_arrive __mbarrier_arrive_and_drop
    __mbarrier_maximum_count __mbarrier_token_pending_count make_pipeline fence_proxy_async
    fence_proxy_async_shared_cta cp_async_bulk_commit_group mbarrier_arrive mbarrier_arrive_expect_tx
    """.split()
)


def waits_for_nobody(node: e.Call) -> bool:
    """Whether a call is of such an object, and no thread waits for another in it."""
    if node.name in _WORDS:
        return True
    operands = (node.receiver,) if node.receiver is not None else node.arguments
    names = [_name(operand.type) for operand in operands]
    if node.name in _SIGNALS:
        return any(word in name for name in names for word in _OBJECTS)
    waits = node.receiver is not None or node.name == "pipeline_consumer_wait_prior"
    return waits and any(word in name for name in names[:1] for word in _OF_ONE_THREAD)


def _name(type: Type) -> str:
    while isinstance(type, Pointer | Reference):
        type = type.pointee if isinstance(type, Pointer) else type.target
    return type.name if isinstance(type, Record) else ""
