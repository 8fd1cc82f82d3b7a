"""A finding of some instantiations names them, and is that of the costliest."""

from msgspec.structs import replace

from cudalint.engine.analysis import Task, analyse
from cudalint.settings.config import Settings

_PICK = """
template <int STRIDE, class T> __global__ void pick(T *out, const T *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * STRIDE];
}
void run(float *a, float *b)
{
    pick<LEAST><<<4096, 256>>>(a, b);
    pick<2><<<4096, 256>>>(a, b);
    pick<8><<<4096, 256>>>(a, b);
}
"""


def _notes(least: str) -> tuple[object, tuple[str, ...]]:
    settings = replace(Settings(), select=("CU101",))
    (found,) = analyse(Task("a.cu", settings, text=_PICK.replace("LEAST", least))).findings
    return found.evidence["transactions"], found.notes


def test_a_finding_of_some_instantiations_names_them() -> None:
    transactions, notes = _notes("1")
    assert float(str(transactions)) == 32
    assert notes[-1] == "in `pick<2, float>` and `pick<8, float>`, of 3 instantiations"


def test_one_of_all_names_none() -> None:
    assert not any("instantiations" in note for note in _notes("4")[1])
