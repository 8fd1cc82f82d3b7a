"""Run compute-sanitizer's racecheck and synccheck over fixtures and print what they say, by kernel, as JSON.

    python tests/hardware/sanitize.py fixtures/sync > tests/data/sanitizer.json

Needs a GPU, nvcc and compute-sanitizer, and nothing else. A fixture without a `main` gets one that calls
its `run` with zeroed buffers and middling numbers. Output: {"device", "tools", "fixtures": {file: {"built",
"kernels": {name: {tool: lines}}, "ended": {tool: exit status, or "time"}}}}, where lines are those of the
fixture that a report of the tool names.
"""

import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOOLS = ("racecheck", "synccheck")
SECONDS = 60
MAIN = """
#include <cuda_runtime.h>
#include <cstddef>
template <class T> struct made { static T one() { return T(4096); } };
template <class T> struct made<T *> {
    static T *one() { void *p; cudaMalloc(&p, 1 << 26); cudaMemset(p, 0, 1 << 26); return (T *)p; }
};
template <> struct made<cudaStream_t> { static cudaStream_t one() { return 0; } };
template <class R, class... A> void call(R (*f)(A...)) { f(made<A>::one()...); }
int main() { call(run); return cudaDeviceSynchronize() != cudaSuccess; }
"""
_AT = re.compile(r"\bat (?:void )?(\w+)(?:<.*?>)?\(.*?\)\+0x[0-9a-f]+ in (\S+?):(\d+)")


def output(command: list[str]) -> tuple[str, int | str]:
    """What a command says, and how it ends."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace") if isinstance(late.stdout, bytes) else "", "time"
    return done.stdout + done.stderr, done.returncode


def reports(text: str) -> dict[str, list[int]]:
    """Lines of the source that the tool's reports name, by kernel."""
    found: dict[str, set[int]] = {}
    for name, _, line in _AT.findall(text):
        found.setdefault(name, set()).add(int(line))
    return {name: sorted(lines) for name, lines in sorted(found.items())}


def examined(file: Path, folder: Path) -> dict[str, object]:
    """Build one fixture and run both tools on it."""
    source = file.read_text()
    unit, program = folder / f"{file.parent.name}_{file.name}", folder / f"{file.parent.name}_{file.stem}"
    has_main = re.search(r"^int main\(", source, re.M)
    unit.write_text(source if has_main else source + MAIN)
    command = ["nvcc", "-arch=sm_90", "-rdc=true", "-lineinfo", "-o", str(program), str(unit)]
    said, status = output(command)
    if status != 0:
        return {"built": False, "why": said[-300:]}
    kernels: dict[str, dict[str, list[int]]] = {}
    ended: dict[str, int | str] = {}
    for tool in TOOLS:
        said, ended[tool] = output(
            ["compute-sanitizer", "--tool", tool, "--print-limit", "400", str(program)]
        )
        for name, lines in reports(said).items():
            kernels.setdefault(name, {})[tool] = lines
        (folder / f"{program.name}.{tool}.txt").write_text(said)
    return {"built": True, "kernels": kernels, "ended": ended}


def main(root: str, kept: str | None) -> None:
    files = sorted(Path(root).rglob("*.cu"))
    folder = Path(kept or tempfile.mkdtemp())
    with ThreadPoolExecutor(6) as pool:
        found = pool.map(lambda file: examined(file, folder), files)
        fixtures = {str(f.relative_to(root)): e for f, e in zip(files, found, strict=True)}
    device = output(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])[0].strip()
    tools = output(["compute-sanitizer", "--version"])[0].strip().splitlines()[-1]
    print(json.dumps({"device": device, "tools": tools, "fixtures": fixtures}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
