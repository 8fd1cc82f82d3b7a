"""
## What it does
Finds shuffles whose width is a known number that is no power of two from 1 to 32.

## Why it costs
The width cuts a warp into segments that exchange values among themselves. The result is undefined for a width
that is no power of two, or larger than a warp.

## Example
```cuda
value = __shfl_sync(0xffffffff, value, 0, 24);
```

## Instead
```cuda
value = __shfl_sync(0xffffffff, value, 0, 32);  // or 16: the segments that are meant
```

## Limits
Silent where the width has no number in the model.

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
    summary="the width of a shuffle is no power of two from 1 to 32",
)

_WIDTHS = (1, 2, 4, 8, 16, 32)


def check(kernel: KernelFacts, calls: tuple[WarpCall, ...], context: Context) -> Iterator[Finding]:
    """A finding for each shuffle whose width is a number that has no meaning."""
    for call in calls:
        if call.width is not None and call.width not in _WIDTHS and call.span.path in context.lines:
            yield _finding(call, call.width)


def _finding(call: WarpCall, width: int) -> Finding:
    what = "larger than a warp" if width > _WIDTHS[-1] else "no power of two"
    return RULE.finding(
        call.span,
        f"shuffle of width {width}, which is {what if width > 0 else 'no width'}: the result is undefined",
        notes=("segments of 1, 2, 4, 8, 16 or 32 lanes exchange values among themselves",),
        help="pass the power of two that is meant, or leave the width out for the whole warp",
        kernel=call.kernel,
        evidence={"width": width, "intrinsic": call.name},
    )
