"""A headless Chromium driven by the DevTools protocol: JSON messages over pipes, ended by NULs.

The protocol: https://chromedevtools.github.io/devtools-protocol/
"""

import base64
import json
import os
import select
import signal
import subprocess
from pathlib import Path
from typing import Any

ANSWER_S = 60.0
SCREENS = {
    "desktop": {"width": 1400, "height": 900},
    "phone": {"width": 390, "height": 844, "density": 3.0},
    "dark": {"width": 1400, "height": 900, "dark": True},
}
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--remote-debugging-pipe",
)
KEY_CODES = {
    "ArrowUp": 38,
    "ArrowDown": 40,
    "ArrowLeft": 37,
    "ArrowRight": 39,
    "Home": 36,
    "End": 35,
    "Enter": 13,
    "Escape": 27,
    " ": 32,
    ",": 188,
    ".": 190,
    "/": 191,
    "-": 189,
    **{letter: ord(letter.upper()) for letter in "degnopstx"},
    **{str(digit): 48 + digit for digit in range(10)},
}
SHIFT = 8  # bit of the protocol's modifiers


class BrowserError(Exception):
    """The browser refused a command, ended, or did not answer."""


class Browser:
    """A running Chromium; `profile` is an empty folder for its files."""

    def __init__(self, program: str, profile: Path):
        commands, self._write_end = os.pipe()
        self._read_end, answers = os.pipe()

        def place_pipes() -> None:
            # Chromium reads from descriptor 3 and writes to 4; the pipes' own numbers may conflict
            # with these.
            spare_commands, spare_answers = os.dup(commands), os.dup(answers)
            os.dup2(spare_commands, 3)
            os.dup2(spare_answers, 4)

        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(3, 4),
            preexec_fn=place_pipes,
            start_new_session=True,
        )
        os.close(commands)
        os.close(answers)
        self._buffer = b""
        self._last_id = 0
        self.events: list[dict[str, Any]] = []

    def close(self) -> None:
        """End the browser and all its processes."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._write_end)
        os.close(self._read_end)

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Run a command of the protocol and return its result. Raises BrowserError."""
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        self._send(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if "method" in answer:
                self.events.append(answer)
            elif answer["id"] == self._last_id:
                break
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def _send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._write_end, data) :]

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._read_end], [], [], ANSWER_S)[0]:
                raise BrowserError(f"no answer within {ANSWER_S} s")
            data = os.read(self._read_end, 1 << 16)
            if not data:
                raise BrowserError("the browser ended")
            self._buffer += data
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)


class Tab:
    """An open page; its screen has `width` x `height` CSS pixels of `density` device pixels."""

    def __init__(self, browser: Browser, url: str, width=1400, height=900, density=1.0, dark=False):
        self._browser = browser
        self._target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.call("Target.attachToTarget", targetId=self._target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=density,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=url)
        self.evaluate(
            "document.readyState === 'complete' || "
            "new Promise((done) => addEventListener('load', done))"
        )

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Run a command of the protocol in this tab."""
        return self._browser.call(method, self._session, **params)

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression or promise. Raises BrowserError if it throws."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def text(self, selector: str) -> str:
        """The text of the first element that matches a CSS selector."""
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")

    def click(self, selector: str) -> None:
        """Click the first element that matches a CSS selector."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def press(self, key: str, modifiers: int = 0) -> None:
        """Press and release a key."""
        event = {"key": key, "windowsVirtualKeyCode": KEY_CODES[key], "modifiers": modifiers}
        if len(key) == 1:
            event["text"] = key
        elif key == "Enter":
            event["text"] = "\r"
        self.call("Input.dispatchKeyEvent", type="keyDown", **event)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def point_at(self, x: float, y: float) -> None:
        """Move the mouse to a place of the screen, in CSS pixels."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def screenshot(self) -> bytes:
        """Returns the screen as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    def complaints(self) -> list[str]:
        """Every exception, console message and browser warning of this tab so far."""
        self.evaluate("0")  # the events before this answer have arrived with it
        kinds = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
        return [
            json.dumps(event["params"])
            for event in self._browser.events
            if event.get("sessionId") == self._session and event["method"] in kinds
        ]

    def close(self) -> None:
        """Close the tab."""
        self._browser.call("Target.closeTarget", targetId=self._target)
