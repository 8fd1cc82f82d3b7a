"""
## What it does
Finds launches that request more dynamic shared memory than a block gets by default (48 KiB less the kernel's
static shared memory) without a cudaFuncSetAttribute that allows it, and launches that request more than any
block of the target can have.

## Why it costs
The launch fails with cudaErrorInvalidValue, and the kernel does not run. Without a check of
cudaGetLastError() the program continues with the old contents of its buffers.

## Example
```cuda
blend<<<grid, 256, 64 * 1024>>>(out, in);  // fails
```

## Instead
```cuda
cudaFuncSetAttribute(blend, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
blend<<<grid, 256, 64 * 1024>>>(out, in);
```
Once for each kernel, and for each instantiation of a template, before its first launch. Available since
sm_70, where a block can have 96 KiB; 163 KiB on sm_80, 99 KiB on sm_86, sm_89 and sm_120, and 227 KiB on
sm_90 and sm_100.

## Limits
- Reported only for known sizes and launches that are reachable.
- Silent where any code of the file sets the attribute for the kernel (before the launch or after), for a
  kernel that is not named, or passes the kernel to a function whose body is not visible.
- Silent where the size was compared with an unknown number before, such as a limit queried from the device.

## Source
The language's reference on shared memory by architecture, and the tables of technical specifications. The
limit was verified on an H200: static and dynamic shared memory count together.
"""

from collections.abc import Iterator

from cudalint.analyses.static_shared import static_shared_bytes
from cudalint.gpu.capabilities import limits
from cudalint.host.facts import LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function
from cudalint.ir.walk import Node, walk
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU204",
    name="large-shared-without-attribute",
    severity=Severity.ERROR,
    summary="a launch requests more dynamic shared memory than a block gets without the attribute",
)

_SET = ("cudaFuncSetAttribute", "cuFuncSetAttribute", "cuKernelSetAttribute")
_HARMLESS = ("cudaFuncGetAttributes", "cudaFuncSetCacheConfig", "cudaFuncSetSharedMemConfig")
_QUERIES = ("cudaOccupancy",)
_DYNAMIC_SIZE = 8  # cudaFuncAttributeMaxDynamicSharedMemorySize


def check(launch: LaunchFact, context: Context) -> Iterator[Finding]:
    """A finding where nothing can have allowed what the launch requests."""
    kernel = context.unit.functions.get(launch.key or "")
    dynamic = launch.dynamic_shared_bytes
    if not launch.reached or launch.guarded or launch.size_guarded or kernel is None or not dynamic:
        return
    capability = limits(context.arch)
    static = static_shared_bytes(context.unit, kernel)
    total = static + dynamic
    own, most = capability.shared_per_block, capability.shared_per_block_optin
    if total <= own or static > own:
        return
    fixed = f" and {static:,} bytes of static" if static else ""
    if total > most:
        what = f"the limit on sm_{context.arch} is {most:,}"
        help_ = "use smaller tiles"
    elif not _may_be_allowed(context, kernel):
        what = f"more than {own:,} requires cudaFuncSetAttribute"
        help_ = (
            f"call cudaFuncSetAttribute({kernel.name}, cudaFuncAttributeMaxDynamicSharedMemorySize,"
            f" {dynamic}) before the launch"
        )
    else:
        return
    yield RULE.finding(
        launch.span,
        f"launch requests {dynamic:,} bytes of dynamic{fixed} shared memory per block: {what}",
        notes=("the launch fails with cudaErrorInvalidValue, and the kernel does not run",),
        help=help_,
        kernel=launch.name,
        evidence={"dynamic": dynamic, "static": static, "limit": most if total > most else own},
    )


def _may_be_allowed(context: Context, kernel: Function) -> bool:
    """Whether some code of the unit may set the attribute for the kernel."""
    return any(
        _may_allow(node, kernel)
        for function in context.unit.functions.values()
        if function.body is not None and function.host
        for node in walk(function.body)
    )


def _may_allow(node: Node, kernel: Function) -> bool:
    if not isinstance(node, e.Call) or not node.arguments:
        return False
    if node.name in _SET:
        which = node.arguments[1] if len(node.arguments) > 1 else None
        attribute = _plain(which) if which is not None else None
        if isinstance(attribute, e.Literal) and attribute.value != _DYNAMIC_SIZE:
            return False
        named = _plain(node.arguments[0])
        return not isinstance(named, e.FunctionReference) or _same(named, kernel)
    if node.name in _HARMLESS or node.name.startswith(_QUERIES) or "Launch" in node.name:
        return False
    arguments = [_plain(argument) for argument in node.arguments]
    return any(isinstance(value, e.FunctionReference) and _same(value, kernel) for value in arguments)


def _same(reference: e.FunctionReference, kernel: Function) -> bool:
    return reference.key == kernel.key or reference.name.partition("<")[0] == kernel.name.partition("<")[0]


def _plain(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast | e.AddressOf):
        node = node.operand
    return node
