"""What is below a node, by kinds, and what is kept of it."""

from functools import cache
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import walk as walking
from cudalint.ir.walk import Node, children, find, kept, rebuilt, walk

_KINDS = (*get_args(e.Expression), *get_args(s.Statement))
_CODE = """
struct Pair { float low, high; __device__ Pair(float a, float b) : low(a), high(b) {} };
__device__ float half_of(const Pair &pair) { return (pair.low + pair.high) / 2; }
__device__ int sign(int x) { return x < 0 ? -1 : x > 0; }
__global__ void f(float *out, const float *in, int n, int way) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sums[2] = {0.f, 1.f};
  auto twice = [&](float x) { return x * 2; };
  for (int k = 0; k < n; k++) {
    if (in[k] < 0) continue;
    while (!(sums[0] > 3)) { sums[k & 1] += twice(in[k]); if (k == 7) break; }
  }
  switch (way) { case 1: tile[threadIdx.x] = -sums[0]; break; default: tile[threadIdx.x] = *in; }
  __syncthreads();
  float *place = &out[i];
  if (i < n) { Pair both(tile[0], (float)sign(way)); *place = half_of(both); } else return;
  asm volatile("" : : "r"(n));
}
int main() { f<<<2, 64>>>(nullptr, nullptr, 3, 1); return 0; }
"""


@cache
def _nodes() -> tuple[Node, ...]:
    """Of all functions of the code, everything that stands in another one, too."""
    unit = load("a.cu", LoadOptions(text=_CODE))
    return tuple(node for one in unit.functions.values() if one.body is not None for node in walk(one.body))


def test_the_code_has_most_kinds() -> None:
    assert len({type(node) for node in _nodes()}) >= len(_KINDS) - 3


def test_no_kind_has_subclasses() -> None:
    """What `find` stands on: the exact kind of a node tells what it is."""
    assert not [kind for kind in _KINDS if kind.__subclasses__()]


@given(st.data())
def test_finding_is_walking_and_asking_each(data: st.DataObject) -> None:
    node = data.draw(st.sampled_from(_nodes()))
    kinds = data.draw(st.lists(st.sampled_from(_KINDS), min_size=1, max_size=7))
    expected = [part for part in walk(node) if isinstance(part, tuple(kinds))]
    for _ in range(2):  # found, and kept
        assert list(map(id, find(node, *kinds))) == list(map(id, expected))


@given(st.data())
def test_a_walk_comes_to_parents_first(data: st.DataObject) -> None:
    node = data.draw(st.sampled_from(_nodes()))

    def below(part: Node) -> list[Node]:
        return [part, *(inner for child in children(part) for inner in below(child))]

    assert list(map(id, walk(node))) == list(map(id, below(node)))


def test_nothing_is_found_in_no_node() -> None:
    assert find(None, e.Call, s.Loop) == ()


def test_what_a_statement_tells_is_asked_once() -> None:
    asked: list[s.Block] = []

    @kept
    def length(block: s.Block) -> int:
        asked.append(block)
        return len(block.body)

    block = next(node for node in _nodes() if isinstance(node, s.Block) and node.body)
    assert length(block) == length(block) == len(block.body)
    assert len(asked) == 1


def test_no_more_is_kept_than_twice_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "_MOST", 4)
    statements = [node for node in _nodes() if isinstance(node, s.Statement)]
    for statement in statements * 2:
        expected = [part for part in walk(statement) if isinstance(part, e.Call)]
        assert list(find(statement, e.Call)) == expected
    now, before = walking._now, walking._before
    assert len(now) <= 4 and len(before) <= 4


def test_rebuilding_makes_only_what_changes() -> None:
    branch = next(node for node in _nodes() if isinstance(node, s.If) and node.otherwise is not None)
    assert rebuilt(branch, lambda part: part) is branch
    other = e.Literal(True, branch.condition.type, branch.span)
    made = rebuilt(branch, lambda part: other if part is branch.condition else part)
    assert isinstance(made, s.If) and made.condition is other and made.then is branch.then
