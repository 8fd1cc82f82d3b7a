"""Write what is made from the rules, from the rooms and by running cudalint: docs/rules/, the table in
docs/guides.md, the table and picture of docs/architecture.md, the pictures of docs/models.md, the README's
tables, samples of output, docs/advise.schema.json, the tables of docs/configuration.md.

    python docs/build.py [--check]

With --check nothing is written; the exit status is 1 when something is not current.
"""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import msgspec
import typer

from cudalint.advise.card import Advice
from cudalint.cli import program
from cudalint.rule import pages, registry
from cudalint.rule.rule import LoadedRule
from cudalint.settings import reference

ROOT = Path(__file__).resolve().parent.parent


def _beside(name: str) -> ModuleType:
    """A module of docs/, which is no package."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


rooms = _beside("rooms")
pictures = _beside("pictures")
BEGIN, END = "<!-- rules: written by docs/build.py -->", "<!-- end of rules -->"
OPTIONS, END_OPTIONS = "<!-- options: written by docs/build.py -->", "<!-- end of options -->"
_SAMPLE = re.compile(r"(<!-- output of: cudalint ([^\n]*) -->\n```text\n).*?(```\n)", re.DOTALL)
_GUIDES = "\nThe numbers are those of [the guides](../guides.md).\n"


def table() -> str:
    """The README's table of rules."""
    rows = ["| code | name | severity | finds |", "|---|---|---|---|"]
    for loaded in registry.load():
        rule = loaded.rule
        severity = rule.severity.value if rule.default else f"{rule.severity.value}, opt-in"
        rows.append(f"| {rule.code} | {_link(loaded, 'docs/rules')} | {severity} | {rule.summary} |")
    return "\n".join(rows)


def guides() -> str:
    """docs/guides.md's table: what each guide's advice became."""
    found: dict[str, list[str]] = {}
    for loaded in registry.load():
        for place in loaded.rule.guides:
            number, _, section = place.partition(" ")
            entry = f"{loaded.rule.code} {_link(loaded, 'rules')}" + (f" ({section})" if section else "")
            found.setdefault(number, []).append(entry)
    rows = [f"| {number} | {', '.join(found[number])} |" for number in sorted(found)]
    return "\n".join(["| guide | rules (section) |", "|---|---|", *rows])


def _link(loaded: LoadedRule, folder: str) -> str:
    rule = loaded.rule
    return f"[{rule.name}]({folder}/{rule.code}-{rule.name}.md)"


def output(arguments: str) -> str:
    """What `cudalint ARGUMENTS` prints in the checkout."""
    command = [sys.executable, "-m", "cudalint", *arguments.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"cudalint {arguments}: {done.stderr}")
    return done.stdout


def with_table(text: str, rows: str) -> str:
    """The text with what stands between the two markers made anew."""
    return _between(text, BEGIN, END, rows)


def _between(text: str, begin: str, end: str, rows: str) -> str:
    head, _, rest = text.partition(begin)
    return f"{head}{begin}\n{rows}\n{end}{rest.partition(end)[2]}"


def configuration() -> str:
    """The keys of the configuration."""
    rows = [
        f"| `{key}` | `{key} = {example}` | {text} |"
        for key, (example, text) in sorted(reference.KEYS.items())
    ]
    return "\n".join(["| key | example | says |", "|---|---|---|", *rows])


def options() -> str:
    """The options of every command, as its help has them."""
    rows = []
    group = typer.main.get_group(program.app)
    for name, command in group.commands.items():
        rows += [f"### cudalint {name}", "", str(command.help), "", "| option | does |", "|---|---|"]
        for parameter in command.params:
            if parameter.param_type_name == "option":
                metavar = "" if parameter.is_flag else f" {parameter.metavar}"
                given = ", ".join(f"`{word}{metavar}`" for word in sorted(parameter.opts, key=len))
                rows.append(f"| {given} | {parameter.help} |")
        rows.append("")
    return "\n".join(rows)


def with_samples(text: str) -> str:
    """The text with every sample of output made anew."""
    return _SAMPLE.sub(lambda match: f"{match[1]}{output(match[2])}{match[3]}", text)


def schema() -> str:
    """The JSON Schema of what `advise --output-format json` prints."""
    return json.dumps(msgspec.json.schema(Advice), indent=2) + "\n"


def page(loaded: LoadedRule) -> str:
    """The rule's page, and where its guides' numbers are explained."""
    return pages.markdown(loaded) + (_GUIDES if loaded.rule.guides else "")


def expected() -> dict[Path, str]:
    """Every file that is written, with its contents."""
    found = {
        ROOT / "docs" / "rules" / f"{loaded.rule.code}-{loaded.rule.name}.md": page(loaded)
        for loaded in registry.load()
    }
    readme, sources = ROOT / "README.md", ROOT / "docs" / "guides.md"
    found[readme] = with_samples(with_table(readme.read_text(encoding="utf-8"), table()))
    found[sources] = with_table(sources.read_text(encoding="utf-8"), guides())
    reference_page = ROOT / "docs" / "configuration.md"
    text = with_table(reference_page.read_text(encoding="utf-8"), configuration())
    found[reference_page] = _between(text, OPTIONS, END_OPTIONS, options())
    for name in ("advise.md", "tutorial.md"):
        found[ROOT / "docs" / name] = with_samples((ROOT / "docs" / name).read_text(encoding="utf-8"))
    found[ROOT / "docs" / "advise.schema.json"] = schema()
    house = ROOT / "docs" / "architecture.md"
    found[house] = with_table(house.read_text(encoding="utf-8"), rooms.table())
    found[ROOT / "docs" / "rooms.svg"] = rooms.picture()
    found |= {ROOT / "docs" / name: drawn for name, drawn in pictures.pictures().items()}
    return found


def stale(wanted: dict[Path, str]) -> list[Path]:
    """Files that differ from what would be written, and pages of rules that are gone."""
    differ = [p for p, text in wanted.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
    return differ + [p for p in (ROOT / "docs" / "rules").glob("*.md") if p not in wanted]


def main() -> int:
    wanted = expected()
    changed = stale(wanted)
    if "--check" in sys.argv[1:]:
        for path in changed:
            print(f"not current: {path.relative_to(ROOT)}; run python docs/build.py")
        return 1 if changed else 0
    for path in changed:
        if path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
        else:
            path.unlink()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
