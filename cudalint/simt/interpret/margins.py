"""Comparisons of what differs between threads or blocks with a number that nobody knows: by how much the two
sides are apart. Where a block has threads on both sides follows from that.
"""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from cudalint.ir import expressions as e
from cudalint.simt.values.lanes import CHOSEN, COUNTED, Data, Value


class Margin(Struct, frozen=True):
    """The operands of a `<`, `<=`, `>`, `>=`, min or max when it is first evaluated, by lane or for all."""

    node: e.Binary | e.Call
    left: Data
    right: Data

    @property
    def excess(self) -> NDArray[np.int64]:
        """By how much the left operand is larger."""
        return np.asarray(self.left, dtype=np.int64) - np.asarray(self.right, dtype=np.int64)


def note(margins: dict[int, Margin], node: e.Binary | e.Call, left: Value, right: Value) -> None:
    """Keep the operands, if they are numbers that valuations alone chose."""
    free = left.free | right.free
    if not free or free & ~(CHOSEN | COUNTED) or id(node) in margins:
        return
    if left.known is not True or right.known is not True:
        return
    if {np.asarray(data).dtype.kind for data in (left.data, right.data)} == {"i"}:
        margins[id(node)] = Margin(node, left.data, right.data)
