"""
## What it does
Finds calls of the warp intrinsics without a mask: `__shfl`, `__shfl_up`, `__shfl_down`, `__shfl_xor`,
`__any`, `__all` and `__ballot`.

## Why it costs
They take for granted that the lanes of a warp run in step, which they do not from compute capability 7.0 on.
CUDA 9.0 deprecated them; code for `compute_70` and up does not compile with them.

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
The mask names the lanes that take part. Where a branch lets only some of them through, take the mask before
it, with `__ballot_sync` on the branch's condition.

## Limits
Silent for an architecture below `sm_70`, for functions of these names that the program defines itself, and in
code that the preprocessor leaves out. The fix writes the full mask: a safe one where all 32 lanes of every
warp come to the call in every run of the model, an unsafe one where that is not known, none where lanes are
missing or the call is written in a macro.

## Source
000 section 12.1 (a warp may remain diverged from Volta on); CUDA C++ Programming Guide, 'Warp Vote Functions'
and 'Warp Shuffle Functions', for their deprecation and removal.
"""

from collections.abc import Iterator

from cudalint.ir import expressions as e
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.warp_calls import WarpCall
from cudalint.source.span import Span

RULE = Rule(
    code="CU305",
    name="legacy-warp-intrinsic",
    severity=Severity.ERROR,
    summary="a warp intrinsic without a mask, which code for sm_70 and up cannot use",
    fixes=("safe", "unsafe"),
    guides=("000 12",),
)

_LEGACY = frozenset(("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__any", "__all", "__ballot"))
_REMOVED_FROM = 70


def check(function: Function, calls: tuple[WarpCall, ...], context: Context) -> Iterator[Finding]:
    """A finding for each call that is the toolkit's, not one of the program's own functions."""
    if context.arch < _REMOVED_FROM or function.body is None:
        return
    for node in walk(function.body):
        if isinstance(node, e.Call) and node.name in _LEGACY and _is_builtin(node, context):
            yield _finding(node, function, context)


def _is_builtin(call: e.Call, context: Context) -> bool:
    """Whether the call stands in the project's source and the function called is none of its own."""
    own = context.unit.functions.get(call.key) if call.key else None
    return call.span.path in context.lines and (own is None or own.body is None)


def _finding(call: e.Call, function: Function, context: Context) -> Finding:
    fix = _fix(call, context)
    notes = [f"`{call.name}` takes no mask; code for sm_70 and up does not compile with it"]
    if fix is None:
        notes.append("no fix: which lanes take part has to be said by who knows")
    elif not fix.safe:
        notes.append("the fix names all lanes: right only where all 32 come to the call")
    return RULE.finding(
        call.span,
        f"`{call.name}` was removed for compute capability 7.0 and up",
        notes=tuple(notes),
        help=f"call `{call.name}_sync` with the mask of the lanes that take part",
        kernel=function.name if function.kernel else "",
        evidence={"intrinsic": call.name},
        fix=fix,
    )


def _fix(call: e.Call, context: Context) -> Fix | None:
    """`name(` becomes `name_sync(0xffffffff, `, where that is what the source says."""
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
    """Whether the runs of a kernel stand for all that it does."""
    guessed = any(shape.origin == "usual shape" for shape in kernel.configurations)
    return kernel.modelled and not kernel.modelling.budget_spent and not guessed
