"""Whether rules report mistakes that are planted into real code, one at a time.

`run --root DIR ... --out FILE` draws up to 20 places of every kind of mistake (tools/planting) by a seed,
changes the text of one, asks a judge whether it is a mistake, and lints the file before and after with the
rules of the kind: found is a mistake where one of them reports something near it that it did not report
before. FILE keeps what was done, and a second run goes on from there. `table FILE ... --write
docs/sensitivity.md` counts it. `retry --page docs/sensitivity.md --kind PATTERN --out FILE` plants again
what the page says was missed of some kinds; FILE then holds all that the page counts, for `table`.
"""

import argparse
import glob
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from cudalint.frontend import UnitFailed, load
from cudalint.frontend.options import LoadOptions
from cudalint.source.text import decode, read_bytes
from tools.planting import page
from tools.planting.kind import Kind
from tools.planting.kinds import KINDS
from tools.planting.source import Mistake, Source
from tools.planting.trial import LIMIT, Linter, Planted, TooLong, limited, tried

EACH = 20
_A_FILE = 2  # places of a kind in one file
_ATTEMPTS = 4  # of a kind in one file, for those that the judge calls no mistakes
_LARGEST = 24_000  # characters of a file
END = "<!-- end of sensitivity -->"


def lot(seed: int, *parts: object) -> str:
    """Decides the order of draws, whatever else there is to draw from."""
    return sha256(" ".join(map(str, (seed, *parts))).encode()).hexdigest()


def files(roots: Iterable[str], seed: int) -> list[tuple[str, str]]:
    """(name within its root, path) of every small `.cu` file, in an order that the seed decides."""
    found = []
    for root in (Path(folder) for pattern in roots for folder in glob.glob(pattern)):
        for path in root.rglob("*.cu"):
            if path.stat().st_size <= _LARGEST:
                found.append((f"{root.name}/{path.relative_to(root)}", str(path)))
    return sorted(found, key=lambda file: lot(seed, file[0]))


def wanting(kinds: Sequence[Kind], done: Iterable[Planted], each: int) -> list[Kind]:
    """Kinds that have fewer mistakes than wanted."""
    counted = Counter(planted.kind for planted in done if planted.state == "mistake")
    return [kind for kind in kinds if counted[kind.name] < each]


def parsed(path: str, text: str) -> Source | None:
    """None for what is not a program by itself, or takes too long."""
    if not text.isascii() and "\udc80" <= max(text) <= "\udcff":  # its bytes are no text
        return None
    try:
        with limited(LIMIT):
            source = Source(text, load(path, LoadOptions(text=text)))
    except (UnitFailed, TooLong):
        return None
    return None if source.unit.problems else source  # a header may be missing


def examine(name: str, path: str, kinds: Sequence[Kind], seed: int) -> list[Planted]:
    """Up to two mistakes of every kind in one file."""
    text = decode(read_bytes(path))
    kinds = [kind for kind in kinds if re.search(kind.needle, text)]
    source = parsed(path, text) if kinds else None
    if source is None:
        return []
    linter, done = Linter(source), list[Planted]()
    for kind in kinds:
        places = sorted(kind.places(source), key=lambda m: lot(seed, name, kind.name, m.edits))
        done += of_kind(kind, source, linter, _distinct(places))
    return [msgspec.structs.replace(planted, path=name) for planted in done]


def _distinct(places: Iterable[Mistake], most: int = _ATTEMPTS) -> list[Mistake]:
    return list({mistake.edits: mistake for mistake in places}.values())[:most]


def of_kind(kind: Kind, source: Source, linter: Linter, places: Sequence[Mistake]) -> list[Planted]:
    """The first places that are mistakes, and those before them that are none."""
    done: list[Planted] = []
    for mistake in places:
        if sum(planted.state == "mistake" for planted in done) >= _A_FILE:
            break
        if sum(planted.state in ("undecided", "too long") for planted in done) >= _A_FILE:
            break
        try:
            if any((code, mistake.line) in linter.before(kind) for code in kind.codes):
                continue
        except TooLong:
            break
        done.append(tried(kind, source, linter, mistake))
    return done


def run(options: argparse.Namespace) -> None:
    """Goes through the files until every kind has its mistakes."""
    kept = Path(options.out)
    record = msgspec.json.decode(kept.read_bytes(), type=dict[str, list[Planted]]) if kept.exists() else {}
    kinds = [kind for kind in KINDS if re.search(options.kind, kind.name)]
    for name, path in files(options.root, options.seed):
        done = [planted for found in record.values() for planted in found]
        left = wanting(kinds, done, options.each)
        if not left:
            break
        if name not in record:
            record[name] = examine(name, path, left, options.seed)
            kept.write_bytes(msgspec.json.encode(record))


def retry(options: argparse.Namespace) -> None:
    """Plants again what a page says was missed, at the same lines."""
    kinds = [kind for kind in KINDS if re.search(options.kind, kind.name)]
    paths = dict(files(options.root, options.seed))
    record: dict[str, list[Planted]] = {}
    for planted in page.planted(options.page, KINDS):
        record.setdefault(planted.path, []).append(planted)
    for name, done in record.items():
        again = [kind for kind in kinds if any(p.kind == kind.name and not p.found for p in done)]
        if again and name in paths:
            record[name] = _retried(name, paths[name], again, done, options.seed)
            Path(options.out).write_bytes(msgspec.json.encode(record))


def _retried(name: str, path: str, kinds: Sequence[Kind], done: list[Planted], seed: int) -> list[Planted]:
    """The entries of a file, some kinds tried anew. A place that the kind has no more is no mistake."""
    source = parsed(path, decode(read_bytes(path)))
    if source is None:
        return done
    linter, new = Linter(source), [one for one in done if one.kind not in {kind.name for kind in kinds}]
    for kind in kinds:
        missed = Counter(one.line for one in done if one.kind == kind.name)
        places = sorted(kind.places(source), key=lambda m: lot(seed, name, kind.name, m.edits))
        for line, times in missed.items():
            there = [mistake for mistake in _distinct(places, len(places)) if mistake.line == line][:times]
            tries = [tried(kind, source, linter, mistake) for mistake in there]
            tries += [Planted(kind.name, name, line, "none")] * (times - len(there))
            new += [msgspec.structs.replace(planted, path=name) for planted in tries]
            for planted in tries:
                print(planted.kind, f"{name}:{line}", planted.state, *planted.found, flush=True)
    return new


def table(planted: Sequence[Planted]) -> str:
    """The tables, in Markdown."""
    parts = [
        _rows("Judged", [kind for kind in KINDS if kind.judge], planted),
        _rows("Without a judge", [kind for kind in KINDS if not kind.judge], planted),
        _missed(planted),
    ]
    return "\n\n".join("\n".join(part) for part in [_summary(planted), *parts])


def _mistakes(planted: Iterable[Planted], kind: Kind) -> list[Planted]:
    return [one for one in planted if one.kind == kind.name and one.state == "mistake"][:EACH]


def _summary(planted: Sequence[Planted]) -> list[str]:
    each = [_mistakes(planted, kind) for kind in KINDS]
    several = [mine for mine in each if mine]
    good = sum(sum(bool(one.found) for one in mine) >= 0.9 * len(mine) for mine in several)
    found, all_ = sum(bool(one.found) for mine in each for one in mine), sum(map(len, each))
    share = f"{found / all_:.2f}" if all_ else "-"
    return [
        f"{found} of {all_} mistakes are found ({share}). "
        f"Of {len(several)} kinds {good} have a share of at least .90."
    ]


def _rows(title: str, kinds: Sequence[Kind], planted: Sequence[Planted]) -> list[str]:
    lines = [
        f"### {title}",
        "",
        "| mistake | rules | mistakes | found | share | reported by default | no mistake | undecided |",
    ]
    lines.append("|---|---|---:|---:|---:|---:|---:|---:|")
    for kind in kinds:
        mine = _mistakes(planted, kind)
        found, shown = sum(bool(one.found) for one in mine), sum(bool(one.shown) for one in mine)
        share = f"{found / len(mine):.2f}" if mine else "-"
        other = Counter(one.state for one in planted if one.kind == kind.name)
        numbers = (len(mine), found, share, shown, other["none"], other["undecided"])
        lines.append(f"| {kind.name} | {', '.join(kind.codes)} | {' | '.join(map(str, numbers))} |")
    return lines


def _missed(planted: Sequence[Planted]) -> list[str]:
    missed = [one for kind in KINDS for one in _mistakes(planted, kind) if not one.found]
    lines = [f"### Missed: {len(missed)}", ""]
    return lines + [f"- {one.kind}: {one.path}:{one.line}" for one in missed]


def write(path: Path, tables: str) -> None:
    """Put the tables between the marks of a page."""
    before, _, rest = path.read_text(encoding="utf-8").partition(page.BEGIN)
    path.write_text(f"{before}{page.BEGIN}\n\n{tables}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    running, retrying = commands.add_parser("run"), commands.add_parser("retry")
    for parts in (running, retrying):
        parts.add_argument("--root", action="append", required=True, help="folders, as a pattern")
        parts.add_argument("--out", required=True, help="what was done, as JSON")
        parts.add_argument("--kind", default="", help="a pattern that the names of kinds match")
        parts.add_argument("--seed", type=int, default=1)
    running.add_argument("--each", type=int, default=EACH)
    retrying.add_argument("--page", type=Path, required=True, help="the page that lists what was missed")
    counting = commands.add_parser("table")
    counting.add_argument("files", nargs="+", help="what runs wrote")
    counting.add_argument("--write", type=Path, help="the page that the tables are put into")
    options = parser.parse_args()
    if options.command in ("run", "retry"):
        run(options) if options.command == "run" else retry(options)
        return 0
    planted: list[Planted] = []
    for name in options.files:
        record = msgspec.json.decode(Path(name).read_bytes(), type=dict[str, list[Planted]])
        planted += [one for found in record.values() for one in found]
    tables = table(planted)
    if options.write:
        write(options.write, tables)
    print(tables)
    return 0


if __name__ == "__main__":
    sys.exit(main())
