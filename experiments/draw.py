"""Draws the experiments of guides.cu and the pairs of `cudalint validate`, beside what the model predicts:

    cd experiments
    python draw.py guides_2026-11-22.json cache_2026-11-22.json records_2026-11-23.json

writes docs/experiments.md, docs/experiments/guides.svg and docs/experiments/pairs.svg. Needs matplotlib (the
extra `cudalint[plots]`) and no GPU.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from cudalint.engine.analysis import load_options
from cudalint.frontend import load
from cudalint.gpu.devices import device
from cudalint.gpu.throughput import Throughput, throughput
from cudalint.host.facts import HostFacts
from cudalint.host.model import run as run_host
from cudalint.ir.unit import Unit
from cudalint.rule import measured as measured_records
from cudalint.settings.assume import parse_all
from cudalint.settings.config import Settings
from cudalint.significance import launch_time
from cudalint.simt.facts.demand import Demand
from cudalint.simt.model import ModelOptions, run_kernel

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "experiments" / "guides.cu"
PAGE = ROOT / "docs" / "experiments.md"
CLOCK = 1.98e9  # Hz, as the H200 ran

WIDTH = 16384  # of the matrices that guides.cu adds

Row = tuple[str, float, float]  # label, milliseconds, GB asked for

# title; for each label the kernel that the model runs, and what it assumes; None: nothing that it counts
EXPERIMENTS: dict[str, tuple[str, Callable[[str], tuple[str, str]] | None]] = {
    "offset": ("copy, first element shifted by so many", lambda label: ("shifted", f"offset == {label}")),
    "stride": ("copy of every so manieth element", lambda label: ("strided", f"stride == {label}")),
    "product": (
        "C = A B with a narrow A",
        lambda label: (
            {"no tile": "product", "tile of A": "product_tile_of_a", "both tiles": "product_both_tiles"}[
                label
            ],
            "",
        ),
    ),
    "transpose": (
        "C = A Aᵀ",
        lambda label: (
            {
                "no tile": "square",
                "transposed tile": "square_by_tiles<32",
                "padded tile": "square_by_tiles<33",
            }[label],
            "",
        ),
    ),
    "float3": ("records of three floats", lambda label: (label, "")),
    "block shape": ("sum of matrices by block", lambda label: ("sum_of_matrices", _shape(label))),
    "block size": (
        "sum of vectors by threads of a block",
        lambda label: ("sum_of_vectors", _size(int(label))),
    ),
    "reduction": (
        "sums of blocks",
        lambda label: ({"shuffle": "shuffled"}.get(label, label), ""),
    ),
    "host memory": ("64 MiB to the device", None),
    "streams": ("copy, work, copy back: in so many streams", None),
    "double literal": ("64 multiply-adds an element", lambda label: (f"polynomial<{label}", "")),
    "paths": ("lanes of a warp on so many paths", lambda label: ("paths", f"ways == {label}")),
}

# What the texts report, by their number: GB/s, or ms where it says so. Elsewhere they have a picture or none.
REPORTED = {
    "product": ("004: 8.8, 14.3 and 29.7 GB/s on a GeForce GTX 280; 0.62, 7.34 and 15.5 on a Quadro FX 5600"),
    "block shape": "003: 60, 38, 51 and 46 ms (which GPU is not said)",
    "host memory": "004: 3 GB/s pageable, 6 pinned at the most (PCIe 2 x16)",
    "offset": "000: a picture, of a V100: about a fifth less than an aligned copy",
    "stride": "000: a picture, of a V100: half at a stride of 2, falling on",
}


def _shape(label: str) -> str:
    """The assumptions of a block of this shape over the matrices."""
    x, y = map(int, label.split("x"))
    grid = f"gridDim.x == {WIDTH // x}; gridDim.y == {WIDTH // y}; gridDim.z == 1"
    return f"blockDim.x == {x}; blockDim.y == {y}; {grid}"


def _size(threads: int) -> str:
    """And of blocks of so many threads over as many elements."""
    return f"blockDim.x == {threads}; gridDim.x == {WIDTH // threads * WIDTH}; gridDim.y == 1; gridDim.z == 1"


class Model:
    """The kernels of guides.cu as the model has them."""

    def __init__(self) -> None:
        self.unit: Unit = load(str(SOURCE), load_options(Settings()))
        self.host: HostFacts = run_host(self.unit)
        self.rates: Throughput = throughput(device("H200"), CLOCK)

    def milliseconds(self, kernel: str, assumption: str) -> float | None:
        """Predicted for the kernel's launch; `name<argument` is an instantiation."""
        name, _, argument = kernel.partition("<")
        for key in self.unit.kernels:
            function = self.unit.functions[key]
            if function.name.partition("<")[0] == name and (
                not argument or argument in map(str, function.template_arguments)
            ):
                assumed = parse_all(tuple(filter(None, assumption.split("; "))))
                options = ModelOptions(90, assumptions=assumed)
                found = run_kernel(self.unit, function, self.host, options, (Demand,)).of(Demand)
                return launch_time.seconds(found[0], self.rates) * 1e3 if found else None
        return None


def predictions(measured: dict[str, list[Row]]) -> dict[str, list[float | None]]:
    """Milliseconds by experiment, in the order of its rows."""
    model = Model()
    found: dict[str, list[float | None]] = {}
    for name, (_, kernel) in EXPERIMENTS.items():
        labels = [label for label, _, _ in measured[name]]
        found[name] = [None if kernel is None else model.milliseconds(*kernel(label)) for label in labels]
    return found


def draw(measured: dict[str, list[Row]], predicted: dict[str, list[float | None]], path: Path) -> None:
    """One panel an experiment: GB/s that the kernel asks for, measured and predicted."""
    figure, panels = plt.subplots(4, 3, figsize=(15, 15))
    for panel, (name, (title, _)) in zip(panels.flat, EXPERIMENTS.items(), strict=True):
        _panel(panel, measured[name], predicted[name])
        panel.set_title(title)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def _panel(panel: Axes, rows: list[Row], predicted: list[float | None]) -> None:
    labels = [label for label, _, _ in rows]
    rates = [size / ms * 1e3 for _, ms, size in rows]
    guessed = [
        None if ms is None else size / ms * 1e3 for ms, (_, _, size) in zip(predicted, rows, strict=True)
    ]
    if len(rows) > 10:
        at = [int(label) for label in labels]
        panel.plot(at, rates, marker="o", markersize=3, label="measured")
        panel.plot(at, guessed, linestyle="--", label="predicted")
    else:
        panel.bar([k - 0.2 for k in range(len(rows))], rates, 0.4, label="measured")
        if any(value is not None for value in guessed):
            panel.bar([k + 0.2 for k in range(len(rows))], [v or 0 for v in guessed], 0.4, label="predicted")
        panel.set_xticks(range(len(rows)), labels)
    panel.set_ylabel("GB/s")
    panel.set_ylim(bottom=0)
    panel.legend()


def draw_pairs(path: Path) -> str:
    """Predicted against measured slowdown of the pairs in the newest record; a line about it."""
    record = measured_records.shipped()[0]
    both = [(one.code, one.slowdown, one.predicted) for one in record.rules if one.predicted is not None]
    figure, panel = plt.subplots(figsize=(7, 7))
    low, high = 0.8, 50.0
    panel.fill_between([low, high], [low / 1.5, high / 1.5], [low * 1.5, high * 1.5], alpha=0.15)
    panel.plot([low, high], [low, high], linewidth=0.5)
    panel.scatter([m for _, m, _ in both], [p for _, _, p in both], s=14)
    for code, x, y in both:
        panel.annotate(code, (x, y), fontsize=7, xytext=(3, 3), textcoords="offset points")
    panel.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high))
    panel.set(xlabel=f"measured slowdown on {record.device.name}", ylabel="predicted slowdown")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    near = sum(1 / 1.5 <= p / m <= 1.5 for _, m, p in both)
    return f"{near} of {len(both)} predictions are within a factor of 1.5 of what was measured."


def page(
    measured: dict[str, Any],
    predicted: dict[str, list[float | None]],
    pairs: str,
    cache: dict[str, Any],
    records: dict[str, Any],
) -> Iterator[str]:
    """The lines of docs/experiments.md."""
    yield "# Experiments"
    yield ""
    yield (
        f"What texts on CUDA practice show on GPUs of their time, redone on one {measured['device']} by"
        " `experiments/guides.cu`. The predictions are those of the cost model"
        " (`cudalint/significance/launch_time.py`) from the source alone. It knows memory,"
        " launches and the instructions that the source tells; where the host"
        " decides, there is none."
    )
    yield ""
    yield "```sh"
    yield "nvcc -O3 -std=c++17 -arch=native -o guides experiments/guides.cu && ./guides > guides.json"
    yield "nvcc -O3 -std=c++17 -arch=native -o cache experiments/cache.cu && ./cache > cache.json"
    yield "nvcc -O3 -std=c++17 -arch=native -o records experiments/records.cu && ./records > records.json"
    yield "python experiments/draw.py guides.json cache.json records.json"
    yield "```"
    yield ""
    yield (
        "Rule pages and [impact](impact.md) quote four more: `in_flight.cu`, `host_calls.cu`,"
        " `pinning_once.cu` and `short_rows.cu`. Each is built"
    )
    yield "in the same way and prints JSON; what it printed stands beside it with its date."
    yield ""
    yield "![bandwidth by experiment](experiments/guides.svg)"
    for name, (title, _) in EXPERIMENTS.items():
        yield from _section(name, title, measured[name], predicted[name])
    yield from _cache(cache)
    yield from _records(records)
    yield ""
    yield "## Predicted and measured slowdowns of the pairs"
    yield ""
    yield pairs
    yield ""
    yield "![predicted against measured slowdowns](experiments/pairs.svg)"


def _section(name: str, title: str, rows: list[Row], predicted: list[float | None]) -> Iterator[str]:
    yield ""
    yield f"## {title[0].upper()}{title[1:]}"
    yield ""
    yield f"Reported: {REPORTED.get(name, 'no numbers.')}"
    yield ""
    shown = rows if len(rows) <= 10 else [rows[k] for k in (0, 1, 2, 3, 4, 8, 16, len(rows) - 1)]
    guesses = dict(zip((label for label, _, _ in rows), predicted, strict=True))
    yield "| | ms | GB/s | predicted ms | predicted / measured |"
    yield "|---|---:|---:|---:|---:|"
    for label, ms, size in shown:
        guess = guesses[label]
        told = "- | -" if guess is None else f"{guess:.4f} | {guess / ms:.2f}"
        yield f"| {label} | {ms:.4f} | {size / ms * 1e3:.0f} | {told} |"


def _cache(told: dict[str, Any]) -> Iterator[str]:
    """What cache.cu measured, without the rows of sizes in between."""
    yield ""
    yield "## Bytes a clock and multiprocessor between L2 and the multiprocessors"
    yield ""
    yield (
        f"By `experiments/cache.cu`, on one {told['device']} with {told['l2_mib']} MiB of L2, all"
        " multiprocessors at once, in bytes of sectors. The cost model's rates for L2 are from here."
    )
    yield ""
    yield "| | MiB gone through | bytes a lane | bytes between lanes | bytes a clock |"
    yield "|---|---:|---:|---:|---:|"
    for name, size, each, apart, rate in told["rows"]:
        if name != "load past L1":
            yield f"| {name} | {size:.0f} | {each} | {apart} | {rate:.1f} |"


def _records(told: dict[str, Any]) -> Iterator[str]:
    """What records.cu measured, for blocks of 256 threads."""
    yield ""
    yield "## Arrays of records and arrays of their words"
    yield ""
    yield (
        f"By `experiments/records.cu`, on one {told['device']}: 1 GiB, once; clocks of a multiprocessor for"
        " what a warp moves. L1 catches what several loads want of a sector, and takes a clock for each line"
        " that it looks up. It merges a few stores, if little lies between them; the others go to L2 one by"
        " one, 14 bytes of sectors a clock. A sector that is written in part costs device memory twice. The"
        " impact of sectors knows these rates."
    )
    yield ""
    yield "| | bytes a word | words of a record | words used | records | arrays | saved by arrays |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for name, word, words, used, threads, together, apart in told["rows"]:
        if threads == 256:
            saved = f"{1 - apart / together:.0%}"
            yield f"| {name} | {word} | {words} | {used} | {together:.1f} | {apart:.1f} | {saved} |"


def main() -> None:
    measured = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    folder = PAGE.parent / "experiments"
    folder.mkdir(exist_ok=True)
    predicted = predictions(measured)
    draw(measured, predicted, folder / "guides.svg")
    cache = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    records = json.loads(Path(sys.argv[3]).read_text(encoding="utf-8"))
    text = "\n".join(page(measured, predicted, draw_pairs(folder / "pairs.svg"), cache, records))
    PAGE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
