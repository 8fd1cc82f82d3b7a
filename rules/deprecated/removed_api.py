"""
## What it does
Finds removed and deprecated functions of the CUDA runtime and driver APIs, the overloads of
`cudaMemPrefetchAsync` and `cudaMemAdvise` that take a device number, the `cudaDeviceProp` fields removed in
CUDA 13.0, and `cudaDeviceSynchronize` called in a kernel. A finding names the release that deprecated it, the
release that removed it, and the replacement.

## Why it costs
Code that uses a removed name does not compile with a current toolkit, and stays with a compiler that does not
support current devices: CUDA 13.0 removed what was deprecated since 4.0 (`cudaThread...`), 12.0 what was
deprecated since 10.1. Since CUDA 12.0 device code has no `cudaDeviceSynchronize`, and a module that contains
one does not load on sm_90 and up. Calls that are only deprecated have no effect any more:
`cudaDeviceSetSharedMemConfig` acts only on compute capability 3.x, with its 8-byte bank mode, which CUDA 12.0
dropped.

## Example
```cuda
kernel<<<grid, block>>>(data);
cudaThreadSynchronize();
```

## Instead
```cuda
kernel<<<grid, block>>>(data);
cudaDeviceSynchronize();
```
In a kernel, launch what has to follow the child kernels into `cudaStreamTailLaunch`: it runs after all of
them. Six functions have a replacement with the same arguments: the fix writes its name.

## Limits
- Not reported between `#if` and `#endif` with a condition on the CUDA release, and for functions that the
  project defines itself.
- Texture references are reported at their declaration (CU902), OpenGL calls by CU903.
- Some fields and overloads were documented as deprecated without a release number.

## Source
001 (dynamic parallelism with a wait, 8-byte banks, `cudaMemcpyToArray`) and 004 (`cudaThreadSynchronize`),
which were right in their time; NVIDIA's lists of deprecated functions and release notes to 13.0, compared
with the headers of CUDA 13.0.
"""

from collections.abc import Iterator

from cudalint.analyses.definitions import definitions
from cudalint.cuda.old_api import FIELDS, FORMS, FUNCTIONS, Row, located
from cudalint.ir.expressions import Call, Member, Variable, VariableReference
from cudalint.ir.types import Record, Scalar
from cudalint.ir.unit import Function
from cudalint.ir.walk import find
from cudalint.rule.findings import Finding
from cudalint.rule.old_uses import old, uses
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.conditions import for_a_release

RULE = Rule(
    code="CU901",
    name="removed-api",
    severity=Severity.WARNING,
    summary="a function or field that CUDA has removed or deprecated",
    fixes=("safe",),
    guides=("001", "004"),
)

_SYNCHRONISE = Row(
    "cudaDeviceSynchronize",
    "11.6",
    "12.0",
    "launch the continuation into `cudaStreamTailLaunch`, or end the kernel here",
)
_OLD_WAY = "CUDA_FORCE_CDP1_IF_SUPPORTED"  # device code may then still wait below sm_90


def check(function: Function, context: Context) -> Iterator[Finding]:
    """A finding for each use."""
    for node in uses(function, context):
        if isinstance(node, Member):
            if node.name in FIELDS and isinstance(node.base.type, Record):
                yield from _field(node, context)
        elif node.name in FUNCTIONS and not _of_a_reference(node):
            yield from old(RULE, FUNCTIONS[node.name], node.span, context, f"`{node.name}`")
        elif node.name in FORMS:
            yield from _form(node, function, context)
        elif node.name == _SYNCHRONISE.name and function.kernel:
            yield from _synchronises(node, function, context)


def _field(node: Member, context: Context) -> Iterator[Finding]:
    if isinstance(node.base.type, Record) and node.base.type.name == "cudaDeviceProp":
        named = f"field `{node.name}` of cudaDeviceProp"
        yield from old(RULE, FIELDS[node.name], node.span, context, named)


def _of_a_reference(call: Call) -> bool:
    """Whether an argument is a texture reference, which CU902 reports at its declaration."""
    return any(
        node.variable.storage == "texture"
        for argument in call.arguments
        for node in find(argument, VariableReference)
    )


def _form(call: Call, function: Function, context: Context) -> Iterator[Finding]:
    row, position = FORMS[call.name]
    if len(call.arguments) > position and isinstance(call.arguments[position].type, Scalar):
        if any(
            _is_for_a_release(node.variable, context)
            for node in find(call.arguments[position], VariableReference)
        ):
            return
        device = definitions(context.unit, function).constant(call.arguments[position])
        named = f"`{call.name}` with a device number"
        yield from old(RULE, located(row, device), call.span, context, named)


def _is_for_a_release(variable: Variable, context: Context) -> bool:
    """Whether a condition on the CUDA release decides what the variable is."""
    return for_a_release(context.lines.get(variable.span.path, ()), variable.span.line)


def _synchronises(call: Call, function: Function, context: Context) -> Iterator[Finding]:
    if context.arch < 90 and any(_OLD_WAY in flag for flag in context.unit.flags):
        return
    for finding in old(RULE, _SYNCHRONISE, call.span, context, "`cudaDeviceSynchronize` in a kernel"):
        yield RULE.finding(
            finding.span,
            finding.message,
            notes=("a module with `cudaDeviceSynchronize` in device code does not load on sm_90 and up",),
            help=finding.help,
            kernel=function.name,
            evidence=finding.evidence,
        )
