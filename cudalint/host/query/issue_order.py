"""Copies that one copy queue keeps waiting for the kernel of another stream."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.host.facts import HostCall
from cudalint.host.walks import unrolled

_WAITS = ("synchronise", "free", "allocate")


class Delayed(Struct, frozen=True):
    """A copy behind one of another stream that waits for a kernel."""

    kernel: HostCall
    ahead: HostCall  # waits for the kernel
    copy: HostCall  # issued next


def delayed(calls: tuple[HostCall, ...], kinds: dict[str, str]) -> Iterator[Delayed]:
    """The copies of one walk that wait for another stream's kernel, where all copies share a queue."""
    kernels: dict[str, HostCall] = {}  # the newest of each stream, since the host waited last
    ahead: HostCall | None = None
    for call in unrolled(calls):
        if call.blocking or call.kind in _WAITS:
            kernels.clear()
            ahead = None
        elif call.stream not in kinds or call.captured:
            continue
        elif call.kind == "launch":
            kernels[call.stream] = call
        elif call.kind == "copy" and call.direction in ("HtoD", "DtoH"):
            idle = call.stream not in kernels or "[?]" in call.stream
            if ahead is not None and idle and _is_apart(ahead, call):
                yield Delayed(kernels[ahead.stream], ahead, call)
            ahead = call if call.stream in kernels else None


def _is_apart(ahead: HostCall, call: HostCall) -> bool:
    """Whether two copies are on different streams: `s[?]` twice is, from one round of a loop to the next."""
    return ahead.stream != call.stream or ("[?]" in call.stream and ahead.order >= call.order)
