"""
## What it does
With an `--arch` that does double precision at 1/24 of the rate of float or less, finds functions that run
double arithmetic on the device.

## Why it costs
GPUs for graphics and inference have few units for double: of compute capability 7.5 a multiprocessor has 2
for 64 float units, of 8.6, 8.9 and 12.0 it has 2 for 128. A warp's double addition occupies them for 16
clocks, and a `sqrt`, `exp` or division is ten to forty such operations.

## Example
```cuda
double sum = 0.0;
for (int k = 0; k < n; ++k)
    sum += x[k] * y[k];  // sm_89: 1/64 of the rate of float
```

## Instead
Compute in float where its 24 bits are enough. Where they are not, keep double for the one step that needs it:
sum in float over a short run and add the runs up in double, or carry the rounding error in a second float
(compensated summation). Or run on a device made for double: 6.0, 7.0, 8.0, 9.0 and 10.0 do it at half rate.

## Limits
One finding for each function, at its first double operation. Silent for half-rate devices and those whose
rate is not published, for fewer than four operations outside loops, in host code, and where float became
double by a literal or an overload, which CU601 and CU602 speak of. Operations are counted in the source.

## Source
004 'Double precision'; CUDA C++ Programming Guide, throughput of arithmetic instructions.
"""

from collections.abc import Iterator

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.widened import ARITHMETIC, end
from cudalint.cuda.maths import floating, pure
from cudalint.gpu.rates import fp64_ratio
from cudalint.ir.expressions import Assign, Binary, Call, Expression
from cudalint.ir.render import render
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import DOUBLE_OPERATIONS, DOUBLE_RATIO

RULE = Rule(
    code="CU610",
    name="fp64-on-low-rate-device",
    severity=Severity.WARNING,
    summary="double arithmetic on a device that does it at 1/24 of the rate of float or less",
)


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding for each function."""
    ratio = fp64_ratio(context.arch)
    if ratio is None or ratio < DOUBLE_RATIO.value:
        return
    for body in code.bodies:
        found = sorted(_operations(body), key=lambda n: (n.span.line, n.span.column))
        looped = [node for node in found if any(body.loops(node))]
        if looped or len(found) >= DOUBLE_OPERATIONS.value:
            yield _finding(body, found, looped, ratio, context.arch)


def _operations(body: Body) -> Iterator[Expression]:
    """Arithmetic and mathematics in double that is meant so."""
    candidates: list[Binary | Assign | Call] = [*body.of(Binary), *body.of(Assign), *body.of(Call)]
    for node in candidates:
        match node:
            case Binary(operator=operator) if operator in ARITHMETIC and floating(node.type, 8):
                meant = body.constant(node) is None and not end(node, body)
            case Assign(operator=operator) if operator in ARITHMETIC and floating(node.target.type, 8):
                meant = True
            case Call() if pure(node) and floating(node.type, 8):
                meant = not end(node, body)
            case _:
                meant = False
        if meant:
            yield node


def _finding(body: Body, found: list[Expression], looped: list[Expression], ratio: int, arch: int) -> Finding:
    first = looped[0] if looped else found[0]
    count, inside = len(found), len(looped)
    many = f"{count} double operation{'s' if count > 1 else ''}"
    return RULE.finding(
        first.span,
        f"double on a low-rate device: {many} in `{body.function.name}`, each as long as {ratio} in float",
        notes=(
            f"sm_{arch} does double precision at 1/{ratio} of the rate of float",
            *((f"{inside} of them in loops; the first is `{render(first)}`",) if looped else ()),
        ),
        help="compute in float, and keep double for the steps that need it",
        kernel=body.function.name,
        evidence={"operations": count, "in_loops": inside, "ratio": ratio},
    )
