"""Waits for other threads, where none of those does anything with the device: nobody waits for it in them."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from cudalint.host.facts import HostCall
from cudalint.host.machine import Machine


def with_plain_waits(m: Machine, calls: Iterable[HostCall]) -> Iterator[HostCall]:
    """The calls; a wait for threads that use no CUDA is no code that may."""
    idle = (
        bool(m.tasks)
        and not m.strange_threads
        and all(
            call.kind == "host-work" and (not call.unseen or call.span in m.thread_waits)
            for task in m.tasks.values()
            for call in task.log.calls
        )
    )
    for call in calls:
        waits = call.unseen and call.kind == "host-work" and call.span in m.thread_waits
        yield replace(call, unseen=False) if idle and waits else call
