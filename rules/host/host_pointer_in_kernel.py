"""
## What it does
Finds launches that pass a kernel a pointer to pageable host memory: malloc, new, std::vector, stack
variables.

## Why it costs
A kernel can access cudaMalloc, pinned and managed memory. A host heap or stack address is invalid on the GPU:
the first access ends the kernel with an illegal memory access (error 700), every later CUDA call of the
process fails with the same error, and if errors are not checked the results are stale.

## Example
```cuda
float *h = (float *)malloc(bytes);
scale<<<grid, block>>>(h, n);  // h is a host address
```

## Instead
```cuda
float *d;
cudaMalloc(&d, bytes);
cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
scale<<<grid, block>>>(d, n);
```
Or allocate with cudaMallocManaged, for memory that both sides use.

## Limits
- Not reported where it is unknown what the pointer points to, for parameters that the kernel does not use,
  and for pinned, mapped and managed memory. A pointer that a copy before the launch takes as the host's is
  the host's; it may still be pinned.
- Systems whose GPU can access all host memory (HMM on Linux with the open driver since CUDA 12.2, Grace
  Hopper) are not assumed, unless the program queries pageableMemoryAccess.
- A pointer in a struct that is passed by value is reported if the kernel names that member.

## Source
003 'Memory': host and device pointers are never mixed.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from cudalint.analyses.pointer_members import pointer_members
from cudalint.host.facts import Argument, LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU801",
    name="host-pointer-in-kernel",
    severity=Severity.ERROR,
    summary="a kernel is passed a pointer to pageable host memory",
    guides=("003",),
)

_PAGEABLE_ACCESS = (88, 100)  # cudaDevAttr numbers: whether the GPU can access pageable memory


def check(launch: LaunchFact, context: Context) -> Iterator[Finding]:
    """A finding for every pointer argument that is known to point into pageable memory."""
    written = launch.expression.arguments
    if launch.arguments is None or written is None or not launch.reached:
        return
    for index, argument in enumerate(launch.arguments):
        if _is_host(argument) and _is_used(context.unit, launch, index) and not _queries_access(context.unit):
            yield _finding(launch, argument, written[index])
        for member in _members(context.unit, launch, index, argument):
            yield _finding(launch, member, written[index])


def _members(unit: Unit, launch: LaunchFact, index: int, argument: Argument) -> list[Argument]:
    """Pointers to pageable memory in a struct that is passed by value, as far as the kernel uses them."""
    hosts = [(offset, inner) for offset, inner in argument.fields if _is_host(inner)]
    function = unit.functions.get(launch.key or "")
    if not hosts or function is None or _queries_access(unit):
        return []
    used = pointer_members(unit, function, index)
    return [replace(inner, expression=argument.expression) for offset, inner in hosts if offset in used]


def _is_host(argument: Argument) -> bool:
    buffer = argument.buffer
    return buffer is not None and buffer.space in ("pageable", "host") and buffer.name != "temporary"


def _is_used(unit: Unit, launch: LaunchFact, index: int) -> bool:
    """Whether the parameter is a pointer that the kernel's body mentions."""
    function = unit.functions.get(launch.key or "")
    if function is None or function.body is None or index >= len(function.parameters):
        return False
    parameter = function.parameters[index]
    if not isinstance(parameter.type, t.Pointer):
        return False
    return any(n.variable == parameter for n in find(function.body, e.VariableReference))


def _queries_access(unit: Unit) -> bool:
    """Whether the program queries if the GPU can access pageable memory."""
    for function in unit.functions.values():
        if function.body is None or not function.host:
            continue
        for node in find(function.body, e.Member, e.Call):
            match node:
                case e.Member(name="pageableMemoryAccess" | "pageableMemoryAccessUsesHostPageTables"):
                    return True
                case e.Call(name="cudaDeviceGetAttribute", arguments=(_, attribute, *_)):
                    if _number(attribute) in _PAGEABLE_ACCESS:
                        return True
    return False


def _number(node: e.Expression) -> object:
    while isinstance(node, e.Cast):
        node = node.operand
    return node.value if isinstance(node, e.Literal) else None


def _finding(launch: LaunchFact, argument: Argument, written: e.Expression) -> Finding:
    buffer = argument.buffer
    assert buffer is not None
    size = "" if buffer.bytes is None else f" of {buffer.bytes:,} bytes"
    inside = isinstance(written.type, t.Record)
    what = f"a member of `{argument.expression}`" if inside else f"`{argument.expression}`"
    copied = buffer.space == "host"
    memory = "host memory" if copied else "pageable memory"
    related: tuple[Related, ...] = ()
    if buffer.span is not None:
        place = "declared here, and copied as memory of the host" if copied else ""
        related = (Related(buffer.span, place or "allocated or declared here, in host memory"),)
    return RULE.finding(
        written.span,
        f"host pointer in a kernel: {what} of `{launch.name}` points into {memory}",
        notes=(
            f"{buffer.name or 'the buffer'}{size} is {'' if copied else 'pageable '}host memory: the first "
            "access of the kernel is an illegal memory access (error 700)"
            + (", unless it is pinned" if copied else ""),
        ),
        confidence=Confidence.MEDIUM if copied else None,
        help="copy the data to cudaMalloc memory and pass that, or allocate with cudaMallocManaged",
        kernel=launch.name,
        evidence={"argument": argument.expression, "buffer": buffer.name, "bytes": buffer.bytes},
        related=related,
    )
