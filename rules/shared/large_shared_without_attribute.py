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
  kernel that is not named, or passes the kernel to a function whose body is not visible; but for calls with
  fewer bytes, and those that a condition on the launch's own size leaves out.
- Silent where the size was compared with an unknown number before, such as a limit queried from the device.

## Source
The language's reference on shared memory by architecture, and the tables of technical specifications. The
limit was verified on an H200: static and dynamic shared memory count together.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.static_shared import static_shared_bytes
from cudalint.gpu.capabilities import limits
from cudalint.host.facts import HostCall, LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU204",
    name="large-shared-without-attribute",
    severity=Severity.ERROR,
    summary="a launch requests more dynamic shared memory than a block gets without the attribute",
)

_SET = ("cudaFuncSetAttribute", "cuFuncSetAttribute", "cuKernelSetAttribute")
_HARMLESS = ("cudaFuncGetAttributes", "cudaFuncSetCacheConfig", "cudaFuncSetSharedMemConfig")
_QUERIES = ("cudaOccupancy",)
_KNOWN = ("cuda", "cuFunc", "cuKernel", "cuLaunch")
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
    calls: list[_Set] | None = []
    fixed = f" and {static:,} bytes of static" if static else ""
    if total > most:
        what = f"the limit on sm_{context.arch} is {most:,}"
        help_ = "use smaller tiles"
    elif (calls := _too_little(context, kernel, launch)) is not None:
        allowed = max((one.bytes or 0 for one in calls), default=0)
        what = f"more than {own:,} requires cudaFuncSetAttribute"
        what += (
            f", which allows {allowed:,}"
            if allowed
            else ", which is not called for this size"
            if calls
            else ""
        )
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
        related=tuple(
            Related(one.span, f"this sets {one.bytes:,}" if one.bytes else "this is not called for that size")
            for one in calls or ()
        ),
        evidence={"dynamic": dynamic, "static": static, "limit": most if total > most else own},
    )


class _Set(Struct, frozen=True):
    """A call that sets the attribute in no run, or to less than a launch requests."""

    span: Span
    bytes: int | None  # None where it is not made


def _too_little(context: Context, kernel: Function, launch: LaunchFact) -> list[_Set] | None:
    """The calls that set the attribute for the kernel, none of which is made with enough; None where some
    code of the unit may allow what the launch requests.
    """
    found: dict[Span, _Set] = {}
    around = context.unit.functions.get(launch.function)
    walked = {one.key for one in reachable(context.unit, around)} if around is not None else set[str]()
    for function in context.unit.functions.values():
        for node in walk(function.body) if function.body is not None and function.host else ():
            if not _may_allow(node, kernel, context.unit):
                continue
            if not isinstance(node, e.Call) or node.name not in _SET:
                return None
            every = [one for one in context.host.calls if one.span == node.span]
            made = [one for one in every if one.kernel in ("", kernel.key)]
            most = _most(made, launch.dynamic_shared_bytes or 0)
            if most is None or not (every or (function.key in walked and not function.lambda_)):
                return None
            if made and _sets_what_it_asks(node, around, launch):
                return None
            if made or not every:
                found[node.span] = _Set(node.span, most or None)
    return list(found.values())


def _sets_what_it_asks(call: e.Call, around: Function | None, launch: LaunchFact) -> bool:
    """Whether the launch asks for what the function with it passes to the call, whatever number that is."""
    nodes = tuple(walk(around.body)) if around is not None and around.body is not None else ()
    asked = [node for node in nodes if isinstance(node, e.Launch) and node.span == launch.span]
    if not any(node is call for node in nodes) or len(call.arguments) < 3:
        return False
    passed = _plain(call.arguments[2])
    return isinstance(passed, e.VariableReference) and any(
        isinstance(size := _plain(node.shared), e.VariableReference) and size.variable == passed.variable
        for node in asked
        if node.shared is not None
    )


def _most(calls: list[HostCall], needed: int) -> int | None:
    """The most bytes that the calls set; None for what may be enough."""
    if any(one.bytes is None or one.bytes >= needed for one in calls):
        return None
    return max((one.bytes or 0 for one in calls), default=0)


def _may_allow(node: Node, kernel: Function, unit: Unit) -> bool:
    if not isinstance(node, e.Call) or not node.arguments:
        return False
    if node.name in _SET:
        which = node.arguments[1] if len(node.arguments) > 1 else None
        attribute = _plain(which) if which is not None else None
        if isinstance(attribute, e.Literal) and attribute.value != _DYNAMIC_SIZE:
            return False
        named = _plain(node.arguments[0])
        return not isinstance(named, e.FunctionReference) or _same(named, kernel, unit)
    if node.name in _HARMLESS or node.name.startswith(_QUERIES) or "Launch" in node.name:
        return False
    arguments = [_plain(argument) for argument in node.arguments]
    if not any(isinstance(one, e.FunctionReference) and _same(one, kernel, unit) for one in arguments):
        return False
    called = unit.defined(node.key)  # what it does with the kernel is seen there
    return called is None or any(map(_hands_on, reachable(unit, called)))


def _hands_on(function: Function) -> bool:
    """Whether the function passes a parameter that may be a kernel to one that is not CUDA's."""
    own = {one.id for one in function.parameters if isinstance(one.type, Pointer)}
    return any(
        not node.name.startswith(_KNOWN)
        and any(isinstance(one, e.VariableReference) and one.variable.id in own for one in node.arguments)
        for node in find(function.body, e.Call)
    )


def _same(reference: e.FunctionReference, kernel: Function, unit: Unit) -> bool:
    """Whether it may be the kernel: also one of its name of which nobody knows which it is."""
    if reference.key == kernel.key or unit.defined(reference.key) is not None:
        return reference.key == kernel.key
    return reference.name.partition("<")[0] == kernel.name.partition("<")[0]


def _plain(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast | e.AddressOf):
        node = node.operand
    return node
