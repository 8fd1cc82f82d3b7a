"""Which rules are on: `select`, `extend-select` and `ignore` resolved to codes."""

from cudalint.rule import registry
from cudalint.settings.config import Settings


def enabled(settings: Settings) -> frozenset[str]:
    """The codes that are on. Unknown words select nothing; `unknown` names them.

    A file that was lost never looks clean even where the rules about the run are not selected: the exit
    status and a line on standard error say so.
    """
    if settings.select:
        chosen = _codes(settings.select)
    else:
        chosen = {loaded.rule.code for loaded in registry.load() if loaded.rule.default}
    chosen = (chosen | _codes(settings.extend_select)) - _codes(settings.ignore)
    return frozenset(chosen if settings.preview else chosen - _previews(settings))


def _previews(settings: Settings) -> set[str]:
    """The rules in preview that are not named one by one."""
    named = {word.strip().lower() for word in (*settings.select, *settings.extend_select)}
    rules = [loaded.rule for loaded in registry.load() if loaded.rule.preview]
    return {rule.code for rule in rules if not named & {rule.code.lower(), rule.name}}


def unknown(settings: Settings) -> tuple[str, ...]:
    """The words of select, extend-select and ignore that name no rule."""
    words = dict.fromkeys((*settings.select, *settings.extend_select, *settings.ignore))
    return tuple(word for word in words if not registry.matching(word))


def _codes(words: tuple[str, ...]) -> set[str]:
    return {code for word in words for code in registry.matching(word)}
