"""What is wrong with a global access: one pattern per access, so that no two rules report one cause."""

from collections.abc import Iterable, Iterator
from enum import Enum, auto
from itertools import pairwise
from math import ceil

from msgspec import Struct

from cudalint.cuda.warp import WARP
from cudalint.ir.unit import Function
from cudalint.simt.facts.accesses.access import Access, Transactions
from cudalint.simt.launch.configuration import Configuration, Origin

SECTOR = 32
LINE = 128  # bytes of a line of L1, of which a load or store looks one up per clock

# Transactions are means over requests; a hair above the ideal is a few odd requests, not a pattern.
_TOLERANCE = 0.02

# From this lane stride on it is a row that is walked along; less is the few elements that a thread takes.
_PITCH_BYTES = 128

# Fewer active lanes than this are the rim of a tile or one thread's work.
FEW_LANES = 8

# The numbers tried for what is known at run time only start here.
_TRIED = 4096

_GUESSED_ROWS = (Origin.USUAL, Origin.BOUNDS, Origin.CHOSEN_BOUNDS)
# Types assumed for template parameters that nothing names.
_CHOSEN_TYPES = ("float", "int", "double", "float4")

GRID_AXES = ("blockIdx.x", "blockIdx.y", "blockIdx.z")

_NEVER_RUN = "an untaken branch is taken"


class Pattern(Enum):
    """The one reason for an access's excess sectors."""

    IDEAL = auto()  # nothing to report: no excess, one lane, or one address
    MISALIGNED = auto()  # unit stride that starts inside a sector
    STRIDED = auto()  # neighbouring lanes a constant > 1 element apart
    SCATTERED = auto()  # lanes in several pieces of memory, at distances that differ
    TRANSPOSED = auto()  # neighbouring lanes a row apart, while the row is walked by something slower
    RECORDS = auto()  # neighbouring lanes one record apart, its fields fetched one by one
    SHORT_ROWS = auto()  # a warp spans rows of fewer than 32 threads that do not fill sectors, or cache lines
    UNKNOWN = auto()  # excess without a certain cause, or no number


def lowest(transactions: Transactions) -> float | None:
    """The fewest transactions per request that are certain; None when nothing is."""
    match transactions.certainty:
        case "exact":
            return transactions.per_request
        case "bounded":
            return transactions.lower
        case _:
            return None


def in_excess(transactions: Transactions) -> bool:
    """Whether more transactions than the ideal are certain."""
    fewest = lowest(transactions)
    ideal = transactions.ideal
    return fewest is not None and ideal is not None and fewest > ideal * (1 + _TOLERANCE)


def _seen_in_excess(transactions: Transactions) -> bool:
    """Whether the requests that were run had more transactions than their ideal, if others may have none."""
    mean, ideal = transactions.per_request, transactions.ideal
    return mean is not None and ideal is not None and mean > ideal * (1 + _TOLERANCE)


def number(value: float) -> int | float:
    """A count for messages and evidence: an integer where it is one, else two decimals."""
    rounded = round(value, 2)
    return int(rounded) if rounded == int(rounded) else rounded


def amount(transactions: Transactions) -> str:
    """'16', or '12 to 32' where only a range is known."""
    low, high = transactions.lower, transactions.upper
    if transactions.certainty == "bounded" and low is not None and high is not None and low != high:
        return f"{number(low)} to {number(high)}"
    return str(number(transactions.per_request or 0.0))


def depends_on_sizes(access: Access) -> bool:
    """Whether the number differs between the sizes tried."""
    counts = (len({n for n in trial.per_request if n is not None}) for trial in access.trials)
    return any(count > 1 for count in counts)


def per_request(access: Access, unit: str) -> str:
    """What a request costs, as '16 sectors/request (ideal 4)'."""
    ideal = number(access.transactions.ideal or 0.0)
    sizes = ", for the sizes tried" if depends_on_sizes(access) else ""
    return f"{amount(access.transactions)} {unit}/request (ideal {ideal}{sizes})"


def strides(access: Access) -> tuple[int, ...]:
    """The lane strides seen, as positive bytes; () when some request was irregular."""
    if access.layout.lane_stride is not None:
        return (abs(access.layout.lane_stride),)
    return tuple(sorted({abs(stride) for stride in access.layout.lane_strides}))


def classify(access: Access) -> Pattern:
    """The pattern of a global access. Pure: the same facts always give the same answer."""
    if access.space != "global" or lowest(access.transactions) is None or access.basis.made_up:
        return Pattern.UNKNOWN
    if access.lanes.active < 2 or access.layout.uniform:
        return Pattern.IDEAL
    if not _seen_in_excess(access.transactions):
        return Pattern.SHORT_ROWS if _in_more_lines(access) else Pattern.IDEAL
    if unread_rows(access.configuration):
        return Pattern.UNKNOWN
    seen = strides(access)
    if seen and min(seen) > access.bytes:
        return _wide(access, seen)  # in every request, whichever lanes are active
    if access.basis.data_dependent or never_run(access):
        return Pattern.UNKNOWN
    if _short_rows(access, seen) and (in_excess(access.transactions) or _in_more_lines(access)):
        return Pattern.SHORT_ROWS
    if not seen:
        return Pattern.SCATTERED if _in_pieces(access) else Pattern.UNKNOWN
    if not in_excess(access.transactions):
        return Pattern.IDEAL
    if max(seen) == 0:
        return Pattern.IDEAL
    if max(seen) <= access.bytes:
        return Pattern.MISALIGNED if _misaligned(access, seen) else Pattern.UNKNOWN
    return _wide(access, seen)


def _wide(access: Access, seen: tuple[int, ...]) -> Pattern:
    """The pattern of lanes more than one element apart."""
    if _short_rows(access, seen):
        return Pattern.SHORT_ROWS
    if access.element.record is not None and seen == (access.element.record[1],):
        return Pattern.RECORDS if access.bytes < access.element.record[1] else Pattern.UNKNOWN
    if walker(access) is not None and min(seen) >= _PITCH_BYTES:
        return Pattern.TRANSPOSED
    if run_time(seen) and any(stride % access.bytes for stride in seen):
        return Pattern.UNKNOWN  # a stride in bytes that is passed: it may be one element or struct
    return Pattern.STRIDED


def pieces(access: Access) -> tuple[int, ...]:
    """The bytes of each run of consecutive elements that the lanes of the worst request access."""
    starts = sorted({at for at in access.lanes.worst if at is not None})
    found: list[int] = []
    for before, at in pairwise((None, *starts)):
        if before is not None and at is not None and at <= before + access.bytes:
            found[-1] += at - before
        else:
            found.append(access.bytes)
    return tuple(found)


def _in_pieces(access: Access) -> bool:
    """Whether its pieces, were each aligned, still took more sectors than the ideal: else they only start
    inside sectors.
    """
    aligned = sum(ceil(size / SECTOR) for size in pieces(access))
    return aligned > ceil(sum(pieces(access)) / SECTOR)


def walker(access: Access) -> str | None:
    """What moves along the memory that the lanes step over, one element at a time."""
    steps = {
        "threadIdx.y": access.layout.row_stride,
        "the loop": access.layout.step_stride,
        **dict(zip(GRID_AXES, access.layout.grid_strides, strict=False)),
    }
    return next((name for name, step in steps.items() if step and abs(step) == access.bytes), None)


def _short_rows(access: Access, seen: tuple[int, ...]) -> bool:
    """Unit stride within rows of fewer than 32 threads, each row elsewhere and none of them whole sectors; or
    whole sectors in more than twice as many cache lines as all of them fill: twice as many cost a copy 7%
    (experiments/short_rows.cu).
    """
    if access.layout.row_breaks is None or guessed_rows(access.configuration):
        return False
    lanes, pitch = access.layout.row_breaks
    row_bytes = lanes * access.bytes
    if lanes >= WARP or (lanes > 1 and seen != (access.bytes,)):
        return False
    many = min(LINE, abs(pitch)) > 2 * row_bytes
    return (row_bytes % SECTOR != 0 or many) and abs(pitch) > row_bytes


def _in_more_lines(access: Access) -> bool:
    """Whether short rows of whole sectors make a request look up many cache lines, wherever they start."""
    if access.basis.data_dependent or never_run(access) or unread_rows(access.configuration):
        return False
    _, pitch = access.layout.row_breaks or (0, 0)
    return _short_rows(access, strides(access)) and abs(pitch) >= LINE


def lines(access: Access) -> int:
    """The cache lines that the worst request looks up."""
    return len({at // LINE for at in access.lanes.worst if at is not None})


def ideal_lines(access: Access) -> int:
    """The fewest that hold as many bytes as it asks for."""
    active = sum(at is not None for at in access.lanes.worst)
    return max(1, ceil(active * access.bytes / LINE))


def _misaligned(access: Access, seen: tuple[int, ...]) -> bool:
    """Unit stride from a known place inside a sector, in one piece: at most one sector above the ideal.

    The place has to be the same whatever sizes are passed.
    """
    breaks, transactions = access.layout.row_breaks, access.transactions
    whole = breaks is None or abs(breaks[1]) == breaks[0] * access.bytes
    if seen != (access.bytes,) or not whole or not _starts_inside(access):
        return False
    most = transactions.upper if transactions.certainty == "bounded" else transactions.per_request
    return most is not None and most <= ceil(transactions.ideal or 0.0) + 1 + _TOLERANCE


def _starts_inside(access: Access) -> bool:
    """Whether all warps start at one place inside a sector; or those of the first block do, and other blocks,
    a row further on each, start elsewhere in theirs.
    """
    layout, configuration = access.layout, access.configuration
    if layout.offset is not None:
        same = access.transactions.lower == access.transactions.upper
        return bool(layout.offset) and same and not _of_one_size(access)
    if not layout.first_offset or depends_on_sizes(access) or configuration is None:
        return False
    row = max(_PITCH_BYTES, configuration.block[0] * access.bytes)
    inner = (layout.row_stride, layout.step_stride)
    return all((step or 0) % SECTOR == 0 for step in inner) and any(
        step is not None and abs(step) >= row and step % SECTOR for step in layout.grid_strides
    )


def _of_one_size(access: Access) -> bool:
    """Whether it is executed with one of several sizes that were tried: others may start elsewhere."""
    tried = [mean is not None for trial in access.trials for mean in trial.per_request]
    return len(tried) > 1 and sum(tried) == 1


class Site(Struct, frozen=True):
    """Accesses of one buffer with one pattern in one file: one finding."""

    worst: Access  # the most excess, preferably of those with numbers under all valuations
    accesses: tuple[Access, ...]

    @property
    def operation(self) -> str:
        """'load', 'store', 'atomic' or 'load and store', of the accesses on the line of the worst one."""
        line = self.worst.span.line
        return " and ".join(sorted({a.operation for a in self.accesses if a.span.line == line}))

    @property
    def others(self) -> tuple[Access, ...]:
        """The accesses on other lines, one per line."""
        lines = {access.span.line: access for access in reversed(self.accesses)}
        lines.pop(self.worst.span.line, None)
        return tuple(lines[line] for line in sorted(lines))


def sites(accesses: Iterable[Access], pattern: Pattern) -> Iterator[Site]:
    """What a kernel does in this pattern, one site a buffer, in source order."""
    groups: dict[tuple[str, str | int], list[Access]] = {}
    ordered = sorted(accesses, key=place)
    walked = {_walk(a) for a in ordered if a.buffer and classify(a) is Pattern.TRANSPOSED}
    for access in ordered:
        kind = classify(access)
        if kind is Pattern.STRIDED and _walk(access) in walked:
            kind = Pattern.TRANSPOSED  # another access walks along the same rows: one cause
        if kind is pattern:
            # Memory without a name may be any memory: then a line is all that holds accesses together.
            groups.setdefault((access.span.path, access.buffer or access.span.line), []).append(access)
    found = [Site(max(group, key=excess), tuple(group)) for group in groups.values()]
    yield from sorted(found, key=lambda site: (site.worst.span.path, site.worst.span.line))


def place(access: Access) -> tuple[str, int, int]:
    return access.span.path, access.span.line, access.span.column


def _walk(access: Access) -> tuple[str, str, tuple[int, ...]]:
    """What two accesses share that step over the same rows."""
    return access.span.path, access.buffer, strides(access)


def run_time(seen: tuple[int, ...]) -> bool:
    """Whether the strides depend on a number known only at run time: several were tried."""
    return len(seen) > 1 and min(seen) >= _TRIED


def never_run(access: Access) -> bool:
    """Whether no run came to the access by itself: code that is cold, or dead for the shapes tried."""
    return _NEVER_RUN in access.basis.assumed


def guessed(configuration: Configuration | None) -> bool:
    """Whether the shape is one that the model chose, for want of a launch."""
    return configuration is not None and configuration.origin in (Origin.USUAL, Origin.CHOSEN_BOUNDS)


def guessed_rows(configuration: Configuration | None) -> bool:
    """Whether how threads stand in rows is the model's choice, so that what depends on it is not known."""
    if configuration is None or configuration.origin not in _GUESSED_ROWS:
        return False
    return configuration.block[1:] != (1, 1)


def unread_rows(configuration: Configuration | None) -> bool:
    """Whether, besides, the program launches the kernel, with rows that the model could not read."""
    return configuration is not None and configuration.unread and guessed_rows(configuration)


def chosen_size(function: Function) -> bool:
    """Whether cudalint chose a number or an arithmetic type that is a template argument: distances in bytes
    may depend on it.
    """
    return function.chosen_number or any(
        argument.rpartition(" = ")[2] in _CHOSEN_TYPES for argument in function.assumed
    )


def chosen(function: Function) -> str | None:
    """The condition that cudalint's choice of template arguments is, where what a warp does may depend on it:
    'T = float, BLOCK = 256'.
    """
    return ", ".join(function.assumed) if chosen_size(function) else None


def excess(access: Access) -> tuple[bool, float]:
    everywhere = all(None not in trial.per_request for trial in access.trials)
    excess = (access.transactions.per_request or 0.0) - (access.transactions.ideal or 0.0)
    return everywhere, excess * access.weight.share


def evidence(access: Access) -> dict[str, int | float | str]:
    """The numbers that every memory finding carries."""
    transactions = access.transactions
    facts: dict[str, int | float | str] = {
        "transactions": number(transactions.per_request or 0.0),
        "ideal": number(transactions.ideal or 0.0),
        "certainty": transactions.certainty,
        "bytes": access.bytes,
        "active_lanes": number(access.lanes.active),
    }
    if transactions.certainty == "bounded":
        facts["lower"] = number(transactions.lower or 0.0)
        facts["upper"] = number(transactions.upper or 0.0)
    if access.layout.lane_stride is not None:
        facts["stride"] = abs(access.layout.lane_stride)
    return facts


def useful_share(access: Access) -> str:
    """The share of the bytes moved that lanes use: '12.5%', or '22.2% to 23.5%' where it depends on sizes.
    Bytes that several lanes use count once.
    """
    least, most = access.layout.used
    if most - least <= _TOLERANCE * most:
        return f"{100 * most:.3g}%"
    return f"{100 * least:.3g}% to {100 * most:.3g}%"
