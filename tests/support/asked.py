"""Asks one rule about one object, as the engine does."""

from types import ModuleType
from typing import Any

from cudalint.engine.subjects import facts_of
from cudalint.rule import registry
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context


def asked(module: ModuleType, subject: Any, context: Context) -> list[Finding]:
    loaded = next(one for one in registry.load() if one.rule is module.RULE)
    return list(loaded.findings(subject, facts_of(loaded, subject, context), context))
