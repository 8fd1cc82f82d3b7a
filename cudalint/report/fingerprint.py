"""Line hashes that survive moved lines, as code scanning computes them, and fingerprints made from them.

The hash of a line is a polynomial rolling hash (base 37, 64 bits, wrapping) over the 100 characters from the
line's first character on, in UTF-16 code units, with blanks and tabs left out and line ends as one line feed.
Equal hashes within a file are numbered after a colon.
"""

import hashlib
from collections.abc import Iterable

_BLOCK = 100
_BASE = 37
_MASK = 2**64 - 1
_FIRST = pow(_BASE, _BLOCK, 2**64)
_END = 0xFFFF
_SPACE, _TAB, _FEED, _RETURN = 0x20, 0x09, 0x0A, 0x0D


def line_hashes(text: str) -> dict[int, str]:
    """'hash:occurrence' of every line of a text, by line number from 1."""
    found: dict[int, str] = {}
    counts: dict[int, int] = {}
    window = [0] * _BLOCK  # the last 100 characters
    pending = [0] * _BLOCK  # the line that starts with the character in the same slot; 0 for none
    value, slot, line, line_start = 0, 0, 0, True

    def settle() -> None:
        if pending[slot]:
            counts[value] = counts.get(value, 0) + 1
            found[pending[slot]] = f"{value:x}:{counts[value]}"
            pending[slot] = 0

    for unit in _significant(text):
        settle()
        if line_start:
            line += 1
            pending[slot] = line
        line_start = unit == _FEED
        value = (value * _BASE + unit - _FIRST * window[slot]) & _MASK
        window[slot] = unit
        slot = (slot + 1) % _BLOCK
    for _ in range(_BLOCK):
        settle()
        value = (value * _BASE - _FIRST * window[slot]) & _MASK
        window[slot] = 0
        slot = (slot + 1) % _BLOCK
    return found


def _significant(text: str) -> Iterable[int]:
    """The code units that count, and the end mark."""
    # A byte that is no UTF-8 counts as the replacement character, which code scanning reads there.
    text = text.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")
    raw = text.encode("utf-16-le")
    after_return = False
    for low, high in zip(raw[::2], raw[1::2], strict=True):
        unit = low | high << 8
        if unit in (_SPACE, _TAB) or (after_return and unit == _FEED):
            after_return = False
            continue
        after_return = unit == _RETURN
        yield _FEED if after_return else unit
    yield _END


def finding_fingerprint(code: str, path: str, line_hash: str, number: int) -> str:
    """A stable name of a finding: the same after lines above it moved. number: among equals of one line."""
    key = "\0".join((code, path, line_hash, str(number)))
    return hashlib.sha256(key.encode("utf-8", errors="replace")).hexdigest()[:32]


class Fingerprints:
    """Line hashes of files, computed once per file."""

    def __init__(self, text_of: "dict[str, str] | None" = None) -> None:
        self._hashes: dict[str, dict[int, str]] = {}
        self._seen: dict[tuple[str, str, str], int] = {}

    def line(self, path: str, lines: tuple[str, ...], number: int) -> str:
        """The hash of one line; '' when the file has no such line."""
        if path not in self._hashes:
            self._hashes[path] = line_hashes("\n".join(lines))
        return self._hashes[path].get(number, "")

    def finding(self, code: str, path: str, lines: tuple[str, ...], number: int) -> str:
        """The fingerprint of the next finding with this code on this line."""
        key = (code, path, self.line(path, lines, number))
        self._seen[key] = self._seen.get(key, 0) + 1
        return finding_fingerprint(*key, self._seen[key])
