"""Write docs/rules/: one page a rule, and the table of rules in the README.

    python docs/build.py [--check]

With --check nothing is written; the exit status is 1 when something is not current.
"""

import subprocess
import sys
from pathlib import Path

from cudalint import pages, registry

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- rules: written by docs/build.py -->", "<!-- end of rules -->"


def table() -> str:
    """The README's table of rules, markers included."""
    rows = [BEGIN, "| code | name | severity | finds |", "|---|---|---|---|"]
    for loaded in registry.load():
        rule = loaded.rule
        link = f"[{rule.name}](docs/rules/{rule.code}-{rule.name}.md)"
        rows.append(f"| {rule.code} | {link} | {rule.severity.value} | {rule.summary} |")
    return "\n".join([*rows, END])


def output() -> str:
    """What the README shows of a run: `cudalint check docs/example.cu`."""
    command = [sys.executable, "-m", "cudalint", "check", "--isolated", "docs/example.cu"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.rstrip("\n")


def readme(text: str) -> str:
    """The README with its table and its sample output made anew."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    text = head + table() + tail
    head, mark, rest = text.partition("```text\n")
    _, _, tail = rest.partition("\n```")
    return head + mark + output() + "\n```" + tail


def expected() -> dict[Path, str]:
    """Every file that is written, with its contents."""
    found = {
        ROOT / "docs" / "rules" / f"{loaded.rule.code}-{loaded.rule.name}.md": pages.markdown(loaded)
        for loaded in registry.load()
    }
    path = ROOT / "README.md"
    found[path] = readme(path.read_text(encoding="utf-8"))
    return found


def stale() -> list[Path]:
    """Files that differ from what would be written, and pages of rules that are gone."""
    wanted = expected()
    differ = [p for p, text in wanted.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
    return differ + [p for p in (ROOT / "docs" / "rules").glob("*.md") if p not in wanted]


def main() -> int:
    if "--check" in sys.argv[1:]:
        for path in stale():
            print(f"not current: {path.relative_to(ROOT)}; run python docs/build.py")
        return 1 if stale() else 0
    wanted = expected()
    for path in (ROOT / "docs" / "rules").glob("*.md"):
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
