"""`validate --compile-only`: every pair compiled for several architectures, and what came out looked at."""

from pathlib import Path

from msgspec import Struct

from cudalint.validate import build, evidence, machine_code
from cudalint.validate.evidence import Evidence
from cudalint.validate.machine_code import Code
from cudalint.validate.pairs import Pair
from cudalint.validate.prediction import VARIANTS, Model
from cudalint.validate.toolchain import Toolchain


class Compiled(Struct, frozen=True):
    """The kernels of both variants for one architecture."""

    arch: str
    bad: tuple[Code, ...]
    good: tuple[Code, ...]


def compiled(tools: Toolchain, pair: Pair, seen: Model, arch: str, folder: Path) -> Compiled | None:
    """The machine code of a pair's kernels; None without nvdisasm, when only the compiler has judged.

    CompileError where nvcc rejects the pair.
    """
    cubin = folder / f"{pair.code}.{arch}.cubin"
    told = build.machine_code(tools, pair.path, cubin, arch)
    sass = build.disassembly(tools, cubin)
    if sass is None:
        return None
    every = machine_code.codes(sass, told)
    bad, good = (_launched(every, seen, name) for name in VARIANTS)
    return Compiled(arch, bad, good)


def _launched(every: dict[str, Code], seen: Model, variant: str) -> tuple[Code, ...]:
    """The kernels that a variant launches, by the names in their mangled ones."""
    names = {launch.name.partition("<")[0] for launch in seen.launches[variant]}
    return tuple(code for mangled, code in sorted(every.items()) if any(_is(mangled, name) for name in names))


def _is(mangled: str, name: str) -> bool:
    """Whether a mangled name is that of a function of this name (Itanium C++ ABI: length before name)."""
    return f"{len(name)}{name}" in mangled


def asked(pair: Pair, made: Compiled) -> tuple[Evidence, ...]:
    """The evidence for a pair's rule in one architecture's machine code."""
    return evidence.answers(pair.code, made.arch, made.bad, made.good)
