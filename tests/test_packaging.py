"""What is packed: every folder of code, in a wheel that works where there is no checkout and no compiler."""

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis", "build"
)


def test_every_package_folder_is_listed():
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for tree in ("cudalint", "rules")
        for path in (ROOT / tree).rglob("__init__.py")
    }
    assert listed == {f"cudalint.{name}" if name.startswith("rules") else name for name in found}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the checkout."""
    work = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, work / "source", ignore=LEFT_OUT)
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(work / "out"), str(work / "source")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = (work / "out").glob("*.whl")
    return found


@pytest.mark.slow
def test_the_wheel_holds_every_module_and_every_header(wheel):
    packed = set(zipfile.ZipFile(wheel).namelist())
    for path in (ROOT / "cudalint").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc":
            assert str(path.relative_to(ROOT)) in packed
    for path in (ROOT / "rules").rglob("*.py"):
        assert f"cudalint/{path.relative_to(ROOT)}" in packed


@pytest.mark.slow
def test_the_wheel_lints_in_a_fresh_environment_without_a_compiler(wheel, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    binaries = tmp_path / "env" / "bin"
    pip = [
        str(binaries / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        str(wheel),
    ]
    subprocess.run(pip, check=True)
    shutil.copy(ROOT / "docs" / "example.cu", tmp_path / "example.cu")
    environment = {"PATH": str(binaries), "HOME": str(tmp_path)}
    for compiler in ("nvcc", "clang", "gcc", "cc", "g++"):
        assert shutil.which(compiler, path=environment["PATH"]) is None

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(binaries / "cudalint"), *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    done = run("example.cu", "--output-format", "concise")
    assert done.returncode == 1, done.stderr
    assert {"CU101", "CU301", "CU601"} <= set(done.stdout.split())
    assert run("rule", "CU301").returncode == 0
    assert run("--version").stdout.startswith("cudalint ")
    assert os.listdir(tmp_path / "env" / "lib")  # the environment is still whole
