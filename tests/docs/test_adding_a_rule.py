"""The rule that docs/adding-a-rule.md shows works, from one new file in a new group."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from cudalint.rule import pages
from tests.support.checkout import ROOT
from tests.support.command_line import report

GUIDE = (ROOT / "docs" / "adding-a-rule.md").read_text(encoding="utf-8")
KERNEL = """\
__global__ void scale(float *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= 2.0f;
}

void run(float *data, int n)
{
    scale<<<1, 256>>>(data, n);
    scale<<<(n + 255) / 256, 256>>>(data, n);
}
"""
# A second folder of rules: as when the file stood below rules/ itself.
_WITH = "import sys, cudalint.rules as r; r.__path__.append(sys.argv.pop(1)); from cudalint.cli import run; "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of rules with one group and the guide's rule in it."""
    (source,) = re.findall(r"^ {3}```python\n(.+?)^ {3}```", GUIDE, flags=re.DOTALL | re.MULTILINE)
    group = tmp_path / "rules" / "example"
    group.mkdir(parents=True)
    (group / "__init__.py").touch()
    (group / "single_block_launch.py").write_text(textwrap.dedent(source), encoding="utf-8")
    return tmp_path / "rules"


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"{_WITH}run(sys.argv[1:])", str(folder), *arguments]
    return subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, check=False)


def test_it_finds_what_it_says(folder: Path):
    (folder.parent / "a.cu").write_text(KERNEL)
    done = run(folder, "check", "a.cu", "--select", "CU999", "--output-format", "json")
    (finding,) = report(done)["findings"]
    assert (finding["line"], finding["kernel"], finding["evidence"]) == (10, "scale", {"blocks": 1})
    assert done.returncode == 0  # a note


def test_its_page_is_whole(folder: Path):
    done = run(folder, "rule", "single-block-launch", "--output-format", "markdown")
    assert done.returncode == 0, done.stderr
    assert pages.missing_sections(done.stdout) == ()
    assert "CU999  single-block-launch" in run(folder, "rule", "--all").stdout


def test_it_keeps_the_house_rules(folder: Path):
    settings = ["--config", str(ROOT / "pyproject.toml")]
    for tool in (["ruff", "check", *settings], ["ruff", "format", "--check", *settings]):
        done = subprocess.run(
            [sys.executable, "-m", *tool, str(folder)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
