#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the frames of a report with the disassembly: stack.py MOST REPORT.json DISASSEMBLY

For Thumb: the registers that a function pushes, and what it subtracts from sp. Kernels without sizes as arguments use
at most MOST bytes.
"""

import json
import re
import sys

most, frames, name = int(sys.argv[1]), {}, None
with open(sys.argv[3], encoding="utf-8") as file:
    for line in file:
        if found := re.match(r"[0-9a-f]+ <(.*)>:", line):
            name = found[1]
            frames[name] = 0
        elif found := re.search(r"\tv?push(?:\.w)?\s+\{(.*)\}|\tstr\s+\w+, \[sp, #-4\]!", line):
            frames[name] += 4 * (found[1] or "r").count(",") + 4
        elif found := re.search(r"\tsub(?:\.w)?\s+sp, (?:sp, )?#(0x[0-9a-f]+|\d+)", line):
            frames[name] += int(found[1], 0)
wrong = compared = 0
with open(sys.argv[2], encoding="utf-8") as file:
    for graph in json.load(file)["graphs"]:
        if graph["calls"] == 1:
            compared += 1
            if graph["stack"] != frames[graph["name"]]:
                print(f"{graph['name']}: {graph['stack']} reported, {frames[graph['name']]} disassembled")
                wrong = 1
        if graph["stack"] > most:
            print(f"{graph['name']}: {graph['stack']} bytes of stack")
            wrong = 1
print(f"{compared} frames compared")
sys.exit(wrong or compared < 40)
