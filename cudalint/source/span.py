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

    def contains(self, other: "Span") -> bool:
        """Whether the other range is in the same file and wholly inside this one; it may be the same."""
        return (
            self.path == other.path
            and (self.line, self.column) <= (other.line, other.column)
            and (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        )


NOWHERE = Span("", 0, 0, 0, 0)
