"""Allocations that overwrite the only pointer to an earlier one."""

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run

_CODE = """
class Scratch {
    int room = 0;
    int *lost = nullptr, *freed = nullptr, *handed = nullptr, *older = nullptr;
public:
    ~Scratch() { cudaFree(lost); cudaFree(freed); }
    void use(int n) {
        if (n > room) {
            cudaMalloc(&lost, n * sizeof(int));
            cudaFree(freed);
            cudaMalloc(&freed, n * sizeof(int));
            older = handed;
            cudaMalloc(&handed, n * sizeof(int));
            room = n;
        }
    }
    int *old() const { return older; }
};
int main(int argc, char **) {
    Scratch scratch;
    for (int step = 0; step < 100 * argc; ++step) scratch.use(step << 16);
    return scratch.old() != nullptr;
}
"""


def test_only_what_is_neither_freed_nor_handed_on_is_lost() -> None:
    host = run(load("kernel.cu", LoadOptions(text="#include <cuda_runtime.h>\n" + _CODE)))
    assert {call.lost.name for call in host.calls if call.lost is not None} >= {"lost"}
    assert "freed" not in {call.lost.name for call in host.calls if call.lost is not None}
