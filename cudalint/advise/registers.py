"""Registers per thread, as ptxas assigns them. Only the compiler knows them: where there is no nvcc on PATH
or below CUDA_HOME, or it does not compile a file by itself, they are not known.
"""

import os
import re
import shutil
import subprocess
from functools import reduce
from pathlib import Path

from msgspec.structs import replace

from cudalint.advise.card import Card, LaunchCard, Registers
from cudalint.advise.residency import residency
from cudalint.gpu.devices import Device
from cudalint.settings.config import Settings

_SECONDS = 60.0  # that one file is given
_ENTRY = re.compile(r"Compiling entry function '(\w+)'")
_USED = re.compile(r"Used (\d+) registers")
_ERROR = re.compile(r"error\s*:\s*(.+)")
_WIDEST = 100  # characters of an error
_SPILLED = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
_PART = re.compile(r"(\d+)")

_TYPES = {
    "a": "signed char", "b": "bool", "c": "char", "d": "double", "f": "float", "h": "unsigned char",
    "i": "int", "j": "unsigned int", "l": "long", "m": "unsigned long", "s": "short",
    "t": "unsigned short", "x": "long long", "y": "unsigned long long",
}  # fmt: skip
_LITERAL = re.compile(r"L[a-z](n?)(\d+)E")

# By (name without namespace, template arguments), or why nothing is known.
Found = dict[tuple[str, str], Registers] | str


def compiler() -> str | None:
    """nvcc, where it is on PATH or below CUDA_HOME."""
    home = os.environ.get("CUDA_HOME")
    below = Path(home, "bin", "nvcc") if home else None
    return shutil.which("nvcc") or (str(below) if below is not None and below.is_file() else None)


def ask(nvcc: str, path: str, arch: str, settings: Settings, seconds: float = _SECONDS) -> Found:
    """Compile a file to machine code that is thrown away, and read what ptxas says of its kernels."""
    options = [f"-I{folder}" for folder in settings.include_paths]
    options += [f"-D{macro}" for macro in settings.defines]
    options += [f"-std={settings.std}"] if settings.std else []
    command = [nvcc, "-cubin", f"-arch={arch}", "-Xptxas=-v", "-w", "-x", "cu", "-o", os.devnull]
    try:
        done = subprocess.run(
            [*command, *options, path],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=seconds,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return f"nvcc took longer than {seconds:g} s"
    except OSError as error:
        return f"nvcc cannot be run: {error.strerror or error}"
    if done.returncode:
        return f"nvcc does not compile the file: {_first_error(done.stderr)}"
    return read(done.stdout + done.stderr)


def _first_error(text: str) -> str:
    """The compiler's own words, without the place."""
    found = _ERROR.search(text)
    return found[1].strip()[:_WIDEST] if found else "no reason given"


def read(text: str) -> dict[tuple[str, str], Registers]:
    """By kernel and template arguments, what `ptxas -v` prints; '?' for arguments that are not read."""
    found: dict[tuple[str, str], Registers] = {}
    _, *entries = _ENTRY.split(text)
    for symbol, rest in zip(entries[::2], entries[1::2], strict=True):
        used, spilled = _USED.search(rest), _SPILLED.search(rest)
        if used is not None:
            bytes = sum(map(int, spilled.groups())) if spilled else 0
            one = Registers(int(used[1]), int(used[1]), bytes)
            name = plain(symbol)
            found[name] = _either(found[name], one) if name in found else one
    return found


def _either(one: Registers, other: Registers) -> Registers:
    return Registers(min(one.least, other.least), max(one.most, other.most), max(one.spilled, other.spilled))


def plain(symbol: str) -> tuple[str, str]:
    """The last name of a mangled one (Itanium C++ ABI) and its template arguments: ('add', 'float, 3') of
    `_ZN2ns3addIfLi3EEEvPT_`.
    """
    if not symbol.startswith("_Z"):
        return symbol, ""
    name, rest = symbol, symbol[2:].lstrip("NKL")
    while match := _PART.match(rest):
        start = match.end()
        name, rest = rest[start : start + int(match[1])], rest[start + int(match[1]) :].lstrip("L")
    return name, _arguments(rest[1:]) if rest.startswith("I") else ""


def _arguments(text: str) -> str:
    """Numbers and fundamental types; '?' where there is another argument."""
    found: list[str] = []
    while text and not text.startswith("E"):
        literal = _LITERAL.match(text)
        if literal is None and text[0] not in _TYPES:
            return "?"
        found.append(_TYPES[text[0]] if literal is None else literal[1].replace("n", "-") + literal[2])
        text = text[1 if literal is None else literal.end() :]
    return ", ".join(found)


def with_registers(card: Card, found: Found, device: Device) -> Card:
    """The card with what ptxas says, and the occupancy that follows."""
    if isinstance(found, str):
        return replace(card, registers_unknown=found)
    mine = {arguments: one for (name, arguments), one in found.items() if name == card.kernel}
    if not mine:
        return replace(card, registers_unknown="nvcc makes no code for it in this file")
    every = reduce(_either, mine.values())
    return replace(
        card,
        registers=every,
        launches=tuple(
            _resident(row, mine.get(row.instantiation, every).most, device) for row in card.launches
        ),
    )


def _resident(row: LaunchCard, registers: int, device: Device) -> LaunchCard:
    """With the occupancy that so many registers per thread leave."""
    return replace(
        row, residency=residency(device, row.block_threads, row.blocks, row.shared_bytes, registers)
    )
