"""Where a piece of IR stands in the source."""

from msgspec import Struct


class Span(Struct, frozen=True):
    """A half-open range of one file. Lines and columns are 1-based; columns count Unicode code points.

    The end is exclusive: `end_column` is the column after the last character. A span inside a macro expansion
    is the place of the expansion.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


NOWHERE = Span("", 0, 0, 0, 0)
