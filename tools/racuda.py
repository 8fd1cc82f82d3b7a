"""cudalint and RaCUDA against the counters that RaCUDA publishes: `python -m tools.racuda --root DIR`.

DIR is a checkout of smuller/RaCUDA. Its popl21/ holds, for small kernels at many sizes, what Nsight Compute
counted (curesults/csv: sectors of global memory and bank conflicts, totals of a launch), what RaCUDA's cost
model gives when it is run (simresults/csv: one warp), and the bounds its analysis infers
(paper-analysis-results/*.csv: one warp, a formula). docs/racuda.md says what is known of them.

Each kernel is launched by a wrapper file that the script writes into a temporary folder, next to a copy of
the kernel in which a shared array of run-time size, which CUDA C++ does not have, gets 1024 elements. The
numbers compared are totals of the launch:

    sectors    sum over the global accesses of cudalint's sectors a request x requests executed
    conflicts  sum over the shared accesses of (wavefronts - ideal) a request x requests executed

Requests executed are the script's own arithmetic: warps of the launch x iterations of the loops round the
access, and the numbers in `guarded` where an `if` keeps whole warps out. RaCUDA's numbers are those of one
warp, scaled as its authors scale them: the simulation by threads / 32, the bound by whole warps. There are
no counters of divergence; cudalint's share of warps that split x branches executed stands beside RaCUDA's
two numbers.

With --write FILE the tables replace what stands between the markers in FILE.
"""

import argparse
import ast
import csv
import math
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from cudalint.cuda.warp import WARP
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host import model as host
from cudalint.simt import model as simt
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts

BEGIN, END = "<!-- tables: written by tools/racuda.py -->", "<!-- end of tables -->"
_TILE = 32  # rows and columns of a block of the matrix kernels
_RUN_TIME_EXTENT = re.compile(r"(__shared__\s+\w+\s+\w+)\s*\[\s*[A-Za-z_][\w.]*\s*\]")
_INCLUDE = re.compile(r"^\s*#\s*include\b.*$", re.MULTILINE)
_METRICS = {"sectors": "global", "conflicts": "shared"}

Size = tuple[int, ...]
Place = tuple[str, str, int]  # space, operation, how many loops are round the access


def _ceiling(number: int, unit: int) -> int:
    return -(-number // unit)


@dataclass(frozen=True, slots=True)
class Shape:
    """A launch: blocks, threads a block, and how often the loops run, from the outermost in. guarded: the
    requests executed where an `if` keeps warps out. busy: threads that do anything; None when all do.
    """

    grid: tuple[int, int]
    block: tuple[int, int]
    trips: tuple[int, ...] = ()
    guarded: Mapping[Place, int] = field(default_factory=dict)
    busy: int | None = None

    @property
    def warps(self) -> int:
        """Warps launched."""
        return self.grid[0] * self.grid[1] * _ceiling(self.block[0] * self.block[1], WARP)

    @property
    def threads(self) -> int:
        """Threads that do anything."""
        return math.prod((*self.grid, *self.block)) if self.busy is None else self.busy

    def executed(self, loops: int) -> int:
        """How often the launch's warps come to a place with so many loops round it."""
        return self.warps * math.prod(self.trips[:loops])

    def requests(self, place: Place) -> int:
        return self.guarded.get(place, self.executed(place[2]))


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel of the checkout: the file and the function, its launch at a size, its arguments after the
    buffers, and the names that RaCUDA's formulas use for the size.
    """

    file: str
    function: str
    element: str
    buffers: int
    shape: Callable[[Size], Shape]
    names: tuple[str, ...]
    arguments: tuple[int, ...] = (0,)  # which number of the size each one is


@dataclass(frozen=True, slots=True)
class Row:
    """One metric of one kernel at one size; None where there is no number."""

    kernel: str
    metric: str
    size: Size
    counted: int
    cudalint: float | None
    simulated: float | None
    bound: float | None


# --- the launches ---


def _guarded_vector(size: Size) -> Shape:
    """One thread an element, in blocks of 256; warps wholly behind the end do nothing."""
    live = _ceiling(size[0], WARP)
    guarded = {("global", operation, 0): live for operation in ("load", "store")}
    return Shape((_ceiling(size[0], 256), 1), (256, 1), guarded=guarded, busy=size[0])


def _reduction(elements: int, halving: int) -> Callable[[Size], Shape]:
    """Blocks of 256 threads with `elements` elements each, which sum in eight steps; only the first warp
    writes the block's sum. halving: the requests of one access in the eight steps of a block.
    """

    def shape(size: Size) -> Shape:
        blocks = size[0] // elements
        guarded = {
            ("global", "store", 0): blocks,
            ("shared", "load", 0): blocks,
            ("shared", "load", 1): halving * blocks,
            ("shared", "store", 1): halving * blocks,
        }
        return Shape((blocks, 1), (256, 1), (8,), guarded)

    return shape


def _one_block(lanes: int, lanes_by: int, trips: int, trips_by: int) -> Callable[[Size], Shape]:
    """One block of `size[lanes] // lanes_by` threads, in a loop of `size[trips] // trips_by` iterations."""
    return lambda size: Shape((1, 1), (size[lanes] // lanes_by, 1), (size[trips] // trips_by,))


def _tiles(size: Size) -> Shape:
    """Whole tiles only: without a guard, no more blocks fit a matrix of this width."""
    tiles = size[0] // _TILE
    return Shape((tiles, tiles), (_TILE, _TILE), (_ceiling(size[0], _TILE), _TILE))


# 128, 64, ... 1 threads add: the first ones of the block, or as many at even distances.
_NEIGHBOURS = sum(_ceiling(1 << step, WARP) for step in range(8))
_SPREAD = sum(min(8, 1 << step) for step in range(8))

KERNELS: tuple[Kernel, ...] = (
    Kernel("matrixMul", "MatrixMulCUDA", "float", 3, _tiles, ("wA",), (0, 0)),
    Kernel("matrixMulBad", "MatrixMulBad", "float", 3, _tiles, ("wA",), (0, 0)),
    Kernel("matrixMulTranspose", "MatrixMulTranspose", "float", 3, _tiles, ("wA",), (0, 0)),
    Kernel("vectorAdd", "vectorAdd", "float", 3, _guarded_vector, ("numElements",)),
    Kernel("reduce0", "reduce0", "int", 2, _reduction(256, _SPREAD), ("n",)),
    Kernel("reduce1", "reduce1", "int", 2, _reduction(256, _NEIGHBOURS), ("n",)),
    Kernel("reduce2", "reduce2", "int", 2, _reduction(256, _NEIGHBOURS), ("n",)),
    Kernel("reduce3", "reduce3", "int", 2, _reduction(512, _NEIGHBOURS), ("n",)),
    Kernel("addSub0", "addSubArray0", "int", 2, _one_block(1, 1, 0, 1), ("w", "h"), (0, 1)),
    Kernel("addSub1", "addSubArray1", "int", 2, _one_block(1, 2, 0, 1), ("w", "h"), (0, 1)),
    Kernel("addSub2", "addSubArray2", "int", 2, _one_block(0, 1, 1, 2), ("w", "h"), (0, 1)),
    Kernel("addSub3", "addSubArray3", "int", 2, _one_block(0, 1, 1, 2), ("w", "h"), (0, 1)),
)


# --- cudalint's numbers ---


def wrapper(kernel: Kernel, size: Size) -> str:
    """A program that launches the kernel file next to it."""
    shape = kernel.shape(size)
    names = [f"buffer{n}" for n in range(kernel.buffers)]
    passed = ", ".join([*names, *(str(size[index]) for index in kernel.arguments)])
    lines = [f'#include "{kernel.file}.cu"', "int main()", "{"]
    lines += [f"    {kernel.element} *{name}; cudaMalloc(&{name}, 1u << 30);" for name in names]
    x, y = shape.block
    lines.append(f"    dim3 grid({shape.grid[0]}, {shape.grid[1]}), block({x}, {y});")
    lines.append(f"    {kernel.function}<<<grid, block>>>({passed});")
    return "\n".join([*lines, "}", ""])


def modelled(kernel: Kernel, size: Size, source: str, arch: str) -> KernelFacts:
    """What the models know of the kernel at this size."""
    with tempfile.TemporaryDirectory() as folder:
        text = _RUN_TIME_EXTENT.sub(r"\1[1024]", _INCLUDE.sub("", source))
        Path(folder, f"{kernel.file}.cu").write_text(text, encoding="utf-8")
        path = Path(folder, "launch.cu")
        path.write_text(wrapper(kernel, size), encoding="utf-8")
        unit = load(str(path), LoadOptions(arch=arch))
        options = simt.ModelOptions(arch=int(arch.removeprefix("sm_")))
        (facts,) = simt.run(unit, host.run(unit), options)
    return facts


def _loops_round(facts: KernelFacts, line: int, column: int) -> int:
    """How many loops the place is in, their conditions and steps not counted."""
    loops = [branch for branch in facts.branches if branch.kind == "loop"]
    return sum(_holds(loop, line, column) for loop in loops)


def _holds(loop: Branch, line: int, column: int) -> bool:
    whole = loop.statement
    return (whole.line, whole.column) <= (line, column) < (whole.end_line, whole.end_column)


def total(facts: KernelFacts, shape: Shape, metric: str) -> float | None:
    """The metric over the launch; None when an access that counts has no number."""
    space = _METRICS[metric]
    each = [
        (_cost(access, metric), shape.requests(_place(facts, access)))
        for access in facts.accesses
        if access.space == space
    ]
    if any(cost is None for cost, _ in each):
        return None
    return sum(cost * requests for cost, requests in each if cost is not None)


def _place(facts: KernelFacts, access: Access) -> Place:
    loops = _loops_round(facts, access.span.line, access.span.column)
    return access.space, access.operation, loops


def _cost(access: Access, metric: str) -> float | None:
    counted = access.transactions
    if counted.per_request is None or counted.ideal is None:
        return None
    return counted.per_request - counted.ideal if metric == "conflicts" else counted.per_request


def divergences(facts: KernelFacts, shape: Shape) -> float | None:
    """Branches at which a warp split, over the launch; None when data decide one."""
    found = [branch for branch in facts.branches if branch.kind == "if"]
    if any(branch.divergence == "data-dependent" or branch.split.share is None for branch in found):
        return None
    loops = [_loops_round(facts, b.span.line, b.span.column) for b in found]
    return sum((b.split.share or 0.0) * shape.executed(n) for b, n in zip(found, loops, strict=True))


# --- RaCUDA's files ---


def counters(folder: Path, kernel: Kernel) -> dict[Size, tuple[int, int]]:
    """Nsight Compute's sectors and conflicts by size; sizes with no sectors were not measured."""
    found = {}
    for row in _rows(folder / "curesults" / "csv" / f"{kernel.file}-results.csv"):
        *size, sectors, conflicts = map(int, row)
        if sectors:
            found[tuple(size)] = sectors, conflicts
    return found


def simulated(folder: Path, kernel: Kernel, metric: str) -> dict[Size, int]:
    """What one warp costs when RaCUDA runs it, by size; () where it is the same for all sizes."""
    found = {}
    for row in _rows(folder / "simresults" / "csv" / f"{kernel.file}-{metric}.csv"):
        *size, cost = map(int, row)
        found[tuple(size)] = cost
    values = set(found.values())
    return found | {(): values.pop()} if len(values) == 1 else found


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        yield from (row for row in csv.reader(file) if row and row[0].strip().isdigit())


def bounds(folder: Path, metric: str) -> dict[str, str]:
    """The formula that RaCUDA infers for one warp, by kernel file; empty where it found none."""
    with (folder / "paper-analysis-results" / f"{metric}.csv").open(newline="", encoding="utf-8") as file:
        return {row[0].removesuffix(".cu"): row[-1] for row in csv.reader(file) if row}


def value(formula: str, names: Mapping[str, int]) -> float | None:
    """The number of a formula such as '4 + 0.5 max(0, 31 + wA)'; None for an empty one."""
    if not formula:
        return None
    tree = ast.parse(re.sub(r"(?<=[\d)])\s+max\b", " * max", formula), mode="eval")
    return _number(tree.body, names)


def _number(node: ast.expr, names: Mapping[str, int]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return float(names[name])
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _number(left, names) + _number(right, names)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _number(left, names) * _number(right, names)
        case ast.Call(func=ast.Name(id="max"), args=arguments):
            return max(_number(argument, names) for argument in arguments)
        case _:
            raise ValueError(f"not a formula: {ast.unparse(node)}")


@dataclass(frozen=True, slots=True)
class Published:
    """RaCUDA's two numbers of one metric: of one warp by simulation, and its formula."""

    simulation: Mapping[Size, int]
    formula: str

    def totals(self, kernel: Kernel, size: Size) -> tuple[float | None, float | None]:
        """Both for the launch: the simulation x threads / 32, the formula x whole warps, as the authors
        scale them.
        """
        threads = kernel.shape(size).threads
        one = self.simulation.get(size, self.simulation.get(()))
        limit = value(self.formula, dict(zip(kernel.names, size, strict=True)))
        return (
            None if one is None else one * threads / WARP,
            None if limit is None else limit * _ceiling(threads, WARP),
        )


def published(folder: Path, kernel: Kernel, metric: str) -> Published:
    return Published(simulated(folder, kernel, metric), bounds(folder, metric).get(kernel.file, ""))


# --- the tables ---


def measured(root: Path, kernel: Kernel, arch: str) -> Iterator[Row]:
    """The kernel's rows: both metrics at every measured size, and divergence."""
    folder = root / "popl21"
    source = (folder / "kernels" / f"{kernel.file}.cu").read_text(encoding="utf-8")
    files = {metric: published(folder, kernel, column) for metric, column in _METRICS.items()}
    split = published(folder, kernel, "divwarps")
    for size, counts in sorted(counters(folder, kernel).items()):
        shape, facts = kernel.shape(size), modelled(kernel, size, source, arch)
        for metric, count in zip(_METRICS, counts, strict=True):
            mine = total(facts, shape, metric)
            yield Row(kernel.file, metric, size, count, mine, *files[metric].totals(kernel, size))
        yield Row(kernel.file, "divergence", size, 0, divergences(facts, shape), *split.totals(kernel, size))


def error(number: float | None, counted: int) -> float | None:
    """Relative to the counter; 0 where both are 0, None where only the counter is."""
    if number is None or (counted == 0 and number > 0.5):
        return None
    return (number - counted) / counted if counted else 0.0


def _shown(number: float | None) -> str:
    return "-" if number is None else f"{number:,.0f}"


def _percent(share: float | None) -> str:
    if share is None:
        return "-"
    return "0" if share == 0 else f"{share:+.2%}" if abs(share) < 10 else f"{share:+.0%}"


def _table(heads: str, rows: list[list[str]]) -> list[str]:
    titles = heads.split(", ")
    rule = ["---"] * 3 + ["---:"] * (len(titles) - 3)
    return ["| " + " | ".join(cells) + " |" for cells in [titles, rule, *rows]]


def each(rows: list[Row]) -> list[str]:
    """One line a kernel, metric and size."""
    lines = []
    for row in rows:
        numbers = (row.cudalint, row.simulated, row.bound)
        pairs = [cell for n in numbers for cell in (_shown(n), _percent(error(n, row.counted)))]
        lines.append([row.kernel, row.metric, " x ".join(map(str, row.size)), f"{row.counted:,}", *pairs])
    heads = "kernel, metric, size, hardware, cudalint, error, RaCUDA simulated, error, RaCUDA bound, error"
    return _table(heads, lines)


def _even(size: Size) -> str:
    return "multiples of 32" if all(n % WARP == 0 for n in size) else "others"


def together(rows: list[Row]) -> list[str]:
    """One line a kernel, metric and kind of size: the mean of the errors' magnitudes, and cudalint's most."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.kernel, row.metric, _even(row.size)), []).append(row)
    lines = []
    for (kernel, metric, kind), group in groups.items():
        mine = _sizes([error(row.cudalint, row.counted) for row in group])
        most = max(mine) if mine else None
        simulation = _sizes([error(row.simulated, row.counted) for row in group])
        bound = _sizes([error(row.bound, row.counted) for row in group])
        means = [_mean(mine, len(group)), _magnitude(most), _mean(simulation, len(group))]
        lines.append([kernel, metric, kind, str(len(group)), *means, _mean(bound, len(group))])
    return _table(
        "kernel, metric, sizes, how many, cudalint, cudalint's most, RaCUDA simulated, RaCUDA bound", lines
    )


def _sizes(errors: list[float | None]) -> list[float]:
    return [abs(share) for share in errors if share is not None]


def _mean(errors: list[float], expected: int) -> str:
    return _magnitude(fmean(errors)) if len(errors) == expected else "-"


def _magnitude(share: float | None) -> str:
    return _percent(share).removeprefix("+")


def split(rows: list[Row]) -> list[str]:
    """One line a kernel and size: branches at which a warp split."""
    lines = []
    for row in rows:
        numbers = map(_shown, (row.cudalint, row.simulated, row.bound))
        lines.append([row.kernel, row.metric, " x ".join(map(str, row.size)), *numbers])
    return _table("kernel, metric, size, cudalint, RaCUDA simulated, RaCUDA bound", lines)


def _smallest(rows: list[Row]) -> list[Row]:
    """Divergence at the first size of every kernel."""
    first: dict[str, Row] = {}
    for row in rows:
        if row.metric == "divergence":
            first.setdefault(row.kernel, row)
    return list(first.values())


def _worth_a_line(rows: list[Row]) -> list[Row]:
    """Without the conflicts of kernels that have none, by the counter and by cudalint."""
    some = {row.kernel for row in rows if row.metric == "conflicts" and (row.counted or row.cudalint)}
    return [
        row for row in rows if row.metric == "sectors" or (row.metric == "conflicts" and row.kernel in some)
    ]


def report(rows: list[Row]) -> str:
    """The three tables, in Markdown."""
    told = _worth_a_line(rows)
    parts = [
        ["### Mean error", "", *together(told)],
        ["### Divergent branches, the smallest size", "", *split(_smallest(rows))],
        ["### Every size", "", *each(told)],
    ]
    return "\n\n".join("\n".join(part) for part in parts)


def write(path: Path, tables: str) -> None:
    """Put the tables between the markers."""
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--root", type=Path, required=True, help="a checkout of smuller/RaCUDA")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--kernel", action="append", help="only this kernel file, without .cu")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables between FILE's markers")
    options = parser.parse_args()
    chosen = [kernel for kernel in KERNELS if options.kernel is None or kernel.file in options.kernel]
    rows = [row for kernel in chosen for row in measured(options.root, kernel, options.arch)]
    if options.write is not None:
        write(options.write, report(rows))
    else:
        print(report(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
