"""What fixes of host code save: small programs whose times are plain arithmetic."""

from pathlib import Path

import pytest

from cudalint.frontend import load
from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.model import run
from cudalint.host.timeline import Cost
from cudalint.significance.host_saving import impact, pinned, queued, without

CODE = """\
__global__ void k(float *p) { p[threadIdx.x] += 1.0f; }
int main(int argc, char **argv) {
    cudaStream_t s[2];
    float *d, *h = new float[1024];
    cudaMalloc(&d, 4096);
    for (int i = 0; i < 2; i++) cudaStreamCreate(&s[i]);
    for (int i = 0; i < argc; i++) {
        BODY
    }
}
"""


def facts(tmp_path: Path, body: str) -> HostFacts:
    path = tmp_path / "a.cu"
    path.write_text(CODE.replace("BODY", body))
    return run(load(str(path)))


def costs(call: HostCall) -> Cost:
    """1 s of the host for each call, 9 s for a kernel and a copy of pageable memory, 3 s of pinned memory."""
    match call.kind:
        case "copy":
            return Cost(1, 9 if call.host_space == "pageable" else 3, "HtoD")
        case "launch":
            return Cost(1, 9, "kernels")
    return Cost(1)


def the(host: HostFacts, name: str) -> HostCall:
    return next(call for call in host.calls if call.name == name)


def test_a_wait_between_launches(tmp_path):
    host = facts(tmp_path, "k<<<1024, 256>>>(d); cudaDeviceSynchronize();")
    wait = the(host, "cudaDeviceSynchronize")
    found = impact(host, wait, without([wait.span]), [costs])
    assert found.low == found.high == pytest.approx(1 - 9 / 10)  # 1 + 9 with it, 9 without


def test_a_blocking_copy_beside_kernels_of_other_streams(tmp_path):
    copy = "cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice);"
    host = facts(tmp_path, copy + "k<<<1024, 256, 0, s[i % 2]>>>(d);")
    call = the(host, "cudaMemcpy")
    found = impact(host, call, queued(host, call.span), [costs])
    assert found.low == found.high == pytest.approx(1 - 9 / 19)  # the kernels alone, of 1 + 9 + 9


def test_memory_that_is_pinned(tmp_path):
    host = facts(tmp_path, "cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice);")
    call = the(host, "cudaMemcpy")
    found = impact(host, call, pinned([call.span]), [costs])
    assert found.low == found.high == pytest.approx(1 - 4 / 10)
    assert impact(host, call, lambda other, _: other, [costs]).high == 0.0


def test_sizes_that_change_from_iteration_to_iteration_are_not_known(tmp_path):
    body = "cudaMemcpy(d, h, 4 << i, cudaMemcpyHostToDevice); k<<<1024, 256>>>(d);"
    path = tmp_path / "a.cu"
    path.write_text(CODE.replace("BODY", body).replace("i < argc", "i < 9"))
    assert _asked_for(run(load(str(path)))) == {None}


def test_a_size_that_stays_is_known(tmp_path):
    host = facts(tmp_path, "cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice); k<<<1024, 256>>>(d);")
    assert _asked_for(host) == {64}


def _asked_for(host: HostFacts) -> set[int | None]:
    """The bytes of the copies whose times are asked for."""
    seen: set[int | None] = set()

    def remembered(call: HostCall) -> Cost:
        if call.kind == "copy":
            seen.add(call.bytes)
        return costs(call)

    call = the(host, "cudaMemcpy")
    impact(host, call, without([call.span]), [remembered])
    return seen


def test_what_may_be_done_seldom(tmp_path):
    """A report under a condition of its own may be left out of most iterations; one of two arms never is."""
    exchange = "k<<<1024, 256>>>(d);"
    host = facts(tmp_path, exchange + "if (i % argc == 3) cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost);")
    call = the(host, "k")
    found = impact(host, call, without([call.span]), [costs])
    assert found.low < found.high == 1.0  # of 19 s with the copy, of 9 s without
    both = "if (argc > 3) k<<<1024, 256>>>(d); else k<<<512, 256>>>(d);"
    host = facts(tmp_path, "cudaDeviceSynchronize();" + both)
    wait = the(host, "cudaDeviceSynchronize")
    assert impact(host, wait, without([wait.span]), [costs]).high < 0.2
