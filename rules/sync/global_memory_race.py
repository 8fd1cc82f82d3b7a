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
- Distinct pointer parameters are assumed not to alias, unless a launch in the file passes one buffer twice.
- Not reported: a plain read of what atomics update, writes of equal values, threads ordered by a lock, a flag
  or a last-block counter, volatile accesses within one warp (CU304).
- An update of one word that many threads reach is an error, also under a condition on data. What takes equal
  data (`count[key[i]] += 1`) is a warning that names it: "when `key[3] == key[40]`".
- Taken to be in order: ends of rows (`row[v]`, `row[v + 1]`), starts of segments, columns of a row. Taken to
  be all different: what the file counts up, scans or permutes, and places that threads only write
  (`out[to[i]] = x[i]`); `--assume 'distinct(index)'` says so of others.
- Not reported: marks that all threads set to one value and others only test; reads of neighbours by threads
  of one colour (`colour[v] == now`); writes by the thread whose interval holds a common number.
- Between blocks, the launch must be known, unless they meet at one word or where loaded numbers say. Without
  a known block shape, the race must occur under several shapes.
- Unknown sizes are sampled; the same two threads must race under every sample.
- A kernel that works in place, with a grid computed from such sizes, is also run with a grid of a few blocks,
  all of them together: what only that shows is a warning that names the sizes.
- One finding per array. The fix covers races within a block.

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
