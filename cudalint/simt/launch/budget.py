"""How much of the model's work a run may take: less where a file has many kernels, and never a matter of
time, so that the answer is the same on every machine.

Work is counted as in `State.step`: some 150,000 units of a regular run, with all that looks on, take a second
on a core of 2023, and twice as many of a further one. Only regular runs draw on the file's budget, whatever
facts are asked for: what one rule finds does not depend on the others.
"""

from msgspec import Struct

FILE = 900_000  # of the regular runs of all kernels
RUN = 450_000  # of one run
LEAST = 20_000  # that any run may take
HASTY, HASTY_LEAST = 3_000, 600  # as FILE and LEAST, where somebody waits for the answer
_PARTS = 4  # of what is left, of which the next kernel or run may take one where many follow
_FURTHER = 4  # a further run of a kernel may take such a part of a regular one


class Budget(Struct):
    """What is left for the regular runs of a file's kernels, in their order. least: that any run may take."""

    left: int = FILE
    least: int = LEAST

    def kernel(self, following: int) -> "Budget":
        """For the next kernel, which so many follow."""
        return Budget(self._part(following), self.least)

    def run(self, following: int) -> int:
        """For the next run of a kernel."""
        return min(RUN, self._part(following))

    def further(self, regular: int) -> int:
        """For a further run of a kernel, one of whose regular runs may take so much."""
        return max(self.least, regular // _FURTHER)

    def spend(self, work: int) -> None:
        self.left -= work

    def _part(self, following: int) -> int:
        return max(self.least, self.left // min(following + 1, _PARTS))


def hasty() -> Budget:
    """For an answer that somebody waits for."""
    return Budget(HASTY, HASTY_LEAST)
