"""A suppression comment suppresses nothing.

## What it does

Finds `// cudalint: ignore[...]` comments, and NOLINT comments that name a cudalint rule, without a matching
finding.

## Why it costs

A comment that outlived its finding hides the next one, and points readers to a problem that does not exist.

## Example

```cuda
out[i] = in[i];  // cudalint: ignore[CU101] measured: not the bottleneck
```

## Instead

```cuda
out[i] = in[i];
```

## Limits

- Only codes of rules that ran are checked, and names of no rule: the suppression of an opt-in rule that is
  off is not reported.
- Not reported in partially analysed files.

## Source

cudalint's own: a property of the run, not of the code.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding
from cudalint.rule.outcome import UnusedSuppression
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule("CU003", "unused-suppression", Severity.WARNING, "a suppression comment suppresses nothing")


def check(unused: UnusedSuppression, context: Context) -> Iterator[Finding]:
    """One finding per comment, for the codes in it that are unused."""
    comment = unused.suppression
    codes = ", ".join(unused.codes or comment.codes)
    what = f"suppression of {codes}" if codes else "suppression"
    yield RULE.finding(
        comment.span,
        f"unused {what}: no matching finding",
        notes=(
            f"the comment covers the {_SCOPES.get(comment.scope, comment.scope)}",
            *(f"no rule is named '{word}'" for word in unused.unknown),
        ),
        help="remove the comment" if not unused.codes else f"remove {codes} from the comment",
        evidence={"codes": list(unused.codes or comment.codes), "scope": comment.scope},
    )


_SCOPES = {"line": "line it is on", "next-line": "next line", "file": "whole file"}
