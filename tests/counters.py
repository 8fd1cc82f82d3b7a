"""What an H200 counted of the fixtures, and the models beside it.

tests/data/counters.json holds, by fixture, the digest of the source that was counted and rows of [kernel,
line, space, operation, [[fewest requests, most requests, transactions], ...]], the last by instruction, those
of several launches together. It is made of what `cudalint validate --counters --output-format json` prints on
a machine with a GPU:

    python -m tests.counters counted.json 'NVIDIA H200'
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from cudalint.validate import counting
from cudalint.validate.counting import Line, Subject
from cudalint.validate.profiling import Counted, Executed

DATA = Path(__file__).parent / "data" / "counters.json"


def digest(subject: Subject) -> str:
    return hashlib.sha256(subject.path.read_bytes()).hexdigest()[:16]


def lines(group: str = "") -> Iterator[Line]:
    """The lines of a group's fixtures that are as they were when they were counted."""
    data = json.loads(DATA.read_text())
    for file, told in data["fixtures"].items():
        subject = Subject("", file)
        if not file.startswith(group) or not subject.path.is_file() or digest(subject) != told["source"]:
            continue
        every = [
            Counted(file, kernel, line, space, operation, tuple(_executed(*row) for row in rows))
            for kernel, line, space, operation, rows in told["lines"]
        ]
        yield from counting.compared(subject, every, data["arch"])


def _executed(least: float, most: float, transactions: float) -> Executed:
    return Executed((least, most), transactions)


def main() -> None:
    told = json.loads(Path(sys.argv[1]).read_text())
    fixtures: dict[str, dict] = {}
    for line in told["lines"]:
        file = line["file"]
        entry = fixtures.setdefault(file, {"source": digest(Subject("", file)), "lines": []})
        place = [line["kernel"], line["line"], line["space"], line["operation"]]
        entry["lines"].append([*place, line["instructions"]])
    write(fixtures, told["arch"], sys.argv[2])


def write(fixtures: dict[str, dict], arch: str, device: str) -> None:
    rows = (f'  "{file}": {json.dumps(fixtures[file])}' for file in sorted(fixtures))
    head = f'{{"device": "{device}", "arch": "{arch}", "fixtures": {{\n'
    DATA.write_text(head + ",\n".join(rows) + "\n}}\n")


if __name__ == "__main__":
    main()
