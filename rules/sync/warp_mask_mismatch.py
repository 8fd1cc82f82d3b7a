"""
## What it does
Finds `_sync` intrinsics whose mask does not match the lanes that execute them: a calling lane that is not in
the mask, a lane in the mask that is still running and never makes the call, or a shuffle that reads from a
lane that has exited, is inactive or is not in the mask, where the value is used.

## Why it costs
Every lane in the mask that has not exited must execute the call with the same mask, and every lane that
executes it must be in the mask. Otherwise the behaviour is undefined: the warp hangs, or continues with
undefined values.

## Example
```cuda
if (threadIdx.x < 8)
    for (int offset = 4; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);  // lanes 8 to 31 are in the mask but never call
```

## Instead
```cuda
if (threadIdx.x < 8)
    for (int offset = 4; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0x000000ff, sum, offset);
```
For a condition on the size, compute the mask before the branch, `__ballot_sync(0xffffffff, i < n)`; or let
all lanes make the call, with a neutral value past the end.

## Limits
- Not reported where the mask or the active lanes are not known, or where the block shape is a guess. Where
  loaded data keeps lanes from a call, a run with made-up data shows it.
- Lanes that call the same intrinsic elsewhere count as participating.
- An exited lane may be in the mask; only reading from it is wrong.
- Of a `__shfl_down_sync` reduction only the first lane's result counts as used, of other shuffles every
  lane's; a result that is first stored in a variable is not judged.
- Faults that depend on an unknown size are medium-confidence warnings that state the condition (`n % 32 !=
  0`) or name such a size.

## Source
000 section 12.1 (a warp may remain diverged from Volta on); CUDA C++ Programming Guide, 'Warp Vote
Functions', 'Warp Shuffle Functions' and 'Synchronization Functions'.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding, Related
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import Standing
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.warp_calls import WarpCall, WarpFault

RULE = Rule(
    code="CU306",
    name="warp-mask-mismatch",
    severity=Severity.ERROR,
    summary="the mask of a warp intrinsic does not match the lanes that execute it",
    guides=("000 12",),
)


def check(kernel: KernelFacts, calls: tuple[WarpCall, ...], context: Context) -> Iterator[Finding]:
    """One finding per kind of fault, mask and condition."""
    groups: dict[tuple[object, ...], list[tuple[WarpCall, WarpFault]]] = {}
    for call in calls:
        fault = call.fault
        if fault is not None and call.span.path in context.lines:
            key = (fault.kind, fault.mask, fault.cause or call.span)
            groups.setdefault(key, []).append((call, fault))
    for (first, fault), *others in groups.values():
        yield _finding(first, fault, [call for call, _ in others])


def _finding(call: WarpCall, fault: WarpFault, others: list[WarpCall]) -> Finding:
    diverges = fault.cause is not None and (fault.kind != "unnamed" or fault.here)
    cause = (Related(fault.cause, "the warp diverges here"),) if diverges and fault.cause else ()
    return RULE.finding(
        call.span,
        _message(call, fault) + (f", {fault.remainder.unless}" if fault.remainder else ""),
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
        related=(*cause, *repeated(others, "the same fault here")),
        severity=Severity.ERROR if fault.certain else Severity.WARNING,
        condition=_condition(fault),
        standing=Standing((fault.configuration.note(),), sure=fault.certain),
    )


def _condition(fault: WarpFault) -> str | None:
    if fault.by_data:
        return (
            f"`{fault.condition}` differs between lanes of a warp" if fault.condition else "the data says so"
        )
    return fault.remainder.condition if fault.remainder else None


def _message(call: WarpCall, fault: WarpFault) -> str:
    mask, name = f"{fault.mask:#010x}", f"`{call.name}`"
    match fault.kind:
        case "unnamed":
            return f"lane {fault.lane} calls {name} with mask {mask}, which does not include it"
        case "absent":
            return f"mask {mask} of {name} includes lane {fault.other_lane}, which does not call it"
        case _:
            return f"{name}: lane {fault.lane} reads from lane {fault.other_lane}, which {_why(fault)}"


def _why(fault: WarpFault) -> str:
    """Why a lane has no value to read."""
    if fault.other is None:
        return "the block does not have"
    if fault.left:
        return "has exited"
    if not (fault.here >> fault.other_lane) & 1:
        return "is inactive"
    return "is not in the mask"


def _notes(call: WarpCall, fault: WarpFault, others: int) -> Iterator[str]:
    caller = f"thread {fault.thread} of block {fault.thread.block}"
    yield f"{caller} makes the call" + (f"; active mask: {fault.here:#010x}" if fault.here else "")
    if fault.condition and fault.kind != "unnamed":  # of the caller: it comes here
        other = f"thread {fault.other} (lane {fault.other_lane})"
        reason = f"does not reach it because of `{fault.condition}`"
        yield f"{other} {'has already exited' if fault.left else reason}"
    if fault.by_data:
        yield "loaded data decides which lanes come here"
    elif not fault.certain and fault.remainder is None:
        sizes = f", e.g. {', '.join(fault.sizes)}" if fault.sizes else ""
        yield f"only for sizes that make a warp diverge{sizes}"
    if others:
        yield f"the same fault in {others} more call{'s' if others > 1 else ''} with this mask"


def _help(fault: WarpFault) -> str:
    if fault.kind == "unnamed":
        return "include every calling lane in the mask"
    if fault.kind == "absent":
        return (
            "compute the mask before the branch with `__ballot_sync` on its condition, or let all lanes call"
        )
    return "let every lane that is read from make the call, with a neutral value where it has none"
