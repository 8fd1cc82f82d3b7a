"""The rest of another walk is taken over where nothing that it reads is another."""

import pytest
from msgspec.structs import replace

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host import rest
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.host.machine import Machine
from cudalint.host.model import run
from cudalint.ir import statements as s

_START = """#include <cstdlib>
__global__ void k(float *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 0.0f; }
int data[64];
int main(int argc, char **argv) {
  int i, rounds = argc > 1 ? atoi(argv[1]) : 7, n = 0;
  float *a;
  cudaMalloc(&a, 4096);
  for (i = 0; i < rounds; i++) k<<<rounds, 32>>>(a, 1);
"""
_TAKEN = "for (i = 0; i < 64; i++) if (data[i]) n++;\nk<<<n, 64>>>(a, n);\nreturn 0; }"
_READ_AGAIN = "for (i = 0; i < 64; i++) if (data[i]) n++;\nk<<<n, rounds>>>(a, n);\nreturn 0; }"
_BY_POINTER = (
    "int *p = &rounds;\nfor (i = 0; i < 64; i++) if (data[i]) n++;\nk<<<n, *p>>>(a, n);\nreturn 0; }"
)


def _facts(code: str) -> HostFacts:
    return run(load("program.cu", LoadOptions(text=_START + code)))


def _launches(facts: HostFacts) -> list[LaunchFact]:
    """Those of further walks; numbers that shared memory of no bytes was compared with are none."""
    return [replace(one, size_guarded=False) for one in (*facts.defaults, *facts.trials)]


@pytest.mark.parametrize("code", [_TAKEN, _READ_AGAIN, _BY_POINTER])
def test_the_same_launches_as_of_a_whole_walk(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _facts(code)
    monkeypatch.setattr(rest, "comes", lambda m, body, index: None)
    whole = _facts(code)
    assert _launches(found) == _launches(whole)
    assert found.trials and found.tight == whole.tight


@pytest.mark.parametrize(("code", "early"), [(_TAKEN, True), (_READ_AGAIN, False), (_BY_POINTER, False)])
def test_where_a_walk_ends(code: str, early: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []

    def noted(m: Machine, body: tuple[s.Statement, ...], index: int) -> None:
        comes(m, body, index)
        if m.state.dead:
            ended.append(len(body) - index)

    comes = rest.comes
    monkeypatch.setattr(rest, "comes", noted)
    _facts(code)
    assert any(left > 1 for left in ended) == early
