"""Which pointer parameters a kernel reads through and writes through."""

from pathlib import Path

from cudalint.analyses.pointees import effects
from cudalint.frontend import load


def test_reads_writes_and_atomics(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(
        """struct S { float x, y; };
        __global__ void k(const float *a, float *b, S *c, int *d, float *e, int n, float *f)
        {
            b[n] = a[2 * n];
            c[n].x += 1.0f;
            atomicAdd(&d[n], 1);
            *(e + 3) = *(e + 4);
            float *g = f;
            g[0] = 1.0f;
        }
        """
    )
    unit = load(str(file))
    read, written = effects(unit.functions[unit.kernels[0]])
    assert (sorted(read), sorted(written)) == ([0, 2, 4], [1, 2, 3, 4])
