"""The numbers that decide what is worth reporting, in one table.

Each row is used by the rules it names and by no others, directly or through a module of this folder. What
`--min-impact` can decide needs no row here.
"""

from msgspec import Struct


class Threshold(Struct, frozen=True):
    """One number below, or above, which a rule does not report."""

    value: float
    unit: str
    source: str  # where the number comes from
    rules: tuple[str, ...]  # codes


_CHOSEN = "chosen; not measured"
_PAIR = "measured on an H200, see the rule's page"

# --- global and local memory ---

NEARLY_ALL_USED = Threshold(
    0.9, "of the bytes of the sectors fetched, beyond which nothing is lost", _CHOSEN, ("CU101", "CU104")
)
HOST_REREADS = Threshold(
    1.9,
    "loads of each byte of host memory; what neighbouring blocks share at their edges is less",
    _CHOSEN,
    ("CU114",),
)
VECTOR_LINES = Threshold(
    8, "source lines between accesses that one vector access can replace", _CHOSEN, ("CU101", "CU109")
)
LOCAL_SIZE = Threshold(
    8, "times its size, what the largest local array of the kernel has", _CHOSEN, ("CU111",)
)
LOCAL_SHARE = Threshold(0.1, "of the kernel's accesses to local arrays", _CHOSEN, ("CU111",))
LOCAL_OPERATIONS = Threshold(
    10,
    "instructions for each sector of L1, which hide it",
    "L1 serves 4 sectors in the clock that issues 4 instructions; the margin is chosen",
    ("CU111",),
)
LOCAL_RESIDENT = Threshold(
    384,
    "resident threads of a multiprocessor, at least",
    "3 warps for each of 4 schedulers: with fewer, latency is not hidden",
    ("CU111",),
)
CONSTANT_ADDRESSES = Threshold(
    2, "different addresses in a request, which cost no more than a load that hits in L1", _PAIR, ("CU112",)
)

# --- shared memory ---

CONFLICT_EXCESS = Threshold(
    1.1, "times the ideal wavefronts; less is the edge of a tile", _CHOSEN, ("CU201",)
)

# --- divergence ---

DIVERGENT_WARPS = Threshold(
    0.25, "of the warps; fewer are those at an edge, the others run one side", _CHOSEN, ("CU401",)
)
SCATTERED_WARPS = Threshold(
    2,
    "times the warps that could hold the active lanes, those that they are in; lanes fall likewise",
    _CHOSEN,
    ("CU401", "CU403", "CU603"),
)

SCATTERED_ARM = Threshold(
    64,
    "operations of an arm that the same few lanes of every warp take; less is not worth a barrier",
    _CHOSEN,
    ("CU403",),
)

BARRIER_EXECUTIONS = Threshold(
    64,
    "times the executions of all redundant barriers, what the needed barrier executed most has, at most",
    _CHOSEN,
    ("CU308",),
)

# --- launches ---

LARGE_KERNEL = Threshold(40, "operations of a kernel that may run short of registers", _CHOSEN, ("CU508",))

# --- arithmetic ---

DOUBLE_RATIO = Threshold(
    24,
    "float operations in the time of one in double",
    "the half-rate and third-rate devices of the rate table lie far below it",
    ("CU610",),
)
DOUBLE_OPERATIONS = Threshold(4, "double operations outside of loops", _CHOSEN, ("CU610",))

# --- transfers ---

SCALAR_BYTES = Threshold(64, "bytes of a copy that is staged at once", _PAIR, ("CU705", "CU710", "CU713"))
SMALL_COPY = Threshold(
    16 * 1024,
    "bytes of a copy",
    "what the bus carries in a tenth of the time that a call takes, measured on an H200",
    ("CU704",),
)
SMALL_COPY_TRIPS = Threshold(8, "iterations of the loop", _CHOSEN, ("CU704",))
ALLOCATION_TRIPS = Threshold(4, "iterations of the loop", _CHOSEN, ("CU706",))
UPLOADED_ONCE = Threshold(64 << 20, "bytes of a copy that is made but once", _CHOSEN, ("CU713",))
PAGEABLE_COPY = Threshold(1 << 20, "bytes of a copy", _PAIR, ("CU709",))
PAGEABLE_TOTAL = Threshold(64 << 20, "bytes of all copies of a buffer", _CHOSEN, ("CU709",))
PAGEABLE_ROUND = Threshold(4 << 20, "bytes of an iteration of a loop that goes on", _CHOSEN, ("CU709",))
PAGEABLE_ONCE = Threshold(
    64 << 20,
    "bytes of all buffers of a function that are copied but a few times",
    "the least for which it was measured, on an H100 (experiments/pinning_once.cu)",
    ("CU709",),
)
PINNING_MARGIN = Threshold(
    5, "times what pinning the buffer costs, what its copies save", _CHOSEN, ("CU709",)
)
SYNCHRONISE_TRIPS = Threshold(16, "iterations of the loop", _CHOSEN, ("CU710",))
LAUNCHES_IN_LOOP = Threshold(100, "iterations of the loop", _CHOSEN, ("CU714",))
SHORT_LOOP = Threshold(16, "iterations of the kernel's loops, at most", _CHOSEN, ("CU714",))
MANAGED_BYTES = Threshold(1 << 20, "bytes of a managed buffer", _CHOSEN, ("CU711",))
