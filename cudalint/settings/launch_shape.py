"""A launch of a kernel as a profile has it."""

from msgspec import Struct

Extent = tuple[int, int, int]


class LaunchShape(Struct, frozen=True):
    """kernel: its name without namespace and template arguments; grid in blocks, block in threads."""

    kernel: str
    grid: Extent
    block: Extent
