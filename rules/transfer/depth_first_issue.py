"""
## What it does
For `--arch` below sm_35, finds an asynchronous copy that is issued after a copy of another stream which has
to wait for a kernel: the issue order 'all of stream A, then all of stream B'.

## Why it costs
These devices have one hardware queue per engine, and work in a queue starts in issue order. The copy of
stream B has nothing to wait for, but the copy ahead of it waits for A's kernel, so the copy engine idles
while that kernel runs, and B's kernel starts late. The streams are serialised: if copies take as long as
kernels, three steps instead of one and a half. Devices since compute capability 3.5 have 32 hardware queues
(Hyper-Q), and issue order does not matter.

## Example
```cuda
for (int i = 0; i < 2; ++i) {
    cudaMemcpyAsync(d[i], h[i], bytes, cudaMemcpyHostToDevice, stream[i]);
    work<<<grid, block, 0, stream[i]>>>(d[i]);
    cudaMemcpyAsync(h[i], d[i], bytes, cudaMemcpyDeviceToHost, stream[i]);  // the next copy queues after it
}
```

## Instead
```cuda
for (int i = 0; i < 2; ++i) cudaMemcpyAsync(d[i], h[i], bytes, cudaMemcpyHostToDevice, stream[i]);
for (int i = 0; i < 2; ++i) work<<<grid, block, 0, stream[i]>>>(d[i]);
for (int i = 0; i < 2; ++i) cudaMemcpyAsync(h[i], d[i], bytes, cudaMemcpyDeviceToHost, stream[i]);
```

## Limits
- Streams are known only if the analysed host code creates them.
- One copy engine is assumed, as on compute capability 1.x and GeForce cards of 2.x. Tesla and Quadro cards of
  2.x have one per direction; there only copies of the same direction delay each other.

## Source
004 'Stream code order'; the CUDA programming guide of those days (release 4.2), 'Overlapping Behavior'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostFacts
from cudalint.host.query.issue_order import Delayed, delayed
from cudalint.host.walks import stream_kinds, walks
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU707",
    name="depth-first-issue",
    severity=Severity.NOTE,
    summary="a copy issued after a copy of another stream that waits for a kernel (before sm_35)",
    default=False,
    guides=("004",),
)

QUEUES = 35  # the first capability with a hardware queue for each stream


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per copy that a copy of another stream delays."""
    if context.arch >= QUEUES:
        return
    kinds = stream_kinds(host)
    seen: set[Span] = set()
    for calls in walks(host):
        for found in delayed(calls, kinds):
            if found.copy.span not in seen:
                seen.add(found.copy.span)
                yield _finding(found)


def _finding(found: Delayed) -> Finding:
    kernel, ahead, copy = found.kernel, found.ahead, found.copy
    return RULE.finding(
        copy.span,
        f"depth-first issue: {copy.name} on `{copy.stream}` queues after {ahead.name} on `{ahead.stream}`",
        notes=(
            f"that copy waits for `{kernel.name}`, and with 1 copy queue this one waits too: the streams are "
            "serialised",
        ),
        help="issue the uploads of all streams first, then the kernels, then the downloads",
        evidence={"stream": copy.stream, "behind": ahead.stream, "kernel": kernel.name},
        related=(
            Related(ahead.span, f"waits for `{kernel.name}`"),
            Related(kernel.span, f"`{kernel.name}` launched here"),
        ),
    )
