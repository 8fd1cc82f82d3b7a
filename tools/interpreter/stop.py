"""Why a run ended before its time."""

from typing import NoReturn


class Stop(Exception):
    """Something that the interpreter does not run, or a budget that is spent."""


def stop(reason: str) -> NoReturn:
    """End the run."""
    raise Stop(reason)


def in_row(index: int, count: int) -> int:
    """The index of an element of a row, or of its end."""
    if not 0 <= index <= count:
        stop("an access outside of its object")
    return index
