"""Why a run ended before its time."""

from typing import NoReturn


class Stop(Exception):
    """Something that the interpreter does not run, or a budget that is spent."""


def stop(reason: str) -> NoReturn:
    """End the run."""
    raise Stop(reason)
