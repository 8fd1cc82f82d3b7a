"""
## What it does
Finds host code that accesses device memory directly: a cudaMalloc pointer that is dereferenced or passed to
memcpy, memset, free, fwrite or a std algorithm, and `__device__` and `__constant__` variables used like host
variables.

## Why it costs
cudaMalloc addresses are mapped only on the GPU: the first host access is a segmentation fault. A `__device__`
variable is worse: on the host its name refers to a shadow variable of the same type that is not connected to
the device variable, so the program runs and silently uses wrong values.

## Example
```cuda
float *d;
cudaMalloc(&d, bytes);
scale<<<grid, block>>>(d, n);
printf("%f\\n", d[0]);  // segmentation fault
```

## Instead
```cuda
float first;
cudaMemcpy(&first, d, sizeof(float), cudaMemcpyDeviceToHost);
printf("%f\\n", first);
```
Access `__device__` and `__constant__` variables with cudaMemcpyToSymbol and cudaMemcpyFromSymbol.

## Limits
- Not reported where a pointer may also point elsewhere, or where the memory is allocated under a condition
  that does not guard the access.
- Not reported in functions compiled for host and device.
- One finding per buffer and source line.
- Systems whose CPU can access GPU memory (Grace Hopper) are not assumed.

## Source
003 'Memory': different memory spaces are never dereferenced from the other side.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostAccess, HostFacts
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU802",
    name="device-pointer-on-host",
    severity=Severity.ERROR,
    summary="host code reads or writes device memory directly",
    guides=("003",),
)

_FREES = ("free", "operator delete", "operator delete[]")


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per device buffer and line of host code that accesses it."""
    seen = set()
    for access in host.accesses:
        if access.buffer.space != "device" or not _is_sure(host, access):
            continue
        key = (access.buffer.id, access.span.path, access.span.line)
        if key not in seen:
            seen.add(key)
            yield _finding(access)


def _is_sure(host: HostFacts, access: HostAccess) -> bool:
    """Whether the memory is device memory on every path to the access."""
    number = access.buffer.id
    made = [c for c in host.calls if c.kind == "allocate" and c.destination and c.destination.id == number]
    return not made or any(c.conditions == access.conditions[: len(c.conditions)] for c in made)


def _finding(access: HostAccess) -> Finding:
    name = access.buffer.name or access.name
    how = "writes" if access.write else "reads"
    if access.handed in _FREES:
        what = f"device memory `{name}` is passed to {access.handed.removeprefix('operator ')}"
        why = "the address is not from the host heap: the program aborts or corrupts the heap"
        help_ = f"call cudaFree({access.name})"
    elif access.handed:
        what = f"{access.handed} {how} device memory `{name}`"
        why = "the address is mapped only on the GPU: segmentation fault"
        help_ = "use cudaMemcpy or cudaMemset, or work on a copy in host memory"
    elif access.variable:
        what = f"the host {how} the device variable `{access.name}`"
        why = f"on the host `{name}` is a shadow variable that is not connected to the device variable"
        help_ = f"use cudaMemcpy{'To' if access.write else 'From'}Symbol, or declare it `__managed__`"
    else:
        what = f"the host {how} device memory `{access.name}`"
        why = "the address is mapped only on the GPU: segmentation fault"
        help_ = "copy it to host memory with cudaMemcpy, or allocate it with cudaMallocManaged"
    related: tuple[Related, ...] = ()
    if access.buffer.span is not None:
        related = (Related(access.buffer.span, "declared here" if access.variable else "allocated here"),)
    return RULE.finding(
        access.span,
        f"device pointer on the host: {what}",
        notes=(why,),
        help=help_,
        evidence={"buffer": name, "bytes": access.buffer.bytes, "operation": how, "handed": access.handed},
        related=related,
    )
