"""Handles, plans and searches of libraries that a loop makes anew in every iteration."""

import re
from collections.abc import Iterator

from msgspec import Struct

from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.walks import rounds_by_id, times, walks
from cudalint.ir import expressions as e
from cudalint.source.span import Span

_COSTLY = re.compile(
    r"(?:cublas|cublasLt|cusparse|cusolver(?:Dn|Sp|Mg)|cudnn)Create(?:_v2)?|curandCreateGenerator"
    r"|cufft(?:Plan(?:1d|2d|3d|Many)|MakePlan\w+)|cublasLtMatmulAlgoGetHeuristic|cudnnGet\w+_v7"
    r"|cudnnFindConvolution\w+Algorithm"
)

_WORK, _OTHER_WORK = ("library", "launch"), "cublasLtMatmul"


class LoopHandles(Struct, frozen=True):
    """Calls of every iteration of one loop that prepare a library's work, each place once."""

    loop: Rounds
    calls: tuple[HostCall, ...]


def loop_handles(host: HostFacts, trips: float) -> Iterator[LoopHandles]:
    """The innermost loops of at least so many iterations, or of an unknown number, that make such calls
    whenever they do work of their own, on one device.
    """
    rounds = rounds_by_id(host)
    for calls in walks(host):
        found: dict[int, dict[Span, HostCall]] = {}
        devices = {number for call in calls if call.name == "cudaSetDevice" for number in call.loops}
        working = {
            (call.loop_id, call.conditions)
            for call in calls
            if call.kind in _WORK or call.name == _OTHER_WORK
        }
        for call in calls:
            loop = rounds.get(call.loop_id)
            if loop is None or (call.loop_id, call.conditions) not in working or call.loop_id in devices:
                continue
            often = times(call, rounds)
            known = _COSTLY.fullmatch(call.name) is not None and not goes_to_array(call)
            if known and (often is None or often >= trips):
                found.setdefault(call.loop_id, {}).setdefault(call.span, call)
        for number, made in found.items():
            yield LoopHandles(rounds[number], tuple(made.values()))


def goes_to_array(call: HostCall, position: int = 0) -> bool:
    """Whether what is made is kept beside what other iterations make. position: of the argument that it is
    made in.
    """
    arguments = call.expression.arguments if isinstance(call.expression, e.Call) else ()
    made = arguments[position] if position < len(arguments) else None
    while isinstance(made, e.Cast | e.AddressOf | e.Member):
        made = made.base if isinstance(made, e.Member) else made.operand
    return isinstance(made, e.Index)
