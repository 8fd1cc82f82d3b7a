"""
## What it does
Finds CUDA memory that a function allocates into a local variable, uses, and never frees. Opt-in.

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
- Not reported in main and in functions that call cudaDeviceReset.
- A return before the cudaFree is not detected.

## Source
001 'Memory management'.
"""

from collections.abc import Iterator

from cudalint.analyses.error_checks import project_functions
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, walk
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

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
_USES = ("cudaMemcpy", "cudaMemset", "cudaMemPrefetch", "cudaMemAdvise")


def check(unit: Unit, context: Context) -> Iterator[Finding]:
    """One finding per allocation whose pointer stays in its function, which does not free it."""
    for function in project_functions(unit):
        if function.name != "main" and not function.lambda_ and not _resets(function):
            yield from _leaks(function)


def _resets(function: Function) -> bool:
    assert function.body is not None
    return any(isinstance(n, e.Call) and n.name == "cudaDeviceReset" for n in walk(function.body))


def _leaks(function: Function) -> Iterator[Finding]:
    assert function.body is not None
    nodes = list(walk(function.body))
    local = {node.variable.id for node in nodes if isinstance(node, s.Declare)}
    made: dict[int, tuple[e.Call, e.Variable]] = {}
    harmless: set[int] = set()
    places = {id(n.operand) for n in nodes if isinstance(n, e.AddressOf)}
    for node in nodes:
        if isinstance(node, e.Call) and node.name in _ALLOCATES and node.arguments:
            reference = _taken(node.arguments[0])
            if reference is not None and reference.variable.id in local:
                made.setdefault(reference.variable.id, (node, reference.variable))
                harmless.add(id(reference))
        if id(node) not in places:
            harmless |= _used(node)
    escaped = {n.variable.id for n in nodes if isinstance(n, e.VariableReference) and id(n) not in harmless}
    captured = {v.id for n in nodes if isinstance(n, e.Lambda) for v, _ in n.captures}
    for number, (call, variable) in made.items():
        if number not in escaped | captured:
            yield _finding(function, call, variable)


def _taken(node: e.Expression) -> e.VariableReference | None:
    """The variable whose address is passed."""
    while isinstance(node, e.Cast):
        node = node.operand
    if isinstance(node, e.AddressOf) and isinstance(node.operand, e.VariableReference):
        return node.operand
    return None


def _used(node: Node) -> set[int]:
    """References in arguments of launches, copies and memsets: the pointer goes no further."""
    passed: tuple[e.Expression, ...] = ()
    if isinstance(node, e.Launch):
        passed = node.arguments or ()
    elif isinstance(node, e.Call) and node.name.startswith(_USES) and "Symbol" not in node.name:
        passed = node.arguments
    elif isinstance(node, e.Index):
        passed = (node.base,)
    found = set()
    for argument in passed:
        reference = _base(argument)
        if reference is not None:
            found.add(id(reference))
    return found


def _base(node: Node) -> e.VariableReference | None:
    """The variable that a pointer argument is, or starts from."""
    while isinstance(node, (e.Cast, e.Binary)):
        node = children(node)[0]
    return node if isinstance(node, e.VariableReference) else None


def _finding(function: Function, call: e.Call, variable: e.Variable) -> Finding:
    free = _ALLOCATES[call.name]
    return RULE.finding(
        call.span,
        f"leaked allocation: `{variable.name}` is not freed when {function.name} returns",
        notes=(f"{call.name} without {free}, and the pointer does not escape",),
        help=f"call {free}({variable.name}) before the function returns",
        evidence={"variable": variable.name, "function": function.name},
    )
