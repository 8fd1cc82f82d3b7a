"""Transactions of one warp request: pure arithmetic on lane addresses.

All functions take `addresses` of shape (requests, 32) in bytes, `active` of the same shape, and the access
width in bytes, and return one integer a request. Sources: CUDA C++ Programming Guide, 'Device Memory
Accesses' and 'Shared Memory' of compute capability 5.x and later (32-byte sectors; 32 banks of 4 bytes, a
wavefront serves one word a bank).
"""

from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from cudalint.cuda.warp import WARP
from cudalint.simt.values.lanes import Bools

Integers = NDArray[np.int64]

SECTOR = 32
BANKS = 32
BANK_BYTES = 4
_INSTRUCTIONS = (1, 2, 4, 8, 16)  # bytes of a lane that one moves
_NOTHING = np.int64(np.iinfo(np.int64).max)


def distinct(numbers: Integers, active: Bools) -> Integers:
    """How many different numbers the active lanes of each row hold."""
    filled = np.sort(np.where(active, numbers, _NOTHING), axis=1)
    fresh = np.empty(filled.shape, dtype=bool)
    fresh[:, 0] = True
    np.not_equal(filled[:, 1:], filled[:, :-1], out=fresh[:, 1:])
    fresh &= filled != _NOTHING
    return np.asarray(fresh.sum(axis=1), dtype=np.int64)


def sectors(addresses: Integers, active: Bools, width: int) -> Integers:
    """32-byte sectors touched by each request. An access that is one instruction lies where CUDA demands, at
    a multiple of its width, whatever the numbers say that were tried: it never straddles.
    """
    first = addresses >> 5
    if width in _INSTRUCTIONS:
        return distinct(first, active)
    last = (addresses + (width - 1)) >> 5
    if np.array_equal(first, last):
        return distinct(first, active)
    parts = [np.minimum(first + k, last) for k in range((width + SECTOR - 2) // SECTOR + 1)]
    return distinct(np.concatenate(parts, axis=1), np.concatenate([active] * len(parts), axis=1))


def ideal_sectors(touched: Integers, active: Bools, width: int) -> Integers:
    """The sectors of as many lanes side by side, or those touched where that is fewer, for lanes share an
    address. All rows of Nsight Compute's counters on an H200 that hold one instruction agree.
    """
    return cast(Integers, np.minimum(touched, -(-active.sum(axis=1) * width // SECTOR)))


def passes(addresses: Integers, active: Bools, width: int, group: int, repeats: bool = False) -> Integers:
    """Passes over the 32 banks when `group` neighbouring lanes are served together, summed over groups.

    A pass serves one word a bank, to every lane that wants that word. repeats: lanes that want the same word
    are served one after the other, as for atomics.
    """
    rows = addresses.reshape(-1, group)
    on = active.reshape(-1, group)
    words = max(1, width // BANK_BYTES)
    first = rows >> 2
    all_words = np.concatenate([first + k for k in range(words)], axis=1) if words > 1 else first
    mask = np.concatenate([on] * words, axis=1) if words > 1 else on
    filled = np.sort(np.where(mask, all_words, _NOTHING), axis=1)
    counted = filled != _NOTHING
    if not repeats:
        counted[:, 1:] &= filled[:, 1:] != filled[:, :-1]
    row = np.nonzero(counted)[0]
    slot = row * BANKS + (filled[counted] & (BANKS - 1))
    fullest = np.bincount(slot, minlength=rows.shape[0] * BANKS).reshape(-1, BANKS).max(axis=1)
    return cast(Integers, fullest.reshape(addresses.shape[0], -1).sum(axis=1).astype(np.int64))


def _paired(addresses: Integers, active: Bools) -> Bools:
    """Rows whose every lane i has the address of lane i^1, or else of lane i^2 (inactive lanes agree)."""
    lane = np.arange(addresses.shape[1])
    found = np.zeros(addresses.shape[0], dtype=bool)
    for distance in (1, 2):
        other = lane ^ distance
        found |= (~active | ~active[:, other] | (addresses == addresses[:, other])).all(axis=1)
    return found


def served_together(width: int) -> int:
    """How many neighbouring lanes are served together: up to 4 bytes a lane the warp, at 8 bytes half of it,
    at 16 a quarter.
    """
    return WARP if width <= BANK_BYTES else 16 if width <= 8 else 8


def wavefronts(addresses: Integers, active: Bools, width: int, store: bool = False) -> Integers:
    """Wavefronts of a shared-memory load or store.

    Groups of lanes are served one after the other (`served_together`). For loads neighbouring groups are
    served together when lanes pair up (`_paired`). Source: Nsight Compute's counters of
    tests/hardware/shared_wavefronts.cu on an H200; all of its 98 lane patterns agree.
    """
    group = served_together(width)
    if group == WARP:
        return passes(addresses, active, width, group)
    apart = passes(addresses, active, width, group)
    if store:
        return apart
    together = passes(addresses, active, width, 2 * group)
    return cast(Integers, np.where(_paired(addresses, active), together, apart))


def ideal_wavefronts(addresses: Integers, active: Bools, width: int, store: bool = False) -> Integers:
    """The wavefronts of as many lanes without a conflict: their bytes over the 128 that a pass carries.

    Loads of 8 and 16 bytes carry half of that when lanes pair up without a conflict. Source as for
    `wavefronts`.
    """
    size = active.sum(axis=1) * max(width, BANK_BYTES)
    if width > BANK_BYTES and not store:
        unit = 32 if width <= 8 else 16
        rows, on = addresses.reshape(-1, unit), active.reshape(-1, unit)
        whole = _paired(rows, on) & (passes(rows, on, width, unit) <= 1)
        carried = np.where(whole, 1, 2) * on.sum(axis=1) * (width // 2)
        size = carried.reshape(addresses.shape[0], -1).sum(axis=1)
    return cast(Integers, -(-size // (BANKS * BANK_BYTES)))


AtomicKind = Literal["count", "native", "compare", "loop"]


def atomic_wavefronts(addresses: Integers, active: Bools, width: int, kind: AtomicKind) -> Integers:
    """Wavefronts of one shared-memory atomic instruction, by how the hardware does it.

    count: adding one, where lanes of one word are counted first. native: 32-bit integer operations, one lane
    of a word at a time. compare: compare-and-swap, two passes each. loop: what is built on a compare-and-swap
    loop (floating point, 64-bit); the count is for one round of the loop. Source as for `wavefronts`.
    """
    if kind == "count":
        return passes(addresses, active, width, 32)
    group = 32 if width <= BANK_BYTES else 16
    if kind == "loop":
        return cast(Integers, 2 * active.reshape(-1, 32 // group, group).any(axis=2).sum(axis=1))
    served = passes(addresses, active, width, group, repeats=True)
    return 2 * served if kind == "compare" else served


def ideal_atomic_wavefronts(addresses: Integers, active: Bools, width: int, kind: AtomicKind) -> Integers:
    """A pass for 128 bytes of lanes, two where the operation takes a compare-and-swap."""
    least = -(-active.sum(axis=1) * max(width, BANK_BYTES) // (BANKS * BANK_BYTES))
    return cast(Integers, least if kind in ("count", "native") else 2 * least)


def passes_constant(addresses: Integers, active: Bools, width: int) -> Integers:
    """The constant cache serves one address a pass."""
    return distinct(addresses // max(width, 4), active)
