"""Numbers that are tried for what nobody knows."""

import pytest

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run
from cudalint.host.sizes import PRIMES, Sizes, full_words
from cudalint.ir.unit import Unit

_KERNEL = "#include <cstdlib>\n__global__ void k(float *a) { a[threadIdx.x] = 0.0f; }\n"


def _unit(code: str) -> Unit:
    return load("program.cu", LoadOptions(text=_KERNEL + code))


def test_who_asks_twice_is_told_the_same() -> None:
    sizes = Sizes(PRIMES)
    first, second = sizes.of("n"), sizes.of("m")
    assert first != second
    assert (sizes.of("n"), sizes.of("m")) == (first, second)


@pytest.mark.parametrize(
    ("condition", "words"), [("argc != 4", 4), ("argc > 2", 3), ("argc < 3", 3), ("argv == 0", None)]
)
def test_the_words_that_a_program_looks_for(condition: str, words: int | None) -> None:
    unit = _unit(f"int main(int argc, char **argv) {{ if ({condition}) return 1; return 0; }}")
    main = next(function for function in unit.functions.values() if function.name == "main")
    assert full_words(main) == words


def test_launches_with_numbers_for_the_command_line_and_for_callers() -> None:
    facts = run(
        _unit(
            "void f(int n, float *a) { k<<<(n + 31) / 32, 32>>>(a); }\n"
            "int main(int argc, char **argv) { int n = argc > 1 ? atoi(argv[1]) : 64; float *a;\n"
            "cudaMalloc(&a, n * 4); k<<<n, 32>>>(a); return 0; }"
        )
    )
    own, called = facts.trials
    assert own.arguments is not None and own.arguments[0].buffer is not None
    assert own.arguments[0].buffer.bytes == 4 * (own.grid[0] or 0)
    assert called.grid[0] is not None and called.grid != own.grid
    assert all(launch.grid[0] is None for launch in facts.launches)
