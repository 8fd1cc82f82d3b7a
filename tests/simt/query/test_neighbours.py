"""What accesses ask for by themselves, with those beside them, and in a whole launch."""

import pytest

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run as run_host
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.model import ModelOptions, run
from cudalint.simt.query.neighbours import stands, together
from cudalint.simt.query.pattern import useful_share

KERNEL = """\
__global__ void kernel(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    %s
}
void launch(float *out, const float *in, int n) { kernel<<<%s>>>(out, in, n); }
"""


def loads(body: str, shape: str = "4096, 256") -> tuple[list[Access], KernelFacts, dict]:
    """The loads of `in` in the body of a kernel, its facts, and where everything in it stands."""
    unit = load("kernel.cu", LoadOptions(text=KERNEL % (body, shape)))
    (facts,) = run(unit, run_host(unit), ModelOptions())
    assert facts.modelled, facts.modelling.failure
    places = stands(unit, facts.function)
    return [a for a in facts.accesses if a.buffer == "in" and a.operation == "load"], facts, places


@pytest.mark.parametrize(
    ("body", "used", "others"),
    [
        ("out[i] = in[2 * i] + in[2 * i + 1];", 1.0, 1),
        ("out[i] = in[2 * i] > 0.0f && in[2 * i + 1] > 0.0f;", 1.0, 1),
        ("out[i] = in[4 * i] + in[4 * i + 1] + in[4 * i + 2];", 0.75, 2),
        ("out[i] = in[2 * i]; if (n > 7) out[i] = in[2 * i + 1];", 0.5, 0),
        ("out[i] = n > 7 ? in[2 * i] : in[2 * i + 1];", 0.5, 0),
        ("out[i] = in[2 * i]; for (int k = 0; k < n; k++) out[k] = i; out[i] += in[2 * i + 1];", 0.5, 0),
        ("for (int k = 0; k < 4; k++) out[i] += in[4 * i + k];", 1.0, 0),
        ("for (int k = 0; k < 3; k++) out[i] += in[4 * i + k];", 0.75, 0),
        ("for (int k = 0; k < n; k++) out[i] += in[n * i + k];", 0.125, 0),
        ("out[i] = in[8 * i] + in[8 * i + 1048576];", 0.125, 0),
    ],
)
def test_side_by_side(body: str, used: float, others: int) -> None:
    found, facts, places = loads(body)
    told = together(found[0], facts.accesses, places)
    assert told is not None
    assert (told.used, told.others) == (used, others)


@pytest.mark.parametrize(
    ("body", "share"),
    [
        ("out[i] = in[8 * i];", "12.5%"),
        ("if (threadIdx.x < 9) out[i] = in[4096 * i];", "12.5%"),
        ("out[i] = in[i / 2];", "100%"),
        ("out[i] = in[i / 32 * 8];", "12.5%"),  # lanes that ask for the same bytes
        ("if (threadIdx.x < n % 32) out[i] = in[4096 * i];", "12.5%"),
        ("out[i] = in[i + 1];", "80%"),
        ("out[i] = in[n + i];", "80% to 100%"),  # 4 or 5 sectors for 128 bytes
    ],
)
def test_the_used_share_is_that_of_bytes(body: str, share: str) -> None:
    found, _, _ = loads(body)
    assert useful_share(found[0]) == share


@pytest.mark.parametrize(
    ("body", "shape", "sectors"),
    [
        ("out[i] = in[i];", "16, 256", 16 * 8 * 4),
        ("out[i] = in[8 * i];", "16, 256", 16 * 8 * 32),
        ("for (int k = 0; k < 10; k++) out[i] = in[8 * i + k * 1024];", "16, 256", 10 * 16 * 8 * 32),
        ("if (i < n) out[i] = in[8 * i];", "16, 256", 16 * 8 * 32),  # n may be more than all threads
        ("for (int k = 0; k < n; k++) out[i] = in[8 * i + k * 1024];", "16, 256", None),
        ("while (out[i] > 0.0f) out[i] -= in[8 * i];", "16, 256", None),
        ("out[i] = in[8 * i];", "n, 256", None),
    ],
)
def test_the_sectors_of_a_launch(body: str, shape: str, sectors: float | None) -> None:
    found, _, _ = loads(body, shape)
    assert found[0].weight.sectors == sectors


def test_a_loop_of_unknown_length_outweighs_what_stands_before_it() -> None:
    """Also where the numbers tried make few rounds."""
    body = "float s = in[8 * i]; for (int k = i; k < n; k += 4096 * 256) out[k] = s + in[k];"
    found, _, _ = loads(body)
    before, inside = (access.weight.share for access in found)
    assert before < inside
