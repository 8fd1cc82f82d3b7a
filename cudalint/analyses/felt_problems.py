"""Which problems of reading a file may cost a finding: not a header that no kernel and no CUDA call needs."""

import re
from collections.abc import Mapping
from enum import Enum, auto

from cudalint.analyses.cuda_reach import survey
from cudalint.analyses.kernel_queries import reachable
from cudalint.ir.unit import Problem, Unit
from cudalint.source.span import Span

_MOST_LINES = 8  # of a statement, to either side of an error
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|//.*")
_CUDA = re.compile(r"<<<|\bcu(?:da)?[A-Z]\w*")
_VALUE = re.compile(r"(?<![=!<>+*/|&^%-])=(?!=)|\b(?:new|malloc|calloc|free|delete)\b")


class _Use(Enum):
    """What the models make of a function."""

    KERNEL = auto()  # run for every thread, or called by what is, or not known
    HOST = auto()  # reaches CUDA: its calls and the values that they take count
    NONE = auto()  # only what looks like a call of CUDA counts


def felt(unit: Unit, lines: Mapping[str, tuple[str, ...]]) -> tuple[Problem, ...]:
    """The problems of the unit that the models may feel. lines: the source, by path.

    A problem counts in a kernel and what it calls, and outside of all functions in a file that holds
    kernels; in a function of the host, where its statement launches or calls CUDA, or allocates or assigns
    on the way to it. A header that is missing counts if an error that follows from it does, or lines of the
    file hang on its macros.
    """
    if not unit.problems:
        return ()
    functions = _functions(unit, lines)
    own = {unit.path, *(path for path, _, _ in unit.kernels_in_source)}

    def counts(place: Span) -> bool:
        uses = [use for first, last, use in functions.get(place.path, ()) if first <= place.line <= last]
        if not uses:
            return place.path in own
        if _Use.KERNEL in uses:
            return True
        text = _statement(lines.get(place.path, ()), place.line)
        return bool(_CUDA.search(text) or (_Use.HOST in uses and _VALUE.search(text)))

    headers = any(counts(place) for place in unit.errors) or any(
        counts(Span(region.path, region.line, 1, region.line, 1)) for region in unit.undecided
    )
    return tuple(
        problem
        for problem in unit.problems
        if problem.fatal
        or problem.template
        or (headers if problem.header else not problem.span.line or counts(problem.span))
    )


def _functions(unit: Unit, lines: Mapping[str, tuple[str, ...]]) -> dict[str, list[tuple[int, int, _Use]]]:
    """The first and last lines of all functions that are known, with their use, by file. What a template that
    nothing instantiates reaches is not known: in a file without CUDA it is nothing.
    """
    cuda = survey(unit).cuda
    run = {f.key for key in unit.kernels for f in reachable(unit, unit.functions[key])}
    found: dict[str, list[tuple[int, int, _Use]]] = {}
    reaching = {path for path, text in lines.items() if any(map(_CUDA.search, text))}
    for key, function in unit.functions.items():
        host = key in cuda or (function.dependent and function.extent.path in reaching)
        use = _Use.KERNEL if function.kernel or key in run else _Use.HOST if host else _Use.NONE
        extent = function.extent
        found.setdefault(extent.path, []).append((extent.line, extent.end_line, use))
    return found


def _statement(lines: tuple[str, ...], line: int) -> str:
    """The text of the statement on a line, without strings and comments."""
    if not 0 < line <= len(lines):
        return ""
    code = [_STRING.sub("", text) for text in lines[max(0, line - _MOST_LINES) : line + _MOST_LINES]]
    at = min(line, _MOST_LINES) - 1
    first = next((i + 1 for i in range(at - 1, -1, -1) if code[i].rstrip().endswith((";", "{", "}"))), 0)
    last = next((i for i in range(at, len(code)) if ";" in code[i]), len(code) - 1)
    return "\n".join(code[first : last + 1])
