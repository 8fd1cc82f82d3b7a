"""
## What it does
Finds loops that a single thread of a block runs while the others wait at a barrier or have nothing to do, and
whose iterations could be shared out; and long ones that a few threads run each for itself.

## Why it costs
One thread executes an instruction every four clocks or so, and waits for each load. The other threads of the
block, and all that comes after the loop, wait for it.

## Example
```cuda
if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int k = 0; k < 256; k++)
        sum += part[k];
    *total = sum;
}
__syncthreads();
```

## Instead
Let every thread take part: a reduction or a scan by the block takes some ten steps.
```cuda
typedef cub::BlockReduce<float, 256> Reduce;
__shared__ typename Reduce::TempStorage storage;
float sum = Reduce(storage).Sum(part[threadIdx.x]);
if (threadIdx.x == 0) *total = sum;
```
Iterations that do not depend on each other take a stride:
`for (int k = threadIdx.x; k < n; k += blockDim.x)`.

## Limits
- Not reported for loops in which each iteration needs the result of the one before (`x = f(x)`, but not
  sums), that wait for other threads, or hold inline assembly.
- Not reported where the other threads run a loop of their own meanwhile.
- One thread per warp is not one thread per block: not reported.
- Of several threads, a loop of 32 iterations or more that less than a quarter of the block runs, all in one
  warp, before a barrier that the others wait at.
- Of a template that nothing instantiates, the condition names the assumed arguments; the impact begins at
  0.
- The impact counts the loop's steps, which other blocks may hide.

## Source
003 'Warp Divergence'; latencies: Jia and others, arXiv:1804.06826.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.significance.steps import of_one_thread
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.serial_loops import SerialLoop
from cudalint.simt.query.pattern import chosen

RULE = Rule(
    code="CU405",
    name="serial-thread",
    severity=Severity.WARNING,
    summary="one thread of a block, or a few, run a loop that the others wait for",
    guides=("003",),
    speed=True,
    made=False,
)


def check(kernel: KernelFacts, loops: tuple[SerialLoop, ...], context: Context) -> Iterator[Finding]:
    """A finding for each outermost loop of one thread."""
    for one in loops:
        if one.span.path not in context.lines:
            continue
        saving = of_one_thread(one.loop, context.unit, one.threads, one.iterations, one.longer, one.busy)
        count = f"{one.iterations:,} iterations" if one.iterations is not None else "its iterations"
        who = "the only thread" if one.threads == 1 else f"one thread of {one.threads:,}"
        runs = f"{who} runs {count}"
        if one.busy > 1:
            runs = f"{one.busy} threads of {one.threads:,} run {count} each"
        yield RULE.finding(
            one.span,
            f"serial loop: {runs}",
            notes=("the other threads of the block are idle meanwhile",) if one.threads > 1 else (),
            help="share the iterations out: a stride of blockDim.x, or a reduction or scan by the block",
            kernel=one.kernel,
            evidence={"threads": one.threads, "iterations": one.iterations, "busy": one.busy},
            impact=context.impact(saving, kernel),
            condition=chosen(kernel.function),
            standing=on_shape(one.configuration),
        )
