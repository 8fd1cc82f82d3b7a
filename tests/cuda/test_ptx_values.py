"""Inline assembly of one instruction on registers: what is read from its text."""

import pytest

from cudalint.cuda.ptx_values import Computed, Number, Place, Register, computed


def test_registers_of_the_thread():
    text = 'asm("mov.u32 %0, %%laneid;" : "=r"(id))'
    assert computed(text, 1) == Computed("mov", 0, (Register("laneid"),), 32, "unsigned")
    text = 'asm volatile("mov.s32 %[x], %%ctaid.y;" : [x] "=r"(id))'
    assert computed(text, 1) == Computed("mov", 0, (Register("ctaid.y"),), 32, "signed")


def test_arithmetic():
    text = 'asm("bfe.u32 %0, %1, 4, %2;" : "=r"(d) : "r"(a), "r"(n))'
    assert computed(text, 3) == Computed("bfe", 0, (Place(1), Number(4), Place(2)), 32, "unsigned")
    text = 'asm("mad.lo.s64 %0, %1, %2, %0;" : "+l"(d) : "l"(a), "l"(b))'
    assert computed(text, 3) == Computed("mad", 0, (Place(1), Place(2), Place(0)), 64, "signed")
    text = 'asm("and.b32 %0, %1, 0x1F;" : "=r"(d) : "r"(a))'
    assert computed(text, 2) == Computed("and", 0, (Place(1), Number(31)), 32, "unsigned")


@pytest.mark.parametrize(
    ("code", "operands"),
    [
        ("mov.u32 %0, %%smid;", 1),
        ("mov.u32 %0, %%warpid;", 1),
        ("mov.u32 %0, %%clock;", 1),
        ("mul.hi.u32 %0, %1, %2;", 3),
        ("mad.wide.u32 %0, %1, %2, %3;", 4),
        ("add.cc.u32 %0, %1, %2;", 3),
        ("add.f32 %0, %1, %2;", 3),
        ("bfe.s32 %0, %1, 0, %2;", 3),
        ("add.u32 %0, %1;", 2),
        ("mov.u32 %0, %1; add.u32 %0, %0, 1;", 2),
        ("bar.sync 0;", 0),
    ],
)
def test_others(code: str, operands: int):
    given = ", ".join('"r"(x)' for _ in range(operands))
    assert computed(f'asm volatile("{code}" : {given})', operands) is None
