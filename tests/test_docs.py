"""Generated documentation is current, and every rule has its page."""

import importlib.util
import re
import sys
from pathlib import Path

from cudalint import pages, registry
from cudalint.guides import GUIDES

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


def test_every_source_that_a_page_cites_is_named():
    for loaded in registry.load():
        cited = set(re.findall(r"\b\d{3}\b", pages.sections(loaded.page)["Source"]))
        assert cited == {guide.split()[0] for guide in loaded.rule.guides}, loaded.rule.code
        assert list(pages.sections(loaded.page))[-1] == "Source"
        for number in cited:
            assert f"- {number}: {GUIDES[number]}" in pages.markdown(loaded)
