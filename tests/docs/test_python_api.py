"""The Python API and third-party rules, as their pages show them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import cudalint
from tests.support.checkout import ROOT
from tests.support.command_line import STRIDED

API = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")
RULES = (ROOT / "docs" / "own-rules.md").read_text(encoding="utf-8")


def test_the_example_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "example.cu").write_text(STRIDED)
    monkeypatch.chdir(tmp_path)
    exec(re.findall(r"```python\n(.+?)```", API, flags=re.DOTALL)[0], {"__name__": "example"})
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("example.cu:4 CU101 strided global load and store: 8 sectors/request")
    assert last == "True True"


def test_the_configuration_is_what_is_given(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(STRIDED)
    (tmp_path / "cudalint.toml").write_text('ignore = ["CU101"]\n')
    assert cudalint.lint(file).findings == ()  # type: ignore[operator]
    result = cudalint.lint([file], {"arch": ["sm_75", "sm_90"], "severity": {"CU101": "note"}})  # type: ignore[operator]
    assert (result.findings[0].severity.value, result.failed, result.content.archs) == (
        "note", False, ("sm_75", "sm_90"),
    )  # fmt: skip
    for wrong in ({"colour": 1}, {"select": ["CU199"]}):
        with pytest.raises(cudalint.UsageError):  # type: ignore[arg-type]
            cudalint.lint(file, wrong)  # type: ignore[operator]
    with pytest.raises(cudalint.UsageError, match=r"gone\.cu: no such file"):  # type: ignore[arg-type]
        cudalint.lint(tmp_path / "gone.cu")  # type: ignore[operator]


def test_a_package_brings_a_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (module,) = re.findall(r"`acme_rules\.py`:\n\n```python\n(.+?)```", RULES, flags=re.DOTALL)
    (entry,) = re.findall(r'"cudalint\.rules"\]\n(.+?)\n', RULES)
    (tmp_path / "acme_rules.py").write_text(module)
    metadata = tmp_path / "acme_rules-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-rules\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[cudalint.rules]\n{entry.replace(chr(34), '')}\n")
    (tmp_path / "a.cu").write_text(STRIDED)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cudalint", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = run("a.cu", "--select", "ACME", "--output-format", "concise")
    assert (
        done.stdout == "a.cu:1:17: note ACME001 kernel-suffix: kernel `spread` lacks the suffix `_kernel`\n"
    )
    assert "ACME001 kernel-suffix" in run("rule", "ACME001").stdout
    (tmp_path / "acme_rules.py").write_text(module.replace("lacks the suffix", "is without"))
    assert "is without `_kernel`" in run("a.cu", "--select", "ACME001").stdout  # nothing old is kept
    (tmp_path / "acme_rules.py").write_text("RULE = 1 / 0\n")
    broken = run("a.cu")
    assert broken.returncode == 2
    assert "rule 'kernel-suffix' of acme-rules cannot be loaded: ZeroDivisionError" in broken.stderr
