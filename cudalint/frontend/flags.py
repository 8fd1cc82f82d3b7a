"""Command lines of nvcc and clang, translated into what libclang 18 accepts for one device-side parse.

The tables follow the option lists of nvcc (CUDA Compiler Driver NVCC, "NVCC Command Options") and of clang.
What has no bearing on the meaning of the source is dropped and named in `ParseFlags.dropped`; what could
load code (plugins, response files from elsewhere) is refused, which is a drop as well.
"""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field

# Architectures that clang 18 can parse for; a newer or older one is parsed as the nearest below (or the
# lowest).
CLANG_ARCHS = (30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90)
DEFAULT_ARCH = 90

# One spelling for the options whose value matters, whatever the command line used.
_ALIASES = {
    "--include-path": "-I",
    "--system-include": "-isystem",
    "--define-macro": "-D",
    "--undefine-macro": "-U",
    "--pre-include": "-include",
    "--gpu-architecture": "-arch",
    "--gpu-code": "-code",
    "--generate-code": "-gencode",
    "--cuda-gpu-arch": "-arch",
    "--offload-arch": "-arch",
    "--std": "-std",
    "--compiler-options": "-Xcompiler",
    "--default-stream": "-default-stream",
    "--options-file": "-optf",
    "--use_fast_math": "-use_fast_math",
    "-cuda-gpu-arch": "-arch",
    "-offload-arch": "-arch",
}

# Kept with their value, joined or in two tokens.
_KEPT = ("-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-D", "-U")

# Dropped together with the value that follows in a token of its own.
_DROPPED_WITH_VALUE = frozenset(
    """-o --output-file -odir --output-directory -MF -MT -MQ --dependency-output -ccbin --compiler-bindir -x
    --x -Xlinker --linker-options -Xptxas --ptxas-options -Xnvlink --nvlink-options -Xarchive
    --archive-options -Xcudafe -maxrregcount --maxrregcount -L --library-path -l --library -code -t --threads
    -split-compile --split-compile -j --jump-table-density -dlcm --dlcm -ftz --ftz -prec-div --prec-div
    -prec-sqrt --prec-sqrt -fmad --fmad -rdc --relocatable-device-code -cudart --cudart -cudadevrt
    --cudadevrt -libdevice-directory --libdevice-directory -ldir --target-directory -target-dir -m --machine
    -keep-dir --keep-dir -diag-suppress --diag-suppress -diag-error --diag-error -diag-warn --diag-warn
    -Werror --Werror -e --entries -run-args --run-args -ident -arbin -optf-ignored --compiler-bindir-ignored
    -target -isysroot --sysroot -arch-ignored -Xarch_host -Xarch_device -Xpreprocessor -Xassembler -mllvm
    -Xclang -Xcuda-ptxas -Xcuda-fatbinary --cuda-path -gcc-toolchain -b -u -z -T -aux-triple -resource-dir
    -fplugin -load -plugin -add-plugin -fplugin-arg -specs -wrapper --config -B -default-device -gen-opt-lto
    -dopt --dopt -opt-info --opt-info -time --time -frandom-seed -static-global-template-stub
    --static-global-template-stub -cuid --cuid -device-entity-has-hidden-visibility -arch-list
    -include-pch -include-pth -ivfsoverlay -serialize-diagnostics --serialize-diagnostics""".split()
)

# These take a value, but only a joined one (`-Werror` alone is a switch); a following token is not theirs.
_JOINED_ONLY = frozenset("-Werror --Werror -m -j -b -z -time -specs -cuid --cuid -B -fplugin-arg".split())

_HOST_KEPT = re.compile(r"-(D|U|I|isystem|iquote|idirafter|include)")
_STANDARD = re.compile(r"^(?:c|gnu)\+\+(\w+)$")
_ARCH = re.compile(r"(?:sm|compute|lto)_(\d+)[a-z]?")
_SOURCE = re.compile(r"\.(cu|cuh|cc|cpp|cxx|c|C|c\+\+|ptx|cubin|fatbin|o|obj|a|so|lib)$")


class ParseFlags(Struct, frozen=True):
    """What a parse needs of a command line.

    arguments: for libclang, without the target, the standard headers and the shim, which parse adds. arch:
    the compute capability as an integer (sm_90 is 90), None when the command line has none. dropped: what
    was left out. built: a build's command line is among them, which defines all macros that the build does.
    """

    arguments: tuple[str, ...] = ()
    arch: int | None = None
    default_stream_per_thread: bool = False
    fast_math: bool = False
    dropped: tuple[str, ...] = ()
    built: bool = False


class _State(Struct):
    directory: str | None
    tree: str | None
    kept: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    archs: list[int] = field(default_factory=list)
    standard: str | None = None
    per_thread: bool = False
    fast_math: bool = False


def translate(arguments: Sequence[str], directory: str | None = None, tree: str | None = None) -> ParseFlags:
    """Translate the arguments of nvcc or clang (without the compiler's own name).

    Relative include directories are taken from `directory` where given. A response file is read only when it
    lies inside `tree` (default: `directory`).
    """
    state = _State(directory, tree or directory)
    _consume(iter(_expand(arguments, state)), state)
    if state.standard is not None:
        state.kept.insert(0, f"-std={state.standard}")
    return ParseFlags(
        arguments=tuple(state.kept),
        arch=max(state.archs, default=None),
        default_stream_per_thread=state.per_thread,
        fast_math=state.fast_math,
        dropped=tuple(state.dropped),
    )


def combined(build: ParseFlags, given: ParseFlags) -> ParseFlags:
    """The build's flags with the user's after them: the user's architecture and standard count."""
    return ParseFlags(
        arguments=build.arguments + given.arguments,
        arch=build.arch if given.arch is None else given.arch,
        default_stream_per_thread=build.default_stream_per_thread or given.default_stream_per_thread,
        fast_math=build.fast_math or given.fast_math,
        dropped=build.dropped + given.dropped,
        built=True,
    )


def clang_arch(arch: int | None) -> tuple[str, ...]:
    """The arguments that make clang 18 parse for a compute capability that it may not know."""
    wanted = arch or DEFAULT_ARCH
    known = max((a for a in CLANG_ARCHS if a <= wanted), default=CLANG_ARCHS[0])
    selected = f"--cuda-gpu-arch=sm_{known}"
    if known == wanted:
        return (selected,)
    # The code asks __CUDA_ARCH__: it must see the true architecture.
    return (selected, "-U__CUDA_ARCH__", f"-D__CUDA_ARCH__={wanted * 10}")


def clamp_standard(name: str) -> str | None:
    """The -std value to parse with: at least C++17, which the shim is written in, with the GNU extensions."""
    match = _STANDARD.match(name)
    if match is None:
        return None
    year = match.group(1)
    if year in ("20", "2a"):
        return "gnu++20"
    return "gnu++23" if year in ("23", "2b", "26", "2c") else "gnu++17"


def _expand(arguments: Sequence[str], state: _State, depth: int = 0) -> Iterator[str]:
    """The arguments with response files (`@file`, `-optf file`) replaced by what they hold."""
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        position += 1
        name, _, joined = argument.partition("=")
        if argument.startswith("@") and len(argument) > 1:
            response = argument[1:]
        elif _ALIASES.get(name, name) == "-optf":
            response = joined or (arguments[position] if position < len(arguments) else "")
            position += 0 if joined else 1
        else:
            yield argument
            continue
        content = _read_response(response, state) if depth < 8 else None
        if content is None:
            state.dropped.append(argument)
        else:
            yield from _expand(content, state, depth + 1)


def _read_response(name: str, state: _State) -> list[str] | None:
    """The arguments in a response file, or None when it lies outside the tree or cannot be read."""
    if state.tree is None:
        return None
    path = Path(state.directory or state.tree, name).resolve()
    if not path.is_relative_to(Path(state.tree).resolve()):
        return None
    try:
        return shlex.split(path.read_text(encoding="utf-8", errors="replace"), comments=False)
    except (OSError, ValueError):
        return None


def _consume(tokens: Iterator[str], state: _State) -> None:
    for token in tokens:
        if not token.startswith("-") or token == "-":
            if not _SOURCE.search(token):
                state.dropped.append(token)
            continue
        name, equals, joined = token.partition("=")
        name = _ALIASES.get(name, name)
        kept = next((k for k in _KEPT if name.startswith(k) and name not in _DROPPED_WITH_VALUE), None)
        if kept is not None and (name == kept or not token.startswith("--")):
            rest = joined if token.startswith("--") else token[len(kept) :]
            _keep(kept, rest or next(tokens, ""), state)
        elif name in ("-arch", "-gencode", "-std", "-Xcompiler", "-default-stream"):
            _apply(name, joined if equals else next(tokens, ""), state)
        elif name in ("-use_fast_math", "-ffast-math"):
            state.fast_math = True
            state.kept.append("-D__USE_FAST_MATH__=1")
        elif name.startswith("-Xcompiler") or name == "-fopenmp":
            _apply("-Xcompiler", token.removeprefix("-Xcompiler"), state)
        elif name in ("-dc", "-G", "--device-debug", "--device-c"):
            state.kept.append(
                "-D__CUDACC_RDC__=1" if "c" in name.removeprefix("--device") else "-D__CUDACC_DEBUG__=1"
            )
        elif name in ("-rdc", "--relocatable-device-code"):
            value = joined if equals else next(tokens, "")
            if value == "true":
                state.kept.append("-D__CUDACC_RDC__=1")
        else:
            _drop(token, name, bool(equals), tokens, state)


def _keep(option: str, value: str, state: _State) -> None:
    """One include path, macro or forced include."""
    if not value:
        return
    if option == "-D":
        if value.partition("=")[0] == "CUDA_API_PER_THREAD_DEFAULT_STREAM":
            state.per_thread = True
        state.kept.append(f"-D{value}")
    elif option == "-U":
        state.kept.append(f"-U{value}")
    elif option in ("-include", "-imacros"):
        # The compiler runs in `directory`, the linter elsewhere; a name that is not there is searched for.
        located = os.path.normpath(os.path.join(state.directory or "", value))
        state.kept += [option, located if os.path.isfile(located) else value]
    else:
        # nvcc takes several directories in one value.
        for path in value.split(","):
            located = os.path.normpath(os.path.join(state.directory, path)) if state.directory else path
            state.kept += [f"-I{located}"] if option == "-I" else [option, located]


def _apply(option: str, value: str, state: _State) -> None:
    """An option whose value means something to the models."""
    match option:
        case "-arch" | "-gencode":
            state.archs += [int(number) for number in _ARCH.findall(value)]
        case "-std":
            standard = clamp_standard(value)
            if standard is None:
                state.dropped.append(f"-std={value}")
            else:
                state.standard = standard
        case "-default-stream":
            state.per_thread = value == "per-thread"
            if state.per_thread:
                state.kept.append("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1")
        case _:
            _host_options(value, state)


def _host_options(value: str, state: _State) -> None:
    """What nvcc hands to the host compiler: macros and include paths count, and OpenMP's macro."""
    parts = [part for chunk in value.split(",") for part in shlex.split(chunk.strip("\"'")) if part]
    tokens = iter(parts)
    for part in tokens:
        if part in ("-fopenmp", "/openmp", "-openmp", "-qopenmp"):
            state.kept.append("-D_OPENMP=201511")
        elif _HOST_KEPT.match(part):
            _consume(iter([part, next(tokens, "")] if part in _KEPT else [part]), state)
        elif part.startswith("-std="):
            _apply("-std", part.removeprefix("-std="), state)
        else:
            state.dropped.append(part)


def _drop(token: str, name: str, has_value: bool, tokens: Iterator[str], state: _State) -> None:
    dropped = token
    if name in _DROPPED_WITH_VALUE and name not in _JOINED_ONLY and not has_value:
        following = next(tokens, "")
        dropped = f"{token} {following}".rstrip()
    state.dropped.append(dropped)
