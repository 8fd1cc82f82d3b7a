"""The explanation of one line as text: `cudalint inspect --explain FILE:LINE`. At most 100 columns wide."""

import string
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from cudalint.report.inspect_text import per_request
from cudalint.report.streams_text import drawn
from cudalint.source.text import as_lines

Table = dict[str, Any]

_WIDTH = 100
_LABELS = string.ascii_lowercase + string.ascii_uppercase + string.digits + "@&"  # 64: two per lane
_RULER = "0       8       16      24"
_SHOWN = 8  # rows of a picture; of more, the first ones and the last are shown
_FIELDS = 12  # arguments shown per launch
_BOUNDS = {
    "valuations": "the valuations differ",
    "shapes": "the launch shapes differ",
    "condition": "an unknown condition decides which lanes are active",
    "choice": "it depends on an assumption",
    "data": "addresses depend on loaded data; counted with scattered ones",
    "requests": "requests differ, and not all of them were counted",
}


def render(explained: Table) -> str:
    """Everything known of the line: kernel by kernel, then the timelines that its calls stand in."""
    place = f"{explained['path']}:{explained['line']}"
    rows = [row for kernel in explained["kernels"] for row in _kernel(kernel, place)]
    for timeline in explained.get("streams", ()):
        rows += [""] * bool(rows) + list(drawn(timeline))
    return as_lines(rows)


def _fit(indent: int, text: str) -> Iterator[str]:
    """The text in lines of at most _WIDTH columns."""
    pad = " " * indent
    yield from textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=pad,
        subsequent_indent=pad + "  ",
        break_on_hyphens=False,
        drop_whitespace=True,
    )


def _kernel(kernel: Table, place: str) -> Iterator[str]:
    yield from _fit(0, f"{place} in kernel {_named(kernel)}, {kernel['path']}:{kernel['line']}")
    for launch in kernel["launches"]:
        yield from _launch(launch)
    if kernel["assumptions"]:
        yield from _fit(2, f"assumed: {'; '.join(kernel['assumptions'])}")
    if kernel["budget_spent"]:
        yield from _fit(2, "budget exhausted: counts late in the kernel are bounded")
    for access in kernel["accesses"]:
        yield ""
        yield from _access(access)
    for branch in kernel["branches"]:
        yield ""
        yield from _branch(branch)
    for barrier in kernel["barriers"]:
        yield ""
        yield from _barrier(barrier)


def _named(kernel: Table) -> str:
    shown = [f"{kernel['name']}<{', '.join(map(str, own))}>" for own in kernel["instantiations"]]
    return ", ".join(shown) or str(kernel["name"])


# --- launches ---


def _launch(launch: Table) -> Iterator[str]:
    where = f" at {launch['path']}:{launch['line']}" if launch["path"] else ""
    yield from _fit(
        2,
        f"{launch['origin']}{where}: grid {_extent(launch['grid'])}, block {_extent(launch['block'])}, "
        f"{_number(launch['dynamic_shared_bytes'])} bytes dynamic shared, stream {launch['stream']}",
    )
    arguments = launch["arguments"]
    for argument in arguments[:_FIELDS]:
        yield from _fit(4, f"{argument['name']}: {_argument(argument)}")
    if len(arguments) > _FIELDS:
        yield from _fit(4, f"and {len(arguments) - _FIELDS} more")


def _argument(argument: Table) -> str:
    if argument["unknown"]:
        return f"unknown ({argument['unknown']})"
    numbers = ", ".join(_number(number) for number in argument["tried"])
    if not argument["pointer"]:
        return f"free integer, valuations {numbers}" if numbers else f"{_number(argument['value'])}"
    size = f" of {argument['buffer_bytes']} bytes" if argument["buffer_bytes"] else ""
    target = f"buffer {argument['buffer']}{size}" if argument["buffer"] else "separate buffer"
    if numbers:
        return f"{target}, at a free byte offset, valuations {numbers}"
    return f"{target}, at byte offset {_number(argument['value'])}"


# --- accesses ---


def _access(access: Table) -> Iterator[str]:
    numbers = access["transactions"]
    place = f"{access['path']}:{access['line']}:{access['column']}"
    buffer = f" (buffer {access['buffer']})" if access["buffer"] else ""
    what = f"{access['space']} {access['operation']} of {access['bytes']} bytes"
    yield from _fit(2, f"{place}: {what}, {access['expression']}{buffer}")
    yield from _inlined(access)
    if numbers["certainty"] == "unknown":
        yield from _fit(4, f"unknown: {access['unknown'] or 'no number'}")
    else:
        count = per_request(access["space"], _mean(numbers["per_request"]))
        yield from _fit(4, f"{count} (ideal {_mean(numbers['ideal'])}); {_certainty(access)}")
    yield from _origins(access["origins"])
    if access["assumed"]:
        yield from _fit(4, f"assumed: {'; '.join(access['assumed'])}")
    yield from _trials(access)
    if numbers["certainty"] != "unknown":
        yield from _fit(4, _shape(access))
    if access["worst_request"]:
        yield from _worst(access)


def _inlined(item: Table) -> Iterator[str]:
    """The source of code that is attributed to the line of a call."""
    origin = item.get("inlined_from")
    if origin:
        yield from _fit(4, f"inlined from {origin['path']}:{origin['line']}:{origin['column']}")


def _certainty(access: Table) -> str:
    numbers = access["transactions"]
    if numbers["certainty"] == "exact":
        return "exact"
    why = " and ".join(_BOUNDS[reason] for reason in access["bounded_by"])
    return f"bounded, {_mean(numbers['lower'])} to {_mean(numbers['upper'])}: {why}"


def _origins(origins: list[Table]) -> Iterator[str]:
    words = {"load": "loaded data", "call": "result of a call", "unread": "code not modelled"}
    for origin in origins:
        place = f"{origin['path']}:{origin['line']}:{origin['column']}"
        yield from _fit(4, f"depends on {words[origin['kind']]}: {origin['expression']} at {place}")


def _trials(access: Table) -> Iterator[str]:
    """The number of each valuation, in the order of the arguments' valuations."""
    for trial in access["trials"]:
        if all(number is None for number in trial["per_request"]):
            continue
        means = ", ".join(map(_mean, trial["per_request"]))
        best = dict.fromkeys(_mean(number) for number in trial["ideal"] if number is not None)
        ideals = next(iter(best)) if len(best) == 1 else ", ".join(map(_mean, trial["ideal"]))
        yield from _fit(4, f"per valuation, block {_extent(trial['block'])}: {means} (ideal {ideals})")


def _mean(number: float | None) -> str:
    return "not reached" if number is None else f"{number:.4g}"


def _shape(access: Table) -> str:
    """Active lanes, strides and alignment."""
    parts = [f"{_mean(access['active_lanes'])} of 32 lanes active"]
    if access["uniform"]:
        parts.append("same address in all lanes")
    elif access["lane_stride"] is not None:
        parts.append(f"lane stride {_distance(access['lane_stride'])}")
    elif access["lane_strides"]:
        strides = ", ".join(_number(stride) for stride in access["lane_strides"])
        parts.append(f"lane strides {strides} bytes, differing by request or valuation")
    else:
        parts.append("no constant lane stride")
    if access["row_breaks"]:
        lanes, gap = access["row_breaks"]
        parts.append(f"new row every {lanes} lanes, {_distance(gap)} apart")
    if access["row_stride"] is not None:
        parts.append(f"threadIdx.y stride {_distance(access['row_stride'])}")
    if access["step_stride"] is not None:
        parts.append(f"stride between iterations {_distance(access['step_stride'])}")
    if access["offset"] is not None and access["space"] in ("global", "local"):
        at = f"{_distance(access['offset'])} into" if access["offset"] else "at the start of"
        parts.append(f"first byte {at} a sector")
    return "; ".join(parts)


def _distance(count: int) -> str:
    words = f" ({_count(count // 4, 'word')})" if count % 4 == 0 and count else ""
    return f"{count} bytes{words}"


# --- the worst request ---


def _worst(access: Table) -> Iterator[str]:
    worst = access["worst_request"]
    match worst:
        case {"sectors": sectors}:
            yield from _sectors(worst["lanes"], sectors)
        case {"groups": groups}:
            yield from _fit(4, "worst request (words per bank; a = 10, w = 32):")
            for group in groups:
                yield from _banks(group, access["operation"] == "atomic")
        case {"addresses": addresses}:
            yield from _fit(4, f"worst request: {_count(len(addresses), 'address')}, serialised")
            rows = [f"byte {item['address']}: {_lanes(item['lanes'])}" for item in addresses]
            yield from _abridged(rows, 6, "addresses")


def _sectors(lanes: Sequence[int | None], sectors: list[Table]) -> Iterator[str]:
    used = sum(sector["used"] for sector in sectors)
    moved = sum(sector["used"] + sector["unused"] for sector in sectors)
    yield from _fit(
        4,
        f"worst request: {_count(len(sectors), 'sector')}, {used} of {moved} bytes used (# used, . unused)",
    )
    labels = {sector["first"] // 32: label for sector, label in zip(sectors, _LABELS, strict=False)}
    picture = "".join("." if address is None else labels.get(address // 32, "?") for address in lanes)
    yield f"      lane    {_RULER}"
    yield f"      sector  {picture}"
    widest = max(len(str(sector["first"])) for sector in sectors)
    rows = []
    for sector in sectors:
        bytes_used = set(sector["used_bytes"])
        map_of = "".join("#" if byte in bytes_used else "." for byte in range(32))
        rows.append(
            f"{labels.get(sector['first'] // 32, '?')}  byte {sector['first']:>{widest}}  {map_of}  "
            f"{sector['used']:>2} used, {sector['unused']:>2} unused  {_lanes(sector['lanes'])}"
        )
    yield from _abridged(rows, 6, "sectors")


def _banks(group: Table, atomic: bool) -> Iterator[str]:
    first, last = group["lanes"]
    banks = group["banks"]
    words = {bank["bank"]: len(bank["words"]) for bank in banks}
    touched, fullest = _count(len(banks), "bank"), _count(group["passes"], "word")
    yield from _fit(6, f"lanes {first}-{last}: {touched}, up to {fullest} per bank")
    yield f"      bank    {_RULER}"
    yield f"      words   {''.join(_digit(words.get(bank, 0)) for bank in range(32))}"
    rows = [f"bank {bank['bank']:>2}: {_words(bank)}" for bank in banks if len(bank["words"]) > 1]
    yield from _abridged(rows, 6, "banks")
    if atomic:
        most = max(len(word["lanes"]) for bank in banks for word in bank["words"])
        yield from _fit(6, f"up to {_count(most, 'lane')} on the same word")


def _digit(count: int) -> str:
    """A count in one column: 1 to 9, then a for 10 to w for 32."""
    return "." if count == 0 else str(count) if count < 10 else string.ascii_lowercase[min(count, 35) - 10]


def _words(bank: Table) -> str:
    words = [word["word"] for word in bank["words"]]
    lanes = sorted({lane for word in bank["words"] for lane in word["lanes"]})
    return f"{len(words)} words, {_runs(words)}; {_lanes(lanes)}"


def _abridged(rows: list[str], indent: int, what: str) -> Iterator[str]:
    """The rows, of many the first ones and the last."""
    if len(rows) > _SHOWN:
        left_out = len(rows) - _SHOWN + 1
        rows = [*rows[: _SHOWN - 2], f"... {left_out} more {what}", rows[-1]]
    for row in rows:
        yield from _fit(indent, row)


def _lanes(lanes: Sequence[int]) -> str:
    return f"lane{'s' if len(lanes) > 1 else ''} {_runs(lanes)}"


def _runs(numbers: Sequence[int]) -> str:
    """Numbers in order, three and more at equal distances as `first-last` or `first-last step n`."""
    parts: list[str] = []
    at = 0
    while at < len(numbers):
        end = at + 1
        step = numbers[end] - numbers[at] if end < len(numbers) else 0
        while end + 1 < len(numbers) and numbers[end + 1] - numbers[end] == step:
            end += 1
        if end - at >= 2:
            tail = "" if step == 1 else f" step {step}"
            parts.append(f"{numbers[at]}-{numbers[end]}{tail}")
            at = end + 1
        else:
            parts.append(str(numbers[at]))
            at += 1
    return ", ".join(parts)


# --- branches and barriers ---


def _branch(branch: Table) -> Iterator[str]:
    share = branch["divergent_warps"] if branch["divergence"] != "data-dependent" else None
    detail = f", {share:.0%} of warps diverge" if share is not None else ""
    place = f"{branch['path']}:{branch['line']}:{branch['column']}"
    yield from _fit(2, f"{place}: {branch['kind']} {branch['condition']}: {branch['divergence']}{detail}")
    yield from _inlined(branch)
    yield from _origins(branch["origins"])
    if branch["boundary"]:
        yield from _fit(4, "only warps at the edge of the grid diverge, or only for some sizes")
    then, otherwise = branch["cost"]
    if then or otherwise:
        unit = "iteration" if branch["kind"] == "loop" else "execution"
        second = f" if taken, {otherwise} if not" if branch["kind"] != "loop" else ""
        yield from _fit(4, f"operations per {unit}: {then}{second}")
    if branch["trips"]:
        fewest, most = branch["trips"]
        yield from _fit(4, f"worst warp: {fewest} to {most} iterations per lane")
    if branch["split"]:
        yes, no = branch["split"]
        yield from _fit(4, f"first divergent warp: taken by {yes} lanes (#), not by {no} (-)")
        marks = {True: "#", False: "-", None: "."}
        yield f"      lane    {_RULER}"
        yield f"      taken   {''.join(marks[lane] for lane in branch['lanes'])}"


def _barrier(barrier: Table) -> Iterator[str]:
    place = f"{barrier['path']}:{barrier['line']}:{barrier['column']}"
    who = {"all": "all threads", "some": "some threads", "unknown": "an unknown set of threads"}
    yield from _fit(2, f"{place}: barrier reached by {who[barrier['reached_by']]} of a block")
    if not barrier["reaching"] or not barrier["missing"]:
        return
    block = _extent(barrier["block"]) if barrier["block"] else "?"
    yield from _fit(
        4,
        f"block {block}: thread {_tuple(barrier['reaching']['thread'])} reaches it, thread "
        f"{_tuple(barrier['missing']['thread'])} of block {_tuple(barrier['missing']['block'])} does not",
    )
    if barrier["condition"]:
        how = "exited because of" if barrier["returned"] else "skipped because of"
        where = f"{barrier['condition_path']}:{barrier['condition_line']}"
        yield from _fit(4, f"{how} `{barrier['condition']}` at {where}")
    yield from _fit(4, f"holds under {'every valuation' if barrier['certain'] else 'some valuations only'}")


def _tuple(numbers: Sequence[int]) -> str:
    return f"({', '.join(map(str, numbers))})"


# --- numbers ---


def _count(number: int, noun: str) -> str:
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{number} {noun if number == 1 else plural}"


def _extent(extent: Sequence[int | None]) -> str:
    return "x".join(_number(item) for item in extent)


def _number(value: float | int | None) -> str:
    if value is None:
        return "?"
    return str(value) if isinstance(value, int) else f"{value:g}"
