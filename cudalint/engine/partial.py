"""Notes about files that were partially analysed: one a run for each cause, not one a file."""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from cudalint.rule.findings import Finding
from cudalint.rule.outcome import CAUSES

_MOST = 5  # notes a run; the last one gathers the rest
_NAMED = 3  # files and kernels that the text names


def together(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, those of several files that name the same cause in one, at the first of the files."""
    findings = list(findings)
    partial = [f for f in findings if CAUSES in f.evidence]
    if len(partial) < 2:
        return findings
    merged = {id(members[0]): _merged(cause, members) for cause, members in _groups(partial)}
    gone = {id(f) for f in partial} - merged.keys()
    return [merged.get(id(f), f) for f in findings if id(f) not in gone]


def _groups(partial: list[Finding]) -> Iterable[tuple[str, list[Finding]]]:
    """The files of each cause: the cause that most of the files left share takes them, then the next."""
    left = sorted(partial, key=lambda f: (f.span.path, f.span.line))
    for number in range(1, _MOST + 1):
        if not left:
            return
        counted = Counter(cause for finding in left for cause in dict.fromkeys(finding.evidence[CAUSES]))
        cause = min(counted, key=lambda name: (-counted[name], name))
        rest = number == _MOST and len(counted) > 1
        taken = [f for f in left if rest or cause in f.evidence[CAUSES]]
        left = [f for f in left if f not in taken]
        yield ("other causes" if rest else cause), taken


def _merged(cause: str, members: list[Finding]) -> Finding:
    """One finding for several files. Its evidence sums theirs and lists the files."""
    first = members[0]
    if len(members) == 1:
        return first
    sums = {
        name: sum(f.evidence[name] for f in members) for name, v in first.evidence.items() if type(v) is int
    }
    lost = list(dict.fromkeys(name for f in members for name in f.evidence["lost"]))
    files = list(dict.fromkeys(f.span.path for f in members))
    many = sums["kernels"]
    kernels = f"kernels lost: {_named(lost)}" if lost else f"{many} kernel{'s' * (many != 1)} analysed"
    return replace(
        first,
        message=f"{len(files)} files partially analysed: {cause}",
        notes=(
            f"first {first.message.removeprefix('partially analysed: ')}",
            f"files: {_named(files)}",
            kernels,
        ),
        evidence={**first.evidence, **sums, "lost": lost, CAUSES: [cause], "files": files},
    )


def _named(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
