"""Where an array becomes a pointer, a conversion says so; messages still write the array."""

from pathlib import Path

import pytest

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir.dump import text
from cudalint.ir.render import render
from cudalint.ir.statements import Declare, Evaluate
from cudalint.ir.walk import walk


def lowered(tmp_path: Path, line: str) -> tuple[str, str]:
    """The last line of a kernel, as dumped and as messages write it."""
    code = f"""
struct S {{ int v[4]; }};
__device__ void take(int *p, void *q);
__global__ void k(S *s, int i) {{ __shared__ int a[8]; int l[2][3]; int *p; {line}; }}
"""
    unit = load(str(tmp_path / "a.cu"), LoadOptions(text=code))
    body = unit.functions[unit.kernels[0]].body
    assert body is not None
    last = [node for node in walk(body) if isinstance(node, Declare | Evaluate)][-1]
    node = last.initial if isinstance(last, Declare) else last.expression
    assert node is not None
    return text(node), render(node)


@pytest.mark.parametrize(
    ("line", "dumped", "written"),
    [
        ("p = a", "(p = {int*}a)", "p = a"),
        ("const int *q = l[i]", "{int*}l[i]", "l[i]"),
        ("p = a + i", "(p = ({int*}a + i))", "p = a + i"),
        ("*a = i", "((*{int*}a) = i)", "*a = i"),
        ("p = s->v", "(p = {int*}(*s).v@0)", "p = s->v"),
        ("take(a, l)", "take({int*}a, {int[3]*}l)", "take(a, l)"),
        ("p = i ? a : p", "(p = ({bool}i ? {int*}a : p))", "p = i ? a : p"),
        ("p = (int *)a", "(p = (int*)a)", "p = (int*)a"),
    ],
)
def test_an_array_that_becomes_a_pointer(tmp_path: Path, line: str, dumped: str, written: str) -> None:
    assert lowered(tmp_path, line) == (dumped, written)


@pytest.mark.parametrize(
    ("line", "dumped"),
    [
        ("a[i] = i", "(a[i] = i)"),
        ("i[a] = i", "(a[i] = i)"),
        ("l[i][1] = i", "(l[i][1`1`] = i)"),
        ("s->v[i] = i", "((*s).v@0[i] = i)"),
        ("int (&r)[8] = a", "a"),
        ('const char *t = "abc"', "'abc'"),
    ],
)
def test_an_array_that_stays_one(tmp_path: Path, line: str, dumped: str) -> None:
    assert lowered(tmp_path, line)[0] == dumped
