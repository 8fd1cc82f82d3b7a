"""A suppression comment silences nothing.

## What it does

Finds `// cudalint: ignore[...]` comments, and NOLINT comments that name a cudalint rule, on whose place no
such finding exists.

## Why it costs

A comment that outlived its finding hides the next one, and tells a reader of a problem that is not there.

## Example

```cuda
out[i] = in[i];  // cudalint: ignore[CU101] measured: not the bottleneck
```

## Instead

```cuda
out[i] = in[i];
```

## Limits

Only codes that were looked for count, and words that name no rule: a suppressed opt-in rule that is off is
not called unused. In files that were not modelled whole nothing is said.

## Source

cudalint's own: a property of the run, not of the code.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding
from cudalint.rule.outcome import UnusedSuppression
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule("CU003", "unused-suppression", Severity.WARNING, "a suppression comment silences nothing")


def check(unused: UnusedSuppression, context: Context) -> Iterator[Finding]:
    """One finding for an unused comment, or for those of its codes that are unused."""
    comment = unused.suppression
    codes = ", ".join(unused.codes or comment.codes)
    what = f"suppression of {codes}" if codes else "suppression"
    yield RULE.finding(
        comment.span,
        f"unused {what}: there is no such finding here",
        notes=(
            f"the comment covers the {_SCOPES.get(comment.scope, comment.scope)}",
            *(f"no rule is called '{word}'" for word in unused.unknown),
        ),
        help="remove the comment" if not unused.codes else f"remove {codes} from the comment",
        evidence={"codes": list(unused.codes or comment.codes), "scope": comment.scope},
    )


_SCOPES = {"line": "line it stands on", "next-line": "line below it", "file": "whole file"}
