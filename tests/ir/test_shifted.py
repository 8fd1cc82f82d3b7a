"""Places behind an edit move with all that names them; what stands before it stays the same object."""

from cudalint.frontend import LoadOptions, load
from cudalint.frontend.edited import Lowering, load_edited
from cudalint.ir.shifted import Shift
from cudalint.source.span import Span

TEXT = """\
__device__ int first(int i) { return i; }
struct Sum {
    __device__ Sum() {}
    __device__ void add(int i)
    {
        total += i;
    }
    int total = 0;
};
__global__ void last(int *out)
{
    auto twice = [](int i) { return 2 * i; };
    Sum sum;
    sum.add(twice(first(threadIdx.x)));
    out[0] = sum.total;
}
"""


def test_functions_before_the_edit_stay() -> None:
    unit = load("a.cu", LoadOptions(text=TEXT))
    moved = Shift("a.cu", 6, 2).unit(unit, Span("a.cu", 4, 1, 7, 6))
    before, after = ({f.name: f for f in one.functions.values()} for one in (unit, moved))
    assert after["first"] is before["first"]
    assert (after["last"].extent.line, after["last"].extent.end_line) == (12, 18)
    assert after["add"].body is None and after["add"].extent.end_line == 9
    assert moved.kernels_in_source == (("a.cu", 12, "last"),)
    assert "(lambda at a.cu:14:18)" in repr(after["last"])


def test_a_method_moves_with_the_members_that_it_names() -> None:
    """The constructor stands before the edit; what it sets, behind."""
    text = TEXT.replace("        total += i;\n", "        i += 1;\n        total += i;\n")
    before = Lowering("a.cu", TEXT, load("a.cu", LoadOptions(text=TEXT)))
    made = load_edited("a.cu", LoadOptions(text=text), text, before)
    assert made.base is not None
    cold = load("a.cu", LoadOptions(text=text))
    constructors = [
        next(f for f in one.functions.values() if f.name == "Sum").body for one in (made.unit, cold)
    ]
    assert repr(constructors[0]) == repr(constructors[1])


def test_variables_of_what_an_edit_replaces_are_gone() -> None:
    lowering, text = Lowering("a.cu", TEXT, load("a.cu", LoadOptions(text=TEXT))), TEXT
    for _ in range(4):
        text = text.replace("    Sum sum;\n", "    Sum sum;\n    int more = 1;\n", 1)
        lowering = Lowering("a.cu", text, load_edited("a.cu", LoadOptions(text=text), text, lowering).unit)
    cold = load("a.cu", LoadOptions(text=text))
    names = [sorted(v.name for v in one.variables.values()) for one in (lowering.unit, cold)]
    assert names[0] == names[1]


def test_what_is_moved_twice_is_one_object() -> None:
    unit = load("a.cu", LoadOptions(text=TEXT))
    shift = Shift("a.cu", 1, 3)
    kernel = unit.functions[unit.kernels[0]]
    assert shift.of(kernel) is shift.of((kernel,))[0]
    assert shift.of(kernel) == Shift("a.cu", 1, 3).of(kernel) != kernel
    assert Shift("b.cu", 1, 3).of(kernel) is kernel
