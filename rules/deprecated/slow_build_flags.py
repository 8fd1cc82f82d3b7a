"""
## What it does
Reads how the file is compiled, from `compile_commands.json` and from what `CMakeLists.txt` states literally,
and finds options that make GPU code slow: `-G`, `-Xptxas -O0` and `-Ofc` in non-debug builds, and a list of
architectures without machine code for the target (`--arch`, or `arch` or `device` in the configuration).
Notes explain what `-maxrregcount` and `-use_fast_math` do to every kernel of the build.

## Why it costs
`-G` disables all optimisation of device code, so that variables live in local memory and every use is a load
or a store. nvcc's `-O0` applies only to host code; for device code it has to be passed to ptxas. Without
machine code for the device, the driver compiles the PTX at first start, which takes seconds to minutes in
large programs and is repeated after each driver update; without PTX for the same or a lower architecture no
kernel starts at all.

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
`-lineinfo` gives profilers the source lines without changing the code. Limit the registers of one kernel with
`__launch_bounds__(threads, blocks)`, and use fast math for one call with `__sinf`, `__fdividef` and so on.

## Limits
- One finding per option, where the CMake file writes it literally, else at the first command of the database.
- A build counts as non-debug if the command defines NDEBUG or optimises host code (`-O1` and up), or if CMake
  sets the option for all configurations or for one other than Debug.
- Options under CMake conditions, loops, functions or variables are not evaluated, nor are architectures per
  target.
- Makefiles are read only through the database (`bear -- make` writes one).

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
    summary="build options make GPU code slow, or omit machine code for the target",
    guides=("000 B", "001", "004"),
)

_LINE_INFO = "use `-lineinfo` to give profilers the source lines, and keep `-G` for Debug builds"
_THREADS = 256  # threads per block for the occupancy in the note
_MOST_REGISTERS = 255


def check(build: BuildFacts, context: Context) -> Iterator[Finding]:
    """One finding per option, and one for the architectures."""
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
            said = "`-G` disables all optimisation of device code"
            yield _finding(option, said, _LINE_INFO)
        case "-Xptxas", "-O0" | "-O1":
            said = f"`-Xptxas {option.value}` reduces the optimisation of device code (default -O3)"
            yield _finding(option, said, "remove the option")
        case "-Ofc", "max" | "mid":
            said = f"`-Ofc {option.value}` skips optimisations of device code to compile faster"
            yield _finding(option, said, "use it only for builds whose speed does not matter")
        case "-O", "0" if build.compiler == "clang":
            said = "`-O0` also disables the optimisation of device code"
            yield _finding(option, said, "compile with -O3")
        case "-O", "0":
            said = "`-O0` disables the optimisation of host code; device code is still optimised"
            yield _finding(option, said, "compile with -O2 or -O3", Severity.NOTE)


def _notes(option: Option, build: BuildFacts, context: Context) -> Iterator[Finding]:
    """What options do to every kernel."""
    if option.name == "-maxrregcount" and option.value.isdigit():
        limit = int(option.value)
        if 0 < limit < _MOST_REGISTERS:
            held = occupancy(context.arch, _THREADS, limit)
            said = f"`-maxrregcount` limits every kernel of the build to {limit} registers/thread"
            note = (
                f"the rest spills to local memory; {limit} registers/thread allow {held.warps} of "
                f"{held.max_warps} warps/SM (blocks of {_THREADS})"
            )
            help = "limit only the kernels that need it, with `__launch_bounds__(threads, blocks)`"
            yield _finding(option, said, help, Severity.NOTE, (note,))
    elif option.name == "-use_fast_math":
        said = "`-use_fast_math` makes every float division, square root and elementary function approximate"
        note = (
            "it implies -ftz=true -prec-div=false -prec-sqrt=false, and `sinf`, `expf`, `powf` and so on "
            "become `__sinf`, `__expf`, `__powf`"
        )
        help = "if only some calls are hot, use the `__` intrinsics there and remove the option"
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
        where.append(f"active with {option.release}")
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
    """No machine code for the target architecture."""
    if code.runs_natively(context.arch) or not (build.named or not code.native):
        return
    target = f"sm_{context.arch}"
    has = ", ".join((*code.native, *code.virtual))
    evidence = {"option": "-gencode", "target": target, "native": len(code.native), "ptx": len(code.virtual)}
    if code.runs_from_ptx(context.arch):
        yield RULE.finding(
            code.span,
            f"no machine code for {target}: the driver compiles the PTX at first start",
            notes=(f"the build generates {has}",),
            help=f"add {_added(context.arch)}",
            evidence=evidence,
        )
    elif build.named:
        yield RULE.finding(
            code.span,
            f"this build does not run on {target}: no machine code, and no PTX to compile",
            notes=(f"the build generates {has}",),
            help=f"add {_added(context.arch)}",
            evidence=evidence,
            severity=Severity.ERROR,
            confidence=Confidence.HIGH,
        )


def _added(arch: int) -> str:
    return f"`-gencode arch=compute_{arch},code=sm_{arch}` (CMake: {arch}-real in CMAKE_CUDA_ARCHITECTURES)"
