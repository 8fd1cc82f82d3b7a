"""Mistakes planted into a small program: their places, what judges say of them, whether rules report them."""

from pathlib import Path

import pytest

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from tools.planting.judges import judged
from tools.planting.kind import Kind
from tools.planting.kinds import KINDS
from tools.planting.source import Source
from tools.planting.trial import Linter, tried
from tools.sensitivity import table

CODE = """\
__global__ void turn(float *out, const float *in, int n)
{
    __shared__ float tile[32][32 + 1];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * n + x];
    __syncthreads();
    out[threadIdx.y * n + x] = tile[threadIdx.x][threadIdx.y] * 2.5f;
}

int main()
{
    float *d, *e, *h = new float[4096];
    cudaMalloc(&d, 4096 * sizeof(float));
    cudaMalloc(&e, 4096 * sizeof(float));
    cudaMemcpy(d, h, 4096 * sizeof(float), cudaMemcpyHostToDevice);
    turn<<<dim3(16), dim3(32, 8)>>>(e, d, 256);
    cudaMemcpy(h, e, 4096 * sizeof(float), cudaMemcpyDeviceToHost);
}
"""


@pytest.fixture(scope="module")
def source() -> Source:
    return Source(CODE, load("turn.cu", LoadOptions(text=CODE)))


def kind(name: str) -> Kind:
    return next(kind for kind in KINDS if kind.name == name)


@pytest.mark.parametrize(
    ("name", "line", "code"),
    [
        ("a `__syncthreads()` removed", "    ;", "CU301"),
        ("padding removed from a tile", "    __shared__ float tile[32][32];", "CU201"),
        ("row and column swapped in an index", "[x * n + threadIdx.y];", "CU103"),
        (
            "host and device pointers swapped in a copy",
            "cudaMemcpy(h, d, 4096 * sizeof(float), cudaMemcpyHostToDevice);",
            "CU803",
        ),
    ],
)
def test_a_mistake_is_planted_judged_and_found(source: Source, name: str, line: str, code: str) -> None:
    mistake = next(kind(name).places(source))
    changed = source.changed(mistake)
    assert changed.split("\n")[mistake.line - 1].endswith(line)
    assert changed.count("\n") == CODE.count("\n")
    planted = tried(kind(name), source, Linter(source), mistake)
    assert planted.state == "mistake"
    assert code in planted.found


def test_no_mistake_is_one_to_the_judge(source: Source) -> None:
    """A barrier after the last access keeps nothing apart."""
    code = CODE.replace("* 2.5f;", "* 2.5f; __syncthreads();")
    other = Source(code, load("turn.cu", LoadOptions(text=code)))
    first, last = kind("a `__syncthreads()` removed").places(other)
    assert judged("conflicts", other, first, other.changed(first))
    assert judged("conflicts", other, last, other.changed(last)) is False


def test_kinds_have_names_of_their_own() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 25


def test_the_table_counts_what_was_planted(source: Source) -> None:
    mistake = next(kind("a `__syncthreads()` removed").places(source))
    planted = tried(kind("a `__syncthreads()` removed"), source, Linter(source), mistake)
    assert "| CU301, CU303, CU304 | 1 | 1 | 1.00 |" in table([planted])


def test_the_page_holds_a_table_of_all_kinds() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "sensitivity.md"
    assert all(f"| {kind.name} |" in page.read_text(encoding="utf-8") for kind in KINDS)
