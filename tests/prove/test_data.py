"""`cudalint prove` where data decides: proofs hold for all data, witnesses name the data that they take."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("z3")

from cudalint.prove.report import loaded
from tests.support.proofs import verdict, witness

HEAD = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def kernel(parameters: str, body: str) -> str:
    return f"__global__ void k({parameters}) {{ {HEAD} {body} }}"


# What races for some data, by the arrays that the witness speaks of, and what does for none.
RACY = {
    "a bin that data chooses": ("const int *key, int *h, int n", "if (i < n) h[key[i]] += 1;", {"key"}),
    "a place that data chooses": ("const int *to, int *x", "x[to[threadIdx.x]] = i;", {"to"}),
    "a sum under a condition": ("const int *v, int *sum, int n", "if (i < n && v[i] > 3) *sum += 1;", {"v"}),
    "a maximum with a guard": (
        "const float *v, float *m, int n", "if (i < n && v[i] > *m) *m = v[i];", {"v", "m"},
    ),
    "a float condition": ("const float *v, int *m, int n", "if (i < n && v[i] * 2.0f > 0.5f) *m = i;", {"v"}),
    "a guard read beside an atomic": (
        "const int *v, int *m, int n", "if (i < n && *m < v[i]) atomicMax(m, v[i]);", {"v", "m"},
    ),
    "an index of a worklist": (
        "const int *v, int *list, int *size, int n",
        "if (i < n && v[i]) { list[*size] = i; *size += 1; }",
        {"v"},
    ),
    "an index of an index": ("const int *p, const int *q, int *x", "x[q[p[i]]] = i;", {"p", "q"}),
    "the neighbours in a list": (
        "const int *row, const int *list, int *x, int n",
        "if (i < n) for (int j = row[i]; j < row[i + 1]; j++) { int to = list[j]; if (to > i) x[to] = i; }",
        {"row", "list"},
    ),
    "neighbours until the first": (
        "const int *row, const int *list, int *x, int n",
        "if (i < n) for (int j = row[i]; j < row[i + 1]; j++) { if (list[j] > i) { x[0] += 1; break; } }",
        {"row", "list"},
    ),
    "memory as it was": ("int *m, int *q", "if (m[i] == 5) q[0] = i; m[i] = 4;", {"m"}),
    "a barrier that data divides": ("int *m, int n", "if (m[threadIdx.x] > 1) __syncthreads();", {"m"}),
    "an own list that is a neighbour's": ("const int *own, int *x, int n", "x[own[i] + n] = i;", {"own"}),
}  # fmt: skip

SAFE = {
    "the same constant": ("const int *key, int *h, int n", "if (i < n) h[key[i]] = 1;"),
    "what the place says": ("const int *key, int *h, int n", "if (i < n) h[key[i]] = key[i] * 2;"),
    "atomics": ("const int *key, int *h, int n", "if (i < n) atomicAdd(&h[key[i]], 1);"),
    "one thread only": ("const int *key, int *h, int n", "if (i == key[0]) h[key[i]] += 1;"),
    "data of the block": ("const int *key, int *h, int n", "if (key[i] == i) h[key[i]] += 1;"),
    "nobody at all": ("const int *key, int *h, int n", "if (key[i] > 7 && key[i] < 5) h[0] += i;"),
    "a place drawn under data": (
        "const int *v, int *list, int *size, int n",
        "if (i < n && v[i]) { int at = atomicAdd(size, 1); list[at] = i; }",
    ),
    "sums of an own row": (
        "const int *row, const float *v, float *out, int n",
        "if (i < n) { float s = 0; for (int j = row[i]; j < row[i + 1]; j++) s += v[j]; out[i] = s; }",
    ),
    "a barrier that data decides for all": (
        "const int *m, int *x, int n", "if (m[0] > 1) return; __syncthreads(); x[i] = n;",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RACY)
def test_a_race_names_the_data_that_it_takes(name: str) -> None:
    parameters, body, arrays = RACY[name]
    found = witness(kernel(parameters, body))
    assert {element.partition("[")[0] for element, _ in found.data} == arrays


@pytest.mark.parametrize("name", SAFE)
def test_a_proof_holds_for_all_data(name: str) -> None:
    parameters, body = SAFE[name]
    found = verdict(kernel(parameters, body))
    assert found.answer == "proved", (found.reasons, found.witness)


CLAIM = kernel(
    "const int *key, int *lock, int *x, int n",
    "if (i < n && atomicCAS(&lock[key[i]], 0, 1) == 0) x[key[i]] += i;",
)


@pytest.mark.parametrize(
    ("now", "then", "expected"),
    [
        ("", "", "proved"),
        ("atomicCAS(&lock[key[i]], 0, 1)", "atomicExch(&lock[key[i]], 1)", "proved"),
        (" == 0", " == 1", "not decided"),
        ("lock[key[i]]", "lock[i]", "not decided"),
        ("+= i;", "+= i; atomicExch(&lock[key[i]], 0);", "not decided"),
        ("+= i;", "+= i; lock[key[i]] = 0;", "refuted"),
    ],
)
def test_a_place_that_one_thread_has_won_is_its_own(now: str, then: str, expected: str) -> None:
    assert verdict(CLAIM.replace(now, then) if now else CLAIM).answer == expected


def test_equal_data_is_told_together() -> None:
    found = witness(kernel("const int *key, int *h, int n", "if (i < n) h[key[i]] += 1;"))
    one, other = sorted(
        side.block[0] * found.block[0] + side.thread[0] for side in (found.first, found.second)
    )
    place = found.place.removeprefix("h[").removesuffix("]")
    assert loaded(found) == f"key[{one}] == key[{other}] == {place}"


def test_data_that_the_program_gives_is_not_chosen() -> None:
    text = "__constant__ int table[4] = {0, 1, 2, 3};\n" + kernel("int *m", "m[table[threadIdx.x]] = i;")
    assert verdict(text, "gridDim.x == 1").answer != "refuted"
    assert verdict(text.replace(" = {0, 1, 2, 3}", ""), "gridDim.x == 1").answer == "refuted"


def test_data_that_somebody_has_written_is_not_chosen() -> None:
    body = "m[threadIdx.x] = 7; __syncthreads(); if (m[threadIdx.x] == 5) q[0] = i;"
    assert verdict(kernel("int *m, int *q", body), "gridDim.x == 1").answer != "refuted"


def test_one_byte_is_not_two_things_at_once() -> None:
    body = "if (w[0] == 0 && ((const char *)w)[0] == 1) x[0] = i;"
    assert verdict(kernel("const int *w, int *x", body)).answer != "refuted"


# --- against all data of small arrays ---

THREADS, VALUES = 2, 3
ARRAYS = "const int *key, const int *old, int *x"
SHAPE = (f"blockDim.x == {THREADS}", "gridDim.x == 1")
PLACES = ("key[t]", "t", "key[key[t]]", "key[t + 1]", "key[0] + t", "key[t] + t", "2 * key[1]")
GUARDS = (
    "key[t] > key[t + 1]",
    "key[0] == t",
    "old[t] > 0",
    "key[t] != key[2]",
    "key[key[0]] == t",
    "t == 0",
)
WRITTEN = ("7", "t", "key[t]", "key[0]")


def conflict(place: str, guard: str, value: str, reads: bool, data: Mapping[str, Mapping[int, int]]) -> bool:
    """Whether two threads race when memory holds this."""
    done = []
    for t in range(THREADS):
        names = {"t": t, **data}
        done.append((eval(place, {}, names), eval(value, {}, names)) if eval(guard, {}, names) else None)
    one, other = done
    return one is not None and other is not None and one[0] == other[0] and (reads or one[1] != other[1])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PLACES), st.sampled_from(GUARDS), st.sampled_from(WRITTEN), st.booleans())
def test_no_answer_is_against_all_data(place: str, guard: str, value: str, reads: bool) -> None:
    step = f"x[{place}] {'+=' if reads else '='} {value};"
    text = f"__global__ void k({ARRAYS}) {{ int t = threadIdx.x; if ({guard}) {step} }}"
    found = verdict(text, *SHAPE)
    assert found.answer in ("proved", "refuted"), (text, found.reasons)
    cases = [
        {"key": dict(enumerate(keys)), "old": dict(enumerate(olds))}
        for keys in product(range(VALUES), repeat=3)
        for olds in product(range(2), repeat=THREADS)
    ]
    if found.answer == "proved":
        assert not any(conflict(place, guard, value, reads, data) for data in cases), text
        return
    assert found.witness is not None
    chosen: dict[str, dict[int, int]] = {"key": {}, "old": {}}
    for element, number in found.witness.data:
        array, _, index = element.removesuffix("]").partition("[")
        chosen[array][int(index)] = number
    rest = range(-1, 3)  # what it does not name may be anything
    filled = [{name: defaultdict(lambda n=n: n, given) for name, given in chosen.items()} for n in rest]
    assert all(conflict(place, guard, value, reads, data) for data in filled), (text, found.witness)
