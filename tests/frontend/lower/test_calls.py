"""Calls say which function they call, and a method's object is its first operand."""

from pathlib import Path

import pytest

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir.dump import text
from cudalint.ir.expressions import Call
from cudalint.ir.walk import walk

_CODE = """
struct F {
  int k;
  __device__ int operator()(int x) const { return x + k; }
  __device__ int m(int x) { return k + x; }
  static __device__ int s(int x) { return x; }
};
__device__ int twice(int x) { return 2 * x; }
typedef int (*Function)(int);
template <Function G> __device__ int apply(int x) { return G(x); }
template <class T> __device__ int call(T t, int x) { return t(x); }
"""


def called(tmp_path: Path, body: str, function: str = "k") -> tuple[str, str, list[str]]:
    """The name of the function that the first call of a body runs, '' for none; the call; its operands."""
    code = f"{_CODE}__global__ void k(F f, F *p, Function q) {{ {body} }}"
    unit = load(str(tmp_path / "a.cu"), LoadOptions(text=code))
    made = next(f for f in unit.functions.values() if f.name == function and f.body is not None)
    assert made.body is not None
    call = next(node for node in walk(made.body) if isinstance(node, Call))
    found = unit.defined(call.key)
    return found.qualified if found is not None else "", text(call), [text(o) for o in call.operands]


@pytest.mark.parametrize(
    ("body", "name", "operands"),
    [
        ("f.m(1);", "F::m", ["f", "1`1`"]),
        ("p->m(1);", "F::m", ["(*p)", "1`1`"]),
        ("(&f)->m(1);", "F::m", ["f", "1`1`"]),
        ("f(1);", "F::operator()", ["f", "1`1`"]),
        ("f.operator()(1);", "F::operator()", ["f", "1`1`"]),
        ("f.s(1);", "F::s", ["1`1`"]),
        ("twice(1);", "twice", ["1`1`"]),
        ("(*twice)(1);", "twice", ["1`1`"]),
        ("(&twice)(1);", "twice", ["1`1`"]),
        ("Function r = twice; r(1);", "twice", ["1`1`"]),
        ("q(1);", "", ["1`1`"]),
        ("__syncthreads();", "", []),
        ("[](int y) { return y; }(1);", "lambda::operator()", ["[]{...}", "1`1`"]),
        ("auto g = [](int y) { return y; }; g(1);", "lambda::operator()", ["g", "1`1`"]),
    ],
)
def test_a_call_says_what_it_calls(tmp_path: Path, body: str, name: str, operands: list[str]) -> None:
    found, _, given = called(tmp_path, body)
    assert (found, given) == (name, operands)


@pytest.mark.parametrize(
    ("body", "function", "name"),
    [
        ("apply<twice>(1);", "apply", "twice"),
        ("call(f, 1);", "call", "F::operator()"),
        ("auto g = [](int y) { return y; }; call(g, 1);", "call", "lambda::operator()"),
    ],
)
def test_a_function_handed_to_a_template_is_resolved(
    tmp_path: Path, body: str, function: str, name: str
) -> None:
    assert called(tmp_path, body, function)[0] == name


def test_a_call_through_an_unknown_pointer_keeps_the_expression(tmp_path: Path) -> None:
    assert called(tmp_path, "q(1);")[1] == "q<q>(1`1`)"
