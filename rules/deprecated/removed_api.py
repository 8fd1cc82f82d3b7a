"""
## What it does
Finds functions of the CUDA runtime and driver that are gone or about to go, the forms of
`cudaMemPrefetchAsync` and `cudaMemAdvise` that take a device's number, the fields of `cudaDeviceProp` that
CUDA 13.0 dropped, and `cudaDeviceSynchronize` called in a kernel. A finding names the release that
deprecated the name, the one that removed it, and what to write.

## Why it costs
Code with a removed name does not compile with today's toolkit, and stays with a compiler that knows neither
today's devices nor their instructions: CUDA 13.0 removed what was deprecated since 4.0 (`cudaThread...`),
and 12.0 what was since 10.1. A kernel that waits for its children is worse off: since CUDA 12.0 device code
has no `cudaDeviceSynchronize`, and a module that still holds one does not load on sm_90 and up. Calls that
are only deprecated have lost their point: `cudaDeviceSetSharedMemConfig` acts on compute capability 3.x
alone, whose banks could be 8 bytes wide, and CUDA 12.0 dropped the last of those devices.

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
In a kernel, what has to follow the children is launched into `cudaStreamTailLaunch`, and runs after all of
them.

## Limits
Six functions have a successor of the same arguments: the fix writes its name. Code between `#if` and `#endif`
whose condition names the release of CUDA is left alone, and so are functions that the project defines itself.
Texture references speak by their declaration (CU902), calls for OpenGL by CU903. A field or an old form
without a release of deprecation was documented as deprecated, but without a number.

## Source
001 (dynamic parallelism with a wait, 8-byte banks, `cudaMemcpyToArray`) and 004 (`cudaThreadSynchronize`),
which were right in their time; NVIDIA's lists of deprecated functions and release notes to 13.0, compared
with the headers of CUDA 13.0.
"""

from collections.abc import Iterator

from cudalint.analyses.definitions import definitions
from cudalint.cuda.old_api import FIELDS, FORMS, FUNCTIONS, Row, located
from cudalint.ir.expressions import Call, Member, VariableReference
from cudalint.ir.types import Record, Scalar
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding
from cudalint.rule.old_uses import old, uses
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU901",
    name="removed-api",
    severity=Severity.WARNING,
    summary="a function or field that newer releases of CUDA do not have any more",
    fixes=("safe",),
    guides=("001", "004"),
)

_SYNCHRONISE = Row(
    "cudaDeviceSynchronize",
    "11.6",
    "12.0",
    "launch what has to follow into `cudaStreamTailLaunch`, or end the kernel here",
)
_OLD_WAY = "CUDA_FORCE_CDP1_IF_SUPPORTED"  # below sm_90 device code may then wait as it did


def check(function: Function, context: Context) -> Iterator[Finding]:
    """A finding for each use."""
    for node in uses(function, context):
        if isinstance(node, Member):
            if node.name in FIELDS and isinstance(node.base.type, Record):
                yield from _field(node, context)
        elif node.name in FUNCTIONS and not _of_a_reference(node):
            yield from old(RULE, FUNCTIONS[node.name], node.span, context, f"`{node.name}`", "gone")
        elif node.name in FORMS:
            yield from _form(node, function, context)
        elif node.name == _SYNCHRONISE.name and function.kernel:
            yield from _waits(node, function, context)


def _field(node: Member, context: Context) -> Iterator[Finding]:
    if isinstance(node.base.type, Record) and node.base.type.name == "cudaDeviceProp":
        named = f"the field `{node.name}` of cudaDeviceProp"
        yield from old(RULE, FIELDS[node.name], node.span, context, named, "gone")


def _of_a_reference(call: Call) -> bool:
    """Whether the call is about a texture reference, which CU902 tells at its declaration."""
    return any(
        isinstance(node, VariableReference) and node.variable.storage == "texture"
        for argument in call.arguments
        for node in walk(argument)
    )


def _form(call: Call, function: Function, context: Context) -> Iterator[Finding]:
    row, position = FORMS[call.name]
    if len(call.arguments) > position and isinstance(call.arguments[position].type, Scalar):
        device = definitions(context.unit, function).constant(call.arguments[position])
        named = f"`{call.name}` with a device's number"
        yield from old(RULE, located(row, device), call.span, context, named, "gone")


def _waits(call: Call, function: Function, context: Context) -> Iterator[Finding]:
    if context.arch < 90 and any(_OLD_WAY in flag for flag in context.unit.flags):
        return
    for finding in old(
        RULE, _SYNCHRONISE, call.span, context, "waiting in a kernel for its children", "gone"
    ):
        yield RULE.finding(
            finding.span,
            finding.message,
            notes=(
                "a module that holds `cudaDeviceSynchronize` in device code does not load on sm_90 and up",
            ),
            help=finding.help,
            kernel=function.name,
            evidence=finding.evidence,
        )
