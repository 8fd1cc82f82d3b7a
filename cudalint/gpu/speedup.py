"""What making a part of the work faster can give the whole.

Source: Amdahl, "Validity of the single processor approach to achieving large scale computing capabilities",
AFIPS 1967. Gustafson's law, for work that grows with the processors, is none of ours: a finding speaks of a
kernel as it is.
"""

import math


def amdahl(part: float, times: float = math.inf) -> float:
    """How many times as fast the whole gets, when so large a part of it (0..1) gets so many times as fast."""
    return 1 / ((1 - part) + part / times)
