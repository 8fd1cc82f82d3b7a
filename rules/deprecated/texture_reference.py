"""
## What it does
Finds texture and surface references, variables of type `texture<...>` or `surface<...>`, with the places
where they are bound and read.

## Why it costs
CUDA 12.0 removed them (deprecated since 10.1), so the code does not compile with a toolkit that supports
current devices. They were also inflexible: a reference is a file-scope variable that the host binds before
the launch, so a kernel reads fixed textures and cannot take another one or an array of them. A texture object
is a 64-bit handle passed as a kernel argument.

## Example
```cuda
texture<float, cudaTextureType1D, cudaReadModeElementType> table;

__global__ void look_up(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch(table, i);
}
```

## Instead
```cuda
__global__ void look_up(float *out, cudaTextureObject_t table, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<float>(table, i);
}
```
Create the object with `cudaCreateTextureObject`. Read-only linear memory without filtering needs no texture:
a `const float *__restrict__` uses the same cache since compute capability 3.5.

## Limits
- Not reported in code for one CUDA release (`#if CUDART_VERSION < 12000`).
- One finding per reference: the calls that bind and read it are counted, and not reported by CU901.
- Where part of the file could not be analysed, nothing is counted.

## Source
000 'Texture memory' and 004 'Texture and constant memory performance', which read through references; release
notes of CUDA 12.0, and the headers of CUDA 13.0, which have no such types.
"""

from collections.abc import Iterator

from cudalint.ir.expressions import Call, Variable, VariableReference
from cudalint.ir.types import Record
from cudalint.ir.unit import Unit
from cudalint.ir.walk import Node, children, find
from cudalint.rule.findings import Finding
from cudalint.rule.related import elsewhere
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.conditions import for_a_release

RULE = Rule(
    code="CU902",
    name="texture-reference",
    severity=Severity.ERROR,
    summary="a texture or surface reference, which CUDA 12.0 removed",
    guides=("000", "004"),
)


def check(unit: Unit, context: Context) -> Iterator[Finding]:
    """A finding for each reference that is declared."""
    found = [variable for variable in unit.variables.values() if _is_reference(variable)]
    if not found:
        return
    calls = _calls(unit)
    for variable in found:
        span = variable.span
        if not for_a_release(context.lines.get(span.path, ()), span.line):
            yield _finding(variable, calls.get(variable, []), not unit.problems)


def _finding(variable: Variable, calls: list[Call], whole: bool) -> Finding:
    """The finding about a reference. whole: all code of the unit was parsed, so that its uses are counted."""
    name = variable.type.name if isinstance(variable.type, Record) else ""
    what = "surface" if name.startswith("surface") else "texture"
    bindings = sum(call.name.startswith("cudaBind") for call in calls)
    releases = sum(call.name.startswith("cudaUnbind") for call in calls)
    reads = len(calls) - bindings - releases
    released = f"; that unbind it: {releases}" if releases else ""
    note = f"host calls that bind it: {bindings}{released}; reads and other calls: {reads}"
    counts = {"bindings": bindings, "releases": releases, "uses": reads}
    return RULE.finding(
        variable.span,
        f"{what} reference `{variable.name}`: removed in CUDA 12.0 (deprecated since 10.1)",
        notes=(note,) if whole else (),
        help=_help(what, len(calls), reads, whole),
        evidence={"removed": "12.0", **(counts if whole else {})},
        related=elsewhere(calls, lambda call: f"{call.name} here"),
    )


def _help(what: str, calls: int, reads: int, whole: bool) -> str:
    if whole and not calls:
        return "it is not used here: delete it"
    if whole and not reads:
        return "it is not read here: delete it and the calls that bind it"
    maker = "cudaCreateSurfaceObject" if what == "surface" else "cudaCreateTextureObject"
    advice = f"create a {what} object with `{maker}` and pass it to the kernel as an argument"
    return advice if whole else f"if something reads it, {advice}; else delete it"


def _is_reference(variable: Variable) -> bool:
    kind = variable.type
    if variable.storage == "texture":
        return True
    return variable.storage == "global" and isinstance(kind, Record) and kind.name.startswith("surface<")


def _calls(unit: Unit) -> dict[Variable, list[Call]]:
    """The calls that take each reference as an argument, ordered by place."""
    found: dict[Variable, dict[object, Call]] = {}
    for function in unit.functions.values():
        for node in find(function.body, Call):
            for argument in node.arguments:
                for part in _direct(argument):
                    if isinstance(part, VariableReference) and _is_reference(part.variable):
                        found.setdefault(part.variable, {})[(node.span, node.name)] = node
    return {v: sorted(c.values(), key=lambda n: (n.span.path, n.span.line)) for v, c in found.items()}


def _direct(argument: Node) -> Iterator[Node]:
    """What a call is handed itself: not what a call within its argument is, as in the check of an error."""
    if isinstance(argument, Call):
        return
    yield argument
    for part in children(argument):
        yield from _direct(part)
