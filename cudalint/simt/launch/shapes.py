"""Block shapes where no launch tells the whole shape: usual ones, with the extents that are told."""

import math

Shape = tuple[int, int, int]
Partial = tuple[int | None, int | None, int | None]

NOTHING: Partial = (None, None, None)
USUAL: dict[int, tuple[Shape, ...]] = {
    1: ((256, 1, 1), (128, 1, 1)),
    2: ((16, 16, 1), (32, 8, 1)),
    3: ((8, 8, 8), (32, 4, 2)),
}
ALONE: dict[int, tuple[Shape, ...]] = {1: ((1, 1, 1),)}  # of a kernel that never asks for its thread
# Shapes unlike the usual ones, to see whether what was found stands on those.
OTHERS: dict[int, tuple[Shape, ...]] = {
    1: ((64, 1, 1), (160, 1, 1), (512, 1, 1)),
    2: ((8, 8, 1), (64, 4, 1), (32, 32, 1)),
    3: ((4, 4, 4), (16, 4, 4), (32, 2, 2)),
}
_MOST = 1024  # threads of a block


def shapes(
    table: dict[int, tuple[Shape, ...]], axes: int, told: Partial, most: int = _MOST
) -> tuple[Shape, ...]:
    """The table's shapes for so many axes, or, where a launch tells some extents, shapes that have those.

    axes: how many the kernel reads, which decides where nothing is told. most: threads of a block.
    """
    free = [axis for axis in range(3) if told[axis] is None]
    volume = math.prod(extent for extent in told if extent is not None)
    if not free or len(free) == 3 or not 0 < volume <= _MOST:
        return table[axes]
    return tuple(
        dict.fromkeys(_fitted(base, told, free, max(1, most // volume)) for base in table[len(free)])
    )


def _fitted(base: Shape, told: Partial, free: list[int], room: int) -> Shape:
    """The first extents of the base on the free axes, the largest halved until they fit."""
    chosen = list(base[: len(free)])
    while math.prod(chosen) > room:
        at = chosen.index(max(chosen))
        chosen[at] = max(1, chosen[at] // 2)
    found = [extent if extent is not None else 1 for extent in told]
    for axis, extent in zip(free, chosen, strict=True):
        found[axis] = extent
    return found[0], found[1], found[2]


def agreed(extents: list[Partial]) -> Partial:
    """The extents that all launches tell alike; none without a launch."""
    if not extents:
        return NOTHING
    x, y, z = (column[0] if len(set(column)) == 1 else None for column in zip(*extents, strict=True))
    return x, y, z


def agrees(shape: Shape, told: Partial) -> bool:
    """Whether the shape has the extents that are told."""
    return all(known in (None, extent) for extent, known in zip(shape, told, strict=True))
