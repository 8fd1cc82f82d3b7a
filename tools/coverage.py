"""How much of real code the frontend and the warp model cover: `python -m tools.coverage PATH...`.

The kernels of the source are counted from the text alone, so that one which the frontend loses is noticed.
"""

import argparse
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from cudalint.engine import engine
from cudalint.engine.discovery import discover
from cudalint.report.statistics import merged
from cudalint.rule.outcome import KernelCount, UnitResult
from cudalint.source.text import decode, shown

_NOISE = re.compile(
    r"//(?:[^\n\\]|\\.)*|/\*.*?\*/|R\"(?P<d>[^(\s]*)\(.*?\)(?P=d)\"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'",
    re.DOTALL,
)
_GLOBAL = re.compile(r"\b__global__\b")
_WORD = re.compile(r"[A-Za-z_]\w*")
_SUFFIXES = (".cu", ".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl", ".inc", ".cc", ".cpp", ".cxx", ".c", ".icu")
_PREFIX_CALLS = frozenset(
    ("__launch_bounds__", "__attribute__", "__block_size__", "__cluster_dims__", "__maxnreg__", "alignas")
)


@dataclass(frozen=True, slots=True)
class WrittenKernel:
    """A `__global__` definition as its text shows it."""

    path: str
    line: int
    name: str


def written_kernels(path: str, text: str) -> tuple[WrittenKernel, ...]:
    """The `__global__` definitions of a text, macros' bodies left out: a macro defines nothing by itself."""
    blank = _NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    blank = re.sub(
        r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*",
        lambda m: re.sub(r"[^\n]", " ", m.group()),
        blank,
        flags=re.MULTILINE | re.DOTALL,
    )
    found = []
    for match in _GLOBAL.finditer(blank):
        name = _defined_name(blank, match.end())
        if name is not None:
            found.append(WrittenKernel(path, blank.count("\n", 0, match.start()) + 1, name))
    return tuple(found)


def _defined_name(text: str, position: int) -> str | None:
    """The function name of the definition that follows; None for a declaration."""
    name = ""
    while position < len(text):
        word = _WORD.match(text, position)
        if word is not None:
            name, position = word.group(), word.end()
        elif text[position] == "(":
            position = _closing(text, position) + 1
            if name in _PREFIX_CALLS:
                continue
            rest = text[position : position + 200].lstrip()
            return name if rest.startswith(("{", "__launch_bounds__")) else None
        elif text[position] == "<":
            position = _closing(text, position, "<>") + 1
        elif text[position] in ";{}":
            return None
        else:
            position += 1
    return None


def _closing(text: str, opening: int, pair: str = "()") -> int:
    depth = 0
    for position in range(opening, len(text)):
        depth += {pair[0]: 1, pair[1]: -1}.get(text[position], 0)
        if depth == 0:
            return position
    return len(text)


def sources(paths: list[str]) -> list[Path]:
    """The project's files that may hold kernels."""
    found: set[Path] = set()
    for path in map(Path, paths):
        every = path.rglob("*") if path.is_dir() else [path]
        found.update(p for p in every if p.suffix in _SUFFIXES and p.is_file() and ".git" not in p.parts)
    return sorted(found)


def matched(
    written: list[WrittenKernel], results: tuple[UnitResult, ...]
) -> dict[WrittenKernel, KernelCount | None]:
    """Each written kernel with the count of the frontend's kernel at that place."""
    by_name: dict[tuple[str, str], list[KernelCount]] = {}
    for count in merged(results):
        by_name.setdefault((count.path, count.name), []).append(count)
    found: dict[WrittenKernel, KernelCount | None] = {}
    for kernel in written:
        near = by_name.get((kernel.path, kernel.name), [])
        found[kernel] = min(
            (k for k in near if 0 <= k.line - kernel.line < 12), key=lambda k: k.line, default=None
        )
    return found


def _print_counter(title: str, counted: "Counter[str]", limit: int) -> None:
    print(f"{title}:")
    for reason, number in counted.most_common(limit):
        print(f"  {number:6d}  {reason}")


def report(paths: list[str], results: tuple[UnitResult, ...], limit: int, names: bool) -> None:
    written = [
        kernel
        for source in sources(paths)
        for kernel in written_kernels(shown(str(source)), decode(source.read_bytes()))
    ]
    counts = matched(written, results)
    modelled = [k for k, count in counts.items() if count is not None and count.modelled]
    partly = [k for k in modelled if (count := counts[k]) is not None and count.unknowns]
    lost = {
        k: "not seen by the frontend" if count is None else count.failure
        for k, count in counts.items()
        if k not in set(modelled)
    }
    share = len(modelled) / len(written) if written else 1.0
    print(f"__global__ definitions in the text: {len(written)}")
    print(f"modelled: {len(modelled)} ({share:.2%}), of them with unknown parts: {len(partly)}")
    _print_counter("not modelled", Counter(lost.values()), limit)
    if names:
        for kernel, reason in sorted(lost.items(), key=lambda item: (item[1], item[0].path)):
            print(f"    {kernel.path}:{kernel.line} {kernel.name}: {reason}")
    unknowns: Counter[str] = Counter()
    for kernel in partly:
        count = counts[kernel]
        unknowns.update({reason for reason, _ in count.unknowns} if count else ())
    _print_counter("unknown parts, by kernels", unknowns, limit)
    states = Counter(result.outcome.status for result in results)
    print(f"units: {len(results)}: " + ", ".join(f"{n} {s}" for s, n in sorted(states.items())))
    problems: Counter[str] = Counter()
    for result in results:
        problems.update({problem.reason for problem in result.outcome.problems})
        problems.update(set(result.outcome.rule_errors))
    _print_counter("problems, by files", problems, limit)
    if names:
        for result in results:
            if result.outcome.status == "failed":
                print(f"    failed: {result.path}: {result.outcome.reason}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--limit", type=int, default=40, help="rows a table")
    parser.add_argument("--names", action="store_true", help="name each kernel that is not modelled")
    options = parser.parse_args()
    started = time.monotonic()
    run = engine.lint(discover(tuple(options.paths), True, {}), jobs=options.jobs)
    report(options.paths, run.results, options.limit, options.names)
    print(f"{time.monotonic() - started:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
