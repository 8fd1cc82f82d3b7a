"""The picture of one request: which lanes fall in which sector, bank or address. Pure arithmetic on lanes.

`lanes` are 32 byte addresses from the start of the buffer, None for a lane that takes no part.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from cudalint.simt.requests.transactions import BANK_BYTES, BANKS, SECTOR, passes, wavefronts

Lanes = Sequence[int | None]
_OBJECT = 1 << 40  # bytes of the address range of one object; its upper half stands before the start


class Sector(Struct, frozen=True):
    """32 bytes of global memory from `first` on. lanes: those with a byte in it; used: its bytes, 0 to 31."""

    first: int
    lanes: tuple[int, ...]
    used: tuple[int, ...]


class Bank(Struct, frozen=True):
    """One of 32 banks with the words that lanes want of it: (number of the word, lanes)."""

    number: int
    words: tuple[tuple[int, tuple[int, ...]], ...]


class Group(Struct, frozen=True):
    """Lanes that are served together (first, last), in so many passes, and the banks that they touch."""

    first: int
    last: int
    passes: int
    banks: tuple[Bank, ...]


def signed(lanes: Lanes) -> tuple[int | None, ...]:
    """Addresses a little before the start of the buffer as negative numbers."""
    return tuple(a - _OBJECT if a is not None and a >= _OBJECT // 2 else a for a in lanes)


def sectors_of(lanes: Lanes, width: int) -> tuple[Sector, ...]:
    """The sectors that an access of `width` bytes a lane touches, by address."""
    wanted: dict[int, tuple[list[int], set[int]]] = {}
    for lane, address in enumerate(lanes):
        for byte in range(address, address + width) if address is not None else ():
            here, used = wanted.setdefault(byte // SECTOR, ([], set()))
            used.add(byte % SECTOR)
            if lane not in here:
                here.append(lane)
    return tuple(
        Sector(number * SECTOR, tuple(here), tuple(sorted(used)))
        for number, (here, used) in sorted(wanted.items())
    )


def groups_of(lanes: Lanes, width: int, operation: Literal["load", "store", "atomic"]) -> tuple[Group, ...]:
    """The groups of lanes in which shared memory serves an access of `width` bytes a lane."""
    size = _group_size(lanes, width, operation)
    found = []
    for first in range(0, len(lanes), size):
        banks = _banks(lanes, range(first, first + size), width)
        most = max((len(bank.words) for bank in banks), default=0)
        found.append(Group(first, first + size - 1, most, banks))
    return tuple(group for group in found if group.banks)


def _group_size(lanes: Lanes, width: int, operation: str) -> int:
    """32, 16 or 8 lanes; twice as many where a load serves neighbouring groups together."""
    if width <= BANK_BYTES:
        return 32
    apart = 16 if width <= 8 else 8
    addresses = np.array([[a or 0 for a in lanes]], dtype=np.int64)
    active = np.array([[a is not None for a in lanes]])
    done = wavefronts(addresses, active, width, operation != "load")
    together = operation == "load" and int(done[0]) < int(passes(addresses, active, width, apart)[0])
    return 2 * apart if together else apart


def _banks(lanes: Lanes, group: range, width: int) -> tuple[Bank, ...]:
    wanted: dict[int, dict[int, list[int]]] = {}
    for lane in group:
        address = lanes[lane]
        for number in range(max(1, width // BANK_BYTES)) if address is not None else ():
            word = (address or 0) // BANK_BYTES + number
            wanted.setdefault(word % BANKS, {}).setdefault(word, []).append(lane)
    return tuple(
        Bank(bank, tuple((word, tuple(here)) for word, here in sorted(words.items())))
        for bank, words in sorted(wanted.items())
    )


def addresses_of(lanes: Lanes) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The different addresses with the lanes that want them, by address."""
    wanted: dict[int, list[int]] = {}
    for lane, address in enumerate(lanes):
        if address is not None:
            wanted.setdefault(address, []).append(lane)
    return tuple((address, tuple(here)) for address, here in sorted(wanted.items()))
