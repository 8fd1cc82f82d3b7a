"""
## What it does
Finds CUDA memory that a function allocates into a local variable, uses, and never frees, and allocations that
overwrite the only pointer to an earlier one. Also graphs that a loop makes in every iteration, where nothing
in it destroys any. Opt-in.

## Why it costs
The memory stays allocated until the program ends. A function called once per frame or per request takes more
of the device each time, until cudaMalloc fails, often far from the leak; 1 MB per call at 1,000 calls per
second fills 80 GB in 80 seconds.

## Example
```cuda
float norm(const float *d, int n)
{
    float *sum;
    cudaMalloc(&sum, sizeof(float));
    reduce<<<grid, block>>>(sum, d, n);
    float h;
    cudaMemcpy(&h, sum, sizeof(float), cudaMemcpyDeviceToHost);
    return h;
}
```

## Instead
Call cudaFree(sum) before the function returns, use a class that frees it in its destructor, or keep one
buffer in the caller.

## Limits
- Reported only if the variable is used in nothing but launches and CUDA runtime calls: a pointer that is
  returned, stored, compared or passed elsewhere may be freed by others.
- An overwritten pointer is reported unless the analysed code frees what it pointed to, or something
  unknown.
- Locals: not reported in main and in functions that call cudaDeviceReset.
- A return before the cudaFree is not detected.

## Source
001 'Memory management'.
"""

from collections.abc import Iterator

from cudalint.analyses.error_checks import project_functions
from cudalint.analyses.local_allocations import unfreed
from cudalint.host.facts import Buffer, HostCall, HostFacts
from cudalint.host.query.loop_graphs import LeftGraph, left_graphs
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function
from cudalint.ir.walk import find
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU809",
    name="leaked-allocation",
    severity=Severity.NOTE,
    summary="memory is allocated into a local variable and never freed",
    default=False,
    guides=("001",),
)

_ALLOCATES = {
    "cudaMalloc": "cudaFree",
    "cudaMallocManaged": "cudaFree",
    "cudaMallocPitch": "cudaFree",
    "cudaMallocAsync": "cudaFreeAsync",
    "cudaMallocHost": "cudaFreeHost",
    "cudaHostAlloc": "cudaFreeHost",
}


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per allocation whose pointer stays in its function, unfreed, and per one that
    overwrites the last pointer to another.
    """
    seen: set[Span] = set()
    for call in host.calls:
        if call.lost is not None and call.span not in seen:
            seen.add(call.span)
            yield _lost_finding(call, call.lost)
    for left in left_graphs(host):
        if left.made.span not in seen:
            seen.add(left.made.span)
            yield _graph_finding(left)
    for function in project_functions(context.unit):
        if function.name != "main" and not function.lambda_ and not _resets(function):
            for made, variable in unfreed(function, _ALLOCATES):
                yield _finding(function, made, variable)


def _resets(function: Function) -> bool:
    return function.body is not None and any(n.name == "cudaDeviceReset" for n in find(function.body, e.Call))


def _lost_finding(call: HostCall, lost: Buffer) -> Finding:
    free = _ALLOCATES.get(call.name, "cudaFree")
    name = lost.name or "the buffer"
    return RULE.finding(
        call.span,
        f"leaked allocation: {call.name} overwrites the only pointer to `{name}`, which is not freed",
        notes=("the memory allocated before can no longer be freed",),
        help=f"call {free} on the old pointer first",
        related=() if lost.span is None else (Related(lost.span, "allocated here"),),
        evidence={"variable": lost.name, "function": call.function},
    )


def _graph_finding(left: LeftGraph) -> Finding:
    return RULE.finding(
        left.made.span,
        f"leaked graph: {left.made.name} in every iteration of a loop, and no {left.gone}",
        notes=("the graph of the iteration before can no longer be destroyed",),
        help=f"call {left.gone} before the next iteration",
        related=(Related(left.loop.span, "this loop"),),
        evidence={"variable": "", "function": left.made.function},
    )


def _finding(function: Function, call: e.Call, variable: e.Variable) -> Finding:
    free = _ALLOCATES[call.name]
    return RULE.finding(
        call.span,
        f"leaked allocation: `{variable.name}` is not freed when {function.name} returns",
        notes=(f"{call.name} without {free}, and the pointer does not escape",),
        help=f"call {free}({variable.name}) before the function returns",
        evidence={"variable": variable.name, "function": function.name},
    )
