"""Which rules are on: `select`, `extend-select` and `ignore` resolved to codes."""

from cudalint import registry
from cudalint.config import Settings

# Rules about the run itself stay on under --select: a file that was lost never looks clean.
_ABOUT_THE_RUN = "CU00"


def enabled(settings: Settings) -> frozenset[str]:
    """The codes that are on. Unknown words select nothing; `unknown` names them."""
    rules = [loaded.rule for loaded in registry.load()]
    if settings.select:
        chosen = _codes(settings.select) | {r.code for r in rules if r.code.startswith(_ABOUT_THE_RUN)}
    else:
        chosen = {rule.code for rule in rules if rule.default}
    return frozenset((chosen | _codes(settings.extend_select)) - _codes(settings.ignore))


def unknown(settings: Settings) -> tuple[str, ...]:
    """The words of select, extend-select and ignore that name no rule."""
    words = dict.fromkeys((*settings.select, *settings.extend_select, *settings.ignore))
    return tuple(word for word in words if not registry.matching(word))


def _codes(words: tuple[str, ...]) -> set[str]:
    return {code for word in words for code in registry.matching(word)}
