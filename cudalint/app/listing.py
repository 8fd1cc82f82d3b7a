"""`--show-files` and `--show-settings`: what a run would look at, and with which settings."""

import json
from enum import Enum
from typing import Any

from msgspec.structs import fields

from cudalint.app import found_paths
from cudalint.engine import selection
from cudalint.engine.discovery import Plan
from cudalint.settings.config import KEYS, Settings
from cudalint.source.text import as_lines, shown


def files(plan: Plan) -> str:
    """One path per line."""
    return as_lines(candidate.path for candidate in plan.candidates)


def settings(plan: Plan) -> str:
    """The settings of each group of files that share them, as TOML with comments: what is set, what is left
    at its default, and the include folders and macros that are found without an option.
    """
    groups: dict[Settings, list[str]] = {}
    for candidate in plan.candidates:
        groups.setdefault(candidate.settings, []).append(candidate.path)
    return "\n".join(_group(own, paths) for own, paths in groups.items())


def _group(own: Settings, paths: list[str]) -> str:
    defaults = {field.name: field.default for field in fields(Settings)}
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    rows = [f"# {paths[0]}{more}", f"# from: {shown(own.origin) if own.origin else 'no configuration file'}"]
    for key, name in sorted(KEYS.items()):
        value = list(own.archs) if name == "arch" and own.further_archs else getattr(own, name)
        if name in ("min_impact", "fail_on_impact") and value is not None:
            value = 100 * value
        state = "# default: " if getattr(own, name) == defaults[name] else ""
        rows.append(f"{state}{key} = {_toml(value)}")
    for row in found_paths.rows(found_paths.found(paths, own)):
        rows.append(row.replace("# ", "# found: ", 1))
    rows.append(f"# rules: {', '.join(sorted(selection.enabled(own)))}")
    return as_lines(rows)


def _toml(value: Any) -> str:
    if value is None:
        return '""'
    if isinstance(value, Enum):
        return json.dumps(value.value)
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple | list):
        if value and isinstance(value[0], tuple):
            return "{" + ", ".join(f"{json.dumps(k)} = {_toml(v)}" for k, v in value) + "}"
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return json.dumps(value)
