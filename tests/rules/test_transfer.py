"""The rules on copies at their edges, on hand-written calls."""

import pytest
from msgspec.structs import replace

from cudalint.host.facts import Buffer, HostCall, HostFacts, Stream
from cudalint.ir.unit import Unit
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context
from cudalint.rules.transfer import async_copy_pageable, blocking_copy
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

A = Buffer(1, "device", 1024, "a", None)
B = Buffer(2, "device", 1024, "b", None)
H = Buffer(3, "pageable", 1024, "h", None)
STREAMS = (Stream("s", "blocking", None), Stream("t", "blocking", None), Stream("n", "non-blocking", None))


def call(kind: str, name: str, **fields: object) -> HostCall:
    made = HostCall(kind, name, Span("a.cu", 1, 1, 1, 5), "main", 0, "default")
    return replace(made, **fields)  # type: ignore[arg-type]


def work(stream: str, *buffers: Buffer, **fields: object) -> HostCall:
    """An asynchronous copy on a stream that uses some buffers."""
    used = {"source": buffers[0], "destination": buffers[-1], "direction": "HtoD", **fields}
    return call("copy", "work", stream=stream, **used)


UPLOAD = call("copy", "cudaMemcpy", blocking=True, direction="HtoD", source=H, destination=B, bytes=64)
DOWNLOAD = call("copy", "cudaMemcpy", blocking=True, direction="DtoH", source=A, destination=H)
QUEUED_CLEAR = call("memset", "cudaMemset", destination=B)
CLEAR = replace(QUEUED_CLEAR, blocking=True)  # of managed memory
SYNC = call("synchronise", "cudaDeviceSynchronize", blocking=True, stream="")


def found(*calls: HostCall) -> list[Finding]:
    ordered = tuple(replace(c, order=i, span=Span("a.cu", i + 1, 1, i + 1, 5)) for i, c in enumerate(calls))
    host = HostFacts((), ordered, STREAMS)
    return list(
        blocking_copy.check(host, Context(Unit("a.cu", "sm_90", {}, {}, {}, (), (), ()), (), host, 90))
    )


@pytest.mark.parametrize(
    "calls",
    [
        (work("s", A), UPLOAD, work("s", A)),
        (work("n", A), UPLOAD, work("n", A)),
        (work("s", A), CLEAR, work("t", A)),
        (work("s", B), DOWNLOAD, work("s", B)),
        (work("per-thread", A), UPLOAD, work("per-thread", A)),
    ],
)
def test_between_work(calls: tuple[HostCall, ...]) -> None:
    (finding,) = found(*calls)
    assert finding.span.line == 2
    assert [item.span.line for item in finding.related] == [1, 3]


@pytest.mark.parametrize(
    "calls",
    [
        (UPLOAD, work("s", A)),
        (work("s", A), UPLOAD),
        (work("default", A), UPLOAD, work("default", A)),
        (work("unknown", A), UPLOAD, work("unknown", A)),
        (work("s", A), SYNC, UPLOAD, work("s", A)),
        (work("n", A), CLEAR, work("n", A)),
        (work("s", A), QUEUED_CLEAR, work("t", A)),
        (work("s", A), DOWNLOAD, work("s", A)),
        (work("s", A), replace(SYNC, stream="s"), UPLOAD, work("t", A)),
        (work("s", A, conditions=(1,)), UPLOAD, work("s", A)),
        (work("s", A), UPLOAD, work("s", A, conditions=(1,))),
        (work("s", A), replace(UPLOAD, captured=True), work("s", A)),
        (work("s", A, direction="DtoD"), CLEAR, work("s", A)),
    ],
)
def test_nothing_to_overlap(calls: tuple[HostCall, ...]) -> None:
    assert not found(*calls)


def test_a_result_that_the_host_reads_at_once_is_waited_for() -> None:
    needed = replace(DOWNLOAD, read_at=2)
    assert not found(work("s", B), needed, work("s", B))
    assert found(work("s", B), replace(DOWNLOAD, read_at=4), work("s", B))


def test_a_loop_that_is_told_once_meets_its_own_start() -> None:
    inside = {"loop": 1, "loop_id": 1, "loops": (1,)}
    assert found(replace(UPLOAD, **inside), work("s", A, **inside))  # type: ignore[arg-type]
    once = {**inside, "iteration": 0}
    assert not found(replace(UPLOAD, **once), work("s", A, **once))  # type: ignore[arg-type]


COPY = call(
    "copy", "cudaMemcpyAsync", direction="HtoD", source=H, destination=A, host_space="pageable", stream="s"
)


BESIDE = replace(work("t", B, direction="DtoD"), span=Span("a.cu", 9, 1, 9, 5))


def pageable(*calls: HostCall) -> list[Finding]:
    """What is said of copies, with work on another stream behind them."""
    return pageable_alone(*calls, BESIDE)


def pageable_alone(*calls: HostCall) -> list[Finding]:
    host = HostFacts((), tuple(replace(c, order=order) for order, c in enumerate(calls)), STREAMS)
    context = Context(Unit("a.cu", "sm_90", {}, {}, {}, (), (), ()), (), host, 90)
    return list(async_copy_pageable.check(host, context))


@pytest.mark.parametrize("direction", ["HtoD", "DtoH"])
def test_pageable_copies(direction: str) -> None:
    (finding,) = pageable(replace(COPY, direction=direction, bytes=1 << 20, host_name="h"))
    assert finding.evidence["direction"] == direction
    assert "1,048,576 bytes" in finding.notes[0]
    assert finding.severity is Severity.WARNING


@pytest.mark.parametrize("space", ["pinned", "write-combined", "mapped", "managed", "device", "unknown"])
def test_other_spaces_are_fine(space: str) -> None:
    assert not pageable(replace(COPY, host_space=space))  # type: ignore[arg-type]


def test_blocking_and_device_copies_are_fine() -> None:
    assert not pageable(replace(COPY, blocking=True))
    assert not pageable(replace(COPY, direction="DtoD"))
    assert not pageable(replace(COPY, direction=""))
    assert not pageable(replace(COPY, captured=True))


def test_a_scalar_saves_less_than_a_large_copy() -> None:
    (scalar,) = pageable(replace(COPY, direction="DtoH", bytes=4))
    (large,) = pageable(replace(COPY, direction="DtoH", bytes=64 << 20))
    assert scalar.impact is not None and large.impact is not None
    assert scalar.impact.high < large.impact.low


def test_a_small_copy_to_the_device_returns_at_once() -> None:
    assert not pageable(replace(COPY, bytes=65_536))
    assert pageable(replace(COPY, bytes=65_537))


def test_a_size_that_changes_is_not_told() -> None:
    (finding,) = pageable(replace(COPY, bytes=1 << 20), replace(COPY, bytes=1 << 21))
    assert finding.evidence["bytes"] is None
    assert not pageable(replace(COPY, bytes=64), replace(COPY, bytes=128))


def test_a_copy_with_nothing_beside_it_is_not_told() -> None:
    wait = replace(SYNC, name="cudaStreamSynchronize", stream="s", span=Span("a.cu", 2, 1, 2, 5))
    assert not pageable_alone(COPY)
    assert not pageable_alone(COPY, replace(BESIDE, stream="s"))
    assert not pageable_alone(COPY, replace(BESIDE, stream="unknown"))
    assert not pageable_alone(BESIDE, COPY)
    assert not pageable(COPY, wait)
    assert not pageable(COPY, SYNC)
    assert pageable(COPY, replace(wait, stream="t"))
    assert not pageable_alone(COPY, replace(BESIDE, direction="HtoD"))
    assert pageable_alone(COPY, replace(BESIDE, direction="DtoH"))


def test_a_stream_of_every_round_is_another_one_only_in_the_next() -> None:
    inside = {"loop": 1, "loop_id": 1, "loops": (1,), "stream": "s[?]"}
    copy, kernel = replace(COPY, **inside), replace(BESIDE, **inside)  # type: ignore[arg-type]
    assert pageable_alone(copy, kernel)
    assert not pageable_alone(copy, replace(kernel, loop=0, loop_id=-1, loops=()))
    assert not pageable_alone(copy, replace(kernel, direction="HtoD"))
    assert not pageable_alone(*(replace(c, iteration=0) for c in (copy, kernel)))


def test_a_copy_of_unknown_size_has_a_wide_impact() -> None:
    (unknown,), (known,) = pageable(COPY), pageable(replace(COPY, bytes=64 << 20))
    assert unknown.impact is not None and known.impact is not None
    assert unknown.impact.high - unknown.impact.low > known.impact.high - known.impact.low


def test_the_host_works_beside_a_large_result_of_a_loop() -> None:
    result = replace(COPY, direction="DtoH", bytes=1 << 20, loop=1, loop_id=1, loops=(1,))
    prepare = call("host-work", "prepare", loop=1, loop_id=1, loops=(1,))
    wait = replace(SYNC, loop=1, loop_id=1, loops=(1,))
    assert pageable_alone(result, prepare, wait)
    assert not pageable_alone(replace(result, bytes=1 << 10), prepare, wait)
    assert not pageable_alone(replace(result, direction="HtoD"), prepare, wait)
    assert not pageable_alone(result, wait, prepare, SYNC)
    assert not pageable_alone(replace(result, loop=0, loops=()), replace(prepare, loop=0, loops=()), SYNC)


def test_a_result_that_is_read_without_a_wait_counts_on_the_copy() -> None:
    result = replace(COPY, direction="DtoH", read_at=2)
    assert not pageable(result, SYNC)
    assert not pageable_alone(result, BESIDE, SYNC)
    assert pageable_alone(replace(result, read_at=3), BESIDE, SYNC)
