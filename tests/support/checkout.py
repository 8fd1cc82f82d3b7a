"""Copies of this checkout for tests that build, install or clone it, and a command run without a compiler."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILERS = ("nvcc", "clang", "clang++", "gcc", "g++", "cc", "c++")
_NOT_SOURCE = shutil.ignore_patterns(
    ".git", ".venv", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis", "build", "dist"
)


def copy(target: Path) -> Path:
    """The files that git tracks, as they are in the working tree; all but products where there is no git."""
    if not (ROOT / ".git").exists():
        shutil.copytree(ROOT, target, ignore=_NOT_SOURCE)
        return target
    for name in tracked():
        if (ROOT / name).is_file():  # else removed, and the removal not yet committed
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


def tracked() -> list[str]:
    """The paths that git tracks, relative to the checkout."""
    command = ["git", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in listed.split("\0") if name]


def bare_environment(path: Path, home: Path) -> dict[str, str]:
    """Variables of a machine that has only what is in the folder `path`: no compiler, no PYTHONPATH. How to
    reach a package index is kept, and what pip has downloaded before. Byte code is made of what is imported.
    """
    for compiler in COMPILERS:
        assert shutil.which(compiler, path=str(path)) is None
    kept = {k: v for k, v in os.environ.items() if k.startswith("PIP_") or k.lower().endswith("_proxy")}
    cache = str(Path.home() / ".cache" / "pip")
    return {"PATH": str(path), "HOME": str(home), "PIP_CACHE_DIR": cache, "PIP_NO_COMPILE": "1", **kept}
