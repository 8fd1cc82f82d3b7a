"""
## What it does
Finds calls of `_sync` intrinsics whose mask does not fit the lanes that come to them: a lane that calls and
is not named, a lane that is named, still runs and never makes such a call, or a shuffle that takes a value
from a lane that has ended, is elsewhere or is not named, where that value is used.

## Why it costs
The mask is a promise: each lane named in it that has not ended makes the call, with the same mask, and each
lane that makes it is named. Where it is broken the behaviour is undefined: the warp waits for ever, or goes
on with values that no lane has given.

## Example
```cuda
if (threadIdx.x < 8)
    for (int offset = 4; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);  // lanes 8 to 31 are named and never come
```

## Instead
```cuda
if (threadIdx.x < 8)
    for (int offset = 4; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0x000000ff, sum, offset);
```
For a condition on the data's size, take the mask before the branch, `__ballot_sync(0xffffffff, i < n)`; or
let all lanes come, with a neutral value in those past the end.

## Limits
Silent where the mask or the lanes have no sure number, where numbers loaded for a warp part it, and where the
block's shape is a guess. Lanes that make a call of the same name elsewhere, as in the other arm of an `if`,
count as having come. A lane that has ended may be named; only taking its value is wrong. Of a
`__shfl_down_sync` reduction the first lane's result is taken to be used, of other shuffles each lane's; a
result that is kept in a variable first may be dropped again, and is not judged. What hangs on a size that
nobody knows is a warning with medium confidence, and says for which size it was seen.

## Source
000 section 12.1 (a warp may remain diverged from Volta on); CUDA C++ Programming Guide, 'Warp Vote
Functions', 'Warp Shuffle Functions' and 'Synchronization Functions'.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.warp_calls import WarpCall, WarpFault

RULE = Rule(
    code="CU306",
    name="warp-mask-mismatch",
    severity=Severity.ERROR,
    summary="a warp intrinsic's mask does not name the lanes that come to it",
    guides=("000 12",),
)


def check(kernel: KernelFacts, calls: tuple[WarpCall, ...], context: Context) -> Iterator[Finding]:
    """One finding for each condition and mask that fail a warp's calls."""
    groups: dict[tuple[object, ...], list[tuple[WarpCall, WarpFault]]] = {}
    for call in calls:
        fault = call.fault
        if fault is not None and call.span.path in context.lines:
            key = (fault.kind, fault.mask, fault.cause or call.span)
            groups.setdefault(key, []).append((call, fault))
    for (first, fault), *others in groups.values():
        yield _finding(first, fault, [call for call, _ in others])


def _finding(call: WarpCall, fault: WarpFault, others: list[WarpCall]) -> Finding:
    cause = () if fault.cause is None else (Related(fault.cause, "this parts the lanes"),)
    return RULE.finding(
        call.span,
        _message(call, fault),
        notes=tuple(_notes(call, fault, len(others))),
        help=_help(fault),
        kernel=call.kernel,
        evidence={
            "kind": fault.kind,
            "mask": f"{fault.mask:#010x}",
            "here": f"{fault.here:#010x}",
            "lane": fault.other_lane,
            "calls": len(others) + 1,
        },
        related=(*cause, *(Related(other.span, "and here") for other in others)),
        severity=Severity.ERROR if fault.certain else Severity.WARNING,
        confidence=Confidence.HIGH if fault.certain else Confidence.MEDIUM,
    )


def _message(call: WarpCall, fault: WarpFault) -> str:
    mask, name = f"{fault.mask:#010x}", f"`{call.name}`"
    match fault.kind:
        case "unnamed":
            return f"lane {fault.lane} calls {name} with the mask {mask}, which does not name it"
        case "absent":
            return f"the mask {mask} of {name} names lane {fault.other_lane}, which never comes to it"
        case _:
            return (
                f"{name}: lane {fault.lane} takes the value of lane {fault.other_lane}, which {_why(fault)}"
            )


def _why(fault: WarpFault) -> str:
    """Why a lane has no value to give."""
    if fault.other is None:
        return "the block does not have"
    if fault.left:
        return "has ended"
    if not (fault.here >> fault.other_lane) & 1:
        return "is not there"
    return "the mask does not name"


def _notes(call: WarpCall, fault: WarpFault, others: int) -> Iterator[str]:
    yield (
        f"thread {fault.thread} of block {fault.thread.block} makes the call; the lanes of its warp that come"
        f" are {fault.here:#010x}"
    )
    if fault.condition:
        where = f"thread {fault.other} (lane {fault.other_lane})"
        yield f"`{fault.condition}` keeps {where} away" if not fault.left else f"{where} has ended by then"
    if not fault.certain:
        sizes = f", as with {', '.join(fault.sizes)}" if fault.sizes else ""
        yield f"only for sizes that part a warp{sizes}"
    if others:
        yield f"{others} more call{'s' if others > 1 else ''} with this mask fail in the same way"
    yield fault.configuration.note()


def _help(fault: WarpFault) -> str:
    if fault.kind == "unnamed":
        return "name every lane that makes the call"
    if fault.kind == "absent":
        return "take the mask before the branch, with `__ballot_sync` on its condition, or let all lanes come"
    return "let every lane whose value is taken make the call, with a neutral value where it has none"
