"""The first answer to an edit comes in time: what was found before, at its new lines. The last one is that of
a server which never saw another text.
"""

import asyncio
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra cudalint[lsp]")

from lsprotocol import types

from cudalint.rule.findings import Confidence, Edit, Finding, Fix, Related
from cudalint.server import linting
from cudalint.server.linting import Analysis
from cudalint.server.moved import between, exactly
from cudalint.settings.severity import Severity
from cudalint.source.span import Span
from tests.server.test_server import Editor

TEXT = """\
template <typename T> __global__ void never(T *out) { out[2 * threadIdx.x] = 1; }

__global__ void spread(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[2 * i] = in[i] * 0.1;
}

__global__ void flip(float *out, const float *in)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[255 - threadIdx.x];
}

void run(float *out, const float *in, int n)
{
    spread<<<65536, 256>>>(out, in);
    flip<<<1, 256>>>(out, in);
    spread<<<65536, 33>>>(out, in);
}
"""
ALIKE = {
    "an empty line": ("    out[2 * i]", "\n    out[2 * i]"),
    "a comment": ("    spread<<<65536, 33>>>", "    // uneven\n    spread<<<65536, 33>>>"),
    "indentation": ("    tile[threadIdx.x] =", "        tile[threadIdx.x] ="),
    "an empty line in host code": ("    flip<<<", "\n\n    flip<<<"),
}
OTHER = {
    "lines pasted in host code": ("    flip<<<", "    if (n > 3)\n        n = 3;\n    flip<<<"),
    "lines removed from host code": ("    flip<<<1, 256>>>(out, in);\n", ""),
    "lines pasted in a kernel": ("    out[2 * i]", "    i += 1;\n    i += 1;\n    out[2 * i]"),
    "lines removed from a kernel": ("    tile[threadIdx.x] = in[threadIdx.x];\n", ""),
    "a template that nothing instantiates": ("out[2 * threadIdx.x]", "out[3 * threadIdx.x]"),
    "a header that is not there": ("template <typename", '#include "gone.h"\ntemplate <typename'),
    "a function cut in two": ("    flip<<<", "}\n\nvoid rest(float *out, const float *in)\n{\n    flip<<<"),
}
UNPARSED = {"an open brace": ("    flip<<<", "    {\n    flip<<<")}


class Usual(Editor):
    command = Editor.command[:-2]


class Impatient(Editor):
    """A server that says at once what it knows."""

    command = (sys.executable, "-m", "cudalint", "server", "--patience", "0")


def shown(found: types.PublishDiagnosticsParams) -> list[str]:
    return sorted(map(repr, found.diagnostics))


async def _answers(folder: Path, text: str, number: int) -> list[list[str]]:
    """So many answers to an edit of the text, and that of another server which never saw the text before."""
    editor, cold = Impatient(folder), Usual(folder)
    await editor.start()
    document = editor.open("a.cu", TEXT)
    found = [shown(await editor.diagnostics(document))]
    editor.type(document, 2, text)
    found += [shown(await editor.diagnostics(document, 2)) for _ in range(number)]
    await editor.stop()
    await cold.start()
    found.append(shown(await cold.diagnostics(cold.open("a.cu", text))))
    await cold.stop()
    return found


def _edited(edit: tuple[str, str]) -> str:
    text = TEXT.replace(*edit, 1)
    assert text != TEXT
    return text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cudalint.toml").write_text("min-impact = 0\n")
    return tmp_path


@pytest.mark.parametrize("edit", ALIKE)
def test_where_the_code_stays_the_first_answer_is_the_whole_one(folder: Path, edit: str) -> None:
    before, first, last, cold = asyncio.run(_answers(folder, _edited(ALIKE[edit]), 2))
    assert first == last == cold
    assert first and first != before


@pytest.mark.parametrize("edit", OTHER)
def test_what_was_found_is_told_until_an_edit_is_judged(folder: Path, edit: str) -> None:
    _, first, _, last, cold = asyncio.run(_answers(folder, _edited(OTHER[edit]), 3))
    assert last == cold
    path = str(folder / "a.cu")
    moved = linting.moved(_edited(OTHER[edit]), linting.lint(path, TEXT))
    assert len(first) == len(moved.findings) and first


@pytest.mark.parametrize("edit", UNPARSED)
def test_what_does_not_parse_keeps_what_was_found(folder: Path, edit: str) -> None:
    _, first, last, cold = asyncio.run(_answers(folder, _edited(UNPARSED[edit]), 2))
    assert first and last == cold


def test_typing_on_before_the_answer(folder: Path) -> None:
    """What stands on lines that several edits changed is judged, whichever of them was."""
    texts = [_edited(("    out[2 * i]", "\n    out[2 * i]"))]
    texts.append(texts[-1].replace("tile[255 -", "tile[254 + 1 -"))
    texts.append(texts[-1].replace("out[2 * i]", "out[i]"))

    async def typed() -> list[list[str]]:
        editor = Impatient(folder)
        await editor.start()
        document = editor.open("a.cu", TEXT)
        await editor.diagnostics(document)
        for version, text in enumerate(texts, start=2):
            editor.type(document, version, text)
            await asyncio.sleep(0.05)
        found = [shown(await editor.diagnostics(document, 4)) for _ in range(3)]
        await editor.stop()
        return found

    _, judged, whole = asyncio.run(typed())
    assert judged == whole


def _finding(line: int, message: str) -> Finding:
    there = Span("a.cu", line, 5, line, 9)
    return Finding(
        "CU101",
        "n",
        Severity.WARNING,
        Confidence.HIGH,
        there,
        message,
        notes=("lines 2 and 5, then a.cu:5",),
        related=(Related(Span("a.cu", 2, 1, 2, 4), "from line 5"),),
        fix=Fix((Edit(there, "x"),), safe=True),
    )


def test_words_name_lines_as_they_are_after_the_edit() -> None:
    move = between("a.cu", ("a", "b", "c", "d", "e"), ("a", "b", "new", "c", "d", "e"))
    found = move.finding(_finding(5, "the loop in line 4 reads `line 4` of b.cu:4"))
    assert found is not None and found.fix is not None
    assert (found.span.line, found.message) == (6, "the loop in line 5 reads `line 4` of b.cu:4")
    assert found.notes == ("lines 2 and 6, then a.cu:6",)
    assert found.related[0].message == "from line 6"
    assert found.fix.edits[0].span.line == 6


def test_a_fix_of_a_text_that_has_changed_is_gone() -> None:
    before = Analysis("a.cu", "a\n    b(c);\n", (_finding(2, "m"),))
    moved = linting.moved("a\n  b(c);\n", before)
    assert (moved.findings[0].span.column, moved.findings[0].fix) == (3, None)
    assert moved.base is before  # so it is judged
    again = linting.moved("a\n\n  b(c);\n", moved)
    assert again.base is before and again.findings[0].span.line == 3
    assert exactly("a.cu", "a\n    b(c);\n", "a\n    b(d);\n") is None


def test_an_edited_line_keeps_what_was_found_until_it_is_judged() -> None:
    before = Analysis("a.cu", "a\n    b(c);\n", (_finding(2, "line 2"),))
    moved = linting.moved("a\n    b(d);\n", before)
    assert [(f.span.line, f.message, f.fix) for f in moved.findings] == [(2, "line 2", None)]
    assert moved.base is before
    assert not linting.moved("a\n    b(d);\n    e();\n", before).findings


def test_a_fix_of_lines_that_an_edit_parts_is_gone() -> None:
    move = between("a.cu", ("a", "b", "c"), ("a", "new", "b", "c"))
    assert move.edit(Edit(Span("a.cu", 1, 1, 2, 2), "")) is None
    assert move.edit(Edit(Span("a.cu", 2, 1, 3, 2), "")) == Edit(Span("a.cu", 3, 1, 4, 2), "")
