"""What validate found out about one pair."""

from msgspec import Struct

from cudalint.validate.evidence import Evidence
from cudalint.validate.pairs import Pair
from cudalint.validate.prediction import Prediction
from cudalint.validate.timing import Timing


class Result(Struct, frozen=True):
    """failure: why it could not be compiled or run; skipped: why this machine cannot measure it; unasked:
    questions to the machine code that a missing nvdisasm leaves open.
    """

    pair: Pair
    timing: Timing | None = None
    prediction: Prediction | None = None
    evidence: tuple[Evidence, ...] = ()
    failure: str = ""
    skipped: str = ""
    unasked: int = 0

    @property
    def right(self) -> bool:
        """Nothing failed: both results are right, and the compiler did what the rule says."""
        right = self.timing is None or self.timing.right
        return right and not self.failure and all(one.holds for one in self.evidence)

    @property
    def quotient(self) -> float | None:
        """Predicted over measured slowdown."""
        if self.timing is None or self.prediction is None:
            return None
        return self.prediction.slowdown / self.timing.slowdown
