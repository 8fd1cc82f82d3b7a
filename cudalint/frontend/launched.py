"""Which kernels the text launches or hands on by name, also where no launch is lowered: in a template of host
code that nothing instantiates.
"""

import re
from collections.abc import Iterable

from cudalint.frontend.written import without_comments

_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
_MOST = 400  # characters of template arguments


def launched(texts: Iterable[str], names: Iterable[str]) -> frozenset[str]:
    """Those of the names that stand somewhere without a parameter list behind them, as `k<<<g, b>>>`,
    `k<float><<<g, b>>>` and `&k<T>` do: a definition, a declaration or an instantiation has one.
    """
    wanted = sorted(set(names))
    if not wanted:
        return frozenset()
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, wanted))})\b")
    found: set[str] = set()
    for text in texts:
        if named.search(text) is None:
            continue
        code = _STRING.sub('""', without_comments(text))
        found.update(
            match[0] for match in named.finditer(code) if not _has_parameters(code[match.end() :][:_MOST])
        )
    return frozenset(found)


def _has_parameters(rest: str) -> bool:
    """Whether a parenthesis follows, behind template arguments where there are some."""
    rest = rest.lstrip()
    if rest.startswith("<") and not rest.startswith("<<<"):
        depth, at = 1, 1
        while depth and at < len(rest) and rest[at] not in ";{}":
            depth += (rest[at] == "<") - (rest[at] == ">")
            at += 1
        rest = rest[at:].lstrip()
    return rest.startswith("(")
