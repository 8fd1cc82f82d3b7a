"""The server, and the command that writes a report, open no port and reach for no other machine."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra cudalint[lsp]")
from tests.server.test_server import Editor
from tests.support.command_line import STRIDED

# Python tells of each of these before it happens; the process then ends at once.
GUARD = """
import os, sys
FORBIDDEN = ("socket.bind", "socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname")
sys.addaudithook(lambda event, given: os._exit(99) if event in FORBIDDEN else None)
sys.argv[0] = "cudalint"
from cudalint.__main__ import main
main()
"""


class Guarded(Editor):
    """An editor whose server ends where it opens a port."""

    command = (sys.executable, "-c", GUARD, "server", "--patience", "60000")


async def _session(folder: Path) -> list[str]:
    editor = Guarded(folder)
    await editor.start()
    document = editor.open("a.cu", STRIDED)
    await editor.diagnostics(document)
    editor.type(document, 2, STRIDED.replace("in[i];", "in[i] + 1.0f;"))
    found = await editor.diagnostics(document, 2)
    await editor.stop()
    return [str(one.code) for one in found.diagnostics]


def test_a_session_opens_no_port(tmp_path: Path) -> None:
    (tmp_path / "cudalint.toml").write_text('select = ["CU101"]\n')
    assert asyncio.run(_session(tmp_path)) == ["CU101"]


def test_a_report_opens_none(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    command = [sys.executable, "-c", GUARD, "a.cu", "--output-format", "html:a.html", "--no-cache"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, (tmp_path / "a.html").exists()) == (1, True)


def test_the_guard_sees_a_port(tmp_path: Path) -> None:
    opens = GUARD.partition("from cudalint")[0] + "import socket; socket.socket().bind(('127.0.0.1', 0))"
    assert subprocess.run([sys.executable, "-c", opens], check=False).returncode == 99
