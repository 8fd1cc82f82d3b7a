"""A suppression comment as data."""

from msgspec import Struct

from cudalint.source.span import Span


class Suppression(Struct, frozen=True):
    """`// cudalint: ignore[CU101,CU102] reason` and its forms. codes empty: every code.

    scope: 'line' (the comment's own line), 'next-line', 'file'. `native` False marks a NOLINT comment.
    """

    codes: tuple[str, ...]
    scope: str
    span: Span
    reason: str = ""
    native: bool = True
