"""Rules that see of kernels the facts that they ask for, and facts that see what they declare: none of what
another one asked for. Who looks at more raises, and the file is reported as degraded.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any

import pytest
from msgspec.structs import replace

from cudalint.engine.subjects import facts_for
from cudalint.rule import registry
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, LoadedRule
from cudalint.simt import model
from cudalint.simt.facts.catalogue import facts, in_order
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.kernel_run import Run

_Parts = tuple[tuple[Any, ...], ...]
_Find = Callable[[LoadedRule, Any, _Parts, Context], Iterator[Finding]]


def narrow(patch: pytest.MonkeyPatch) -> None:
    """In this process, and in workers forked from it."""
    patch.setattr(LoadedRule, "findings", _narrowed(LoadedRule.findings))
    patch.setattr(model, "in_order", _facts)


def _narrowed(findings: _Find) -> _Find:
    contexts: dict[str, Context] = {}  # by code, of the context that was asked about last
    last: list[Context] = []

    def found(loaded: LoadedRule, subject: Any, facts: _Parts, context: Context) -> Iterator[Finding]:
        if not last or last[0] is not context:
            contexts.clear()
            last[:] = [context]
        code = loaded.rule.code
        if code not in contexts:
            contexts[code] = narrowed(context, loaded.rule.code)
        own = contexts[code]
        pairs = zip(context.kernels, own.kernels, strict=True)
        return findings(loaded, next((new for old, new in pairs if old is subject), subject), facts, own)

    return found


def narrowed(context: Context, code: str) -> Context:
    """With the facts that there are where this rule is the only one."""
    kinds = _kinds(code)
    kernels = (
        replace(kernel, facts={kind: parts for kind, parts in kernel.facts.items() if kind in kinds})
        for kernel in context.kernels
    )
    return replace(context, kernels=tuple(kernels))


@cache
def _kinds(code: str) -> frozenset[type]:
    rule = next(loaded for loaded in registry.load() if loaded.rule.code == code)
    wanted = facts_for((rule,), ())
    return frozenset(kind for fact in in_order(wanted.facts) for kind in fact.of)


@cache
def _watchers() -> frozenset[type]:
    """Of regular runs; those that a fact makes for itself may have others."""
    return frozenset(watcher for fact in facts().values() for watcher in fact.watch)


def _facts(wanted: Iterable[type]) -> tuple[Fact, ...]:
    return tuple(replace(fact, conclude=partial(concluded, fact)) for fact in in_order(wanted))


def concluded(fact: Fact, kernel: KernelRuns) -> _Parts:
    """What a fact concludes from those that it needs and from what it and these watch."""
    needed = (*in_order(fact.needs), fact)
    kinds = {kind for one in needed for kind in one.of}
    others = _watchers() - {watcher for one in needed for watcher in one.watch}
    whole, seen = kernel.found, Run.seen

    def own(run: Run, kind: type[Any]) -> Any:
        if kind in others:
            raise LookupError(f"{fact.of[0].__name__} does not watch {kind.__name__}")
        return seen(run, kind)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "seen", own)
        kernel.found = {kind: parts for kind, parts in whole.items() if kind in kinds}
        try:
            return fact.conclude(kernel)
        finally:
            kernel.found = whole
