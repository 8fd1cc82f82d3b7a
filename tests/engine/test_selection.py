"""Which rules are on: defaults, previews, and what `select` names."""

import pytest
from msgspec.structs import replace

from cudalint.engine import selection
from cudalint.rule import registry
from cudalint.settings.config import Settings


@pytest.fixture
def with_a_preview(monkeypatch: pytest.MonkeyPatch) -> None:
    """CU101 as a rule that is new."""
    loaded = registry.load()
    found = tuple(
        replace(one, rule=replace(one.rule, preview=True)) if one.rule.code == "CU101" else one
        for one in loaded
    )
    monkeypatch.setattr(registry, "load", lambda: found)


@pytest.mark.usefixtures("with_a_preview")
@pytest.mark.parametrize(
    ("settings", "on"),
    [
        (Settings(), False),
        (Settings(preview=True), True),
        (Settings(select=("CU101",)), True),  # by its whole code
        (Settings(select=("CU1",)), False),
        (Settings(select=("ALL",)), False),
        (Settings(select=("ALL",), preview=True), True),
        (Settings(extend_select=("CU101",)), True),
        (Settings(preview=True, ignore=("CU101",)), False),
    ],
)
def test_a_new_rule_is_on_where_previews_or_it_are_asked_for(settings: Settings, on: bool) -> None:
    assert ("CU101" in selection.enabled(settings)) == on


def test_a_rule_of_today_is_on_without_previews() -> None:
    assert not [one.rule.code for one in registry.load() if one.rule.preview]
    assert "CU101" in selection.enabled(Settings())
