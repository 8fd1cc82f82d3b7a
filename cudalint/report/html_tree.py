"""The tree of the linted files on the page: folders that open, with the findings below each counted."""

from collections import Counter
from collections.abc import Iterator
from html import escape
from urllib.parse import quote

from msgspec import Struct, field

from cudalint.report.content import Content, plural
from cudalint.settings.severity import Severity
from cudalint.source.text import one_line

_LEVELS = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
_OPEN = 12  # entries of a folder that is open at first


class _Folder(Struct):
    name: str
    files: int = 0
    counts: Counter[Severity] = field(default_factory=Counter)
    folders: dict[str, "_Folder"] = field(default_factory=dict)
    own: dict[str, Counter[Severity]] = field(default_factory=dict)  # files with findings, by path


def tree(content: Content) -> Iterator[str]:
    """Folders and the files in them that have findings; a file filters the findings."""
    top = _folders(content)
    while len(top.folders) == 1 and not top.own:
        (only,) = top.folders.values()
        top = only if top.name == "." else _joined(top, only)
    if not top.counts:
        return
    yield "<h2>Files</h2><div class='tree'>"
    yield from _shown(top, True)
    yield "</div>"


def _joined(above: _Folder, below: _Folder) -> _Folder:
    below.name = f"{above.name}/{below.name}"
    return below


def _folders(content: Content) -> _Folder:
    top = _Folder(".")
    by_path: dict[str, Counter[Severity]] = {file.path: Counter() for file in content.files}
    for finding in content.findings:
        by_path.setdefault(finding.span.path, Counter())[finding.severity] += 1
    for path, counts in sorted(by_path.items()):
        folder = top
        folder.files, folder.counts = folder.files + 1, folder.counts + counts
        for name in path.split("/")[:-1]:
            folder = folder.folders.setdefault(name, _Folder(name))
            folder.files, folder.counts = folder.files + 1, folder.counts + counts
        if counts:
            folder.own[path] = counts
    return top


def _shown(folder: _Folder, top: bool = False) -> Iterator[str]:
    entries = len(folder.folders) + len(folder.own)
    yield f"<details{' open' if top and entries <= _OPEN else ''}><summary><b>{_text(folder.name)}/</b> "
    yield f"<span class='dim'>{plural(folder.files, 'file')}</span> {_counted(folder.counts)}</summary>"
    for below in folder.folders.values():
        yield from _shown(below) if below.counts else ()
    for path, counts in folder.own.items():
        link = f"#q={quote(one_line(path))}"
        yield f"<p><a href='{link}'>{_text(path.rpartition('/')[2])}</a> {_counted(counts)}</p>"
    yield "</details>"


def _counted(counts: Counter[Severity]) -> str:
    told = (f"<span class='{n}'>{plural(counts[n], n.value)}</span>" for n in _LEVELS if counts[n])
    return " ".join(told)


def _text(text: str) -> str:
    return escape(one_line(text))
