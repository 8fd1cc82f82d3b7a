"""The arguments of a call of CUDA's as numbers: known ones, samples, and what they are made of."""

import math

from cudalint.host.facts import Rows
from cudalint.host.forms import Form, combined, constant
from cudalint.host.values import UNKNOWN, Value, form_of, guess, sample_of

Pair = tuple[Value, Value]  # an argument's value and its place
Arguments = tuple[Pair, ...]


def value(arguments: Arguments, index: int | None) -> Value:
    return arguments[index][0] if index is not None and index < len(arguments) else UNKNOWN


def integer(arguments: Arguments, index: int | None) -> int | None:
    found = value(arguments, index)
    return int(found) if isinstance(found, (bool, int)) else None


def product(arguments: Arguments, indices: tuple[int, ...]) -> int | None:
    total = 1
    for index in indices:
        factor = integer(arguments, index)
        if factor is None:
            return None
        total *= factor
    return total


def sample(arguments: Arguments, indices: tuple[int, ...]) -> int | None:
    """The product of arguments by their samples; None where none of them has one."""
    given = [value(arguments, index) for index in indices]
    return math.prod(map(guess, given)) if any(sample_of(v) is not None for v in given) else None


def form(arguments: Arguments, indices: tuple[int, ...]) -> Form | None:
    """What the product of arguments is made of."""
    total: Form | None = constant(1)
    for index in indices:
        factor = form_of(value(arguments, index))
        total = combined("*", total, factor) if total is not None and factor is not None else None
    return total


def rows(arguments: Arguments, width: tuple[int, ...], pitches: tuple[int, ...]) -> Rows:
    """The bytes of a row and those between rows, by their positions."""
    return Rows(form(arguments, width), tuple(form(arguments, (pitch,)) for pitch in pitches))
