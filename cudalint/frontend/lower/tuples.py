"""The elements of a std::tuple. The bundled header makes each a member of a base of its own, of which clang
tells nothing for an instance of the template.
"""

from __future__ import annotations

from cudalint.frontend.lower import clang

_TUPLE = "std::tuple<"


def elements(canonical: clang.ClangType) -> list[tuple[int, clang.ClangType]]:
    """(byte offset, type) of each element in order; none of any other type.

    The last element lies first (shim/tuple); the Itanium ABI puts each into the room behind its base.
    """
    spelled = clang.type_spelling(canonical).removeprefix("const ").removeprefix("volatile ")
    if not spelled.startswith(_TUPLE):
        return []
    count = clang.type_argument_count(canonical)
    types = [clang.canonical_type(clang.type_argument(canonical, at)) for at in range(max(count, 0))]
    found: list[tuple[int, clang.ClangType]] = []
    end = 0
    for kind in reversed(types):
        size, align = int(clang.type_size(kind)), int(clang.type_align(kind))
        if size <= 0 or align <= 0:
            return []
        found.append((-(-end // align) * align, kind))
        end = found[-1][0] + size
    return found[::-1]
