"""What a call through a pointer or a std::function may come to."""

import pytest

from cudalint.analyses.cuda_reach import survey
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions

_START = "#include <functional>\n__global__ void k(int n) {}\nvoid start() { k<<<1, 32>>>(1); }\n"
_POINTER = "void call(void (*f)()) { f(); }\n"
_OBJECT = "void call(std::function<void()> f) { f(); }\n"
_FUNCTION = "void user() { call(start); }\n"
_CLOSURE = "void user(int n) { std::function<void()> f = [n] { k<<<n, 32>>>(n); }; f(); }\n"


@pytest.mark.parametrize(
    ("code", "reaches"),
    [
        (_POINTER + _FUNCTION, True),
        (_POINTER + _CLOSURE, False),
        (_OBJECT + _CLOSURE, True),
        ("void call(int n) {}\n" + _CLOSURE, False),
    ],
    ids=["function by pointer", "no closure by pointer", "closure by std::function", "no such call"],
)
def test_which_calls_reach_cuda(code: str, reaches: bool) -> None:
    unit = load("program.cu", LoadOptions(text=_START + code))
    call = next(key for key, function in unit.functions.items() if function.name == "call")
    assert (call in survey(unit).cuda) == reaches
