"""
## What it does
Finds copies whose kind contradicts their pointers: cudaMemcpyHostToDevice into host memory, or
cudaMemcpyDeviceToHost from it, and the like.

## Why it costs
The kind says which of the two pointers is the device's. Where ordinary host memory is declared the device's,
the call copies nothing and returns cudaErrorInvalidValue (1); where the status is dropped, everything after
it works with stale data. Where memory of the device is declared the host's, the API leaves open what
happens. With unified addressing the copy is made all the same (seen with CUDA 13 on an H200), so the program
runs, and stops to run where that is missing; this is a warning only.

## Example
```cuda
cudaMemcpy(h, d, bytes, cudaMemcpyHostToDevice);  // h is the destination, and host memory
```

## Instead
```cuda
cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
```
cudaMemcpyDefault takes the direction from the pointers.

## Limits
Only what is known of the pointers counts: memory of cudaMalloc and `__device__` variables on one side,
malloc, new, std::vector and plain variables on the other. Pinned and managed memory can stand on both sides.
Silent when a pointer may point elsewhere, and where the copy stands in a branch whose condition hangs on what
a function said of that pointer (cudaPointerGetAttributes, or a function that cannot be seen): the program
takes the direction when it runs.

## Source
The CUDA runtime API: cudaMemcpy.
"""

from collections.abc import Iterator

from cudalint.host.facts import Buffer, HostCall
from cudalint.host.pointer_checks import is_asked
from cudalint.ir import expressions as e
from cudalint.rule.findings import Edit, Finding, Fix, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU803",
    name="copy-direction",
    severity=Severity.ERROR,
    summary="the kind of a copy contradicts its pointers",
    fixes=("unsafe",),
)

_KINDS = {
    "HtoH": "cudaMemcpyHostToHost",
    "HtoD": "cudaMemcpyHostToDevice",
    "DtoH": "cudaMemcpyDeviceToHost",
    "DtoD": "cudaMemcpyDeviceToDevice",
}
_SIDES = {"device": "D", "pageable": "H"}
_FAILS = "nothing is copied: the call returns cudaErrorInvalidValue (1)"
_UNDEFINED = "what a kind does that does not fit is undefined; unified addressing happens to mend it"
_WORDS = {"D": "memory of the device", "H": "ordinary host memory"}


def check(call: HostCall, context: Context) -> Iterator[Finding]:
    """A finding for a copy of which one side at least is known to be the other one's."""
    if call.kind != "copy" or call.direction not in _KINDS:
        return
    source, destination = _side(call.source), _side(call.destination)
    wrong = [
        (buffer, side, role)
        for buffer, side, written, role in (
            (call.destination, destination, call.direction[-1], "destination"),
            (call.source, source, call.direction[0], "source"),
        )
        if buffer is not None and side and side != written
    ]
    if not wrong or (isinstance(call.expression, e.Call) and is_asked(call.expression, context.unit)):
        return
    right = f"{source or call.direction[0]}to{destination or call.direction[-1]}"
    fails = any(side == "H" for _, side, _ in wrong)
    roles = " and ".join(f"the {role}{_named(buffer)} is {_WORDS[side]}" for buffer, side, role in wrong)
    yield RULE.finding(
        call.span,
        f"copy direction: {_KINDS[call.direction]}, but {roles}",
        notes=(_FAILS if fails else _UNDEFINED,),
        help=f"write {_KINDS[right]}, or exchange the pointers if the other direction is meant",
        evidence={"kind": call.direction, "pointers": right},
        related=tuple(
            Related(buffer.span, f"the {role} comes from here") for buffer, _, role in wrong if buffer.span
        ),
        severity=None if fails else Severity.WARNING,
        fix=_fix(call, context, _KINDS[right]) if source and destination else None,
    )


def _named(buffer: Buffer) -> str:
    return f" `{buffer.name}`" if buffer.name else ""


def _side(buffer: Buffer | None) -> str:
    return _SIDES.get(buffer.space, "") if buffer is not None else ""


def _fix(call: HostCall, context: Context, kind: str) -> Fix | None:
    """The kind that fits, where the wrong one is written at the call."""
    others = [c for c in context.host.calls if c.span == call.span]
    same = len({(_side(c.source), _side(c.destination)) for c in others}) == 1
    if not isinstance(call.expression, e.Call) or not same:
        return None
    for argument in call.expression.arguments:
        if context.text(argument.span) == _KINDS[call.direction]:
            return Fix((Edit(argument.span, kind),), safe=False)
    return None
