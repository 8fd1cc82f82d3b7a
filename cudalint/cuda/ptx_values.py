"""Inline assembly that is one instruction on registers: which, and what it takes.

Only what an expression says as well. Of the registers of a thread those that its place in the block and the
grid tell.
"""

import re
from typing import Literal

from msgspec import Struct

from cudalint.cuda.ptx import Operands, opened

_INSTRUCTION = re.compile(r"([a-z]\w*)((?:\.\w+)*)\s+(.*)$", re.DOTALL)
_TYPE = re.compile(r"([busf])(32|64)$")
_NUMBER = re.compile(r"-?(?:0x[0-9a-fA-F]+|\d+)U?$")
_REGISTER = re.compile(r"%((?:tid|ntid|ctaid|nctaid)\.[xyz]|laneid|lanemask_(?:lt|le|gt|ge|eq))$")
_TAKES = {"mov": 1, "not": 1, "brev": 1, "popc": 1, "clz": 1, "bfind": 1, "bfe": 3, "mad": 3}
_TAKES |= dict.fromkeys(("add", "sub", "mul", "and", "or", "xor"), 2)
_SUFFIXES: dict[str, tuple[str, ...]] = {"mul": ("lo",), "mad": ("lo",)}

Sign = Literal["unsigned", "signed", "float"]
_SIGNS: dict[str, Sign] = {"b": "unsigned", "u": "unsigned", "s": "signed", "f": "float"}


class Register(Struct, frozen=True):
    """A register of the thread, as 'tid.x' or 'laneid'."""

    name: str


class Number(Struct, frozen=True):
    value: int


class Place(Struct, frozen=True):
    """A place in the list of operands, outputs first."""

    at: int


Source = Register | Number | Place


class Computed(Struct, frozen=True):
    """operation: as PTX names it, without suffixes; result: the place of the output; bits, sign: of a
    value.
    """

    operation: str
    result: int
    sources: tuple[Source, ...]
    bits: int
    sign: Sign


def computed(text: str, operands: int) -> Computed | None:
    """What an asm statement as it is written computes, with so many operands; None for anything else."""
    found = opened(text, operands)
    if found is None:
        return None
    code, named = found
    match = _INSTRUCTION.match(code.removesuffix(";").strip())
    if match is None or ";" in match[3]:
        return None
    operation, (*others, kind) = match[1], match[2].split(".")[1:] or ("",)
    element = _TYPE.match(kind)
    parts = [part.strip() for part in match[3].split(",")]
    if element is None or tuple(others) != _SUFFIXES.get(operation, ()):
        return None
    if len(parts) - 1 != _TAKES.get(operation, 0) or (element[1] == "f" and operation != "mov"):
        return None
    result = named.place(parts[0])
    sources = tuple(source for part in parts[1:] if (source := _source(part, named)) is not None)
    if result is None or len(sources) != len(parts) - 1:
        return None
    if operation == "bfe" and (element[1] != "u" or element[2] != "32"):
        return None
    return Computed(operation, result, sources, int(element[2]), _SIGNS[element[1]])


def _source(text: str, named: Operands) -> Source | None:
    if _NUMBER.match(text):
        return Number(int(text.removesuffix("U"), 0))
    if (register := _REGISTER.match(text)) is not None:
        return Register(register[1])
    place = named.place(text)
    return None if place is None else Place(place)
