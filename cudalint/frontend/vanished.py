"""Kernels that clang left out of the tree, because it could not make sense of what stands before their
bodies: told by the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from cudalint.source.comments import code

_KERNEL = re.compile(r"^(?![ \t]*#)[^\n]*\b__global__\b[^;{}]*\{", re.MULTILINE)
_NAME = re.compile(r"(\w+)\s*\(")
_ATTRIBUTES = frozenset(("__launch_bounds__", "__attribute__", "__cluster_dims__", "__maxnreg__", "alignas"))


def vanished(text: str, wrong: Collection[int], seen: Collection[str]) -> Iterator[tuple[int, str]]:
    """(line, name) of each kernel that a text defines with an error before its body, and that is not among
    those that were seen. wrong: the lines of errors.
    """
    plain = code(text)
    for match in _KERNEL.finditer(plain):
        begin = plain.count("\n", 0, match.start()) + 1
        end = begin + match[0].count("\n")
        names = _NAME.findall(match[0].partition("__global__")[2])
        name = next((one for one in names if one not in _ATTRIBUTES), "")
        if name and name not in seen and any(begin <= line <= end for line in wrong):
            yield begin, name
