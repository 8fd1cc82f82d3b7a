"""The table of thresholds: each row names the rules that use it, and no rule uses a row that does not."""

import ast
import re

import pytest

from cudalint.significance import excess, thresholds
from cudalint.significance.thresholds import Threshold
from tests.support.checkout import ROOT

_TABLE = {name: row for name, row in vars(thresholds).items() if isinstance(row, Threshold)}
_EXCESS = ("causes", "matters")  # of excess.py, which use this row


def _users() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {name: set() for name in _TABLE}
    for path in sorted((ROOT / "rules").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        code = re.search(r'RULE = Rule\(\s*(?:code=)?"(CU\d{3})"', text)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module in (thresholds.__name__, excess.__name__):
                assert code is not None, path
                for alias in node.names:
                    name = "SECTOR_SHARE" if alias.name in _EXCESS else alias.name
                    found.setdefault(name, set()).add(code[1])
    return found


@pytest.mark.parametrize("name", _TABLE)
def test_a_row_names_its_rules(name: str) -> None:
    row = _TABLE[name]
    assert _users()[name] == set(row.rules)
    assert row.value > 0 and row.unit and row.source
