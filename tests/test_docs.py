"""Generated documentation is current, and every rule has its page."""

import importlib.util
import sys
from pathlib import Path

from cudalint import registry

ROOT = Path(__file__).parent.parent


def test_generated_pages_and_the_readme_are_current():
    spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
    assert spec is not None and spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    sys.modules["docs_build"] = build
    spec.loader.exec_module(build)
    assert [str(path.relative_to(ROOT)) for path in build.stale()] == []


def test_every_rule_has_a_page():
    names = {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")}
    assert names == {f"{loaded.rule.code}-{loaded.rule.name}" for loaded in registry.load()}
