"""Compiling many fixtures with one run of nvcc: each in a namespace of its own, the headers in front."""

import re
import subprocess
from pathlib import Path

_INCLUDE = re.compile(r"\s*#\s*include\b")
_OWN = re.compile(r'\s*#\s*include\s*"([^"]+)"')
_DEFINE = re.compile(r"\s*#\s*define\s+(\w+)", re.MULTILINE)
_ERROR = re.compile(r"^(fixture_\d+)\.cu\(\d+\): (?:catastrophic )?error", re.MULTILINE)
_ROUNDS = 4  # an error in one fixture can hide those of others


def rejected(files: list[Path], folder: Path) -> list[Path]:
    """The files that nvcc does not compile."""
    left = list(files)
    doubtful: list[Path] = []
    for _ in range(_ROUNDS):
        wrong = _together(left, folder)
        if not wrong:
            break
        doubtful += wrong
        left = [file for file in left if file not in wrong]
    else:
        doubtful += left
    return [file for file in doubtful if _compile(file)]


def _together(files: list[Path], folder: Path) -> list[Path]:
    """The files at which nvcc finds errors when it compiles all of them as one; all, where it names none."""
    parts: list[str] = []
    headers: dict[str, None] = {}
    for number, file in enumerate(files):
        lines = file.read_text(encoding="utf-8").split("\n")
        headers.update(dict.fromkeys(_absolute(line, file) for line in lines if _INCLUDE.match(line)))
        body = ["" if _INCLUDE.match(line) else line for line in lines]
        names = dict.fromkeys(_DEFINE.findall("\n".join(body)))
        parts += [f"namespace fixture_{number} {{", f'#line 1 "fixture_{number}.cu"', *body, "}"]
        parts += [f"#undef {name}" for name in names]
    source = folder / "together.cu"
    source.write_text("\n".join([*headers, *parts]), encoding="utf-8")
    told = _compile(source)
    wrong = {int(name.removeprefix("fixture_")) for name in _ERROR.findall(told)}
    if told and not wrong:
        return files
    return [files[number] for number in sorted(wrong)]


def _absolute(include: str, file: Path) -> str:
    """An include as it means the same from any folder."""
    own = _OWN.match(include)
    return f'#include "{(file.parent / own.group(1)).resolve()}"' if own else include.strip()


def _compile(file: Path) -> str:
    """What nvcc says of a file that it does not compile; '' for one that it does."""
    command = ["nvcc", "-arch=sm_90", "-std=c++17", "-w", "-ptx", "-o", "/dev/null", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    return (done.stderr + done.stdout or "no reason") if done.returncode else ""
