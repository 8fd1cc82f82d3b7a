"""Finds the rules: every module under cudalint.rules that has RULE and check, and the modules that installed
packages name as entry points `cudalint.rules`. The engine names none of them.
"""

import importlib
import inspect
import pkgutil
import re
import typing
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from cudalint.errors import UsageError
from cudalint.rule.rule import Context, LoadedRule, Rule
from cudalint.simt.facts.catalogue import facts as known_facts

_SHORT = 3  # letters that are in too many names
_FOREIGN = re.compile(r"[A-Z]{2,10}\d{3}")  # codes of other packages' rules


@cache
def load() -> tuple[LoadedRule, ...]:
    """All rules, by code."""
    found = [
        _loaded(info.name)
        for info in pkgutil.walk_packages(
            importlib.import_module("cudalint.rules").__path__, "cudalint.rules."
        )
        if not info.ispkg and not info.name.rpartition(".")[2].startswith("_")
    ]
    found += [_third_party(entry) for entry in entry_points(group="cudalint.rules")]
    rules = sorted((rule for rule in found if rule is not None), key=lambda rule: rule.rule.code)
    codes = [rule.rule.code for rule in rules]
    twice = {code for code in codes if codes.count(code) > 1}
    if twice:
        raise RuntimeError(f"two rules share one code: {', '.join(sorted(twice))}")
    return tuple(rules)


def _third_party(entry: EntryPoint) -> LoadedRule:
    """A rule that another package brings: the module that its entry point names."""
    try:
        loaded = _loaded(entry.module)
    except Exception as error:
        raise UsageError(
            f"rule '{entry.name}' of {_package(entry)} cannot be loaded: {type(error).__name__}: {error}; "
            "update or uninstall the package"
        ) from error
    if loaded is None or not _FOREIGN.fullmatch(loaded.rule.code) or loaded.rule.code.startswith("CU"):
        raise UsageError(
            f"rule '{entry.name}' of {_package(entry)}: {entry.module} needs check, and RULE with a code "
            "of its own such as ACME001"
        )
    return loaded


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else "an installed package"


def _loaded(module_name: str) -> LoadedRule | None:
    module = importlib.import_module(module_name)
    rule = getattr(module, "RULE", None)
    check = getattr(module, "check", None)
    if not isinstance(rule, Rule) or check is None:
        return None  # a helper module that rules share
    hints = typing.get_type_hints(check)
    first, *others = inspect.signature(check).parameters
    facts = tuple(typing.get_args(hints[name])[0] for name in others if hints[name] is not Context)
    unknown = [kind.__name__ for kind in facts if kind not in known_facts()]
    if unknown:
        raise RuntimeError(
            f"{module_name}: {', '.join(unknown)}: no module below cudalint/simt/facts/ declares a FACT of it"
        )
    return LoadedRule(rule, module.__doc__ or "", hints[first], check, facts)


def find(word: str) -> LoadedRule | None:
    """The rule of a code or a name, in any case."""
    wanted = word.strip().lower()
    return next((rule for rule in load() if wanted in (rule.rule.code.lower(), rule.rule.name)), None)


def suggest(word: str) -> str:
    """What an unknown code may have meant, as the end of a message."""
    import difflib

    begun = sorted(matching(word))
    if len(begun) > 1:
        return f"{len(begun)} rules begin with it, {begun[0]} to {begun[-1]}; name one"
    words = [rule.rule.code for rule in load()] + [rule.rule.name for rule in load()]
    close = difflib.get_close_matches(word.strip().upper(), words, 1) or difflib.get_close_matches(
        word.strip().lower(), words, 1
    )
    close = close or [name for name in words if len(word) > _SHORT and word.strip().lower() in name]
    hint = f"did you mean {' or '.join(close[:3])}? " if close else ""
    return f"{hint}`cudalint rule --all` lists the codes"


def matching(selector: str) -> frozenset[str]:
    """The codes that a selector names: a code, a name, a prefix (CU1) or ALL. Empty: unknown."""
    word = selector.strip().upper()
    if word == "ALL":
        return frozenset(rule.rule.code for rule in load())
    exact = find(selector)
    if exact is not None:
        return frozenset({exact.rule.code})
    if not re.fullmatch(r"[A-Z]{2,10}\d*", word):
        return frozenset()
    return frozenset(rule.rule.code for rule in load() if rule.rule.code.startswith(word))
