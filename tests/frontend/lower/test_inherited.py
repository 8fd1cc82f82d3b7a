"""Constructors that a class inherits, and destructors of instances of class templates: what the host runs."""

from pathlib import Path

from cudalint.frontend import load
from cudalint.host.facts import HostCall
from cudalint.host.model import run

BASE = """#include <cuda_runtime.h>
template <class T> struct Base {
    explicit Base(int k, int times = 2) { cudaMalloc(&p, k * times * sizeof(T)); }
    Base(const char *name, int k) { cudaMalloc(&p, k * sizeof(T)); }
    T *p;
};
struct Derived : Base<double> { using Base::Base; int more = 5; };
struct Further : Derived { using Derived::Derived; int most = 7; };
"""

STORE = """#include <cuda_runtime.h>
template <class T, bool Near> struct Store {
    explicit Store(int n) { cudaMalloc(&p, n * sizeof(T)); }
    ~Store() { if constexpr (Near) cudaFree(p); else cudaFreeHost(p); }
    T *p;
};
"""


def _calls(tmp_path: Path, code: str) -> list[HostCall]:
    file = tmp_path / "a.cu"
    file.write_text(code)
    return [call for call in run(load(str(file))).calls if "main" in call.function]


def test_inherited_constructors_make_the_base(tmp_path: Path) -> None:
    main = 'int main() { Derived a(10); Further b("x", 30); cudaMemset(b.p, b.most, a.more); return 0; }\n'
    first, second, cleared = _calls(tmp_path, BASE + main)
    assert first.bytes == 160 and second.bytes == 240
    assert cleared.destination == second.destination and cleared.bytes == 5


def test_destructors_of_instances_know_their_arguments(tmp_path: Path) -> None:
    calls = _calls(
        tmp_path, STORE + "int main() { Store<int, true> a(1); Store<int, false> b(1); return 0; }\n"
    )
    freed = [(call.name, call.conditions) for call in calls if call.kind == "free"]
    assert freed == [("cudaFreeHost", ()), ("cudaFree", ())]
    assert not any(call.unseen for call in calls)
