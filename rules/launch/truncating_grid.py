"""
## What it does
Finds grid sizes computed by a division that rounds down, `n / 256`, where n may not be a multiple of the
block size and nothing processes the remainder.

## Why it costs
The last n % 256 elements are not processed: results are wrong, and only for some sizes. With n = 1,000 three
blocks cover 768 elements; with n = 200 the grid is empty, and the launch fails.

## Example
```cuda
__global__ void scale(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2.0f;
}
scale<<<n / 256, 256>>>(a, n);  // leaves out up to 255 elements
scale<<<ceil(n / 256), 256>>>(a, n);  // the same: the integer division rounds down before ceil
```

## Instead
```cuda
scale<<<(n + 255) / 256, 256>>>(a, n);
```
with a guard in the kernel. Where n is always a multiple, check it: `assert(n % 256 == 0)`.

## Limits
- An error where n is known; a warning where it is arbitrary (a parameter of a function that the file does not
  call, a command-line argument, a member of a given object), or where nothing shows a multiple.
- The kernel must compare the thread number with n, or, for an arbitrary n, have no conditions while the host
  allocates n elements.
- Silent where the kernel reads gridDim, guards in a loop or uses results of atomics; where the host computes
  n's remainder, subtracts from it or compares it.
- Other grids are judged by known numbers, a run's, or primes (a warning), where the kernel is launched in one
  place.
- The fix is unsafe.

## Source
001 'Handling Arbitrary Vector Sizes', and its matrix addition with a grid of N / 16.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.coverage import bounds, is_conditional, takes_by_number, takes_more
from cudalint.analyses.definitions import Definitions, definitions, equal, place, reads, same
from cudalint.analyses.left_out import LeftOut, left_out
from cudalint.analyses.remainders import (
    is_any_objects,
    is_anybodys,
    is_divided_up,
    is_looked_after,
    is_rest_taken,
)
from cudalint.host.facts import Argument, HostFacts, LaunchFact
from cudalint.host.rounding import Quotient, quotients
from cudalint.host.walks import run_of
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.rule.findings import Confidence, Edit, Finding, Fix, Related
from cudalint.rule.grids import grid_helpers, passed_numbers
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU509",
    name="truncating-grid",
    severity=Severity.ERROR,
    summary="a grid of n / block blocks leaves out the last elements",
    fixes=("unsafe",),
    guides=("001",),
    made=False,
)

_CHOSEN = "with a size chosen for what nobody knows"
_PLAIN = re.compile(r"[A-Za-z_][\w.]*|\d+")


class _Case(Struct, frozen=True):
    """A launch whose grid is rounded down."""

    launch: LaunchFact
    quotient: Quotient
    known: Definitions
    kernel: Function
    guarded: bool  # the kernel compares thread numbers with the count
    guard: Argument | None = None  # by a parameter that is compared once, and what the launch passes for it


class _Remainder(Struct, frozen=True):
    """What one axis of a grid leaves out, in words and numbers."""

    case: _Case
    message: str
    note: str
    evidence: dict[str, int | str]

    @property
    def division(self) -> Span:
        return self.case.quotient.division.span


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """A finding for each division in the source that leaves elements out, however many launches use it."""
    read: dict[str, Definitions] = {}
    sites: dict[Span, list[LaunchFact]] = {}
    for launch in host.launches:
        sites.setdefault(launch.span, []).append(launch)
    by_launch: list[list[_Remainder]] = []
    for launch in host.launches:
        function = context.unit.functions.get(launch.function)
        kernel = context.unit.functions.get(launch.key or "")
        looked_after = launch.guarded and None not in launch.grid  # else it was the block that is compared
        if function is None or kernel is None or not launch.reached or looked_after:
            continue
        if function.key not in read:
            read[function.key] = definitions(context.unit, function)
        remainders = list(_judge(launch, sites[launch.span], read[function.key], kernel, context))
        if remainders:
            by_launch.append(remainders)
    told: set[Span] = set()
    for remainders, others in _by_quotient(by_launch):
        told.update(each.case.launch.span for each in (*remainders, *others))
        yield _finding(remainders, others, context)
    yield from _by_numbers(host, context, told)


def _by_numbers(host: HostFacts, context: Context, told: set[Span]) -> Iterator[Finding]:
    """Where the numbers of the program, or of the program as it is run, show it, however the host computes
    them. told: launches that have their finding.
    """
    places: dict[str | None, set[Span]] = {}
    for launch in host.launches:
        places.setdefault(launch.key, set()).add(launch.span)
    run = f"sizes of {run_of(host)}"
    for launches, whose in ((host.launches, ""), (host.defaults, run), (host.trials, _CHOSEN)):
        for launch in launches:
            kernel = context.unit.functions.get(launch.key or "")
            alone = len(places.get(launch.key, ())) <= 1  # else another one may take the rest
            if kernel is None or not alone or launch.span in told or not launch.reached:
                continue
            found = _left_out(launch, kernel, context.unit)
            if found is not None:
                told.add(launch.span)
                yield _numbered(launch, *found, whose, context)


def _left_out(launch: LaunchFact, kernel: Function, unit: Unit) -> tuple[int, LeftOut] | None:
    """The axis on which the grid is rounded down, and what it leaves out there."""
    extents = (*launch.grid, *launch.block)
    if None in extents or not takes_by_number(unit, kernel):
        return None
    x, y, z, a, b, c = (extent or 0 for extent in extents)
    numbers = passed_numbers(launch, kernel)
    found = ((axis, left_out(unit, kernel, axis, (x, y, z), (a, b, c), numbers)) for axis in range(3))
    return next(((axis, each) for axis, each in found if each is not None), None)


def _numbered(launch: LaunchFact, axis: int, found: LeftOut, whose: str, context: Context) -> Finding:
    blocks = launch.grid[axis]
    return RULE.finding(
        launch.span,
        f"truncating grid: {blocks:,} blocks of {found.share:,} cover {found.count - found.left:,}"
        f" of {found.count:,} elements",
        notes=(
            f"{found.count:,} / {found.share:,} rounds down and leaves out the last {found.left:,} elements,"
            f" which `{render(found.guard)}` at line {found.guard.span.line} would let through",
            *((whose,) if whose else ()),
        ),
        help=f"round up: `(count + {found.share - 1}) / {found.share}` blocks",
        kernel=launch.name,
        evidence={"count": found.count, "per": found.share, "left": found.left, "axes": "xyz"[axis]},
        severity=Severity.WARNING if whose == _CHOSEN else None,
        confidence=Confidence.MEDIUM if whose else None,
        condition=f"the count is no multiple of {found.share:,}" if whose == _CHOSEN else None,
        related=grid_helpers(launch, context.unit),
    )


def _by_quotient(by_launch: list[list[_Remainder]]) -> Iterator[tuple[list[_Remainder], list[_Remainder]]]:
    """The remainders of one launch, and those of others by the same divisions; the surest launch first."""
    groups: dict[Span, list[list[_Remainder]]] = {}
    for remainders in sorted(by_launch, key=lambda remainders: not _is_sure(remainders)):
        known = next((each.division for each in remainders if each.division in groups), None)
        if known is not None:
            groups[known].append(remainders)
            continue
        group = [remainders]
        groups.update((each.division, group) for each in remainders)
    for first, *rest in {id(group): group for group in groups.values()}.values():
        yield first, [each for remainders in rest for each in remainders]


def _is_sure(remainders: list[_Remainder]) -> bool:
    return all(each.case.guarded for each in remainders)


def _judge(
    launch: LaunchFact, site: list[LaunchFact], known: Definitions, kernel: Function, context: Context
) -> Iterator[_Remainder]:
    """The remainders of the axes that are rounded down."""
    down = [quotient for quotient in quotients(launch, known) if quotient.direction == "down"]
    several = takes_more(context.unit, kernel)
    by_number = takes_by_number(context.unit, kernel)
    if not down or (several and not by_number):
        return
    for quotient in down:
        guard = _guard(launch, quotient, known, kernel) if by_number else None
        guarded = guard is not None or (not several and _is_guarded(launch, quotient, known, kernel))
        if several and not guarded:
            continue
        case = _Case(launch, quotient, known, kernel, guarded, guard=guard)
        if quotient.one_less:
            yield from _one_short(case)
            continue
        count = _count(case)
        if count is not None:
            yield from _known(case, count)
        elif all(other.grid[quotient.axis] is None for other in site):
            yield from _free(case, context)


def _count(case: _Case) -> int | None:
    """The dividend, where it is known: a constant, or also an argument of the kernel."""
    written = case.known.constant(case.quotient.count)
    if written is not None:
        return written
    for argument, expression in _arguments(case.launch):
        if isinstance(argument.value, int) and same(case.known.resolve(expression), case.quotient.count):
            return argument.value
    return None


def _arguments(launch: LaunchFact) -> Iterator[tuple[Argument, e.Expression]]:
    yield from zip(launch.arguments or (), launch.expression.arguments or (), strict=False)


def _is_guarded(launch: LaunchFact, quotient: Quotient, known: Definitions, kernel: Function) -> bool:
    """Whether the kernel compares thread numbers with the dividend."""
    expressions = launch.expression.arguments or ()
    count = place(quotient.count)
    handed = {
        parameter.id: known.resolve(expression)
        for parameter, expression in zip(kernel.parameters, expressions, strict=False)
    }
    number = known.constant(quotient.count)
    own = definitions(known.unit, kernel)
    for bound in bounds(kernel):
        limit = place(own.resolve(bound))
        if limit is not None and limit[0].id in handed.keys() - own.changed:
            start, members = handed[limit[0].id], limit[1]
            while members and (part := known.member(start, members[0])) is not None:
                start, members = known.resolve(part), members[1:]
            whole = place(start)
            if (not members and same(start, quotient.count)) or (
                whole is not None and (whole[0], whole[1] + members) == count
            ):
                return True
        if number is not None and own.constant(bound) == number:
            return True
    return False


def _guard(launch: LaunchFact, quotient: Quotient, known: Definitions, kernel: Function) -> Argument | None:
    """What the launch passes as the dividend for a parameter that thread numbers are compared with once."""
    own = definitions(known.unit, kernel)
    limits = {found[0].id for found in (place(own.resolve(b)) for b in bounds(kernel, once=True)) if found}
    for parameter, (argument, expression) in zip(kernel.parameters, _arguments(launch), strict=False):
        if parameter.id in limits - own.changed and equal(known.resolve(expression), quotient.count):
            return argument
    return None


def _known(case: _Case, count: int) -> Iterator[_Remainder]:
    """The remainder where the count is a known number."""
    quotient, blocks = case.quotient, case.launch.grid[case.quotient.axis]
    per = quotient.per or case.launch.block[quotient.axis]
    if per is None or blocks is None or blocks != count // per or not blocks or not count % per:
        return
    if not case.guarded or is_rest_taken(quotient.division.left, count, case.known):
        return
    yield _Remainder(
        case,
        f"{blocks:,} blocks of {per} cover {blocks * per:,} of {count:,} elements",
        f"{count:,} / {per} rounds down and leaves out the last {count % per} elements",
        {"count": count, "per": per, "left": count % per},
    )


def _one_short(case: _Case) -> Iterator[_Remainder]:
    """The remainder of `(n - 1) / block`, of which the last block is left out for every n."""
    quotient, per = case.quotient, case.quotient.per or case.launch.block[case.quotient.axis]
    if not case.guarded or not _steady_divisor(case):
        return
    shown = str(per) if per is not None else render(quotient.division.right)
    name = render(quotient.count)
    yield _Remainder(
        case,
        f"`{render(quotient.division)}` is one block short: it leaves out the last 1 to {shown} elements",
        f"`({name} - 1) / {shown} + 1` blocks cover all of `{name}`",
        {"count": name, "per": shown, "left": f"1 to {shown}"},
    )


def _free(case: _Case, context: Context) -> Iterator[_Remainder]:
    """The remainder where the count is arbitrary."""
    per = case.quotient.per or case.launch.block[case.quotient.axis]
    unshown = case.guard is not None and per is not None and _is_open(case, case.guard, per)
    if unshown or _is_surely_any(case, per, context):
        yield from _unless_multiple(case, per)


def _is_open(case: _Case, guard: Argument, per: int) -> bool:
    """Whether nothing in the program shows that the number which the kernel is passed is a multiple."""
    count = case.quotient.count
    variables = [node.variable for node in find(count, e.VariableReference)]
    if guard.value is not None or (guard.multiple_of or 1) % per == 0:
        return False
    if any(node.operator in ("<<", "-", "%", "/") for node in find(count, e.Binary)):
        return False
    return not any(is_divided_up(variable, case.known.function) for variable in variables)


def _is_surely_any(case: _Case, per: int | None, context: Context) -> bool:
    """Whether the dividend is a number that anybody may choose."""
    known, count = case.known, case.quotient.count
    match count:
        case e.VariableReference(variable=variable):
            free = is_anybodys(variable, known) and not is_looked_after(variable, known.function)
            whole = not is_conditional(context.unit, case.kernel) and _allocates(variable, known)
            return free and (case.guarded or whole)
        case e.Member():
            return case.guarded and is_any_objects(count, per, known)
    return False


def _unless_multiple(case: _Case, per: int | None) -> Iterator[_Remainder]:
    quotient, known = case.quotient, case.known
    count = quotient.count
    shown = str(per) if per is not None else render(quotient.division.right)
    if not _steady_divisor(case):
        return
    most = f"{per - 1}" if per is not None else f"{shown} - 1"
    name = render(count)
    yield _Remainder(
        case,
        f"`{render(quotient.division)}` leaves out up to {most} elements"
        f" unless `{name}` is a multiple of {shown}",
        f"nothing in `{known.function.name}` or `{case.kernel.name}` processes the last {name} % {shown}"
        " elements",
        {"count": name, "per": shown},
    )


def _steady_divisor(case: _Case) -> bool:
    """Whether the divisor is a number, or the variable that also gives the block size."""
    return case.quotient.per is not None or case.launch.block[case.quotient.axis] is None


def _allocates(count: e.Variable, known: Definitions) -> bool:
    """Whether the function allocates memory for so many elements."""
    body = known.function.body
    return any(
        node.name.startswith(("cudaMalloc", "cudaHostAlloc"))
        and len(node.arguments) > 1
        and reads(known.resolve(node.arguments[1]), count)
        for node in find(body, e.Call)
    )


def _finding(remainders: list[_Remainder], others: list[_Remainder], context: Context) -> Finding:
    """One finding for all axes of a launch, and for other launches by the same divisions."""
    first, launch = remainders[0], remainders[0].case.launch
    axes = [each.case.quotient for each in remainders]
    division = axes[0].division
    left, right = render(axes[0].count if axes[0].one_less else division.left), render(division.right)
    guarded, all_guarded = _is_sure(remainders), _is_sure([*remainders, *others])
    known = "left" in first.evidence
    more = len({each.case.launch.span for each in others} - {launch.span})
    users = "more launch uses" if more == 1 else "more launches use"
    shared = (f"{more} {users} the same division",) if more else ()
    late = (
        ("`ceil` has no effect: the integer division has already rounded down",) if axes[0].lossy_ceil else ()
    )
    return RULE.finding(
        launch.span,
        f"truncating grid: {first.message}",
        notes=(*dict.fromkeys(each.note for each in remainders), *late, *shared),
        help=f"write `({left} + {right} - 1) / {right}`"
        + ("" if all_guarded else f", and guard the index in {'each' if more else 'the'} kernel"),
        kernel=launch.name,
        evidence={**first.evidence, "axes": "".join("xyz"[quotient.axis] for quotient in axes)},
        severity=None if guarded and known else Severity.WARNING,
        confidence=None if known else Confidence.MEDIUM,
        condition=None if known else f"`{first.evidence['count']}` is no multiple of {first.evidence['per']}",
        fix=_fix([quotient.division for quotient in axes], context) if all_guarded else None,
        related=() if division.span.line == launch.span.line else (Related(division.span, "divided here"),),
    )


def _fix(divisions: list[e.Binary], context: Context) -> Fix | None:
    """The fix that rounds the divisions up, where the source has them with two plain operands."""
    edits = []
    for division in divisions:
        left, right = context.text(division.left.span), context.text(division.right.span)
        written = re.sub(r"\s+", "", context.text(division.span))
        if not (_PLAIN.fullmatch(left) and _PLAIN.fullmatch(right)) or written != f"{left}/{right}":
            return None
        edits.append(Edit(division.span, f"({left} + {right} - 1) / {right}"))
    return Fix(tuple(edits), safe=False)
