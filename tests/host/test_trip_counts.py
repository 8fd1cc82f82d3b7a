"""How often loops run, where calls of CUDA stand in them; and what calls say of places."""

from pathlib import Path

import pytest

from cudalint.analyses.trip_counts import counted
from cudalint.frontend import load
from cudalint.host.facts import HostFacts, Place
from cudalint.host.model import run


def facts(body: str, folder: Path) -> HostFacts:
    file = folder / "a.cu"
    file.write_text(
        "#include <cuda_runtime.h>\n__global__ void k(float *a) { a[threadIdx.x] = 1.0f; }\n"
        "void f(float *d, float *h, int n)\n{\n" + body + "\n}\n"
    )
    return run(load(str(file)))


@pytest.mark.parametrize(
    ("head", "count"),
    [
        ("for (int i = 0; i < 100; ++i)", 100),
        ("for (int i = 0; i <= 100; i += 3)", 34),
        ("for (int i = 9; i > 0; i--)", 9),
        ("for (int i = 9; i >= 0; i -= 2)", 5),
        ("for (int i = 0; i != 12; i += 4)", 3),
        ("for (int i = 0; i < n; ++i)", None),
        ("while (n--)", None),
        ("for (int i = 1; i < 100; i *= 2)", 7),
        ("for (int i = 1; i <= 64; i = i * 4)", 4),
        ("for (int i = 7; i <= 7; i <<= 1)", 1),
        ("for (int i = 64; i > 0; i >>= 1)", 7),
        ("for (int i = 9; i >= 1; i /= 3)", 3),
        ("for (int i = 0; i < 9; i *= 2)", None),
        ("for (int i = 1; i < 100; i *= n)", None),
        ("for (int i = 0; i < 9; i = i + 2)", 5),
    ],
)
def test_rounds_of_a_counting_loop(head: str, count: int | None, tmp_path: Path) -> None:
    (loop,) = facts(f"{head} k<<<1, 32>>>(d);", tmp_path).rounds
    assert (loop.count, loop.exits) == (count, False)


def test_a_loop_that_may_end_sooner_and_one_that_changes_its_counter(tmp_path: Path) -> None:
    body = """for (int i = 0; i < 9; ++i) { k<<<1, 32>>>(d); if (n) break; }
              for (int i = 0; i < 9; ++i) { k<<<1, 32>>>(d); i += n; }"""
    first, second = facts(body, tmp_path).rounds
    assert (first.count, first.exits) == (9, True)
    assert second.count is None


def test_rounds_agree_with_running_the_loop() -> None:
    for start in range(-3, 4):
        for limit in range(-3, 4):
            for by in (-2, -1, 1, 2):
                values = [start + i * by for i in range(20)]
                for operator, holds in (
                    ("<", int.__lt__),
                    ("<=", int.__le__),
                    (">", int.__gt__),
                    (">=", int.__ge__),
                ):
                    if (operator[0] == "<") == (by > 0):
                        runs = [holds(v, limit) for v in values].index(False)
                        assert counted(start, limit, operator, by, "+") == runs


def test_places_of_copies(tmp_path: Path) -> None:
    body = """cudaMalloc(&d, 4096);
              cudaMemcpy(d + 4, h, 16, cudaMemcpyHostToDevice);
              for (int i = 0; i < n; ++i) cudaMemset(d + i * 8, 0, 32);"""
    _, copy, *clears = facts(body, tmp_path).calls
    assert (copy.source_place, copy.destination_place) == (Place(0), Place(16))
    assert [clear.destination_place for clear in clears] == [Place(None, 32, 32 * i) for i in range(4)]


def test_events_and_devices_are_calls(tmp_path: Path) -> None:
    body = "cudaEvent_t e; cudaSetDevice(n); cudaEventCreate(&e); cudaEventDestroy(e);"
    calls = facts(body, tmp_path).calls
    assert [(c.kind, c.event) for c in calls] == [
        ("other", ""),
        ("event-create", "e"),
        ("event-destroy", "e"),
    ]


def test_what_the_host_does_with_copied_memory(tmp_path: Path) -> None:
    body = """float a[4], b[4], c[4];
              cudaMemcpy(a, d, 16, cudaMemcpyDeviceToHost);
              cudaMemcpy(b, d, 16, cudaMemcpyDeviceToHost);
              cudaMemcpy(c, d, 16, cudaMemcpyDeviceToHost);
              a[0] += 1.0f;
              b[1] = 2.0f;
              k<<<1, 32>>>(d);"""
    host = facts(body, tmp_path)
    names = {c.destination.id: c.destination.name for c in host.calls if c.destination is not None}
    assert {(names[u.buffer], u.order, u.write) for u in host.uses} == {
        ("a", 3, False),
        ("a", 3, True),
        ("b", 3, True),
    }


def test_uses_of_every_iteration_that_is_run_are_logged(tmp_path: Path) -> None:
    body = """float a[4];
              for (int i = 0; i < n; ++i) {
                  a[0] = 0.0f;
                  cudaMemcpy(a, d, 16, cudaMemcpyDeviceToHost);
              }"""
    found = facts(body, tmp_path)
    assert [c.iteration for c in found.calls] == [0, 1, 2, 3]
    assert [(u.order, u.write) for u in found.uses] == [(order, True) for order in range(4)]
