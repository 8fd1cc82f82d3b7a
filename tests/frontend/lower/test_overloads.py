"""Functions that a brace list names as one of several: by template arguments, or by the pointer's type."""

from pathlib import Path

from cudalint.frontend import load
from cudalint.ir import expressions as e
from cudalint.ir.walk import walk

CODE = """#include <cuda_runtime.h>
struct Data { float *x; };
template <int N> void one(const Data &) {}
template <class T, int N, bool B> void two(const T &) {}
void plain(const Data &) {}
void plain(int) {}
template <int N> __global__ void kernel(float *x) { x[threadIdx.x] += N; }
using Step = void (*)(const Data &);
struct Named { const char *name; Step step; };
enum { three = 3 };
int main()
{
    Named first = {"x", one<64>};
    Named others[] = {{"a", &one<32>}, {"b", two<Data, 3, true>}, {"c", (two<Data, 3, false>)}, {"d", plain}};
    Step last = {two<Data, three, true>};
    void (*kernels[])(float *) = {kernel<1>, kernel<2>};
    first.step(Data{});
    return others[0].step == last || !kernels[0];
}
"""


def test_the_function_is_the_one_with_the_arguments(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(CODE)
    unit = load(str(file))
    main = next(function for function in unit.functions.values() if function.name == "main")
    assert main.body is not None
    named = [node.key for node in walk(main.body) if isinstance(node, e.FunctionReference)]
    parts = ("one<#VI64>", "one<#VI32>", "#VI3#Vb1>", "#VI3#Vb0>", "plain#&1", "#VI3#Vb1>", "VI1>", "VI2>")
    assert len(named) == len(parts) and all(part in key for part, key in zip(parts, named, strict=True)), (
        named
    )
