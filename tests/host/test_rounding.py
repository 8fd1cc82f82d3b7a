"""Grids as quotients: what is divided, which way it is rounded, and what the host knows of the rest."""

import pytest

from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.remainders import is_anybodys, is_looked_after
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run
from cudalint.host.rounding import Quotient, quotients
from cudalint.ir import expressions as e
from cudalint.ir.render import render

KERNEL = "__global__ void k(float *a) {}\nstatic int up(int n, int b) { return (n + b - 1) / b; }\n"


def launched(body: str, parameters: str = "float *a, int n, int b") -> tuple[list[Quotient], Definitions]:
    """The quotients of the launch in a function with that body, and what its variables stand for."""
    unit = load("a.cu", LoadOptions(text=f"{KERNEL}void run({parameters}) {{ {body} }}\n"))
    (launch,) = run(unit).launches
    known = definitions(unit, unit.functions[launch.function])
    return quotients(launch, known), known


def told(found: list[Quotient]) -> list[tuple[str, str, int | None]]:
    return [(quotient.direction, render(quotient.count), quotient.per) for quotient in found]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("k<<<n / 256, 256>>>(a);", [("down", "n", 256)]),
        ("int g = n / 256; k<<<g, 256>>>(a);", [("down", "n", 256)]),
        ("dim3 t(16, 8); dim3 g(n / t.x, b / t.y); k<<<g, t>>>(a);", [("down", "n", 16), ("down", "b", 8)]),
        ("k<<<n / b, b>>>(a);", [("down", "n", None)]),
        ("k<<<(n + 255) / 256, 256>>>(a);", [("up", "n", 256)]),
        ("const int t = 64; k<<<(n + t - 1) / t, t>>>(a);", [("up", "n", 64)]),
        ("k<<<(n + b - 1) / b, b>>>(a);", [("up", "n", None)]),
        ("k<<<up(n, 128), 128>>>(a);", [("up", "n", 128)]),
        ("k<<<(n - 1) / 256 + 1, 256>>>(a);", [("up", "n", 256)]),
        ("k<<<n / 256 + (n % 256 != 0), 256>>>(a);", [("up", "n", 256)]),
        ("k<<<(n % 256 ? 1 : 0) + n / 256, 256>>>(a);", [("up", "n", 256)]),
        ("k<<<n % b == 0 ? n / b : n / b + 1, b>>>(a);", [("up", "n", None)]),
        ("k<<<n % b ? n / b + 1 : n / b, b>>>(a);", [("up", "n", None)]),
        ("int g = n / 256; if (n % 256 != 0) { g++; } k<<<g, 256>>>(a);", [("up", "n", 256)]),
        ("int g = n / 256; if (n % 256 == 0) b = 1; else g += 1; k<<<g, 256>>>(a);", [("up", "n", 256)]),
        ("int g = n / 256; if (n % 256 == 0) g++; k<<<g, 256>>>(a);", []),
        ("int g = n / 256; if (n % 128) g++; k<<<g, 256>>>(a);", []),
        ("int g = n / 256; if (n % 256) g++; g += b; k<<<g, 256>>>(a);", []),
        ("int g = n / 256; if (n % 256) g += 2; k<<<g, 256>>>(a);", []),
        ("k<<<n / 256 + n % 256, 256>>>(a);", []),
        ("k<<<n % b ? n / b : n / b + 1, b>>>(a);", []),
        ("k<<<n / 128, 256>>>(a);", []),
        ("k<<<(n + 1) / 256, 256>>>(a);", []),
        ("k<<<n / 256 + 1, 256>>>(a);", []),
        ("int g = n / 256; g += 1; k<<<g, 256>>>(a);", []),
        ("dim3 g(n / 256); g.x = 4; k<<<g, 256>>>(a);", []),
    ],
)
def test_quotients(body: str, expected: list[tuple[str, str, int | None]]) -> None:
    assert told(launched(body)[0]) == expected


@pytest.mark.parametrize(
    ("body", "anybodys", "after"),
    [
        ("k<<<n / 256, 256>>>(a);", True, False),
        ("n = n / 2 * 2; k<<<n / 256, 256>>>(a);", False, False),
        ("k<<<n / 256, 256>>>(a); if (n % 256) b = 1;", True, True),
        ("k<<<n / 256, 256>>>(a); b = n - b;", True, True),
        ("for (int i = 0; i < n - 1; ++i) a[i] = 0.0f; k<<<n / 256, 256>>>(a);", True, False),
        ("for (int i = b; i < n; ++i) a[i] = 0.0f; k<<<n / 256, 256>>>(a);", True, True),
    ],
)
def test_what_the_host_knows_of_the_rest(body: str, anybodys: bool, after: bool) -> None:
    unit = load("a.cu", LoadOptions(text=f"{KERNEL}void run(float *a, int n, int b) {{ {body} }}\n"))
    function = next(f for f in unit.functions.values() if f.name == "run")
    known = definitions(unit, function)
    count = next(p for p in function.parameters if p.name == "n")
    assert is_anybodys(count, known) is anybodys
    assert is_looked_after(count, function) is after


def test_a_parameter_of_a_called_function_is_not_anybodys() -> None:
    run_ = "void run(float *a, int n) { k<<<n / 256, 256>>>(a); }"
    code = f"{KERNEL}{run_} void go(float *a) {{ run(a, 512); }}"
    unit = load("a.cu", LoadOptions(text=code))
    function = next(f for f in unit.functions.values() if f.name == "run")
    assert not is_anybodys(function.parameters[1], definitions(unit, function))


def test_a_constant_is_the_product_of_constants() -> None:
    _, known = launched("const int t = 4; int w = t * 8; k<<<1, w>>>(a);")
    variable = next(iter(v for v in known.values if isinstance(known.values[v][0], e.Binary)))
    assert known.constant(known.values[variable][0]) == 32
