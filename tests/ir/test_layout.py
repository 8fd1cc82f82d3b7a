"""Offsets of elements, fields and scalars."""

from pathlib import Path

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir.layout import leaves, members
from cudalint.ir.types import DOUBLE, FLOAT, INT, Array, Record
from cudalint.ir.unit import Unit

_CODE = """
struct Base { int a; double b; };
struct Inner { float x, y; };
struct Derived : Base { Inner inner; float tail[2]; };
__global__ void k(Derived *p, int *o) { o[0] = p->a + p->inner.y + p->tail[1]; }
"""


def unit(tmp_path: Path) -> Unit:
    return load(str(tmp_path / "a.cu"), LoadOptions(text=_CODE))


def test_fields_of_bases_come_first_at_their_offsets(tmp_path: Path) -> None:
    inner, tail = Record("Inner", 8, 4), Array(FLOAT, 2)
    found = members(unit(tmp_path), Record("Derived", 32, 8))
    assert found == [(0, INT), (8, DOUBLE), (16, inner), (24, tail)]


def test_leaves_are_the_members_of_members(tmp_path: Path) -> None:
    found = leaves(unit(tmp_path), Record("Derived", 32, 8), offset=100)
    assert [at for at, _ in found] == [100, 108, 116, 120, 124, 128]


def test_elements_of_an_array(tmp_path: Path) -> None:
    assert members(unit(tmp_path), Array(INT, 3)) == [(0, INT), (4, INT), (8, INT)]
    assert members(unit(tmp_path), Array(INT, None), least=2) == [(0, INT), (4, INT)]
    assert len(members(unit(tmp_path), Array(INT, 100), limit=8)) == 8


def test_a_scalar_has_no_members(tmp_path: Path) -> None:
    assert members(unit(tmp_path), INT) == []
    assert leaves(unit(tmp_path), INT) == [(0, INT)]
