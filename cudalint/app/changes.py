"""`--diff-base REV`: the lines that differ from a revision, as git has them."""

import re
import subprocess
from pathlib import Path

from cudalint.errors import UsageError
from cudalint.rule.findings import Finding
from cudalint.source.text import shown

_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")
_FILE = re.compile(rb"^\+\+\+ (?:\"?b/)(.*?)\"?\t?$")
# Nothing that the repository configures is run: no monitor, no other diff, no conversion to text.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false")
_PLAIN = ("--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/")

Changes = dict[Path, list[range] | None]  # None: all lines


def changed_lines(revision: str, folders: tuple[str, ...]) -> Changes:
    """The lines of the working tree that the revision does not have, by resolved path, in the repositories of
    the folders.
    """
    found: Changes = {}
    tops = {_git(["rev-parse", "--show-toplevel"], folder, revision).decode().strip() for folder in folders}
    for top in tops:
        _git(
            ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"], top, revision
        )
        text = _git(["diff", "--unified=0", *_PLAIN, "--end-of-options", revision, "--"], top, revision)
        path = None
        for row in text.split(b"\n"):
            if file := _FILE.match(row):
                path = (Path(top) / file[1].decode("utf-8", "surrogateescape")).resolve()
                found[path] = []
            elif path is not None and (hunk := _HUNK.match(row)):
                first, count = int(hunk[1]), int(hunk[2] or 1)
                lines = found[path]
                if lines is not None:
                    lines.append(range(first, first + count))
        new = _git(["ls-files", "--others", "--exclude-standard", "-z"], top, revision)
        for name in filter(None, new.split(b"\0")):
            found[(Path(top) / name.decode("utf-8", "surrogateescape")).resolve()] = None
    return found


def touched(findings: tuple[Finding, ...], changes: Changes) -> tuple[Finding, ...]:
    """The findings with a changed line: one of their own, or of a place that belongs to them."""

    def is_changed(finding: Finding) -> bool:
        for span in (finding.span, *(place.span for place in finding.related)):
            lines = changes.get(Path(span.path).resolve(), [])
            if lines is None or any(r.start <= span.end_line and span.line < r.stop for r in lines):
                return True
        return False

    return tuple(finding for finding in findings if is_changed(finding))


def folders(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The folders that the paths are in."""
    return tuple(dict.fromkeys(path if Path(path).is_dir() else str(Path(path).parent) for path in paths))


def _git(arguments: list[str], folder: str, revision: str) -> bytes:
    try:
        done = subprocess.run([*_GIT, *arguments], cwd=folder, capture_output=True, check=False)
    except OSError as error:
        raise UsageError(f"--diff-base: git cannot be run: {error.strerror or error}; install it") from None
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().splitlines()
        detail = why[-1] if why else f"no such revision in {shown(folder)}"
        raise UsageError(
            f"--diff-base {revision}: {detail}; name a commit, branch or tag, such as origin/main"
        )
    return done.stdout
