"""What cudalint costs: CPU time, wall time and the largest process, of three runs.

    python -m tools.measure [PATH...]

`--version`, a lint of one file of 300 lines, and one lint of all the paths that are given. CPU seconds count
the workers too; the memory is the resident peak of the largest single process, in MiB. Not a test: it asserts
nothing, because a machine under load proves nothing.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LINES = 300

# What a run is compared with: an interpreter that imports two of the libraries, and works on what most of a
# run works on, objects and short vectors.
YARDSTICK = """
import numpy, clang.cindex

def words(number):
    return {str(n % 97): [n, (n, number)] for n in range(40)}

lanes = numpy.arange(1024)
for step in range(8000):
    words(step)
    numpy.sort((lanes * step) // 32 % 61)
    (lanes + step)[lanes % 2 == 0].sum()
"""

KERNEL = """\
// Kernel {n}: a stage of a filter, with a tile in shared memory.
__global__ void stage{n}(float *out, const float *in, int width, int height)
{{
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    bool inside = x < width && y < height;
    tile[threadIdx.y][threadIdx.x] = inside ? in[y * width + x] : 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 16; k++)
        sum += tile[threadIdx.y][k] * {n}.5f;
    if (threadIdx.x % 2 == 0)
        sum *= 0.25f;
    int left = blockIdx.y * 16 + threadIdx.x;
    int top = blockIdx.x * 16 + threadIdx.y;
    if (left < height && top < width)
        out[top * height + left] = tile[threadIdx.x][threadIdx.y] + sum;
}}

void run{n}(float *out, const float *in, int width, int height)
{{
    dim3 block(16, 16);
    dim3 grid((width + 15) / 16, (height + 15) / 16);
    float *scratch;
    cudaMalloc(&scratch, sizeof(float) * width * height);
    stage{n}<<<grid, block>>>(scratch, in, width, height);
    cudaMemcpy(out, scratch, sizeof(float) * width * height, cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
}}
"""


def sample() -> str:
    """A file of LINES lines: ten kernels with their launches."""
    text = "".join(KERNEL.format(n=n) for n in range(LINES // KERNEL.count("\n")))
    return text + "\n" * (LINES - text.count("\n"))


def measured(*arguments: str) -> tuple[float, float, float, int]:
    """(CPU seconds, wall seconds, MiB of the largest process, exit status) of one run of cudalint."""
    begin = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "cudalint", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - begin
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, process.returncode


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*", help="files and folders to lint together")
    paths = parser.parse_args().paths
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "sample.cu")
        file.write_text(sample(), encoding="utf-8")
        cold = ["--isolated", "--no-cache"]
        runs = [("--version", ["--version"]), (f"one file, {LINES} lines", [*cold, str(file)])]
        if paths:
            runs.append((paths[0] if len(paths) == 1 else f"{len(paths)} paths", [*cold, *paths]))
        print(f"{'CPU s':>8} {'wall s':>8} {'MiB':>6} {'exit':>4}  run")
        for name, arguments in runs:
            best = min(measured(*arguments) for _ in range(1 if paths and arguments[2:] == paths else 5))
            print(f"{best[0]:8.2f} {best[1]:8.2f} {best[2]:6.0f} {best[3]:4d}  {name}")


if __name__ == "__main__":
    main()
