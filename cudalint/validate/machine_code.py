"""Reads what nvdisasm prints of a cubin: the instructions of every kernel."""

import re

from msgspec import Struct

_SECTION = re.compile(r"^\.text\.(\S+):$")
_LINE = re.compile(r'//## File "[^"]*", line (\d+)')
_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+\{?\s*(?:@!?U?P\w+ )?\s*([A-Z][A-Z0-9_.]*)\s*(.*?)\s*;")
_WRITE = r"(ST|RED|ATOM)G?\b"
_PART = re.compile(r"L?(\d+)")


class Instruction(Struct, frozen=True):
    """One instruction; line: of the source, 0 if unknown."""

    name: str
    operands: str
    line: int


class Code(Struct, frozen=True):
    """A kernel as the compiler made it. name: the mangled one."""

    name: str
    instructions: tuple[Instruction, ...]

    def count(self, pattern: str) -> int:
        """Instructions whose name and operands match the regular expression from the start."""
        wanted = re.compile(pattern)
        return sum(1 for one in self.instructions if wanted.match(f"{one.name} {one.operands}"))

    @property
    def writes(self) -> bool:
        """Whether it leaves a result in memory: what does not has been optimised away."""
        return self.count(_WRITE) > 0


def codes(sass: str) -> dict[str, Code]:
    """Kernels and functions by mangled name, from what nvdisasm -g -c prints."""
    found: dict[str, list[Instruction]] = {}
    current: list[Instruction] = []
    line = 0
    for row in sass.splitlines():
        if section := _SECTION.match(row):
            current, line = found.setdefault(section.group(1), []), 0
        elif place := _LINE.search(row):
            line = int(place.group(1))
        elif match := _INSTRUCTION.match(row):
            current.append(Instruction(match.group(1), match.group(2), line))
    return {name: Code(name, tuple(instructions)) for name, instructions in found.items()}


def plain_name(mangled: str) -> str:
    """A function's own name, without namespaces and template arguments (Itanium C++ ABI: each name stands
    behind its length).
    """
    rest = mangled.removeprefix("_Z")
    nested = rest.startswith("N")
    rest, name = rest.removeprefix("N"), ""
    while part := _PART.match(rest):
        end = part.end() + int(part.group(1))
        name, rest = rest[part.end() : end], rest[end:]
        if not nested:
            break
    return name or mangled
