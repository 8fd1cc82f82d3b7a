"""
## What it does
Finds integer divisions and remainders in loops of device code by a number that is not known when the code is
compiled, where each round adds the same to what is divided, so that no division is needed. Off unless
selected.

## Why it costs
The hardware has no integer division. Of a 32-bit one nvcc makes a reciprocal in floating point and corrects
it: 24 instructions for a signed quotient, 22 for a remainder, 19 for an unsigned quotient, where a product is
one. The reciprocal of a divisor that a loop does not change it takes out of the loop: 14, 12 and 9 of these
instructions are left in every round, on an H200 60% of the time. A 64-bit division is a call of over 100
instructions; on an H200 it takes as long as one of 32 bits while both numbers fit in 32 bits, of which 25
instructions see to then, and four times as long when they do not.

It is an option because the source rarely tells how many rounds a loop makes. A loop that strides over the
grid makes about one where the launch has a thread for each element, and then the division is not what the
time goes to. Where there are hundreds of rounds it is one cost among others: images whose rows and columns
were taken apart by four divisions an element took 1.15 times as long on an H200.

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
Carry quotient and remainder along: add those of the step, and wrap round by a comparison. Two loops in place
of the one do it where the threads of a block can be laid out along the rows.

## Limits
Speaks only where the dividend is a sum of the loop's counter, times what the loop does not change, and of
numbers that it does not change, or a variable that goes round (`i = (i + 1) % n`), and where the divisor
stays the same in the loop: of random numbers, numbers from memory, digits and powers it says nothing. Silent
outside loops and in loops of constant bounds with fewer than 64 rounds, where the divisor is the counter of a
loop with constant bounds (unrolled, it is a constant), in host code, and where CU403 speaks of the condition.
Silent where the division is not what the time goes to: in a branch of the loop, in a loop that holds another
loop, a barrier or inline assembly, in a loop of a few hundred operations in all, where loops nest deeper
elsewhere in the function or in what it calls, in a branch that one thread takes, and where the rest of the
iteration is ten times the division's work. Silent for constants too, which the compiler multiplies or shifts
by: by a power of two an unsigned division is a shift, and a signed one, which has to round towards zero, is
two instructions longer, a thirtieth of a division by a variable on an H200. All divisions of one loop are one
finding; a quotient and a remainder of the same two numbers are one division. Where the divisor is read from
memory that the loop may write to, its reciprocal may have to be made anew, so the count is a range.

## Source
000 section 11.1 (division and modulo); 002 'Instruction optimisation'; 004 'Integer division'; instruction
counts by nvcc 13.0.88, times measured on an H200.
"""

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.stepping import steps, varies
from cudalint.cuda.maths import whole
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Scalar, Type
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.loop_work import matters, unrolled_counter
from cudalint.significance.thresholds import DIVISION_TRIPS
from cudalint.significance.weight import rounds
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.query.compaction import scattered
from cudalint.source.span import Span

RULE = Rule(
    code="CU603",
    name="run-time-division",
    severity=Severity.NOTE,
    summary="an integer division in a loop whose result could be carried along",
    default=False,
    guides=("000", "002", "004"),
)

# Instructions by nvcc 13.0 for sm_90: signed quotient, signed remainder, unsigned quotient and remainder; in
# all, and without the reciprocal, which is made before the loop.
_COST = {(True, "/"): (24, 14), (True, "%"): (22, 12), (False, "/"): (19, 9), (False, "%"): (18, 8)}
_WIDE_COST = 105
_NARROW_COST = 25  # of these where both numbers fit in 32 bits
_MOST_RELATED = 8

_Division = e.Binary | e.Assign


class Site(Struct, frozen=True):
    """All divisions in one loop, of the first the divisor and type. kept: its reciprocal is made before the
    loop.
    """

    divisions: tuple[_Division, ...]
    divisor: e.Expression
    type: Type
    kept: bool

    @property
    def span(self) -> Span:
        return self.divisions[0].span


def check(code: DeviceCode, branches: tuple[Branch, ...], context: Context) -> Iterator[Finding]:
    """One finding for each loop, over all instantiations of the code it stands in."""
    spoken = {branch.span for kernel in context.kernels for branch in kernel.branches if scattered(branch)}
    for site, body in code.agreed(partial(_sites, code=code)):
        if any(_within(site.span, span) for span in spoken):
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
            and rounds(loop, body) >= DIVISION_TRIPS.value
            and matters(node, loop, body, code)
        ):
            groups.setdefault(id(loop), (loop, []))[1].append(node)
    for loop, found in groups.values():
        found.sort(key=lambda node: (node.span.line, node.span.column))
        told = {tuple(map(render, _sides(node))): node for node in reversed(found)}
        distinct = tuple(node for node in found if told[tuple(map(render, _sides(node)))] is node)
        first = distinct[0]
        below = _sides(first)[1]
        yield Site(distinct, below, _kind(first), not _reads(below) or not _writes(loop))


def _within(inner: Span, outer: Span) -> bool:
    if inner.path != outer.path:
        return False
    begin, end = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return begin <= (inner.line, inner.column) and (inner.end_line, inner.end_column) <= end


def _sides(node: _Division) -> tuple[e.Expression, e.Expression]:
    return (node.target, node.value) if isinstance(node, e.Assign) else (node.left, node.right)


def _kind(node: _Division) -> Type:
    """The type that the division is done in."""
    return node.value.type if isinstance(node, e.Assign) else node.type


def _known(node: e.Expression) -> bool:
    """warpSize, which is 32 for the compiler too."""
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
    elif site.kept:
        cost = rest
    count = f"{cost} or more" if cost == rest else f"{rest} to {cost}"
    return RULE.finding(
        first.span,
        f"run-time division in a loop: `{render(first)}` takes {count} instructions in every round",
        notes=(_note(site),),
        help="carry the result along: add what one round adds to it, and wrap round by a comparison",
        kernel=kernel,
        evidence={"instructions": cost, "bits": 8 * kind.bytes, "divisions": len(site.divisions)},
        related=tuple(
            Related(node.span, f"`{render(node)}`") for node in site.divisions[1 : 1 + _MOST_RELATED]
        ),
    )


def _note(site: Site) -> str:
    divisor = render(site.divisor)
    if site.type.bytes > 4:
        return f"64 bits: a call, which takes the short way where both numbers fit in 32 bits (`{divisor}`)"
    if site.kept:
        return f"`{divisor}` stays the same, so its reciprocal is made before the loop; this is what is left"
    return f"the reciprocal of `{divisor}` is made anew where the loop's stores may have changed it"
