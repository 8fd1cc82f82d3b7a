"""
## What it does
Finds kernel launches after which nobody asks for the last error. Opt-in.

## Why it costs
A launch `<<<...>>>` returns nothing. If its configuration is beyond the device's limits, if it wants too
much shared memory or registers, or if there is no code for the device in the program, the kernel does not
run at all, and the only trace is the last error: cudaDeviceSynchronize does not report it. The buffers keep
what they held, and a benchmark reports a time near zero.

## Example
```cuda
step<<<grid, block, bytes>>>(d, n);
cudaDeviceSynchronize();
```

## Instead
```cuda
step<<<grid, block, bytes>>>(d, n);
CHECK(cudaGetLastError());
CHECK(cudaDeviceSynchronize());  // while debugging: says which kernel failed
```

## Limits
One look at the last error counts for all launches before it in the function, in the loop round the launch,
and in functions that call this one. A function of the project or a macro counts when it comes to
cudaGetLastError or cudaPeekAtLastError, and a function that is not seen when its name speaks of a check.
cudaLaunchKernel returns a status, which CU805 looks at.

## Source
001 'Error handling'.
"""

from collections.abc import Iterator

from cudalint.analyses.error_checks import Checks, checks, project_functions
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU806",
    name="unchecked-launch",
    severity=Severity.NOTE,
    summary="nobody asks for the last error after a launch",
    default=False,
    guides=("001",),
)


def check(unit: Unit, context: Context) -> Iterator[Finding]:
    """A finding for each launch that no look at the last error follows, here or in a caller."""
    known = checks(unit)
    functions = project_functions(unit)
    covered = _covered(functions, known)
    for function in functions:
        if function.key in covered or function.body is None:
            continue
        for statement in _unfollowed(function.body, known):
            if isinstance(statement, s.Evaluate) and isinstance(statement.expression, e.Launch):
                launch = statement.expression
                yield RULE.finding(
                    launch.span,
                    f"unchecked launch: nobody asks whether `{launch.name}` was launched",
                    notes=("a launch that fails leaves its mark in cudaGetLastError() only",),
                    help="check cudaGetLastError() behind the launch",
                    kernel=launch.name,
                    evidence={"kernel": launch.name},
                )


def _covered(functions: list[Function], known: Checks) -> set[str]:
    """Functions after a call of which the last error is looked at: what they launch is checked."""
    covered: set[str] = set()
    calls: dict[str, set[str]] = {}
    for function in functions:
        assert function.body is not None
        open_ = {id(node) for node in _unfollowed(function.body, known)}
        for node in walk(function.body):
            if isinstance(node, (e.Call, e.Construct)) and node.key:
                calls.setdefault(function.key, set()).add(node.key)
                if id(node) not in open_:
                    covered.add(node.key)
    work = list(covered)
    while work:
        for key in calls.get(work.pop(), ()):
            if key not in covered:
                covered.add(key)
                work.append(key)
    return covered


def _unfollowed(body: Node, known: Checks) -> list[Node]:
    """Nodes of a body with no look at the last error behind them, nor anywhere in a loop round them."""
    nodes = list(walk(body))
    last = max((i for i, node in enumerate(nodes) if known.is_check(node)), default=-1)
    inside: set[int] = set()
    for node in nodes:
        if isinstance(node, s.Loop) and id(node) not in inside:
            parts = list(walk(node))
            if any(known.is_check(part) for part in parts):
                inside.update(id(part) for part in parts)
    return [node for node in nodes[last + 1 :] if id(node) not in inside]
