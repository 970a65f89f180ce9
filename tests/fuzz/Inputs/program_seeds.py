# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""program_seeds.py FOLDER FILE.rsh ...: each graph of the files with a call behind it."""
import os
import re
import sys

FOLDER, FILES = sys.argv[1], sys.argv[2:]
os.makedirs(FOLDER, exist_ok=True)
for path in FILES:
    with open(path, encoding="utf-8") as file:
        graphs = re.findall(r"^graph [^{]*\{[^}]*\}$", file.read(), re.M)
    for number, graph in enumerate(graphs):
        call = bytes((i * 7 + number) % 5 for i in range(64))
        with open(os.path.join(FOLDER, f"{os.path.basename(path)}.{number}"), "wb") as seed:
            seed.write(graph.encode() + b"\0" + call)
