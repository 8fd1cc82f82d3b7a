"""Where to insert the barrier that a race needs: on a line of its own between the two accesses, or at the end
of the loop that leads from one back to the other.

The place is in the innermost block that holds both accesses, so never in a branch or loop that holds only one
of them. For accesses made in functions, it is between the calls. trials.py checks that every thread reaches
the barrier and that the race is gone.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function
from cudalint.ir.walk import children, find
from cudalint.rule.findings import Edit, Fix
from cudalint.rule.race_witness import is_scratch, surest_first
from cudalint.rule.rule import Context
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.races.race import Race
from cudalint.source.span import Span

Way = tuple[s.Statement, ...]  # the statements that enclose a place, the outermost first
Place = tuple[int, int]  # a block of statements (its id()), and how many of them come before

_DIVERGENT = {"__syncthreads();": ("divergent", "data-dependent")}
_DIVERGENT_WARPS = ("divergent", "data-dependent", "unknown")
_STEP = "    "


class Gap(Struct, frozen=True):
    """Where a barrier separates the two accesses of a race."""

    places: frozenset[Place]  # every place where it does
    place: Place  # the one where it is inserted
    enclosing: Way  # the statements around that place
    before: Span  # what follows the barrier
    like: Span | None  # what it is indented like


def proposal(races: list[Race], kernel: KernelFacts, context: Context, barrier: str) -> Fix | None:
    """The fix that inserts barriers for all the races; None where one of them has no certain place."""
    gaps = _gaps(races, kernel, context)
    if gaps is None or any(_diverges(gap.enclosing, kernel, barrier) for gap in gaps):
        return None
    edits = [_line_before(gap, context, barrier) for gap in _fewest(gaps)]
    written = tuple(dict.fromkeys(edit for edit in edits if edit is not None))
    return Fix(written, safe=False, on_trial=True) if len(written) == len(edits) else None


def merged_by_barrier(groups: list[list[Race]], kernel: KernelFacts, context: Context) -> list[list[Race]]:
    """The groups of races, with those that one barrier fixes merged."""
    if len(groups) < 2:
        return groups
    merged: list[tuple[frozenset[Place], list[Race]]] = []
    for races in groups:
        places = _common(races, kernel, context)
        at = next((at for at, (others, _) in enumerate(merged) if others & places), None)
        if at is None:
            merged.append((places, races))
        else:
            others, earlier = merged[at]
            merged[at] = others & places, surest_first(earlier + races)
    return [races for _, races in merged]


def _common(races: list[Race], kernel: KernelFacts, context: Context) -> frozenset[Place]:
    """The places where one barrier fixes all the races."""
    gaps = None if any(map(is_scratch, races)) else _gaps(races, kernel, context)
    return frozenset.intersection(*(gap.places for gap in gaps)) if gaps else frozenset()


def fixed_too(races: list[Race], reported: list[list[Race]], kernel: KernelFacts, context: Context) -> bool:
    """Whether the barriers that the reported races need fix these races, too."""
    gaps = _gaps(races, kernel, context) if reported else None
    if not gaps:
        return False
    placed = {gap.place for group in reported for gap in _fewest(_gaps(group, kernel, context) or [])}
    return all(gap.places & placed for gap in gaps)


def _fewest(gaps: list[Gap]) -> list[Gap]:
    """The fewest gaps whose places lie in all gaps, chosen from the top."""
    chosen: list[Gap] = []
    for gap in sorted(gaps, key=lambda gap: gap.place[1]):
        if not any(other.place in gap.places for other in chosen):
            chosen.append(gap)
    return chosen


def _gaps(races: list[Race], kernel: KernelFacts, context: Context) -> list[Gap] | None:
    """The gap of each race; None where one of them has no certain place."""
    functions = _reached(kernel.function, context)
    gaps = [_gap(race, kernel, functions, context) for race in races]
    certain = [gap for gap in gaps if gap is not None]
    return certain if len(certain) == len(races) else None


def _gap(race: Race, kernel: KernelFacts, functions: dict[str, Function], context: Context) -> Gap | None:
    if race.kind == "write-write" or not race.same_block:
        return None
    for function in _levels(race, kernel.function, functions):
        ways = _two_ways(race, function, functions)
        if ways is None:
            continue
        shared = [pair for pair in zip(*ways, strict=False) if pair[0] is pair[1]]
        inner = tuple(pair[0] for pair in shared)
        again = _runs_again(race, ways, inner)
        gap = _at_the_end(ways, inner, context) if again else _between(ways, inner)
        if gap is not None:
            return gap
    return None


# --- which statements ---


def _reached(kernel: Function, context: Context) -> dict[str, Function]:
    """The functions that a kernel calls, directly or not, and itself."""
    functions = {kernel.key: kernel}
    waiting = [kernel]
    while waiting:
        for call in _calls(waiting.pop()):
            callee = context.unit.functions.get(call.key or "")
            if callee is not None and callee.body is not None and callee.key not in functions:
                functions[callee.key] = callee
                waiting.append(callee)
    return functions


def _calls(function: Function) -> Iterator[e.Call]:
    yield from find(function.body, e.Call)


def _levels(race: Race, kernel: Function, functions: dict[str, Function]) -> Iterator[Function]:
    """The functions to look for a place in: the one that makes both accesses, then the kernel."""
    first, second = (_owner(side.span, functions) for side in (race.first, race.second))
    if first is not None and first is second:
        yield first
    if first is not kernel or second is not kernel:
        yield kernel


def _owner(span: Span, functions: dict[str, Function]) -> Function | None:
    """The function whose body an access is written in, the innermost where one is a lambda."""
    holding = [function for function in functions.values() if function.extent.contains(span)]
    return max(holding, key=lambda function: _start(function.extent), default=None)


def _two_ways(race: Race, function: Function, functions: dict[str, Function]) -> tuple[Way, Way] | None:
    """The ways to the two accesses in a function's body, where there is no choice."""
    first = _ways(race.first.span, function, functions)
    second = _ways(race.second.span, function, functions)
    if len(first) == len(second) == 1:
        return first[0], second[0]
    if len(first) == 2 and first == second and not race.back_edge:  # one function called twice
        return first[0], second[1]
    return None


def _ways(span: Span, function: Function, functions: dict[str, Function]) -> list[Way]:
    """The ways to the statements of a function that make an access, themselves or by a call."""
    owner = _owner(span, functions)
    if function.body is None or owner is None:
        return []
    if owner is function:
        return [_way(function.body, span)]
    calls = (call for call in _calls(function) if _leads_to(call, owner, functions, set()))
    return list({way[-1].span: way for way in (_way(function.body, call.span) for call in calls)}.values())


def _leads_to(call: e.Call, owner: Function, functions: dict[str, Function], seen: set[str]) -> bool:
    callee = functions.get(call.key or "")
    if callee is None or callee.key in seen:
        return False
    seen.add(callee.key)
    return callee is owner or any(_leads_to(inner, owner, functions, seen) for inner in _calls(callee))


def _way(statement: s.Statement, span: Span) -> Way:
    for child in children(statement):
        if isinstance(child, s.Statement) and child.span.contains(span):
            return statement, *_way(child, span)
    return (statement,)


# --- which place among them ---


def _runs_again(race: Race, ways: tuple[Way, Way], inner: Way) -> bool:
    """Whether the second access is one of a later iteration of a loop."""
    if race.back_edge:
        return True
    first, second = (way[len(inner)].span if len(way) > len(inner) else way[-1].span for way in ways)
    return _start(second) < _start(first)


def _between(ways: tuple[Way, Way], inner: Way) -> Gap | None:
    """Before the second access, in the statements that hold both."""
    depth = len(inner)
    block = inner[-1]
    if not isinstance(block, s.Block) or any(len(way) == depth for way in ways):
        return None
    first, second = (_number(way[depth], block) for way in ways)
    places = frozenset((id(block), number) for number in range(first + 1, second + 1))
    return Gap(places, (id(block), second), inner, ways[1][depth].span, None)


def _at_the_end(ways: tuple[Way, Way], inner: Way, context: Context) -> Gap | None:
    """At the end of the innermost loop's body, which has to have braces."""
    loops = [number for number, statement in enumerate(inner) if isinstance(statement, s.Loop)]
    if not loops:
        return None
    depth = loops[-1] + 1
    loop = inner[loops[-1]]
    assert isinstance(loop, s.Loop)
    body = loop.body
    if not isinstance(body, s.Block) or not context.text(body.span).endswith("}"):
        return None
    end = body.span
    brace = Span(end.path, end.end_line, end.end_column - 1, end.end_line, end.end_column)
    like = next((child.span for child in reversed(body.body) if child.span.line > end.line), None)
    last = len(body.body)
    numbers = {last}
    if all(len(way) > depth + 1 and way[depth] is body for way in ways):
        first, second = (_number(way[depth + 1], body) for way in ways)
        numbers |= {*range(second + 1), *range(first + 1, last)}
    places = frozenset((id(body), number) for number in numbers)
    return Gap(places, (id(body), last), (*inner[:depth], body), brace, like)


def _number(statement: s.Statement, block: s.Block) -> int:
    """How many statements of the block come before one of them."""
    return next(number for number, other in enumerate(block.body) if other is statement)


def _diverges(inside: Way, kernel: KernelFacts, barrier: str) -> bool:
    """Whether the threads that the barrier synchronises diverge around a place."""
    divergent = _DIVERGENT.get(barrier, _DIVERGENT_WARPS)
    spans = {statement.span for statement in inside}
    return any(branch.statement in spans and branch.divergence in divergent for branch in kernel.branches)


# --- the text ---


def _line_before(gap: Gap, context: Context, barrier: str) -> Edit | None:
    """The barrier as a line of its own above a statement, or above the brace that ends a loop's body."""
    before, like = gap.before, gap.like
    lines = context.lines.get(before.path, ())
    if before.path != context.unit.path or before.line > len(lines):
        return None
    indent = _indent(before, lines)
    if indent is None:
        return None
    if context.text(before) == "}":
        indent = (_indent(like, lines) if like is not None else None) or indent + _STEP
    number = before.line
    while number > 1 and _belongs_below(lines[number - 2].strip()) and context.text(before) != "}":
        number -= 1
    if number > 1 and lines[number - 2].endswith("\\"):
        return None
    return Edit(Span(before.path, number, 1, number, 1), f"{indent}{barrier}\n")


def _belongs_below(line: str) -> bool:
    """Whether a line is about the statement under it: a pragma, or a comment that takes the whole line."""
    return line.startswith(("#pragma", "//")) or (line.startswith("/*") and line.find("*/") == len(line) - 2)


def _indent(span: Span, lines: tuple[str, ...]) -> str | None:
    """The text before it on its line, if that is white space."""
    lead = lines[span.line - 1][: span.column - 1]
    return lead if not lead.strip() else None


def _start(span: Span) -> tuple[int, int]:
    return span.line, span.column
