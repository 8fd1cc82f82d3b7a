"""Memory spaces, sizes, streams and the ordered calls of the host model."""

from pathlib import Path

import pytest

from cudalint.frontend import load
from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.model import run

PRELUDE = """\
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <memory>
#include <vector>
__global__ void k(float *a) { a[threadIdx.x] = 1; }
__constant__ float table[16];
void consume(const float *p);
"""


def facts(tmp_path: Path, body: str) -> HostFacts:
    """What `main` with this body does."""
    path = tmp_path / "a.cu"
    path.write_text(f"{PRELUDE}int main(int argc, char **argv)\n{{\n    float *d;\n{body}\n}}\n")
    unit = load(str(path))
    assert not unit.problems
    return run(unit)


def of_kind(found: HostFacts, kind: str) -> list[HostCall]:
    return [call for call in found.calls if call.kind == kind]


@pytest.mark.parametrize(
    ("made", "space", "bytes_"),
    [
        ("float *h = (float *)malloc(400);", "pageable", 400),
        ("float *h = (float *)calloc(100, 4);", "pageable", 400),
        ("float *h = new float[100];", "pageable", 400),
        ("float h[100];", "pageable", 400),
        ("static float h[100];", "pageable", 400),
        ("std::vector<float> v(100); float *h = v.data();", "pageable", 400),
        ("std::vector<float> v; v.resize(100); float *h = &v[0];", "pageable", 400),
        ("auto u = std::make_unique<float[]>(100); float *h = u.get();", "pageable", 400),
        ("std::unique_ptr<float[]> u(new float[100]); float *h = u.get();", "pageable", 400),
        ("float *h; cudaMallocHost(&h, 400);", "pinned", 400),
        ("float *h; cudaMallocHost((void **)&h, 400);", "pinned", 400),
        ("float *h; cudaHostAlloc(&h, 400, cudaHostAllocDefault);", "pinned", 400),
        ("float *h; cudaHostAlloc(&h, 400, cudaHostAllocMapped);", "mapped", 400),
        ("float *h; cudaHostAlloc(&h, 400, cudaHostAllocWriteCombined);", "write-combined", 400),
        ("float *h; cudaHostAlloc(&h, 400, argc);", "unknown", 400),
        ("float *h; cudaMallocManaged(&h, 400);", "managed", 400),
        ("float *h = (float *)malloc(400); cudaHostRegister(h, 400, 0);", "pinned", 400),
        (
            "float *h = (float *)malloc(400); cudaHostRegister(h, 400, 0); cudaHostUnregister(h);",
            "pageable",
            400,
        ),
        ("float *h = (float *)malloc(400); if (argc > 1) cudaHostRegister(h, 400, 0);", "unknown", 400),
        (
            "float *p, *h = (float *)malloc(400); cudaMallocHost(&p, 400); if (argc > 1) h = p;",
            "unknown",
            None,
        ),
        ("float *h = (float *)argv;", "host", None),
        ("extern float *somewhere(); float *h = somewhere();", "host", None),
    ],
)
def test_memory_spaces(tmp_path: Path, made: str, space: str, bytes_: int | None) -> None:
    (copy,) = of_kind(facts(tmp_path, f"{made}\n cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice);"), "copy")
    assert copy.host_space == space
    if copy.source is not None and space != "unknown":
        assert copy.source.bytes == bytes_


@pytest.mark.parametrize(
    "call",
    [
        "cudaMalloc(&d, 64)",
        "cudaMalloc((void **)&d, 16 * sizeof(float))",
        "cudaMallocAsync(&d, 64, 0)",
    ],
)
def test_device_memory(tmp_path: Path, call: str) -> None:
    (fact,) = facts(tmp_path, f"{call}; k<<<1, 32>>>(d);").launches
    assert fact.arguments is not None
    buffer = fact.arguments[0].buffer
    assert buffer is not None
    assert (buffer.space, buffer.bytes, buffer.name) == ("device", 64, "d")


def test_pitched_memory_has_an_aligned_pitch(tmp_path: Path) -> None:
    found = facts(tmp_path, "size_t p; cudaMallocPitch(&d, &p, 100, 10); k<<<p, 32>>>(d + p / 4);")
    (fact,) = found.launches
    assert fact.grid == (None, 1, 1)
    assert fact.arguments is not None
    assert fact.arguments[0].offset is None
    assert fact.arguments[0].buffer is not None


def test_directions_sizes_and_blocking(tmp_path: Path) -> None:
    body = """
    float *e, *h = (float *)malloc(64);
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMalloc(&d, 64);
    cudaMalloc(&e, 64);
    cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice);
    cudaMemcpy(h, d, 32, cudaMemcpyDefault);
    cudaMemcpy(e, d, 16, cudaMemcpyDeviceToDevice);
    cudaMemcpyAsync(d, h, 8 * argc, cudaMemcpyHostToDevice, s);
    cudaMemcpy2DAsync(d, 16, h, 8, 8, 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyToSymbol(table, h, 64);
    cudaMemcpyFromSymbol(h, table, 60);
    cudaMemset(d, 0, 64);
    cudaMallocManaged(&d, 64);
    cudaMemset(d, 0, 32);
    cudaMemsetAsync(d, 0, 32, s);
    """
    found = facts(tmp_path, body)
    copies = [(c.direction, c.bytes, c.blocking, c.stream) for c in of_kind(found, "copy")]
    assert copies == [
        ("HtoD", 64, True, "default"),
        ("DtoH", 32, True, "default"),
        ("DtoD", 16, False, "default"),
        ("HtoD", None, False, "s"),
        ("HtoD", 32, False, "s"),
        ("HtoD", 64, True, "default"),
        ("DtoH", 60, True, "default"),
    ]
    memsets = [(c.bytes, c.stream, c.blocking) for c in of_kind(found, "memset")]
    assert memsets == [(64, "default", False), (32, "default", True), (32, "s", False)]
    assert [call.order for call in found.calls] == list(range(len(found.calls)))


def test_streams_and_their_kinds(tmp_path: Path) -> None:
    body = """
    cudaStream_t a, b, c[2], e;
    cudaStreamCreate(&a);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    for (int i = 0; i < 2; ++i) cudaStreamCreateWithPriority(&c[i], cudaStreamDefault, i);
    e = b;
    k<<<1, 32, 0, a>>>(d);
    k<<<1, 32, 0, e>>>(d);
    k<<<1, 32, 0, c[1]>>>(d);
    k<<<1, 32, 0, c[argc % 2]>>>(d);
    k<<<1, 32, 0, cudaStreamPerThread>>>(d);
    k<<<1, 32, 0, cudaStreamLegacy>>>(d);
    k<<<1, 32>>>(d);
    k<<<1, 32, 0, argc > 1 ? a : b>>>(d);
    """
    found = facts(tmp_path, body)
    assert {s.name: s.kind for s in found.streams} == {
        "a": "blocking",
        "b": "non-blocking",
        "c[0]": "blocking",
        "c[1]": "blocking",
    }
    streams = [call.stream for call in of_kind(found, "launch")]
    assert streams == ["a", "b", "c[1]", "c[?]", "per-thread", "default", "default", "unknown"]


def test_events_and_synchronisation(tmp_path: Path) -> None:
    body = """
    cudaStream_t a, b;
    cudaEvent_t done;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&done);
    k<<<1, 32, 0, a>>>(d);
    cudaEventRecord(done, a);
    cudaStreamWaitEvent(b, done, 0);
    cudaEventSynchronize(done);
    cudaStreamSynchronize(b);
    cudaDeviceSynchronize();
    """
    found = facts(tmp_path, body)
    (record,) = of_kind(found, "event-record")
    (wait,) = of_kind(found, "event-wait")
    assert (record.event, record.stream) == ("done", "a")
    assert (wait.event, wait.stream) == ("done", "b")
    waits = [(c.name, c.event, c.stream, c.blocking) for c in of_kind(found, "synchronise")]
    assert waits == [
        ("cudaEventSynchronize", "done", "", True),
        ("cudaStreamSynchronize", "", "b", True),
        ("cudaDeviceSynchronize", "", "", True),
    ]


def test_loops_and_branches_of_calls(tmp_path: Path) -> None:
    body = """
    for (int i = 0; i < argc; ++i) {
        cudaMalloc(&d, 4);
        for (int j = 0; j < 2; ++j) k<<<1, 32>>>(d);
        if (argc > 5) cudaFree(d);
        else cudaDeviceSynchronize();
    }
    """
    found = facts(tmp_path, body)
    allocate, *_ = of_kind(found, "allocate")
    first, second, *_ = of_kind(found, "launch")
    free, *_ = of_kind(found, "free")
    synchronise, *_ = of_kind(found, "synchronise")
    assert (allocate.loop, allocate.iteration, allocate.conditional) == (1, 0, False)
    assert (first.loop, first.iteration, second.iteration) == (2, 0, 1)
    assert first.loops[0] == allocate.loop_id
    assert len(free.conditions) == len(synchronise.conditions) == 1
    assert free.conditions != synchronise.conditions


def test_the_first_read_of_a_copy_is_noted(tmp_path: Path) -> None:
    body = """
    float h[4], g[4];
    cudaMalloc(&d, 16);
    cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
    cudaMemcpy(g, d, 16, cudaMemcpyDeviceToHost);
    k<<<1, 32>>>(d);
    if (h[0] > 0) k<<<1, 32>>>(d);
    consume(g);
    """
    found = facts(tmp_path, body)
    first, second = of_kind(found, "copy")
    launches = of_kind(found, "launch")
    assert first.read_at == launches[0].order + 1
    assert second.read_at == launches[1].order + 1


def test_a_graph_capture_records(tmp_path: Path) -> None:
    body = """
    cudaStream_t s;
    cudaGraph_t graph;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    k<<<1, 32, 0, s>>>(d);
    cudaStreamEndCapture(s, &graph);
    k<<<1, 32, 0, s>>>(d);
    """
    assert [call.captured for call in of_kind(facts(tmp_path, body), "launch")] == [True, False]


def test_failure_branches_of_checks_are_not_taken(tmp_path: Path) -> None:
    body = """
    int threads = 32;
    if (cudaMalloc(&d, 64) != cudaSuccess) threads = 64;
    cudaError_t status = cudaDeviceSynchronize();
    if (status) return 1;
    k<<<1, threads>>>(d);
    """
    (fact,) = facts(tmp_path, body).launches
    assert fact.block == (32, 1, 1)
    assert not of_kind(facts(tmp_path, body), "launch")[0].conditional


def test_a_library_call_may_write_what_it_is_handed(tmp_path: Path) -> None:
    body = """
    int n = 32, m = 32;
    float *p = (float *)malloc(4);
    consume(p);
    sscanf(argv[1], "%d", &n);
    k<<<n, m>>>(d);
    """
    found = facts(tmp_path, "extern int sscanf(const char *, const char *, ...);\n" + body)
    assert found.launches[0].grid == (None, 1, 1)
    assert found.launches[0].block == (32, 1, 1)
    assert "consume" in [call.name for call in of_kind(found, "host-work")]


def test_a_static_variable_is_made_once(tmp_path: Path) -> None:
    """Two calls of a function copy from one buffer of its own, which only the first one allocates."""
    path = tmp_path / "a.cu"
    path.write_text(
        PRELUDE
        + """
static float *own()
{
    static float *kept = (float *)malloc(400);
    return kept;
}
struct Room {
    float *h;
    Room() { cudaMallocHost(&h, 800); }
};
static Room &room()
{
    static Room made;
    return made;
}
int main()
{
    float *d;
    cudaMalloc(&d, 400);
    cudaMemcpy(d, own(), 400, cudaMemcpyHostToDevice);
    cudaMemcpy(d, own(), 400, cudaMemcpyHostToDevice);
    cudaMemcpy(d, room().h, 400, cudaMemcpyHostToDevice);
    cudaMemcpy(d, room().h, 400, cudaMemcpyHostToDevice);
    return 0;
}
"""
    )
    found = run(load(str(path)))
    sources = [call.source for call in of_kind(found, "copy")]
    assert None not in sources and sources[0] == sources[1] != sources[2] == sources[3]
    assert [call.name for call in of_kind(found, "allocate")] == ["cudaMalloc", "cudaMallocHost"]
    assert [call.host_space for call in of_kind(found, "copy")] == ["pageable"] * 2 + ["pinned"] * 2


@pytest.mark.parametrize(
    "body",
    [
        "if (!sent) { cudaMemset(d, 0, 4); sent = true; }",
        "if (sent) continue; cudaMemset(d, 0, 4); sent = true;",
        "bool first = !sent; if (first) cudaMemset(d, 0, 4); sent = sent || first;",
    ],
)
def test_what_a_flag_lets_through_once(tmp_path: Path, body: str) -> None:
    """Each iteration of a loop of unknown length goes on from the flag that the one before left."""
    found = facts(tmp_path, f"bool sent = false; for (int i = 0; i < argc; i++) {{ {body} }}")
    assert [call.iteration for call in of_kind(found, "memset")] == [0]


def test_a_flag_that_changes_to_and_fro(tmp_path: Path) -> None:
    body = "if (odd) cudaMemset(d, 0, 4); odd = !odd;"
    found = facts(tmp_path, f"bool odd = false; for (int i = 0; i < argc; i++) {{ {body} }}")
    assert [call.iteration for call in of_kind(found, "memset")] == [1, 3]


def test_a_flag_that_data_sets_is_not_known(tmp_path: Path) -> None:
    body = "if (!sent) cudaMemset(d, 0, 4); if (atoi(argv[i])) sent = true;"
    found = facts(tmp_path, f"bool sent = false; for (int i = 0; i < argc; i++) {{ {body} }}")
    assert all(call.conditions for call in of_kind(found, "memset"))
    assert len(of_kind(found, "memset")) > 1


@pytest.mark.parametrize("change", ["flag = !flag;", "flag = true;"])
def test_a_flag_is_not_known_after_a_loop_of_unknown_length(tmp_path: Path, change: str) -> None:
    loop = f"for (int i = 0; i < argc; i++) {{ k<<<1, 32>>>(d); {change} }}"
    found = facts(tmp_path, f"bool flag = false; {loop} if (flag) cudaMemset(d, 0, 4);")
    (memset,) = of_kind(found, "memset")
    assert memset.conditions


def test_a_reference_that_a_condition_chooses_is_no_copy(tmp_path: Path) -> None:
    body = """
    struct Half { cudaStream_t stream; int used = 0; } left, right;
    cudaStreamCreate(&left.stream);
    cudaStreamCreate(&right.stream);
    Half &chosen = argc > 5 ? left : right;
    chosen.used = 4;
    cudaMalloc(&d, 100);
    if (left.used != 0) cudaMemset(d, 0, 4);
    cudaMemsetAsync(d, 0, 4, chosen.stream);
"""
    first, second = of_kind(facts(tmp_path, body), "memset")
    assert first.conditional  # it may have been the other one
    assert second.stream == "unknown"
