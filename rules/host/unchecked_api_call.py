"""
## What it does
Finds CUDA runtime calls whose status is ignored, or overwritten by that of the next call. Opt-in.

## Why it costs
Nearly every runtime call returns a cudaError_t, for its own failure or for that of an earlier kernel. If it
is ignored the program continues: a failed allocation leaves a null pointer, the copy into it fails, the
kernel is aborted, and the program prints whatever the host buffer contained. The check costs nothing compared
to the call.

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
with a macro or function that terminates or throws for any status but cudaSuccess.

## Limits
- A status that is compared, returned or passed on counts as checked, and so does one that is assigned, unless
  the next mention of its variable in the block assigns another one; so does a call followed in its block by a
  check of the last error before the next CUDA call.
- Not reported for calls that release something (cudaFree, cudaEventDestroy, cudaStreamDestroy,
  cudaDeviceReset and the like).

## Source
001 'Error handling'.
"""

from collections.abc import Iterator

from cudalint.analyses.error_checks import checked_after, checks, project_functions
from cudalint.analyses.overwritten_status import overwritten
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU805",
    name="unchecked-api-call",
    severity=Severity.NOTE,
    summary="the status of a CUDA call is ignored",
    default=False,
    guides=("001",),
)

_RELEASES = ("Free", "Destroy", "Reset", "Unregister", "Unbind", "Profiler", "Exit")
_QUERIES = ("cudaGetLastError", "cudaPeekAtLastError")


def check(unit: Unit, context: Context) -> Iterator[Finding]:
    """One finding per runtime call that is a statement of its own."""
    known = checks(unit)
    for function in project_functions(unit):
        assert function.body is not None
        for node in find(function.body, s.Block, s.Switch, s.If, s.Loop):
            if isinstance(node, (s.Block, s.Switch)):
                for index, statement in enumerate(node.body):
                    if not checked_after(node.body[index + 1 :], known):
                        yield from _ignored(statement)
            elif isinstance(node, (s.If, s.Loop)):
                yield from _unbraced(node)
        for call, later in overwritten(function.body):
            if _counts(call):
                yield _overwritten(call, later)


def _unbraced(node: s.If | s.Loop) -> Iterator[Finding]:
    """Calls that are the whole arm of a branch or the whole body of a loop."""
    arms = (node.then, node.otherwise) if isinstance(node, s.If) else (node.body,)
    for arm in arms:
        if arm is not None:
            yield from _ignored(arm)


def _counts(call: e.Call) -> bool:
    """Whether it is a runtime call that says whether it failed, and acquires or does something."""
    plain = call.name.startswith("cuda") and call.name[4:5].isupper() and call.receiver is None
    returns = isinstance(call.type, t.Scalar) and call.type.kind != "void"
    return (
        plain and returns and call.name not in _QUERIES and not any(word in call.name for word in _RELEASES)
    )


def _overwritten(call: e.Call, later: e.Assign) -> Finding:
    return RULE.finding(
        call.span,
        f"unchecked call: the status of {call.name} is overwritten before it is checked",
        notes=("a failure of this call goes unnoticed if the next one succeeds",),
        help="check the status after each call",
        evidence={"call": call.name},
        related=(Related(later.span, "overwritten here"),),
    )


def _ignored(statement: s.Statement) -> Iterator[Finding]:
    if not isinstance(statement, s.Evaluate) or not isinstance(statement.expression, e.Call):
        return
    call = statement.expression
    if not _counts(call):
        return
    yield RULE.finding(
        call.span,
        f"unchecked call: the status of {call.name} is ignored",
        notes=("a failure of this call or of an earlier kernel goes unnoticed",),
        help=f"write CHECK({call.name}(...)) with a macro that stops on anything but cudaSuccess",
        evidence={"call": call.name},
    )
