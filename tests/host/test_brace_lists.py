"""Brace lists as arguments: a std::initializer_list has the elements that are written."""

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run

CODE = """#include <cuda_runtime.h>
#include <initializer_list>
#include <string>
__global__ void work() {}
static int warps(const std::initializer_list<int> &some) { return 32 * some.size(); }
static int first(std::initializer_list<int> some) { return some.size() ? *some.begin() : 1; }
static bool named(const std::initializer_list<std::string> &names) { return names.size() != 0; }
struct Shape { explicit Shape(std::initializer_list<int> some) : threads(64 * some.size()) {} int threads; };
int main()
{
    Shape shape({1, 2, 3});
    work<<<1, warps({7, 8, 9, 10})>>>();
    work<<<1, first({96, 5})>>>();
    work<<<1, named({"a", "b"}) ? 256 : 1>>>();
    work<<<1, shape.threads>>>();
    return 0;
}
"""


def test_a_list_has_its_elements() -> None:
    launches = run(load("a.cu", LoadOptions(text=CODE))).launches
    assert [launch.block[0] for launch in launches] == [128, 96, 256, 192]
