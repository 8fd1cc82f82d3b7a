"""Compound assignments say in which type they compute."""

from pathlib import Path

import pytest

from cudalint.frontend import load
from cudalint.frontend.lower.promotions import common_type
from cudalint.frontend.options import LoadOptions
from cudalint.ir.dump import text
from cudalint.ir.expressions import Assign
from cudalint.ir.types import BOOL, CHAR, DOUBLE, FLOAT, INT, LONG, UINT, ULONG, Scalar
from cudalint.ir.walk import walk

USHORT = Scalar("unsigned short", "unsigned", 2)


@pytest.mark.parametrize(
    ("a", "b", "common"),
    [
        (CHAR, USHORT, INT),
        (INT, UINT, UINT),
        (LONG, UINT, LONG),
        (INT, ULONG, ULONG),
        (INT, FLOAT, FLOAT),
        (FLOAT, DOUBLE, DOUBLE),
        (BOOL, CHAR, INT),
    ],
)
def test_usual_arithmetic_conversions(a: Scalar, b: Scalar, common: Scalar) -> None:
    assert common_type(a, b) == common == common_type(b, a)


@pytest.mark.parametrize(
    ("written", "lowered"),
    [
        ("i += 2", "(i += 2`2`)"),
        ("i /= u", "(i /={unsigned int} u)"),
        ("i *= f", "(i *={float} f)"),
        ("i += n", "(i +={long} n)"),
        ("n += i", "(n += {long}i)"),
        ("f += 1", "(f += {float}1`1`)"),
        ("f += 0.5", "(f +={double} 0.5`0.5`)"),
        ("c += d", "(c +={int} {int}d)"),
        ("c >>= n", "(c >>={int} n)"),
        ("u <<= c", "(u <<= {int}c)"),
        ("c++", "(c +={int} old 1)"),
        ("--f", "(f -= 1.0)"),
        ("p += c", "(p += {int}c)"),
        ("p++", "(p += old 1)"),
    ],
)
def test_a_compound_assignment_says_in_which_type_it_computes(
    tmp_path: Path, written: str, lowered: str
) -> None:
    parameters = "int i, unsigned u, long n, float f, char c, char d, int *p"
    code = f"__global__ void k({parameters}) {{ {written}; }}"
    (function,) = load(str(tmp_path / "a.cu"), LoadOptions(text=code)).functions.values()
    assert function.body is not None
    (assigned,) = (node for node in walk(function.body) if isinstance(node, Assign))
    assert text(assigned) == lowered
