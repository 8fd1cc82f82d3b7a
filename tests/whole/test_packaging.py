"""What is said of the package in several places is the same, and no folder of code can be forgotten."""

import re
import subprocess
import sys
import tomllib

import cudalint
from tests.support.checkout import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_folder_of_code_is_a_package():
    """setup.py finds packages by their __init__.py."""
    for tree in ("cudalint", "rules"):
        folders = {path.parent for path in (ROOT / tree).rglob("*.py")}
        lacking = [str(f.relative_to(ROOT)) for f in folders if not (f / "__init__.py").is_file()]
        assert lacking == []


def test_setup_finds_every_package():
    script = (
        "import setuptools; setuptools.setup = lambda **a: print(*a['packages']); "
        "exec(compile(open('setup.py').read(), 'setup.py', 'exec'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for tree in ("cudalint", "rules", "fixtures")
        for path in (ROOT / tree).rglob("__init__.py")
    }
    assert set(done.stdout.split()) == {n if n.startswith("cudalint") else f"cudalint.{n}" for n in found}


def test_the_version_is_the_same_everywhere():
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "cudalint.__version__"}
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[(\d[^\]]*)\]", changes, flags=re.MULTILINE)[0] == cudalint.__version__
    assert f"rev: v{cudalint.__version__}" in (ROOT / "README.md").read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "cudalint", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"cudalint {cudalint.__version__}\n"


def test_every_dependency_has_a_lower_and_an_upper_bound():
    extras = PROJECT["project"]["optional-dependencies"]
    for needed in (*PROJECT["project"]["dependencies"], *extras["test"], *extras["prove"], *extras["dev"]):
        assert re.fullmatch(
            r"[a-z0-9-]+>=[\d.]+,<[\d.]+|cudalint\[dask,docs,test,lsp,prove,nvcc\]", needed
        ), needed
