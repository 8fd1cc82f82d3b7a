"""Arms that end the program: what they call is not followed, for nothing of it is left."""

import pytest

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run
from cudalint.host.statements import _ends_program
from cudalint.ir import statements as s
from cudalint.ir.walk import find

_START = """#include <cstdlib>
#include <cstdio>
__global__ void k(int n) {}
int tries;
int told(const char *text) { tries = 3; return printf("%s", text); }
"""


@pytest.mark.parametrize(
    ("arm", "ends"),
    [
        ("exit(1);", True),
        ("{ told(text); abort(); }", True),
        ("do { told(text); abort(); } while (0);", True),
        ("{ if (n > 9) throw n; else abort(); }", True),
        ("{ if (n > 9) abort(); }", False),
        ("{ abort(); told(text); }", False),
        ("do { abort(); } while (n);", False),
    ],
)
def test_which_arms_end_the_program(arm: str, ends: bool) -> None:
    unit = load("program.cu", LoadOptions(text=f"{_START}void f(int n, const char *text) {{ if (n) {arm} }}"))
    function = next(one for one in unit.functions.values() if one.name == "f")
    assert _ends_program(find(function.body, s.If)[0].then) == ends


def test_what_such_an_arm_writes_is_no_matter_after_it() -> None:
    code = "int main(int argc, char **argv) {\ntries = 2;\nif (argc > 1) { told(argv[1]); exit(1); }\n"
    unit = load("program.cu", LoadOptions(text=f"{_START}{code}k<<<tries, 32>>>(1);\nreturn 0; }}"))
    assert [launch.grid for launch in run(unit).launches] == [(2, 1, 1)]
