"""The rules on launch shapes at their edges."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from cudalint.gpu.capabilities import ROWS, limits
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context
from cudalint.rules.launch import invalid_block, partial_warp_block, underfilled_grid
from cudalint.significance.impact import Basis, Impact
from cudalint.simt.facts.branches.branch import Branch, LoopTrips
from cudalint.simt.launch.configuration import Configuration
from cudalint.source.span import Span

HERE = Span("a.cu", 1, 1, 1, 20)
ONE = e.Literal(1, t.INT, HERE)
LAUNCH = LaunchFact(
    key="k",
    name="k",
    span=HERE,
    grid=(800, 1, 1),
    block=(32, 1, 1),
    dynamic_shared_bytes=0,
    stream="default",
    arguments=(),
    expression=e.Launch("k", "k", ONE, ONE, None, None, (), t.VOID, HERE),
    function="main",
)


def context(line: str = "", arch: int = 90) -> Context:
    block, extent = (e.Builtin(name, "x", t.UINT, HERE) for name in ("blockIdx", "blockDim"))
    reads = e.Binary("*", block, extent, t.UINT, HERE)
    kernel = Function("k", "k", "k", (), s.Block((s.Evaluate(reads, HERE),), HERE), t.VOID, HERE, HERE, True)
    unit = Unit("a.cu", f"sm_{arch}", {"k": kernel}, {}, {}, ("k",), (), ())
    return Context(unit, (), HostFacts((), (), ()), arch, {"a.cu": (line,)})


def launched(launch: LaunchFact) -> HostFacts:
    return HostFacts((launch,), (), ())


def only(found: Iterator[Finding]) -> Finding:
    (finding,) = found
    return finding


@pytest.mark.parametrize(
    ("block", "better"),
    [
        ((1, 1, 1), (32, 1, 1)),
        ((33, 1, 1), (64, 1, 1)),
        ((200, 1, 1), (224, 1, 1)),
        ((10, 10, 1), (16, 10, 1)),
        ((5, 5, 3), (32, 5, 3)),
        ((3, 16, 1), (4, 16, 1)),
    ],
)
def test_partial_warps(block: tuple[int, int, int], better: tuple[int, int, int]) -> None:
    finding = only(partial_warp_block.check(replace(LAUNCH, block=block), context()))
    threads = block[0] * block[1] * block[2]
    assert finding.evidence["threads"] == threads
    assert finding.evidence["idle"] == -threads % 32
    assert finding.evidence["next"] == better[0] * better[1] * better[2]
    assert finding.evidence["next"] % 32 == 0
    assert partial_warp_block.rounded(block, 32) == better


@pytest.mark.parametrize(
    "change",
    [
        {"block": (32, 1, 1)},
        {"block": (8, 4, 2)},
        {"block": (None, 1, 1)},
        {"block": (33, None, 1)},
        {"block": (0, 1, 1)},
        {"block": (1100, 1, 1)},
        {"block": (33, 1, 1), "reached": False},
    ],
)
def test_whole_or_unknown_warps(change: dict[str, object]) -> None:
    launch = replace(LAUNCH, **change)  # type: ignore[arg-type]
    assert not list(partial_warp_block.check(launch, context()))


@pytest.mark.parametrize(
    ("grid", "lost"), [((1, 1, 1), 0.0), ((800, 1, 1), 1 - 1000 / 1024), ((None, 1, 1), 1 - 1000 / 1024)]
)
def test_partial_warps_are_reported_for_any_grid(grid: tuple[int | None, int, int], lost: float) -> None:
    found = only(partial_warp_block.check(replace(LAUNCH, block=(1000, 1, 1), grid=grid), context()))
    assert found.impact == Impact(0.0, lost, Basis.ISSUE)


def test_the_fix_rounds_a_literal_up_and_is_not_safe() -> None:
    launch = replace(LAUNCH, block=(100, 1, 1), block_expression=Span("a.cu", 1, 8, 1, 12))
    fix = only(partial_warp_block.check(launch, context("k<<<8, 100u>>>(a);"))).fix
    assert fix is not None
    assert not fix.safe
    assert [edit.text for edit in fix.edits] == ["128u"]


def test_there_is_no_fix_for_a_size_that_is_written_elsewhere() -> None:
    launch = replace(LAUNCH, block=(100, 1, 1), block_expression=Span("a.cu", 1, 8, 1, 12))
    assert only(partial_warp_block.check(launch, context("k<<<8, size>>>(a);"))).fix is None
    assert only(partial_warp_block.check(launch, context("k<<<8, 0x64>>>(a);"))).fix is None


@pytest.mark.parametrize(
    ("change", "value", "limit"),
    [
        ({"block": (1025, 1, 1)}, 1025, 1024),
        ({"block": (512, 3, 1)}, 1536, 1024),
        ({"block": (2048, None, 1)}, 2048, 1024),
        ({"block": (1, 1, 65)}, 65, 64),
        ({"block": (0, 1, 1)}, 0, 1),
        ({"grid": (0, 1, 1)}, 0, 1),
        ({"grid": (None, 0, 1)}, 0, 1),
        ({"grid": (1, 65536, 1)}, 65536, 65535),
        ({"grid": (2**31, 1, 1)}, 2**31, 2**31 - 1),
    ],
)
def test_invalid_configurations(change: dict[str, object], value: int, limit: int) -> None:
    launch = replace(LAUNCH, **change)  # type: ignore[arg-type]
    finding = only(invalid_block.check(launched(launch), context()))
    assert (finding.evidence["value"], finding.evidence["limit"]) == (value, limit)
    assert str(value) in finding.message
    assert not list(invalid_block.check(launched(replace(launch, guarded=True)), context()))
    assert not list(invalid_block.check(launched(replace(launch, reached=False)), context()))


@pytest.mark.parametrize(
    "change",
    [
        {"block": (1024, 1, 1)},
        {"block": (4, 4, 64)},
        {"block": (None, None, None), "grid": (None, None, None)},
        {"grid": (2**31 - 1, 65535, 65535)},
    ],
)
def test_the_limits_themselves_are_valid(change: dict[str, object]) -> None:
    launch = replace(LAUNCH, **change)  # type: ignore[arg-type]
    assert not list(invalid_block.check(launched(launch), context()))


@pytest.mark.parametrize(
    ("arch", "change", "limit"),
    [
        (13, {"block": (600, 1, 1)}, 512),
        (13, {"grid": (8, 8, 2)}, 1),
        (20, {"grid": (65536, 1, 1)}, 65535),
        (20, {"block": (1024, 1, 1), "grid": (8, 8, 2)}, None),
        (30, {"grid": (65536, 1, 1)}, None),
    ],
)
def test_limits_are_those_of_the_architecture(
    arch: int, change: dict[str, object], limit: int | None
) -> None:
    launch = replace(LAUNCH, **change)  # type: ignore[arg-type]
    found = list(invalid_block.check(launched(launch), context(arch=arch)))
    assert [finding.evidence["limit"] for finding in found] == ([] if limit is None else [limit])


@pytest.mark.parametrize(
    ("threads", "said"),
    [(1.0, "each thread runs"), (0.999, "each thread runs"), (0.125, "12% of the threads run"),
     (1 / 256, "a few threads run"), (None, "threads run")],
)  # fmt: skip
def test_a_note_says_which_threads_run_the_loop(threads: float | None, said: str) -> None:
    shape = Configuration((32, 1, 1), (4, 1, 1), None, "default", "launch", None)
    loop = Branch(
        HERE, HERE, "loop", "uniform", "i < n", "k", shape, loop=LoopTrips((64, 64), threads=threads)
    )
    few = HostFacts((replace(LAUNCH, grid=(4, 1, 1)),), (), ())
    (finding,) = underfilled_grid.check(few, (loop,), context())
    assert finding.notes[1] == f"{said} a loop of 64 iterations"


def test_every_capability_holds_together() -> None:
    assert [row.arch for row in ROWS] == sorted({row.arch for row in ROWS})
    for row in ROWS:
        assert row.shared_per_block <= row.shared_per_block_optin <= row.shared_per_sm
        assert row.max_threads_per_block <= row.max_threads_per_sm
        assert max(row.max_block) <= row.max_threads_per_block
        assert limits(row.arch) is row
    assert limits(10) is ROWS[0]
    assert limits(999) is ROWS[-1]
    assert limits(88) is limits(87)
