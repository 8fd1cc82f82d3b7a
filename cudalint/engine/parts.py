"""One run on several machines: which files are whose, and what their parts say together.

A part holds the plan and the results of its own files, from before anything is concluded of all of them, so
that the parts together say what one run would have said.
"""

from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cudalint import __version__
from cudalint.engine.discovery import Plan
from cudalint.errors import UsageError
from cudalint.rule.outcome import UnitResult
from cudalint.source.state import state


class Part(Struct, frozen=True):
    """What one machine found: part `number` (from 1) of `of`. plan: of its own files."""

    version: str
    number: int
    of: int
    plan: Plan
    results: tuple[UnitResult, ...]


def numbers(words: str) -> tuple[int, int]:
    """(3, 8) of '3/8'."""
    number, _, of = words.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise UsageError(f"--shard: '{words}' is not a part of a whole; expected one like 3/8")
    return int(number), int(of)


def share(plan: Plan, number: int, of: int) -> Plan:
    """The plan with the files of one part: all are dealt out in order of their size."""
    sized = sorted(plan.candidates, key=lambda one: (-sum(state(one.path)[1:2]), one.path))
    return replace(plan, candidates=tuple(sized[number - 1 :: of]))


def encoded(part: Part) -> str:
    return msgspec.json.encode(part, enc_hook=_plain).decode() + "\n"


def _plain(value: object) -> object:
    """numpy's numbers as plain ones, anything else as the reports have it."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def read(path: str) -> Part:
    """A part from its file."""
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=Part)
    except OSError as error:
        raise UsageError(f"merge {path}: cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise UsageError(f"merge {path}: is not what `cudalint check --shard` writes: {error}") from error


def joined(parts: list[Part]) -> tuple[Plan, list[UnitResult]]:
    """The plan and the results of all parts. A header that a file of another part includes is not judged by
    itself.
    """
    first = min(parts, key=lambda part: part.number)
    if any(part.version != __version__ for part in parts):
        raise UsageError(f"merge: a part is of another version than {__version__}; use one for all")
    if any(part.of != first.of for part in parts):
        raise UsageError(
            "merge: the parts are of several runs: their --shard have different numbers of parts"
        )
    given = [part.number for part in parts]
    missing = [f"{number}/{first.of}" for number in range(1, first.of + 1) if given.count(number) != 1]
    if missing:
        raise UsageError(f"merge: pass each part once; wrong for {', '.join(missing)}")
    candidates = tuple(
        sorted((one for part in parts for one in part.plan.candidates), key=lambda one: one.path)
    )
    return replace(first.plan, candidates=candidates), [one for part in parts for one in part.results]
