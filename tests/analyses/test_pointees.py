"""Which pointer parameters a kernel reads through and writes through."""

from pathlib import Path

from cudalint.analyses.pointees import effects, part_effects
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


def test_members_of_structs_passed_by_value(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(
        """struct Inner { int n; float *p; };
        struct View { const float *in; Inner inner; };
        __global__ void k(View view, float *out)
        {
            view.inner.p[view.inner.n] = view.in[threadIdx.x];
            atomicAdd(view.inner.p + 1, out[0]);
        }
        """
    )
    unit = load(str(file))
    read, written = part_effects(unit.functions[unit.kernels[0]])
    assert (sorted(read), sorted(written)) == ([(0, 0), (1, 0)], [(0, 16)])
