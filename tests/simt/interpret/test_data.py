"""Atomics in the order of the threads, against a plain loop over a dictionary."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cudalint.analyses.data_order import UsedData
from cudalint.ir.types import INT
from cudalint.simt.interpret.data import MadeUpData
from cudalint.simt.values.lanes import Value
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import Samples, make

SAMPLES: Samples = make((32, 1, 1), (2, 1, 1), ((0, 0, 0), (1, 0, 0)), 1)
MEMORY = Memory(1, "words", "global", 0, 4)


def _in_turn(name: str, words: list[int], operands: list[list[int]], times: int = 1) -> list[int]:
    """What the lanes of both blocks get back the last time."""
    data = MadeUpData(SAMPLES, UsedData())
    address = Value(MEMORY.base + 4 * np.array(words, dtype=np.int64))
    values = [Value(np.array(column, dtype=np.int64)) for column in operands]
    for _ in range(times):
        got = data.atomic(name, MEMORY, address, values, SAMPLES.everyone, INT, None)
    assert got is not None
    return [int(number) for number in np.asarray(got.data)]


@settings(max_examples=25)
@given(st.lists(st.integers(0, 5), min_size=64, max_size=64))
def test_tickets_of_one_counter_follow_each_other(words: list[int]) -> None:
    tickets = _in_turn("atomicAdd", words, [[1] * 64])
    assert len(set(tickets)) == 64
    for word in set(words):
        mine = [ticket for ticket, each in zip(tickets, words, strict=True) if each == word]
        assert mine == list(range(mine[0], mine[0] + len(mine)))


@settings(max_examples=25)
@given(st.lists(st.integers(0, 5), min_size=64, max_size=64), st.integers(1, 3))
def test_one_thread_wins_a_word_once(words: list[int], times: int) -> None:
    first = _in_turn("atomicCAS", words, [[-1] * 64, list(range(64))])
    won = [word for word, before in zip(words, first, strict=True) if before == -1]
    assert sorted(won) == sorted(set(words))
    if times > 1:
        assert -1 not in _in_turn("atomicCAS", words, [[-1] * 64, list(range(64))], times)


@pytest.mark.parametrize(
    "name", ["atomicExch", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor"]
)
def test_a_word_passes_from_thread_to_thread(name: str) -> None:
    plain = {
        "atomicExch": lambda now, x: x,
        "atomicMin": min,
        "atomicMax": max,
        "atomicAnd": int.__and__,
        "atomicOr": int.__or__,
        "atomicXor": int.__xor__,
    }[name]
    operands = [(7 * lane) % 13 for lane in range(64)]
    got = _in_turn(name, [0] * 64, [operands])
    for lane in range(63):
        assert got[lane + 1] == plain(got[lane], operands[lane])
