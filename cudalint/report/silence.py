"""Why a line draws nothing, as text: `cudalint check --explain-silence FILE:LINE`."""

import textwrap
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from cudalint.report import explain
from cudalint.source.text import as_lines

Table = dict[str, Any]

_WIDTH = 100
_TITLES = {
    "reported": "reported:",
    "not reported": "found, but not reported:",
    "unknown": "cannot tell:",
    "nothing found": "looked, and found nothing:",
    "no fact": "nothing of the kind on this line:",
}


def render(told: Table) -> str:
    """The line, what became of each rule, and the facts behind it."""
    rows = [f"{told['path']}:{told['line']}: {told['text']}"]
    rows += [f"  kernel {lost['kernel']} was not modelled: {lost['reason']}" for lost in told["not_modelled"]]
    rows += [row for fact in told["facts"] if fact["about"] for row in _fact(fact)]
    for verdict, title in _TITLES.items():
        mine = [rule for rule in told["rules"] if rule["verdict"] == verdict]
        rows += [f"  {title}"] * bool(mine)
        rows += _found(mine) if mine and mine[0]["message"] is not None else _grouped(mine)
    text = as_lines(rows)
    return text + ("\n" + explain.render(told) if told["kernels"] else "")


def _fact(fact: Table) -> Iterator[str]:
    yield from _wrapped(f"{fact['kind']}: {', '.join(fact['about'])}", 2)


def _found(rules: list[Table]) -> Iterator[str]:
    """Each finding by itself."""
    for rule in rules:
        why = f": {rule['why']}" if rule["why"] else ""
        yield from _wrapped(f"{rule['code']} {rule['name']}{why}", 4)
        yield from _wrapped(f"line {rule['line']}: {rule['message']}", 6)


def _grouped(rules: list[Table]) -> Iterator[str]:
    """The rules with one reason in one row."""
    why = itemgetter("why")
    for reason, group in groupby(sorted(rules, key=why), key=why):
        yield from _wrapped(f"{reason}: {', '.join(rule['code'] for rule in group)}", 4)


def _wrapped(text: str, indent: int) -> list[str]:
    pad = " " * indent
    return textwrap.wrap(text, _WIDTH, initial_indent=pad, subsequent_indent=pad + "  ")
