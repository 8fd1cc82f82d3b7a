"""How often a block loads the same bytes, against a count over the threads."""

from collections import Counter

import pytest

from cudalint.simt.facts.rereads import Reread
from tests.support.modelled import facts

SIGNATURE = (
    "__global__ void k(const float *in, float *out, int n) {\n"
    "    int x = threadIdx.x, y = threadIdx.y, t = y * blockDim.x + x; float sum = 0.0f;\n"
    "    for (int j = 0; j < 24; j++)\n"
)
INDICES = (
    "j",
    "j * n + x",
    "j * n + t",
    "j * n + y",
    "j + x",
    "j * n + x / 2",
    "j * n + (t & 63)",
    "n + t + j",
)
SHAPES = ((64, 1), (256, 1), (32, 8), (16, 16), (8, 32), (48, 4))
NUMBER = 4096


def counted(index: str, width: int, height: int) -> float:
    """Requests per element that the block loads, on average over the elements."""
    requests: Counter[int] = Counter()
    for j in range(24):
        asked = set()
        for y in range(height):
            for x in range(width):
                t = y * width + x
                element = eval(index.replace("/", "//"), {"t": t, "x": x, "y": y, "j": j, "n": NUMBER})
                asked.add((t // 32, element))
        requests.update(element for _, element in asked)
    return sum(requests.values()) / len(requests)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("index", INDICES)
def test_the_number_is_that_of_a_plain_count(index: str, shape: tuple[int, int]) -> None:
    code = f"{SIGNATURE}        sum += in[{index}];\n    out[t] = sum;\n}}\n"
    given = (f"blockDim.x == {shape[0]}", f"blockDim.y == {shape[1]}")
    found = facts(code, *given)
    expected = counted(index, *shape)
    assert [round(r.times, 6) for r in found.of(Reread)] == ([round(expected, 6)] if expected >= 2 else [])


@pytest.mark.parametrize(
    "statement",
    [
        "sum += out[j]; out[t] = sum;",
        "if (in[t] > 0.0f) sum += in[j];",
        "sum += in[(int)in[t] + j];",
    ],
)
def test_nothing_is_said_of_what_is_written_or_hangs_on_data(statement: str) -> None:
    code = f"{SIGNATURE}        {{ {statement} }}\n    out[t] = sum;\n}}\n"
    assert facts(code, "blockDim.x == 256").of(Reread) == ()


def test_what_something_unseen_may_write_is_not_counted() -> None:
    code = f"__device__ void unseen(float *);\n{SIGNATURE}        {{ sum += in[j]; unseen(out); }}\n}}\n"
    assert facts(code, "blockDim.x == 256").of(Reread) == ()


def test_neighbours_of_a_stencil_count_together() -> None:
    code = (
        "__global__ void k(float *out, const float *in) {\n"
        "    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;\n"
        "    out[x] = in[x - 1] + in[x] + in[x + 1] + in[x];\n}\n"
    )
    times = [one.times for one in facts(code, "blockDim.x == 256").of(Reread)]
    assert sorted(times) == pytest.approx([(254 * 3 + 3) / 256] * 2 + [(254 * 3 + 4) / 256])


def _grows(loop: str, index: str) -> list[bool]:
    body = f"int x = threadIdx.x; float sum = 0.0f; {loop} sum += in[{index}]; out[x] = sum;"
    code = f"__global__ void k(const float *in, float *out, int n) {{ {body} }}"
    launch = "void run(const float *in, float *out, int n) { k<<<4, 256>>>(in, out, n); }"
    return [one.growing for one in facts(code + launch).of(Reread)]


def test_a_window_that_moves_on_repeats_more_the_longer_it_moves():
    assert _grows("for (int j = 0; j < n; j++)", "x + j") == [True]
    assert _grows("for (int j = 0; j < 24; j++)", "x + j") == [False]  # as many as the program says
    assert _grows("for (int j = 0; j < n; j++)", "j") == [False]  # once a warp, however many there are


def test_a_function_that_loads_two_arrays_says_which_part_of_its_requests_repeats() -> None:
    code = (
        "__device__ float at(const float *from, int i) { return from[i]; }\n"
        "__global__ void k(float *out, const float *a, const float *b) {\n"
        "    int t = threadIdx.x; float sum = 0.0f;\n"
        "    for (int j = 0; j < 24; j++)\n"
        "        sum += at(a, j * 256 + t) + at(b, j * 32 + (t & 31)) + at(b, (24 + j) * 32 + (t & 31));\n"
        "    out[t] = sum;\n}\n"
    )
    (one,) = facts(code, "blockDim.x == 256").of(Reread)
    assert (one.buffer, one.times) == ("b", 8)
    assert one.share == pytest.approx(2 / 3)
    assert [call.line for call in one.calls] == [5, 5]
    assert one.spare == pytest.approx(2 / 3 * 7 / 8)
