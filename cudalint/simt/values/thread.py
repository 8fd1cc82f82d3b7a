"""A thread of the grid."""

from msgspec import Struct


class Thread(Struct, frozen=True):
    """A thread of the grid: (x, y, z) in its block, and the block."""

    thread: tuple[int, int, int]
    block: tuple[int, int, int] = (0, 0, 0)

    def __str__(self) -> str:
        x, y, z = self.thread
        return f"({x}, {y}, {z})"
