"""A headless browser that tests drive as a person does: pages, keys, what it logged and what it loaded. It
speaks the DevTools protocol through two pipes, so that no port is opened.
"""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATH = next(filter(None, map(shutil.which, NAMES)), None)
_PATIENCE = 60.0  # seconds for one answer


class Browser:
    """One process with one page. logged: what it said of scripts and policies; asked: what it loaded."""

    def __init__(self, folder: Path) -> None:
        assert PATH is not None
        ours, theirs = os.pipe(), os.pipe()  # what we say, what it says: (end to read, end to write)
        command = [
            PATH, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--remote-debugging-pipe", f"--user-data-dir={folder / 'profile'}", "about:blank",
        ]  # fmt: skip

        def pipes() -> None:
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (ours[0], theirs[1])]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self._process = subprocess.Popen(
            command, preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(ours[0])
        os.close(theirs[1])
        self._to, self._from = ours[1], theirs[0]
        self._heard = b""
        self._number = 0
        self._session: str | None = None
        self.logged: list[str] = []
        self.asked: list[str] = []
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._send(f"{domain}.enable")

    def open(self, page: Path, fragment: str = "") -> float:
        """Seconds until a page is drawn."""
        self.logged, self.asked = [], []
        began = time.monotonic()
        self._send("Page.navigate", url="about:blank")
        self._send("Page.navigate", url=f"{page.as_uri()}{f'#{fragment}' if fragment else ''}")
        self.until("document.readyState === 'complete'")
        return time.monotonic() - began

    def value(self, expression: str) -> Any:
        """What a script says in the page, as JSON has it."""
        found = self._send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until a script says something true: what a page does may come a moment later."""
        end = time.monotonic() + _PATIENCE
        while not self.value(expression):
            assert time.monotonic() < end, expression
            time.sleep(0.02)

    def key(self, key: str) -> None:
        """Press and release a key; a letter is typed."""
        code = {"Enter": 13, "Tab": 9}.get(key, ord(key[0].upper()))
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        common = {"key": key, "windowsVirtualKeyCode": code, "code": key if len(key) > 1 else ""}
        self._send("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self._send("Input.dispatchKeyEvent", type="keyUp", **common)

    def picture(self, file: Path, width: int, height: int, scheme: str = "light") -> bytes:
        """A screenshot of the page at this size."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._send("Emulation.setEmulatedMedia", features=features)
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._send("Emulation.setDeviceMetricsOverride", **metrics)
        data = base64.b64decode(self._send("Page.captureScreenshot", format="png")["data"])
        file.write_bytes(data)
        return data

    def close(self) -> None:
        os.close(self._to)
        os.close(self._from)
        self._process.kill()
        self._process.wait()

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return dict(answer["result"])
            self._note(answer)

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + _PATIENCE
        while b"\0" not in self._heard:
            assert time.monotonic() < end, "the browser does not answer"
            piece = os.read(self._from, 1 << 16)
            assert piece, "the browser has ended"
            self._heard += piece
        text, _, self._heard = self._heard.partition(b"\0")
        return dict(json.loads(text))

    def _note(self, event: dict[str, Any]) -> None:
        told = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            self.logged.append(str(told["exceptionDetails"]))
        elif event.get("method") == "Runtime.consoleAPICalled":
            self.logged.append(str(told["args"]))
        elif event.get("method") == "Log.entryAdded":
            self.logged.append(str(told["entry"]["text"]))
        elif event.get("method") == "Network.requestWillBeSent":
            self.asked.append(str(told["request"]["url"]))
