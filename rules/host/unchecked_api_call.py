"""
## What it does
Finds calls of the CUDA runtime whose status is dropped. Opt-in.

## Why it costs
Nearly every call of the runtime returns a cudaError_t, its own failure or that of a kernel before it. Where
it is dropped the program goes on: an allocation that failed leaves a null pointer, the copy into it fails
too, the kernel is ended, and what is printed in the end are the numbers that the host's buffer happened to
hold. The check costs nothing next to the call.

## Example
```cuda
cudaMalloc(&d, bytes);
cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
```

## Instead
```cuda
CHECK(cudaMalloc(&d, bytes));
CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
```
with a macro or function that ends the program, or throws, for any status but cudaSuccess.

## Limits
A status that is assigned, compared, returned or handed on counts as checked, and so does a call that is
followed in its block by one that looks at the last error, before the next call of CUDA. Calls that release
something at the end (cudaFree, cudaEventDestroy, cudaStreamDestroy, cudaDeviceReset and the like) are left
out.

## Source
001 'Error handling'.
"""

from collections.abc import Iterator

from cudalint.analyses.error_checks import Checks, checks, project_functions
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Unit
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU805",
    name="unchecked-api-call",
    severity=Severity.NOTE,
    summary="the status of a CUDA call is dropped",
    default=False,
    guides=("001",),
)

_RELEASES = ("Free", "Destroy", "Reset", "Unregister", "Unbind", "Profiler", "Exit")
_ASKS = ("cudaGetLastError", "cudaPeekAtLastError")


def check(unit: Unit, context: Context) -> Iterator[Finding]:
    """A finding for each call of the runtime that stands as a statement of its own."""
    known = checks(unit)
    for function in project_functions(unit):
        assert function.body is not None
        for node in walk(function.body):
            if isinstance(node, (s.Block, s.Switch)):
                for index, statement in enumerate(node.body):
                    if not _checked_after(node.body[index + 1 :], known):
                        yield from _dropped(statement)
            elif isinstance(node, (s.If, s.Loop)):
                yield from _alone(node)


def _alone(node: s.If | s.Loop) -> Iterator[Finding]:
    """Calls that are the whole arm of a branch or the whole body of a loop."""
    arms = (node.then, node.otherwise) if isinstance(node, s.If) else (node.body,)
    for arm in arms:
        if arm is not None:
            yield from _dropped(arm)


def _dropped(statement: s.Statement) -> Iterator[Finding]:
    if not isinstance(statement, s.Evaluate) or not isinstance(statement.expression, e.Call):
        return
    call = statement.expression
    plain = call.name.startswith("cuda") and call.name[4:5].isupper() and call.receiver is None
    returns = isinstance(call.type, t.Scalar) and call.type.kind != "void"
    if not plain or not returns or call.name in _ASKS or any(word in call.name for word in _RELEASES):
        return
    yield RULE.finding(
        call.span,
        f"unchecked call: the status of {call.name} is dropped",
        notes=("a failure, of this call or of a kernel before it, goes on as wrong results",),
        help=f"check it: CHECK({call.name}(...)) with a macro that stops for all but cudaSuccess",
        evidence={"call": call.name},
    )


def _checked_after(rest: tuple[s.Statement, ...], known: Checks) -> bool:
    """Whether the last error is looked at before the next call of CUDA."""
    for statement in rest:
        for node in walk(statement):
            if known.is_check(node):
                return True
            if isinstance(node, e.Launch) or (isinstance(node, e.Call) and node.name.startswith("cuda")):
                return False
    return False
