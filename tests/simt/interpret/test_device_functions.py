"""Functions of the device library that the model computes, against loops over bits; and that it knows all."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudalint.cuda import effects
from cudalint.ir.types import Scalar, Type
from cudalint.simt.interpret.library import integers
from cudalint.simt.interpret.library.intrinsics import _NAMED
from cudalint.simt.values.lanes import Value
from tests.support.checkout import ROOT
from tests.support.modelled import facts

UNSIGNED, SIGNED = Scalar("unsigned int", "unsigned", 4), Scalar("int", "signed", 4)
WIDE = Scalar("unsigned long long", "unsigned", 8)
WORDS = st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=8)


def brute(name: str, number: int) -> int:
    """The function of one word, bit by bit."""
    width = 64 if name.endswith("ll") else 32
    on = [number >> bit & 1 for bit in range(width)]  # lowest first
    match name.removesuffix("ll"):
        case "__popc":
            return sum(on)
        case "__clz":
            return next((n for n, bit in enumerate(reversed(on)) if bit), width)
        case "__ffs":
            return next((n + 1 for n, bit in enumerate(on) if bit), 0)
        case _:
            return sum(bit << (width - 1 - n) for n, bit in enumerate(on))


def as_held(number: int, type: Type) -> int:
    """How the model holds an integer: 64 bits are signed, whatever the type."""
    if type.bytes < 8:
        number &= 2**32 - 1
        return number - 2**32 if type is SIGNED and number >= 2**31 else number
    return number - 2**64 if number >= 2**63 else number


@pytest.mark.parametrize("name", sorted(effects.BITS))
@given(WORDS)
def test_bits_are_those_of_each_lane(name: str, words: list[int]) -> None:
    type = {"__brev": UNSIGNED, "__brevll": WIDE}.get(name, SIGNED)
    expected = [as_held(brute(name, word), type) for word in words]
    lanes = integers.bits(name, Value(np.array(words, dtype=np.int64)), type)
    assert isinstance(lanes.data, np.ndarray)
    assert lanes.data.tolist() == expected
    assert integers.bits(name, Value(words[0]), type).data == expected[0]


@pytest.mark.parametrize("name", sorted(effects.AVERAGES))
@given(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1))
def test_averages_do_not_wrap(name: str, one: int, other: int) -> None:
    type = UNSIGNED if "_u" in name else SIGNED
    a, b = as_held(one, type), as_held(other, type)
    exact = (a + b) / 2  # 33 bits: a double holds it
    expected = int(np.ceil(exact)) if "rhadd" in name else int(np.floor(exact))
    assert integers.average(name, Value(a), Value(b), type).data == expected
    lanes = integers.average(name, Value(np.array([a, b])), Value(b), type)
    assert isinstance(lanes.data, np.ndarray) and lanes.data.tolist() == [expected, b]


def address_of(index: str) -> tuple[int | None, ...]:
    """What the lanes of the first warp store at, in elements."""
    code = f"__global__ void k(float* p) {{ unsigned t = threadIdx.x; p[{index}] = 1.0f; }}"
    (access,) = facts(code).accesses
    assert access.lanes.worst
    return tuple(None if at is None else at // 4 for at in access.lanes.worst)


def test_bit_reversal_of_the_thread_number() -> None:
    expected = tuple(brute("__brev", lane) >> 27 for lane in range(32))
    assert address_of("__brevll((unsigned long long)(t % 32)) >> 59") == expected
    assert address_of("__brev(t % 32) >> 27") == expected


def test_averages_of_the_thread_number() -> None:
    assert address_of("__urhadd(t % 32, 3u)") == tuple((lane + 4) // 2 for lane in range(32))
    assert address_of("__uhadd(t % 32, 3u)") == tuple((lane + 3) // 2 for lane in range(32))


def test_the_space_of_a_pointer_is_known() -> None:
    code = """__global__ void k(float* p) {
        __shared__ float s[64];
        s[threadIdx.x] = 1.0f;
        const float* q = s;
        if (__isShared(q)) p[threadIdx.x] = 2.0f;
        if (__isShared(p)) p[2 * threadIdx.x] = 2.0f;
        if (__isGlobal(p)) p[3 * threadIdx.x] = 2.0f;
    }"""
    seen = {access.layout.lane_stride for access in facts(code).accesses if access.space == "global"}
    assert {4, 12} <= seen
    assert all(access.layout.lane_stride != 8 or access.basis.assumed for access in facts(code).accesses)


def test_a_warp_agrees() -> None:
    code = """__global__ void k(float* p) {
        if (__uni_sync(0xffffffffu, threadIdx.x < 32)) p[threadIdx.x] = 1.0f;
        if (__uni_sync(0xffffffffu, threadIdx.x < 16)) p[2 * threadIdx.x] = 1.0f;
    }"""
    whole, half = sorted(facts(code).accesses, key=lambda access: access.span.line)
    assert whole.transactions.certainty == "exact"
    assert (
        half.weight.requests * 2 == whole.weight.requests
    )  # the warp that holds lanes of both kinds does not agree


def test_a_barrier_of_some_threads_orders_nobody_for_certain() -> None:
    code = """__global__ void k(float* p) {
        __shared__ float s[64];
        s[threadIdx.x] = p[threadIdx.x];
        __barrier_sync_count(1, 64);
        p[threadIdx.x] = s[63 - threadIdx.x];
    }"""
    found = facts(code)
    assert not found.barriers and not any(race.certain for race in found.races)


def test_every_function_that_needs_no_include_is_known() -> None:
    text = (ROOT / "cudalint" / "frontend" / "shim" / "cudalint" / "device.h").read_text()
    declared = set(re.findall(r"(?:__device__|__D)\s+[\w\s*]*?\b(\w+)\s*\(", text))
    assert len(declared) > 100
    # `name` is the parameter of a macro
    sets = effects.WRITERS | effects.MATRIX_ACCESSES.keys() | set(_NAMED) | {"alloca", "name"}
    unknown = {
        name
        for name in declared - sets
        if not effects.is_pure(name) and not name.startswith(effects.ATOMIC_PREFIXES)
    }
    assert unknown == set()


def test_a_call_that_returns_nothing_is_no_number() -> None:
    code = "struct Box { int held; };\n__global__ void k(Box **all) { delete *all; }\n"
    assert facts(code + "void run(Box **all) { k<<<64, 1>>>(all); }\n").modelling.failure == ""
