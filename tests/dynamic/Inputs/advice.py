# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows explain's suggestions until nothing is dynamic, and prints the result for each graph."""

import json
import re
import subprocess
import sys

reshapec, path, copy = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = "".join(line for line in file if not line.startswith("#"))
taken = {}
for _ in range(4):
    with open(copy, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([reshapec, "explain", "--json", copy], capture_output=True, text=True, check=True)
    graphs = json.loads(done.stdout)["graphs"]
    for graph in graphs:
        why = [o["why"] for o in graph["outputs"] if o["tier"] == "dynamic"]
        advice = re.search("`where (.*)` would help", why[0]) if why else None
        if advice:
            first = graph["name"] not in taken
            taken.setdefault(graph["name"], []).append(advice[1])
            head = re.search(rf"graph {graph['name']}\(.*?\{{", text)[0]
            text = text.replace(head, f"{head[:-1]}{'where' if first else ','} {advice[1]} {{")
for graph in graphs:
    print(graph["name"], ", ".join(taken.get(graph["name"], ["nothing"])), *sorted({o["tier"] for o in graph["outputs"]}))
