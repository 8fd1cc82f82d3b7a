"""Barriers that fixes insert: tried by linting, between the two accesses, where every thread comes."""

import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from cudalint.engine import engine
from cudalint.engine.discovery import Candidate, Plan
from cudalint.engine.engine import Run
from cudalint.fixing import fixes
from cudalint.settings.config import Settings
from cudalint.source.text import decode, shown
from tests.support.checkout import ROOT
from tests.support.command_line import Command, report

FIXTURES = ROOT / "fixtures" / "sync"
NVCC = shutil.which("nvcc")
LAUNCH = "void run(float *out, const float *in, int n) { work<<<1, 256>>>(out, in, n); }\n"
HEAD = """\
__global__ void work(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x;
"""


@dataclass(frozen=True)
class Case:
    """A kernel, the code of the finding that is mended, and the lines that the fix writes: (the number that
    each has afterwards, the line).
    """

    name: str
    text: str
    code: str = "CU301"
    lines: tuple[tuple[int, str], ...] = ()

    @property
    def source(self) -> str:
        return self.text + LAUNCH


MENDED = (
    Case(
        "straight line",
        HEAD + "    tile[t] = in[t];\n    out[t] = tile[255 - t];\n}\n",
        lines=((6, "    __syncthreads();"),),
    ),
    Case(
        "back edge",
        HEAD
        + """\
    float sum = 0.0f;
    for (int k = 0; k < 8; ++k) {
        tile[t] = in[k * 256 + t];
        __syncthreads();
        sum += tile[255 - t];
    }
    out[t] = sum;
}
""",
        lines=((10, "        __syncthreads();"),),
    ),
    Case(
        "both barriers of a loop",
        HEAD
        + """\
\tfloat sum = 0.0f;
\twhile (n-- > 0)
\t{
\t\ttile[t] = in[n * 256 + t];
\t\tsum += tile[255 - t];
\t}
\tout[t] = sum;
}
""",
        lines=((9, "\t\t__syncthreads();"), (11, "\t\t__syncthreads();")),
    ),
    Case(
        "out of a branch that some threads take",
        HEAD + "    tile[t] = in[t];\n    if (t < 100) {\n        out[t] = tile[255 - t];\n    }\n}\n",
        lines=((6, "    __syncthreads();"),),
    ),
    Case(
        "in a branch that the whole block takes",
        HEAD
        + """\
    if (n > 2) {
        tile[t] = in[t];
        out[t] = tile[255 - t];
    }
}
""",
        lines=((7, "        __syncthreads();"),),
    ),
    Case(
        "above the pragma of a loop without braces",
        HEAD
        + """\
    tile[t] = in[t];
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 4; ++k)
        sum += tile[(t + 64 * k) % 256];
    out[t] = sum;
}
""",
        lines=((7, "    __syncthreads();"),),
    ),
    Case(
        "above the comments on a statement",
        HEAD
        + """\
    tile[t] = in[t];
    // the other way round
    /* from the end */
    out[t] = tile[255 - t];
}
""",
        lines=((6, "    __syncthreads();"),),
    ),
    Case(
        "below the last comment of a loop",
        HEAD
        + """\
    for (int k = 0; k < 8; ++k) {
        tile[t] = in[k * 256 + t];
        __syncthreads();
        out[k * 256 + t] = tile[255 - t];
        // and the next one
    }
}
""",
        lines=((10, "        __syncthreads();"),),
    ),
    Case(
        "several in one kernel",
        HEAD
        + """\
    __shared__ float other[256];
    tile[t] = in[t];
    float a = tile[255 - t];
    other[t] = a;
    out[t] = other[(t + 100) % 256];
}
""",
        lines=((7, "    __syncthreads();"), (10, "    __syncthreads();")),
    ),
    Case(
        "one for two arrays",
        HEAD
        + """\
    __shared__ float other[256];
    tile[t] = in[t];
    other[t] = in[2 * t];
    float a = tile[255 - t];
    out[t] = a + other[(t + 100) % 256];
}
""",
        lines=((8, "    __syncthreads();"),),
    ),
    Case(
        "inside a device function",
        """\
__device__ float turned(float *tile, float mine)
{
    tile[threadIdx.x] = mine;
    return tile[255 - threadIdx.x];
}
"""
        + HEAD
        + "    out[t] = turned(tile, in[t]);\n}\n",
        lines=((4, "    __syncthreads();"),),
    ),
    Case(
        "between the calls of two functions",
        """\
__device__ float take(const float *tile) { return tile[255 - threadIdx.x]; }
__device__ void put(float *tile, float mine) { tile[threadIdx.x] = mine; }
"""
        + HEAD
        + "    put(tile, in[t]);\n    out[t] = take(tile);\n}\n",
        lines=((8, "    __syncthreads();"),),
    ),
    Case(
        "between statements that macros write",
        "#define PUT(i) tile[i] = in[i]\n" + HEAD + "    PUT(t);\n    out[t] = tile[255 - t];\n}\n",
        lines=((7, "    __syncthreads();"),),
    ),
    Case(
        "threads of a warp",
        HEAD + "    if (t < 32) {\n        tile[t] = in[t];\n        out[t] = tile[31 - t];\n    }\n}\n",
        code="CU304",
        lines=((7, "        __syncwarp();"),),
    ),
    Case(
        "global memory of one block",
        """\
__global__ void work(float *out, const float *in, int n)
{
    int t = threadIdx.x;
    float *mine = out + 256 * blockIdx.x;
    mine[t] = in[t];
    float other = mine[255 - t];
    __syncthreads();
    mine[t] = other;
}
""",
        code="CU303",
        lines=((6, "    __syncthreads();"),),
    ),
)

LEFT = (
    Case("two writers", HEAD + "    tile[t / 2] = in[t];\n}\n"),
    Case(
        "a branch that threads of a block take apart",
        HEAD + "    if (t < 100) {\n        tile[t] = in[t];\n        out[t] = tile[99 - t];\n    }\n}\n",
    ),
    Case(
        "a loop of another length in each thread",
        HEAD
        + """\
    for (int k = 0; k < t; ++k) {
        tile[t] = in[k];
        out[t] = tile[255 - t];
    }
}
""",
    ),
    Case(
        "after a return of some threads",
        HEAD + "    if (t > 200) return;\n    tile[t] = in[t];\n    out[t] = tile[200 - t];\n}\n",
    ),
    Case(
        "inside a macro",
        "#define TURN(i) do { tile[i] = in[i]; out[i] = tile[255 - i]; } while (0)\n"
        + HEAD
        + "    TURN(t);\n}\n",
    ),
    Case(
        "a loop whose body has no braces",
        HEAD
        + """\
    tile[t] = in[t];
    __syncthreads();
    for (int k = 0; k < 4; ++k)
        tile[t] += tile[(t + 64) % 256];
    out[t] = tile[t];
}
""",
    ),
    Case(
        "inside one statement",
        HEAD
        + """\
    tile[t] = in[t];
    __syncthreads();
    tile[t] += tile[255 - t];
    out[t] = tile[t];
}
""",
    ),
    Case(
        "two statements of one line",
        HEAD + "    tile[t] = in[t]; out[t] = tile[255 - t];\n}\n",
    ),
)


def lint(*files: Path, try_fixes: bool = True) -> Run:
    settings = replace(Settings(), select=("CU3",), time_limit=120.0)
    plan = Plan(tuple(Candidate(shown(str(file)), settings, False) for file in files), (), ())
    return engine.lint(plan, jobs=1, try_fixes=try_fixes)


def fixed(case: Case, folder: Path) -> tuple[Run, Path]:
    """The findings of a case, and the file with all fixes applied."""
    file = folder / "a.cu"
    file.write_text(case.source)
    run = lint(file)
    assert case.code in {finding.code for finding in run.findings}
    fixes.write(fixes.choose(run.findings, unsafe=True))
    return run, file


@pytest.mark.parametrize("case", MENDED, ids=lambda case: case.name)
def test_a_barrier_is_written_and_the_race_is_gone(case: Case, tmp_path: Path) -> None:
    run, file = fixed(case, tmp_path)
    assert all(finding.fix is not None and not finding.fix.safe for finding in run.findings)
    rows = case.source.splitlines()
    for number, row in case.lines:
        rows.insert(number - 1, row)
    assert file.read_text().splitlines() == rows
    after = lint(file)
    assert [finding.message for finding in after.findings] == []
    assert {result.status for result in after.files} == {"ok"}
    assert fixes.choose(after.findings, unsafe=True) == ()


@pytest.mark.parametrize("case", LEFT, ids=lambda case: case.name)
def test_no_barrier_is_written_where_it_would_not_help_or_not_all_come(case: Case, tmp_path: Path) -> None:
    run, file = fixed(case, tmp_path)
    assert [finding.fix for finding in run.findings] == [None] * len(run.findings)
    assert file.read_text() == case.source


@pytest.mark.skipif(NVCC is None, reason="nvcc is not installed")
def test_what_is_written_compiles(tmp_path: Path) -> None:
    parts = []
    for number, case in enumerate(MENDED):
        rows = case.source.splitlines()
        for line, row in case.lines:
            rows.insert(line - 1, row)
        body = "\n".join(rows)
        parts.append(f"namespace case{number} {{\n{body}\n}}\n")
    file = tmp_path / "all.cu"
    file.write_text("".join(parts))
    command = [str(NVCC), "-ptx", "-arch=sm_90", "-o", str(tmp_path / "all.ptx"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def test_a_plain_check_tries_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(MENDED[0].source)
    (finding,) = lint(file, try_fixes=False).findings
    assert finding.fix is None


def test_the_commands_try_fixes_where_they_are_seen(cudalint: Command, tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(MENDED[0].source)
    (told,) = report(cudalint("a.cu", "--select", "CU3", "--output-format", "json"))["findings"]
    assert told["fix"] == {
        "safe": False,
        "edits": [
            {
                "path": "a.cu", "line": 6, "column": 1, "end_line": 6, "end_column": 1,
                "text": "    __syncthreads();\n",
            }
        ],
    }  # fmt: skip
    assert cudalint("a.cu", "--select", "CU3", "--diff").stdout == ""
    assert (
        "\n+    __syncthreads();\n" in cudalint("a.cu", "--select", "CU3", "--diff", "--unsafe-fixes").stdout
    )
    assert cudalint("a.cu", "--select", "CU3", "--fix").returncode == 1
    assert file.read_text() == MENDED[0].source
    assert cudalint("a.cu", "--select", "CU3", "--fix", "--unsafe-fixes").returncode == 0
    assert "    __syncthreads();\n" in file.read_text()


def test_line_ends_are_those_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_bytes(MENDED[0].source.replace("\n", "\r\n").encode())
    assert fixes.write(fixes.choose(lint(file).findings, unsafe=True)).changed
    text = decode(file.read_bytes())
    assert "    __syncthreads();\r\n" in text
    assert text.count("\n") == text.count("\r\n")


def test_all_fixes_of_the_fixtures_hold_together(tmp_path: Path) -> None:
    kinds = ("shared_memory_race", "global_memory_race", "missing_warp_barrier")
    found = (file for kind in kinds for file in (FIXTURES / kind).glob("*.cu"))
    raced = [
        file for file in found if re.search(r"// expect:.*\bCU3", file.read_text())
    ]  # others say nothing
    files = [tmp_path / f"{number}.cu" for number in range(len(raced))]
    for file, source in zip(files, raced, strict=True):
        file.write_bytes(source.read_bytes())
    run = lint(*files)
    before = Counter(finding.span.path for finding in run.findings)
    chosen = fixes.choose(run.findings, unsafe=True)
    assert len(chosen) == sum(finding.fix is not None for finding in run.findings)
    fixes.write(chosen)
    mended = Counter(finding.span.path for finding in run.findings if finding.fix is not None)
    changed = [file for file in files if shown(str(file)) in mended]
    after = lint(*changed)
    left = Counter(finding.span.path for finding in after.findings)
    assert all(left[path] == before[path] - number for path, number in mended.items()), (before, mended, left)
    assert fixes.choose(after.findings, unsafe=True) == ()
    assert len(chosen) >= 5


def test_a_header_is_not_changed_through_a_file_that_includes_it(tmp_path: Path) -> None:
    (tmp_path / "turn.cuh").write_text(MENDED[0].text)
    file = tmp_path / "a.cu"
    file.write_text('#include "turn.cuh"\n' + LAUNCH)
    (finding,) = lint(file).findings
    assert (finding.code, finding.fix) == ("CU301", None)
