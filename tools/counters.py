"""What an H200 counted of the fixtures, and the models beside it.

tests/data/counters.json holds, by fixture, the digest of the code that was counted (its comments may change)
and rows of [kernel, line, space, operation, [[fewest requests, most requests, transactions], ...]], the last
by instruction, those of several launches together. `uncounted` has the others that were there, by the reason.
It is made of what `cudalint validate --counters --output-format json` prints on a machine with a GPU:

    python -m tools.counters counted.json 'NVIDIA H200'

With `--keep` the fixtures that were counted now replace what was told of them, and all others stay.
"""

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from cudalint.source.comments import code
from cudalint.validate import counting
from cudalint.validate.counting import Line, Subject
from cudalint.validate.profiling import Counted, Executed

_FAILED = "that fail or take too long"
DATA = Path(__file__).parents[1] / "tests" / "data" / "counters.json"


def digest(subject: Subject) -> str:
    return digest_of(subject.path.read_text())


def digest_of(text: str) -> str:
    """Of a source without its comments; lines stay where they are."""
    lines = (line.rstrip() for line in code(text).splitlines())
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def unchanged() -> dict[str, dict]:
    """The fixtures that are as they were when they were counted."""
    told = json.loads(DATA.read_text())["fixtures"]
    return {file: told[file] for file in told if _source(file) == told[file]["source"]}


def _source(file: str) -> str:
    subject = Subject("", file)
    return digest(subject) if subject.path.is_file() else ""


def lines(group: str = "") -> Iterator[Line]:
    """The lines of a group's unchanged fixtures."""
    arch = json.loads(DATA.read_text())["arch"]
    for file, told in unchanged().items():
        if not file.startswith(group):
            continue
        every = [
            Counted(file, kernel, line, space, operation, tuple(_executed(*row) for row in rows))
            for kernel, line, space, operation, rows in told["lines"]
        ]
        yield from counting.compared(Subject("", file), every, arch)


def _executed(least: float, most: float, transactions: float) -> Executed:
    return Executed((least, most), transactions)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("counted", type=Path, help="what `cudalint validate --counters` printed as JSON")
    parser.add_argument("device", help="the name of the device that counted")
    parser.add_argument("--keep", action="store_true", help="keep what is told of other fixtures")
    options = parser.parse_args()
    told = json.loads(options.counted.read_text())
    fixtures = _counted(told)
    uncounted = {_FAILED: {row["file"] for row in told["failures"]}}
    if options.keep:
        before = json.loads(DATA.read_text())
        if (before["arch"], before["device"]) != (told["arch"], options.device):
            parser.error(f"what is kept was counted by {before['device']} for {before['arch']}")
        fixtures = before["fixtures"] | fixtures
        for why, files in before["uncounted"].items():
            uncounted.setdefault(why, set()).update(files)
    others = {why: sorted(files - fixtures.keys()) for why, files in uncounted.items()}
    write(fixtures, others, told["arch"], options.device)


def _counted(told: dict) -> dict[str, dict]:
    """By fixture, the digest of its code and the rows of what was counted."""
    fixtures: dict[str, dict] = {}
    for line in told["lines"]:
        file = line["file"]
        entry = fixtures.setdefault(file, {"source": digest(Subject("", file)), "lines": []})
        place = [line["kernel"], line["line"], line["space"], line["operation"]]
        entry["lines"].append([*place, line["instructions"]])
    return fixtures


def write(fixtures: dict[str, dict], uncounted: dict[str, list[str]], arch: str, device: str) -> None:
    rows = (f'  "{file}": {json.dumps(fixtures[file])}' for file in sorted(fixtures))
    others = (f'  "{why}": {json.dumps(files)}' for why, files in uncounted.items())
    head = f'{{"device": "{device}", "arch": "{arch}", "fixtures": {{\n'
    DATA.write_text(head + ",\n".join(rows) + '\n}, "uncounted": {\n' + ",\n".join(others) + "\n}}\n")


if __name__ == "__main__":
    main()
