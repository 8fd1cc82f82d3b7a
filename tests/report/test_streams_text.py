"""`cudalint inspect --streams`: the picture of a steady iteration."""

import json
from pathlib import Path

from typer.testing import CliRunner

from cudalint.cli.program import app

CODE = """\
__global__ void k(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f; }
int main(int argc, char **argv) {
    cudaStream_t s[2];
    float *d, *h;
    cudaMalloc(&d, 1 << 22);
    cudaMallocHost(&h, 1 << 22);
    for (int i = 0; i < 2; i++) cudaStreamCreate(&s[i]);
    for (int i = 0; i < argc; i++) {
        cudaMemcpy(d, h, 1 << 22, cudaMemcpyHostToDevice);
        k<<<4096, 256, 0, s[i % 2]>>>(d);
    }
}
"""


def test_rows_letters_and_what_is_waited_for(tmp_path: Path):
    path = tmp_path / "a.cu"
    path.write_text(CODE)
    common = ["inspect", str(path), "--isolated", "--no-cache", "-j1"]
    text = CliRunner().invoke(app, [*common, "--streams"]).stdout
    rows = text.splitlines()
    assert rows[2].endswith(":8: loop in main, 2 iterations until they repeat, about 84.8 us per iteration")
    assert [row.split()[0] for row in rows[3:7]] == ["host", "default", "s[0]", "s[1]"]
    assert (
        "a  line 9: cudaMemcpy HtoD 4,194,304 bytes; waits for b (implicit wait of the default stream)"
        in text
    )
    assert rows[-1].endswith("of the time, with two streams or more for 0%")
    assert max(map(len, rows)) <= 100 + len(str(path))
    document = json.loads(CliRunner().invoke(app, [*common, "--output-format", "json"]).stdout)
    (timeline,) = document["files"][0]["streams"]
    assert [row["name"] for row in timeline["rows"]] == ["host", "default", "s[0]", "s[1]"]
    assert timeline["rows"][1]["bars"][0]["waits_for"][0]["why"] == "default stream"
