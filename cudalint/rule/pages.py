"""A rule's page: the docstring of its module in sections, as terminal text, markdown and metadata."""

import re
from typing import Any

from cudalint.rule.guides import legend
from cudalint.rule.measured import sentence
from cudalint.rule.rule import LoadedRule, Rule

SECTIONS = ("What it does", "Why it costs", "Example", "Instead", "Limits", "Source")
_HEADING = re.compile(r"^#{1,3}\s+(.+?)\s*$|^(What it does|Why it costs|Example|Instead|Limits|Source):?\s*$")


def sections(page: str) -> dict[str, str]:
    """The text below each heading; text before the first heading is under ''."""
    found: dict[str, list[str]] = {"": []}
    current, fenced = "", False
    for row in page.splitlines():
        fenced ^= row.lstrip().startswith("```")
        match = None if fenced else _HEADING.match(row)
        if match:
            current = (match.group(1) or match.group(2)).strip()
            found.setdefault(current, [])
        else:
            found[current].append(row)
    return {name: "\n".join(rows).strip("\n") for name, rows in found.items()}


def missing_sections(page: str) -> tuple[str, ...]:
    """Required sections that the page lacks or leaves empty."""
    present = sections(page)
    return tuple(name for name in SECTIONS if not present.get(name, "").strip())


def page(loaded: LoadedRule) -> str:
    """The rule's page with the titles of the guides it cites; `Source` is its last section."""
    titles = legend(loaded.rule.guides)
    text = _with_measurement(loaded.page.strip(), loaded.rule.code)
    return f"{text}\n\n{titles}" if titles else text


def _with_measurement(text: str, code: str) -> str:
    """The page with a section on the measurement, before its limits."""
    measurement = sentence(code)
    before, limits, after = text.partition("## Limits")
    if not measurement or not limits:
        return text
    return f"{before}## Measured\n{measurement}\n\n{limits}{after}"


def markdown(loaded: LoadedRule) -> str:
    """The page with a title, the severity and the confidence."""
    rule = loaded.rule
    state = "on by default" if rule.default else "opt-in"
    head = (
        f"# {rule.name} ({rule.code})\n\n{rule.severity.value}, confidence {rule.confidence.value}, {state}"
        f"{_fixes(rule)}\n"
    )
    return f"{head}\n{page(loaded)}\n"


def _fixes(rule: Rule) -> str:
    """The kinds of fixes, for the head of the page."""
    return f", {' or '.join(rule.fixes)} fix" if rule.fixes else ""


def terminal(loaded: LoadedRule) -> str:
    """The page as plain text: headings in capitals, code indented."""
    rule = loaded.rule
    state = "on by default" if rule.default else "opt-in"
    rows = [
        f"{rule.code} {rule.name}",
        f"{rule.severity.value}, confidence {rule.confidence.value}, {state}{_fixes(rule)}",
        "",
    ]
    found = sections(page(loaded))
    rows += [rule.summary, ""]
    if found.get(""):
        rows += [found[""], ""]
    for name, text in found.items():
        if name:
            rows += [name.upper(), *_indented(text), ""]
    return "\n".join(rows)


def _indented(text: str) -> list[str]:
    rows: list[str] = []
    fenced = False
    for row in text.splitlines():
        if row.lstrip().startswith("```"):
            fenced = not fenced
            continue
        rows.append(("      " if fenced else "  ") + row if row.strip() else "")
    return rows


def metadata(loaded: LoadedRule) -> dict[str, Any]:
    """The rule for machines."""
    rule = loaded.rule
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "confidence": rule.confidence.value,
        "default": rule.default,
        "summary": rule.summary,
        "category": category(loaded),
        "guides": list(rule.guides),
        "fixes": list(rule.fixes),
        "sections": {name: text for name, text in sections(page(loaded)).items() if name},
        "page": page(loaded),
    }


def category(loaded: LoadedRule) -> str:
    """The folder the rule lives in: memory, shared, sync ..."""
    parts = loaded.check.__module__.split(".")
    return parts[-2] if len(parts) > 1 else "other"
