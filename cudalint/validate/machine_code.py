"""Reads what ptxas and nvdisasm print of a cubin: instructions, registers and spills of every kernel."""

import re

from msgspec import Struct

_SECTION = re.compile(r"^\.text\.(\S+):$")
_LINE = re.compile(r'//## File "[^"]*", line (\d+)')
_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+\{?\s*(?:@!?U?P\w+ )?\s*([A-Z][A-Z0-9_.]*)\s*(.*?)\s*;")
_KERNEL = re.compile(r"Function properties for (\S+)")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_REGISTERS = re.compile(r"Used (\d+) registers")


class Instruction(Struct, frozen=True):
    """line: of the source, 0 where none is told."""

    name: str
    operands: str
    line: int


class Code(Struct, frozen=True):
    """A kernel as the compiler made it. name: the mangled one. stack, spilled: bytes a thread."""

    name: str
    instructions: tuple[Instruction, ...]
    registers: int = 0
    stack: int = 0
    spilled: int = 0

    def count(self, pattern: str) -> int:
        """Instructions whose name and operands match the regular expression from the start."""
        wanted = re.compile(pattern)
        return sum(1 for one in self.instructions if wanted.match(f"{one.name} {one.operands}"))


def codes(sass: str, told: str) -> dict[str, Code]:
    """Kernels and functions by mangled name. sass: by nvdisasm -g -c; told: by ptxas -v."""
    resources = _resources(told)
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
    return {
        name: Code(name, tuple(instructions), *resources.get(name, (0, 0, 0)))
        for name, instructions in found.items()
    }


def _resources(told: str) -> dict[str, tuple[int, int, int]]:
    """(registers, bytes of stack, bytes spilled) by mangled name."""
    found: dict[str, tuple[int, int, int]] = {}
    name, stack, spilled = "", 0, 0
    for row in told.splitlines():
        if kernel := _KERNEL.search(row):
            name = kernel.group(1)
        elif frame := _STACK.search(row):
            stack, spilled = int(frame.group(1)), int(frame.group(2)) + int(frame.group(3))
        elif (used := _REGISTERS.search(row)) and name:
            found[name] = int(used.group(1)), stack, spilled
    return found
