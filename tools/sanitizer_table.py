"""cudalint beside compute-sanitizer on the fixtures: `python -m tools.sanitizer_table --write FILE`.

tests/data/sanitizer.json holds what racecheck and synccheck said of each fixture on a GPU: it is what
`cudalint validate --sanitizer --output-format json` prints there.

With --write FILE the table replaces what stands between the markers in FILE.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

import msgspec

from cudalint.validate.sanitizing import CODES, Examined, Row, lint, rows

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures" / "sync"
DATA = ROOT / "tests" / "data" / "sanitizer.json"
ALONE = {"cudalint": "cudalint", "sanitizer": "the tool"}
BEGIN, END = "<!-- table -->", "<!-- end of table -->"


def read() -> dict[str, Examined]:
    """What the tools said, by fixture."""
    return msgspec.convert(json.loads(DATA.read_text())["fixtures"], dict[str, Examined])


def page(data: dict[str, Examined], found: list[Row]) -> str:
    """The tables: counts, and where the two differ."""
    built = [file for file, examined in data.items() if examined.built]
    count = Counter((row.tool, row.who) for row in found if row.file in built)
    quiet = [file for file in built if not any(row.file == file for row in found)]
    text = [
        f"{len(built)} of {len(data)} fixtures were built and run; {len(quiet)} draw nothing from either.",
        "",
        "| tool | both | cudalint alone | the tool alone |",
        "|---|---|---|---|",
    ]
    for tool in CODES:
        numbers = (count[tool, who] for who in ("both", "cudalint", "sanitizer"))
        text.append(f"| {tool} | {' | '.join(map(str, numbers))} |")
    text += ["", "Where they differ:", "", "| fixture | tool | what | who |", "|---|---|---|---|"]
    text += [
        f"| {row.file} | {row.tool} | {row.what} | {ALONE[row.who]} alone |"
        for row in found
        if row.file in built and row.who != "both"
    ]
    return "\n".join(text)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", type=Path, metavar="FILE")
    options = parser.parse_args()
    data = read()
    table = page(data, list(rows(data, lint([FIXTURES / file for file in data]))))
    print(table)
    if options.write:
        before, rest = options.write.read_text().split(BEGIN)
        after = rest.split(END)[1]
        options.write.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}")


if __name__ == "__main__":
    main()
