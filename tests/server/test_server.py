"""The language server as an editor meets it: a real client over standard input and output."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra cudalint[lsp]")
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from cudalint.server import convert
from cudalint.source.span import Span
from tests.support.command_line import CLEAN, STRIDED

RACE = """\
__global__ void reverse(float *out, const float *in)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[255 - threadIdx.x];
}
void run(float *out, const float *in) { reverse<<<1, 256>>>(out, in); }
"""


class Editor:
    """A client, and the diagnostics that it was sent; the first of a change are those judged."""

    command: tuple[str, ...] = (sys.executable, "-m", "cudalint", "server", "--patience", "60000")

    def __init__(self, folder: Path) -> None:
        self.client = LanguageClient("tester", "1")
        self.folder = folder
        self.sent: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def received(params: types.PublishDiagnosticsParams) -> None:
            self.sent.put_nowait(params)

    async def start(self) -> types.ServerCapabilities:
        await self.client.start_io(*self.command, cwd=self.folder)
        started = await self.client.initialize_async(
            types.InitializeParams(types.ClientCapabilities(), root_uri=self.folder.as_uri())
        )
        self.client.initialized(types.InitializedParams())
        return started.capabilities

    def open(self, name: str, text: str) -> types.TextDocumentIdentifier:
        uri = (self.folder / name).as_uri()
        item = types.TextDocumentItem(uri, "cuda-cpp", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return types.TextDocumentIdentifier(uri)

    def type(self, document: types.TextDocumentIdentifier, version: int, text: str) -> None:
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, document.uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def diagnostics(
        self, document: types.TextDocumentIdentifier, version: int | None = 1
    ) -> types.PublishDiagnosticsParams:
        """The next ones of a version of a document; None: those that a document leaves when it is closed."""
        while True:
            found = await asyncio.wait_for(self.sent.get(), 60)
            if (found.uri, found.version) == (document.uri, version):
                return found

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


async def _session(folder: Path) -> dict[str, Any]:
    """One session: open, type, look, fix, move, close."""
    editor, found = Editor(folder), {}
    found["capabilities"] = await editor.start()
    document = editor.open("a.cu", STRIDED)
    found["opened"] = await editor.diagnostics(document)
    for version in range(2, 6):  # typed faster than it can be linted: only the last one counts
        editor.type(document, version, STRIDED + "//" * version)
    editor.type(document, 6, CLEAN.replace("in[i];", "in[i] * 0.1 * in[0];"))
    found["typed"] = await editor.diagnostics(document, 6)
    found["whole"] = await editor.diagnostics(document, 6)
    client = editor.client
    at = types.Position(3, 14)
    found["hover"] = await client.text_document_hover_async(types.HoverParams(document, at))
    launch = types.Position(11, 6)
    found["launch"] = await client.text_document_hover_async(types.HoverParams(document, launch))
    found["lenses"] = await client.text_document_code_lens_async(types.CodeLensParams(document))
    found["actions"] = await client.text_document_code_action_async(
        types.CodeActionParams(document, types.Range(at, at), types.CodeActionContext([]))
    )
    race = editor.open("race.cu", RACE)
    found["race"] = await editor.diagnostics(race)
    found["halves"] = await client.text_document_definition_async(
        types.DefinitionParams(race, types.Position(4, 30))
    )
    client.text_document_did_close(types.DidCloseTextDocumentParams(race))
    found["closed"] = await editor.diagnostics(race, None)
    await editor.stop()
    return found


def test_a_session_with_an_editor(tmp_path: Path) -> None:
    (tmp_path / "cudalint.toml").write_text('min-impact = 0\nselect = ["CU101", "CU301", "CU601"]\n')
    found = asyncio.run(_session(tmp_path))
    (strided,) = found["opened"].diagnostics
    assert (strided.code, strided.source, strided.range.start) == ("CU101", "cudalint", types.Position(3, 4))
    assert strided.severity == types.DiagnosticSeverity.Warning
    for answer in ("typed", "whole"):
        assert [one.code for one in found[answer].diagnostics] == ["CU601"]
    assert "4 sectors/request" in found["hover"].contents.value
    assert "0       8       16      24" in found["hover"].contents.value  # the 32 lanes
    assert "theoretical occupancy 100%" in found["launch"].contents.value
    assert "waves" in found["launch"].contents.value
    (lens,) = found["lenses"]
    assert lens.command.title.startswith("copy: bound by ") and lens.range.start.line == 0
    fix, ignore = found["actions"]
    ((edits,),) = (fix.edit.changes.values(),)
    assert [edit.new_text for edit in edits] == ["f"] and not fix.is_preferred  # 0.1f is another number
    ((edits,),) = (ignore.edit.changes.values(),)
    assert edits[0].new_text.endswith("// cudalint: ignore[CU601]")
    race = next(one for one in found["race"].diagnostics if one.code == "CU301")
    assert {other.location.range.start.line for other in race.related_information} == {3, 4}
    (half,) = found["halves"]
    assert half.range.start == types.Position(3, 4)
    assert not found["closed"].diagnostics


def test_columns_count_utf16_units() -> None:
    place = convert.range_of(Span("a", 1, 3, 1, 4), ("\U0001f600\u00fcx",))
    assert (place.start.character, place.end.character) == (3, 4)
