"""
## What it does
Finds integer divisions and remainders by a run-time divisor in loops of device code where the dividend
advances by a constant step per iteration, so that the result can be updated without dividing. Opt-in.

## Why it costs
The hardware has no integer division. nvcc computes a 32-bit one from a floating-point reciprocal with
corrections: 24 instructions for a signed quotient, 22 for a remainder, 19 for an unsigned quotient; a
multiplication is one. For a loop-invariant divisor it hoists the reciprocal: 14, 12 and 9 instructions remain
per iteration, 60% of the time on an H200. A 64-bit division is a subroutine of over 100 instructions; on an
H200 it takes as long as a 32-bit one while both operands fit in 32 bits (25 instructions), and 4x as long
otherwise.

The rule is opt-in because the source rarely shows the trip count. A grid-stride loop often runs only once per
thread, and then division does not dominate. With hundreds of iterations it is one cost among others:
computing rows and columns of images with four divisions per element took 1.15x as long on an H200.

## Example
```cuda
for (int i = t; i < rows * width; i += blockDim.x) {
    int row = i / width, column = i % width;
    tile[row][column] = in[row * pitch + column];
}
```

## Instead
```cuda
int row = t / width, column = t % width;
const int down = blockDim.x / width, right = blockDim.x % width;
for (int i = t; i < rows * width; i += blockDim.x) {
    tile[row][column] = in[row * pitch + column];
    row += down;
    column += right;
    if (column >= width) {
        column -= width;
        ++row;
    }
}
```
Keep quotient and remainder as running values: add those of the step and wrap with a comparison. Or use two
nested loops, if the threads of a block can be laid out along the rows.

## Limits
- Reported only if the dividend is linear in the loop counter or wraps (`i = (i + 1) % n`) and the divisor is
  loop-invariant; random numbers, loaded values, digits and powers are not.
- Not reported for constant divisors, including constants after unrolling, and for constant trip counts below
  64.
- Not reported where the division does not dominate: in a branch of the loop, in a loop that has inner loops,
  barriers or inline assembly, or hundreds of operations per iteration.
- All divisions of a loop are one finding; where CU403 reports the condition, none.
- The instruction count is a range if the loop may write to the divisor.

## Source
000 section 11.1 (division and modulo); 002 'Instruction optimisation'; 004 'Integer division'; instruction
counts by nvcc 13.0.88, times measured on an H200.
"""

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.stepping import steps, varies
from cudalint.analyses.trip_counts import bounded_trips
from cudalint.cuda.maths import whole
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Scalar, Type
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.compaction import scattered
from cudalint.significance.loop_work import matters, unrolled_counter
from cudalint.significance.thresholds import DIVISION_TRIPS
from cudalint.simt.facts.branches.branch import Branch
from cudalint.source.span import Span

RULE = Rule(
    code="CU603",
    name="run-time-division",
    severity=Severity.NOTE,
    summary="an integer division in a loop whose result can be updated incrementally",
    default=False,
    guides=("000", "002", "004"),
)

# Instructions by nvcc 13.0 for sm_90, by (signed, operator): in total, and without the reciprocal where it is
# hoisted out of the loop.
_COST = {(True, "/"): (24, 14), (True, "%"): (22, 12), (False, "/"): (19, 9), (False, "%"): (18, 8)}
_WIDE_COST = 105
_NARROW_COST = 25  # of these where both operands fit in 32 bits

_Division = e.Binary | e.Assign


class Site(Struct, frozen=True):
    """All divisions in one loop."""

    divisions: tuple[_Division, ...]
    divisor: e.Expression  # of the first one
    type: Type  # of the first one
    hoisted: bool  # its reciprocal is computed before the loop

    @property
    def span(self) -> Span:
        return self.divisions[0].span


def check(code: DeviceCode, branches: tuple[Branch, ...], context: Context) -> Iterator[Finding]:
    """One finding per loop, over all instantiations of its code."""
    reported = {branch.span for kernel in context.kernels for branch in kernel.branches if scattered(branch)}
    for site, body in code.agreed(partial(_sites, code=code)):
        if any(span.contains(site.span) for span in reported):
            continue
        yield _finding(site, body.function.name)


def _sites(body: Body, code: DeviceCode) -> Iterator[Site]:
    groups: dict[int, tuple[s.Loop, list[_Division]]] = {}
    divisions: list[_Division] = [*body.of(e.Binary), *body.of(e.Assign)]
    for node in divisions:
        if node.operator not in ("/", "%"):
            continue
        above, below = _sides(node)
        if not whole(_kind(node)) or body.constant(below) is not None or _known(below):
            continue
        loop = next(
            (at for at in body.loops(node) if varies(above, at, body) or varies(below, at, body)), None
        )
        if loop is None or varies(below, loop, body) or unrolled_counter(below, body):
            continue
        if (
            steps(above, loop, body)
            and bounded_trips(loop, body.constant) >= DIVISION_TRIPS.value
            and matters(node, loop, body, code)
        ):
            groups.setdefault(id(loop), (loop, []))[1].append(node)
    for loop, found in groups.values():
        found.sort(key=lambda node: (node.span.line, node.span.column))
        firsts = {tuple(map(render, _sides(node))): node for node in reversed(found)}
        distinct = tuple(node for node in found if firsts[tuple(map(render, _sides(node)))] is node)
        first = distinct[0]
        below = _sides(first)[1]
        yield Site(distinct, below, _kind(first), not _reads(below) or not _writes(loop))


def _sides(node: _Division) -> tuple[e.Expression, e.Expression]:
    return (node.target, node.value) if isinstance(node, e.Assign) else (node.left, node.right)


def _kind(node: _Division) -> Type:
    """The type of the division."""
    return node.value.type if isinstance(node, e.Assign) else node.type


def _known(node: e.Expression) -> bool:
    """Whether it is warpSize, a constant 32 for the compiler."""
    while isinstance(node, e.Cast):
        node = node.operand
    return isinstance(node, e.Builtin) and node.name == "warpSize"


def _reads(node: e.Expression) -> bool:
    return any(isinstance(part, e.Index | e.Dereference) for part in walk(node))


def _writes(loop: s.Loop) -> bool:
    """Whether the loop may write to memory."""
    for node in walk(loop.body):
        match node:
            case e.Assign(target=e.VariableReference()):
                continue
            case e.Assign() | e.Call() | e.Unknown() | s.Opaque():
                return True
    return False


def _finding(site: Site, kernel: str) -> Finding:
    first, kind = site.divisions[0], site.type
    signed = isinstance(kind, Scalar) and kind.kind == "signed"
    cost, rest = _COST[signed, first.operator or "/"]
    if kind.bytes > 4:
        cost, rest = _WIDE_COST, _NARROW_COST
    elif site.hoisted:
        cost = rest
    count = f"at least {cost}" if cost == rest else f"{rest} to {cost}"
    return RULE.finding(
        first.span,
        f"run-time division in a loop: `{render(first)}` takes {count} instructions per iteration",
        notes=(_note(site),),
        help="keep a running result: add the step per iteration and wrap with a comparison",
        kernel=kernel,
        evidence={"instructions": cost, "bits": 8 * kind.bytes, "divisions": len(site.divisions)},
        related=repeated(site.divisions[1:], lambda node: f"`{render(node)}`"),
    )


def _note(site: Site) -> str:
    divisor = render(site.divisor)
    if site.type.bytes > 4:
        return f"64-bit division by `{divisor}` is a subroutine, faster if both operands fit in 32 bits"
    if site.hoisted:
        return f"`{divisor}` is loop-invariant: its reciprocal is hoisted, these instructions remain"
    return f"the reciprocal of `{divisor}` is recomputed if stores in the loop may change it"
