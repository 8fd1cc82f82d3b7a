"""Every program in tools/ says what it does and which arguments it takes."""

import importlib
import sys

import pytest

from tests.support.checkout import ROOT

TOOLS = sorted(file.stem for file in (ROOT / "tools").glob("*.py") if file.stem != "__init__")


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_prints_its_help(name: str, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    tool = importlib.import_module(f"tools.{name}")
    monkeypatch.setattr(sys, "argv", [f"{name}.py", "--help"])
    with pytest.raises(SystemExit) as ended:
        tool.main()
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"usage: {name}.py")
    assert tool.__doc__.split("\n")[0].split(":")[0].rstrip(".")[:40] in " ".join(printed.split())
