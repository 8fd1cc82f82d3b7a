"""What watchers are told of barriers: which threads come, and whether that is known."""

from typing import Any

from msgspec import field

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir import statements as s
from cudalint.settings import assume
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import run_plan
from cudalint.simt.model import ModelOptions
from cudalint.simt.threads.watchers import BarrierEvent, Watcher

SIZE = assume.parse_all(("blockDim.x == 64", "gridDim.x == 4"))


class Seen(Watcher):
    events: list[Any] = field(default_factory=list)

    def barrier(self, event: BarrierEvent) -> None:
        self.events.append(event)


def barriers(body: str) -> list[BarrierEvent]:
    """What one run tells of the barriers of a kernel `k(int n, int* p)`."""
    code = f"#include <cooperative_groups.h>\n__global__ void k(int n, int* p) {{ {body} }}"
    unit = load("kernel.cu", LoadOptions(text=code))
    assert unit.problems == ()
    (function,) = (f for f in unit.functions.values() if f.kernel)
    options = ModelOptions(assumptions=SIZE)
    plan = plans(function, (), SIZE)[0]
    done = run_plan(unit, function, plan, options, watch=(Seen,))
    assert not done.failure
    return done.seen(Seen).events


def test_all_threads_come() -> None:
    (event,) = barriers("__syncthreads();")
    assert (event.scope, event.sure, event.tested) == ("block", True, 0)
    assert event.everywhere and event.certain


def test_half_of_the_threads_come() -> None:
    (event,) = barriers("if (threadIdx.x < 32) __syncthreads();")
    assert event.everywhere and event.sure and not event.certain
    assert int(event.mask.sum()) * 2 == int(event.samples.everyone.sum())


def test_some_blocks_come() -> None:
    (event,) = barriers("if (blockIdx.x == 0) __syncthreads();")
    assert not event.everywhere and event.blocks.any()


def test_a_number_that_nobody_knows_decides() -> None:
    (event,) = barriers("if (n > 0) __syncthreads();")
    assert event.tested and not event.certain


def test_data_decides() -> None:
    (event,) = barriers("if (p[threadIdx.x] > 0) __syncthreads();")
    assert not event.sure and not event.certain


def test_a_barrier_in_inline_assembly_has_its_node() -> None:
    (event,) = barriers('asm volatile("bar.sync 0;");')
    assert isinstance(event.node, s.Opaque) and event.certain
    (event,) = barriers('if (p[threadIdx.x] > 0) asm volatile("bar.sync 0;");')
    assert not event.sure


def test_a_barrier_of_the_grid_has_its_node_and_scope() -> None:
    (event,) = barriers("cooperative_groups::this_grid().sync();")
    assert event.scope == "grid" and event.certain
