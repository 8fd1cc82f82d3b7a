"""The language server: documents as they are typed, diagnostics, hover, lenses, actions. It opens no port."""

import asyncio
import os
import sys
from collections.abc import Callable

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from cudalint import __version__
from cudalint.engine import analysis as analysing
from cudalint.engine.editing import Editing
from cudalint.errors import UsageError
from cudalint.server import convert, linting
from cudalint.server.linting import Analysis
from cudalint.settings import config

_REST = 0.4  # seconds without a change until the whole file is linted again


class Server(LanguageServer):
    """The open documents and what is known of them. debounce, patience: seconds.

    A change is answered for the functions that it belongs to, by a worker that stays, then, when nothing was
    typed for a while, for the whole file. Where the first takes longer than the patience, or can find
    nothing else, what was found before is told before it, at its new lines.
    """

    def __init__(self, debounce: float, patience: float) -> None:
        super().__init__("cudalint", __version__)
        self.debounce = debounce
        self.patience = patience
        self.known: dict[str, Analysis] = {}
        self.pending: dict[str, asyncio.Task[None]] = {}
        self.editing = Editing()
        self.stale = False  # whether files on disk have changed since its worker was started
        self.edit_turn = asyncio.Lock()
        self.turn = asyncio.Lock()  # one analysis at a time: each has a worker process of its own

    def changed(self, uri: str, pause: float) -> None:
        """Lint a document soon; what waits for an older version of it is given up."""
        if uri in self.pending:
            self.pending[uri].cancel()
        self.pending[uri] = asyncio.get_running_loop().create_task(self._lint(uri, pause))

    async def _lint(self, uri: str, pause: float) -> None:
        """What has begun goes on when a newer version comes: it holds its turn until its worker is done."""
        await asyncio.sleep(pause)
        if uri in self.known and pause:
            exact = self.known[uri].base is None and self._moved(uri, exact=True)
            judging = asyncio.create_task(self._follow(uri) if exact else self._relint(uri))
            await asyncio.wait({judging}, timeout=self.patience)
            if not exact and not (judging.done() and judging.result()):
                self._moved(uri)
            await asyncio.shield(judging)
            await asyncio.sleep(_REST)
        await asyncio.shield(self._whole(uri))

    def _moved(self, uri: str, exact: bool = False) -> bool:
        """Tell what was found before of a document at its new lines, and whether that was done. exact: only
        where nothing else can be found.
        """
        known = self.known.get(uri)
        if known is None or uri not in self.workspace.text_documents:
            return False
        document = self.workspace.get_text_document(uri)
        found = linting.moved(document.source, known)
        if exact and found.base is not None:
            return False
        self._publish(uri, document.version, found)
        return True

    async def _relint(self, uri: str) -> bool:
        """Judge an edit, and whether that was told."""

        def judged(path: str, text: str) -> Analysis | None:
            known = self.known.get(uri)
            return linting.relint(path, text, known, self.editing) if known is not None else None

        async with self.edit_turn:
            self._refresh()
            return await self._published(uri, judged)

    async def _follow(self, uri: str) -> bool:
        """Have the worker know the text of a document, and tell nothing."""

        def followed(path: str, text: str) -> None:
            linting.follow(path, text, self.editing)

        async with self.edit_turn:
            self._refresh()
            return await self._published(uri, followed)

    def _refresh(self) -> None:
        if self.stale:
            self.editing.close()
            self.stale = False

    async def _whole(self, uri: str) -> None:
        async with self.turn:
            await self._published(uri, linting.lint)
        await self._ready(uri)

    async def _ready(self, uri: str) -> None:
        """Between edits, the worker for them gets what it has to hold of a document."""
        async with self.edit_turn:
            known, path = self.known.get(uri), to_fs_path(uri)
            if known is not None and path is not None and self._current(uri, known.text):
                await asyncio.to_thread(linting.ready, path, known.text, self.editing)

    def _current(self, uri: str, text: str) -> bool:
        """Whether a document is open with this text."""
        there = uri in self.workspace.text_documents
        return there and self.workspace.get_text_document(uri).source == text

    async def _published(self, uri: str, ask: Callable[[str, str], Analysis | None]) -> bool:
        """Ask about a document in a thread, publish the answer if it is still about what is there, and say
        whether it was.
        """
        if uri not in self.workspace.text_documents:
            return False
        document = self.workspace.get_text_document(uri)
        path, version, text = to_fs_path(uri), document.version, document.source
        if path is None:
            return False
        try:
            found = await asyncio.to_thread(ask, path, text)
        except UsageError as error:
            self._say(str(error))
            return False
        if found is None or document.version != version or uri not in self.workspace.text_documents:
            return False  # the next version is on its way
        self._publish(uri, version, found)
        return True

    def _publish(self, uri: str, version: int | None, found: Analysis) -> None:
        self.known[uri] = found
        own = [convert.diagnostic(f, found) for f in found.findings if f.span.path == found.path]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, own, version))

    def _say(self, text: str) -> None:
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))


def serve(debounce: float, patience: float) -> None:
    """Serve standard input and output until the editor ends it."""
    analysing.preload()
    # A worker that is forked closes sys.stdin, and would wait for the thread that reads it.
    asked, sys.stdin = sys.stdin.buffer, open(os.devnull)  # noqa: SIM115
    make(debounce, patience).start_io(asked, sys.stdout.buffer)


def make(debounce: float, patience: float) -> Server:
    """The server with all that it answers."""
    server = Server(debounce, patience)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.changed(params.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri, server.debounce)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        config.forget()
        server.stale = True
        for uri in list(server.workspace.text_documents):
            server.changed(uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.known.pop(uri, None)
        if uri in server.pending:
            server.pending.pop(uri).cancel()
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        document = server.workspace.get_text_document(params.text_document.uri)
        path, line = to_fs_path(params.text_document.uri), params.position.line + 1
        if path is None:
            return None
        known = server.known.get(params.text_document.uri)
        rows = [row for card in known.cards for row in card.launches] if known is not None else []
        here = [row for row in rows if row.line == line and row.path == (known.path if known else None)]
        text = "\n".join(dict.fromkeys(convert.launch_text(row) for row in here))
        if not text:
            async with server.turn:
                text = await asyncio.to_thread(linting.explain, path, document.source, line)
        if not text:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, _fenced(text)))

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        known = server.known.get(params.text_document.uri)
        if known is None:
            return []
        return [convert.lens(card, known) for card in known.cards if card.path == known.path]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        known = server.known.get(params.text_document.uri)
        if known is None:
            return []
        lines = range(params.range.start.line + 1, params.range.end.line + 2)
        findings = [finding for line in lines for finding in known.at(line)]
        return [action for finding in findings for action in convert.actions(finding, known)]

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def other_places(params: types.DefinitionParams) -> list[types.Location]:
        """From a race to its other half; from any finding to the places that belong to it."""
        known = server.known.get(params.text_document.uri)
        if known is None:
            return []
        here = known.at(params.position.line + 1)
        places = [other.span for finding in here for other in finding.related if other.span != finding.span]
        return [convert.location(span, known) for span in places]

    return server


def _fenced(text: str) -> str:
    """Text as a block of code that nothing in it can end."""
    fence = "`" * max(3, 1 + max((len(run) for run in text.split() if set(run) == {"`"}), default=0))
    return f"{fence}text\n{text.rstrip()}\n{fence}"
