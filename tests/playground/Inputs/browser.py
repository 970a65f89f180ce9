# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The playground in headless Chromium: browser.py FOLDER COOKBOOK [PICTURES]

A server of files gives FOLDER to the browser, which is asked through a pipe (the DevTools protocol): a message is JSON, ended by
a zero byte. Prints what was found, line by line, and saves screenshots in PICTURES.
"""

import base64
import functools
import http.server
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import urllib.parse
from pathlib import Path

LONGEST = 60  # seconds that one answer may take


class Quiet(http.server.SimpleHTTPRequestHandler):
    asked = []

    def log_message(self, *arguments):
        self.asked.append(self.path)


class Browser:
    def __init__(self, work):
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not program:
            sys.exit("chromium is missing: scripts/deps.sh packages-playground.apt")
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()
        # The pipes are descriptors 3 and 4 of the browser, which sh arranges.
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "sh", program, "--headless=new",
             "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking", f"--user-data-dir={work}", "about:blank"],
            pass_fds=(to_browser, from_browser), stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.rest, self.session, self.events = 0, b"", None, []

    def read(self):
        while b"\0" not in self.rest:
            timer = threading.Timer(LONGEST, self.process.kill)
            timer.start()
            piece = os.read(self.into, 1 << 16)
            timer.cancel()
            if not piece:
                sys.exit("the browser ended, or did not answer in time")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                sys.exit(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def open(self, url):
        if self.session:
            self.session = None
            self.ask("Target.closeTarget", targetId=self.target)
        self.target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")
        self.ask("Page.navigate", url=url)
        self.js("new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))")
        self.settled()

    def js(self, text):
        """The value of an expression in the page; promises are waited for."""
        answer = self.ask("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            sys.exit(f"in the page: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def settled(self):
        """Waits until the page shows the result for the text in its fields."""
        self.js("""new Promise((done, late) => {
          const look = () => document.querySelector('main').ariaBusy === 'false' ? done() : setTimeout(look, 1);
          setTimeout(() => late(new Error('nothing was shown')), 20000); look(); })""")

    def type(self, text):
        """Replaces the text as a keyboard would: one event of input."""
        self.js("document.getElementById('text').focus(), document.getElementById('text').select()")
        self.ask("Input.insertText", text=text)
        self.settled()

    def of(self, name):
        return self.js(f"document.getElementById('{name}').textContent")

    def size(self, width, height, dark):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def picture(self, path):
        Path(path).write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def errors(self):
        """What the page wrote to the console, or threw."""
        return [event for event in self.events
                if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")]

    def close(self):
        self.session = None
        self.ask("Browser.close")
        self.process.wait()


def say(what, found):
    print(f"{what}: {found}", flush=True)


def contrast(browser, element):
    """Returns the least contrast of a text with its background, as in WCAG 2.1."""
    return browser.js("""(() => {
      const light = (c) => c.map((v) => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
                            .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
      const color = (text) => text.match(/[\\d.]+/g).map(Number);
      const e = document.querySelector('%s');
      let behind = e;
      while (behind && (color(getComputedStyle(behind).backgroundColor)[3] ?? 1) === 0) behind = behind.parentElement;
      const one = light(color(getComputedStyle(e).color).slice(0, 3));
      const two = light(color(getComputedStyle(behind || document.documentElement).backgroundColor).slice(0, 3));
      return (Math.max(one, two) + .05) / (Math.min(one, two) + .05);
    })()""" % element)


def run(browser, url, recipes, pictures):
    browser.open(url)
    say("title", browser.js("document.title"))
    say("first picture", browser.js("document.getElementById('picture').shadowRoot.querySelectorAll('svg rect').length > 10"))
    say("examples", browser.js("document.querySelectorAll('#example option[value]:not([value=\"\"])').length"))

    # Every chain of the cookbook, typed.
    times, wrong = [], 0
    browser.type("graph")
    for name, text in recipes:
        browser.type(text)
        times.append(float(browser.of("time").split()[0]))
        wrong += browser.of("messages") != "" or f"graph " not in browser.of("explain")
    say("recipes", f"{len(recipes)}, {wrong} with messages")
    say("text to picture", f"median {statistics.median(times):.1f} ms, longest {max(times):.1f} ms")

    # A typo: the message with its caret, and the last good picture, marked as old.
    good = "graph chw(photo: u8[28, 28, 3]) -> y {\n    y = photo |> transpose([2, 0, 1])\n}\n"
    browser.type(good)
    say("messages of a good text", repr(browser.of("messages")))
    browser.type(good.replace("transpose", "transposed"))
    print(browser.of("messages").rstrip(), flush=True)
    say("invalid", browser.js("document.getElementById('text').getAttribute('aria-invalid')"))
    say("stale", browser.js("document.getElementById('picture').classList.contains('stale')"))
    say("picture stays", browser.js("document.getElementById('picture').shadowRoot.querySelector('svg') !== null"))
    browser.js("document.querySelector('#messages a').click()")
    say("caret of the text", browser.js("(t => t.value.slice(t.selectionStart, t.selectionStart + 10))(document.getElementById('text'))"))

    # Its layout.
    browser.type("graph g( x:u8[2,3] )->y{y=transpose( x )}")
    browser.js("document.getElementById('format').click()")
    browser.settled()
    say("formatted", json.dumps(browser.js("document.getElementById('text').value")))
    browser.js("document.getElementById('text').focus(), document.execCommand('undo')")
    say("undone", browser.js("document.getElementById('text').value"))

    # An example takes the place of the text.
    browser.js("document.getElementById('example').selectedIndex = 3, document.getElementById('example').onchange()")
    say("example", browser.js("(e => document.getElementById('text').value === e.value && e.selectedIndex)(document.getElementById('example'))"))

    # C for another machine: that for a small one calls no library.
    browser.type("graph crop(x: u8[N, 100]) -> y {\n    y = x[:, 10:90]\n}\n")
    before = browser.of("code")
    browser.js("document.getElementById('target').value = 'thumbv7em-none-eabi -mcpu=cortex-m4'")
    browser.js("document.getElementById('target').onchange()")
    browser.js("document.getElementById('small').click()")
    browser.settled()
    say("for Cortex-M4", f"{'string.h' in before} {'string.h' in browser.of('code')} {'-Os -mcpu=cortex-m4' in browser.of('header')}")

    # The link holds the text, whatever it has; another tab shows the same.
    odd = "# größe & more: 100 % + \"quotes\" <b>\U0001F600</b>\n" + good
    browser.type(odd)
    browser.js("document.getElementById('link').click()")
    link = browser.js("location.href")
    explained = browser.of("explain")
    browser.open(link)
    same = browser.js("document.getElementById('text').value") == odd and browser.of("explain") == explained
    say("link", f"{same}, {browser.js('document.getElementById(`target`).value')}, small {browser.js('document.getElementById(`small`).checked')}")

    # A compiler that does not answer is stopped, and another one started.
    browser.js("Worker.prototype.real = Worker.prototype.postMessage, Worker.prototype.postMessage = () => 0")
    browser.js("document.getElementById('text').dispatchEvent(new Event('input'))")
    browser.js("Worker.prototype.postMessage = Worker.prototype.real")
    browser.js("""new Promise((done, late) => {
      const look = () => document.getElementById('messages').textContent ? done() : setTimeout(look, 10);
      setTimeout(() => late(new Error('it waits')), 20000); look(); })""")
    say("no answer", browser.of("messages").strip())
    browser.type(good)
    say("after that", repr(browser.of("messages")))

    # Every control has a label, and nothing is wider than the page.
    say("labels", browser.js("""[...document.querySelectorAll('select, textarea, button, input, [role=region], [role=img], [role=status]')]
      .filter(e => !(e.labels?.length || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.textContent.trim() || e.id === 'copied')).length"""))
    for dark in (False, True):
        for width, height in ((400, 1000), (1400, 1000)):
            browser.size(width, height, dark)
            browser.type(recipes[0][1])
            wide = browser.js("document.documentElement.scrollWidth - innerWidth")
            least = min(contrast(browser, element) for element in ("h1", "h2", "label", "button", "textarea", "#explain", ".faint"))
            say(f"{width} {'dark' if dark else 'light'}", f"{max(wide, 0)} px too wide, contrast {'good' if least >= 4.5 else least}")
            if pictures:
                browser.picture(f"{pictures}/{width}-{'dark' if dark else 'light'}.png")
                browser.type(good.replace("transpose", "transposed"))
                browser.picture(f"{pictures}/{width}-{'dark' if dark else 'light'}-message.png")


def main():
    folder, cookbook, *pictures = sys.argv[1:]
    recipes = re.findall(r"^```rsh (\S+)\n(.*?)^```$", Path(cookbook).read_text(encoding="utf-8"), re.M | re.S)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        browser = Browser(work)
        try:
            run(browser, f"http://127.0.0.1:{server.server_port}/", recipes, pictures[0] if pictures else None)
            say("errors in the page", browser.errors())
        finally:
            browser.process.poll() is None and browser.close()
    say("files asked for", " ".join(sorted({urllib.parse.urlsplit(path).path for path in Quiet.asked})))


if __name__ == "__main__":
    main()
