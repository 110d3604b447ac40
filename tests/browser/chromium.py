"""Chromium without a window or a network, controlled over its DevTools pipe.

Messages are JSON ended by a zero byte; Chromium reads them from file descriptor 3 and answers on 4.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--window-size=1200,900", "--remote-debugging-pipe",
)  # fmt: skip
_BECOME = """
import fcntl, os, sys
read, write = (fcntl.fcntl(int(fd), fcntl.F_DUPFD, 10) for fd in sys.argv[1:3])
os.dup2(read, 3)
os.dup2(write, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""  # descriptors 3 and 4 are set between fork and exec, where a shell may know only nine of them
_PATIENCE = 180.0  # s, for one answer: a machine may be busy with much else
_POLL = 10.0  # s, after which a question that may be repeated is


class NoAnswer(AssertionError):
    """The browser rejected a request or did not answer it, for example while a page is replaced."""


class Browser:
    """One browser process; use it as a context manager."""

    def __init__(self, profile: Path) -> None:
        assert BROWSER is not None
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        ends = [str(to_browser), str(from_browser)]
        command = [BROWSER, *_FLAGS, f"--user-data-dir={profile}"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BECOME, *ends, *command],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._buffer, self._number = b"", 0
        self.errors: list[str] = []
        self._call("Browser.getVersion")  # answered once it has started

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._call("Browser.close")
            self._process.wait(20)
        except (OSError, AssertionError, subprocess.TimeoutExpired):
            self._process.kill()
        os.close(self._write)
        os.close(self._read)

    def open(self, page: Path) -> Page:
        """A tab that shows the file."""
        return Page(self, page.resolve().as_uri())

    def _call(
        self,
        method: str,
        session: str | None = None,
        patience: float = _PATIENCE,
        **parameters: object,
    ) -> dict:
        end = time.monotonic() + patience
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive(end)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise NoAnswer(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def _receive(self, end: float) -> dict:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise NoAnswer("the browser did not answer")
            part = os.read(self._read, 1 << 16)
            assert part, "the browser has ended"
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _note(self, event: dict) -> None:
        """Keep what a user would see as red lines in the console."""
        method, parameters = event.get("method"), event.get("params", {})
        if (
            method == "Runtime.exceptionThrown"
            or (method == "Log.entryAdded" and parameters["entry"]["level"] == "error")
            or (method == "Runtime.consoleAPICalled" and parameters["type"] == "error")
            or method == "Page.javascriptDialogOpening"
        ):
            self.errors.append(json.dumps(parameters)[:500])


class Page:
    """A tab: evaluate JavaScript in it, take its picture."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        target = browser._call("Target.createTarget", url="about:blank")["targetId"]
        attached = browser._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Runtime", "Log", "Page"):
            self._do(f"{domain}.enable")
        self._do("Page.navigate", url=address)

    def _do(self, method: str, patience: float = _PATIENCE, **parameters: object) -> dict:
        return self._browser._call(method, self._session, patience, **parameters)

    def evaluate(self, expression: str, patience: float = _PATIENCE) -> object:
        """The value of a JavaScript expression in the page (promises awaited)."""
        question = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        answer = self._do("Runtime.evaluate", patience, **question)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, expression: str, seconds: float = _PATIENCE) -> None:
        """Wait until an expression is true; a question that gets lost is asked again."""
        end = time.monotonic() + seconds
        while not self._is_true(expression):
            assert time.monotonic() < end, f"{expression} did not become true"
            time.sleep(0.05)

    def _is_true(self, expression: str) -> bool:
        try:
            return bool(self.evaluate(expression, patience=_POLL))
        except NoAnswer:
            return False

    def resize(self, width: int, height: int = 900, dark: bool = False) -> None:
        """The window's size and the colours that the user prefers."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._do("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._do("Emulation.setEmulatedMedia", features=[scheme])

    def mouse(self, kind: str, x: float, y: float, **more: object) -> None:
        """A mouse event (mousePressed, mouseMoved, mouseReleased, mouseWheel) at a place."""
        self._do("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        """Press and release the left button."""
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def key(self, name: str) -> None:
        """Press and release a key that has the focus' attention."""
        for kind in ("keyDown", "keyUp"):
            self._do("Input.dispatchKeyEvent", type=kind, key=name)

    def picture(self, path: Path) -> None:
        """What the window shows, as PNG."""
        data = self._do("Page.captureScreenshot")["data"]
        path.write_bytes(base64.b64decode(data))
