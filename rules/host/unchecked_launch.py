"""
## What it does
Finds kernel launches that are not followed by a check of the last error. Opt-in.

## Why it costs
A launch `<<<...>>>` returns nothing. If its configuration exceeds the limits of the device, if it needs too
much shared memory or too many registers, or if the program has no code for the device, the kernel does not
run, and only the last error shows it: cudaDeviceSynchronize does not report it. The buffers keep their old
contents, and a benchmark measures a time near zero.

## Example
```cuda
step<<<grid, block, bytes>>>(d, n);
cudaDeviceSynchronize();
```

## Instead
```cuda
step<<<grid, block, bytes>>>(d, n);
CHECK(cudaGetLastError());
CHECK(cudaDeviceSynchronize());  // for debugging: shows which kernel failed
```

## Limits
- One check of the last error counts for all launches before it in the function, in the loop around the
  launch, and in the functions called before it.
- A function or macro of the project counts as a check if it leads to cudaGetLastError or
  cudaPeekAtLastError, an unseen function if its name suggests one.
- cudaLaunchKernel returns a status: CU805.

## Source
001 'Error handling'.
"""

from collections.abc import Iterator

from cudalint.analyses.error_checks import checked_by_callers, checks, project_functions, unfollowed
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Unit
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU806",
    name="unchecked-launch",
    severity=Severity.NOTE,
    summary="the launch error of a kernel is not checked",
    default=False,
    guides=("001",),
)


def check(unit: Unit, context: Context) -> Iterator[Finding]:
    """One finding per launch that no check of the last error follows, here or in a caller."""
    known = checks(unit)
    functions = project_functions(unit)
    covered = checked_by_callers(functions, known)
    for function in functions:
        if function.key in covered or function.body is None:
            continue
        for statement in unfollowed(function.body, known):
            if isinstance(statement, s.Evaluate) and isinstance(statement.expression, e.Launch):
                launch = statement.expression
                yield RULE.finding(
                    launch.span,
                    f"unchecked launch: the launch error of `{launch.name}` is not checked",
                    notes=("a failed launch is reported only by cudaGetLastError()",),
                    help="check cudaGetLastError() after the launch",
                    kernel=launch.name,
                    evidence={"kernel": launch.name},
                )
