"""The extension for VS Code is built and type-checked from its locked packages."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.checkout import ROOT

pytestmark = pytest.mark.slow
SOURCE = ROOT / "editors" / "vscode"


def test_the_extension_is_built(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("no npm on PATH")
    folder = tmp_path / "vscode"
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("node_modules", "out"))
    got = subprocess.run(
        ["npm", "ci", "--silent", "--no-audit"], cwd=folder, capture_output=True, text=True, check=False
    )
    if got.returncode != 0:
        pytest.skip(f"no packages from npm: {got.stderr[-200:]}")
    built = subprocess.run(["npm", "run", "build"], cwd=folder, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    manifest = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    script = (folder / manifest["main"]).read_text(encoding="utf-8")
    assert "LanguageClient" in script and "activate" in script
