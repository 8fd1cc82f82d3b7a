"""One device-side parse of one file by libclang, with the bundled shim in place of every system header."""

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from clang import cindex
from msgspec import Struct
from msgspec.structs import replace

from cudalint.frontend.flags import ParseFlags, clang_arch
from cudalint.frontend.includes import SHIM, include_paths, search
from cudalint.frontend.lower import clang
from cudalint.frontend.prelude import Preludes
from cudalint.frontend.put_in_front import Front, front, has_gaps, is_fragment
from cudalint.frontend.stand_ins import folder
from cudalint.frontend.usual_names import header_with
from cudalint.source.span import Span
from cudalint.source.text import display_path, encode

_STAND_INS = folder(SHIM)
_ELEMENTS = os.path.join(SHIM, "cudalint", "elements.h")

_CONFIGURATION = re.compile(r"<<<[^;]*?>>>(?=\s*\()")
_BRACED = re.compile(r"(<<<|,)(\s*)(?=\{)")  # a shape as `{32, 8}`
_PARTED = re.compile(r"<< <([^;{}]*?)>> >(?=\s*\()")  # the brackets of a launch, with blanks inside
_OPERANDS = re.compile(r"""\)[ \t](?=\s*"[=+&]{0,2}\w"\s*\()""")  # two of assembly, without a comma between

# CXTranslationUnit_KeepGoing: carry on past a fatal error such as a missing header. ForSerialization: the
# unit may be saved; without that clang crashes on one that was itself parsed behind a saved prelude.
_KEEP_GOING, _TO_SAVE = 0x200, 0x10
_DEFAULT_STANDARD = "-std=gnu++17"
_MISSING = re.compile(r"^'(.+)' file not found")
_UNDECLARED = re.compile(r"^(?:use of undeclared identifier|unknown type name) '(.+)'")
_NAMED = 3
_ROUNDS = 3  # of parses with what is put in front of a source
_LAUNCHED = re.compile(r"^(?:reference to __global__ function|no matching function for call to) '([^'<]+)")
_ON_DEVICE = ("in __global__ function", "in __device__ function")
_FROM_DEVICE = tuple(f"call to __global__ function from __{side}__ function" for side in ("global", "device"))
_ONLY_HOST = ("reference to __host__ ", "reference to __global__ ", "cannot use 'throw'")
_OLD_TEMPLATE = re.compile(r"'(?:texture|surface)'")
_SEVERITIES = ("ignored", "note", "warning", "error", "fatal")

# Texture references are gone from CUDA 12 on: a program may give its own functions those names.
_WITHOUT_REFERENCES = "-DCUDALINT_WITHOUT_REFERENCES"
# `__device__ alignas(16) T x`, which nvcc takes.
_ALIGNED = re.compile(r"^'alignas' attribute cannot be applied to types")
_OLD_ALIGNMENT = "-Dalignas(x)=__attribute__((aligned(x)))"

# Errors by default in clang that nvcc's host compilers take as warnings, or that say nothing about the
# source.
_SHORT_CONSTANTS = "-fconstexpr-steps=262144"  # clang makes each element of `new T[500000]` to see what it is
_LENIENT = (
    "-w",
    "-fno-spell-checking",
    "-ferror-limit=0",
    "-Wno-c++11-narrowing",
    "-Wno-register",
    "-Wno-reserved-user-defined-literal",
    "-Wno-writable-strings",
    "-Wno-dynamic-exception-spec",
    "-Wno-invalid-constexpr",
    "-Wno-enum-constexpr-conversion",
    "-Wno-narrowing",
    "-Wno-address-of-temporary",
    "-Wno-return-type",
    "-Wno-non-pod-varargs",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-int-conversion",
    "-Wno-asm-operand-widths",
    "-Wno-invalid-noreturn",
    "-Wno-unknown-escape-sequence",
    "-Xclang",
    "-fcuda-allow-variadic-functions",
)

# A saved unit is of this process, and may have errors.
_ON_SAVED = ("-Xclang", "-fallow-pch-with-compiler-errors", "-Xclang", "-fno-validate-pch")

# Templates without attributes run on both sides: where a header that defines a project's macros for the
# attributes is missing, they are device code all the same. A template of the host that is instantiated
# explicitly breaks where it launches a kernel.
_BOTH_SIDES = "-foffload-implicit-host-device-templates"


class ParseError(Exception):
    """libclang made no translation unit at all; the message names the file and what to do."""


class Diagnostic(Struct, frozen=True):
    """One message of clang, and the notes below it. severity: note, warning, error or fatal; file is '' when
    it has no place.
    """

    severity: str
    message: str
    span: Span
    file: str
    notes: tuple[str, ...] = ()


class ParsedUnit(Struct, frozen=True):
    """A translation unit with what clang said about it. missing_headers: as written, in order, each once.
    text: what was parsed in place of what the file holds. stand_ins: headers that are on no disk.
    generated: one of them stands in for a header that the build makes. assumed: guesses at names that a
    program puts in front of the source; undeclared: the first of them that is missing.
    """

    path: str
    translation_unit: Any
    diagnostics: tuple[Diagnostic, ...]
    missing_headers: tuple[str, ...]
    arguments: tuple[str, ...]
    text: str | None = None
    stand_ins: tuple[tuple[str, str], ...] = ()
    generated: bool = False
    assumed: tuple[str, ...] = ()
    undeclared: tuple[Diagnostic, ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Those of the program: what a library cannot make of its functions is not lost code."""
        wrong = (d for d in self.diagnostics if d.severity in ("error", "fatal"))
        return tuple(d for d in wrong if os.path.normpath(d.file) != _ELEMENTS)

    @property
    def causes(self) -> tuple[Diagnostic, ...]:
        """The errors without those that follow from others: of a header that is missing, or that has a
        stand-in without all of its names.
        """
        missing = tuple(d for d in self.errors if missing_header(d))
        if missing:
            return missing
        unknown = [(d, m.group(1)) for d in self.errors if (m := _UNDECLARED.match(d.message))]
        if not unknown or not (stand_ins := _stand_ins(self)):
            return self.errors
        names = list(dict.fromkeys(name for _, name in unknown))
        why = f"stand-ins for headers that were not found ({_some(stand_ins)}) lack {_some(names)}"
        return (replace(unknown[0][0], message=why),)


def parse(
    path: str,
    flags: ParseFlags,
    text: str | None = None,
    root: str | None = None,
    held: tuple[tuple[str, str], ...] = (),
) -> ParsedUnit:
    """Parse a file, or `text` under the file's name. held: texts of other files in place of what is on disk.

    `root` bounds the search for project headers that no include path finds; without it the search stops at
    the repository's top or a few levels up.
    """
    found = search(path, text, include_paths(flags.arguments), root)
    arguments = command_line(flags, found.directories, () if flags.built else found.switches)
    unsaved = (*held, *((os.path.join(_STAND_INS, name), text) for name, text in found.stand_ins))
    parsed = _parsed(path, (*arguments, _BOTH_SIDES), text, unsaved)
    if parsed.errors:
        joined, headers = _spelled_out(path, text), tuple(_headers_spelled_out(parsed))
        if joined or headers:
            text, unsaved = joined or text, (*unsaved, *headers)
            parsed = _parsed(path, (*arguments, _BOTH_SIDES), text, unsaved)
    if any(map(_of_the_host, clang.messages(parsed.translation_unit))):
        again = _parsed(path, arguments, text, unsaved)
        parsed = again if len(again.errors) <= len(parsed.errors) else parsed
    if any(_OLD_TEMPLATE.search(error.message) for error in parsed.errors):
        again = _parsed(path, (*parsed.arguments, _WITHOUT_REFERENCES), text, unsaved)
        parsed = again if _wrong(again) < _wrong(parsed) else parsed
    if parsed.errors and (usual := header_with(error.message for error in parsed.errors)):
        header = os.path.join(SHIM, "usual_names.h")  # not on disk
        again = _parsed(path, (*parsed.arguments, "-include", header), text, (*unsaved, (header, usual)))
        parsed = again if _wrong(again) < _wrong(parsed) else parsed
    if any(_ALIGNED.search(error.message) for error in parsed.errors):
        again = _parsed(path, (*parsed.arguments, _OLD_ALIGNMENT), text, unsaved)
        parsed = again if _wrong(again) < _wrong(parsed) else parsed
    if parsed.errors:
        told = ((error.message, error.file) for error in parsed.errors)
        if is_fragment(path, held_text := _held(path, text)) or has_gaps(parsed.path, told):
            parsed = _with_front(parsed, held_text, unsaved)
    return replace(parsed, generated=found.generated)


def _with_front(parsed: ParsedUnit, text: str, unsaved: tuple[tuple[str, str], ...]) -> ParsedUnit:
    """The unit with what a program puts in front of a source that it compiles at run time."""
    header = os.path.join(SHIM, "put_in_front.h")  # not on disk
    arguments = (*parsed.arguments, "-include", header)
    errors = [(error.message, error.span.line) for error in parsed.errors]
    last, first = Front(), parsed.errors[:1]
    for _ in range(_ROUNDS):
        made = front(parsed.path, text, errors)
        if made == last:
            break
        last = made
        again = _parsed(parsed.path, arguments, parsed.text, (*unsaved, (header, made.header)))
        if _wrong(again) < _wrong(parsed):
            parsed = replace(again, assumed=made.assumed, undeclared=first)
        if not again.errors:
            break
        errors += [(e.message, e.span.line) for e in again.errors if e.file == parsed.path]
    return parsed


def _held(path: str, text: str | None) -> str:
    """The text of a file, or '' where it cannot be read."""
    if text is None:
        with suppress(OSError, UnicodeDecodeError):
            return Path(path).read_text(encoding="utf-8")
    return text or ""


def _wrong(parsed: ParsedUnit) -> int:
    """How many places of the source have errors: one in a template is told of for each instance."""
    return len({(error.file, error.span.line, error.span.column) for error in parsed.errors})


def _spelled_out(path: str, text: str | None) -> str:
    """The source as clang takes it: launches with `<< <` and `>> >` without the blank, at the same columns,
    and with `dim3` before a shape in braces; commas between operands of assembly, which nvcc does without.
    '' where there is nothing to change.
    """
    text = _held(path, text)
    joined = _OPERANDS.sub("),", _PARTED.sub(r"<<< \1>>> ", text))
    joined = _CONFIGURATION.sub(lambda found: _BRACED.sub(r"\1\2dim3", found[0]), joined)
    return joined if joined != text else ""


def _headers_spelled_out(parsed: ParsedUnit) -> Iterator[tuple[str, str]]:
    """Likewise of headers in which clang finds errors: (path, text)."""
    held = {name for name, _ in parsed.stand_ins}
    for name in dict.fromkeys(error.file for error in parsed.errors):
        if name not in held and name != parsed.path and (text := _spelled_out(name, None)):
            yield name, text


def _parsed(
    path: str, arguments: tuple[str, ...], text: str | None, stand_ins: tuple[tuple[str, str], ...] = ()
) -> ParsedUnit:
    """One parse with a whole argument list."""
    held = [*stand_ins, *([(path, text)] if text is not None else [])]
    unsaved = [(name, encode(contents)) for name, contents in held]
    given = list(_preludes().arguments(_index(), arguments, SHIM))
    try:
        unit = _index().parse(path, args=given, unsaved_files=unsaved, options=_KEEP_GOING | _TO_SAVE)
    except cindex.TranslationUnitLoadError:
        reason = (
            "cannot be read" if text is None and not os.path.isfile(path) else "cannot be parsed by libclang"
        )
        raise ParseError(f"{path}: {reason}; check the path and the compiler flags") from None
    diagnostics = tuple(d for d in map(read, of_device(unit)) if not _without_bearing(d))
    missing = dict.fromkeys(name for d in diagnostics if (name := missing_header(d)))
    return ParsedUnit(path, unit, diagnostics, tuple(missing), arguments, text, stand_ins)


def sources(parsed: ParsedUnit, directory: str) -> dict[str, str]:
    """The texts of the files that were read, without those of the shim, by the paths that are shown."""
    names = [parsed.path, *(str(item.include.name) for item in parsed.translation_unit.get_includes())]
    texts = {display_path(parsed.path, directory): parsed.text} if parsed.text is not None else {}
    for name in dict.fromkeys(names):
        shown = display_path(name, directory)
        if shown not in texts and not os.path.abspath(name).startswith(SHIM):
            with suppress(OSError):
                texts[shown] = Path(name).read_text(encoding="utf-8", errors="replace")
    return texts


def launches_of_device(unit: Any) -> tuple[tuple[Span, str], ...]:
    """Where code of the device launches a kernel, and which: clang leaves those out of the tree."""
    told = map(read, clang.diagnostics(unit, lambda message: _LAUNCHED.match(message) is not None))
    return tuple((d.span, name) for d in told if (name := launched_by_device(d)))


def launched_by_device(diagnostic: Diagnostic) -> str:
    """The kernel that code of the device launches at this place, for clang takes that for an error; or ''."""
    refused = diagnostic.message.endswith(_ON_DEVICE) or any(
        note.endswith(_FROM_DEVICE) for note in diagnostic.notes
    )
    match = _LAUNCHED.match(diagnostic.message) if refused else None
    return match.group(1) if match else ""


def missing_header(diagnostic: Diagnostic) -> str:
    """The header that was not found, as it is included, or ''."""
    match = _MISSING.match(diagnostic.message)
    return match.group(1) if match else ""


def _stand_ins(parsed: ParsedUnit) -> tuple[str, ...]:
    """The headers of libraries that were read for want of the real ones, as written."""
    start = os.path.join(SHIM, "fallback") + os.sep
    read = ((str(i.include.name), str(i.location.file)) for i in parsed.translation_unit.get_includes())
    names = (path[len(start) :] for path, by in read if path.startswith(start) and not by.startswith(SHIM))
    named = [name for name in names if os.sep in name] + [
        path[len(_STAND_INS) + 1 :] for path, _ in parsed.stand_ins if path.startswith(_STAND_INS)
    ]
    return tuple(f"'{name}'" for name in dict.fromkeys(named))


def _some(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def parse_again(parsed: ParsedUnit, wrapper: str, unsaved: list[tuple[str, str]], ahead: str = "") -> Any:
    """The translation unit of a file that is not on disk, with the arguments of a parsed one; None for none.

    The wrapper may name what is private. ahead: the path of a saved unit that is put in front of it.
    """
    if ahead:
        given = [*_without_inclusions(parsed.arguments), *_ON_SAVED, "-include-pch", ahead]
    else:
        given = list(_preludes().arguments(_index(), parsed.arguments, SHIM))
    given.append("-fno-access-control")
    try:
        files = [*parsed.stand_ins, *unsaved]
        return _index().parse(wrapper, args=given, unsaved_files=files, options=_KEEP_GOING)
    except cindex.TranslationUnitLoadError:
        return None


@contextmanager
def saved(parsed: ParsedUnit) -> Iterator[str]:
    """A path under which this process finds a parsed unit, to be put ahead of others; '' where clang saves
    none. Nothing is left behind however the process ends.
    """
    with ExitStack() as stack:
        try:
            with tempfile.TemporaryDirectory(prefix="cudalint-") as folder:
                path = os.path.join(folder, "unit.pch")
                parsed.translation_unit.save(path)
                number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
                stack.callback(os.close, number)
                path = f"/proc/self/fd/{number}"
        except (OSError, cindex.TranslationUnitSaveError):
            path = ""
        yield path if os.path.exists(path) else ""


def _without_inclusions(arguments: tuple[str, ...]) -> Iterator[str]:
    """The arguments without the files that are read ahead of the source."""
    rest = iter(arguments)
    for argument in rest:
        if argument in ("-include", "-imacros"):
            next(rest, None)
        else:
            yield argument


def command_line(
    flags: ParseFlags, extra_directories: tuple[str, ...] = (), switches: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """The whole argument list for libclang: target, shim, then the project's own flags. switches: macros that
    are 1 unless those flags say otherwise.
    """
    has_standard = any(argument.startswith("-std=") for argument in flags.arguments)
    return (
        "-xcuda",
        "--cuda-device-only",
        "-nocudainc",
        "-nocudalib",
        "-fgpu-rdc",  # else an extern shared array with a size is an error, which it is not for nvcc
        "--target=x86_64-unknown-linux-gnu",
        *clang_arch(flags.arch),
        "-nostdinc",
        "-nostdinc++",
        *(() if has_standard else (_DEFAULT_STANDARD,)),
        f"-I{SHIM}",
        *(("-include", "cudalint_prelude.h")),
        _SHORT_CONSTANTS,
        *(f"-D{name}=1" for name in switches),
        *flags.arguments,
        *(f"-I{directory}" for directory in extra_directories),
        "-idirafter",
        os.path.join(SHIM, "fallback"),
        "-idirafter",
        _STAND_INS,
        *_LENIENT,
    )


@cache
def _index() -> Any:
    """Its units list what they declare themselves, without the declarations of a prelude parsed before."""
    return cindex.Index.create(excludeDecls=True)


@cache
def _preludes() -> Preludes:
    return Preludes()


def _without_bearing(diagnostic: Diagnostic) -> bool:
    """Whether the tree is whole in spite of it.

    The shim declares templates without bodies, which clang minds when it is asked for a lambda's type.
    """
    message = diagnostic.message
    if message == "cannot use variable-length arrays in __host__ __device__ functions":
        return True  # the function was made so by a flag of this parse
    if message == "variable-sized object may not be initialized":
        return True  # nvcc and GNU compilers take it in host code: only the initial values are lost
    if message.startswith(("typedef redefinition with different types", "invalid % escape in inline")):
        return True  # a name that the shim knows without its header; an operand modifier that clang does not
    if message.endswith("loop to follow '#pragma unroll'"):
        return True  # nvcc warns only
    if message == "an attribute list cannot appear here":
        return True  # `__shared__ alignas(16) float tile[64]`: only the alignment is lost
    if launched_by_device(diagnostic):
        return True  # lowered as such
    if message.endswith("does not have linkage"):
        return diagnostic.file.startswith(SHIM)
    return False


def of_device(unit: Any) -> Iterator[Any]:
    """clang's diagnostics without those of functions of both sides, of which there may be thousands."""
    return clang.diagnostics(unit, lambda message: not _of_the_host(message))


def _of_the_host(message: str) -> bool:
    """Whether a function of both sides does what only the host can: nvcc warns only."""
    return message.startswith(_ONLY_HOST) and "in __host__ __device__ function" in message


def read(diagnostic: Any) -> Diagnostic:
    """One of clang's diagnostics as plain data."""
    location = diagnostic.location
    name = location.file.name if location.file else ""
    end_line, end_column = location.line, location.column
    for extent in clang.ranges(diagnostic):
        if (extent.end.line, extent.end.column) > (end_line, end_column):
            end_line, end_column = extent.end.line, extent.end.column
    span = Span(name, location.line, location.column, end_line, end_column)
    severity = _SEVERITIES[diagnostic.severity]
    return Diagnostic(severity, diagnostic.spelling, span, name, clang.notes(diagnostic))
