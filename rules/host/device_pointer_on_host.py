"""
## What it does
Finds code of the host that reads or writes memory of the device by itself: a pointer of cudaMalloc that is
dereferenced, or handed to memcpy, memset, free, fwrite or an algorithm of std, and `__device__` and
`__constant__` variables that are used like variables of the host.

## Why it costs
Addresses that cudaMalloc gives out are mapped for the GPU only: the first access of the host ends the
program with a segmentation fault. A `__device__` variable is worse: its name on the host means a shadow of
the same type that nothing connects with the device's variable, so the program runs and silently uses other
numbers.

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
cudaMemcpyToSymbol and cudaMemcpyFromSymbol reach `__device__` and `__constant__` variables.

## Limits
Silent when a pointer may also point elsewhere, when the memory is allocated under a condition that the
access does not stand under, and in functions that are compiled for both sides. One finding for each buffer
and line. Grace Hopper, whose CPU reaches the GPU's memory, is not assumed.

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
    summary="the host itself reads or writes memory of the device",
    guides=("003",),
)

_FREES = ("free", "operator delete", "operator delete[]")


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding for each buffer of the device on each line of the host that touches it."""
    seen = set()
    for access in host.accesses:
        if access.buffer.space != "device" or not _is_sure(host, access):
            continue
        key = (access.buffer.id, access.span.path, access.span.line)
        if key not in seen:
            seen.add(key)
            yield _finding(access)


def _is_sure(host: HostFacts, access: HostAccess) -> bool:
    """Whether the memory is the device's wherever the access is come to."""
    number = access.buffer.id
    made = [c for c in host.calls if c.kind == "allocate" and c.destination and c.destination.id == number]
    return not made or any(c.conditions == access.conditions[: len(c.conditions)] for c in made)


def _finding(access: HostAccess) -> Finding:
    name = access.buffer.name or access.name
    how = "writes" if access.write else "reads"
    if access.handed in _FREES:
        what = f"`{name}` of the device is handed to {access.handed.removeprefix('operator ')}"
        why = "the heap of the host does not know this address: it aborts, or is damaged"
        help_ = f"call cudaFree({access.name})"
    elif access.handed:
        what = f"{access.handed} {how} `{name}`, which is memory of the device"
        why = "the address is mapped for the GPU only: a segmentation fault"
        help_ = "use cudaMemcpy or cudaMemset, or work on a copy in host memory"
    elif access.variable:
        what = f"the host {how} `{access.name}`, a variable of the device"
        why = f"on the host `{name}` is a shadow without connection to the device's variable"
        help_ = f"use cudaMemcpy{'To' if access.write else 'From'}Symbol, or declare it `__managed__`"
    else:
        what = f"the host {how} `{access.name}`, which is memory of the device"
        why = "the address is mapped for the GPU only: a segmentation fault"
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
