"""The extension for VS Code is built and type-checked from locked packages, and packed to be installed."""

import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.support.checkout import ROOT

pytestmark = pytest.mark.slow
SOURCE = ROOT / "editors" / "vscode"


def npm(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["npm", *arguments], cwd=folder, capture_output=True, text=True, check=False)


def test_the_extension_is_built(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("no npm on PATH")
    folder = tmp_path / "vscode"
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("node_modules", "out"))
    got = npm(folder, "ci", "--silent", "--no-audit")
    if got.returncode != 0:
        pytest.skip(f"no packages from npm: {got.stderr[-200:]}")
    built = npm(folder, "run", "build")
    assert built.returncode == 0, built.stdout + built.stderr
    manifest = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    script = (folder / manifest["main"]).read_text(encoding="utf-8")
    assert "LanguageClient" in script and "activate" in script
    if npm(folder, "exec", "--yes", "--", "@vscode/vsce@3", "--version").returncode != 0:
        pytest.skip("no vsce from npm: the extension is not packed")
    packed = npm(folder, "run", "package")
    assert packed.returncode == 0, packed.stdout + packed.stderr
    names = set(zipfile.ZipFile(folder / "cudalint.vsix").namelist())
    assert {"extension/package.json", "extension/out/extension.js"} <= names
    assert "extension/node_modules/vscode-languageclient/package.json" in names
    assert not [name for name in names if name.startswith("extension/src/")]
