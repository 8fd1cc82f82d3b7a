"""
## What it does
Finds calls of the warp intrinsics without a mask: `__shfl`, `__shfl_up`, `__shfl_down`, `__shfl_xor`,
`__any`, `__all` and `__ballot`.

## Why it costs
They assume that the lanes of a warp run in lockstep, which compute capability 7.0 and up does not guarantee.
CUDA 9.0 deprecated them; they do not compile for `compute_70` and up.

## Example
```cuda
for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down(sum, offset);
```

## Instead
```cuda
for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
```
The mask names the participating lanes. Where a branch excludes some of them, compute the mask before it, with
`__ballot_sync` on the branch's condition.

## Limits
- Not reported for an architecture below `sm_70`, for functions of these names that the program defines, or in
  code that the preprocessor excludes.
- The fix writes the full mask: safe where all 32 lanes of every warp reach the call in every modelled run,
  unsafe where that is not known.
- No fix where lanes are missing, or where the call is in a macro.

## Source
000 section 12.1 (a warp may remain diverged from Volta on); CUDA C++ Programming Guide, 'Warp Vote Functions'
and 'Warp Shuffle Functions', for their deprecation and removal.
"""

from collections.abc import Iterator

from cudalint.ir import expressions as e
from cudalint.ir.types import Record
from cudalint.ir.unit import Function
from cudalint.ir.walk import find
from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.warp_calls import WarpCall
from cudalint.simt.launch.configuration import Origin
from cudalint.source.span import Span

RULE = Rule(
    code="CU305",
    name="legacy-warp-intrinsic",
    severity=Severity.ERROR,
    summary="a warp intrinsic without a mask, removed for sm_70 and up",
    fixes=("safe", "unsafe"),
    guides=("000 12",),
)

_LEGACY = frozenset(("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__any", "__all", "__ballot"))
_REMOVED_FROM = 70


def check(function: Function, calls: tuple[WarpCall, ...], context: Context) -> Iterator[Finding]:
    """A finding for each call of the toolkit's intrinsic, not of a function that the program defines."""
    if context.arch < _REMOVED_FROM or function.body is None:
        return
    for node in find(function.body, e.Call):
        if node.name in _LEGACY and _is_builtin(node, context):
            yield _finding(node, function, context)


def _is_builtin(call: e.Call, context: Context) -> bool:
    """Whether the call is in the project's source and the project does not define the callee, nor another
    function by the name that takes an object where the intrinsic is gone.
    """
    functions = context.unit.functions
    own = functions.get(call.key) if call.key else None
    if call.span.path not in context.lines or (own is not None and own.body is not None):
        return False
    if not any(isinstance(argument.type, Record) for argument in call.arguments):
        return True
    count = len(call.arguments)
    others = (f for f in functions.values() if f.name == call.name and f.body is not None)
    return not any(len(f.parameters) == count for f in others)


def _finding(call: e.Call, function: Function, context: Context) -> Finding:
    fix = _fix(call, context)
    notes = [f"`{call.name}` takes no mask and does not compile for sm_70 and up"]
    if fix is None:
        notes.append("no fix: the participating lanes are not known")
    elif not fix.safe:
        notes.append("the fix uses the full mask: correct only if all 32 lanes reach the call")
    return RULE.finding(
        call.span,
        f"`{call.name}` was removed for compute capability 7.0 and up",
        notes=tuple(notes),
        help=f"call `{call.name}_sync` with the mask of the participating lanes",
        kernel=function.name if function.kernel else "",
        evidence={"intrinsic": call.name},
        fix=fix,
    )


def _fix(call: e.Call, context: Context) -> Fix | None:
    """`name(` becomes `name_sync(0xffffffff, `, where the source is written so."""
    span, text = call.span, context.text(call.span)
    if not text.startswith(f"{call.name}("):
        return None
    seen = [c for kernel in context.kernels for c in kernel.of(WarpCall) if c.span == span]
    if any(c.partial for c in seen):
        return None
    whole = bool(seen) and all(c.full for c in seen) and all(_is_certain(k) for k in context.kernels)
    end = span.column + len(call.name) + 1
    edit = Edit(Span(span.path, span.line, span.column, span.line, end), f"{call.name}_sync(0xffffffff, ")
    return Fix((edit,), safe=whole)


def _is_certain(kernel: KernelFacts) -> bool:
    """Whether the modelled runs cover all that the kernel does."""
    guessed = any(shape.origin == Origin.USUAL for shape in kernel.configurations)
    return kernel.modelled and not kernel.modelling.budget_spent and not guessed
