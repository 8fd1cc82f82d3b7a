"""Where memory is, what is done to it, and how sure a number is: the words that all models share."""

from typing import Literal

Certainty = Literal["exact", "bounded", "unknown"]
Space = Literal["global", "shared", "constant", "local"]
Operation = Literal["load", "store", "atomic"]
BarrierScope = Literal["block", "cluster", "grid"]
# Of the numbers in an array: ends of rows, those of the next rows, starts of segments, columns of a row,
# all different, only two, or less than the width of a row.
DataOrder = Literal["ends", "next-ends", "starts", "columns", "distinct", "few", "small", "own"]
ReadOnlyPath = Literal["__ldg", "const __restrict__"]
