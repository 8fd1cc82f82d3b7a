"""Inline assembly of one instruction on memory: what is read from its text."""

import pytest

from cudalint.cuda.ptx import Instruction, instruction


def test_loads_and_stores():
    text = 'asm volatile("ld.global.nc.f32 %0, [%1 + 8];" : "=f"(x) : "l"(p))'
    assert instruction(text, 2) == Instruction(
        "load", "global", "f", 32, registers=(0,), address=1, offset=8, cached="nc"
    )
    text = 'asm("st.shared.v2.b32 [%0],"\n    " {%1, %2};\\n" :: "r"(at), "r"(a), "r"(b) : "memory")'
    assert instruction(text, 3) == Instruction("store", "shared", "b", 32, registers=(1, 2), address=0)
    text = 'asm("ld.global.L1::no_allocate.L2::128B.b64 %[out], [%[at]];" : [out] "=l"(x) : [at] "l"(p))'
    assert instruction(text, 2) == Instruction("load", "global", "b", 64, registers=(0,), address=1)


def test_copies():
    text = 'asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\\n" :: "r"(s), "l"(g), "n"(16))'
    assert instruction(text, 3) == Instruction("copy", address=0, source=1, bytes_at=2)
    text = 'asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(s), "l"(g), "r"(n))'
    assert instruction(text, 3) == Instruction("copy", address=0, source=1, bytes=4, read=2)
    assert instruction('asm volatile("cp.async.commit_group;\\n" ::)', 0) == Instruction("commit")
    assert instruction('asm volatile("cp.async.wait_group %0;" :: "n"(N))', 1) == Instruction("wait")


def test_atomics():
    text = 'asm("atom.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(1))'
    assert instruction(text, 3) == Instruction(
        "atomic", "global", "s", 32, registers=(2,), address=1, function="atomicAdd", result=0
    )
    text = 'asm("red.relaxed.gpu.global.max.u32 [%0], %1;" :: "l"(p), "r"(v))'
    found = instruction(text, 2)
    assert found is not None
    assert (found.function, found.registers, found.result) == ("atomicMax", (1,), None)


def test_predicates():
    text = (
        'asm volatile("{\\n .reg .pred p;\\n setp.ne.b32 p, %0, 0;\\n"\n'
        '  "@p ld.global.f32 %1, [%2];}" :: "r"(use), "f"(x), "l"(p))'
    )
    assert instruction(text, 3) == Instruction(
        "load", "global", "f", 32, registers=(1,), address=2, predicate=0
    )


def test_addresses_in_the_window():
    text = 'asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(at) : "l"(p))'
    assert instruction(text, 2) == Instruction("window", address=1, result=0)


@pytest.mark.parametrize(
    ("code", "operands"),
    [
        ("ld.volatile.global.f32 %0, [%1];", 2),
        ("ld.global.acquire.gpu.u32 %0, [%1];", 2),
        ("ld.relaxed.gpu.global.u32 %0, [%1];", 2),
        ("ld.f32 %0, [%1];", 2),
        ("ld.global.f32 %0, [%1]; add.f32 %0, %0, %0;", 2),
        ("atom.acq_rel.gpu.global.add.u32 %0, [%1], %1;", 2),
        ("mov.u32 %0, %1;", 2),
        ("bar.sync 0;", 0),
    ],
)
def test_what_orders_threads_or_does_more(code: str, operands: int):
    given = ", ".join('"r"(x)' for _ in range(operands))
    assert instruction(f'asm volatile("{code}" : {given})', operands) is None
