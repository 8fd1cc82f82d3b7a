"""Which device functions the model knows by name, and what they do to memory, warps and barriers."""

from cudalint.cuda.spaces import Space

BLOCK_BARRIERS = frozenset(
    ("__syncthreads", "__syncthreads_or", "__syncthreads_and", "__syncthreads_count", "__barrier_sync")
)
# Barriers of so many threads of a block: which ones come is not known.
PART_BARRIERS = frozenset(("__barrier_sync_count",))
# Calls at which the threads of a block wait for each other, also those of cooperative groups and of libcu++.
WAITING = BLOCK_BARRIERS | PART_BARRIERS | {"sync", "synchronize", "arrive_and_wait"}
WARP_BARRIERS = frozenset(("__syncwarp",))
FENCES = frozenset(("__threadfence", "__threadfence_block", "__threadfence_system"))

# No access that counts, no barrier, result of no interest.
SILENT = frozenset(
    """
    printf assert __assert_fail __nanosleep
    __trap __brkpt __prof_trigger __builtin_assume __builtin_unreachable __pipeline_commit
    __pipeline_wait_prior __builtin_prefetch __builtin_expect __cudalint_use cudalint_unknown
    cudaGridDependencySynchronize cudaTriggerProgrammaticLaunchCompletion
    """.split()
)

# The heap of the device, which one lock or another guards, and the buffer of what is printed, which all
# threads queue for: each takes thousands of clocks.
QUEUED = frozenset(
    ("malloc", "free", "operator new", "operator delete", "cudaMalloc", "cudaFree", "printf", "vprintf")
)

# A load through the first argument by the caches that its name says, in no order with others.
CACHED_LOADS = frozenset("__ldg __ldcg __ldca __ldcs __ldlu __ldcv __builtin_nontemporal_load".split())
# A load through the first argument.
LOADS = CACHED_LOADS | {"__pipeline_load", "__nv_atomic_load_n"}
# A store of the second argument through the first.
STORES = frozenset("__nv_atomic_store_n __stwb __stcg __stcs __stwt __builtin_nontemporal_store".split())

ATOMIC_PREFIXES = ("atomic", "__nv_atomic_fetch_", "__nv_atomic_exchange", "__nv_atomic_compare_exchange")

# name -> source lane rule
SHUFFLES = {
    "__shfl": "index",
    "__shfl_up": "up",
    "__shfl_down": "down",
    "__shfl_xor": "xor",
    "__shfl_sync": "index",
    "__shfl_up_sync": "up",
    "__shfl_down_sync": "down",
    "__shfl_xor_sync": "xor",
}
# Write through the pointers they are handed, touch nothing else and hold no barrier.
WRITERS = frozenset(
    """
    sincos sincosf __sincosf sincospi sincospif frexp frexpf modf modff remquo remquof
    fill_fragment mma_sync bmma_sync
    """.split()
)
# Warp matrix operations: which argument is the pointer, and what is done through it; see matrices.py.
MATRIX_ACCESSES = {"load_matrix_sync": (1, "load"), "store_matrix_sync": (0, "store")}

# Results that are one value a warp.
VOTES = frozenset(
    """
    __ballot __ballot_sync __any __any_sync __all __all_sync __uni_sync __activemask __reduce_add_sync
    __reduce_min_sync __reduce_max_sync __reduce_and_sync __reduce_or_sync __reduce_xor_sync
    """.split()
)
# Different in every thread and call.
CLOCKS = frozenset(
    ("clock", "clock64", "__clock", "__clock64", "globaltimer", "__globaltimer", "__smid", "malloc")
)

MINIMA = frozenset(("min", "fmin", "fminf", "umin", "llmin", "ullmin", "std::min", "__nv_min"))
MAXIMA = frozenset(("max", "fmax", "fmaxf", "umax", "llmax", "ullmax", "std::max", "__nv_max"))
ABSOLUTES = frozenset(("abs", "fabs", "fabsf", "labs", "llabs"))
PRODUCTS = frozenset(("__mul24", "__umul24", "mul24", "umul24"))
# Half the sum of two integers.
AVERAGES = frozenset(("__hadd", "__rhadd", "__uhadd", "__urhadd"))
# Float functions of one argument, by numpy's name for them.
ROUNDINGS = {
    "floor": "floor",
    "floorf": "floor",
    "ceil": "ceil",
    "ceilf": "ceil",
    "trunc": "trunc",
    "truncf": "trunc",
    "rint": "rint",
    "rintf": "rint",
    "sqrt": "sqrt",
    "sqrtf": "sqrt",
    "exp": "exp",
    "expf": "exp",
    "log": "log",
    "logf": "log",
    "log2": "log2",
    "log2f": "log2",
    "exp2": "exp2",
    "exp2f": "exp2",
    "sin": "sin",
    "cos": "cos",
    **dict.fromkeys(("nearbyint", "nearbyintf", "lrint", "lrintf", "llrint", "llrintf"), "rint"),
    **dict.fromkeys(("round", "roundf", "lround", "lroundf", "llround", "llroundf"), "round"),
    "sinf": "sin",
    "__sinf": "sin",
    "cosf": "cos",
    "__cosf": "cos",
    "tan": "tan",
    "tanf": "tan",
    "atan": "arctan",
    "atanf": "arctan",
    "tanh": "tanh",
    "tanhf": "tanh",
    "__tanhf": "tanh",
    "__expf": "exp",
    "__logf": "log",
    "log10": "log10",
    "log10f": "log10",
    "cbrt": "cbrt",
    "cbrtf": "cbrt",
}
# Of two arguments.
FUNCTIONS = {
    "pow": "power", "powf": "power", "__powf": "power", "fmod": "fmod", "fmodf": "fmod", "hypot": "hypot",
    "hypotf": "hypot", "atan2": "arctan2", "atan2f": "arctan2", "fdividef": "divide", "__fdividef": "divide",
}  # fmt: skip
BITS = frozenset(("__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__brev", "__brevll"))
# Whether a pointer is to memory of that space.
SPACE_TESTS: dict[str, Space] = {
    "__isGlobal": "global",
    "__isShared": "shared",
    "__isConstant": "constant",
    "__isLocal": "local",
}
CONVERSIONS = {
    "__float2int_rd": "floor",
    "__float2int_ru": "ceil",
    "__float2int_rz": "trunc",
    "__float2int_rn": "rint",
    "__float2uint_rd": "floor",
    "__float2uint_ru": "ceil",
    "__float2uint_rz": "trunc",
    "__float2uint_rn": "rint",
    "__double2int_rz": "trunc",
    "__double2int_rd": "floor",
    "__int2float_rn": "",
    "__uint2float_rn": "",
}

# Pure by nature even when nothing of them is seen: mathematics, conversions, bit casts, texture fetches.
_PURE_PREFIXES = tuple(
    """
    __float __double __half __bfloat __int __uint __ll __ull __longlong __f __d __h __v __fns __byte_perm
    __funnelshift __mul __umul __sad __usad __dp tex surf cuC make_ __expf __logf __sinf __cosf
    __powf __tanf __log __exp __saturatef __low __high __bf __nv_ __isnan __isinf __signbit __hfma
    __cvta __isGlobal __isShared __isConstant __isLocal __isGridConstant __builtin_ __match
    """.split()
)
# Of the mathematics library, each also for float, with an `f` behind its name.
_MATHEMATICS = """
    pow fma fmod fmin fmax sqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p logb sin cos tan asin acos atan
    atan2 sinh cosh tanh asinh acosh atanh erf erfc erfcx erfinv erfcinv tgamma lgamma floor ceil trunc round
    rint nearbyint fabs remainder hypot rhypot fdim copysign nextafter rsqrt rcbrt sinpi cospi normcdf
    normcdfinv cyl_bessel_i0 cyl_bessel_i1 j0 j1 y0 y1 jn yn ldexp scalbn scalbln ilogb lrint llrint lround
    llround nan fdivide norm3d norm4d rnorm3d rnorm4d
    """.split()
_PURE = (
    AVERAGES
    | frozenset(name + letter for name in _MATHEMATICS for letter in ("", "f"))
    | frozenset(
        """
        isnan isinf isfinite signbit saturate isunordered __syncwarp __fdividef powi umulhi mulhi
        float2int int2float float_as_int gamma abs labs llabs significand
        """.split()
    )
)


_CHANGING_OPERATORS = frozenset(
    f"operator{sign}"
    for sign in ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--")
)


# What is chosen where nothing instantiates a kernel template, a function object and a class with the members
# that the kernel uses: their functions touch no memory.
CHOSEN_OPERATION, CHOSEN_CLASS = "cudalint_operation", "cudalint_class"


def is_pure(name: str, qualified: str = "") -> bool:
    """Whether a call by that name reads its arguments only and touches no memory.

    Operators without a body are those of library number types (half, bfloat16, complex).
    """
    if name.startswith("operator") and not name[8:9].isalnum() and name[8:] not in ("()", "[]", "*", "->"):
        return name not in _CHANGING_OPERATORS
    chosen = qualified.startswith((CHOSEN_OPERATION, CHOSEN_CLASS))
    return chosen or name in _PURE or name.startswith(_PURE_PREFIXES)


_BY_VALUE = (
    MINIMA | MAXIMA | ABSOLUTES | PRODUCTS | BITS | ROUNDINGS.keys() | FUNCTIONS.keys() | CONVERSIONS.keys()
)


def is_by_value(name: str, qualified: str = "") -> bool:
    """The same, also of the functions that the model computes itself: minima, counts of bits, conversions."""
    return name in _BY_VALUE or is_pure(name, qualified)


def is_changing(name: str) -> bool:
    """Whether it is an operator that writes its left side and nothing else."""
    return name in _CHANGING_OPERATORS


_SHORT = frozenset(
    """
    floor floorf ceil ceilf trunc truncf rint rintf fma fmaf isnan isinf isfinite signbit copysign copysignf
    saturate umulhi mulhi fdim fdimf nearbyint nearbyintf llrint lrint lrintf __syncwarp fmin fminf fmax fmaxf
    fabs fabsf abs labs llabs significand
    """.split()
)


def is_long(name: str) -> bool:
    """Whether it is a function of the mathematics library that compiles to many instructions."""
    return (name in _PURE or name in ROUNDINGS) and name not in _SHORT


_UNSEEN = "call of {}, whose body is not seen"


# Libraries whose functions do on memory what their documentation says, whatever their bodies.
_LIBRARIES = ("cub::", "thrust::", "cuda::", "std::", "cooperative_groups::", "nvcuda::")


def unseen(name: str, qualified: str = "") -> str:
    """Why nothing is known of what such a call does; a library's function is told by its qualified name."""
    return _UNSEEN.format(qualified if qualified.startswith(_LIBRARIES) else name)


# Classes of cub all of whose operations are made by all threads of a block together, with a barrier in them.
_OF_A_BLOCK = frozenset(
    """
    BlockReduce BlockScan BlockRadixSort BlockExchange BlockDiscontinuity BlockAdjacentDifference BlockShuffle
    BlockHistogram BlockMergeSort
    """.split()
)


def of_a_block(name: str, qualified: str) -> bool:
    """Whether all threads of the block have to make the call of a library together: not the constructor."""
    scopes = [scope.partition("<")[0] for scope in qualified.split("::")]
    return scopes[0] == "cub" and name not in _OF_A_BLOCK and not _OF_A_BLOCK.isdisjoint(scopes[1:-1])


# Operations of libraries on what threads hold in registers, through shared memory or shuffles: none touches
# global memory but by a functor that it is handed (CCCL documentation, "Warp-Wide" and "Block-Wide
# Collective Primitives"; CUDA Programming Guide, "Cooperative Groups").
_OF_A_WARP = frozenset(("WarpReduce", "WarpScan", "WarpExchange", "WarpMergeSort"))
_OF_A_GROUP = frozenset(("reduce", "inclusive_scan", "exclusive_scan"))


def of_registers(name: str, qualified: str) -> bool:
    """Whether the call of a library combines what its threads hold, and touches no global memory."""
    return of_a_warp(name, qualified) or of_a_block(name, qualified)


def of_a_warp(name: str, qualified: str) -> bool:
    """Whether it is such a call of the lanes of a warp, or of a part of one."""
    scopes = [scope.partition("<")[0] for scope in qualified.split("::")]
    if scopes[0] == "cooperative_groups":
        return name in _OF_A_GROUP
    return scopes[0] == "cub" and name not in _OF_A_WARP and not _OF_A_WARP.isdisjoint(scopes[1:-1])


def accesses_unseen(reason: str) -> bool:
    """Whether it tells of a call of the program's own whose accesses have no record."""
    head, tail = _UNSEEN.split("{}")
    name = reason.removeprefix(head).removesuffix(tail)
    return reason == unseen(name) and name not in MATRIX_ACCESSES and not name.startswith(_LIBRARIES)
