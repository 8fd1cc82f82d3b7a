"""How long `cudalint server` takes to answer a change, as an editor sees it: seconds of wall clock.

    python -m tools.keystrokes [FILE...]

Each file (without one: a sample of 510 lines with 17 kernels) is opened in a server of its own; then a line
in its first kernel is changed ten times. Printed are the median and the least time from the change to the
diagnostics of that version, the debounce of 20 ms included, and the time that opening took. Not a test: a
machine under load proves nothing. Nothing is written.
"""

import argparse
import asyncio
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tools.measure import KERNEL

CHANGES = 10
_ASSIGNMENT = re.compile(
    r"^(?!\s*(?:namespace|using|static_assert|for|if|while)\b)[^=]*[^=!<>]=[^=].*[\w)\]];\s*$"
)
_PATIENCE = 120.0  # seconds


def sample() -> str:
    """A text of 510 lines."""
    return "".join(KERNEL.format(n=n) for n in range(17))


def line_to_change(text: str) -> int:
    """The line (from 0) of the first assignment that follows a `__global__`; -1 where there is none. What it
    assigns can be added to: it is no name of a namespace or a type, and no assertion.
    """
    rows = text.split("\n")
    kernel = next((n for n, row in enumerate(rows) if "__global__" in row and ";" not in row), len(rows))
    found = (n for n in range(kernel + 1, len(rows)) if _ASSIGNMENT.match(rows[n]))
    return next(found, -1)


async def timed(path: Path, text: str, line: int, changes: int = CHANGES) -> tuple[float, list[float]]:
    """Seconds to open a text, and of the first answer to each change of a line."""
    client = LanguageClient("keystrokes", "1")
    sent: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def received(params: types.PublishDiagnosticsParams) -> None:
        sent.put_nowait(params)

    async def answered(version: int) -> None:
        while (await asyncio.wait_for(sent.get(), _PATIENCE)).version != version:
            pass

    await client.start_io(sys.executable, "-m", "cudalint", "server", cwd=path.parent)
    await client.initialize_async(
        types.InitializeParams(types.ClientCapabilities(), root_uri=path.parent.as_uri())
    )
    client.initialized(types.InitializedParams())
    began = time.monotonic()
    item = types.TextDocumentItem(path.as_uri(), "cuda-cpp", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await answered(1)
    opened, times, rows = time.monotonic() - began, [], text.split("\n")
    for version in range(2, 2 + changes):
        changed = "\n".join([*rows[:line], f"{rows[line]} (void){version};", *rows[line + 1 :]])
        began = time.monotonic()
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, path.as_uri()),
                [types.TextDocumentContentChangeWholeDocument(changed)],
            )
        )
        await answered(version)
        times.append(time.monotonic() - began)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return opened, times


def report(path: Path, text: str) -> float | None:
    """Print a row for a text, and return its median."""
    line = line_to_change(text)
    if line < 0:
        print(f"{'-':>7} {'-':>7} {'-':>7}  {path} (no kernel)")
        return None
    opened, times = asyncio.run(timed(path, text, line))
    median = statistics.median(times)
    print(f"{median:7.3f} {min(times):7.3f} {opened:7.3f}  {path.name}:{line + 1}", flush=True)
    return median


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    files = parser.parse_args().files
    print(" median   least  opened")
    if not files:
        with tempfile.TemporaryDirectory() as folder:
            report(Path(folder).resolve() / "sample.cu", sample())
        return
    texts = [(file.resolve(), file.read_text(encoding="utf-8", errors="replace")) for file in files]
    medians = [median for file, text in texts if (median := report(file, text)) is not None]
    if len(medians) > 1:
        below = sum(median < 0.15 for median in medians)
        print(f"median {statistics.median(medians):.3f} s; {below} of {len(medians)} below 0.15 s")


if __name__ == "__main__":
    main()
