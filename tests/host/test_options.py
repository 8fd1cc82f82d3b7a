"""What getopt finds on the command line that a Makefile gives, or on none."""

from pathlib import Path

import pytest

from cudalint.buildfiles.run_lines import run_line
from cudalint.frontend import load
from cudalint.host import model

CODE = """
#include <unistd.h>
#include <cstdlib>
__global__ void k(float *a) { a[threadIdx.x] = 1; }
struct Options {
    int threads = 64, blocks = 3;
    Options(int argc, char **argv)
    {
        int found;
        while ((found = getopt(argc, argv, "t:qb:")) != -1) {
            switch (found) {
                case 't': threads = atoi(optarg); break;
                case 'b': blocks = atoi(optarg); break;
                case 'q': break;
                default: exit(1);
            }
        }
    }
};
int main(int argc, char **argv)
{
    float *d;
    cudaMalloc(&d, 1024);
    Options options(argc, argv);
    k<<<options.blocks, options.threads>>>(d);
}
"""


@pytest.mark.parametrize(
    ("words", "grid", "block"),
    [("", 3, 64), ("-t 32", 3, 32), ("-q -b7 -t 128", 7, 128), ("file -b 9", 9, 64), ("--long", None, None)],
)
def test_options_of_a_run(tmp_path: Path, words: str, grid: int | None, block: int | None) -> None:
    source = tmp_path / "main.cu"
    source.write_text(CODE, encoding="utf-8")
    makefile = f"program = main\nmain: main.cu\n\tnvcc main.cu -o main\nrun: main\n\t./main {words}\n"
    (tmp_path / "Makefile").write_text(makefile, encoding="utf-8")
    found = model.run(load(str(source)), run_line(str(source)))
    (launch,) = found.defaults
    assert (launch.grid[0], launch.block[0]) == (grid, block)
