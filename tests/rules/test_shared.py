"""Bank conflicts on facts written by hand: the number of ways and the padding that helps."""

import numpy as np
import pytest
from msgspec.structs import replace

from cudalint.cuda.spaces import Operation
from cudalint.host.facts import HostFacts
from cudalint.ir.expressions import Variable, VariableReference
from cudalint.ir.statements import Block, Evaluate
from cudalint.ir.types import DOUBLE, FLOAT, VOID, Array, Type
from cudalint.ir.unit import Function, Unit
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context
from cudalint.rules.shared import bank_conflict
from cudalint.simt.facts.accesses.access import Access, Lanes, Layout, Transactions, Weight
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Workload
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.query.bank_conflicts import spacing
from cudalint.simt.requests.transactions import ideal_wavefronts, wavefronts
from cudalint.source.span import NOWHERE, Span
from tests.support.asked import asked

FUNCTION = Function("k", "k", "k", (), None, VOID, NOWHERE, NOWHERE, kernel=True)

FREE = Transactions(1, 1, "exact", 1, 1)


def context(type: Type, *others: Type) -> Context:
    """A unit whose kernels have one shared array each, all of them called `tile`."""
    tiles = [Variable(n, "tile", kind, "shared", NOWHERE) for n, kind in enumerate((*others, type))]
    bodies = [Block((Evaluate(VariableReference(v, v.type, NOWHERE), NOWHERE),), NOWHERE) for v in tiles]
    keys = [*(f"other{n}" for n in range(len(others))), "k"]
    functions = {key: replace(FUNCTION, key=key, body=body) for key, body in zip(keys, bodies, strict=True)}
    unit = Unit("a.cu", "sm_90", functions, {}, {v.id: v for v in tiles}, tuple(keys), (), ())
    return Context(unit, (), HostFacts((), (), ()), 90)


def access(passes: float, ideal: float, lanes: list[int], bytes: int = 4) -> Access:
    return Access(
        Span("a.cu", 3, 1, 3, 5), "tile[x][y]", "shared", "load", bytes,
        Transactions(passes, ideal, "exact", passes, passes), "k", buffer="tile",
        lanes=Lanes(worst=tuple(lanes)), weight=Weight(share=1.0),
    )  # fmt: skip


def kernel(*accesses: Access) -> KernelFacts:
    return KernelFacts("k", FUNCTION, (), {Access: accesses, Workload: ()})


def check(given: Context, *accesses: Access) -> Finding:
    """The one finding in the unit's kernel `k` with these accesses."""
    facts = replace(kernel(*accesses), function=given.unit.functions["k"])
    (finding,) = asked(bank_conflict, facts, given)
    return finding


@pytest.mark.parametrize(
    ("type", "lanes", "bytes", "pad"),
    [
        (Array(Array(FLOAT, 32), 32), [128 * t for t in range(32)], 4, 1),
        (Array(Array(FLOAT, 16), 16), [64 * (t % 16) + 4 * (t // 16) for t in range(32)], 4, 2),
        (Array(Array(DOUBLE, 32), 32), [256 * t for t in range(32)], 8, 1),
        (Array(FLOAT, 1024), [128 * t for t in range(32)], 4, None),
    ],
)
def test_padding(type: Type, lanes: list[int], bytes: int, pad: int | None) -> None:
    finding = check(context(type), access(32, bytes // 4, lanes, bytes))
    assert finding.evidence.get("padding") == pad
    assert ("pad the rows of `tile`" in finding.help) == (pad is not None)


@pytest.mark.parametrize("operation", ["load", "store"])
@pytest.mark.parametrize("bytes", [1, 2, 4, 8, 16])
def test_the_distance_that_is_named_has_no_conflict(bytes: int, operation: Operation) -> None:
    unit, active = max(bytes, 4), np.ones((1, 32), dtype=bool)
    told = 0
    for stride in range(unit, 40 * unit, unit):
        given = access(8, 1, [stride * t for t in range(32)], bytes)
        given = replace(
            given,
            layout=replace(given.layout, lane_stride=stride),
            operation=operation,
            transactions=Transactions(8, 1, "exact", 8, 8),
        )
        more = spacing(given)
        assert more is not None and more % unit == 0
        apart = stride + more
        lanes = np.arange(32)[None, :] * apart
        store = operation == "store"
        served, fewest = (
            wavefronts(lanes, active, bytes, store),
            ideal_wavefronts(lanes, active, bytes, store),
        )
        assert served[0] == fewest[0] == max(1, bytes // 4)
        for finding in asked(bank_conflict, kernel(given), context(Array(FLOAT, 1024))):
            if "place neighbouring lanes" in finding.help:
                told += 1
                assert (
                    f"lanes {apart} bytes apart" in finding.help
                    and f"an odd number of {unit}-byte words" in finding.help
                )
    assert told > 10


def test_what_lies_unevenly_is_not_spaced() -> None:
    uneven = replace(access(8, 1, [64 * (t % 16) + 4 * (t // 16) for t in range(32)]), layout=Layout(64))
    assert spacing(uneven) is None
    assert spacing(replace(uneven, operation="atomic")) is None


def test_interleaving_is_named_where_all_accesses_are_alike() -> None:
    floats = context(Array(FLOAT, 1024))
    own = replace(access(8, 1, [32 * t for t in range(32)]), layout=Layout(32))
    (alone,) = asked(bank_conflict, kernel(own), floats)
    assert "neighbouring words" in alone.help
    across = replace(
        own,
        span=Span("a.cu", 4, 1, 4, 5),
        layout=replace(own.layout, lane_stride=4),
        lanes=replace(own.lanes, worst=tuple(4 * t for t in range(32))),
        transactions=FREE,
    )
    (finding,) = asked(bank_conflict, kernel(own, across), floats)
    assert "neighbouring words" not in finding.help


def test_padding_keeps_vectors_aligned() -> None:
    vectors = replace(access(32, 4, [256 * t for t in range(32)], 16), operation="store")
    finding = check(context(Array(Array(DOUBLE, 32), 32)), vectors)
    assert finding.evidence["padding"] == 2


def test_ways_and_silence() -> None:
    floats = context(Array(FLOAT, 1024))
    (finding,) = asked(bank_conflict, kernel(access(2, 1, [8 * t for t in range(32)])), floats)
    assert finding.evidence["ways"] == 2
    assert list(asked(bank_conflict, kernel(access(1, 1, list(range(0, 128, 4)))), floats)) == []
    assert list(asked(bank_conflict, kernel(access(2, 2, list(range(0, 256, 8)), 8)), floats)) == []
    elsewhere = replace(access(2, 1, [8 * t for t in range(32)]), space="global")
    assert list(asked(bank_conflict, kernel(elsewhere), floats)) == []
    nearly = access(1.03, 1, [4 * t for t in range(32)])
    assert list(asked(bank_conflict, kernel(nearly), floats)) == []


def test_one_finding_an_array_and_distance() -> None:
    one = access(2, 1, [8 * t for t in range(32)])
    store = replace(one, operation="store")
    lower = replace(one, span=Span("a.cu", 4, 1, 4, 5))
    (finding,) = asked(bank_conflict, kernel(one, store, lower), context(Array(FLOAT, 1024)))
    assert "load and store" in finding.message
    assert [related.span.line for related in finding.related] == [4]


def test_queueing_atomics_and_guessed_rows_are_silent() -> None:
    conflict = access(2, 1, [8 * t for t in range(32)])
    guess = Configuration((16, 16, 1), (None, None, None), None, "default", "usual shape", None)
    for quiet in (
        replace(conflict, operation="atomic", layout=replace(conflict.layout, uniform=True)),
        replace(conflict, configuration=guess),
    ):
        assert list(asked(bank_conflict, kernel(quiet), context(Array(FLOAT, 1024)))) == []


def test_padding_must_not_move_the_conflict() -> None:
    tile = context(Array(Array(FLOAT, 16), 16))
    column = access(8, 1, [64 * (t % 16) + 4 * (t // 16) for t in range(32)])
    alone = check(tile, column)
    assert alone.evidence["padding"] == 2
    free = replace(column, span=Span("a.cu", 4, 1, 4, 5), transactions=FREE)
    rows = [replace(free, lanes=replace(free.lanes, worst=tuple(4 * t for t in range(32))))] * 8
    finding = check(tile, column, *rows)
    assert "padding" not in finding.evidence and "pad" not in finding.help


def test_padding_is_of_the_array_of_this_kernel() -> None:
    # two rows of a warp eight rows of four-word vectors apart: no padding that keeps them aligned helps
    rows = access(2, 1, [0] * 16 + [8 * 32] * 16)
    vectors = replace(access(4, 4, [16 * t for t in range(32)], 16), operation="store")
    narrow, wide = Array(Array(FLOAT, 8), 128), Array(Array(FLOAT, 32), 32)
    assert "padding" in check(context(wide), rows, vectors).evidence
    finding = check(context(narrow, wide), rows, vectors)
    assert "padding" not in finding.evidence and "pad" not in finding.help


def test_rows_of_threads_that_meet() -> None:
    block = Configuration((8, 32, 1), (None, None, None), None, "default", "launch", None)
    rows = replace(
        access(4, 1, [128 * (t // 8) + 4 * (t % 8) for t in range(32)]), layout=Layout(4), configuration=block
    )
    floats = context(Array(FLOAT, 1024))
    (finding,) = asked(bank_conflict, kernel(rows), floats)
    assert "4 rows of 8 threads" in finding.notes[0]
    assert "blockDim.x" in finding.help
    # two rows that overlap by a word: its impact says how little that is
    slight = replace(rows, transactions=Transactions(2, 1, "exact", 2, 2))
    assert len(list(asked(bank_conflict, kernel(slight), floats))) == 1


def test_one_lane_and_wide_bounds_are_silent() -> None:
    conflict = access(4, 1, [16 * t for t in range(32)])
    floats = context(Array(FLOAT, 1024))
    few = replace(conflict, lanes=replace(conflict.lanes, active=1.0))
    assert list(asked(bank_conflict, kernel(few), floats)) == []
    open_ended = replace(conflict, transactions=Transactions(16, 1, "bounded", 7, 32))
    assert list(asked(bank_conflict, kernel(open_ended), floats)) == []
