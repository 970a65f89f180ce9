#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""library_seeds.py FOLDER: bytes of calls of the library. Each opens a handle, reads a text, and uses it."""

import os
import sys

OPEN, READ, MESSAGES, EXPLAIN, EMIT, SAVE, RESTORE, GRAPH = 0, 1, 2, 3, 4, 13, 21, 6
OTHER = 64  # the second handle
folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for text in range(12):
    for last in range(6):
        opened = [OPEN, 0, 0, 0, 0, 0, last, 0 if last < 5 else 0xD0 + text, 1]
        used = [MESSAGES, EXPLAIN, last, EMIT, last, 2, GRAPH, 1, 4, 5, 6, 7, 8, 0, SAVE]
        restored = [OTHER, *opened[1:], OTHER + READ, text, 0, OTHER + RESTORE, 0x80 * (last % 2), 9]
        with open(os.path.join(folder, f"{text}-{last}"), "wb") as file:
            file.write(bytes([*opened, READ, text, 0, *used, *restored, OTHER + GRAPH, 1, 2, 2, 2, 2, 2, 1]))
