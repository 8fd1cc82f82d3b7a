"""The sizes of copies in the run that a build file makes."""

from cudalint.buildfiles.run_lines import RunLine
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run

CODE = """
#include <cstdlib>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
template <class T> void go(int n)
{
    thrust::host_vector<T> h(n);
    thrust::device_vector<T> d = h;
    k<<<(n + 255) / 256, 256>>>((float *)d.data().get(), n);
}
int main(int argc, char **argv)
{
    if (argc != 2) return 1;
    int n = atoi(argv[1]);
    go<float>(n);
    go<double>(n);
    return 0;
}
"""


def test_a_place_that_does_more_than_copy_has_the_sizes_of_its_copies():
    host = run(load("a.cu", LoadOptions(text=CODE)), RunLine(("1024",), "Makefile", 3))
    copies = [call for call in host.calls if call.kind == "copy"]
    others = [call for call in host.calls if call.span == copies[0].span and call.kind != "copy"]
    assert others
    assert [call.as_run for call in copies] == [4096, 8192]
