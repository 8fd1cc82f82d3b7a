"""Generated documentation is current, links lead somewhere, and every rule has its page and its guide."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from cudalint.rule import registry
from tests.support.checkout import ROOT

PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
_LIMITS = 120  # words of a page's Limits


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["docs_build"] = module
    spec.loader.exec_module(module)
    return module


def test_generated_pages_tables_and_samples_are_current(build):
    found = [str(path.relative_to(ROOT)) for path in build.stale(build.expected())]
    assert found == [], "run python docs/build.py"


def test_a_stale_sample_is_seen(build):
    text = "<!-- output of: cudalint --version -->\n```text\ncudalint 0\n```\n"
    assert "cudalint 0\n" not in build.with_samples(text)
    assert build.with_table(f"a\n{build.BEGIN}\nold\n{build.END}\nb\n", "new").count("new") == 1


def test_every_rule_has_a_page():
    names = {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")}
    assert names == {f"{loaded.rule.code}-{loaded.rule.name}" for loaded in registry.load()}


def test_every_guide_that_a_rule_names_is_explained():
    explained = set(
        re.findall(r"^\| (\d{3}) \| (?!CU)[^\n]+$", (ROOT / "docs" / "guides.md").read_text(), re.MULTILINE)
    )
    named = {place.split()[0] for loaded in registry.load() for place in loaded.rule.guides}
    assert named and named <= explained


def test_limits_are_short_bullets():
    words = {}
    for loaded in registry.load():
        page = ROOT / "docs" / "rules" / f"{loaded.rule.code}-{loaded.rule.name}.md"
        found = re.search(r"^## Limits\n(.+?)(?=^## |\Z)", page.read_text(), re.MULTILINE | re.DOTALL)
        if found is not None:
            assert all(line.startswith(("- ", "  ")) for line in found[1].splitlines() if line), page.name
            words[loaded.rule.code] = len(found[1].split())
    assert len(words) > 90
    long = {code: number for code, number in words.items() if number > _LIMITS}
    assert not long, long


def test_the_source_of_a_rule_is_something_that_a_reader_can_open():
    """A page of NVIDIA's, or a book by its name."""
    for loaded in registry.load():
        page = ROOT / "docs" / "rules" / f"{loaded.rule.code}-{loaded.rule.name}.md"
        _, _, source = page.read_text(encoding="utf-8").partition("## Source\n")
        assert not loaded.rule.guides or "](https://" in source or "the book " in source, page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_within_the_checkout_lead_somewhere(page: Path):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"(?<!`)\[[^\]`]+\]\(([^)\s]+)\)", text):
        name, _, heading = target.partition("#")
        assert "://" in target or not name or (page.parent / name).exists(), target
        if heading and "://" not in target:
            titles = re.findall(
                r"^#+ (.+)$", (page.parent / name if name else page).read_text(), re.MULTILINE
            )
            assert heading in {title.lower().replace(" ", "-") for title in titles}, target


def test_files_and_folders_that_the_documents_name_exist():
    """Words in code marks that look like a path of the checkout."""
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for name in re.findall(
            r"`((?:cudalint|rules|fixtures|tests|tools|docs)/[\w./-]*)`", page.read_text("utf-8")
        ):
            assert (ROOT / name).exists(), f"{page.name}: {name}"
