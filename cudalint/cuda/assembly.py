"""What inline assembly does to memory and to the order of threads, told from its text."""

import re
from typing import Literal

from cudalint.cuda.spaces import Space

Ordering = Literal["block", "warp", "nothing", "unknown"]

COMMENT = re.compile(r"//[^\n\"]*|/\*.*?\*/", re.DOTALL)
_WHOLE_BLOCK = re.compile(r"\b(?:bar|barrier)(?:\.cta)?\.sync(?:\.aligned)?\s+[^\s,;]+\s*;")
_WARP = re.compile(r"\bbar\.warp\.sync\b")
_MAY_WAIT = re.compile(r"\b(?:bar|barrier|mbarrier|call|bra|brx|exit|ret)\b")
_UPDATE = re.compile(r"\batom\.")
_POLL = re.compile(
    r"\b(?:ld(?:\.\w+)*\.(?:volatile|acquire|relaxed|cv|cg)|atom|mbarrier\.(?:try|test)_wait)\b"
)
_MEMORY = re.compile(
    r"\b(ldu?|st|ldmatrix|stmatrix|atom|red|cp|tex|tld4|suld|sust|sured|wgmma|tcgen05|multimem|call)"
    r"((?:(?:\.|::)\w+)+)"
)
_SHARED_ONLY = ("ldmatrix", "stmatrix", "wgmma")
_SPACES: tuple[Space, ...] = ("global", "shared", "constant", "local")


def ordering(text: str) -> Ordering:
    """Whom a piece of inline assembly makes wait for each other; `unknown` where it may be anyone.

    A barrier with a count of threads is one of some warps, whose partners nobody knows.
    """
    code = COMMENT.sub(" ", text)
    if "asm" not in code:
        return "unknown"
    if _WHOLE_BLOCK.search(code):
        return "block"
    if _WARP.search(code):
        return "warp"
    return "unknown" if _MAY_WAIT.search(code) else "nothing"


def polls(text: str) -> bool:
    """Whether it reads a word that other threads may be changing."""
    return _POLL.search(text) is not None


def updates(text: str) -> bool:
    """Whether it is an atomic that tells what it found."""
    return _UPDATE.search(text) is not None


def may_access(text: str, space: Space) -> bool:
    """Whether it may load from memory of that space, or store to it; '' is text that nobody knows."""
    code = COMMENT.sub(" ", text)
    return "asm" not in code or any(space in _spaces(*match) for match in _MEMORY.findall(code))


def _spaces(operation: str, suffixes: str) -> tuple[Space, ...]:
    if operation in _SHARED_ONLY:
        return ("shared",)
    named = [space for space in _SPACES if re.search(rf"[.:]{space}\b", suffixes)]
    return tuple(named) or (() if ".param" in suffixes else _SPACES)
