"""Counts what nvcc makes of each function of the mathematics library, for cudalint/gpu/functions.py:

    python experiments/functions.py sm_90

prints, for the float and the double form, the instructions on the shortest way through one call (the way that
ordinary arguments take: ranges that need more work branch off), those of them in double precision, and those
for the unit of special functions. Needs nvcc and nvdisasm, and no GPU.
"""

import heapq
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ONE = """sqrt rsqrt cbrt rcbrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh
tanh asinh acosh atanh sinpi cospi erf erfc erfinv normcdf tgamma lgamma floor fabs""".split()
TWO = "pow atan2 fmod hypot rhypot fmin fmax fdim copysign".split()
THREE = "norm3d rnorm3d".split()
FOUR = "norm4d rnorm4d".split()

_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+\{?\s*(@!?U?P\w+ )?\s*([A-Z][A-Z0-9_.]*)\s*(.*?)\s*;")
_LABEL = re.compile(r"^(\.L\S+):")
_TARGET = re.compile(r"`\((\.L\S+)\)")
_IDLE = ("NOP", "BSSY", "BSYNC", "WARPSYNC")


def source() -> str:
    parts = []
    for suffix, type in (("f", "float"), ("", "double")):
        bodies = {name: f"{name}{suffix}(x)" for name in ONE} | {
            name: f"{name}{suffix}(x, y)" for name in TWO
        }
        bodies |= {name: f"{name}{suffix}(x, y, a[i + 777])" for name in THREE}
        bodies |= {name: f"{name}{suffix}(x, y, a[i + 777], a[i + 888])" for name in FOUR}
        bodies |= {"divide": "x / y", "fma": f"fma{suffix}(x, y, x)", "nothing": "x + y"}
        for name, body in bodies.items():
            parts.append(
                f'extern "C" __global__ void {name}_{type}({type} *o, const {type} *a)'
                f"{{ int i = threadIdx.x; {type} x = a[i], y = a[i + 999]; o[i] = {body} + y; }}"
            )
        parts += [
            f'extern "C" __global__ void {name}_{type}({type} *o, const {type} *a)'
            f"{{ int i = threadIdx.x; {type} x = a[i], y = a[i + 999], r, s; {name}{suffix}(x, &r, &s);"
            " o[i] = r * s + y; }"
            for name in ("sincos", "sincospi")
        ]
    return "\n".join(parts)


def shortest(rows: list[str]) -> tuple[int, int, int]:
    """(instructions, double ones, special ones) on the way through a kernel with the fewest of them."""
    code: list[tuple[str, str, str]] = []
    labels: dict[str, int] = {}
    for row in rows:
        if label := _LABEL.match(row):
            labels[label.group(1)] = len(code)
        elif found := _INSTRUCTION.match(row):
            code.append((found.group(1) or "", found.group(2), found.group(3)))
    queue, seen = [((0, 0, 0), 0)], set()
    while queue:
        cost, at = heapq.heappop(queue)
        if at in seen or at >= len(code):
            continue
        seen.add(at)
        guard, name, operands = code[at]
        if name.startswith("EXIT") and not guard:
            return cost
        paid = not name.startswith(_IDLE)
        total = (
            cost[0] + paid,
            cost[1] + bool(re.match(r"D(ADD|MUL|FMA|SETP|MNMX)", name)),
            cost[2] + name.startswith("MUFU"),
        )
        if name.startswith("CALL"):
            total = (total[0] + 40, total[1], total[2])  # a routine for ranges that need more work
        target = _TARGET.search(operands) if name.startswith("BRA") else None
        if target and target.group(1) in labels:
            heapq.heappush(queue, (total, labels[target.group(1)]))
        if not (name.startswith("BRA") and not guard and "P" not in operands.split(",")[0]):
            heapq.heappush(queue, (total, at + 1))
    raise SystemExit("no way to the end")


def main() -> None:
    arch = sys.argv[1] if len(sys.argv) > 1 else "sm_90"
    with tempfile.TemporaryDirectory() as folder:
        file, cubin = Path(folder) / "functions.cu", Path(folder) / "functions.cubin"
        file.write_text(source())
        subprocess.run(
            ["nvcc", "-std=c++17", f"-arch={arch}", "-cubin", "-o", str(cubin), str(file)], check=True
        )
        sass = subprocess.run(
            ["nvdisasm", "-c", str(cubin)], check=True, capture_output=True, text=True
        ).stdout
    kernels: dict[str, list[str]] = {}
    current: list[str] = []
    for row in sass.splitlines():
        if found := re.match(r"^\.text\.(\S+):$", row):
            current = kernels.setdefault(found.group(1), [])
        else:
            current.append(row)
    told = {name: shortest(rows) for name, rows in kernels.items()}
    for type in ("float", "double"):
        base = told[f"nothing_{type}"]
        for name in sorted(n.rpartition("_")[0] for n in told if n.endswith(f"_{type}")):
            if name != "nothing":
                count = told[f"{name}_{type}"]
                print(type, name, *(a - b for a, b in zip(count, base, strict=True)))


if __name__ == "__main__":
    main()
