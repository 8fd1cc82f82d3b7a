"""A profiler's CSV export as the kernels that it measured.

Read are Nsight Compute's pages (`ncu --csv --page raw` and `--page details`) and Nsight Systems' kernel
summaries (`nsys stats --format csv`, report cuda_gpu_kern_sum). A file is recognised by its columns; what the
tools print before their table is passed over.
"""

import csv
import re
from collections.abc import Iterator

from msgspec import Struct

from cudalint.errors import UsageError
from cudalint.settings.launch_shape import LaunchShape
from cudalint.source.text import decode, read_bytes

_SECONDS = {
    "s": 1.0, "second": 1.0, "ms": 1e-3, "msecond": 1e-3, "us": 1e-6, "usecond": 1e-6, "µs": 1e-6,
    "ns": 1e-9, "nsecond": 1e-9,
}  # fmt: skip
_TIME = "gpu__time_duration.sum"  # the metric that Nsight Compute calls Duration in the details
_TYPES = ("OPT", "WRN")  # of rules that advise; INF only informs
_FORMATS = "`ncu --csv --page raw`, `ncu --csv --page details` or `nsys stats --format csv`"

_EXTENT = re.compile(r"\(\s*([0-9]{1,9}),\s*([0-9]{1,9}),\s*([0-9]{1,9})\s*\)")

Row = dict[str, str]


class Measured(Struct, frozen=True):
    """A kernel of the profile, over all its launches. name: without namespace, template arguments and
    parameters. seconds: of all launches together. rules: identifiers of the profiler's rules that advise on
    it. shapes: the different ones of its launches.
    """

    name: str
    seconds: float
    rules: tuple[str, ...] = ()
    shapes: tuple[LaunchShape, ...] = ()


def read(path: str) -> tuple[Measured, ...]:
    """The kernels of the export, the longest first. UsageError where it is none."""
    try:
        text = decode(read_bytes(path))
    except OSError as error:
        why = error.strerror or error
        raise UsageError(f"--profile {path}: cannot be read: {why}; check the path") from None
    found = parse(text)
    if not found:
        raise UsageError(f"--profile {path}: no kernel with its time in it; expected the CSV of {_FORMATS}")
    return found


def parse(text: str) -> tuple[Measured, ...]:
    """The same of the text; none where it has no such table."""
    found: dict[str, list[Measured]] = {}
    for entry in _entries(list(_table(text))):
        found.setdefault(entry.name, []).append(entry)
    kernels = [_together(entries) for entries in found.values()]
    return tuple(sorted((one for one in kernels if one.seconds > 0), key=lambda one: -one.seconds))


def _together(entries: list[Measured]) -> Measured:
    return Measured(
        entries[0].name,
        sum(one.seconds for one in entries),
        tuple(dict.fromkeys(rule for one in entries for rule in one.rules)),
        tuple(dict.fromkeys(shape for one in entries for shape in one.shapes)),
    )


def _table(text: str) -> Iterator[Row]:
    """The rows below the line with the columns' names."""
    header: list[str] = []
    for cells in csv.reader(text.splitlines()):
        if "Kernel Name" in cells or ("Name" in cells and any("Total Time" in cell for cell in cells)):
            header = cells
        elif header and len(cells) == len(header):
            yield dict(zip(header, cells, strict=True))


def _entries(rows: list[Row]) -> Iterator[Measured]:
    """What each row says of its kernel."""
    columns = rows[0] if rows else {}
    if "Metric Name" in columns:
        yield from map(_detail, rows)
    elif _TIME in columns:
        units, *launches = rows  # the first row has units and no kernel
        for row in launches:
            name, scale = base_name(row["Kernel Name"]), _SECONDS.get(units[_TIME], 0.0)
            yield Measured(name, _number(row[_TIME]) * scale, (), _shapes(name, row))
    elif "Name" in columns:
        total = next(name for name in columns if "Total Time" in name)
        unit = total.partition("(")[2].rstrip(")") or "ns"
        for row in rows:
            yield Measured(base_name(row["Name"]), _number(row[total]) * _SECONDS.get(unit, 0.0))


def _detail(row: Row) -> Measured:
    timed = row["Metric Name"] in ("Duration", _TIME) and row["Metric Unit"] in _SECONDS
    seconds = _number(row["Metric Value"]) * _SECONDS[row["Metric Unit"]] if timed else 0.0
    name, advises = base_name(row["Kernel Name"]), row.get("Rule Type") in _TYPES
    return Measured(name, seconds, (row["Rule Name"],) if advises else (), _shapes(name, row))


def _shapes(name: str, row: Row) -> tuple[LaunchShape, ...]:
    """Of a launch: its sizes are written as '(256, 1, 1)'."""
    grid, block = (_EXTENT.fullmatch(row.get(column, "").strip()) for column in ("Grid Size", "Block Size"))
    if grid is None or block is None:
        return ()
    return (LaunchShape(name, *((int(e[1]), int(e[2]), int(e[3])) for e in (grid, block))),)


def _number(text: str) -> float:
    """'1,234.5' as a number; 0 for what is none."""
    try:
        return float(text.replace(",", "").strip())
    except ValueError:
        return 0.0


def base_name(name: str) -> str:
    """'scale' of 'void ns::scale<float, (int)4>(float *, int)'."""
    name = re.sub(r"\((anonymous namespace|anonymous class)\)|<unnamed>", "", name)
    depth, outer = 0, ""
    for character in name:
        if character == "(" and depth == 0:
            break
        depth += (character == "<") - (character == ">")
        outer += character if depth == 0 and character != ">" else ""
    words = outer.split()
    return words[-1].rpartition("::")[2] if words else ""
