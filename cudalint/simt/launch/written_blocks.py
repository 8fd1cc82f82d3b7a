"""The blocks of an instance of a kernel by launches of which only the text tells."""

import math
from collections.abc import Iterable, Iterator

from msgspec import Struct

from cudalint.cuda.warp import WARP
from cudalint.host.facts import TextLaunch
from cudalint.ir.unit import Function
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.launch.shapes import Partial, Shape, agrees
from cudalint.source.span import Span

_MOST = 1024  # threads of a block


class WrittenBlock(Struct, frozen=True):
    shape: Shape
    origin: Origin
    where: Span


def written_blocks(
    function: Function, launches: Iterable[TextLaunch], told: Partial
) -> tuple[WrittenBlock, ...]:
    """Each shape once: exact ones, else what blocks are at most. told: the extents that are known anyhow.
    Less than a warp is no usual block of a kernel that is launched with others, too.
    """
    texts = tuple(launch for launch in launches if _is_of(function, launch))
    found = list(_found(function, texts, told))
    exact = [one for one in found if one.origin is Origin.TEXT]
    if len(exact) < len(texts):
        exact = [one for one in exact if math.prod(one.shape) >= WARP]
        found = [one for one in found if math.prod(one.shape) >= WARP]
    return tuple({one.shape: one for one in reversed(exact or found)}.values())[::-1]


def _found(function: Function, launches: Iterable[TextLaunch], told: Partial) -> Iterator[WrittenBlock]:
    for launch in launches:
        x, y, z = (
            _extent(function, block, at) for block, at in zip(launch.block, launch.by_argument, strict=True)
        )
        if x is None or y is None or z is None or not 0 < math.prod((x, y, z)) <= _MOST:
            continue
        if agrees((x, y, z), told):
            origin = Origin.LIMIT if launch.most else Origin.TEXT
            yield WrittenBlock((x, y, z), origin, launch.span)


def _is_of(function: Function, launch: TextLaunch) -> bool:
    """Whether the numbers among a launch's template arguments are those of an instance."""
    own = zip(launch.template, function.template_arguments, strict=False)
    return all(number is None or number == argument for number, argument in own)


def _extent(function: Function, number: int | None, at: int | None) -> int | None:
    """The template argument that an extent is, else its number."""
    arguments = function.template_arguments
    own = arguments[at] if at is not None and at < len(arguments) else None
    return own if isinstance(own, int) and own > 0 else number
