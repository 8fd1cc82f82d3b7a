"""
## What it does
Finds host accesses to memory that the device may still be using: managed, mapped or pinned memory read while
a kernel that writes it may run, or written while a kernel that uses it may run; the destination of an
asynchronous copy read, or its source overwritten, before the copy is complete. A graph that was captured
does what was recorded into it.

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
- Kernels that could not be modelled are not reported. Of graphs, only what a stream's capture records.
- Not reported for volatile accesses (intended polling), for memory attached with cudaStreamAttachMemAsync,
  and for copies to pageable memory, which block.
- A kernel that takes the address of a member is assumed to use only that member.
- Managed memory that the kernel does not use: an error for `--arch` below sm_60, else a note for writes,
  which fail without concurrent managed access.

## Source
001 'Unified memory': the host waits before it uses the results, and y is written while the kernel runs.
"""

from collections.abc import Iterator, Sequence

from cudalint.host.facts import HostAccess, HostCall, HostFacts
from cudalint.host.query.unwaited_work import Unwaited, Uses, recorded, unwaited_work
from cudalint.host.walks import walks
from cudalint.rule.findings import Finding, Related
from cudalint.rule.host_callers import called_at
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


def check(host: HostFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding per launch or copy and buffer that the host does not wait for."""
    if not any(access.buffer.space in _BOTH for access in host.accesses):
        return
    uses, graphs = _uses(context.kernels), recorded(host)
    for calls in walks(host):
        attached = any(call.name == "cudaStreamAttachMemAsync" for call in calls)
        seen = set()
        for access in host.accesses:
            if access.function != calls[0].function or not _counts(access, attached):
                continue
            found = unwaited_work(calls, access, uses, context.unit, graphs)
            if found is None or not (found.what or access.write or context.arch < _FIRST_CONCURRENT):
                continue
            if (found.work.span, access.buffer.id) not in seen:
                seen.add((found.work.span, access.buffer.id))
                yield _finding(found, access, context)


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


def _finding(found: Unwaited, access: HostAccess, context: Context) -> Finding:
    work, what = found.work, found.what
    inner = tuple(site for site in access.came_by if site not in work.came_by)
    verb, noun = ("writes", "write") if access.write else ("reads", "read")
    name = "the graph" if found.node is not None else work.name if work.kind == "copy" else f"`{work.name}`"
    severity = None
    if what:
        note = (
            f"{name} in line {work.span.line} {what} `{access.buffer.name}` asynchronously, and nothing "
            f"waits for it before line {access.span.line}: the order is undefined"
        )
    elif context.arch < _FIRST_CONCURRENT:
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
        related=(
            Related(work.span, f"{name} queued here"),
            *_inside(found.node, what),
            *called_at(inner, context),
        ),
        severity=severity,
    )


def _inside(node: HostCall | None, what: str) -> tuple[Related, ...]:
    """The part of a graph that uses the memory."""
    return () if node is None else (Related(node.span, f"recorded here: {what} it"),)


def _help(work: HostCall) -> str:
    own = work.stream not in ("default", "per-thread", "unknown") and "?" not in work.stream
    wait = f"cudaStreamSynchronize({work.stream})" if own else "cudaDeviceSynchronize()"
    return f"call {wait} before this access"
