"""A unit after an edit in one function is the unit of the whole text, and most edits take that short way."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from cudalint.frontend import LoadOptions, UnitFailed, load
from cudalint.frontend import parse as parsing
from cudalint.frontend.edited import Lowering, load_edited
from cudalint.ir.unit import Unit
from tests.support.fixtures import FILES

PARSED = [file for file in FILES if file.parent.name != "failed_file"]  # their parse ends the process
TEXT = """\
__constant__ float scale[4];
static const int WIDTH = 32;
extern __shared__ float tile[];
struct Pair { int a, b; __device__ int sum() const { return a + b; } };

template <typename T> __device__ T twice(T x)
{
    return x + x;
}
__device__ int place(int i)
{
    return 2 * i;
}
__global__ void spread(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto at = [=](int k) { return k + WIDTH; };
    tile[threadIdx.x] = in[i] * scale[0];
    out[place(at(i))] = twice(tile[threadIdx.x]);
}
template <int N> __global__ void several(float *out)
{
    tile[threadIdx.x] = N;
    out[threadIdx.x * N] = tile[0];
}
void run(float *out, const float *in)
{
    int n = 1;
    spread<<<n, 256>>>(out, in);
    several<2><<<1, 32>>>(out);
    several<4><<<1, 32>>>(out);
}
"""
ANEW = {  # edits after which one function is lowered
    "a called function": ("return 2 * i;", "return 3 * i + WIDTH;"),
    "a kernel": ("in[i] * scale[0];", "in[i + 1] * scale[WIDTH % 4];"),
    "a template is used anew": ("out[place(at(i))] =", "out[place(twice(at(i)))] ="),
    "a lambda": ("return k + WIDTH;", "return k * WIDTH;"),
    "a type that was not used": ("int i = blockIdx.x *", "Pair p{1, 2}; int i = p.sum() + blockIdx.x *"),
    "all instances of a kernel": ("tile[threadIdx.x] = N;", "tile[threadIdx.x + N] = N;"),
    "a line more": ("    return 2 * i;", "    i += 1;\n    return\n2 * i;"),
    "a line less": ("    tile[threadIdx.x] = in[i] * scale[0];\n", ""),
    "lines and a variable in all instances": ("tile[threadIdx.x] = N;", "int k = N;\n\n    tile[k] = k;"),
    "lines at the end": (
        "    out[place(at(i))] =",
        "    {\n        int k = i;\n    }\n    out[place(at(i))] =",
    ),
    "a template of the device": ("return x + x;", "return x + x + T(1);"),
}
WHOLE = {  # edits after which the whole text is
    "a launch beside templates": ("spread<<<n, 256>>>", "spread<<<n, 128>>>"),
    "a parameter": ("place(int i)", "place(long i)"),
    "a brace": ("return 2 * i;", "return 2 * i; } int other() { return 1;"),
    "a comment that does not end": ("return 2 * i;", "return 2 * i; /*"),
    "lines that end the function": ("return 2 * i;", "return 2 * i;\n}\nint other()\n{\n    return 1;"),
    "what is no code": ("return 2 * i;", "return 2 * ;"),
    "a directive": ("return 2 * i;", "#define N 2"),
    "a variable of the file": ("WIDTH = 32", "WIDTH = 64"),
}


def written(unit: Unit) -> str:
    """The unit as text, its variables numbered in order. Keys of lambdas name the byte that they begin at."""
    numbers: dict[str, str] = {}
    named = ((re.sub(r"@\d+@", "@", key), function) for key, function in unit.functions.items())
    functions = sorted(named, key=lambda pair: pair[0])
    places = unit.kernels_in_source, unit.errors, unit.undecided, unit.problems
    text = repr((functions, sorted(unit.kernels), places, sorted(unit.launched)))
    text = re.sub(r"@\d+@", "@", text)
    return re.sub(r"\bid=(\d+)", lambda m: f"id={numbers.setdefault(m[1], str(len(numbers)))}", text)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("edited") / "a.cu"
    file.write_text(TEXT)
    return str(file)


@pytest.fixture(scope="module")
def before(path: str) -> Lowering:
    return Lowering(path, TEXT, load(path, LoadOptions(text=TEXT)))


@pytest.mark.parametrize("edit", ANEW)
def test_the_edited_function_alone_is_lowered(path: str, before: Lowering, edit: str) -> None:
    options = LoadOptions(text=TEXT.replace(*ANEW[edit], 1))
    made = load_edited(path, options, options.text or "", before)
    found = made.unit
    assert made.base is not None
    assert written(found) == written(load(path, options)) != written(before.unit)
    kept = [f for key, f in found.functions.items() if f is made.base.functions.get(key)]
    assert len(kept) >= len(before.unit.functions) - 2


@pytest.mark.parametrize("edit", WHOLE)
def test_an_edit_that_may_change_more_is_not_taken(path: str, before: Lowering, edit: str) -> None:
    text = TEXT.replace(*WHOLE[edit], 1)
    assert text != TEXT
    made = load_edited(path, LoadOptions(text=text), text, before)
    assert made.base is None
    assert written(made.unit) == written(load(path, LoadOptions(text=text)))


def test_what_is_not_taken_is_parsed_once(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = TEXT + "__global__ void odd(float *out)\n{\n    out[0] = gone;\n    out[1] = 1;\n}\n"
    before = Lowering(path, wrong, load(path, LoadOptions(text=wrong)))
    text = wrong.replace("out[1] = 1;", "out[1] = 2;")
    cold = written(load(path, LoadOptions(text=text)))
    parsed = []
    parse = parsing.parse
    monkeypatch.setattr(parsing, "parse", lambda *given: parsed.append(given) or parse(*given))
    made = load_edited(path, LoadOptions(text=text), text, before)
    assert (made.base, len(parsed)) == (None, 1)
    assert written(made.unit) == cold


def test_an_edit_in_an_included_file_lowers_one_function_of_it(tmp_path: Path) -> None:
    kernels, unit = tmp_path / "kernels.cuh", tmp_path / "main.cu"
    kernels.write_text(TEXT.partition("void run")[0])
    unit.write_text('#include "kernels.cuh"\nvoid run' + TEXT.partition("void run")[2])
    before = Lowering(str(kernels), kernels.read_text(), load(str(unit), LoadOptions()))
    for edit in ANEW.values():
        text = kernels.read_text().replace(*edit, 1)
        options = LoadOptions(unsaved=((str(kernels), text),))
        made = load_edited(str(unit), options, text, before)
        assert made.base is not None, edit
        assert written(made.unit) == written(load(str(unit), options)) != written(before.unit)
    longer = kernels.read_text().replace(*WHOLE["a parameter"], 1)
    assert not load_edited(str(unit), LoadOptions(unsaved=((str(kernels), longer),)), longer, before).base


def edited(text: str, unit: Unit, end: str) -> str:
    """The text with a statement more and the end in the last kernel, on a line that ends one; '' for none."""
    rows = text.split("\n")
    for function in reversed(unit.functions.values()):
        body = function.body
        if function.kernel and body is not None and body.span.path == unit.path:
            for line in range(body.span.end_line - 1, body.span.line, -1):
                if rows[line - 1].rstrip().endswith(";"):
                    return "\n".join(
                        [*rows[: line - 1], f"{rows[line - 1]} int more = 1;{end}", *rows[line:]]
                    )
    return ""


@pytest.mark.parametrize("end", ["", "\n\n    more += 1;"])
def test_units_of_the_fixtures_after_an_edit(end: str) -> None:
    short = tried = 0
    for file in PARSED[len(end) :: 23]:
        text = file.read_text(encoding="utf-8", errors="replace")
        options = LoadOptions(text=text)
        try:
            unit = load(str(file), options)
        except UnitFailed:
            continue
        before = Lowering(unit.path, text, unit)
        options = replace(options, text=edited(text, unit, end))
        if not options.text:
            continue
        tried += 1
        made = load_edited(str(file), options, options.text, before)
        short += made.base is not None
        assert written(made.unit) == written(load(str(file), options)), file
    assert tried >= 25
    assert short >= 0.8 * tried


def test_kernels_of_libraries_stay_those_of_their_calls(tmp_path: Path) -> None:
    text = (
        "#include <thrust/device_vector.h>\n#include <thrust/transform.h>\n"
        "struct Half {\n  __host__ __device__ float operator()(float x) const {\n    return x / 2;\n  }\n};\n"
        "void run(thrust::device_vector<float> &a) {\n"
        "  thrust::transform(a.begin(), a.end(), a.begin(), Half());\n}\n"
    )
    path = tmp_path / "a.cu"
    path.write_text(text)
    before = Lowering(str(path), text, load(str(path), LoadOptions()))
    more = "Half());  thrust::transform(a.begin(), a.end(), a.begin(), thrust::negate<float>());"
    for old, new, count in (("x / 2", "x / 3", 1), ("Half());", more, 2)):
        options = LoadOptions(text=text.replace(old, new))
        found = load_edited(str(path), options, options.text or "", before).unit
        assert written(found) == written(load(str(path), options))
        assert len(found.kernels) == count
