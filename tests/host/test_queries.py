"""What is asked of the calls of a walk: questions that rules on copies, streams and timers put."""

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import HostFacts
from cudalint.host.model import run
from cudalint.host.query.bulk_copies import copied_buffers
from cudalint.host.query.loop_allocations import loop_allocations
from cudalint.host.query.migrations import migrations
from cudalint.host.query.needless_waits import needless_waits
from cudalint.host.query.plain_uploads import plain_uploads
from cudalint.host.query.round_trips import round_trips
from cudalint.host.query.stream_races import races
from cudalint.host.query.timed_launches import unwaited_launches
from cudalint.host.walks import host_side, stream_kinds, walks
from cudalint.ir.unit import Unit

KERNEL = "__global__ void k(float* p) { p[threadIdx.x] += 1.0f; }\n"
BUFFERS = "float* d; float* h = (float*)malloc(4096); cudaMalloc(&d, 4096);\n"


def modelled(tmp_path, body: str) -> tuple[HostFacts, Unit]:
    path = tmp_path / "a.cu"
    path.write_text(
        f"#include <cstdlib>\n#include <cstring>\n#include <ctime>\n{KERNEL}int main() {{\n{body}\n}}\n"
    )
    unit = load(str(path), LoadOptions())
    assert unit.problems == ()
    return run(unit), unit


def test_a_round_trip_ends_where_the_host_uses_the_data(tmp_path):
    down = "cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost);"
    up = "cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice);"
    host, _ = modelled(tmp_path, BUFFERS + down + up)
    (trip,) = round_trips(host)
    assert (trip.down.direction, trip.up.direction, trip.moved) == ("DtoH", "HtoD", None)
    host, _ = modelled(tmp_path, BUFFERS + down + "h[0] = 1.0f;" + up)
    assert list(round_trips(host)) == []


def test_a_round_trip_goes_on_where_the_host_only_moves_the_data(tmp_path):
    down = "float *g = (float *)malloc(4096); cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost);"
    move = "memcpy(g, h, 4096);"
    up = "cudaMemcpy(d, g, 4096, cudaMemcpyHostToDevice);"
    host, _ = modelled(tmp_path, BUFFERS + down + move + up)
    (trip,) = round_trips(host)
    assert trip.moved is not None and trip.moved.name == "memcpy"
    for between in (
        "h[0] = 1.0f;" + move,
        move + "g[0] = 1.0f;",
        "if (rand()) " + move,
        "memcpy(h, g, 4096);",
    ):
        host, _ = modelled(tmp_path, BUFFERS + down + between + up)
        assert list(round_trips(host)) == []


def test_what_a_loop_allocates(tmp_path):
    loop = "for (int i = 0; i < 9; i++) { float* t; cudaMalloc(&t, 64); k<<<1, 16>>>(t); cudaFree(t); }"
    host, _ = modelled(tmp_path, loop)
    (found,) = loop_allocations(host)
    assert found.loop.count == 9
    assert [(pair.made.name, pair.gone.name) for pair in found.pairs] == [("cudaMalloc", "cudaFree")]
    host, _ = modelled(tmp_path, loop.replace("64", "64 * i + 64"))
    assert list(loop_allocations(host)) == []


def test_a_wait_that_a_loop_does_not_need(tmp_path):
    loop = "for (int i = 0; i < 9; i++) {{ k<<<1, 16>>>(d); cudaDeviceSynchronize(); {} }}"
    host, unit = modelled(tmp_path, BUFFERS + loop.format(""))
    (found,) = needless_waits(host, unit)
    assert found.call.name == "cudaDeviceSynchronize" and found.loop.count == 9
    assert {launch.name for launch in found.launches} == {"k"}
    host, unit = modelled(
        tmp_path, BUFFERS + loop.format("cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost); if (h[0] > 1) break;")
    )
    assert list(needless_waits(host, unit)) == []


def test_the_bytes_of_a_buffer_are_summed_over_the_loop(tmp_path):
    loop = "for (int i = 0; i < 9; i++) { cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice); k<<<1, 16>>>(d); }"
    host, unit = modelled(tmp_path, BUFFERS + loop)
    ((call, traffic),) = (entry for walk in copied_buffers(host, unit, 1) for entry in walk)
    assert (traffic.total, traffic.copies, traffic.size) == (9 * 4096, 9, 4096)
    side = host_side(call)
    assert side is not None and side.name == "h"
    ((_, none),) = (entry for walk in copied_buffers(host, unit, 5000) for entry in walk)
    assert none.total == 0


def test_managed_memory_that_goes_to_and_fro(tmp_path):
    body = "float* m; cudaMallocManaged(&m, 4096); for (int i = 0; i < 9; i++) m[i] = 1.0f;{}\n"
    rest = "k<<<1, 16>>>(m); cudaDeviceSynchronize(); return (int)m[0];"
    host, _ = modelled(tmp_path, body.format("") + rest)
    ((migration,),) = [list(migrations(host, calls)) for calls in walks(host)]
    assert (migration.buffer.name, migration.launch.name, migration.changes) == ("m", "k", 2)
    host, _ = modelled(tmp_path, body.format("cudaMemPrefetchAsync(m, 4096, 0, 0);") + rest)
    assert [list(migrations(host, calls)) for calls in walks(host)] == [[]]


def test_the_reader_and_the_writer_of_a_race(tmp_path):
    streams = "cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); float* p;\n"
    pinned = "cudaMallocHost(&p, 4096);\n"
    work = "k<<<1, 16, 0, s>>>(d); cudaMemcpyAsync(p, d, 4096, cudaMemcpyDeviceToHost, t);"
    host, unit = modelled(tmp_path, BUFFERS + streams + pinned + work)
    ((race, *_),) = [list(races(calls, stream_kinds(host), unit)) for calls in walks(host)]
    assert (race.writer.stream, race.reader.stream) == ("s", "t")
    assert (race.earlier, race.later) == (race.writer, race.reader)


def test_a_launch_that_a_clock_does_not_wait_for(tmp_path):
    body = "clock_t start = clock(); k<<<1, 16>>>(d); {} double time = clock() - start; return time > 1;"
    host, unit = modelled(tmp_path, BUFFERS + body.format(""))
    (found,) = unwaited_launches(host, unit)
    assert [launch.name for launch in found.launches] == ["k"] and not found.includes_others
    host, unit = modelled(tmp_path, BUFFERS + body.format("cudaDeviceSynchronize();"))
    assert list(unwaited_launches(host, unit)) == []


def test_memory_that_holds_one_value_or_nothing(tmp_path):
    up = "cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice); k<<<4, 256>>>(d);"
    fill = "for (int i = 0; i < 1024; i++) h[i] = "
    for before, value in (
        ("", None),
        ("memset(h, 0, 4096);", 0),
        (fill + "2.5f;", 2.5),
        (fill + "2.5f; memset(h, 0, 4096);", 0),
    ):
        host, unit = modelled(tmp_path, BUFFERS + before + up)
        (found,) = plain_uploads(host, unit)
        assert found.held.value == value
    for before in (
        fill + "i;",
        fill + "2.5f; h[rand()] = 1.0f;",
        "h[rand()] = 2.0f; memset(h, 0, 2048);",
        "cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost);",
        "float *g = (float *)(size_t(h) & 64); g[0] = 1.0f;",
        "k<<<4, 256>>>(h);",
        "void other(float *); other(h);",
    ):
        host, unit = modelled(tmp_path, BUFFERS + before + up)
        assert list(plain_uploads(host, unit)) == [], before


def test_copies_between_vectors(tmp_path):
    path = tmp_path / "a.cu"
    path.write_text(
        """#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
int main()
{
    thrust::host_vector<float> h(1024, 0.0f);
    thrust::device_vector<float> d = h, e(1024);
    e = d;
    thrust::copy(e.begin(), e.end(), h.begin());
    thrust::copy(h.begin(), h.begin() + 512, e.begin());
    thrust::host_vector<float> g = h;
}
"""
    )
    unit = load(str(path), LoadOptions())
    assert unit.problems == ()
    copies = [call for call in run(unit).calls if call.kind == "copy"]
    told = [(call.direction, call.bytes, call.blocking) for call in copies]
    assert told == [
        ("HtoD", 4096, True),
        ("DtoD", 4096, False),
        ("DtoH", 4096, True),
        ("HtoD", None, True),
    ]
