"""The table of thresholds: each row names the rules that use it, and no rule uses a row that does not."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from cudalint.significance import thresholds
from cudalint.significance.thresholds import Threshold
from tests.support.checkout import ROOT

_TABLE = {name: row for name, row in vars(thresholds).items() if isinstance(row, Threshold)}
_MODULE = "cudalint.significance."
_MIXED = {"excess.wasted"}  # functions that compare with no threshold


@cache
def _imports(path: Path) -> set[str]:
    """What a file takes from significance/: `thresholds.NAME`, or `module.function`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(_MODULE):
            own = f"{node.module}.".removeprefix(_MODULE)
            found |= {f"{own}{alias.name}" for alias in node.names} - _MIXED
    return found


@cache
def _rows(name: str) -> set[str]:
    """The rows behind one import, through the module that it is of."""
    module, _, own = name.partition(".")
    if module == "thresholds":
        return {own} & _TABLE.keys()
    return set().union(*map(_rows, _imports(ROOT / "cudalint" / "significance" / f"{module}.py")))


@cache
def _users() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {name: set() for name in _TABLE}
    for path in sorted((ROOT / "rules").rglob("*.py")):
        code = re.search(r'RULE = Rule\(\s*(?:code=)?"(CU\d{3})"', path.read_text(encoding="utf-8"))
        for row in set().union(*map(_rows, _imports(path))):
            assert code is not None, path
            found[row].add(code[1])
    return found


@pytest.mark.parametrize("name", _TABLE)
def test_a_row_names_its_rules(name: str) -> None:
    row = _TABLE[name]
    assert _users()[name] == set(row.rules)
    assert row.value > 0 and row.unit and row.source
