"""
## What it does
Reads how the file is compiled, from `compile_commands.json` and from what `CMakeLists.txt` says literally,
and finds options that make GPU code slow: `-G`, `-Xptxas -O0` and `-Ofc` in a build that is not for
debugging, and a list of architectures without machine code for the one that is asked for (`--arch`, or a
configuration's `arch` or `device`). Notes tell what `-maxrregcount` and `-use_fast_math` do to every kernel
of the build.

## Why it costs
`-G` turns off all optimisation of device code (it hands `-O0` to the assembler), so that variables live in
local memory and every use of them is a load or a store. `-O0` of nvcc is for
host code alone; for device code the same word has to reach ptxas. Code without machine code for the device is
compiled from PTX by the driver at the first start, which takes seconds to minutes in large programs and is
done again after each change of driver; without PTX of a lower or equal architecture no kernel starts at all.

## Example
```cmake
set(CMAKE_CUDA_ARCHITECTURES 70-real)
set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -G")
```

## Instead
```cmake
set(CMAKE_CUDA_ARCHITECTURES 70-real 90)
set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -lineinfo")
set(CMAKE_CUDA_FLAGS_DEBUG "${CMAKE_CUDA_FLAGS_DEBUG} -G")
```
`-lineinfo` gives profilers the source lines and leaves the code as it is. A limit of registers for one kernel
is `__launch_bounds__(threads, blocks)`; a fast function for one call is `__sinf`, `__fdividef` and so on.

## Limits
A finding stands where the option is written, once: in the list file where that writes it literally, else at
the first command of the database. A build counts as not for debugging where the command defines NDEBUG or
optimises host code (`-O1` and up), or where CMake gives the option to every configuration or to one that is
not Debug. What a condition, a loop, a function or a variable of CMake decides is left unsaid, and so is the
list of architectures where targets have their own. Makefiles are read through the database only (`bear --
make` writes one).

## Source
000 appendix B (nvcc switches) and 10.1 (`-maxrregcount` against `__launch_bounds__`), 001, 004; nvcc's own
help and its `--dryrun` of release 13.0.
"""

from collections.abc import Iterator

from cudalint.buildfiles.facts import BuildFacts, Code, Option
from cudalint.gpu.occupancy import occupancy
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU904",
    name="slow-build-flags",
    severity=Severity.WARNING,
    summary="options of the build make GPU code slow, or leave out the target's machine code",
    guides=("000 B", "001", "004"),
)

_LINE_INFO = "`-lineinfo` gives profilers source lines and leaves the code as it is; keep `-G` for Debug"
_THREADS = 256  # of the blocks for which registers are counted
_MOST_REGISTERS = 255


def check(build: BuildFacts, context: Context) -> Iterator[Finding]:
    """A finding for each option, and one for the architectures."""
    for option in build.options:
        yield from _unoptimised(option, build)
        yield from _notes(option, build, context)
    if build.code is not None:
        yield from _code(build.code, build, context)


def _unoptimised(option: Option, build: BuildFacts) -> Iterator[Finding]:
    """Options that turn optimisation off, where the build is not for debugging."""
    if not option.release:
        return
    match option.name, option.value:
        case "-G", _ if not build.has("-dopt"):
            said = "`-G` turns off all optimisation of device code"
            yield _finding(option, said, _LINE_INFO)
        case "-Xptxas", "-O0" | "-O1":
            said = f"ptxas is told `{option.value}`: device code is not optimised as it is by default (-O3)"
            yield _finding(option, said, "leave the option out")
        case "-Ofc", "max" | "mid":
            said = f"`-Ofc {option.value}` leaves out optimisations of device code to compile faster"
            yield _finding(option, said, "keep it for builds that are not measured")
        case "-O", "0" if build.compiler == "clang":
            said = "`-O0` turns off the optimisation of device code too"
            yield _finding(option, said, "compile with -O3")
        case "-O", "0":
            said = "`-O0` is for host code only, which is not optimised; device code is"
            yield _finding(option, said, "compile with -O2 or -O3", Severity.NOTE)


def _notes(option: Option, build: BuildFacts, context: Context) -> Iterator[Finding]:
    """What options do to every kernel."""
    if option.name == "-maxrregcount" and option.value.isdigit():
        limit = int(option.value)
        if 0 < limit < _MOST_REGISTERS:
            held = occupancy(context.arch, _THREADS, limit)
            said = f"`-maxrregcount` keeps every kernel of the build to {limit} registers a thread"
            note = (
                f"what does not fit goes to local memory; {held.warps} of {held.max_warps} warps a "
                f"multiprocessor fit at {limit} registers (blocks of {_THREADS})"
            )
            help = "`__launch_bounds__(threads, blocks)` limits the kernels that need it, each by itself"
            yield _finding(option, said, help, Severity.NOTE, (note,))
    elif option.name == "-use_fast_math":
        said = (
            "`-use_fast_math` makes division, roots and elementary functions of float approximate everywhere"
        )
        note = (
            "it stands for -ftz=true -prec-div=false -prec-sqrt=false, and `sinf`, `expf`, `powf` and so on "
            "become `__sinf`, `__expf`, `__powf`"
        )
        help = "where only some calls are hot, write the `__` functions there and leave the option out"
        yield _finding(option, said, help, Severity.NOTE, (note,))


def _finding(
    option: Option,
    said: str,
    help: str,
    severity: Severity = Severity.WARNING,
    notes: tuple[str, ...] = (),
) -> Finding:
    where = []
    if option.release:
        where.append(f"in force with {option.release}")
    if option.commands > 1:
        where.append(f"in {option.commands} commands of the build")
    evidence = {"option": option.name, "value": option.value, "commands": option.commands}
    return RULE.finding(
        option.span,
        said,
        notes=(*notes, *((", ".join(where),) if where else ())),
        help=help,
        evidence={key: value for key, value in evidence.items() if value},
        severity=severity,
    )


def _code(code: Code, build: BuildFacts, context: Context) -> Iterator[Finding]:
    """No machine code for the architecture: of the one asked for, else of the build's newest."""
    if code.runs_natively(context.arch) or not (build.named or not code.native):
        return
    target = f"sm_{context.arch}"
    has = ", ".join((*code.native, *code.virtual))
    evidence = {"option": "-gencode", "target": target, "native": len(code.native), "ptx": len(code.virtual)}
    if code.runs_from_ptx(context.arch):
        yield RULE.finding(
            code.span,
            f"no machine code for {target}: the driver compiles PTX at the first start",
            notes=(f"the build makes {has}",),
            help=f"add {_added(context.arch)}",
            evidence=evidence,
        )
    elif build.named:
        yield RULE.finding(
            code.span,
            f"nothing of this build runs on {target}: no machine code, and no PTX that it could be made from",
            notes=(f"the build makes {has}",),
            help=f"add {_added(context.arch)}",
            evidence=evidence,
            severity=Severity.ERROR,
            confidence=Confidence.HIGH,
        )


def _added(arch: int) -> str:
    return f"`-gencode arch=compute_{arch},code=sm_{arch}` (CMake: {arch}-real in CMAKE_CUDA_ARCHITECTURES)"
