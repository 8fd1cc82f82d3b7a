"""A class for template parameters that no usual type fits: it gets the members that a kernel template turns
out to use, by what clang misses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cudalint.cuda.effects import CHOSEN_CLASS

_MISSING = re.compile(rf"no (member|type|template|member template) named '(\w+)' in '(?:::)?{CHOSEN_CLASS}'")
_CALLED = re.compile(rb"\w+\s*(?:<[^;{}()]*>)?\s*\(")
_RESULT = (
    "__remove_cv(__remove_pointer(A))"  # what a function returns: what its first argument is or points to
)
_OPERATOR = f"template <class A, class... B> __host__ __device__ {_RESULT} operator()(A, B...) const;"
_FUNCTION = (
    "static __host__ __device__ int {0}(); "
    f"template <class A, class... B> static __host__ __device__ {_RESULT} {{0}}(A, B...); "
    "template <int N, class... A> static __host__ __device__ int {0}(A&&...);"
)


def definition(members: Mapping[str, str]) -> str:
    """The class with these members, on one line."""
    return f"struct {CHOSEN_CLASS} {{ {_OPERATOR} {' '.join(members.values())} }};"


def name_of(diagnostic: Any) -> str:
    """The name of the member that an error asks for, or ''."""
    match = _MISSING.search(diagnostic.spelling)
    return match[2] if match else ""


def member(diagnostic: Any, type_name: str, value: int) -> str:
    """The declaration of the member that an error asks for; type_name, value: for one that is a type or a
    number.
    """
    match = _MISSING.search(diagnostic.spelling)
    kind, name = match.groups() if match else ("", "")
    if kind == "type":
        return f"typedef {type_name} {name};"
    if kind.endswith("template") or _is_called(diagnostic.location):
        return _FUNCTION.format(name)
    return f"static constexpr int {name} = {value};"


def _is_called(location: Any) -> bool:
    try:
        data = Path(str(location.file)).read_bytes()
    except OSError:
        return False
    return _CALLED.match(data, location.offset) is not None
