"""A kernel of a source text run on given buffers, for tests of the interpreter itself."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from tools.interpreter import translate
from tools.interpreter.conflicts import Trace, trace
from tools.interpreter.layout import Contents
from tools.interpreter.memory import GLOBAL, Memory
from tools.interpreter.program import Program
from tools.interpreter.threads import Interval, Shape, run_block


@dataclass(frozen=True)
class Ran:
    """What the buffers hold afterwards, in the order in which arrays were passed; the runs of the blocks."""

    arrays: list[np.ndarray]
    program: Program
    runs: list[Trace]


def execute(code: str, arguments: list[Any], block: Shape, grid: Shape = (1, 1, 1)) -> Ran:
    """Run the only kernel of the text, block after block; arrays are passed as pointers."""
    unit = load("kernel.cu", LoadOptions(text=code))
    (key,) = unit.kernels
    memory = Memory()
    program = translate.program(unit, memory, Contents(unit, memory, 16))
    program.fuel[0] = 1_000_000
    passed, held = [], []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            passed.append(memory.create(GLOBAL, argument.nbytes, argument.tobytes()))
            held.append((passed[-1], argument))
        else:
            passed.append(argument)
    runs = []
    for z in range(grid[2]):
        for y in range(grid[1]):
            for x in range(grid[0]):
                intervals: list[Interval] = list(run_block(program, key, passed, block, grid, (x, y, z)))
                runs.append(trace(program.sites, intervals))
    arrays = [
        np.frombuffer(bytes(memory.bytes[at >> 32]), dtype=array.dtype).reshape(array.shape)
        for at, array in held
    ]
    return Ran(arrays, program, runs)
