"""
## What it does
Finds host accesses to memory that the device may still be using: managed, mapped or pinned memory read while
a kernel that writes it may run, or written while a kernel that uses it may run; the destination of an
asynchronous copy read, or its source overwritten, before the copy is complete.

## Why it costs
Launches and asynchronous copies return at once. Without synchronisation the host reads old data or a mix,
differently in each run, and mostly right while the kernel is short, which hides the bug until the problem
size grows. On devices without concurrent managed access (all before 6.0; current ones on Windows and Jetson)
any host access to managed memory while any kernel runs is a segmentation fault.

## Example
```cuda
cudaMallocManaged(&sum, sizeof(float));
reduce<<<grid, block>>>(sum, d, n);
printf("%f\\n", *sum);  // reduce may not have started
```

## Instead
```cuda
cudaMallocManaged(&sum, sizeof(float));
reduce<<<grid, block>>>(sum, d, n);
cudaDeviceSynchronize();
printf("%f\\n", *sum);
```
After cudaMemcpyAsync on a stream: cudaStreamSynchronize(stream), or an event recorded after the copy.

## Limits
- The launch or copy and the access must be in one path of the host code, with nothing in between that may
  wait.
- Kernels that could not be modelled are not reported.
- Not reported for volatile accesses (intended polling), for memory attached with cudaStreamAttachMemAsync,
  and for copies to pageable memory, which block.
- A kernel that takes the address of a member is assumed to use only that member.
- Managed memory that the kernel does not use: an error for `--arch` below sm_60, else a note for writes,
  which fail without concurrent managed access.

## Source
001 'Unified memory': the host waits before it uses the results, and y is written while the kernel runs.
"""

from collections.abc import Iterator, Sequence

from cudalint.host.facts import Argument, HostAccess, HostCall, HostFacts, Place
from cudalint.host.waits import may_have_waited
from cudalint.host.walks import walks
from cudalint.ir import expressions as e
from cudalint.ir.unit import Unit
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts

RULE = Rule(
    code="CU804",
    name="read-before-sync",
    severity=Severity.ERROR,
    summary="the host uses memory that a kernel or copy may still be using",
    guides=("001",),
)

_FIRST_CONCURRENT = 60  # the arch from which the host may use managed memory while a kernel runs
_BOTH = ("managed", "mapped", "pinned", "write-combined")
_FREES = ("free", "operator delete", "operator delete[]")
Uses = dict[tuple[str, str], frozenset[str]]  # 'read', 'written', by kernel key and buffer


def check(host: HostFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding per launch or copy and buffer that the host does not wait for."""
    if not any(access.buffer.space in _BOTH for access in host.accesses):
        return
    uses = _uses(context.kernels)
    for calls in walks(host):
        attached = any(call.name == "cudaStreamAttachMemAsync" for call in calls)
        seen = set()
        for access in host.accesses:
            if access.function != calls[0].function or not _counts(access, attached):
                continue
            found = _conflict(calls, access, uses, context.unit)
            if found is None or not (found[1] or access.write or context.arch < _FIRST_CONCURRENT):
                continue
            if (found[0].span, access.buffer.id) not in seen:
                seen.add((found[0].span, access.buffer.id))
                yield _finding(*found, access, context.arch)


def _counts(access: HostAccess, attached: bool) -> bool:
    if access.buffer.space not in _BOTH or access.volatile or access.handed in _FREES:
        return False
    return not (attached and access.buffer.space == "managed")


def _uses(kernels: Sequence[KernelFacts]) -> Uses:
    """Whether each kernel reads or writes its parameters and the device variables."""
    found: dict[tuple[str, str], set[str]] = {}
    for kernel in kernels:
        for access in kernel.accesses:
            if access.space == "global" and access.buffer:
                how = found.setdefault((kernel.function.key, access.buffer), set())
                how.update(
                    {"load": {"read"}, "store": {"written"}}.get(access.operation, {"read", "written"})
                )
    return {key: frozenset(how) for key, how in found.items()}


def _conflict(
    calls: Sequence[HostCall], access: HostAccess, uses: Uses, unit: Unit
) -> tuple[HostCall, str] | None:
    """The latest work that an access does not wait for, and whether it reads or writes the memory."""
    launch: HostCall | None = None
    for work in reversed(calls[: access.order]):
        if work.captured or work.conditions != access.conditions[: len(work.conditions)]:
            continue
        what = _of_copy(work, access) or _of_kernel(work, access, uses, unit)
        if what and not may_have_waited(calls, work, access.order):
            return work, what
        if launch is None and work.kind == "launch":
            launch = work
    if access.buffer.space != "managed" or launch is None or may_have_waited(calls, launch, access.order):
        return None
    return launch, ""


def _of_copy(work: HostCall, access: HostAccess) -> str:
    """What an asynchronous copy does with the bytes of an access that has to wait for it; '' for nothing."""
    if work.kind != "copy" or work.blocking:
        return ""
    if work.destination is not None and work.destination.id == access.buffer.id:
        return "writes" if _meet(work.destination_place, work.bytes, access) else ""
    if work.source is not None and work.source.id == access.buffer.id and access.write:
        return "reads" if _meet(work.source_place, work.bytes, access) else ""
    return ""


def _meet(place: Place | None, size: int | None, access: HostAccess) -> bool:
    """Whether the access is surely among the bytes of a copy, or at the start of one of unknown size."""
    if place is None or place.offset is None:
        return False
    if access.offset is None:
        return place.offset == 0 and size in (None, access.buffer.bytes)
    return place.offset <= access.offset and (size is None or access.offset < place.offset + size)


def _of_kernel(work: HostCall, access: HostAccess, uses: Uses, unit: Unit) -> str:
    """What a kernel does with the buffer of an access that has to wait for it; '' for nothing."""
    launch = work.launch
    if work.kind != "launch" or launch is None or launch.key not in unit.functions:
        return ""
    names = {access.buffer.name} if access.variable else set()
    parameters = unit.functions[launch.key].parameters
    nodes = launch.expression.arguments or ()
    for argument, node, parameter in zip(launch.arguments or (), nodes, parameters, strict=False):
        if _given(argument, node, access):
            names.add(parameter.name)
    how = {use for name in names for use in uses.get((launch.key, name), ())}
    if "written" in how:
        return "writes"
    return "reads" if "read" in how and access.write else ""


def _given(argument: Argument, node: e.Expression, access: HostAccess) -> bool:
    """Whether a kernel is given the bytes of an access: the whole buffer, or the member that they are in."""
    if argument.buffer is None or argument.buffer.id != access.buffer.id:
        return False
    while isinstance(node, e.Cast):
        node = node.operand
    if isinstance(node, e.AddressOf) and isinstance(node.operand, e.Member):
        return _meet(Place(argument.offset), node.operand.type.bytes, access)
    return argument.offset == 0


def _finding(work: HostCall, what: str, access: HostAccess, arch: int) -> Finding:
    verb, noun = ("writes", "write") if access.write else ("reads", "read")
    name = work.name if work.kind == "copy" else f"`{work.name}`"
    severity = None
    if what:
        note = (
            f"{name} in line {work.span.line} {what} `{access.buffer.name}` asynchronously, and nothing "
            f"waits for it before line {access.span.line}: the order is undefined"
        )
    elif arch < _FIRST_CONCURRENT:
        note = f"{name} may still run: below sm_60 any host access to managed memory then crashes"
    else:
        severity = Severity.NOTE
        note = (
            f"{name} may still run: the program crashes where concurrentManagedAccess is 0 (Windows, Jetson)"
        )
    return RULE.finding(
        access.span,
        f"{noun} before synchronisation: the host {verb} `{access.name}` while {name} may still run",
        notes=(note,),
        help=_help(work),
        kernel=work.name if work.kind == "launch" else "",
        evidence={
            "buffer": access.buffer.name,
            "space": access.buffer.space,
            "work": work.name,
            "does": what,
        },
        related=(Related(work.span, f"{name} queued here"),),
        severity=severity,
    )


def _help(work: HostCall) -> str:
    own = work.stream not in ("default", "per-thread", "unknown") and "?" not in work.stream
    wait = f"cudaStreamSynchronize({work.stream})" if own else "cudaDeviceSynchronize()"
    return f"call {wait} before this access"
