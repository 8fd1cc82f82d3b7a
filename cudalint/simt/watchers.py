"""What a run tells those that look on: every access to memory that threads share, what orders threads, and
what the model does not see.
"""

import numpy as np
from msgspec import Struct

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.simt.facts import Operation, Space
from cudalint.simt.lanes import Bools
from cudalint.simt.memory import Memory


class Touch(Struct, frozen=True, eq=False):
    """One executed access of `width` bytes a lane; see Hazards.access."""

    node: e.Expression
    memory: Memory
    operation: Operation
    addresses: np.ndarray | int
    width: int
    mask: Bools
    doubt: Bools | None
    free: int

    def offsets(self, lane: np.ndarray) -> np.ndarray:
        """Where in the object the lanes' accesses are, in bytes."""
        at = self.addresses[lane] if isinstance(self.addresses, np.ndarray) else self.addresses
        return np.broadcast_to(np.asarray(at) - self.memory.base, lane.shape)


class Watcher(Struct):
    """Told of what happens, in the order of the run; what a watcher does not ask for passes it by."""

    def access(self, touch: Touch) -> None:
        """An access at known addresses."""

    def lost(self, operation: Operation, space: Space | None, memory: Memory | None) -> None:
        """An access without an address; where not even the space or the object is known, None."""

    def barrier(self, node: e.Expression | s.Opaque | None, mask: Bools, sure: bool) -> None:
        """A barrier of the block at a node; without one, of the grid. sure: the mask is not in doubt."""

    def fence(self) -> None:
        """A fence: other threads may go by the order of what is done to global memory."""

    def timed(self) -> None:
        """The time is told."""

    def unseen(self) -> None:
        """Code that nobody sees into; it may access anything and wait for anyone."""

    def enter_loop(self) -> None:
        """A loop begins."""

    def leave_loop(self, cut: bool) -> None:
        """It ends; cut: iterations of it were left out."""

    def close(self) -> None:
        """The run ends."""


def granule(memory: Memory) -> int:
    """Bytes that the accesses to an object are told apart by: of its elements, at most a word."""
    return 4 if memory.element % 4 == 0 else 2 if memory.element % 2 == 0 else 1
