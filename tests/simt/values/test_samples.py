"""Accesses whose places hang on data, and branches that only the machine code has."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cudalint.ir.types import INT, Scalar
from cudalint.simt.interpret.contents import Contents
from cudalint.simt.values.lanes import Value
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import invented, make
from tests.support.modelled import facts

GATHER = """\
__global__ void k(float *out, const float *in, const int *at, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[at[i]];
}
"""
PERMUTED = """\
__global__ void k(unsigned *out, const unsigned *in) {
    __shared__ unsigned start[1], ranks[64];
    int t = threadIdx.x;
    ranks[t] = in[t] & 0u;
    if (t == 0) start[0] = 3;
    __syncthreads();
    ranks[t] += 2 * t;
    __syncthreads();
    unsigned at = ranks[t];
    __syncthreads();
    out[at] = start[0];
}
"""


def test_a_gather_is_bounded_and_never_exact() -> None:
    (load,) = (a for a in facts(GATHER).accesses if a.expression == "in[at[i]]")
    counted = load.transactions
    assert (counted.certainty, counted.lower, counted.upper, load.basis.made_up) == (
        "bounded",
        1.0,
        32.0,
        True,
    )
    assert counted.per_request is not None and counted.per_request > 28


def test_what_shared_memory_holds_is_followed_where_data_is_made_up() -> None:
    (store,) = (a for a in facts(PERMUTED).accesses if a.expression == "out[at]")
    assert (store.transactions.certainty, store.transactions.per_request) == ("bounded", 8.0)


@given(st.lists(st.tuples(st.integers(0, 15), st.integers(-9, 9)), min_size=1, max_size=40), st.data())
def test_contents_are_those_of_a_dictionary(stores: list[tuple[int, int]], data: st.DataObject) -> None:
    samples = make((32, 1, 1), (1, 1, 1), ((0, 0, 0),), 1)
    memory, contents, plain = Memory(1, "s", "shared", 64), Contents(samples), dict[int, int]()
    for place, number in stores:
        lane = data.draw(st.integers(0, 31))
        mask = np.arange(32) == lane
        contents.store(memory, memory.base + 4 * place, INT, Value(number), mask)
        plain[place] = number
    addresses = memory.base + 4 * (np.arange(32, dtype=np.int64) % 16)
    found = contents.load(memory, addresses, INT, np.ones(32, dtype=bool))
    assert found is not None
    for lane in range(32):
        known = bool(np.asarray(found.known)[lane])
        assert known == (lane % 16 in plain)
        assert not known or int(np.asarray(found.data)[lane]) == plain[lane % 16]


def test_an_object_used_as_two_types_has_no_contents() -> None:
    samples = make((32, 1, 1), (1, 1, 1), ((0, 0, 0),), 1)
    memory, contents, everyone = Memory(1, "s", "shared", 64), Contents(samples), np.ones(32, dtype=bool)
    contents.store(memory, memory.base, INT, Value(1), everyone)
    contents.store(memory, memory.base, Scalar("float", "float", 4), Value(1.0), everyone)
    assert contents.load(memory, memory.base, INT, everyone) is None


@given(st.integers(0, 1 << 40), st.integers(0, 1 << 40))
def test_one_address_holds_one_number(first: int, second: int) -> None:
    samples = make((32, 1, 1), (1, 1, 1), ((0, 0, 0),), 1)
    addresses = np.array([first, second] * 16, dtype=np.int64)
    numbers = np.asarray(invented(samples, addresses, INT).data)
    assert len(set(numbers[::2])) == len(set(numbers[1::2])) == 1
    assert (numbers >= 0).all() and (numbers < 4096).all()


def test_a_floating_point_atomic_in_shared_memory_loads_and_tries_again() -> None:
    found = facts(
        "__global__ void k(double *out, const double *in) {\n"
        "    __shared__ double sums[32];\n"
        "    atomicAdd(&sums[threadIdx.x & 31], in[threadIdx.x]);\n"
        "    __syncthreads();\n    out[threadIdx.x] = sums[threadIdx.x & 31];\n}\n"
    )
    assert {(a.operation, a.span.line) for a in found.accesses if a.space == "shared"} == {
        ("atomic", 3), ("load", 3), ("load", 5)
    }  # fmt: skip
    assert [(b.kind, b.span.line, b.divergence) for b in found.branches] == [("retry", 3, "data-dependent")]
    assert found.races == ()


def test_divisions_of_data_have_a_slow_path_and_conditions_that_load_a_branch_each() -> None:
    found = facts(
        "__global__ void k(float *out, const float *a, const float *b, int n) {\n"
        "    int i = threadIdx.x;\n"
        "    float half = a[i] / 2.0f;\n"
        "    out[i] = half / b[i];\n"
        "    if (i < n &&\n"
        "        b[i] > 1.0f)\n"
        "        out[i] = a[i + 1];\n"
        "}\n"
    )
    assert sorted((b.span.line, b.kind, b.divergence) for b in found.branches) == [
        (4, "slow path", "data-dependent"),
        (5, "if", "data-dependent"),
        (5, "logical", "uniform"),
        (6, "logical", "data-dependent"),
    ]


def test_a_switch_splits_by_its_cases() -> None:
    code = (
        "__global__ void k(float *out) {{\n    switch (threadIdx.x {0}) {{\n    case 1: out[0] = 1; break;\n"
        "    case 2: out[1] = 1; break;\n    }}\n}}\n"
    )
    for operation, divergence in (("+ 64", "uniform"), ("& 3", "divergent"), ("/ 32 + 1", "uniform")):
        (branch,) = facts(code.format(operation)).branches
        assert branch.divergence == divergence


def test_a_private_array_written_at_an_unknown_place_holds_nothing_known() -> None:
    found = facts(
        "struct Row { int *cells; };\n"
        "__global__ void k(float *out, const int *at) {\n"
        "    int cells[4] = {1, 1, 1, 1};\n    Row row;\n    row.cells = cells;\n"
        "    row.cells[at[threadIdx.x] & 3] = 0;\n"
        "    if (row.cells[1] == 1)\n        out[threadIdx.x] = 1.0f;\n}\n"
    )
    assert [b.divergence for b in found.branches] == ["data-dependent"]
    assert {a.space for a in found.accesses} == {"global"} and len(found.accesses) == 2
