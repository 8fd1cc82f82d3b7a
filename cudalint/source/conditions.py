"""The preprocessor's conditions round a line of source: code for old releases often stands in one."""

import re

_DIRECTIVE = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)")
_RELEASE = re.compile(r"\w*(CUDA\w*VER|CUDACC\w*VER|CUDART_VERSION)\w*")


def around(lines: tuple[str, ...], line: int) -> tuple[str, ...]:
    """The conditions of the groups that a line stands in, outermost first; of an `#else` those before it."""
    open_: list[str] = []
    for row in lines[: line - 1]:
        match = _DIRECTIVE.match(row)
        if match is None:
            continue
        word, condition = match.groups()
        if word in ("if", "ifdef", "ifndef"):
            open_.append(condition.strip())
        elif word == "elif" and open_:
            open_[-1] += f" {condition.strip()}"
        elif word == "endif" and open_:
            open_.pop()
    return tuple(open_)


def for_a_release(lines: tuple[str, ...], line: int) -> bool:
    """Whether a line is chosen by the release of CUDA, which is not known here."""
    return any(_RELEASE.search(condition) for condition in around(lines, line))
