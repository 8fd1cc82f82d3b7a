"""Generated programs of one block: loads and stores of one array with barriers between them."""

import os
from dataclasses import dataclass

from hypothesis import strategies as st

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import HostFacts
from cudalint.settings import assume
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.model import ModelOptions, run

CASES = int(os.environ.get("CUDALINT_CASES", "500")) // 4
SIZE = 128


@dataclass(frozen=True)
class Step:
    """`if (t < below) s[(scale * t + shift) % SIZE]` is read or written; or a barrier."""

    kind: str
    scale: int = 1
    shift: int = 0
    below: int = SIZE

    def text(self) -> str:
        place = f"s[({self.scale} * t + {self.shift}) % {SIZE}]"
        match self.kind:
            case "barrier":
                return "__syncthreads();"
            case "read":
                return f"if (t < {self.below}) x += {place};"
            case _:
                return f"if (t < {self.below}) {place} = t;"


access = st.builds(
    Step,
    st.sampled_from(["read", "write"]),
    st.sampled_from([0, 1, 1, 2, 3]),
    st.integers(0, 70),
    st.sampled_from([1, 16, 32, 50, SIZE]),
)


def modelled(code: str, shape: str) -> KernelFacts:
    """The model's facts of the only kernel in the code, for a shape of its blocks."""
    unit = load("generated.cu", LoadOptions(text=code))
    (facts,) = run(unit, HostFacts((), (), ()), ModelOptions(assumptions=assume.parse_all((shape,))))
    assert facts.modelled, facts.modelling.failure
    return facts
