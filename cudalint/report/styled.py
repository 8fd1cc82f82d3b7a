"""Text with styles, printed with colours on a terminal and plain elsewhere."""

from collections.abc import Iterable
from typing import TextIO

from cudalint.source.text import one_line

Piece = tuple[str, str]  # text, style
Line = tuple[Piece, ...]


def plain(lines: Iterable[Line]) -> str:
    """The text alone."""
    return "".join(one_line("".join(text for text, _ in line).rstrip()) + "\n" for line in lines)


def to_terminal(lines: Iterable[Line], stream: TextIO) -> None:
    """Print with rich, which knows what the terminal can do and honours NO_COLOR."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False, soft_wrap=True)
    for line in lines:
        text = Text()
        for piece, style in line:
            text.append(one_line(piece), style=style or None)
        console.print(text)
