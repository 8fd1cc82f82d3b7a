"""Numbers that a check before a launch leaves of an argument."""

from pathlib import Path

import pytest

from cudalint.frontend import load
from cudalint.host.model import run


@pytest.mark.parametrize(
    ("check", "numbers"),
    [
        ("if (n != 0 && n != 1) return 1;", (0, 1)),
        ("if (!(n == 4 || 2 == n || n == 1)) exit(2);", (1, 2, 4)),
        ("assert(n == 0 || n == 1);", (0, 1)),
        ("if (n != 0 && n != 1) puts(argv[0]);", ()),
        ("if (n != 0 && argc != 1) return 1;", ()),
        ("if (n != 0 || n != 1) return 1;", ()),
        ("if (n != 0 && n > 1) return 1;", ()),
        ("if (n == 0 || n == 1) return 1;", ()),
        ("if (n != 0 && n != 1) return 1; n += argc;", ()),
        ("if (n != 0 && n != 1) return 1; if (argc > 1) n = atoi(argv[1]);", ()),
    ],
)
def test_numbers_that_a_check_leaves(tmp_path: Path, check: str, numbers: tuple[int, ...]) -> None:
    head = "#include <cassert>\n#include <cstdio>\n#include <cstdlib>\n__global__ void k(int n);\n"
    body = f"int n = atoi(argv[1]); {check} k<<<4, 64>>>(n); return 0;"
    file = tmp_path / "a.cu"
    file.write_text(f"{head}int main(int argc, char **argv) {{ {body} }}")
    (launch,) = run(load(str(file))).launches
    assert launch.arguments is not None
    assert launch.arguments[0].values == numbers
