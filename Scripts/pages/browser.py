"""A headless Chromium that a test drives: DevTools over a pair of pipes, with nothing but the standard library."""

import base64
import json
import os
import select
import subprocess
import tempfile
import time


class PageError(Exception):
    """The page threw, or did not come to what was waited for."""


class Browser:
    def __init__(self, program, width=1200, height=900, dark=False):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()
        # Chromium reads commands from descriptor 3 and writes answers to 4.
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                 f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}", "about:blank"]
        if dark:
            flags.insert(0, "--blink-settings=preferredColorScheme=0")
        redirect = f"exec \"$@\" 3<&{to_browser} 4>&{from_browser}"
        self.process = subprocess.Popen(
            ["bash", "-c", redirect, "bash", program] + flags, pass_fds=[to_browser, from_browser],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        #: What the page said of errors: exceptions, refused scripts, failed loads.
        self.complaints = []
        self.dialogs = 0
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.call(f"{domain}.enable")

    def close(self):
        os.close(self.commands)
        self.process.terminate()
        self.process.wait()
        os.close(self.answers)
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        own = self.number
        while True:
            answer = self.next_message(60)
            if answer.get("id") == own:
                if "error" in answer:
                    raise PageError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def next_message(self, patience):
        deadline = time.monotonic() + patience
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], max(0, deadline - time.monotonic()))[0]:
                raise PageError("the browser does not answer")
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise PageError("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self.note(message)
        return message

    def note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.dialogs += 1
            self.complaints.append(f"a dialog: {parameters['message']}")

    def open(self, address):
        """Opens a page, and returns the seconds until its load event and the next picture on the screen."""
        start = time.monotonic()
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        return time.monotonic() - start

    def value(self, expression):
        """What an expression comes to in the page; promises are waited for."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise PageError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, condition, patience=20):
        deadline = time.monotonic() + patience
        while not self.value(f"!!({condition})"):
            if time.monotonic() > deadline:
                raise PageError(f"never: {condition}")
            time.sleep(0.02)

    def key(self, name, text=None):
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35,
                 "Escape": 27, "Enter": 13, "Tab": 9}
        own = {"key": name, "code": name, "windowsVirtualKeyCode": codes.get(name, 0)}
        if name == "Enter":
            text = "\r"
        if text:
            own["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **own)
        self.call("Input.dispatchKeyEvent", type="keyUp", **{k: v for k, v in own.items() if k != "text"})

    def type(self, text):
        for character in text:
            self.key(character, character)

    def drag(self, start, end):
        (x, y), (to_x, to_y) = start, end
        mouse = {"button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, buttons=1, **mouse)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=to_x, y=to_y, buttons=1, button="left")
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=to_x, y=to_y, buttons=0, **mouse)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
