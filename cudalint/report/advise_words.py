"""The sentences of `cudalint advise`, which its text and its Markdown lay out."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.advise.card import (
    AccessCost,
    Advice,
    Card,
    Change,
    Divergence,
    Gain,
    LaunchCard,
    Range,
    Residency,
    Roof,
    Stage,
    Work,
)
from cudalint.host.shape import plural
from cudalint.report.inspect_text import per_request
from cudalint.rule.texts import listed
from cudalint.simt.launch.configuration import Origin

_SLIGHT = 0.01  # share of an access that is only counted where it is ideal, too
_NAMES = {
    "sectors": "memory bandwidth",
    "L1 wavefronts": "L1 throughput",
    "shared wavefronts": "shared memory throughput",
    "constant passes": "constant cache",
    "issue slots": "instruction issue",
    "FP64": "FP64 units",
    "special functions": "special function units",
    "starts of blocks": "block starts",
    "latency": "latency",
    "launch overhead": "launch overhead",
}
_SLOW = {**_NAMES, "sectors": "device memory bandwidth"}
_FAST = {**_NAMES, "sectors": "L2 bandwidth"}
_UNKNOWN = "no launch with a known block in this file, tried"
_COMPILED = ("slow path", "retry")
_FEW = 0.01  # waves
_LINES = 12  # named of branches that data decides on


class Section(Struct, frozen=True):
    """A step of the cycle with what there is to say on it."""

    title: str
    rows: tuple[str, ...]


def introduction(advice: Advice) -> str:
    """What the numbers are for."""
    many = plural(len(advice.cards), "kernel")
    return (
        f"{many}, on {advice.device} ({advice.arch}, {advice.multiprocessors} multiprocessors); "
        "estimates from the source, no measurement"
    )


def sections(card: Card) -> tuple[Section, ...]:
    """The four steps of the cycle, those without a row left out."""
    found = (
        Section("assess", tuple(_assess(card))),
        Section("parallelise", tuple(_parallelise(card))),
        Section("optimise", tuple(_optimise(card))),
        Section("deploy", tuple(_deploy(card))),
    )
    return tuple(section for section in found if section.rows)


def step(change: Change) -> str:
    """A finding in the ranked list."""
    kernel = f" in {change.kernel}" if change.kernel else ""
    profile = f" ({change.profile})" if change.profile is not None else ""
    return (
        f"{_gives(change)}{profile}: {change.message} ({change.path}:{change.line}{kernel}) [{change.code}]"
    )


def none(advice: Advice) -> str:
    """What stands in place of an empty list."""
    return "no findings" if advice.cards else "no kernels and no findings"


# --- assess ---


def _assess(card: Card) -> Iterator[str]:
    if card.failure is not None:
        yield f"not modelled: {card.failure}; there are no numbers of its work"
    works = [(row, row.work) for row in card.launches if row.work is not None]
    if len({work for _, work in works}) == 1:
        yield from _work(works[0][1], card)
    else:
        for row, work in works:
            yield _name(row, card)
            yield from (f"  {text}" for text in _work(work, card))
    if card.untaken:
        yield "no size that was tried takes all branches: what is behind the others is not in these numbers"
    for reason in card.partial:
        yield f"partly unknown: {reason}"
    yield from _changes(card, "assess")


def _work(work: Work, card: Card) -> Iterator[str]:
    seen = " in what was run" if card.partial or card.untaken else ""
    if work.requested.high == 0:
        yield f"no access to global memory{seen}"
    else:
        useful = f", {_percent(work.useful)} of them useful" if work.useful is not None else ""
        yield (
            f"{_range(work.requested)} bytes requested per thread (32-byte sectors, before any cache){useful}"
        )
    if work.operations.high == 0:
        yield f"no floating-point arithmetic{seen}"
    else:
        each = (
            f"; arithmetic intensity {_range(work.intensity)} operations per byte requested"
            if work.intensity is not None
            else ""
        )
        many = "" if work.operations.low == work.operations.high == 1 else "s"
        yield f"{_range(work.operations)} floating-point operation{many} per thread{each}"
    yield f"{_range(work.active_lanes)} of 32 lanes active per instruction, data-dependent code aside"
    yield from bound(*work.roofs, " in what was run" if card.untaken else "")


def bound(slow: Roof, fast: Roof, seen: str) -> Iterator[str]:
    """The verdict, then how long each part is busy under both assumptions."""
    if not slow.bound or not fast.bound:
        return
    if slow.bound != fast.bound:
        ends = [_SLOW[unit] for unit in slow.bound] + [_FAST[unit] for unit in fast.bound]
        yield f"bound by {_either(ends)}{seen}: the two assumptions below disagree, only a profile tells"
    elif len(slow.bound) > 1:
        yield f"bound by {_either([_NAMES[unit] for unit in slow.bound])}{seen}: sizes decide"
    else:
        yield f"bound by {_NAMES[slow.bound[0]]} under both assumptions{seen}"
    yield f"  nothing cached, all work overlaps: {_busy(slow, _SLOW)}"
    yield f"  all cached that can be, no work overlaps: {_busy(fast, _FAST)}"


def _either(names: list[str]) -> str:
    """'a', 'a or b', 'a, b or c', each once."""
    *most, last = dict.fromkeys(names)
    return f"{', '.join(most)} or {last}" if most else last


def _busy(roof: Roof, names: dict[str, str]) -> str:
    """The parts with their share of the time of the longest."""
    return ", ".join(f"{names[one.unit]} {_percent(one.share)}" for one in roof.units)


# --- parallelise ---


def _parallelise(card: Card) -> Iterator[str]:
    for row in card.launches:
        yield f"{_name(row, card)}: {_shape(row)}"
        yield (
            f"  {occupancy(row.residency, row)}" if row.residency else "  the device cannot run such a block"
        )
    if not card.launches and card.failure is None:
        yield "no launch shape fits the kernel"
    yield from _registers(card)
    yield from _changes(card, "parallelise")


def _name(row: LaunchCard, card: Card) -> str:
    which = f"{card.kernel}<{row.instantiation}>, " if row.instantiation else ""
    origin = _UNKNOWN if row.origin == Origin.USUAL else row.origin
    return which + (f"{origin} at {row.path}:{row.line}" if row.path else origin)


def _shape(row: LaunchCard) -> str:
    grid = "x".join("?" if n is None else f"{n}" for n in row.grid)
    block = "x".join(map(str, row.block))
    total = f", {plural(row.threads, 'thread')}" if row.threads is not None else ", grid size unknown"
    return f"grid {grid}, block {block}{total}"


def occupancy(held: Residency, row: LaunchCard) -> str:
    each = f" ({held.registers} registers per thread)" if "registers" in held.limiters else ""
    limit = f", limited by {' and '.join(held.limiters)}{each}" if held.warps < held.max_warps else ""
    text = (
        f"theoretical occupancy {held.occupancy:.0%}: {held.warps} of {held.max_warps} warps in "
        f"{plural(held.blocks, 'block')} per multiprocessor{limit}"
    )
    if row.shared_bytes is None:
        text += "; shared memory, which is not known, may limit it further"
    if held.waves is not None:
        waves = f"{held.waves:,.2f}" if held.waves >= _FEW else f"below {_FEW}"
        text += f"; {waves} waves, {plural(held.multiprocessors or 0, 'multiprocessor')} used"
    return text


def _registers(card: Card) -> Iterator[str]:
    found = card.registers
    if found is None:
        yield f"registers unknown ({card.registers_unknown}): they may limit the occupancy further"
        return
    if found.least == found.most:
        yield f"{plural(found.most, 'register')} per thread (ptxas)"
    else:
        yield f"{found.least} to {found.most} registers per thread in its instantiations (ptxas)"
    if found.spilled:
        yield f"up to {plural(found.spilled, 'byte')} of spill stores and loads per thread (ptxas)"


# --- optimise, deploy ---


def _optimise(card: Card) -> Iterator[str]:
    listed = [
        one
        for one in card.accesses
        if (one.share is not None and one.share.high >= _SLIGHT) or not _ideal(one)
    ]
    yield from map(_access, listed)
    if left := len(card.accesses) - len(listed):
        yield f"{left} more {'access' if left == 1 else 'accesses'}, ideal and below {_SLIGHT:.0%} each"
    yield from (_divergence(one) for one in card.divergences if one.divergence == "divergent")
    by_data = [one for one in card.divergences if one.divergence != "divergent"]
    own = [one for one in by_data if one.kind not in _COMPILED]
    compiled = [one for one in by_data if one.kind in _COMPILED]
    yield from _by_data(own, "loaded data decides how warps diverge")
    yield from _by_data(compiled, "loaded data decides on slow paths and retries that the compiler adds")
    yield from _changes(card, "optimise")


def _by_data(branches: list[Divergence], says: str) -> Iterator[str]:
    """One row a file, with its lines."""
    for path in dict.fromkeys(one.path for one in branches):
        lines = list(dict.fromkeys(str(one.line) for one in branches if one.path == path))
        more = [f"{len(lines) - _LINES} more"] if len(lines) > _LINES else []
        many = "s" if len(lines) > 1 else ""
        yield f"{says}: {path}, line{many} {listed([*lines[:_LINES], *more])}"


def _ideal(one: AccessCost) -> bool:
    return one.bounds is not None and one.ideal is not None and one.bounds.high <= one.ideal


def _access(one: AccessCost) -> str:
    what = f"{_share(one)}{one.path}:{one.line} {one.space} {one.operation} `{one.expression}`"
    if one.per_request is None:
        return f"{what}: {one.unit}/request unknown ({one.unknown})"
    bounds = f"{_range(one.bounds)}, " if one.bounds is not None and one.bounds.low < one.bounds.high else ""
    count = per_request(one.space, _number(one.per_request))
    return f"{what}: {count} ({bounds}ideal {_number(one.ideal)})"


def _share(one: AccessCost) -> str:
    if one.share is None:
        return "not reached in any run: "
    if one.share.high < _SLIGHT:
        return f"below {_SLIGHT:.0%} of the access time: "
    return f"{_percent(one.share)} of the access time: "


def _divergence(one: Divergence) -> str:
    what = f"divergence: {one.path}:{one.line} {one.kind} `{one.condition}`"
    share = f"{one.warps:.0%} of its warps diverge" if one.warps is not None else "warps diverge"
    if one.lanes is None or one.kind != "if":
        return f"{what}: {share}"
    return f"{what}: {share}, {plural(one.lanes[0], 'lane')} of 32 in it"


def _deploy(card: Card) -> Iterator[str]:
    yield from _changes(card, "deploy")
    yield f"verify each change: results against the old kernel, time with `ncu -k {card.kernel}`"


def _changes(card: Card, stage: Stage) -> Iterator[str]:
    for one in card.changes:
        if one.stage == stage:
            yield f"{_gives(one)}{_whose(one, card)}: {one.message} ({one.path}:{one.line}) [{one.code}]"
            yield from (f"  {text}" for text in (*one.notes, one.help) if text)


def _whose(one: Change, card: Card) -> str:
    """Of a finding that names another function: a part of the kernel, or the kernel that was estimated."""
    if one.kernel == card.kernel:
        return ""
    part = any(code.name == one.kernel for code in card.functions)
    return f" (in {one.kernel})" if part else f" (estimated for {one.kernel})"


def _gives(change: Change) -> str:
    condition = f" if {change.condition}" if change.condition else ""
    if change.gain is None:
        return f"{change.severity}{condition}"
    return f"saves {_gain(change.gain)}{condition}"


def _gain(gain: Gain) -> str:
    low, high = f"{gain.low:.0%}", f"{gain.high:.0%}"
    if not round(gain.high, 2):
        return f"less than 1% of {gain.of} ({gain.basis})"
    share = high if low == high else f"{low} to {high}" if round(gain.low, 2) else f"up to {high}"
    return f"{share} of {gain.of} ({gain.basis})"


# --- numbers ---


def _number(value: float | None) -> str:
    """At most three digits that mean something: 0.167, 12.5, 1,024."""
    if value is None:
        return "?"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _range(found: Range) -> str:
    low, high = _number(found.low), _number(found.high)
    return low if low == high else f"{low} to {high}"


def _percent(found: Range) -> str:
    low, high = f"{found.low:.0%}", f"{found.high:.0%}"
    return low if low == high else f"{low} to {high}"
