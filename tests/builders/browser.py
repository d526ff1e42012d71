"""Chromium without a window, driven over two pipes: Debian's program, its DevTools protocol, and nothing between.

Messages are JSON, each with a NUL behind it; Chromium reads them from its descriptor 3 and answers on 4.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import tempfile
import time
from collections import deque
from select import select
from typing import TYPE_CHECKING, Any, Self

from tests.builders.judges import program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_FLAGS = (
    *(
        "--headless=new",
        "--remote-debugging-pipe",
        "--no-sandbox",
        "--disable-gpu",
        "--mute-audio",
        "--no-first-run",
    ),
    *(
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ),
    *(
        "--disable-default-apps",
        "--disable-extensions",
        "--no-default-browser-check",
        "--metrics-recording-only",
    ),
    *(
        "--disable-features=Translate,MediaRouter,OptimizationHints",
        "--autoplay-policy=no-user-gesture-required",
    ),
    "--force-color-profile=srgb",
)
_DEADLINE = 60.0  # seconds that any one thing may take before a test gives up
_KEYS = {
    "Enter": ("Enter", 13, "\r"),
    "Escape": ("Escape", 27, ""),
    "Tab": ("Tab", 9, ""),
    "Backspace": ("Backspace", 8, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    "PageUp": ("PageUp", 33, ""),
    "PageDown": ("PageDown", 34, ""),
    "Home": ("Home", 36, ""),
    "End": ("End", 35, ""),
}


class PageError(Exception):
    """A script that was evaluated in a page threw."""


class Browser:
    """One process of Chromium; a context manager that ends it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lumpyard-chromium-", ignore_cleanup_errors=True)
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        self._process = _start(program("chromium", "chromium"), self._folder.name, theirs_in, theirs_out)
        os.close(theirs_in)
        os.close(theirs_out)
        self._pending = b""
        self._last = 0
        self.events: deque[dict[str, Any]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._folder.cleanup()

    def call(self, method: str, session: str | None = None, **parameters: object) -> dict[str, Any]:
        """What a method of the protocol gives; events that come before it are kept."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        until = time.monotonic() + _DEADLINE
        while True:
            answer = self._receive(until)
            if answer.get("id") == self._last:
                assert "error" not in answer, f"{method}: {answer['error']}"
                found: dict[str, Any] = answer["result"]
                return found
            self.events.append(answer)

    def _receive(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._pending:
            ready, _, _ = select([self._in], [], [], max(0.0, until - time.monotonic()))
            assert ready, "Chromium does not answer"
            data = os.read(self._in, 1 << 20)
            assert data, "Chromium ended"
            self._pending += data
        first, _, self._pending = self._pending.partition(b"\0")
        message: dict[str, Any] = json.loads(first)
        return message

    def traced(self) -> list[dict[str, Any]]:
        """End a trace; its events."""
        self.call("Tracing.end")
        until = time.monotonic() + _DEADLINE
        while not any(event["method"] == "Tracing.tracingComplete" for event in self.events):
            self.events.append(self._receive(until))
        data = [
            event["params"]["value"] for event in self.events if event["method"] == "Tracing.dataCollected"
        ]
        return [event for part in data for event in part]

    def page(
        self,
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        phone: bool = False,
        timed: bool = False,
    ) -> Page:
        """A new empty page; of a `timed` one no requests are known, since to know them takes Chromium long tasks."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", *(() if timed else ("Network",))):
            page.call(f"{domain}.enable")
        metrics = {"width": width, "height": height, "deviceScaleFactor": 2 if phone else 1, "mobile": phone}
        page.call("Emulation.setDeviceMetricsOverride", **metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        page.call("Emulation.setEmulatedMedia", features=[scheme])
        if phone:
            page.call("Emulation.setTouchEmulationEnabled", enabled=True)
        return page


class Page:
    """One page, and all that it asked for and complained of."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self.session = session

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """A method of the protocol, for this page."""
        return self._browser.call(method, self.session, **parameters)

    def close(self) -> None:
        """Let go of it; the browser's events of it too."""
        self.call("Page.close")

    def open(self, address: str) -> None:
        """Go to an address and wait until the page says that it is ready."""
        self.call("Page.navigate", url=address)
        self.wait("document.body?.dataset.ready === 'true'")

    def run(self, script: str) -> Any:
        """The value of an expression, waited for where it is a promise."""
        found = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            details = found["exceptionDetails"]
            raise PageError(details.get("exception", {}).get("description") or details["text"])
        return found["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until an expression holds."""
        until = time.monotonic() + _DEADLINE
        poll = f"new Promise((done) => requestAnimationFrame(() => done(Boolean({condition}))))"
        while not self.run(poll):
            assert time.monotonic() < until, f"never came: {condition}; status: {self.text('#status')}"

    def text(self, selector: str) -> str:
        """The text of the first element of a selector; nothing where there is none."""
        return str(self.run(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''"))

    def doing(self, act: Callable[[], object]) -> None:
        """Do what has the page look for rows again, and wait until it has found them."""
        before = self.run("Number(document.body.dataset.done ?? 0)")
        act()
        self.wait(
            f"Number(document.body.dataset.done) > {before} && !document.body.classList.contains('busy')"
        )

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press and let go of a key: a name of `_KEYS`, or a character."""
        name, code, text = _KEYS.get(key, (key, 0, key))
        event = {"key": name, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **event)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text: str) -> None:
        """Have a text come in, as from an input method."""
        self.call("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """Click in the middle of the first element of a selector."""
        find = f"document.querySelector({json.dumps(selector)})"
        x, y = self.run(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({find}.getBoundingClientRect())"
        )
        self.click_at(x, y)

    def click_at(self, x: float, y: float) -> None:
        """Click at a place of the window."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def wheel(self, selector: str, by: int) -> None:
        """Turn the wheel over an element."""
        find = f"document.querySelector({json.dumps(selector)})"
        x, y = self.run(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({find}.getBoundingClientRect())"
        )
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by)

    def screenshot(self, path: Path) -> None:
        """Write a picture of the window."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def _events(self, *methods: str) -> list[dict[str, Any]]:
        self.run("0")  # what is on its way arrives before the answer
        own = [event for event in self._browser.events if event.get("sessionId") == self.session]
        return [event["params"] for event in own if event["method"] in methods]

    def complaints(self) -> list[str]:
        """Errors and warnings on the console, and exceptions that nobody caught."""
        found = [entry["entry"]["text"] for entry in self._events("Log.entryAdded")]
        found += [one["exceptionDetails"]["text"] for one in self._events("Runtime.exceptionThrown")]
        return found + [str(call["args"]) for call in self._events("Runtime.consoleAPICalled")]

    def requests(self) -> list[str]:
        """All addresses that were asked for, but for those inside the page (`data:`, `blob:`)."""
        asked = [event["request"]["url"] for event in self._events("Network.requestWillBeSent")]
        return [address for address in asked if not address.startswith(("data:", "blob:"))]

    def tasks(self, act: Callable[[], object]) -> list[float]:
        """How long the page was at each of its tasks while something is done: milliseconds, the longest first.

        It is the time of its thread on a processor, so other work of the machine does not count.
        """
        categories = [
            "toplevel",
            "devtools.timeline",
            "disabled-by-default-devtools.timeline",
            "blink.user_timing",
        ]
        self._browser.events.clear()
        self._browser.call(
            "Tracing.start", transferMode="ReportEvents", traceConfig={"includedCategories": categories}
        )
        act()
        self.run("performance.mark('lumpyard')")
        events = self._browser.traced()
        here = next((one["pid"], one["tid"]) for one in events if one["name"] == "lumpyard")
        own = [one for one in events if (one["pid"], one["tid"]) == here and one["name"] == "RunTask"]
        return sorted((one["tdur"] / 1000 for one in own if "tdur" in one), reverse=True)


def _start(chromium: str, folder: str, theirs_in: int, theirs_out: int) -> subprocess.Popen[bytes]:
    def pipes() -> None:
        # Through high numbers, for either may be 3 or 4 itself.
        os.dup2(theirs_in, 103)
        os.dup2(theirs_out, 104)
        os.dup2(103, 3)
        os.dup2(104, 4)

    return subprocess.Popen(
        [chromium, *_FLAGS, f"--user-data-dir={folder}", "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": folder},
        pass_fds=(3, 4),
        preexec_fn=pipes,  # noqa: PLW1509 - nothing here has threads
    )
