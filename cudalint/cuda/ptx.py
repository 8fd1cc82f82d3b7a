"""Inline assembly that is one instruction on memory: which, and which operands it takes; also the conversion
of an address to one in the window of shared memory.

Only what an ordinary load, store, copy or atomic would do as well: no ordering, no volatile accesses.
"""

import re
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cudalint.cuda.assembly import COMMENT

Kind = Literal["load", "store", "copy", "atomic", "commit", "wait", "window"]

_STRING = re.compile(r'\s*"((?:[^"\\]|\\.)*)"')
_HEAD = re.compile(r"\s*(?:asm|__asm__|__asm)(?:\s+(?:volatile|__volatile__))?\s*\(")
_CONSTRAINT = re.compile(r'(?:\[(\w+)\]\s*)?"[=+&]*\w+"\s*\(')
_PREDICATED = re.compile(
    r"\.reg\s*\.pred\s+(%?\w+)\s*;\s*setp\.ne\.[bsu]32\s+\1\s*,\s*(%\d+|%\[\w+\])\s*,\s*0\s*;\s*@\1\s+([^;]+);?$"
)
_TO_WINDOW = re.compile(
    r"\.reg\s*\.[bu]64\s+(%?\w+)\s*;\s*cvta\.to\.shared\.u64\s+\1\s*,\s*(%\d+|%\[\w+\])\s*;"
    r"\s*cvt\.u32\.u64\s+(%\d+|%\[\w+\])\s*,\s*\1\s*;?$"
)
_INSTRUCTION = re.compile(r"([a-z]\w*(?:(?:\.|::)\w+)*)\s*(.*)$", re.DOTALL)
_ADDRESS = re.compile(r"\[\s*(%\d+|%\[\w+\])\s*(?:\+\s*(-?\d+))?\s*\]$")
_OPERAND = re.compile(r"(%\d+|%\[\w+\])$")
_PARTS = re.compile(r",(?![^{]*\})")
_TYPE = re.compile(r"([busf])(8|16|32|64)$")
_PLAIN = frozenset("global shared nc ca cg cs lu wb wt weak gpu cta sys relaxed cta cluster".split())
_HINTS = ("L1::", "L2::")
_ATOMICS = {"add": "atomicAdd", "min": "atomicMin", "max": "atomicMax", "and": "atomicAnd", "or": "atomicOr"}
_COPY = re.compile(r"cp\.async\.c[ag]\.shared(?:::cta)?\.global(?:\.L2::\w+)?$")


class Instruction(Struct, frozen=True):
    """registers, address, source, and predicate are places in the list of operands, outputs first.

    letter, bits: of an element, as `f32`; cached: the operator of the cache, as 'nc'; source: of a copy;
    bytes: of a copy, a number or the place of the operand that is the number; read: the place of how many of
    them are read, the others being zero; function: of an atomic.
    """

    kind: Kind
    space: Literal["global", "shared", ""] = ""
    letter: str = ""
    bits: int = 0
    registers: tuple[int, ...] = ()
    address: int = 0
    offset: int = 0
    cached: str = ""
    source: int = 0
    source_offset: int = 0
    bytes: int = 0
    bytes_at: int | None = None
    read: int | None = None
    function: str = ""
    result: int | None = None
    predicate: int | None = None


class Operands(Struct, frozen=True):
    """The operands of an asm statement, by number or by name."""

    names: tuple[str, ...]

    def place(self, text: str) -> int | None:
        """Where an operand stands in the list."""
        found = _OPERAND.match(text.strip())
        if found is None:
            return None
        name = found[1][1:]
        if name.isdigit():
            return int(name) if int(name) < len(self.names) else None
        name = name.strip("[]")
        return self.names.index(name) if name in self.names else None

    def address(self, text: str) -> tuple[int, int] | None:
        found = _ADDRESS.match(text.strip())
        place = self.place(found[1]) if found else None
        return None if found is None or place is None else (place, int(found[2] or 0))


def opened(text: str, operands: int) -> tuple[str, Operands] | None:
    """What an asm statement says in assembly, and its operands, where there are so many."""
    head = _HEAD.match(COMMENT.sub(" ", text))
    if head is None:
        return None
    code, rest = _template(COMMENT.sub(" ", text)[head.end() :])
    named = Operands(tuple(name or "" for name in _CONSTRAINT.findall(rest)))
    if len(named.names) != operands:
        return None
    return code.strip().removeprefix("{").removesuffix("}").strip(), named


def instruction(text: str, operands: int) -> Instruction | None:
    """The instruction of an asm statement as it is written, with so many operands; None for anything else."""
    found = opened(text, operands)
    if found is None:
        return None
    code, named = found
    window = _TO_WINDOW.match(code)
    if window is not None:
        address, result = named.place(window[2]), named.place(window[3])
        return None if address is None else Instruction("window", address=address, result=result)
    predicated = _PREDICATED.match(code)
    if predicated is None:
        return _parsed(code.removesuffix(";").strip(), named)
    place, guarded = named.place(predicated[2]), _parsed(predicated[3].strip(), named)
    if guarded is None or place is None or guarded.kind in ("commit", "wait"):
        return None
    return replace(guarded, predicate=place)


def _template(text: str) -> tuple[str, str]:
    """The strings that stand first, joined, and what follows them."""
    at, parts = 0, []
    while (found := _STRING.match(text, at)) is not None:
        parts.append(found[1])
        at = found.end()
    return re.sub(r"\\[nt]", " ", "".join(parts)).replace("%%", "%"), text[at:]


def _parsed(code: str, named: Operands) -> Instruction | None:
    found = _INSTRUCTION.match(code)
    if found is None or ";" in code:
        return None
    name, parts = found[1], [part.strip() for part in _PARTS.split(found[2]) if part.strip()]
    if name == "cp.async.commit_group" and not parts:
        return Instruction("commit")
    if name == "cp.async.wait_all" and not parts:
        return Instruction("wait")
    if name == "cp.async.wait_group" and len(parts) == 1:
        return Instruction("wait")
    if _COPY.match(name):
        return _copy(parts, named)
    operation, *suffixes = re.split(r"(?<!:)\.", name)
    match operation:
        case "ld" if len(parts) == 2:
            return _moving("load", suffixes, parts[0], parts[1], named)
        case "st" if len(parts) == 2:
            return _moving("store", suffixes, parts[1], parts[0], named)
        case "red" if len(parts) == 2:
            return _atomic(suffixes, None, parts[0], parts[1], named)
        case "atom" if len(parts) == 3:
            return _atomic(suffixes, parts[0], parts[1], parts[2], named)
    return None


def _moving(
    kind: Kind, suffixes: list[str], registers: str, address: str, named: Operands
) -> Instruction | None:
    element = _TYPE.match(suffixes[-1]) if suffixes else None
    width = next((int(one[1:]) for one in suffixes if one in ("v2", "v4")), 1)
    others = [one for one in suffixes[:-1] if one not in ("v2", "v4") and not one.startswith(_HINTS)]
    places = [named.place(one) for one in registers.strip("{} ").split(",")]
    at = named.address(address)
    if (
        element is None
        or at is None
        or None in places
        or len(places) != width
        or not _PLAIN.issuperset(others)
    ):
        return None
    if "relaxed" in others or ("global" in others) == ("shared" in others):
        return None
    return Instruction(
        kind,
        space="shared" if "shared" in others else "global",
        letter=element[1],
        bits=int(element[2]),
        registers=tuple(place for place in places if place is not None),
        address=at[0],
        offset=at[1],
        cached=next((one for one in others if one in ("nc", "cg")), ""),
    )


def _atomic(
    suffixes: list[str], result: str | None, address: str, value: str, named: Operands
) -> Instruction | None:
    element = _TYPE.match(suffixes[-1]) if suffixes else None
    names = [_ATOMICS[one] for one in suffixes[:-1] if one in _ATOMICS]
    others = [one for one in suffixes[:-1] if one not in _ATOMICS]
    at, register = named.address(address), named.place(value)
    back = named.place(result) if result is not None else None
    if element is None or at is None or register is None or len(names) != 1 or (result and back is None):
        return None
    if not _PLAIN.issuperset(others) or "global" not in others:
        return None
    return Instruction(
        "atomic",
        space="global",
        letter=element[1],
        bits=int(element[2]),
        registers=(register,),
        address=at[0],
        offset=at[1],
        function=names[0],
        result=back,
    )


def _copy(parts: list[str], named: Operands) -> Instruction | None:
    """`[to], [from], bytes`; a fourth operand says how many bytes are read, the others being zero."""
    if len(parts) not in (3, 4):
        return None
    to, source = named.address(parts[0]), named.address(parts[1])
    place = named.place(parts[2])
    number = int(parts[2]) if parts[2].isdigit() else 0
    read = named.place(parts[3]) if len(parts) == 4 else None
    if to is None or source is None or (place is None and not number) or (len(parts) == 4 and read is None):
        return None
    return Instruction(
        "copy",
        address=to[0],
        offset=to[1],
        source=source[0],
        source_offset=source[1],
        bytes=number,
        bytes_at=place,
        read=read,
    )
