"""`cudalint inspect --explain FILE:LINE` on a line of host code: the timelines that its calls stand in."""

import json
from pathlib import Path

from tests.support.command_line import Command

CODE = """\
__global__ void k(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f; }
int main()
{
    cudaStream_t s[2];
    float *d, *h;
    cudaMalloc(&d, 8 << 20);
    cudaMallocHost(&h, 8 << 20);
    for (int i = 0; i < 2; i++) cudaStreamCreate(&s[i]);
    for (int i = 0; i < 100; i++) {
        cudaMemcpy(d, h, 4 << 20, cudaMemcpyHostToDevice);
        k<<<4096, 256, 0, s[i % 2]>>>(d);
    }
}
"""


def test_a_copy_shows_the_timeline_of_its_loop(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(CODE)
    done = cudalint("inspect", "a.cu", "--explain", "a.cu:10")
    assert done.returncode == 0
    assert done.stdout.startswith("a.cu:9: loop in main, 2 iterations until they repeat")
    assert (
        "a  line 10: cudaMemcpy HtoD 4,194,304 bytes; waits for b (implicit wait of the default stream)"
        in (done.stdout)
    )


def test_a_launch_is_in_it_too_and_json_has_it(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(CODE)
    done = cudalint("inspect", "a.cu", "--explain", "a.cu:11", "--output-format", "json")
    (timeline,) = json.loads(done.stdout)["explain"]["streams"]
    assert [row["name"] for row in timeline["rows"]] == ["host", "default", "s[0]", "s[1]"]


def test_a_line_of_a_kernel_has_none(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(CODE)
    done = cudalint("inspect", "a.cu", "--explain", "a.cu:1", "--output-format", "json")
    found = json.loads(done.stdout)["explain"]
    assert found["kernels"] and not found["streams"]
