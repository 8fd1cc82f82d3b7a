"""`validate --compile-only`: compile every pair for several architectures and check the machine code."""

from pathlib import Path

from msgspec import Struct

from cudalint.validate import build, evidence, machine_code
from cudalint.validate.evidence import Evidence, NothingToAsk
from cudalint.validate.machine_code import Code, plain_name
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

    CompileError where nvcc rejects the pair, NothingToAsk where a kernel that is launched is not in the code.
    """
    cubin = folder / f"{pair.code}.{arch}.cubin"
    build.machine_code(tools, pair.path, cubin, arch)
    sass = build.disassembly(tools, cubin)
    if sass is None:
        return None
    every = machine_code.codes(sass)
    bad, good = (launched(every, seen, name) for name in VARIANTS)
    return Compiled(arch, bad, good)


def launched(every: dict[str, Code], seen: Model, variant: str) -> tuple[Code, ...]:
    """The kernels that a variant launches, by their names. NothingToAsk where one is not there."""
    names = {launch.name.partition("<")[0] for launch in seen.launches[variant]}
    found = tuple(code for mangled, code in sorted(every.items()) if plain_name(mangled) in names)
    lost = names - {plain_name(code.name) for code in found}
    if lost:
        raise NothingToAsk(f"`{min(lost)}` of the {variant} variant is not in the machine code")
    return found


def asked(pair: Pair, made: Compiled) -> tuple[Evidence, ...]:
    """The evidence for a pair's rule in one architecture's machine code."""
    return evidence.answers(pair.code, made.arch, made.bad, made.good)
