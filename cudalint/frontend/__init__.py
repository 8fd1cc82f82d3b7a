"""From CUDA C++ source to cudalint's IR. Only this package knows clang."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from cudalint.frontend.errors import UnitFailed
from cudalint.frontend.options import LoadOptions
from cudalint.ir.unit import MOST_PROBLEMS, Problem, Undecided, Unit
from cudalint.source.span import Span

if TYPE_CHECKING:
    from cudalint.frontend.lower.unit import Left
    from cudalint.frontend.parse import ParsedUnit

__all__ = ["LoadOptions", "UnitFailed", "load"]


def load(path: str, options: LoadOptions | None = None, parsed: ParsedUnit | None = None) -> Unit:
    """Parse and lower one file. Raises UnitFailed only when nothing of it could be parsed. Options of a
    build that nothing defines are taken to be on where all kernels of the file ask for them. parsed: the file
    with these options, where it was parsed before.
    """
    from cudalint.frontend.inputs import flags_of

    options = options or LoadOptions()
    unit, macros = _load(path, options, parsed)
    if not macros or set(macros) & set(options.defines) or flags_of(path, options).built:
        return unit
    told = load(path, replace(options, defines=(*options.defines, *macros)))
    assumed = tuple(f"{macro} = 1" for macro in macros)
    functions = {
        key: replace(one, assumed=(*assumed, *one.assumed)) if one.kernel else one
        for key, one in told.functions.items()
    }
    return replace(told, functions=functions) if _own_kernels(told) else unit


def _load(path: str, options: LoadOptions, parsed: ParsedUnit | None) -> tuple[Unit, tuple[str, ...]]:
    """The unit, and the macros that all of its kernels ask for and that nothing defines."""
    # libclang takes a tenth of a second to import: only a load pays for it.
    from cudalint.frontend.includes import SHIM
    from cudalint.frontend.inputs import flags_of
    from cudalint.frontend.instances import instantiate
    from cudalint.frontend.lower.unit import Lowered, lower_unit, uninstantiated
    from cudalint.frontend.parse import (
        ParseError,
        launches_of_device,
        missing_header,
        parse,
        sources,
    )
    from cudalint.frontend.undecided import undecided

    directory = options.directory or os.getcwd()
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        raise UnitFailed("has a name that is not UTF-8, which the parser cannot open; rename it") from None
    flags = flags_of(path, options)
    try:
        parsed = parsed or parse(path, flags, options.text, options.root, options.unsaved)
    except ParseError as error:
        raise UnitFailed(str(error)) from error
    problems: dict[tuple[str, int, str], Problem] = {}
    for error_ in (*parsed.undeclared, *parsed.causes):
        span = _shown(error_.span, directory)
        problem = Problem(error_.message, span, header=missing_header(error_))
        problems.setdefault((span.path, span.line, error_.message), problem)
        if len(problems) == MOST_PROBLEMS:
            break
    lower = partial(
        lower_unit,
        path=path,
        shim=SHIM,
        directory=directory,
        arch=options.arch or (f"sm_{flags.arch}" if flags.arch else "sm_90"),
        flags=parsed.arguments,
        default_stream_per_thread=flags.default_stream_per_thread,
        errors=tuple(_shown(error_.span, directory) for error_ in parsed.errors),
        first_variable=options.first_variable,
    )
    found = tuple(problems.values())
    doubtful: tuple[Undecided, ...] = ()
    if parsed.missing_headers or parsed.generated:
        doubtful = undecided(sources(parsed, directory), parsed.arguments, SHIM)

    def refused(unit: Any) -> tuple[tuple[Span, str], ...]:
        return tuple((_shown(place, directory), name) for place, name in launches_of_device(unit))

    def as_written() -> Lowered:
        return lower(parsed.translation_unit, problems=found, refused=refused(parsed.translation_unit))

    lowered: Lowered | None = None
    left = uninstantiated(parsed.translation_unit, path, SHIM, directory)
    if not left:
        lowered = as_written()
        left = lowered.uninstantiated
        if not left:
            return _finished(lowered.unit, parsed, directory, flags.fast_math, doubtful)
    instances = instantiate(parsed, left)
    failed: dict[str, str] = {}
    if instances is not None:
        failed = instances.failed
        if instances.choices:
            assumed = {line: choice.assumed for line, choice in instances.choices.items()}
            unit = instances.translation_unit
            lowered = lower(
                unit, problems=found, refused=refused(unit), wrapper=instances.wrapper, assumed=assumed
            )
    lowered = lowered or as_written()
    errors = bool(parsed.errors)
    unknown = tuple(
        _lost(left, errors) if left.used else _unfitting(left, failed)
        for left in lowered.left
        if errors or not left.elsewhere
    )
    unit = replace(lowered.unit, problems=(*lowered.unit.problems, *unknown))
    return _finished(unit, parsed, directory, flags.fast_math, doubtful)


def _finished(
    unit: Unit, parsed: ParsedUnit, directory: str, fast_math: bool, doubtful: tuple[Undecided, ...]
) -> tuple[Unit, tuple[str, ...]]:
    """The unit with what the whole of it tells: a file all of whose kernels the preprocessor leaves out must
    not look clean. And the macros that would have them compiled.
    """
    from cudalint.frontend.includes import SHIM
    from cudalint.frontend.parse import missing_header, sources
    from cudalint.frontend.undecided import left_out

    problems = unit.problems
    macros: tuple[str, ...] = ()
    if parsed.errors:
        problems = (*problems, *_vanished(unit, parsed, directory))
    if not problems and not _own_kernels(unit):
        found = left_out(unit.path, sources(parsed, directory), parsed.arguments, SHIM)
        if found is not None:
            line, macro, macros = found
            reason = f"none of its kernels is compiled while `{macro}` is not defined"
            problems = (Problem(reason, Span(unit.path, line, 1, line, 1)),)
    places = [_shown(e.span, directory) for e in parsed.errors if not missing_header(e)]
    wrong = {(place.path, place.line): place for place in reversed(places)}
    if parsed.assumed:
        functions = {
            key: replace(one, assumed=(*one.assumed, *parsed.assumed)) if one.kernel else one
            for key, one in unit.functions.items()
        }
        unit = replace(unit, functions=functions)
    unit = replace(
        unit, problems=problems, fast_math=fast_math, undecided=doubtful, errors=tuple(wrong.values())
    )
    return unit, macros


def _own_kernels(unit: Unit) -> bool:
    """Whether the file itself holds a kernel."""
    return any(f.kernel and f.span.path == unit.path and not f.made for f in unit.functions.values())


def _vanished(unit: Unit, parsed: ParsedUnit, directory: str) -> tuple[Problem, ...]:
    """The kernels of the file that clang left out; where those are all, nothing of it counts as analysed."""
    from cudalint.frontend.parse import sources
    from cudalint.frontend.vanished import vanished

    here = {f.name for f in unit.functions.values() if f.kernel and f.span.path == unit.path}
    told = {problem.kernel for problem in unit.problems}
    wrong = {e.span.line for e in parsed.errors if _shown(e.span, directory).path == unit.path}
    text = sources(parsed, directory).get(unit.path, "") if wrong else ""
    return tuple(
        Problem(
            f"kernel '{name}' was not modelled: what stands before its body could not be parsed",
            Span(unit.path, line, 1, line, 1),
            fatal=not here,
            template="lost",
            kernel=name,
        )
        for line, name in vanished(text, wrong, here | told)
    )


def _unfitting(left: Left, reasons: dict[str, str]) -> Problem:
    why = reasons.get(left.name, "its parameters are of unusual kinds")
    detail = f" ({why})" if "cudalint" not in why else ""
    return Problem(
        f"kernel template '{left.name}' is not instantiated here, and no usual arguments fit{detail}",
        left.span,
        template="unused",
        kernel=left.name,
    )


def _lost(left: Left, errors: bool) -> Problem:
    """The problem of a template that the source uses; errors: whether the parser reported any."""
    done = "parsed" if errors else "followed"
    reason = f"kernel template '{left.name}' was not modelled: its instantiation could not be {done}"
    return Problem(reason, left.span, template="lost", kernel=left.name)


def _shown(span: Span, directory: str) -> Span:
    """The span with its path as every other path of the unit is written."""
    from cudalint.source.text import display_path

    return replace(span, path=display_path(span.path, directory) if span.path else "")
