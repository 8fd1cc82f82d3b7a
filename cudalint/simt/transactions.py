"""Transactions of one warp request: pure arithmetic on lane addresses.

All functions take `addresses` of shape (requests, 32) in bytes, `active` of the same shape, and the access
width in bytes, and return one integer a request. Sources: CUDA C++ Programming Guide, 'Device Memory
Accesses' and 'Shared Memory' of compute capability 5.x and later (32-byte sectors; 32 banks of 4 bytes, a
wavefront serves one word a bank).
"""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from cudalint.simt.lanes import Bools

Integers = NDArray[np.int64]

SECTOR = 32
BANKS = 32
BANK_BYTES = 4
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
    """32-byte sectors touched by each request."""
    first = addresses >> 5
    last = (addresses + (width - 1)) >> 5
    if np.array_equal(first, last):
        return distinct(first, active)
    parts = [np.minimum(first + k, last) for k in range((width + SECTOR - 2) // SECTOR + 1)]
    return distinct(np.concatenate(parts, axis=1), np.concatenate([active] * len(parts), axis=1))


def ideal_sectors(addresses: Integers, active: Bools, width: int) -> Integers:
    """The fewest sectors that carry the distinct bytes of each request."""
    return -(-distinct(addresses, active) * width // SECTOR)


def wavefronts(addresses: Integers, active: Bools, width: int) -> Integers:
    """Passes over the 32 banks: for the fullest bank, its number of different words.

    16-byte accesses are served a half-warp at a time, each half in at least one pass (counted by Nsight Compute on
    an H200: a 16-byte load of few addresses takes two wavefronts, an 8-byte one takes one).
    """
    group = 32 if width <= 8 else 16
    rows = addresses.reshape(-1, group)
    on = active.reshape(-1, group)
    words = max(1, width // BANK_BYTES)
    first = rows >> 2
    all_words = np.concatenate([first + k for k in range(words)], axis=1) if words > 1 else first
    mask = np.concatenate([on] * words, axis=1) if words > 1 else on
    filled = np.sort(np.where(mask, all_words, _NOTHING), axis=1)
    fresh = np.ones(filled.shape, dtype=bool)
    np.not_equal(filled[:, 1:], filled[:, :-1], out=fresh[:, 1:])
    fresh &= filled != _NOTHING
    row = np.nonzero(fresh)[0]
    slot = row * BANKS + (filled[fresh] & (BANKS - 1))
    passes = np.bincount(slot, minlength=rows.shape[0] * BANKS).reshape(-1, BANKS).max(axis=1)
    return cast(Integers, passes.reshape(addresses.shape[0], -1).sum(axis=1).astype(np.int64))


def ideal_wavefronts(addresses: Integers, active: Bools, width: int) -> Integers:
    """The passes that the distinct words need when no two of them share a bank; at least one a request."""
    words = max(1, width // BANK_BYTES)
    needed = -(
        -distinct(addresses // BANK_BYTES if width < BANK_BYTES else addresses, active) * words // BANKS
    )
    if width > 8:
        halves = active.reshape(-1, 2, 16).any(axis=2).sum(axis=1)
        needed = np.maximum(needed, halves)
    return cast(Integers, np.maximum(needed, active.any(axis=1).astype(np.int64)))


def passes_constant(addresses: Integers, active: Bools, width: int) -> Integers:
    """The constant cache serves one address a pass."""
    return distinct(addresses // max(width, 4), active)
