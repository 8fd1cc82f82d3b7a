"""A real `pre-commit run` against this checkout."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.checkout import copy
from tests.support.command_line import CLEAN, STRIDED
from tests.support.once import made_once

pytestmark = pytest.mark.slow


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false"]
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The checkout as a repository of its own, and its commit."""
    folder = tmp_path_factory.mktemp("tool") / "cudalint"
    return made_once(tmp_path_factory, "tool", lambda: committed(folder))


def committed(folder: Path) -> tuple[Path, str]:
    copy(folder)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message", "The tool")
    return folder, git(folder, "rev-parse", "HEAD")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps the environment that it makes; it lets one process at a time make it."""
    return made_once(tmp_path_factory, "home", lambda: tmp_path_factory.mktemp("home"))


def run(repository: Path, tool: tuple[Path, str], home: Path, hook: str) -> subprocess.CompletedProcess[str]:
    source, commit = tool
    (repository / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {source}\n  rev: {commit}\n  hooks:\n  - id: {hook}\n"
    )
    if not (repository / ".git").exists():
        git(repository, "init", "--quiet")
    git(repository, "add", "--all")
    environment = {**os.environ, "PRE_COMMIT_HOME": str(home), "PIP_NO_COMPILE": "1"}
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
    return subprocess.run(
        command, cwd=repository, env=environment, capture_output=True, text=True, check=False
    )


def test_the_hook_fails_on_a_finding_and_passes_without(tool, home, tmp_path):
    (tmp_path / "a.cu").write_text(STRIDED)
    (tmp_path / "notes.txt").write_text("not CUDA\n")
    bad = run(tmp_path, tool, home, "cudalint")
    assert bad.returncode == 1, bad.stdout + bad.stderr
    assert "CU101" in bad.stdout and "a.cu" in bad.stdout
    (tmp_path / "a.cu").write_text(CLEAN)
    good = run(tmp_path, tool, home, "cudalint")
    assert good.returncode == 0, good.stdout + good.stderr


def test_the_fixing_hook_changes_the_file(tool, home, tmp_path):
    kernel = "__global__ void k(float *a) { a[threadIdx.x] = 0.5 * a[threadIdx.x] * a[0]; }\n"
    (tmp_path / "a.cu").write_text(kernel)
    done = run(tmp_path, tool, home, "cudalint-fix")
    assert done.returncode == 1, done.stdout + done.stderr  # pre-commit: files were changed
    assert (tmp_path / "a.cu").read_text() == kernel.replace("0.5", "0.5f")


def test_what_is_excluded_is_neither_linted_nor_changed(tool, home, tmp_path):
    kernel = "__global__ void k(float *a) { a[threadIdx.x] = 0.5 * a[threadIdx.x] * a[0]; }\n"
    (tmp_path / "third_party").mkdir()
    (tmp_path / "third_party" / "a.cu").write_text(kernel)
    (tmp_path / "cudalint.toml").write_text('exclude = ["third_party/"]\nmin-impact = 0\n')
    for hook in ("cudalint", "cudalint-fix"):
        done = run(tmp_path, tool, home, hook)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "third_party" / "a.cu").read_text() == kernel
