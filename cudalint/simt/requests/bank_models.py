"""Passes of one warp request over the banks of shared memory, for the bank model of any compute capability.

All functions take `addresses` of shape (requests, 32) in bytes, `active` of the same shape, and the access
width in bytes, and return one integer a request. Source: CUDA C Programming Guide 4.2, appendix "Compute
Capabilities", sections "Shared Memory" of 1.x, 2.x and 3.0; since 5.0 as in transactions.py.
"""

from collections import Counter, defaultdict

import numpy as np

from cudalint.gpu.capabilities import BankModel
from cudalint.simt.requests.transactions import BANK_BYTES, BANKS, Integers, passes, wavefronts
from cudalint.simt.values.lanes import Bools

HALF_WARP = 16
HALF_WARP_BANKS = 16


def bank_passes(
    model: BankModel, addresses: Integers, active: Bools, width: int, store: bool = False
) -> Integers:
    """The passes of each load or store under one bank model."""
    if model is BankModel.HALF_WARP_BROADCAST:
        return half_warp_passes(addresses, active, width, store)
    if model is BankModel.WORD_BROADCAST:
        return word_passes(addresses, active, width)
    if model is BankModel.PAIRED_WORDS:
        return paired_word_passes(addresses, active, width)
    if model is BankModel.DOUBLE_WORDS:
        return double_word_passes(addresses, active, width)
    return wavefronts(addresses, active, width, store)


def half_warp_passes(addresses: Integers, active: Bools, width: int, store: bool = False) -> Integers:
    """1.x: 16 banks, each half-warp apart; wide words as one access for each of their 4 bytes.

    A pass of a load gives one word to all lanes that want it and serves one lane of every other bank; which
    word that is is not specified, so this is the fewest passes that a choice can lead to. A pass of a store
    serves one address of a bank.
    """
    count = np.zeros(len(addresses), dtype=np.int64)
    for part in range(0, max(width, BANK_BYTES), BANK_BYTES):
        for request, (row, on) in enumerate(zip(addresses + part, active, strict=True)):
            for half in (slice(0, HALF_WARP), slice(HALF_WARP, None)):
                wanted = [int(address) for address in row[half][on[half]]]
                count[request] += _store_passes(wanted) if store else _load_passes(wanted)
    return count


def _bank(address: int) -> int:
    return address // BANK_BYTES % HALF_WARP_BANKS


def _store_passes(wanted: list[int]) -> int:
    """The different addresses of the bank that has most of them."""
    return max(Counter(_bank(address) for address in set(wanted)).values(), default=0)


def _load_passes(wanted: list[int]) -> int:
    """The fewest passes that serve the lanes' addresses of one half-warp."""
    words: dict[int, list[int]] = defaultdict(list)  # bank -> lanes that want each of its words, most first
    for word, lanes in Counter(address // BANK_BYTES for address in wanted).most_common():
        words[word % HALF_WARP_BANKS].append(lanes)
    for count in range(len(wanted) + 1):
        if sum(_broadcasts(lanes, count) for lanes in words.values()) <= count:
            return count
    return len(wanted)


def _broadcasts(lanes: list[int], count: int) -> int:
    """How many of one bank's words must be broadcast for the bank to be done after `count` passes."""
    for broadcast in range(len(lanes) + 1):
        if broadcast + sum(lanes[broadcast:]) <= count:
            return broadcast
    return count + 1


def word_passes(addresses: Integers, active: Bools, width: int) -> Integers:
    """2.x: a pass serves one word of each of 32 banks, to every lane that wants it.

    Words of 8 bytes go by half-warps, words of 16 by quarter-warps and one pass more than their conflicts.
    """
    if width <= BANK_BYTES:
        return passes(addresses, active, width, 32)
    if width == 8:
        return passes(addresses, active, width, 16)
    quarters = active.reshape(len(active), 4, 8).any(axis=2).sum(axis=1)
    return np.asarray(passes(addresses, active, width, 8) + quarters, dtype=np.int64)


def _fullest(units: list[Integers], active: Bools) -> Integers:
    """The different units of the bank that has most; unit u is in bank u % 32. One array a part of a word."""
    all_units = np.concatenate(units, axis=1)
    on = np.concatenate([active] * len(units), axis=1)
    return passes(all_units * BANK_BYTES, on, BANK_BYTES, all_units.shape[1])


def paired_word_passes(addresses: Integers, active: Bools, width: int) -> Integers:
    """3.x, 4-byte mode: a bank gives, in one pass, both of its words in a 256-byte aligned segment.

    The guide says nothing of groups of lanes for wide words: the warp is served as a whole.
    """
    first = addresses // BANK_BYTES
    words = [first + k for k in range(max(1, width // BANK_BYTES))]
    return _fullest([word // (2 * BANKS) * BANKS + word % BANKS for word in words], active)


def double_word_passes(addresses: Integers, active: Bools, width: int) -> Integers:
    """3.x, 8-byte mode: successive 8-byte words are in successive banks; the warp is served as a whole."""
    first = addresses // (2 * BANK_BYTES)
    return _fullest([first + k for k in range(max(1, width // (2 * BANK_BYTES)))], active)
