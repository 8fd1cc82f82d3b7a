"""Where memory is, what is done to it, and how sure a number is: the words that all models share."""

from typing import Literal

Certainty = Literal["exact", "bounded", "unknown"]
Space = Literal["global", "shared", "constant", "local"]
Operation = Literal["load", "store", "atomic"]
BarrierScope = Literal["block", "cluster", "grid"]
ReadOnlyPath = Literal["__ldg", "const __restrict__"]
