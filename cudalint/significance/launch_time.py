"""The cost model: how long a launch takes if the busiest part of the device is what it waits for.

Each limit is a demand over a rate (the roofline model of Williams, Waterman and Patterson, Communications of
the ACM 52, 2009, with a roof for every level of memory); the time is the largest of them, and the launch.

What that takes for granted: all that does not limit goes on at the same time and costs nothing; the work is
spread evenly over the multiprocessors; L1 holds whatever a block loads again, L2 whatever the grid does, and
both are empty at the start; clocks do not sink under load. So a time is a lower bound of what the model knows
of, and quotients of two such times are what it is used for. The rates, and which of them are fits, are in
gpu/throughput.py.
"""

from msgspec import Struct

from cudalint.cuda.warp import WARP
from cudalint.gpu.occupancy import occupancy
from cudalint.gpu.throughput import Throughput
from cudalint.simt.facts.demand import Demand
from cudalint.simt.requests.transactions import SECTOR


class Limit(Struct, frozen=True):
    """A part of the device and the seconds that it is busy with a launch."""

    name: str
    seconds: float


def limits(demand: Demand, rates: Throughput) -> tuple[Limit, ...]:
    """All limits of one launch, the longest first."""
    each = rates.multiprocessors * rates.clock
    fetched = min(demand.block_load_sectors, demand.load_sectors)
    stored = demand.store_sectors + demand.atomic_sectors
    found = (
        Limit("device memory", demand.different_bytes / rates.dram),
        Limit("L2", fetched * SECTOR / rates.l2_loads + stored * SECTOR / rates.l2_stores),
        Limit("L1", max(demand.lines, demand.requests) / each),
        Limit("shared memory", demand.wavefronts / each),
        Limit("constant memory", demand.passes * rates.constant_clocks / each),
        Limit("one address", demand.collisions * rates.collision),
        Limit("instructions", demand.instructions / (each * rates.issue)),
        Limit("double precision", demand.doubles * WARP / (each * rates.doubles)),
        Limit("special functions", demand.specials * WARP / (each * rates.specials)),
        Limit("conversions", demand.conversions * WARP / (each * rates.conversions)),
        Limit("starting blocks", demand.blocks / rates.multiprocessors * rates.block),
        Limit("waiting for memory", _turns(demand, rates) * rates.turn if demand.load_sectors else 0.0),
    )
    return tuple(sorted(found, key=lambda limit: -limit.seconds))


def _turns(demand: Demand, rates: Throughput) -> float:
    """How often the multiprocessors are filled with warps anew."""
    resident = occupancy(rates.capability.arch, demand.threads).warps
    warps = demand.blocks * -(-demand.threads // WARP)
    return warps / (rates.multiprocessors * resident)


def seconds(demand: Demand, rates: Throughput) -> float:
    """Of one launch."""
    return rates.launch + limits(demand, rates)[0].seconds
