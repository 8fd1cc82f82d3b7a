"""
## What it does
Finds copies whose kind contradicts their pointers: cudaMemcpyHostToDevice into host memory, or
cudaMemcpyDeviceToHost from it, and so on.

## Why it costs
The kind says which pointer is a device pointer. If pageable host memory is declared as device memory, the
call copies nothing and returns cudaErrorInvalidValue (1); if the status is ignored, everything after it works
on stale data. If device memory is declared as host memory, the behaviour is undefined. With unified
addressing the copy still works (observed with CUDA 13 on an H200), so the program breaks only where that is
missing; this case is a warning.

## Example
```cuda
cudaMemcpy(h, d, bytes, cudaMemcpyHostToDevice);  // h is the destination, and host memory
```

## Instead
```cuda
cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
```
cudaMemcpyDefault infers the direction from the pointers.

## Limits
- Only known pointers count: cudaMalloc and `__device__` variables as device memory; malloc, new, std::vector
  and plain variables as host memory. Pinned and managed memory may be on either side.
- Not reported where a pointer may point elsewhere.
- Not reported in a branch that tests the pointer (cudaPointerGetAttributes or an unseen function): the
  direction is chosen at run time.

## Source
The CUDA runtime API: cudaMemcpy.
"""

import re
from collections.abc import Iterator

from cudalint.host.facts import Buffer, HostCall
from cudalint.host.pointer_checks import is_asked
from cudalint.ir import expressions as e
from cudalint.rule.findings import Edit, Finding, Fix, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU803",
    name="copy-direction",
    severity=Severity.ERROR,
    summary="the kind of a copy contradicts its pointers",
    fixes=("unsafe",),
)

_NAME = re.compile(r"[A-Za-z_]\w*")
_KINDS = {
    "HtoH": "cudaMemcpyHostToHost",
    "HtoD": "cudaMemcpyHostToDevice",
    "DtoH": "cudaMemcpyDeviceToHost",
    "DtoD": "cudaMemcpyDeviceToDevice",
}
_SIDES = {"device": "D", "pageable": "H"}
_FAILS = "the call copies nothing and returns cudaErrorInvalidValue (1)"
_UNDEFINED = (
    "a kind that does not match the pointers is undefined behaviour, even if unified addressing hides it"
)
_WORDS = {"D": "device memory", "H": "pageable host memory"}


def check(call: HostCall, context: Context) -> Iterator[Finding]:
    """A finding for a copy with a pointer that is known to contradict the kind."""
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
        help=f"write {_KINDS[right]}, or swap the pointers if the other direction is intended",
        evidence={"kind": call.direction, "pointers": right},
        related=(
            *(
                Related(buffer.span, f"the {role} is allocated or declared here")
                for buffer, _, role in wrong
                if buffer.span
            ),
            *_named_kind(call, context),
        ),
        severity=None if fails else Severity.WARNING,
        fix=_fix(call, context, _KINDS[right]) if source and destination else None,
    )


def _named_kind(call: HostCall, context: Context) -> Iterator[Related]:
    """Where the kind is written, if the callers name it: `using Fetch = Move<cudaMemcpyHostToDevice>`."""
    kind = _KINDS[call.direction]
    if kind in context.text(call.span):
        return
    names = {name for site in call.came_by for name in _NAME.findall(context.text(site))}
    for path, lines in context.lines.items():
        for number, line in enumerate(lines, 1):
            start = line.find(kind)
            if start >= 0 and names.intersection(_NAME.findall(line)):
                span = Span(path, number, start + 1, number, start + 1 + len(kind))
                if not any(one.line <= number <= one.end_line for one in call.came_by):
                    yield Related(span, "the kind is written here")


def _named(buffer: Buffer) -> str:
    return f" `{buffer.name}`" if buffer.name else ""


def _side(buffer: Buffer | None) -> str:
    return _SIDES.get(buffer.space, "") if buffer is not None else ""


def _fix(call: HostCall, context: Context, kind: str) -> Fix | None:
    """The matching kind, if the wrong one is written at the call."""
    others = [c for c in context.host.calls if c.span == call.span]
    same = len({(_side(c.source), _side(c.destination)) for c in others}) == 1
    if not isinstance(call.expression, e.Call) or not same:
        return None
    for argument in call.expression.arguments:
        if context.text(argument.span) == _KINDS[call.direction]:
            return Fix((Edit(argument.span, kind),), safe=False)
    return None
