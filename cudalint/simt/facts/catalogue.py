"""All facts: every `FACT` in a module below simt/facts/."""

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache

from cudalint.simt.facts.fact import Fact

_ROOM = __name__.rpartition(".")[0]


@cache
def facts() -> dict[type, Fact]:
    """By the type of their parts."""
    modules = pkgutil.walk_packages(importlib.import_module(_ROOM).__path__, f"{_ROOM}.")
    found = [getattr(importlib.import_module(info.name), "FACT", None) for info in modules if not info.ispkg]
    return {kind: fact for fact in found if isinstance(fact, Fact) for kind in fact.of}


def usual() -> tuple[type, ...]:
    """The types of all facts that need no further runs."""
    return tuple(kind for kind, fact in facts().items() if not fact.extra)


def in_order(wanted: Iterable[type]) -> tuple[Fact, ...]:
    """The facts of these types and all that they need, in order of dependency."""
    order: list[Fact] = []

    def add(kind: type) -> None:
        fact = facts()[kind]
        if fact in order:
            return
        for need in fact.needs:
            add(need)
        order.append(fact)

    for kind in sorted(wanted, key=lambda kind: kind.__name__):
        add(kind)
    return tuple(order)
