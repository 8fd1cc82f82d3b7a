"""A wheel built from the tracked files works where there is no checkout and no compiler."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

import cudalint
from tests.support.checkout import ROOT, bare_environment, copy
from tests.support.once import made_once

pytestmark = pytest.mark.slow
SHIM = "cudalint/frontend/shim/"


@dataclass(frozen=True)
class Environment:
    """One that holds the wheel and what it requires, far from the checkout."""

    binaries: Path
    variables: dict[str, str]
    elsewhere: Path

    def __call__(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of its programs with nothing else on PATH."""
        return subprocess.run(
            [str(self.binaries / program), *arguments],
            cwd=self.elsewhere, env=self.variables, capture_output=True, text=True, check=False,
        )  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "wheel", lambda: build(tmp_path_factory.mktemp("wheel")))


def build(work: Path) -> Path:
    """Built by way of the source distribution, as `python -m build` does."""
    source = copy(work / "source")
    command = [sys.executable, "-m", "build", "--outdir", str(work / "out"), str(source)]
    variables = os.environ | {"PIP_NO_COMPILE": "1"}
    done = subprocess.run(command, cwd=work, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Deprecat" not in done.stdout + done.stderr
    (found,) = (work / "out").glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    work = tmp_path_factory.mktemp("installed")
    return made_once(tmp_path_factory, "installed", lambda: install(wheel, work))


def install(wheel: Path, work: Path) -> Environment:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(work / "env")], check=True)
    binaries = work / "env" / "bin"
    elsewhere = work / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(ROOT / "docs" / "example.cu", elsewhere / "example.cu")
    made = Environment(binaries, bare_environment(binaries, work), elsewhere)
    command = [sys.executable, "-m", "pip", "--python", str(binaries / "python"), "install", "--quiet"]
    command += ["--disable-pip-version-check", "--no-compile", str(wheel)]
    done = subprocess.run(command, env=made.variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return made


def test_the_index_would_take_both_distributions(wheel: Path) -> None:
    files = [str(path) for path in wheel.parent.iterdir()]
    assert len(files) == 2
    done = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_release_has_the_tag_of_its_version(wheel: Path, tmp_path: Path) -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    steps = workflow["jobs"]["build"]["steps"]
    runs = [step["run"] for step in steps if "run" in step]
    assert runs[1:3] == ["python -m build", "python -m twine check --strict dist/*"]
    (tmp_path / "dist").symlink_to(wheel.parent)
    for tag, status in ((f"v{cudalint.__version__}", 0), ("v99.0", 2)):
        command = ["env", f"TAG={tag}", "bash", "-c", runs[3]]
        assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == status


_MEASURED = re.compile(r"__init__\.py$|pair\.cu$|\.h$|/sync/[^/]+/[^/]+\.cu$")  # by `validate`


def expected(tree: str, below: str, folder: Path) -> set[str]:
    return {
        f"{below}{path.relative_to(folder / tree)}"
        for path in (folder / tree).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


def test_the_wheel_holds_every_tracked_file_of_the_package(wheel, tmp_path):
    source = copy(tmp_path / "source")
    wanted = expected("cudalint", "cudalint/", source) | expected("rules", "cudalint/rules/", source)
    wanted |= {name for name in expected("fixtures", "cudalint/fixtures/", source) if _MEASURED.search(name)}
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == wanted
    assert {f"{SHIM}cuda_runtime.h", f"{SHIM}vector", f"{SHIM}cuda/std/array", "cudalint/py.typed"} <= packed


def test_it_is_the_wheel_that_is_imported(installed):
    done = installed(
        "python", "-c", "import cudalint, cudalint.rules as r; print(cudalint.__file__, r.__file__)"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("site-packages") == 2
    assert str(ROOT) not in done.stdout


def test_a_mistake_is_found_without_a_compiler(installed):
    done = installed("cudalint", "example.cu", "--output-format", "concise")
    assert done.returncode == 1, done.stderr
    assert {"CU101", "CU301", "CU602"} <= set(done.stdout.split())
    assert done.stderr == ""


def test_pages_and_version_come_with_the_wheel(installed):
    page = installed("cudalint", "rule", "CU101")
    assert page.returncode == 0 and "strided-global-access" in page.stdout and "INSTEAD" in page.stdout
    listed = installed("cudalint", "rule", "--all").stdout
    assert all(code in listed for code in ("CU001", "CU301", "CU503", "CU702"))
    assert installed("cudalint", "--version").stdout == f"cudalint {cudalint.__version__}\n"
