"""Part of a file could not be modelled.

## What it does

Says which part of a file was lost (a construct that could not be parsed, a header that is missing, a kernel
the model could not run) and how many of its kernels that affects.

## Why it costs

A finding can only stand where the model knows the code. A file that was modelled in part is not clean, even
if nothing else is said about it.

## Example

```cuda
#include "not_generated_yet.h"

__global__ void fill(Table *table) { table->count = 0; }
```

## Instead

Pass what the build passes: `-I` for include directories, `-D` for definitions, or `-p` with the folder of
compile_commands.json.

## Limits

A missing header that no kernel needs is told as well; the note then says that no kernel is affected. Where
headers are missing, the errors that follow from them are not told, nor any others, and of the rest no more
than 50. Nor is anything said of lines between an `#if` and its `#endif` whose condition names a macro that
nothing which was read defines: the missing header may, and a note counts these regions. `-D` and `-U` decide
them. The report as text tells files that lack the same header once, with the first of them.

A kernel template that nothing in the unit instantiates and that no usual arguments fit is lost, too: no
option of the build mends that, only linting the file that instantiates it. `cudalint inspect` shows it as it
is written. Where function templates launch it of which the unit makes no instances (they are `extern` here,
or another file asks for them), nothing is lost.

A file all of whose kernels stand behind `#ifdef`s of macros that nothing defines is told, with the first of
these macros: nothing was looked at. Where one kernel is compiled, the others are left alone.

## Source

cudalint's own: a property of the run, not of the code.
"""

import re
from collections.abc import Iterator

from cudalint.ir.unit import MOST_PROBLEMS
from cudalint.rule.findings import Finding
from cudalint.rule.outcome import FileOutcome, start_of
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule("CU001", "degraded-file", Severity.NOTE, "part of the file could not be modelled")

_SHOWN = 5
_MACROS = 3  # that are named
_OPTIONS = "pass the build's -I and -D options, or -p with the folder of compile_commands.json"
_MISSING = re.compile(r"'([^']+)' file not found")
_UNNAMED = re.compile("not found|undeclared|unknown type|no [a-z ]*named|no matching| lack ")
_LEFT_OUT = re.compile(r"none of its kernels is compiled while `(\w+)`")
_INTRINSICS = ("mmintrin.h", "x86intrin.h", "arm_neon.h")
_PARTS = (".cuh", ".h", ".hpp", ".inl", ".inc")


def check(outcome: FileOutcome, context: Context) -> Iterator[Finding]:
    """One finding for a degraded file, at its first problem."""
    if outcome.status != "degraded":
        return
    details = [_detail(problem.reason, problem.span, outcome.path) for problem in outcome.problems]
    details += [f"kernel {name} was not modelled: {reason}" for name, reason in outcome.lost]
    details += list(outcome.rule_errors)
    more = len(details) - _SHOWN
    least = "at least " if len(outcome.problems) >= MOST_PROBLEMS else ""
    many = (f"and {least}{more} more of this kind",) if more > 0 else ()
    notes = (*details[1:_SHOWN], *many, *_undecided(outcome), _affected(outcome))
    yield RULE.finding(
        next((p.span for p in outcome.problems if p.span.path == outcome.path), start_of(outcome.path)),
        f"part of this file could not be modelled: {details[0]}",
        notes=notes,
        help=_help(outcome),
        evidence={
            "problems": len(details),
            "kernels": outcome.kernels,
            "kernels_lost": _lost(outcome),
            "undecided_regions": len(outcome.undecided),
            **_cause(details),
        },
    )


def _cause(details: list[str]) -> dict[str, str]:
    """The header that is missing first, where nothing but headers is."""
    missing = [match[1] for detail in details if (match := _MISSING.search(detail))]
    return {"missing_header": missing[0]} if len(missing) == len(details) else {}


def _help(outcome: FileOutcome) -> str:
    """What would make the first problem go away, by its kind."""
    reason = outcome.problems[0].reason if outcome.problems else ""
    template = outcome.problems[0].template if outcome.problems else ""
    if template == "unused":
        return "no option helps: lint the file that instantiates the template"
    if template == "lost":
        return "no option helps: cudalint does not see which arguments the template is given here"
    if left_out := _LEFT_OUT.match(reason):
        return f"pass -D{left_out[1]} if the build does, or what else it passes (-p)"
    missing = _MISSING.search(reason)
    if missing and missing[1].endswith(_INTRINSICS):
        return f"nothing to pass: `{missing[1]}` is the host compiler's own; what it declares is not known"
    if not missing and reason.startswith('"'):
        return "the source refuses this target: pass the `--arch` that it is for, or the -D that it asks for"
    if not missing and outcome.path.endswith(_PARTS):
        return f"if the file is part of another, lint the one that includes it; else {_OPTIONS}"
    if reason and not _UNNAMED.search(reason):
        return "if nvcc takes the file with the build's options, pass these (-I, -D, -std, -p); else mend it"
    return _OPTIONS


def _detail(reason: str, span: Span, path: str) -> str:
    if span.line < 1:
        return reason
    return f"line {span.line}: {reason}" if span.path == path else f"{span.path}:{span.line}: {reason}"


def _undecided(outcome: FileOutcome) -> Iterator[str]:
    """What is left unsaid because a missing header may decide on it."""
    regions = outcome.undecided
    if not regions:
        return
    macros = list(dict.fromkeys(macro for region in regions for macro in region.macros))
    more = f" and {len(macros) - _MACROS} more" if len(macros) > _MACROS else ""
    named = f"macros that nothing read defines ({', '.join(macros[:_MACROS])}{more})"
    many, them = (f"{len(regions)} regions hang", "them") if len(regions) > 1 else ("one region hangs", "it")
    yield f"{many} on {named}, from {regions[0].path}:{regions[0].line} on: nothing is said of {them}"


def _affected(outcome: FileOutcome) -> str:
    if not outcome.kernels:
        return "no kernel was modelled in this file"
    lost = _lost(outcome)
    if not lost:
        return f"no kernel was lost ({outcome.kernels} modelled), but facts about them may be missing"
    return f"{lost} of {outcome.kernels} kernels were not modelled"


def _lost(outcome: FileOutcome) -> int:
    """The kernels that were not modelled, and the templates that were without arguments only."""
    without = sum(bool(problem.template) for problem in outcome.problems)
    return min(outcome.kernels, len(outcome.lost) + without)
