"""Compiling many fixtures with one run of nvcc: each in a namespace of its own, the headers in front."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from cudalint.validate import toolchain

COMPILER = toolchain.find().nvcc
_OPTIONS = ("-std=c++17", "-w", "-rdc=true", "--expt-relaxed-constexpr", "--extended-lambda")
_FAST = ("--Ofast-compile=mid",)  # whether it compiles is asked, not how well
_INCLUDE = re.compile(r"\s*#\s*include\s*([<\"])([^>\"]+)[>\"]")
_DEFINE = re.compile(r"\s*#\s*define\s+(\w+)", re.MULTILINE)
_ERROR = re.compile(r"^fixture_(\d+)\.cu\(\d+\): (?:catastrophic )?error: (.*)", re.MULTILINE)
_ROUNDS = 4  # an error in one fixture can hide those of others


def rejected(files: list[Path], folder: Path, arch: str = "sm_90") -> list[Path]:
    """The files that nvcc does not compile for an architecture, down to machine code."""
    doubtful = without_headers(files, folder)
    left = [file for file in files if file not in doubtful]
    for _ in range(_ROUNDS):
        wrong = errors(left, folder, arch)
        doubtful += wrong
        left = [file for file in left if file not in wrong]
        if not wrong:
            break
    else:
        doubtful += left
    return [file for file in doubtful if said(file, arch)]


def errors(files: list[Path], folder: Path, arch: str = "sm_90") -> dict[Path, str]:
    """What nvcc says of each file in which it finds errors when it compiles all of them as one; of all files,
    where it names none.
    """
    parts: list[str] = []
    headers: dict[str, None] = {}
    for number, file in enumerate(files):
        lines = file.read_text(encoding="utf-8").split("\n")
        headers.update(dict.fromkeys(_absolute(line, file) for line in lines if _INCLUDE.match(line)))
        body = ["" if _INCLUDE.match(line) else line for line in lines]
        names = dict.fromkeys(_DEFINE.findall("\n".join(body)))
        parts += [f"namespace fixture_{number} {{", f'#line 1 "fixture_{number}.cu"', *body, "}"]
        parts += [f"#undef {name}" for name in names]
    source = folder / f"together_{arch}.cu"
    source.write_text("\n".join([*headers, *parts]), encoding="utf-8")
    told = said(source, arch)
    found: dict[Path, str] = {}
    for number, text in _ERROR.findall(told):
        file = files[int(number)]
        found[file] = f"{found[file]}\n{text}" if file in found else text
    return found if found or not told else dict.fromkeys(files, told)


def without_headers(files: list[Path], folder: Path) -> list[Path]:
    """The files that include a header which is not here."""
    missing = missing_headers(files, folder)
    return [file for file in files if missing.intersection(_foreign(file))]


def missing_headers(files: list[Path], folder: Path) -> set[str]:
    """The headers that nvcc does not find."""
    names = sorted({name for file in files for name in _foreign(file)})
    probe = folder / "headers.cu"
    rows = [f"#if !__has_include(<{name}>)\nmissing:{name}\n#endif" for name in names]
    probe.write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = subprocess.run([str(COMPILER), "-E", str(probe)], capture_output=True, text=True, check=True)
    return {row.removeprefix("missing:") for row in done.stdout.splitlines() if row.startswith("missing:")}


def _foreign(file: Path) -> Iterable[str]:
    """The headers that a file includes and that do not stand beside it."""
    for quote, name in _INCLUDE.findall(file.read_text(encoding="utf-8")):
        if quote == "<" or not (file.parent / name).is_file():
            yield name


def _absolute(include: str, file: Path) -> str:
    """An include as it means the same from any folder."""
    match = _INCLUDE.match(include)
    if match is None or match.group(1) == "<":
        return include.strip()
    return f'#include "{(file.parent / match.group(2)).resolve()}"'


def said(file: Path, arch: str) -> str:
    """What nvcc says of a file that it does not compile; '' for one that it does."""
    command = [
        str(COMPILER),
        f"-arch={arch}",
        *_OPTIONS,
        *_FAST,
        "-cubin",
        "-o",
        "/dev/null",
        str(file),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    return (done.stderr + done.stdout or "no reason") if done.returncode else ""
