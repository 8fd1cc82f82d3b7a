"""What the race rules share: which races make one finding, and its message, notes and witness."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from cudalint.rule.findings import Finding, Fix, Related
from cudalint.rule.rule import Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.races.race import Race, RaceSide
from cudalint.simt.launch.configuration import Origin
from cudalint.source.span import Span

_VERBS = {"load": "reads", "store": "writes", "atomic": "updates"}
_MOST_OTHERS = 8  # further accesses that are named
OWN_ELEMENTS = "give each thread its own elements: every thread reads and writes these"


def array(race: Race) -> str:
    """The name of the array that the two threads access."""
    return race.index.partition("[")[0]


def array_kind_direction(race: Race) -> object:
    return array(race), race.kind, runs_again(race)


def grouped(
    races: Iterable[Race], key: Callable[[Race], object] = array_kind_direction
) -> Iterator[list[Race]]:
    """The races of each finding, the surest first."""
    groups: dict[object, list[Race]] = {}
    for race in races:
        groups.setdefault(key(race), []).append(race)
    for group in groups.values():
        yield surest_first(group)


def surest_first(races: list[Race]) -> list[Race]:
    """The races, the surest and uppermost first."""
    return sorted(races, key=lambda race: (not race.certain, *map(_place, reversed(_in_source_order(race)))))


def is_volatile_in_warp(race: Race) -> bool:
    """Whether only threads of one warp race, by two volatile instructions at addresses that do not depend on
    data: code that relies on lockstep, which `__syncwarp()` fixes.
    """
    return race.in_step and race.volatile and not race.data_dependent


def is_polling(race: Race, kernel: KernelFacts) -> bool:
    """Whether one side is an atomic and the other a load in a loop condition."""
    if {race.first.operation, race.second.operation} != {"atomic", "load"}:
        return False
    read = race.first if race.first.operation == "load" else race.second
    return any(branch.kind == "loop" and branch.span.contains(read.span) for branch in kernel.branches)


def _place(side: RaceSide) -> tuple[str, int, int]:
    return side.span.path, side.span.line, side.span.column


def is_scratch(race: Race) -> bool:
    """Whether both threads write the element, and read it in another statement."""
    return race.both_store and race.kind == "read-write" and not is_one_statement(race)


def is_one_statement(race: Race) -> bool:
    """Whether one statement updates the element."""
    return race.first.expression == race.second.expression and race.first.span.line == race.second.span.line


def runs_again(race: Race) -> bool:
    """Whether the second access is one of a later iteration, or of a later call of the function."""
    return race.back_edge or race.called_again


def _in_source_order(race: Race) -> tuple[RaceSide, RaceSide]:
    """The side that comes first in the source, and the other."""
    if _place(race.second) >= _place(race.first):
        return race.first, race.second
    return race.second, race.first


def finding(rule: Rule, races: list[Race], missing: str, help: str, fix: Fix | None) -> Finding:
    """The finding for races of one group; `missing` says what does not order the two threads."""
    race = races[0]
    sure = race.certain and not race.condition
    upper, lower = _in_source_order(race)
    when = f" in {_later_time(race, lower, upper)}" if runs_again(race) and race.kind == "read-write" else ""
    condition = f", when {race.condition}" if race.condition else ""
    limited = _limited(race)
    return rule.finding(
        lower.span,
        f"race on `{race.index}`: {_both_access(race, lower, upper)}{when}, {missing}{condition}",
        notes=tuple(_notes(races, lower, upper)),
        help=help,
        kernel=race.kernel,
        evidence={
            "kind": race.kind,
            "threads": [list(lower.thread.thread), list(upper.thread.thread)],
            "blocks": [list(lower.thread.block), list(upper.thread.block)],
            "index": race.index,
            "operations": [lower.operation, upper.operation],
            "iterations": [lower.iteration or None, upper.iteration or None],
            "next_round": runs_again(race),
            "seen_for": race.configuration.describe() if race.configuration else None,
            "condition": race.condition or None,
            "sites": len(races),
        },
        related=(
            Related(lower.span, _does(lower, race)),
            Related(upper.span, _does(upper, race)),
            *_others(races[1:], {lower.span, upper.span}),
        ),
        fix=fix,
        severity=None if sure and not limited else Severity.WARNING,
        condition=race.condition.replace("`", "") or limited or None,
        standing=on_shape(race.configuration, sure=sure and has_known_shape(race)),
    )


def _limited(race: Race) -> str:
    """What must hold of a block of which the program only tells the most threads."""
    shape = race.configuration
    if shape is None or shape.origin is not Origin.LIMIT:
        return ""
    return f"the block is as large as it may be ({shape.shape} threads)"


def _both_access(race: Race, lower: RaceSide, upper: RaceSide) -> str:
    """The two threads and what they do, the lower access first."""
    one, other = f"thread {_name(lower, race)}", f"thread {_name(upper, race)}"
    if lower.operation == upper.operation:
        return f"{one} and {other} both {_VERBS[lower.operation].removesuffix('s')} it"
    return f"{one} {_VERBS[lower.operation]} what {other} {_VERBS[upper.operation]}"


def has_known_shape(race: Race) -> bool:
    """Whether the block shape is the program's own for certain."""
    return race.configuration is None or race.configuration.origin not in (
        Origin.TEXT,
        Origin.LIMIT,
        Origin.USUAL,
        Origin.FITTED,
        Origin.CHOSEN_BOUNDS,
    )


def _name(side: RaceSide, race: Race) -> str:
    """The thread, with its block if the two are in different blocks."""
    return f"{side.thread}" if race.same_block else f"{side.thread} of block {side.thread.block}"


def _does(side: RaceSide, race: Race) -> str:
    return f"thread {_name(side, race)} {_VERBS[side.operation]} `{side.expression}`{_when(side)}"


def _when(side: RaceSide) -> str:
    return f" ({side.iteration})" if side.iteration else ""


def _later_time(race: Race, lower: RaceSide, upper: RaceSide) -> str:
    """Which iteration, or call of the function, the upper access is in, seen from the lower one."""
    if not race.back_edge:
        return "the next call"
    here, there = (re.findall(r"\d+", side.iteration) for side in (lower, upper))
    apart = [int(a) - int(b) for a, b in zip(there, here, strict=False) if a != b]
    return "another iteration" if apart and apart[0] != 1 else "the next iteration"


def _others(others: list[Race], shown: set[Span]) -> Iterator[Related]:
    """The accesses of the other races, each span once."""
    places: dict[Span, str] = {}
    for race in others:
        for side in _in_source_order(race):
            if side.span not in shown:
                places.setdefault(side.span, f"`{side.expression}` races too")
    for span, message in islice(places.items(), _MOST_OTHERS):
        yield Related(span, message)


def _notes(races: list[Race], lower: RaceSide, upper: RaceSide) -> Iterator[str]:
    race = races[0]
    where = "threads of one warp" if race.same_warp else "warps of one block" if race.same_block else "blocks"
    first, second = upper.span.line, lower.span.line
    lines = f"line {first} accesses" if first == second else f"lines {first} and {second} access"
    yield f"{lines} the same bytes from different {where}"
    if runs_again(race):
        start, end = race.second.span.line, race.first.span.line
        still = "there" if start == end else f"at line {end}"
        yield (
            f"line {start} runs again, in {_later_time(race, lower, upper)}, while another thread may still"
            f" be {still}"
        )
    if race.witness and race.certain:
        yield f"it only takes data with which {race.witness}"
    others = sum(array(other) == array(race) for other in races[1:])
    if others:
        yield f"{others} more pair{'s' if others > 1 else ''} of accesses to this array race in the same way"
    further = dict.fromkeys(f"`{array(other)}`" for other in races if array(other) != array(race))
    if further:
        yield f"the same barrier is missing for {' and '.join(further)}"
