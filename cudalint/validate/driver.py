"""Makes a program of a fixture: where it has no `main`, one that calls its `run` with made-up arguments."""

import re
from pathlib import Path

from cudalint.validate import build
from cudalint.validate.build import CompileError
from cudalint.validate.toolchain import Toolchain

_MAIN = re.compile(r"^int main\(", re.MULTILINE)
_RUN = re.compile(r"^\w[\w *&]*\brun\(", re.MULTILINE)
_OPTIONS = ("--expt-relaxed-constexpr",)
_DRIVER = """
#include <cuda_runtime.h>
#include <cstddef>
template <class T> struct made { static T one() { return T(64); } };
template <class T> struct made<T *> {
    static T *one() { void *p; cudaMalloc(&p, 1 << 28); cudaMemset(p, 0, 1 << 28); return (T *)p; }
};
template <> struct made<cudaStream_t> { static cudaStream_t one() { return 0; } };
template <class R, class... A> void call(R (*f)(A...)) { f(made<A>::one()...); }
int main() { call(run); return cudaDeviceSynchronize() != cudaSuccess; }
"""


def runs(fixture: Path) -> bool:
    """Whether a program can be made of it: there is a `main` or a `run`."""
    source = fixture.read_text(encoding="utf-8")
    return bool(_MAIN.search(source) or _RUN.search(source))


def source_of(program: Path) -> Path:
    """The source that `program` compiles."""
    return program.with_name(f"{program.name}.cu")


def program(tools: Toolchain, fixture: Path, into: Path, arch: str) -> Path:
    """The fixture as a program, of a copy of its source beside it. CompileError where nvcc says no."""
    source = fixture.read_text(encoding="utf-8")
    unit = source_of(into)
    unit.write_text(source if _MAIN.search(source) else source + _DRIVER, encoding="utf-8")
    options = (*_OPTIONS, "-I", str(fixture.parent))
    try:
        return build.program(tools, unit, into, arch, *options)
    except CompileError:
        # Launches by kernels need a linker for device code, with which shared accesses are not merged.
        return build.program(tools, unit, into, arch, *options, "-rdc=true")
