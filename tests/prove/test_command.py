"""The command line of `cudalint prove`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.checkout import ROOT
from tests.support.proofs import SAXPY

pytest.importorskip("z3")


def run(*arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own, after `code`."""
    script = f"{code}\nimport sys\nfrom cudalint.cli import run\nrun(sys.argv[1:])"
    command = [sys.executable, "-c", script, "prove", "--isolated", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def test_a_block_a_kernel_and_the_exit_status(tmp_path: Path) -> None:
    file = tmp_path / "two.cu"
    file.write_text(SAXPY + "__global__ void bad(int *x) { x[0] = threadIdx.x; }\n", encoding="utf-8")
    done = run(str(file))
    good, bad, *details = done.stdout.splitlines()
    assert good.endswith("two.cu:2: saxpy: proved")
    assert bad.endswith("two.cu:6: bad: refuted")
    assert details[0] == "    race on `x[0]`"
    assert details[2] == details[4] == "        6 | __global__ void bad(int *x) { x[0] = threadIdx.x; }"
    assert details[5].startswith("    with block ")
    assert done.returncode == 1
    assert run(str(file), "--kernel", "saxpy").returncode == 0
    assert run(str(file), "--assume", "blockDim.x == 1", "--assume", "gridDim.x == 1").returncode == 0
    assert run(str(file), "--kernel", "none").returncode == 2
    assert run(str(file), "--assume", "a +").returncode == 2
    assert run(str(tmp_path / "missing.cu")).returncode == 2


def test_json_holds_the_witness(tmp_path: Path) -> None:
    file = tmp_path / "bad.cu"
    file.write_text("__global__ void bad(int *x) { x[N] = threadIdx.x; }\n", encoding="utf-8")
    done = run(str(file), "-D", "N=3", "--output-format", "json")
    (kernel,) = json.loads(done.stdout)["files"][0]["kernels"]
    assert (kernel["name"], kernel["verdict"], kernel["line"]) == ("bad", "refuted", 1)
    assert kernel["witness"]["element"] == "x[3]"
    assert [side["does"] for side in kernel["witness"]["threads"]] == ["writes", "writes"]
    assert done.returncode == 1


def test_a_comment_may_assume(tmp_path: Path) -> None:
    file = tmp_path / "one.cu"
    kernel = "__global__ void k(int *x) { x[threadIdx.x] = threadIdx.x + 1; x[threadIdx.x]++; }\n"
    text = f"// cudalint: assume gridDim.x == 1\n{kernel}"
    file.write_text(text, encoding="utf-8")
    assert run(str(file)).returncode == 0
    file.write_text(kernel, encoding="utf-8")
    assert run(str(file)).returncode == 1


def test_without_z3_it_says_what_to_install() -> None:
    hidden = """
import importlib.util as u
find = u.find_spec
u.find_spec = lambda name, *rest: None if name == 'z3' else find(name, *rest)
"""
    done = run("docs/example.cu", code=hidden)
    assert done.returncode == 2
    assert "pip install 'cudalint[prove]'" in done.stderr


def test_the_other_commands_do_not_import_z3() -> None:
    modules = "cudalint.cli, cudalint.app.commands, cudalint.engine.engine, cudalint.engine.analysis"
    script = f"import sys, {modules}\nprint('z3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
