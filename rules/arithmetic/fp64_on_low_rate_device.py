"""
## What it does
Finds double-precision arithmetic in device code if `--arch` runs FP64 at 1/24 of the FP32 rate or less.

## Why it costs
GPUs for graphics and inference have few FP64 units: per multiprocessor, compute capability 7.5 has 2 for 64
FP32 units, 8.6, 8.9 and 12.0 have 2 for 128. One double addition of a warp occupies them for 16 clocks, and a
`sqrt`, `exp` or division is ten to forty such operations.

## Example
```cuda
double sum = 0.0;
for (int k = 0; k < n; ++k)
    sum += x[k] * y[k];  // sm_89: 1/64 of the FP32 rate
```

## Instead
Compute in float where 24 bits of precision suffice. Where they do not, keep double for the step that needs
it: accumulate short runs in float and add their sums in double, or use compensated summation in float. Or use
a device with half-rate FP64: compute capability 6.0, 7.0, 8.0, 9.0 or 10.0.

## Limits
- One finding per function, at its first double operation, preferably one in a loop.
- Operations are counted in the source, not in the machine code.
- Not reported for devices whose FP64 rate is not published.
- Not reported for fewer than four operations outside loops.
- Doubles caused by a literal or an overload are CU601 and CU602.

## Source
004 'Double precision'; CUDA C++ Programming Guide, throughput of arithmetic instructions.
"""

from collections.abc import Iterator

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.widened import ARITHMETIC, end
from cudalint.cuda.maths import floating, pure
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
    summary="double-precision arithmetic on a device with an FP64 rate of 1/24 of FP32 or less",
)


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding per function."""
    ratio = context.fp64_ratio
    if ratio is None or ratio < DOUBLE_RATIO.value:
        return
    for body in code.bodies:
        found = sorted(_operations(body), key=lambda n: (n.span.line, n.span.column))
        looped = [node for node in found if any(body.loops(node))]
        if looped or len(found) >= DOUBLE_OPERATIONS.value:
            yield _finding(body, found, looped, ratio, context.arch)


def _operations(body: Body) -> Iterator[Expression]:
    """Double-precision arithmetic and math calls that are intended as such."""
    candidates: list[Binary | Assign | Call] = [*body.of(Binary), *body.of(Assign), *body.of(Call)]
    for node in candidates:
        match node:
            case Binary(operator=operator) if operator in ARITHMETIC and floating(node.type, 8):
                intended = body.constant(node) is None and not end(node, body)
            case Assign(operator=operator) if operator in ARITHMETIC and floating(node.target.type, 8):
                intended = True
            case Call() if pure(node) and floating(node.type, 8):
                intended = not end(node, body)
            case _:
                intended = False
        if intended:
            yield node


def _finding(body: Body, found: list[Expression], looped: list[Expression], ratio: int, arch: int) -> Finding:
    first = looped[0] if looped else found[0]
    count, inside = len(found), len(looped)
    many = f"{count} double operation{'s' if count > 1 else ''}"
    return RULE.finding(
        first.span,
        f"double on a low-rate device: {many} in `{body.function.name}`, each as slow as {ratio} in float",
        notes=(
            f"FP64 throughput on sm_{arch} is 1/{ratio} of FP32",
            *((f"{inside} of them in loops, the first is `{render(first)}`",) if looped else ()),
        ),
        help="compute in float, keep double only for the steps that need it",
        kernel=body.function.name,
        evidence={"operations": count, "in_loops": inside, "ratio": ratio},
    )
