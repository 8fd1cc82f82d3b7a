"""
## What it does
Finds grids whose size is a quotient that is rounded down, `n / 256`, where n may be no multiple of the block
and nothing covers what is left over.

## Why it costs
The last n % 256 elements are never looked at: results are wrong, and only for some sizes. With n = 1,000
three blocks cover 768 elements; with n = 200 there is no block at all, and the launch fails.

## Example
```cuda
__global__ void scale(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2.0f;
}
scale<<<n / 256, 256>>>(a, n);  // up to 255 elements are left out
scale<<<ceil(n / 256), 256>>>(a, n);  // the same: the quotient of integers is rounded down before
```

## Instead
```cuda
scale<<<(n + 255) / 256, 256>>>(a, n);
```
with a guard in the kernel. Where n is always a multiple, check it: `assert(n % 256 == 0)`.

## Limits
Speaks of a known n that is no multiple of the block, and of an n that anybody may choose: a parameter of a
function that the file does not call, or a number from the command line. The kernel has to compare the
thread's number with that n (an error: the guard expects a rest), or the host to allocate n elements for a
kernel that takes one for each thread with no condition (a warning: n may always be a multiple). Silent where
the kernel asks for the size of the grid, stores in a loop or counts with atomics; where the host divides n
with a rest, subtracts from it or asks how large it is; where n is computed; and where the same launch has a
known n. A quotient that several launches take is told once, at the launch whose kernel has the guard.

The fix changes which elements are worked on, so it is not applied without being asked for. It is proposed
only where the kernel has the guard that a rounded-up grid needs.

## Source
001 'Handling Arbitrary Vector Sizes', and its matrix addition with a grid of N / 16.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.coverage import bounds, is_conditional, takes_more
from cudalint.analyses.definitions import Definitions, definitions, reads, same
from cudalint.analyses.remainders import is_anybodys, is_looked_after, is_rest_taken
from cudalint.host.facts import Argument, HostFacts, LaunchFact
from cudalint.host.rounding import Quotient, quotients
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from cudalint.rule.findings import Confidence, Edit, Finding, Fix
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU509",
    name="truncating-grid",
    severity=Severity.ERROR,
    summary="a grid of n / block blocks leaves the last elements out",
    fixes=("unsafe",),
    guides=("001",),
)

_PLAIN = re.compile(r"[A-Za-z_][\w.]*|\d+")


class _Case(Struct, frozen=True):
    """A launch whose grid is rounded down. guarded: the kernel compares threads with the count."""

    launch: LaunchFact
    quotient: Quotient
    known: Definitions
    kernel: Function
    guarded: bool


class _Told(Struct, frozen=True):
    """What one axis of a grid leaves out, in words and numbers."""

    case: _Case
    message: str
    note: str
    evidence: dict[str, int | str]

    @property
    def written(self) -> Span:
        return self.case.quotient.division.span


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """A finding for each quotient that leaves elements out, as it is written, whatever launches take it."""
    read: dict[str, Definitions] = {}
    sites: dict[Span, list[LaunchFact]] = {}
    for launch in host.launches:
        sites.setdefault(launch.span, []).append(launch)
    found: list[list[_Told]] = []
    for launch in host.launches:
        function = context.unit.functions.get(launch.function)
        kernel = context.unit.functions.get(launch.key or "")
        if function is None or kernel is None or not launch.reached or launch.guarded:
            continue
        if function.key not in read:
            read[function.key] = definitions(context.unit, function)
        told = list(_judge(launch, sites[launch.span], read[function.key], kernel, context))
        if told:
            found.append(told)
    for told, others in _by_quotient(found):
        yield _finding(told, others, context)


def _by_quotient(found: list[list[_Told]]) -> Iterator[tuple[list[_Told], list[_Told]]]:
    """What is told of one launch, and of the same quotients by others; the surest launch comes first."""
    groups: dict[Span, list[list[_Told]]] = {}
    for told in sorted(found, key=lambda told: not _is_sure(told)):
        known = next((one.written for one in told if one.written in groups), None)
        if known is not None:
            groups[known].append(told)
            continue
        group = [told]
        groups.update((one.written, group) for one in told)
    for first, *rest in {id(group): group for group in groups.values()}.values():
        yield first, [one for told in rest for one in told]


def _is_sure(told: list[_Told]) -> bool:
    return all(one.case.guarded for one in told)


def _judge(
    launch: LaunchFact, site: list[LaunchFact], known: Definitions, kernel: Function, context: Context
) -> Iterator[_Told]:
    """The axes that are rounded down."""
    down = [quotient for quotient in quotients(launch, known) if quotient.direction == "down"]
    if not down or takes_more(context.unit, kernel):
        return
    for quotient in down:
        case = _Case(launch, quotient, known, kernel, _is_guarded(launch, quotient, known, kernel))
        count = _count(case)
        if count is not None:
            yield from _known(case, count)
        elif all(other.grid[quotient.axis] is None for other in site):
            yield from _free(case, context)


def _count(case: _Case) -> int | None:
    """The number that is divided, where it is known: written, or passed to the kernel too."""
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
    """Whether the kernel compares the numbers of threads with what is divided."""
    expressions = launch.expression.arguments or ()
    mine = {
        parameter.id
        for parameter, expression in zip(kernel.parameters, expressions, strict=False)
        if same(known.resolve(expression), quotient.count)
    }
    number = known.constant(quotient.count)
    own = definitions(known.unit, kernel)
    for bound in bounds(kernel):
        found = own.resolve(bound)
        if isinstance(found, e.VariableReference) and found.variable.id in mine - own.changed:
            return True
        if number is not None and own.constant(bound) == number:
            return True
    return False


def _known(case: _Case, count: int) -> Iterator[_Told]:
    """The count is a number: what it leaves is one too."""
    quotient, blocks = case.quotient, case.launch.grid[case.quotient.axis]
    per = quotient.per or case.launch.block[quotient.axis]
    if per is None or blocks is None or blocks != count // per or not blocks or not count % per:
        return
    if not case.guarded or is_rest_taken(quotient.division.left, count, case.known):
        return
    yield _Told(
        case,
        f"{blocks:,} blocks of {per} cover {blocks * per:,} of {count:,} elements",
        f"{count:,} / {per} is rounded down: the last {count % per} elements are left out",
        {"count": count, "per": per, "left": count % per},
    )


def _free(case: _Case, context: Context) -> Iterator[_Told]:
    """The count may be anything."""
    quotient, known = case.quotient, case.known
    count = quotient.count
    if not isinstance(count, e.VariableReference) or not is_anybodys(count.variable, known):
        return
    if is_looked_after(count.variable, known.function):
        return
    surely = case.guarded or (
        not is_conditional(context.unit, case.kernel) and _allocates(count.variable, known)
    )
    per = quotient.per or case.launch.block[quotient.axis]
    shown = str(per) if per is not None else render(quotient.division.right)
    if not surely or not _steady_divisor(case):
        return
    most = f"{per - 1}" if per is not None else f"{shown} - 1"
    name = count.variable.name
    yield _Told(
        case,
        f"`{render(quotient.division)}` leaves out up to {most} elements"
        f" where `{name}` is no multiple of {shown}",
        f"nothing in `{known.function.name}` or `{case.kernel.name}` covers the last {name} % {shown}",
        {"count": name, "per": shown},
    )


def _steady_divisor(case: _Case) -> bool:
    """Whether the divisor is a number, or a variable that the block is made of too."""
    return case.quotient.per is not None or case.launch.block[case.quotient.axis] is None


def _allocates(count: e.Variable, known: Definitions) -> bool:
    """Whether the function allocates memory for so many elements."""
    body = known.function.body
    return any(
        isinstance(node, e.Call)
        and node.name.startswith(("cudaMalloc", "cudaHostAlloc"))
        and len(node.arguments) > 1
        and reads(known.resolve(node.arguments[1]), count)
        for node in (walk(body) if body is not None else ())
    )


def _finding(told: list[_Told], others: list[_Told], context: Context) -> Finding:
    """One finding for all axes of a launch, and for others that take the same grid."""
    first, launch = told[0], told[0].case.launch
    axes = [one.case.quotient for one in told]
    division = axes[0].division
    left, right = render(division.left), render(division.right)
    guarded, all_guarded = _is_sure(told), _is_sure([*told, *others])
    more = len({one.case.launch.span for one in others} - {launch.span})
    shared = (f"{more} more launch{'es take' if more > 1 else ' takes'} the same quotient",) if more else ()
    late = ("`ceil` comes too late: the quotient is an integer",) if axes[0].lossy_ceil else ()
    return RULE.finding(
        launch.span,
        f"truncating grid: {first.message}",
        notes=(*dict.fromkeys(one.note for one in told), *late, *shared),
        help=f"write `({left} + {right} - 1) / {right}`"
        + ("" if all_guarded else f", and guard the index in {'each' if more else 'the'} kernel"),
        kernel=launch.name,
        evidence={**first.evidence, "axes": "".join("xyz"[quotient.axis] for quotient in axes)},
        severity=None if guarded else Severity.WARNING,
        confidence=None if "left" in first.evidence else Confidence.MEDIUM,
        fix=_fix([quotient.division for quotient in axes], context) if all_guarded else None,
    )


def _fix(divisions: list[e.Binary], context: Context) -> Fix | None:
    """The divisions rounded up, where they stand in the source as two plain operands."""
    edits = []
    for division in divisions:
        left, right = context.text(division.left.span), context.text(division.right.span)
        written = re.sub(r"\s+", "", context.text(division.span))
        if not (_PLAIN.fullmatch(left) and _PLAIN.fullmatch(right)) or written != f"{left}/{right}":
            return None
        edits.append(Edit(division.span, f"({left} + {right} - 1) / {right}"))
    return Fix(tuple(edits), safe=False)
