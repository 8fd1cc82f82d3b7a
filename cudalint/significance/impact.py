"""What fixing a finding gives."""

from enum import StrEnum

from msgspec import Struct


class Basis(StrEnum):
    """What the time goes to that a fix saves."""

    SECTORS = "sectors"
    LINES = "L1 wavefronts"
    WAVEFRONTS = "shared wavefronts"
    ISSUE = "issue slots"
    DOUBLE = "FP64"
    DIVERGENCE = "divergence"
    IDLE = "idle multiprocessors"
    IDLE_BLOCKS = "blocks without work"
    WAVES = "partial waves"
    OCCUPANCY = "occupancy"
    LATENCY = "latency"
    SERIALISED = "one address"
    TRANSFERS = "copies and waits"
    LAUNCHES = "launches"
    FIRST_USE = "first use"


class Impact(Struct, frozen=True):
    """The share (0..1) of the time of its kernel, or of the calls round it, that fixing a finding saves: at
    least `low`, at most `high`, for the sizes tried and for all that is not known.
    """

    low: float
    high: float
    basis: Basis

    @property
    def middle(self) -> float:
        """What findings are ordered by."""
        return (self.low + self.high) / 2

    @property
    def whole(self) -> str:
        """What it is a share of."""
        if self.basis is Basis.FIRST_USE:
            return "the measured time"
        host = self.basis in (Basis.TRANSFERS, Basis.LAUNCHES)
        return "the calls' time" if host else "the kernel's time"

    def __str__(self) -> str:
        """'12% to 31% of the kernel's time (sectors)'."""
        return f"{self.share} of {self.whole} ({self.basis})"

    @property
    def share(self) -> str:
        """'12% to 31%'."""
        low, high = f"{self.low:.0%}", f"{self.high:.0%}"
        return high if low == high else f"{low} to {high}" if round(self.low, 2) else f"up to {high}"
