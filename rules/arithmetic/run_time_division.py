"""
## What it does
Finds integer divisions and remainders by a number that only the launch tells, wherever a cheaper form is
known: a running result where the dividend advances by a constant step per iteration, a grid with more
dimensions where an index is taken apart, and a reciprocal that the host prepares for any other dividend. Also
64-bit ones in a loop by a number that each thread keeps: modular powers, products modulo a prime.

## Why it costs
The hardware has no integer division. nvcc computes a 32-bit one from a floating-point reciprocal with
corrections: 24 instructions for a signed quotient, 22 for a remainder, 19 for an unsigned quotient; a
multiplication is one. For a loop-invariant divisor it hoists the reciprocal: 14, 12 and 9 instructions remain
per iteration, 60% of the time on an H200. A 64-bit division is a subroutine of over 100 instructions; on an
H200 it takes as long as a 32-bit one while both operands fit in 32 bits (25 instructions), and 4x as long
otherwise. A kernel that moves four bytes per thread and takes its index apart by three divisions issues more
instructions for the index than for the data.

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
Keep quotient and remainder as running values: add those of the step and wrap with a comparison. Outside of
loops, let blockIdx.y and threadIdx.y be the row, so that nothing is divided. For other dividends multiply by
a reciprocal that the host computed once (`__umulhi` and a shift), or make the divisor a template argument.

## Limits
- Reported for divisors that are the same in all threads and iterations, in 64 bits also for those that a
  thread's loop does not change; for others no cheaper form is known.
- Not reported for constant divisors, including constants after unrolling or once calls are expanded, nor
  where nobody uses the result.
- The divisions of a function are one finding, and so are those of all methods of a class by one member; where
  CU403 reports the condition, none.
- A quotient and a remainder of the same operands count once.
- The instruction count is a range if the loop may write to the divisor.

## Source
000 section 11.1 (division and modulo); 002 'Instruction optimisation'; 004 'Integer division'; instruction
counts by nvcc 13.0.88, times measured on an H200.
"""

from collections.abc import Iterator
from enum import Enum, auto
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.launch_constants import called_in_loop, constant_in_launch, of_indices
from cudalint.analyses.stepping import steps, varies
from cudalint.analyses.trip_counts import uncast
from cudalint.analyses.unrolled_counters import unrolled_counter
from cudalint.analyses.unused import is_unused
from cudalint.cuda.maths import whole
from cudalint.gpu.functions import Instructions
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer, Record, Scalar, Type
from cudalint.ir.unit import Function
from cudalint.ir.walk import Node, find
from cudalint.rule.findings import Finding
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.compaction import scattered
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Saving
from cudalint.simt.facts.branches.branch import Branch
from cudalint.source.span import Span

RULE = Rule(
    code="CU603",
    name="run-time-division",
    severity=Severity.NOTE,
    summary="an integer division by a number that only the launch tells, with a cheaper form",
    guides=("000", "002", "004"),
    speed=True,
)

# Instructions by nvcc 13.0 for sm_90, by (signed, operator): in total, and without the reciprocal where it is
# hoisted out of the loop.
_COST = {(True, "/"): (24, 14), (True, "%"): (22, 12), (False, "/"): (19, 9), (False, "%"): (18, 8)}
_WORD = 4  # bytes
_WIDE_COST = 105
_NARROW_COST = 25  # of these where both operands fit in 32 bits
_REDUCTION = 12  # a Barrett or Montgomery reduction of 64 bits by 32
_CHEAPER = 4  # a multiplication by a reciprocal, or a step with its comparison

_Division = e.Binary | e.Assign


class Dividend(Enum):
    """What is divided: what the cheaper form depends on."""

    STEPPING = auto()  # by equal steps in a loop
    INDEX = auto()  # the index of the thread or block
    KEPT = auto()  # anything, by a number of the thread's own
    OTHER = auto()


class Division(Struct, frozen=True):
    """One division. place: what it is executed with, or the loop that the compiler takes it out of; hoisted:
    its reciprocal is computed before the loop; inlined: it stands in a function that a loop calls, which may
    keep the reciprocal.
    """

    node: _Division
    place: Node
    loop: s.Loop | None  # the innermost one that the compiler cannot take it out of
    depth: int  # loops round it
    hoisted: bool
    inlined: bool

    @property
    def span(self) -> Span:
        return self.node.span


class Site(Struct, frozen=True):
    """All divisions of a function, those in the most loops first; a quotient and a remainder of the same
    operands once.
    """

    divisions: tuple[Division, ...]
    dividend: Dividend  # of the first one

    @property
    def span(self) -> Span:
        return self.divisions[0].span


def check(code: DeviceCode, branches: tuple[Branch, ...], context: Context) -> Iterator[Finding]:
    """One finding per function, over all instantiations of its code; one for all methods of a class that
    divide by one member: they take one reciprocal.
    """
    reported = {branch.span for kernel in context.kernels for branch in kernel.branches if scattered(branch)}
    groups: dict[object, list[tuple[Site, str]]] = {}
    for site, body in code.agreed(partial(_sites, code=code)):
        if not any(span.contains(site.span) for span in reported):
            key = _member(site, body.function) or site.span
            groups.setdefault(key, []).append((site, body.function.name))
    for (first, name), *others in groups.values():
        together = [division for other, _ in others for division in other.divisions]
        yield _finding(Site((*first.divisions, *together), first.dividend), name, context)


def _member(site: Site, function: Function) -> tuple[str, str] | None:
    """The class and the member that all divisions of a method divide by."""
    found: set[tuple[str, str] | None] = set()
    for division in site.divisions:
        match uncast(_sides(division.node)[1]):
            case e.Member(base=e.Dereference(pointer=e.VariableReference(variable=this)), name=name):
                record = (
                    this.type.pointee if this == function.this and isinstance(this.type, Pointer) else None
                )
                found.add((record.name, name) if isinstance(record, Record) else None)
            case _:
                found.add(None)
    return found.pop() if len(found) == 1 else None


def _sites(body: Body, code: DeviceCode) -> Iterator[Site]:
    candidates: list[_Division] = [*body.of(e.Binary), *body.of(e.Assign)]
    found = [
        _division(node, body, code)
        for node in candidates
        if _divides(node, body)
        and (constant_in_launch(_sides(node)[1], body, code) or _kept(node, body))
        and not is_unused(node, body, code)
    ]
    found.sort(key=lambda one: (-one.depth, one.span.line, one.span.column))
    firsts = {_operands(one.node): one for one in reversed(found)}
    distinct = tuple(one for one in found if firsts[_operands(one.node)] is one)
    if distinct:
        first = distinct[0]
        own = not constant_in_launch(_sides(first.node)[1], body, code)
        yield Site(distinct, Dividend.KEPT if own else _dividend(first, body))


def _division(node: _Division, body: Body, code: DeviceCode) -> Division:
    loop = _loop(node, body)
    hoisted = loop is not None and (not _reads(_sides(node)[1]) or not _writes(loop))
    inside = list(body.loops(node))
    left = inside[: inside.index(loop)] if loop is not None else inside
    return Division(
        node,
        left[-1] if left else node,
        loop,
        sum(1 for _ in body.loops(node)) if loop is not None else 0,
        hoisted,
        loop is None and called_in_loop(code, body.function),
    )


def _operands(node: _Division) -> tuple[str, ...]:
    return tuple(map(render, _sides(node)))


def _divides(node: _Division, body: Body) -> bool:
    """Whether it is an integer division that the compiler cannot work out."""
    if node.operator not in ("/", "%") or not whole(_kind(node)):
        return False
    above, below = _sides(node)
    known = body.is_constant(below) or _known(below) or body.constant(above) is not None
    return not known and not unrolled_counter(below, body)


def _kept(node: _Division, body: Body) -> bool:
    """Whether it is in a loop that does not change the divisor, and of 64 bits or of a number that each
    iteration takes on by one step.
    """
    loop = _loop(node, body)
    if loop is None or varies(_sides(node)[1], loop, body):
        return False
    return _kind(node).bytes > 4 or steps(_sides(node)[0], loop, body)


def _loop(node: _Division, body: Body) -> s.Loop | None:
    """The innermost loop that the compiler cannot take the division out of."""
    above, below = _sides(node)
    return next((at for at in body.loops(node) if varies(above, at, body) or varies(below, at, body)), None)


def _dividend(division: Division, body: Body) -> Dividend:
    above = _sides(division.node)[0]
    if (division.loop is not None and steps(above, division.loop, body)) or _turns(division.node, body):
        return Dividend.STEPPING
    return Dividend.INDEX if of_indices(above, body) else Dividend.OTHER


def _turns(node: _Division, body: Body) -> bool:
    """Whether it takes a position on in a circle: `at = (at + step) % size`, in a function of its own too."""
    target = body.parent(node)
    return (
        isinstance(node, e.Binary)
        and node.operator == "%"
        and isinstance(node.left, e.Binary)
        and node.left.operator == "+"
        and isinstance(target, e.Assign)
        and target.operator is None
        and render(target.target) in (render(node.left.left), render(node.left.right))
    )


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
    return bool(find(node, e.Index, e.Dereference))


def _writes(loop: s.Loop) -> bool:
    """Whether the loop may write to memory."""
    for node in find(loop.body, e.Assign, e.Call, e.Unknown, s.Opaque):
        match node:
            case e.Assign(target=e.VariableReference()):
                continue
            case e.Assign() | e.Call() | e.Unknown() | s.Opaque():
                return True
    return False


def _finding(site: Site, kernel: str, context: Context) -> Finding:
    first, count = site.divisions[0], len(site.divisions)
    cost, rest = _cost(first)
    many = f"at least {cost}" if cost == rest else f"{rest} to {cost}"
    looped = first.loop is not None
    least = _least(site)
    more = f", {count} such divisions {sum(least)} or more"
    cheaper = _REDUCTION if site.dividend is Dividend.KEPT else _CHEAPER
    saved = tuple(
        (one.place, Instructions(max(0, cost - cheaper)))
        for one, cost in zip(site.divisions, least, strict=True)
    )
    return RULE.finding(
        first.span,
        f"run-time division{' in a loop' if looped else ''}: `{render(first.node)}` takes {many} instructions"
        f" per {'iteration' if looped else 'call' if first.inlined else 'thread'}{more if count > 1 else ''}",
        notes=(_note(first),),
        help=_help(site),
        kernel=kernel,
        evidence={"instructions": cost, "bits": 8 * _kind(first.node).bytes, "divisions": count},
        related=repeated(site.divisions[1:], lambda one: f"`{render(one.node)}`"),
        impact=context.impact_of(Saving(Basis.ISSUE, instructions=saved)),
    )


def _least(site: Site) -> list[int]:
    """Instructions of each division, at least: one reciprocal serves all by the same divisor."""
    seen: set[str] = set()
    found: list[int] = []
    for one in site.divisions:
        kind, divisor = _kind(one.node), render(_sides(one.node)[1])
        again = divisor in seen and kind.bytes <= _WORD
        found.append(_cost(replace(one, hoisted=True) if again else one)[1])
        seen.add(divisor)
    return found


def _cost(division: Division) -> tuple[int, int]:
    """(most, least) instructions."""
    kind = _kind(division.node)
    if kind.bytes > _WORD:
        return _WIDE_COST, _NARROW_COST
    signed = isinstance(kind, Scalar) and kind.kind == "signed"
    cost, rest = _COST[signed, division.node.operator or "/"]
    return (rest if division.hoisted else cost, rest if division.hoisted or division.inlined else cost)


def _help(site: Site) -> str:
    divisor = render(_sides(site.divisions[0].node)[1])
    match site.dividend:
        case Dividend.STEPPING:
            return "keep a running result: add the step per iteration and wrap with a comparison"
        case Dividend.INDEX:
            return (
                "give grid and block the dimensions of the data (blockIdx.y, threadIdx.y), or multiply by a"
                f" reciprocal of `{divisor}` that the host computes once"
            )
        case Dividend.KEPT:
            return (
                f"reduce by multiplications, prepared before the loop for `{divisor}` (Montgomery), or"
                " divide in 32 bits where the values fit"
            )
        case Dividend.OTHER:
            return (
                f"multiply by a reciprocal of `{divisor}` that the host computes once, or make it a template"
                " argument"
            )


def _note(division: Division) -> str:
    divisor = render(_sides(division.node)[1])
    if _kind(division.node).bytes > 4:
        return f"64-bit division by `{divisor}` is a subroutine, faster if both operands fit in 32 bits"
    if division.hoisted:
        return f"`{divisor}` is loop-invariant: its reciprocal is hoisted, these instructions remain"
    if division.inlined:
        return f"`{divisor}` is the same in all threads; each call recomputes its reciprocal unless inlined"
    if division.loop is None:
        return f"`{divisor}` is the same in all threads, but each computes its reciprocal"
    return f"the reciprocal of `{divisor}` is recomputed if stores in the loop may change it"
