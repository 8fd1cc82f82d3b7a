"""How long `cudalint server` takes to answer a change, as an editor sees it.

    python -m tools.keystrokes [PATH...] [--draw N] [--seed S] [--lines LEAST MOST] [--judged]

Each file (without one: a sample of 510 lines with 17 kernels) is opened in a server of its own. Once that is
at rest, an assignment in the middle of its longest kernel is changed six times, likewise one in the middle of
its longest host function, six times an empty line is put behind the first of them, and in both places three
lines are pasted and removed, three times. Printed are seconds of
the first change of a place, and the median of the others: wall clock from the change to the diagnostics of
that version, the debounce of 20 ms included, and CPU time of the server and its workers until then, which a
busy machine alters less. With `--draw`, N files of so many lines that hold a kernel are drawn from the
folders. With `--judged`, the server does not tell what was found before where judging an edit takes long:
the first answer is that of the edit. Nothing is written.
"""

import argparse
import asyncio
import random
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

from lsprotocol import types
from msgspec import Struct
from pygls.lsp.client import LanguageClient

from cudalint.engine import analysis
from cudalint.frontend import load
from cudalint.frontend.errors import UnitFailed
from cudalint.ir.unit import Function
from cudalint.settings import config
from tools.measure import KERNEL

CHANGES = 6
LIMIT = 0.15  # seconds
_ASSIGNMENT = re.compile(
    r"^(?!\s*(?:namespace|using|static_assert|for|if|while|else|return|#|//)\b)[^=]*[^=!<>]=[^=].*[\w)\]];\s*$"
)
_KERNEL = re.compile(r"__global__[^;]*?\)\s*\{")
_PATIENCE = 120.0  # seconds
_REST = 0.6  # seconds, longer than the server waits for further keys
_CLOCK = 2  # CPUCLOCK_SCHED: the CPU time of a process in nanoseconds, as its clock


class Answer(Struct, frozen=True):
    """Seconds until one change was answered."""

    wall: float
    cpu: float


class Row(Struct, frozen=True):
    """What a place of a file takes: the first change of it, and the median of the others."""

    first: Answer
    median: Answer


def sample() -> str:
    """A text of 510 lines."""
    return "".join(KERNEL.format(n=n) for n in range(17))


def drawn(paths: list[Path], number: int, seed: int, lines: tuple[int, int]) -> list[Path]:
    """Files of so many lines below the paths that hold a kernel."""
    files = sorted({file for path in paths for file in path.rglob("*.cu")})
    random.Random(seed).shuffle(files)
    found = (f for f in files if _fits(f.read_text(encoding="utf-8", errors="replace"), lines))
    return [file for file, _ in zip(found, range(number), strict=False)]


def _fits(text: str, lines: tuple[int, int]) -> bool:
    return lines[0] <= text.count("\n") <= lines[1] and _KERNEL.search(text) is not None


def places(path: Path, text: str) -> dict[str, int]:
    """The lines to change (from 0), by what they stand in: none of a file that does not parse."""
    settings = config.for_path(str(path))
    try:
        unit = load(str(path), analysis.load_options(settings, text))
    except UnitFailed:
        return {}
    own = [f for f in unit.functions.values() if f.extent.path == unit.path]
    kernels = [unit.functions[key] for key in unit.kernels]
    kernels = [f for f in kernels if f.extent.path == unit.path]
    rows = text.split("\n")
    found = {"kernel": _line(kernels, rows), "host": _line([f for f in own if f.host], rows)}
    found["new line"] = found["kernel lines"] = found["kernel"]
    found["host lines"] = found["host"]
    return {name: line for name, line in found.items() if line is not None}


def _line(functions: list[Function], rows: list[str]) -> int | None:
    """The assignment nearest to the middle of the longest of the functions that has one."""
    for function in sorted(functions, key=lambda f: f.extent.line - f.extent.end_line):
        lines = range(function.extent.line, function.extent.end_line - 1)
        middle = (function.extent.line + function.extent.end_line) / 2
        found = [n for n in lines if _ASSIGNMENT.match(rows[n])]
        if found:
            return min(found, key=lambda n: abs(n - middle))
    return None


def cpu_seconds(process: int) -> float:
    """CPU time of a process and its children that are there."""
    try:
        own = time.clock_gettime((~process << 3) | _CLOCK)
        children = [
            int(child)
            for task in Path(f"/proc/{process}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except OSError:  # gone
        return 0.0
    return own + sum(cpu_seconds(child) for child in children)


def typed(place: str, written: str, before: str, version: int) -> str:
    """What a line becomes by the next change. written: as the file has it; before: as it is."""
    if place == "new line":
        return f"{before}\n"
    if place.endswith("lines"):  # pasted, and removed again
        return written if before != written else f"{written}\n{{\n    (void){version};\n}}"
    return f"{written} (void){version};"


async def _rests(process: int) -> None:
    """Wait until a process and its children have nothing to do."""
    before = -1.0
    while abs((now := cpu_seconds(process)) - before) > _REST / 10:  # less where a child has ended
        before = now
        await asyncio.sleep(_REST)


async def timed(path: Path, text: str, lines: dict[str, int], options: tuple[str, ...]) -> list[list[Answer]]:
    """The answers to each change of each place, by a server with these options."""
    client = LanguageClient("keystrokes", "1")
    sent: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def received(params: types.PublishDiagnosticsParams) -> None:
        sent.put_nowait(params)

    async def answered(version: int) -> None:
        while (await asyncio.wait_for(sent.get(), _PATIENCE)).version != version:
            pass

    await client.start_io(sys.executable, "-m", "cudalint", "server", *options, cwd=path.parent)
    await client.initialize_async(
        types.InitializeParams(types.ClientCapabilities(), root_uri=path.parent.as_uri())
    )
    client.initialized(types.InitializedParams())
    item = types.TextDocumentItem(path.as_uri(), "cuda-cpp", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await answered(1)
    server, rows, version = client._server.pid, text.split("\n"), 1
    answers = []
    for name, line in lines.items():
        of_line = []
        written = rows[line]
        await _rests(server)
        for _ in range(CHANGES):
            version += 1
            rows[line] = typed(name, written, rows[line], version)
            changed = "\n".join(rows)
            began, before = time.monotonic(), cpu_seconds(server)
            client.text_document_did_change(
                types.DidChangeTextDocumentParams(
                    types.VersionedTextDocumentIdentifier(version, path.as_uri()),
                    [types.TextDocumentContentChangeWholeDocument(changed)],
                )
            )
            await answered(version)
            of_line.append(Answer(time.monotonic() - began, cpu_seconds(server) - before))
        answers.append(of_line)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return answers


def report(path: Path, text: str, options: tuple[str, ...] = ()) -> dict[str, Row]:
    """Print a row for each place of a text, and return them."""
    lines = places(path, text)
    if "kernel" not in lines:
        print(f"{'-':>7} {'-':>7} {'-':>7} {'-':>7}  {path} (no kernel)")
        return {}
    answers = asyncio.run(timed(path, text, lines, options))
    rows = {}
    for (name, line), (first, *others) in zip(lines.items(), answers, strict=True):
        median = Answer(
            statistics.median(one.wall for one in others), statistics.median(one.cpu for one in others)
        )
        rows[name] = Row(first, median)
        where = f"{path.parent.name}/{path.name}:{line + 1} {name}"
        print(f"{median.wall:7.3f} {median.cpu:7.3f} {first.wall:7.3f} {first.cpu:7.3f}  {where}", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--draw", type=int, default=0, metavar="N", help="draw N files below the paths")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, nargs=2, default=(300, 700), metavar=("LEAST", "MOST"))
    parser.add_argument("--judged", action="store_true")
    given = parser.parse_args()
    options = ("--patience", "60000") if given.judged else ()
    files = given.paths
    if given.draw:
        files = drawn(given.paths, given.draw, given.seed, tuple(given.lines))
    print("   wall     cpu   first     cpu")
    if not files:
        with tempfile.TemporaryDirectory() as folder:
            report(Path(folder).resolve() / "sample.cu", sample(), options)
        return
    texts = [(file.resolve(), file.read_text(encoding="utf-8", errors="replace")) for file in files]
    rows = [report(file, text, options) for file, text in texts]
    for name in ("kernel", "host", "new line", "kernel lines", "host lines"):
        found = [one[name].median for one in rows if name in one]
        if len(found) > 1:
            wall, cpu = ([getattr(one, kind) for one in found] for kind in ("wall", "cpu"))
            print(
                f"{name}: wall median {statistics.median(wall):.3f} s, "
                f"{sum(one < LIMIT for one in wall)} of {len(found)} below {LIMIT} s; "
                f"CPU median {statistics.median(cpu):.3f} s, {sum(one < LIMIT for one in cpu)} below"
            )


if __name__ == "__main__":
    main()
