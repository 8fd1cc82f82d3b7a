"""Part of a file could not be analysed.

## What it does

Reports which part of a file was lost (a construct that could not be parsed, a missing header, a kernel that
could not be modelled) and how many kernels that affects.

## Why it costs

Code that was not analysed has no findings. A partially analysed file without other findings is not clean.

## Example

```cuda
#include "not_generated_yet.h"

__global__ void fill(Table *table) { table->count = 0; }
```

## Instead

Pass what the build passes: `-I` for include directories, `-D` for definitions, or `-p` with the folder of
compile_commands.json.

## Limits

- A missing header counts where a kernel, what it calls, a launch or a CUDA call uses its names, or where
  lines of the file depend on its macros. Other errors in host code are not reported.
- Errors after a missing header are not listed, and no more than 50 others.
- One note a run for each cause, five at most, at the first file; its evidence lists files and lost kernels.
- `#if` regions that depend on macros defined in no file found are not analysed; a note counts them, `-D` and
  `-U` decide.
- A kernel template that nothing here instantiates and that no usual arguments fit is lost: lint the file that
  instantiates it.

## Source

cudalint's own: a property of the run, not of the code.
"""

import re
from collections.abc import Iterator

from cudalint.ir.unit import MOST_PROBLEMS
from cudalint.rule.findings import Finding
from cudalint.rule.outcome import CAUSES, FileOutcome, start_of
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule("CU001", "degraded-file", Severity.NOTE, "part of the file could not be analysed")

_SHOWN = 5
_MACROS = 3  # that are named
_OPTIONS = "pass the build's -I and -D options, or -p with the folder of compile_commands.json"
_MISSING = re.compile(r"'([^']+)' file not found")
_UNNAMED = re.compile("not found|undeclared|unknown type|no [a-z ]*named|no matching| lack ")
_DISABLED = re.compile(r"none of its kernels is compiled while `(\w+)`")
_INTRINSICS = ("mmintrin.h", "x86intrin.h", "arm_neon.h")
_PARTS = (".cuh", ".h", ".hpp", ".inl", ".inc")


def check(outcome: FileOutcome, context: Context) -> Iterator[Finding]:
    """One finding for a degraded file, at its first problem."""
    if outcome.status != "degraded":
        return
    details = [_detail(problem.reason, problem.span, outcome.path) for problem in outcome.problems]
    details += [f"kernel {name} was not analysed: {reason}" for name, reason in outcome.lost]
    details += list(outcome.rule_errors)
    more = len(details) - _SHOWN
    least = "at least " if len(outcome.problems) >= MOST_PROBLEMS else ""
    many = (f"and {least}{more} more of this kind",) if more > 0 else ()
    notes = (*details[1:_SHOWN], *many, *_undecided(outcome), _affected(outcome))
    yield RULE.finding(
        next((p.span for p in outcome.problems if p.span.path == outcome.path), start_of(outcome.path)),
        f"partially analysed: {details[0]}",
        notes=notes,
        help=_help(outcome),
        evidence={
            "problems": len(details),
            "kernels": outcome.kernels,
            "kernels_lost": _lost(outcome),
            "lost": list(outcome.lost_kernels),
            "undecided_regions": len(outcome.undecided),
            CAUSES: _causes(outcome),
        },
    )


def _causes(outcome: FileOutcome) -> list[str]:
    """Why the file was partially analysed, in words that files with the same cause share."""
    headers = [f"'{problem.header}' file not found" for problem in outcome.problems if problem.header]
    if headers:
        return list(dict.fromkeys(headers))
    if any(problem.template for problem in outcome.problems):
        return ["kernel templates whose arguments are not known"]
    if outcome.problems:
        return ["source that could not be parsed"]
    return ["kernels that could not be modelled"]


def _help(outcome: FileOutcome) -> str:
    """How to fix the first problem, by its kind."""
    reason = outcome.problems[0].reason if outcome.problems else ""
    template = outcome.problems[0].template if outcome.problems else ""
    if template == "unused":
        return "lint the file that instantiates the template; no option helps here"
    if template == "lost":
        return "no option helps: the template arguments used here are unknown"
    if disabled := _DISABLED.match(reason):
        return f"pass -D{disabled[1]} if the build does, or the build's options with -p"
    missing = _MISSING.search(reason)
    if missing and missing[1].endswith(_INTRINSICS):
        return (
            f"no option helps: `{missing[1]}` is a header of the host compiler, its declarations are unknown"
        )
    if not missing and reason.startswith('"'):
        return "the source rejects this target: pass the `--arch` or the -D that it requires"
    if not missing and outcome.path.endswith(_PARTS):
        return f"if another file includes this one, lint that file; else {_OPTIONS}"
    if reason and not _UNNAMED.search(reason):
        return (
            "if nvcc compiles the file with the build's options, pass those (-I, -D, -std, -p); else fix it"
        )
    return _OPTIONS


def _detail(reason: str, span: Span, path: str) -> str:
    if span.line < 1:
        return reason
    return f"line {span.line}: {reason}" if span.path == path else f"{span.path}:{span.line}: {reason}"


def _undecided(outcome: FileOutcome) -> Iterator[str]:
    """The regions that were not analysed because a missing header may define their macros."""
    regions = outcome.undecided
    if not regions:
        return
    macros = list(dict.fromkeys(macro for region in regions for macro in region.macros))
    more = f" and {len(macros) - _MACROS} more" if len(macros) > _MACROS else ""
    named = f"macros defined in no file found ({', '.join(macros[:_MACROS])}{more})"
    many = f"{len(regions)} regions that depend" if len(regions) > 1 else "1 region that depends"
    were, first = ("were", "the first at ") if len(regions) > 1 else ("was", "")
    yield f"{many} on {named} {were} not analysed: {first}{regions[0].path}:{regions[0].line}"


def _affected(outcome: FileOutcome) -> str:
    if not outcome.kernels:
        return "no kernel was analysed in this file"
    lost = _lost(outcome)
    if not lost:
        return f"no kernel was lost ({outcome.kernels} analysed), but facts about them may be missing"
    return f"{lost} of {outcome.kernels} kernels were not analysed"


def _lost(outcome: FileOutcome) -> int:
    """The number of kernels not analysed, including templates analysed only without arguments."""
    without = sum(bool(problem.template) for problem in outcome.problems)
    return min(outcome.kernels, len(outcome.lost) + without)
