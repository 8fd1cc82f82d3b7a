"""A file could not be analysed at all.

## What it does

Reports a file without any results: it is unreadable or binary, could not be parsed, no kernel in it could be
modelled, or its analysis exceeded the time or memory limit. The exit status is then 2.

## Why it costs

A file that was not analysed has no findings; it is not clean.

## Example

```text
$ cudalint kernels.cu
kernels.cu: is binary, not source text (NUL at byte 4); `exclude` it
```

## Instead

Fix the file, pass the build's options (`-I`, `-D`, `-p`), raise `time-limit` or `memory-limit`, or
`exclude` the file in cudalint.toml.

## Limits

- A file of which some kernels were analysed is CU001, not CU002.

## Source

cudalint's own: a property of the run, not of the code.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding
from cudalint.rule.outcome import FileOutcome, start_of
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule("CU002", "failed-file", Severity.ERROR, "the file could not be analysed")


def check(outcome: FileOutcome, context: Context) -> Iterator[Finding]:
    """One finding per failed file, at its first problem or its start."""
    if outcome.status != "failed":
        return
    span = next((p.span for p in outcome.problems if p.span.path == outcome.path), start_of(outcome.path))
    if span.line < 1:
        span = start_of(outcome.path)
    yield RULE.finding(
        span,
        f"this file could not be analysed: {outcome.reason}",
        notes=tuple(f"kernel {name}: {reason}" for name, reason in outcome.lost[:5]),
        help="fix the file, pass the build's options (-I, -D, -p), or `exclude` it in cudalint.toml",
        evidence={"kernels": outcome.kernels, "kernels_lost": len(outcome.lost)},
    )
