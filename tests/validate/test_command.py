"""The command line of `cudalint validate`, and what it says where something is missing."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from cudalint.rule import measured
from cudalint.rule.measured import Measured
from cudalint.validate import (
    command,
    pairs,
    prediction,
    report,
    toolchain,
)
from tests.support.checkout import ROOT


def _run(arguments: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cudalint", "validate", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False
    )


HIDDEN = """
import sys
from cudalint.validate import cupy_driver, toolchain
toolchain._packaged = lambda: []
cupy_driver.present = lambda: False
from cudalint.cli import run
run(["validate", *sys.argv[1:]])
"""


@pytest.mark.parametrize("arguments", [[], ["--compile-only"], ["--counters"], ["--sanitizer"]])
def test_without_a_compiler_one_line_says_how_to_get_one(arguments: list[str]) -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("CUDA_HOME", "CUDA_PATH")}
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN, *arguments],
        env=environment | {"PATH": "/nowhere", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "no nvcc" in line and "pip install 'cudalint[nvcc]'" in line


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--rule", "CU003", "--compile-only"], "no such pair"),
        (["--output-format", "yaml"], "--output-format yaml"),
        (["--driver", "opencl"], "--driver opencl"),
        (["--compile-only", "--record", "x"], "--compile-only cannot be combined"),
        (["--arch", "sm_75,sm_90"], "need --compile-only"),
        (["--arch", "abc"], "--arch: 'abc' is not an architecture; expected one like sm_90"),
        (["--compile-only", "--arch", "sm_90,"], "--arch: '' is not an architecture"),
        (["--arch", ""], "--arch: '' is not an architecture"),
        (["--sanitizer", "--counters"], "--sanitizer cannot be combined"),
        (["--counters", "--record", "nowhere"], "no record of today"),
    ],
)
def test_wrong_options_are_told(arguments: list[str], says: str) -> None:
    done = _run(arguments)
    assert done.returncode == 2 and says in done.stderr and "Traceback" not in done.stderr


@pytest.mark.skipif(toolchain.find().nvcc is None, reason="no nvcc here")
def test_pairs_compile_and_the_machine_code_answers() -> None:
    done = _run(["--compile-only", "--rule", "CU109,CU601", "--arch", "sm_90", "--output-format", "json"])
    assert done.returncode == 0, done.stderr
    rules = json.loads(done.stdout)["rules"]
    assert [rule["code"] for rule in rules] == ["CU109", "CU601"]
    if toolchain.find().nvdisasm is not None:
        assert all(one["holds"] for rule in rules for one in rule["evidence"])
        assert [len(rule["evidence"]) for rule in rules] == [1, 1]


@pytest.mark.skipif(toolchain.find().nvdisasm is None, reason="no nvdisasm here")
@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("float lost = in[0]; lost += 1.0f;", "sm_90: no kernel of the bad variant is in the machine code"),
        ("out[0] = in[0]", "does not compile for sm_90: "),
        ("out[threadIdx.x] = in[0];", ""),
    ],
    ids=["optimised away", "rejected", "fine"],
)
def test_a_broken_pair_fails_with_a_message(body: str, says: str, tmp_path: Path) -> None:
    """CU506 asks that there are none of some instructions, which nothing at all would have as well."""
    source = "\n".join(
        (
            "#include <cuda_runtime.h>",
            f"__global__ void slow(float *out, const float *in) {{ {body} }}",
            "__global__ void fast(float *out, const float *in) { out[threadIdx.x] = in[1]; }",
            "void bad(float *out, const float *in) { slow<<<1, 32>>>(out, in); }",
            "void good(float *out, const float *in) { fast<<<1, 32>>>(out, in); }",
        )
    )
    (tmp_path / "pair.cu").write_text(source + "\n")
    (known,) = pairs.pairs(("CU506",))
    pair = msgspec.structs.replace(known, path=tmp_path / "pair.cu")
    seen = prediction.model(pair.path, "sm_90")
    result = command._looked_at(toolchain.find(), pair, seen, ("sm_90",), tmp_path)
    assert result.failure.startswith(says) and result.right is (says == "")
    assert says in report.evidence((result,))
    assert len(result.evidence) == (0 if says else 1)


UNDISASSEMBLED = """
import sys
from msgspec.structs import replace
from cudalint.validate import toolchain
found = toolchain.find()
toolchain.find = lambda: replace(found, nvdisasm=None)
from cudalint.cli import run
run(["validate", *sys.argv[1:]])
"""


@pytest.mark.skipif(toolchain.find().nvcc is None, reason="no nvcc here")
def test_without_nvdisasm_one_line_says_what_was_not_asked() -> None:
    arguments = ["--compile-only", "--rule", "CU109,CU205", "--arch", "sm_75,sm_90"]
    done = subprocess.run(
        [sys.executable, "-c", UNDISASSEMBLED, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert line.startswith("2 of 2 pairs compile; 3 checks of the machine code skipped: no nvdisasm")
    assert "pip install 'cudalint[nvcc]'" in line


@pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="a GPU may be here")
@pytest.mark.skipif(toolchain.find().nvcc is None, reason="no nvcc here")
def test_without_a_gpu_one_line_says_what_can_be_done() -> None:
    done = _run(["--rule", "CU601"])
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "no NVIDIA GPU" in line and "--compile-only" in line


def test_pages_quote_what_was_measured() -> None:
    slow = measured.newest("CU111")
    assert slow is not None and isinstance(slow[1], Measured) and slow[1].slowdown > 2
    assert "H200" in measured.sentence("CU111")
    even = measured.newest("CU109")
    assert even is not None and "no significant cost" in measured.sentence("CU109")
