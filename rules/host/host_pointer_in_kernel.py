"""
## What it does
Finds launches that hand a kernel a pointer into ordinary memory of the host: malloc, new, std::vector, a
variable on the stack.

## Why it costs
The GPU has its own address space for what cudaMalloc gives out, and can reach pinned and managed memory
besides. An address of the host's heap or stack means nothing to it: the first access ends the kernel with an
illegal memory access (error 700), every later CUDA call of the process fails with the same error, and where
errors are not checked the results are those of the memory as it was before.

## Example
```cuda
float *h = (float *)malloc(bytes);
scale<<<grid, block>>>(h, n);  // h is an address of the host
```

## Instead
```cuda
float *d;
cudaMalloc(&d, bytes);
cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
scale<<<grid, block>>>(d, n);
```
Or cudaMallocManaged for memory that both sides use.

## Limits
Silent when it is not known where the pointer points, for parameters that the kernel does not use, and for
pinned, mapped and managed memory. Systems on which the GPU reads all memory of the host (HMM on Linux with
the open driver since CUDA 12.2, Grace Hopper) run such code; they are not assumed, unless the program asks
the device for pageableMemoryAccess. Pointers inside structs are not looked at.

## Source
003 'Memory': host and device pointers are never mixed.
"""

from collections.abc import Iterator

from cudalint.host.facts import Argument, LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Unit
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU801",
    name="host-pointer-in-kernel",
    severity=Severity.ERROR,
    summary="a kernel is handed a pointer to ordinary host memory",
    guides=("003",),
)

_PAGEABLE_ACCESS = (88, 100)  # attributes that tell whether the GPU reads pageable memory


def check(launch: LaunchFact, context: Context) -> Iterator[Finding]:
    """A finding for every pointer argument that is known to point into pageable memory."""
    written = launch.expression.arguments
    if launch.arguments is None or written is None or not launch.reached:
        return
    for index, argument in enumerate(launch.arguments):
        if _is_host(argument) and _is_used(context.unit, launch, index) and not _asks(context.unit):
            yield _finding(launch, argument, written[index])


def _is_host(argument: Argument) -> bool:
    buffer = argument.buffer
    return buffer is not None and buffer.space == "pageable" and buffer.name != "temporary"


def _is_used(unit: Unit, launch: LaunchFact, index: int) -> bool:
    """Whether the parameter is a pointer that the kernel's body mentions."""
    function = unit.functions.get(launch.key or "")
    if function is None or function.body is None or index >= len(function.parameters):
        return False
    parameter = function.parameters[index]
    if not isinstance(parameter.type, t.Pointer):
        return False
    return any(isinstance(n, e.VariableReference) and n.variable == parameter for n in walk(function.body))


def _asks(unit: Unit) -> bool:
    """Whether the program asks if the GPU reads pageable memory."""
    for function in unit.functions.values():
        if function.body is None or not function.host:
            continue
        for node in walk(function.body):
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
    related: tuple[Related, ...] = ()
    if buffer.span is not None:
        related = (Related(buffer.span, "its memory is the host's: allocated or declared here"),)
    return RULE.finding(
        written.span,
        f"host pointer in a kernel: `{argument.expression}` of `{launch.name}` points into pageable memory",
        notes=(
            f"{buffer.name or 'the buffer'}{size} is ordinary host memory, which the kernel cannot reach: "
            "its first access is an illegal memory access (error 700)",
        ),
        help="pass memory of cudaMalloc that the data was copied to, or allocate with cudaMallocManaged",
        kernel=launch.name,
        evidence={"argument": argument.expression, "buffer": buffer.name, "bytes": buffer.bytes},
        related=related,
    )
