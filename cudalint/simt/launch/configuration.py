"""A launch shape that a kernel was run with, and where it comes from."""

from enum import StrEnum

from msgspec import Struct

from cudalint.source.span import Span


class Origin(StrEnum):
    """Where a launch shape comes from; the values are what `inspect` prints."""

    LAUNCH = "launch"
    TEXT = "launch in the text"  # of which no model of the host tells
    BOUNDS = "launch bounds"
    COLLECTIVE = "block-wide functions"  # what CUB's take as template arguments
    LIMIT = "launch limit"  # what the launch has at most
    DEFAULT = "run without arguments"  # the block where the command line gives none
    ASSUMPTION = "assumption"
    USUAL = "usual shape"  # nothing says which; the model tries usual ones
    FITTED = "fits the shared arrays"
    CHOSEN_BOUNDS = "launch bounds of template arguments that cudalint chose"


_GIVEN_BY = {
    Origin.LAUNCH: "launched",
    Origin.TEXT: "launched",
    Origin.BOUNDS: "from `__launch_bounds__`",
    Origin.COLLECTIVE: "from the template arguments of its block-wide functions",
    Origin.LIMIT: "launched with at most that",
    Origin.DEFAULT: "launched with that where the command line says nothing",
    Origin.ASSUMPTION: "as assumed",
    Origin.USUAL: "assumed: no launch with a known block in this file",
    Origin.FITTED: "fitted to the shared arrays",
    Origin.CHOSEN_BOUNDS: "from `__launch_bounds__` with template arguments that cudalint chose",
}


class Configuration(Struct, frozen=True):
    """A launch shape the kernel was run with.

    block is in threads; grid None where it is not known. where: the launch's span. unread: the program
    launches the kernel, with blocks of which nobody knows whether they are like this one. measured: a profile
    tells it.
    """

    block: tuple[int, int, int]
    grid: tuple[int | None, int | None, int | None]
    dynamic_shared_bytes: int | None
    stream: str
    origin: Origin
    where: Span | None
    unread: bool = False
    measured: bool = False

    @property
    def told_whole(self) -> bool:
        """Whether a launch tells the block and the grid."""
        return self.origin == Origin.LAUNCH and None not in self.grid

    @property
    def shape(self) -> str:
        """The block, as '256' or '16x16'."""
        x, y, z = self.block
        return f"{x}x{y}x{z}" if z > 1 else f"{x}x{y}" if y > 1 else str(x)

    @property
    def told_by(self) -> str:
        """What tells of the shape, as 'launch at a.cu:7'."""
        return f"{self.origin} at {self.where.path}:{self.where.line}" if self.where else self.origin

    @property
    def extents(self) -> str:
        """The block with all three extents, as '256x1x1'."""
        return "x".join(map(str, self.block))

    @property
    def given_by(self) -> str:
        """Where the shape comes from, as 'launched at a.cu:7'."""
        source = _GIVEN_BY[self.origin]
        place = f" at {self.where.path}:{self.where.line}" if self.where else ""
        return f"{source}{place}{', as the profile has it' if self.measured else ''}"

    def note(self) -> str:
        """The shape as the notes of findings give it: 'block 256x1x1 (launched at a.cu:7)'."""
        return f"block {self.extents} ({self.given_by})"

    def describe(self) -> str:
        return f"block {self.shape} ({self.told_by})"
