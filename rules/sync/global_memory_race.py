"""
## What it does
Finds two threads that touch the same bytes of global memory, one of them writing and not both by atomics,
with nothing between that orders them: neighbours of one block, or threads of different blocks. Names two such
threads and the element.

## Why it costs
Threads run in any order, and blocks even one after the other. A value read from an element that another
thread writes in the same launch is the old one or the new one, as chance has it; of two writes one is lost.
No barrier of a block reaches other blocks.

## Example
```cuda
int i = blockIdx.x * blockDim.x + threadIdx.x;
v[i] = 0.5f * (v[i] + v[i + 1]);  // the next thread may have written v[i + 1] already
```

## Instead
```cuda
int i = blockIdx.x * blockDim.x + threadIdx.x;
next[i] = 0.5f * (v[i] + v[i + 1]);  // read one array, write the other, swap them between launches
```
For sums use an atomic, or reduce inside the block first. What one step writes and the next reads belongs into
two launches, or into a cooperative launch with a barrier of the grid between.

## Limits
Different pointer parameters are taken to be different memory unless a launch in the file passes one buffer
twice. What only threads of one warp hand on is told by CU304. Silent for atomics, also for a plain read of a
word that atomics change, for writes of the same value, or that all end with the same where nobody reads the
place before the next barrier, for threads that have waited for a lock or a flag, for the last block to
arrive, and for what only serves those that do the write. Silent for memory whose contents are moved about in
itself and that nobody else looks at. Silent for what hangs on data: an access under a condition on it, and
places by which it alone keeps two threads apart, as in `count[key[i]] += 1` and in the rows of a sparse
matrix, for the keys may all be different; places that it moves, as in `y[i + offset[i]] += 1`, are a warning.
A grid of which nothing is known has several blocks only on axes of `blockIdx` that something hangs on. Where
no launch gives the block's shape, the race has to be there for every one of several quite different shapes,
and inside a block. Numbers that nobody knows are tried: the same two threads have to meet under all of them,
and an element that hangs on them is left unsaid. A record that is put back where it came from changes in the
fields that were assigned between. One finding for each array of a kernel; the other places stand with it. A
fix, as that of CU301, is there only for threads of one block.

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
    as_scratch,
    at_once,
    finding,
    given,
    grouped,
    polls,
    settled_in_warps,
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
    summary="two threads touch one global address without atomics, one of them writing",
    fixes=("unsafe",),
    guides=("000 9.2", "001"),
)


def check(
    kernel: KernelFacts, races: tuple[Race, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """One finding for each array whose accesses race with those of other threads of the grid."""
    for group in grouped((race for race in races if _speaks(race, kernel)), array):
        if is_closed(array(group[0]), kernel.function, context.host):
            continue
        fix = proposal(group, kernel, context, "__syncthreads();")
        yield finding(RULE, group, "and nothing orders the two", _help(group), fix)


def _speaks(race: Race, kernel: KernelFacts) -> bool:
    """Whether the race is one in global memory; between blocks only where the launch is known. What hangs on
    data that nobody knows is left unsaid: the host may have made the places different.
    """
    if race.space != "global" or settled_in_warps(race) or polls(race, kernel):
        return False
    if race.data_dependent and not race.certain:
        return False
    return race.same_block or given(race)


def _help(races: list[Race]) -> str:
    race = races[0]
    if any(as_scratch(each) for each in races):
        return OWN_ELEMENTS
    if race.kind == "write-write":
        return "let one thread write each element, or use an atomic"
    if at_once(race):
        return "give each thread elements of its own, or update them with an atomic"
    if not race.across_blocks:
        return "read from one array and write to another, or put a `__syncthreads()` between the two"
    return "read from one array and write to another, or split the kernel: launches of a stream are ordered"
