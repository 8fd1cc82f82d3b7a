"""
## What it does
Finds shuffles whose width is a known number other than 1, 2, 4, 8, 16 or 32.

## Why it costs
The width splits a warp into segments, and lanes exchange values within a segment. The result is undefined for
a width that is not a power of two, or is larger than a warp.

## Example
```cuda
value = __shfl_sync(0xffffffff, value, 0, 24);
```

## Instead
```cuda
value = __shfl_sync(0xffffffff, value, 0, 32);  // or 16, whichever segment is meant
```

## Limits
- Not reported where the width is not a known number.

## Source
CUDA C++ Programming Guide, 'Warp Shuffle Functions'.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.warp_calls import WarpCall

RULE = Rule(
    code="CU307",
    name="shuffle-width",
    severity=Severity.ERROR,
    summary="the width of a shuffle is not a power of two from 1 to 32",
)

_WIDTHS = (1, 2, 4, 8, 16, 32)


def check(kernel: KernelFacts, calls: tuple[WarpCall, ...], context: Context) -> Iterator[Finding]:
    """A finding for each shuffle whose width is a known, invalid number."""
    for call in calls:
        if call.width is not None and call.width not in _WIDTHS and call.span.path in context.lines:
            yield _finding(call, call.width)


def _finding(call: WarpCall, width: int) -> Finding:
    reason = "larger than a warp" if width > _WIDTHS[-1] else "not a power of two"
    return RULE.finding(
        call.span,
        f"shuffle width {width} is {reason if width > 0 else 'not positive'}: the result is undefined",
        notes=("the width splits a warp into segments of 1, 2, 4, 8, 16 or 32 lanes that exchange values",),
        help="pass a power of two up to 32, or omit the width to use the whole warp",
        kernel=call.kernel,
        evidence={"width": width, "intrinsic": call.name},
    )
