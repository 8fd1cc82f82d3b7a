"""The timeline of a steady iteration: rows, waits and overlaps of small programs, with given costs."""

from pathlib import Path

import pytest

from cudalint.frontend import load
from cudalint.host.facts import HostCall
from cudalint.host.model import run
from cudalint.host.timeline import HOST, Cost, Timeline, timelines

PRELUDE = """\
__global__ void k(float *p) { p[threadIdx.x] += 1.0f; }
int main(int argc, char **argv) {
    cudaStream_t s[2];
    float *d, *h;
    cudaMalloc(&d, 1 << 20);
    cudaMallocHost(&h, 1 << 20);
    for (int i = 0; i < 2; i++) cudaStreamCreate(&s[i]);
"""
CHUNK = """\
    for (int i = 0; i < argc; i++) {
        COPY
        k<<<1024, 256, 0, s[i % 2]>>>(d);
    }
}
"""


def costs(call: HostCall) -> Cost:
    """A second for the host, 10 for a copy, 20 for a kernel."""
    match call.kind:
        case "copy":
            return Cost(1, 10, "HtoD" if call.direction == "HtoD" else "DtoH")
        case "launch":
            return Cost(1, 20, "kernels")
    return Cost(1)


def timeline(tmp_path: Path, body: str) -> Timeline:
    path = tmp_path / "a.cu"
    path.write_text(PRELUDE + body)
    unit = load(str(path))
    assert not unit.problems
    (found,) = timelines(run(unit), costs)
    return found


def test_a_copy_on_a_stream_runs_beside_the_kernel_of_the_other(tmp_path):
    copy = "cudaMemcpyAsync(d, h, 4096, cudaMemcpyHostToDevice, s[i % 2]);"
    found = timeline(tmp_path, CHUNK.replace("COPY", copy))
    assert found.iterations == 2
    assert found.seconds == pytest.approx(40)  # the kernels, one after the other
    (one,) = [row for row in found.rows if row.name == "s[0]"]
    copies = [bar for bar in one.bars if bar.call.kind == "copy"]
    assert any(other.call.kind == "launch" for bar in copies for other in found.beside(one, bar))


def test_a_blocking_copy_leaves_nothing_beside_it(tmp_path):
    copy = "cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice);"
    found = timeline(tmp_path, CHUNK.replace("COPY", copy))
    assert found.seconds == pytest.approx(2 * (1 + 10 + 20))
    (row,) = [row for row in found.rows if row.name == "default"]
    assert not any(found.beside(row, bar) for bar in row.bars)
    (wait,) = row.bars[0].waits
    assert (wait.why, wait.on.name) == ("default stream", "k")


def test_what_the_host_waits_for(tmp_path):
    body = "for (int i = 0; i < argc; i++) { k<<<1, 32, 0, s[0]>>>(d); cudaStreamSynchronize(s[0]); }\n}\n"
    found = timeline(tmp_path, body)
    assert (found.iterations, found.rows[0].name) == (1, HOST)
    launch, wait = found.rows[0].bars
    assert launch.waits == ()
    assert [(one.why, one.on.name) for one in wait.waits] == [("host", "k")]
    assert found.seconds == pytest.approx(21)


def test_an_event_of_another_stream(tmp_path):
    body = """\
    cudaEvent_t e;
    cudaEventCreate(&e);
    for (int i = 0; i < argc; i++) {
        cudaMemcpyAsync(d, h, 4096, cudaMemcpyHostToDevice, s[0]);
        cudaEventRecord(e, s[0]);
        cudaStreamWaitEvent(s[1], e, 0);
        k<<<1, 32, 0, s[1]>>>(d);
    }
}
"""
    found = timeline(tmp_path, body)
    (row,) = [row for row in found.rows if row.name == "s[1]"]
    kernels = [bar for bar in row.bars if bar.call.name == "k"]
    assert kernels and all(bar.end - bar.start == pytest.approx(20) for bar in kernels)
    assert {one.name for one in found.rows} == {HOST, "s[0]", "s[1]"}


def test_a_program_without_a_loop_is_one_window(tmp_path):
    found = timeline(tmp_path, "k<<<1, 32>>>(d);\ncudaDeviceSynchronize();\n}\n")
    assert found.loop is None
    assert [bar.call.name for bar in found.rows[1].bars] == ["k"]
