"""Accesses that go over a whole shared array between two barriers."""

import numpy as np

from cudalint.analyses.kernel_queries import accessed, root_of
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.simt.threads.logged import Event, offsets
from cudalint.simt.values.different import different
from cudalint.simt.values.samples import Samples
from cudalint.source.span import Span

Covering = dict[Span, e.Variable | None]  # accesses; the pointer that others have to go through, too


def covering(events: list[Event], samples: Samples) -> Covering:
    """The loads, stores or atomics by which several warps of the first block went over every byte of the
    object between them; where nothing tells its size, over every byte of a part of it, through one pointer.
    """
    size = events[0].memory.bytes
    groups: dict[tuple[str, e.Variable | None], list[Event]] = {}
    for event in events:
        pointer = None if size else root_of(accessed(event.node))
        groups.setdefault((event.operation, pointer), []).append(event)
    return {
        event.node.span: pointer
        for (_, pointer), some in groups.items()
        if (size or pointer is not None) and _go_over(some, samples, size)
        for event in some
    }


def _go_over(events: list[Event], samples: Samples, size: int) -> bool:
    """Whether several warps touch every byte between them, or every one of a part where there is no size."""
    first = samples.sample == 0
    places: set[int] = set()
    warps: set[int] = set()
    for event in events:
        lanes = np.flatnonzero(event.mask & first & ~(event.doubt if event.doubt is not None else False))
        start = np.broadcast_to(offsets(event), event.mask.shape)[lanes]
        places.update(different(start[:, None] + np.arange(event.width)).tolist())
        warps.update(different(lanes // WARP).tolist())
    return len(warps) > 1 and len(places) >= (size or max(places) - min(places) + 1)
