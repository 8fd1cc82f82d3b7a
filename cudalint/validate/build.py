"""Compiles pairs with nvcc: as programs, and as machine code for one architecture."""

import subprocess
from pathlib import Path

from cudalint.errors import UsageError
from cudalint.validate.toolchain import Toolchain

ARCHS = ("sm_75", "sm_90", "sm_100")
_SECONDS = 300.0
_OPTIONS = ("-O3", "-std=c++17", "-lineinfo", "-w")


class CompileError(Exception):
    """nvcc rejects a source, or nvdisasm what nvcc made of it; the text is what it says."""


def program(tools: Toolchain, source: Path, into: Path, arch: str, *options: str) -> Path:
    """The source as a program. CompileError where nvcc says no."""
    run([str(tools.compiler), *_OPTIONS, *options, f"-arch={arch}", "-o", str(into), str(source)])
    return into


def machine_code(tools: Toolchain, source: Path, into: Path, arch: str) -> None:
    """The source as a cubin. CompileError where nvcc says no."""
    run([str(tools.compiler), *_OPTIONS, f"-arch={arch}", "-cubin", "-o", str(into), str(source)])


def disassembly(tools: Toolchain, cubin: Path) -> str | None:
    """The machine code as nvdisasm prints it, with lines of the source; None without nvdisasm."""
    if tools.nvdisasm is None:
        return None
    return run([str(tools.nvdisasm), "-g", "-c", str(cubin)])


def run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        raise CompileError(f"timed out after {_SECONDS:.0f} s") from late
    except OSError as error:
        raise UsageError(f"{command[0]} cannot be run: {error.strerror or error}") from error
    if done.returncode:
        raise CompileError((done.stderr or done.stdout).strip() or f"exit status {done.returncode}")
    return done.stdout + done.stderr
