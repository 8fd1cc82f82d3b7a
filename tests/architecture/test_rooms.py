"""Imports go down: docs/rooms.toml has the rooms and their order, and every import is checked against it."""

import ast
import importlib.util
import sys
from types import ModuleType

import networkx
import pytest

from tests.support.checkout import ROOT

_LOOSE = 12  # modules outside of rooms, at most
_LONG = 500  # lines of a file that is not a table
_TABLES = ("cudalint/gpu/", "cudalint/cuda/")


@pytest.fixture(scope="module")
def house() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_rooms", ROOT / "docs" / "rooms.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["docs_rooms"] = module
    spec.loader.exec_module(module)
    return module


def test_every_import_goes_down(house: ModuleType) -> None:
    assert house.violations() == []


def test_a_wrong_import_is_seen(house: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "imports", lambda module: iter(["clang.cindex", "cudalint.app.commands"]))
    found = house.violations()
    assert "cudalint.ir.walk imports clang" in found
    assert "cudalint.ir.walk imports cudalint.app.commands, which is not below" in found
    assert not any(line.startswith("cudalint.cli imports cudalint") for line in found)


def test_the_engine_imports_no_rule(house: ModuleType) -> None:
    known = house.modules()
    importing = {module for module in known for target in house.imports(module) if ".rules." in target}
    assert importing == set()


def test_there_are_no_circles(house: ModuleType) -> None:
    known = house.modules()
    graph = networkx.DiGraph(
        (module, target) for module in known for target in house.imports(module) if target in known
    )
    circles = [sorted(part) for part in networkx.strongly_connected_components(graph) if len(part) > 1]
    assert circles == []


def test_there_are_no_circles_in_tools() -> None:
    graph = networkx.DiGraph()
    for path in (ROOT / "tools").rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tools"):
                targets = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
                graph.add_edges_from((module, target) for target in targets)
    assert len(graph) > 20
    assert [part for part in networkx.strongly_connected_components(graph) if len(part) > 1] == []


@pytest.mark.parametrize("folder", ["cudalint", "cudalint/simt"])
def test_few_modules_are_loose(folder: str) -> None:
    assert len([path for path in (ROOT / folder).glob("*.py") if path.name != "__init__.py"]) <= _LOOSE


def test_files_are_taken_in_at_once(house: ModuleType) -> None:
    own = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "tools").rglob("*.py")]
    sizes = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in (*house.modules().values(), *own)
    }
    assert {name for name, size in sizes.items() if size > _LONG and not name.startswith(_TABLES)} == set()
