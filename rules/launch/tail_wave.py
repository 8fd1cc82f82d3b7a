"""
## What it does
Finds launches whose last wave of blocks is mostly empty: the grid is slightly larger than a multiple of the
blocks that the device holds at once. Also those whose only wave is uneven: all blocks are resident, but some
multiprocessors have one more than the others.

## Why it costs
A device of 132 multiprocessors with 8 resident blocks each runs 1,056 blocks at a time. A grid of 1,100
blocks of equal length takes two waves, the second one for 44 blocks: twice the time for 4% more work.
A grid of 400 gives four multiprocessors four blocks and the others three: where arithmetic is what takes the
time, the four are busy for a quarter of the time that the others have nothing to do. On an H200 a long series
took 1.31 times as long in 400 blocks of 256 threads as in 396.

## Example
```cuda
blur<<<1100, 256>>>(out, in);  // 1.04 waves
```

## Instead
Make the grid a whole number of waves and give each block several pieces of work in a grid-stride loop, or use
blocks of half the size, which leave a shorter tail. After more than four full waves the tail hardly matters.

## Limits
- Reported only where the code or the run of its program tells grid, block and shared memory. The
  multiprocessors are those of the configured `device`, else of the usual device of `--arch` (H200 for sm_90).
- Resident blocks follow from block size and shared memory; more registers than the note says allow fewer, and
  move the waves.
- The most that whole waves give holds where all blocks take the same time; blocks of different length fill
  the gaps of a wave by themselves, and a kernel that is bound by device memory gains nothing. Of an uneven
  wave nor does one that waits most of the time: beside fewer than 16 warps it is a note.

## Source
000 'Thread and Block Heuristics'; the occupancy calculator's arithmetic; uneven waves timed on an H200.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.static_shared import sized_by_library, static_shared_bytes
from cudalint.cuda.warp import WARP
from cudalint.gpu.capabilities import limits
from cudalint.gpu.occupancy import occupancy
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.host.shape import blocks, plural, threads
from cudalint.host.walks import run_of
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.grids import as_run
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.launching import even_share, whole_waves

RULE = Rule(
    code="CU505",
    name="tail-wave",
    severity=Severity.NOTE,
    summary="the last wave of blocks leaves most of the device idle, or the only one is uneven",
    confidence=Confidence.MEDIUM,
    guides=("000",),
    speed=True,
    made=False,
)

_MOST_REGISTERS = 255  # per thread
_REGISTER_UNIT = 8  # the steps in which registers per thread are allocated


class _Waves(Struct, frozen=True):
    """Of a launch: its blocks, those that one multiprocessor and all of them hold at once, whole waves, and
    the blocks that are left for another one.
    """

    blocks: int
    held: int
    wave: int
    full: int
    left: int


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """A finding for each such launch, also where only the program as it is run tells its grid."""
    run = run_of(host)
    launches = [(launch, "") for launch in host.launches]
    default = as_run(
        host,
        lambda one: _waves(one, context) is not None,
        context.unit,
        lambda one: _empty(_waves(one, context)),
    )
    for launch, sizes in (*launches, *((launch, run) for launch in default)):
        waves = _waves(launch, context)
        if waves is not None:
            yield (_tail if waves.full else _uneven)(launch, waves, sizes, context)


def _waves(launch: LaunchFact, context: Context) -> _Waves | None:
    """Where less than half a wave remains after at least one full wave, or the only wave is uneven."""
    total, count, device = blocks(launch), threads(launch), context.target
    kernel = context.unit.functions.get(launch.key or "")
    if not launch.reached or not total or not count or kernel is None:
        return None
    if launch.dynamic_shared_bytes is None or sized_by_library(context.unit, kernel):
        return None
    shared = static_shared_bytes(context.unit, kernel) + launch.dynamic_shared_bytes
    held = occupancy(context.arch, count, shared_bytes=shared).blocks
    wave = held * device.multiprocessors
    if not wave:
        return None
    full, left = divmod(total, wave)
    uneven = not full and total > device.multiprocessors and total % device.multiprocessors
    tail = full and 0 < 2 * left <= wave
    return _Waves(total, held, wave, full, left) if uneven or tail else None


def _empty(waves: _Waves | None) -> float:
    """The share of the block slots of all waves that stays empty."""
    return 1 - waves.blocks / (waves.wave * (waves.full + 1)) if waves is not None else 0.0


def _tail(launch: LaunchFact, waves: _Waves, run: str, context: Context) -> Finding:
    """The last wave is mostly empty. run: whose sizes these are, where they are of one run only."""
    device, total, wave = context.target, waves.blocks, waves.wave
    full, left = waves.full, waves.left
    resident = waves.held * (threads(launch) or 1)
    registers = limits(context.arch).registers_per_sm // resident // _REGISTER_UNIT * _REGISTER_UNIT
    return RULE.finding(
        launch.span,
        f"tail wave: {total:,} blocks are {plural(full, 'full wave')} of {wave:,} and a tail of {left:,}",
        notes=(
            f"{device.name}: {device.multiprocessors} multiprocessors with"
            f" {plural(waves.held, 'resident block')} each"
            + (f", at up to {registers} registers per thread" if registers < _MOST_REGISTERS else ""),
            f"{_empty(waves):.0%} of the block slots of {full + 1} waves are empty",
            *((f"sizes of {run}",) if run else ()),
        ),
        help=f"launch one wave of {plural(wave, 'block')} with a grid-stride loop, or use smaller blocks",
        kernel=launch.name,
        evidence={"blocks": total, "wave": wave, "full": full, "left": left},
        impact=context.launch_impact(whole_waves(total, wave, device.multiprocessors), launch),
    )


def _uneven(launch: LaunchFact, waves: _Waves, run: str, context: Context) -> Finding:
    """All blocks are resident at once, more of them on some multiprocessors."""
    device, total = context.target, waves.blocks
    each = total // device.multiprocessors
    warps = -(-(threads(launch) or 0) // WARP)
    more = total % device.multiprocessors
    return RULE.finding(
        launch.span,
        f"uneven wave: {total:,} blocks on {device.multiprocessors} multiprocessors, {more} of which have"
        f" {plural(each + 1, 'block')}, the others {each}",
        notes=(
            f"{device.name}: the others are idle for up to {1 / (each + 1):.0%} of the time,"
            f" {(device.multiprocessors - more) / device.multiprocessors / (each + 1):.0%} of the device's",
            *((f"sizes of {run}",) if run else ()),
        ),
        help=f"launch a multiple of {device.multiprocessors} blocks with a grid-stride loop, or use smaller"
        " blocks",
        kernel=launch.name,
        evidence={"blocks": total, "wave": device.multiprocessors, "full": each, "left": more},
        impact=context.launch_impact(even_share(total, device.multiprocessors, warps), launch),
    )
