"""
## What it does
Finds two threads, of one block or of different blocks, that access the same bytes of global memory, at least
one of them writing and not both with atomics, with nothing that orders the two accesses. Names two such
threads and the element.

## Why it costs
Threads run in any order, and blocks may even run one after the other. A value read from an element that
another thread writes in the same launch may be the old or the new one; of two writes one is lost. A block
barrier does not order other blocks.

## Example
```cuda
int i = blockIdx.x * blockDim.x + threadIdx.x;
v[i] = 0.5f * (v[i] + v[i + 1]);  // the next thread may already have written v[i + 1]
```

## Instead
```cuda
int i = blockIdx.x * blockDim.x + threadIdx.x;
next[i] = 0.5f * (v[i] + v[i + 1]);  // read one array, write the other, swap them between launches
```
For sums use an atomic, or reduce within the block first. Where one step reads what the previous one wrote,
use two launches, or a cooperative launch with a grid barrier in between.

## Limits
- Pointer parameters are assumed not to alias, unless a launch passes one buffer twice.
- Silent for plain reads of what atomics update, equal values, threads ordered by a lock, flag or last-block
  counter, marks that others only test, neighbours read by threads of one colour.
- Indices from data: a warning that names equal data. Ends of rows are taken to ascend; what the file counts
  up, scans or permutes, and places only written, to differ. `--assume 'distinct(index)'` says so of others.
- The same threads must race under all sampled sizes, and several shapes where the block is unknown. Across
  blocks, the launch must mostly be known.
- The fix is for races within a block.

## Source
000 section 9.2; 001 'Thread synchronization'.
"""

from collections.abc import Iterator

from cudalint.fixing.barrier_placement import proposal
from cudalint.host.self_contained import is_closed
from cudalint.rule.findings import Finding
from cudalint.rule.race_witness import (
    OWN_ELEMENTS,
    array,
    finding,
    grouped,
    has_known_shape,
    is_one_statement,
    is_polling,
    is_scratch,
    is_volatile_in_warp,
)
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.races.race import Race

RULE = Rule(
    code="CU303",
    name="global-memory-race",
    severity=Severity.ERROR,
    summary="two threads access one global address in no defined order, one of them writing",
    fixes=("unsafe",),
    guides=("000 9.2", "001"),
)


def check(
    kernel: KernelFacts, races: tuple[Race, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """One finding per array that threads of the grid race on."""
    for group in grouped((race for race in races if _is_reported(race, kernel)), array):
        if is_closed(array(group[0]), kernel.function, context.host):
            continue
        fix = proposal(group, kernel, context, "__syncthreads();")
        yield finding(RULE, group, "and nothing orders the two accesses", _help(group), fix)


def _is_reported(race: Race, kernel: KernelFacts) -> bool:
    """Whether it is a race in global memory, independent of unknown data, between blocks only for a known
    launch.
    """
    if race.space != "global" or is_volatile_in_warp(race) or is_polling(race, kernel):
        return False
    if race.data_dependent and not (race.certain or race.witness):
        return False
    return race.same_block or race.any_shape or has_known_shape(race)


def _help(races: list[Race]) -> str:
    race = races[0]
    if any(is_scratch(each) for each in races):
        return OWN_ELEMENTS
    if race.kind == "write-write":
        return "let one thread write each element, or use an atomic"
    if is_one_statement(race):
        return "give each thread its own elements, or update them with an atomic"
    if not race.across_blocks:
        return "read from one array and write to another, or put a `__syncthreads()` between the two accesses"
    return "read from one array and write to another, or split the kernel: launches in one stream are ordered"
