"""The rooms of the house, read from rooms.toml: their order, and every import between them.

`table()` and `picture()` are what docs/build.py puts into docs/architecture.md; `violations()` is what
tests/architecture asserts to be empty.
"""

import ast
import tomllib
from functools import cache
from html import escape
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent
_ROW, _GAP, _WIDTH, _LEFT = 46, 10, 980, 20
_SIMT = "cudalint.simt."


class Room(Struct, frozen=True):
    """A room of the house. layer: 0 is the top."""

    path: str  # dotted
    purpose: str
    layer: int
    also: tuple[str, ...] = ()  # modules that belong to it, too

    def holds(self, module: str) -> bool:
        return any(module == path or module.startswith(f"{path}.") for path in (self.path, *self.also))


@cache
def rooms() -> tuple[Room, ...]:
    """All rooms, top to bottom."""
    layers = tomllib.loads((ROOT / "docs" / "rooms.toml").read_text(encoding="utf-8"))["layer"]
    return tuple(
        Room(room["path"], room["purpose"], number, tuple(room.get("also", ())))
        for number, layer in enumerate(layers)
        for room in layer["room"]
    )


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name, those of rules/ as they install."""
    found = {}
    for folder, package in (("cudalint", ()), ("rules", ("cudalint",))):
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = (*package, *path.relative_to(ROOT).with_suffix("").parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports(module: str) -> tuple[str, ...]:
    """The modules that a module imports, those inside functions included."""
    known = modules()
    found: list[str] = []
    for node in ast.walk(ast.parse(known[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.append(whole if whole in known else node.module)
    return tuple(found)


@cache
def room_of(module: str) -> Room | None:
    """None for the packages between rooms, such as cudalint itself."""
    return next((room for room in rooms() if room.holds(module)), None)


def violations() -> list[str]:
    """Imports that do not go down, modules without a room, and clang outside of the frontend."""
    known = modules()
    found = []
    for module in known:
        own = room_of(module)
        if own is None and known[module].name != "__init__.py":
            found.append(f"{module} is in no room")
        for target in imports(module):
            other = room_of(target)
            if own is not None and other is not None and other != own and other.layer <= own.layer:
                found.append(f"{module} imports {target}, which is not below")
            if target.partition(".")[0] == "clang" and (own is None or own.path != "cudalint.frontend"):
                found.append(f"{module} imports clang")
    return found


def table() -> str:
    """The rooms with their purpose."""
    rows = [f"| `{_folder(room)}` | {room.purpose} |" for room in rooms()]
    return "\n".join(["| room | what it is for |", "|---|---|", *rows])


def _folder(room: Room) -> str:
    folder = room.path.replace(".", "/").replace("cudalint/rules", "rules")
    return f"{folder}/" if (ROOT / folder).is_dir() else f"{folder}.py"


def picture() -> str:
    """The rooms as an SVG: one row per layer, imports go down only; the warp model stands in a frame."""
    every = rooms()
    layers = sorted({room.layer for room in every})
    height = len(layers) * (_ROW + _GAP) + 2 * _GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        _frame(every),
    ]
    for layer in layers:
        row = [room for room in every if room.layer == layer]
        width = (_WIDTH - 2 * _LEFT - (len(row) - 1) * _GAP) / len(row)
        for number, room in enumerate(row):
            parts.append(_box(room, _LEFT + number * (width + _GAP), width))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _top(layer: int) -> int:
    return _GAP + layer * (_ROW + _GAP)


def _frame(every: tuple[Room, ...]) -> str:
    layers = [room.layer for room in every if room.path.startswith(_SIMT)]
    top, end = _top(min(layers)) - _GAP // 2, _top(max(layers) + 1) - _GAP // 2
    return (
        f'<rect x="{_GAP}" y="{top}" width="{_WIDTH - 2 * _GAP}" height="{end - top}" fill="#eef5ea"'
        ' stroke="#9cbf8a"/>'
    )


def _box(room: Room, left: float, width: float) -> str:
    top, name = _top(room.layer), room.path.removeprefix("cudalint.").replace(".", "/")
    middle = left + width / 2
    return (
        f'<rect x="{left:.0f}" y="{top}" width="{width:.0f}" height="{_ROW}" rx="5" fill="#f7f9fc"'
        ' stroke="#5b7083"/>'
        f'<text x="{middle:.0f}" y="{top + 19}" text-anchor="middle" font-size="15" font-weight="bold"'
        f' fill="#1b2733">{escape(name)}</text>'
        f'<text x="{middle:.0f}" y="{top + 36}" text-anchor="middle" font-size="11" fill="#44525f">'
        f"{escape(room.purpose)}</text>"
    )
