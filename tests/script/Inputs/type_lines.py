# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types lines into a program on a terminal, each after its prompt, and prints what the screen shows. In a line, <Tab>,
<Up>, <Ctrl-C> and <Ctrl-D> are keys, and `=> TEXT` at its end is the text that shows that it was accepted.
usage: type_lines.py PROGRAM < LINES"""
import os
import re
import sys

import pexpect

keys = {"<Tab>": "\t", "<Up>": "\x1b[A", "<Ctrl-C>": "\x03", "<Ctrl-D>": "\x04"}
os.environ["TERM"] = "dumb"
os.environ["HOME"] = os.getcwd()
os.environ.pop("XDG_STATE_HOME", None)
screen = pexpect.spawn(sys.argv[1], encoding="utf-8", timeout=60, echo=False, dimensions=(50, 200))
screen.logfile_read = sys.stdout
prompt = 1
screen.expect_exact(f"{prompt}> ")
for line in sys.stdin.read().splitlines():
    text, _, shown = line.partition(" => ")
    for part in re.split("(<[A-Z][A-Za-z-]*>)", text):
        screen.send(keys.get(part, part))
        if part == "<Tab>":
            screen.expect_exact(shown)
    if text.endswith("<Ctrl-D>"):
        break
    if not text.endswith("<Ctrl-C>"):
        screen.send("\r")
        prompt += shown != "..." and text != ""
    screen.expect_exact("... " if shown == "..." else pexpect.EOF if text == ":quit" else f"{prompt}> ")
    if text == ":quit":
        break
else:
    screen.send("\x04")
screen.expect(pexpect.EOF)
screen.close()
print(f"ended with {screen.exitstatus}")
