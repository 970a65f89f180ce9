# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""terminal.py COMMAND...: runs it with standard error on a terminal and prints what that got, a line a `\\r`."""

import os
import pty
import subprocess
import sys

terminal, other_end = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stderr=other_end, env={**os.environ, "TERM": "xterm"})
os.close(other_end)
text = b""
try:
    while piece := os.read(terminal, 4096):
        text += piece
except OSError:  # the other end is closed
    pass
print(text.decode().replace("\r\n", "\n").replace("\r", "\n").replace("\033[K", "<end>"))
sys.exit(child.wait())
