# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls graphs with sizes that break more and more of their conditions, and prints the status that all tiers return."""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "support"), os.path.join(HERE, "..", "..", "random")]

import numpy as np  # noqa: E402
import tiers  # noqa: E402
from harness import Compiler  # noqa: E402

GRAPH = """graph {name}(a: f32[{A}, {B}], b: f32[{B}, {C}]{more_in}) -> (y, z: f32[3, 5]{more_out}) where {B} >= 2 {{
    x = reshape(a, [3, 4])
    y, _rest = split(a, 0, sizes=[1, 3])
    z = concat(b, b[:0], axis=0)
{more}}}
"""
CALLS = [(4, 3, 5), (4, 3, 7), (6, 2, 7), (5, 4, 7), (5, 1, 7), (2**62, 3, 7), (2**62, 1, 7)]
STORED = """graph {name}(a: u8[{A}, {C}], b: f32[{A}*{A}, 5, {B}] layout "a b c -> b a c"{more_in}) -> (y: f32[1, 1, 2]{more_out}) {{
    y = b[:, -2:-1]
{more}}}
"""
STORED_CALLS = [(1, 2, 2), (4, 3, 2), (4, 2**63 - 1, 2)]
PART = """graph {name}(s: u8[{A}, {B}, {C}], a: u8[{D}]{more_in}) -> (y{more_out}) where {B} == 5 {{
    y = cast(a, u4)
{more}}}
"""
PART_CALLS = [(2**63 - 1, 2, 0), (2**62, 5, 0), (2, 5, 0)]
NONE = {"more": "    _x = x\n", "more_in": "", "more_out": ""}
MORE = {**NONE, "more": "    _x = x\n    w = reshape(q, t)\n", "more_in": ", q: u8[2], t: i64[1]", "more_out": ", w"}


def text(graph, name, a="A", b="B", c="C", **more):
    if graph != GRAPH:
        more["more"] = more["more"].replace("    _x = x\n", "")
    size = "B*A - A" if a == "A" else b * a - a
    return graph.format(name=name, A=a, B=b, C=c, D=size, **more)


def run_files(reshapec, texts, a, b, c):
    """Returns the status whose words `reshapec run` prints."""
    np.save("a.npy", np.zeros((a, b), "f4"))
    np.save("b.npy", np.zeros((b, c), "f4"))
    done = subprocess.run([reshapec, "run", "both.rsh", "g", "a=a.npy", "b=b.npy", "y=y.npy"], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return "ok"
    return next((s for s, words in texts.items() if words in done.stderr), "guard_failed")


def main():
    reshapec, cc = sys.argv[1:]
    listed = subprocess.run([reshapec, "--list-statuses"], capture_output=True, text=True, check=True).stdout
    texts = {s: words for s, words in re.findall(r"^(\w+) +(.*)$", listed, re.M) if s != "ok"}
    call_all(reshapec, cc, texts, GRAPH, CALLS)
    call_all(reshapec, cc, texts, STORED, STORED_CALLS)
    call_all(reshapec, cc, texts, PART, PART_CALLS)


def call_all(reshapec, cc, texts, graph, calls):
    compiler, caller = Compiler(reshapec, cc, ".", timeout=60), tiers.Caller()
    with open("both.rsh", "w", encoding="utf-8") as file:
        file.write(text(graph, "g", **NONE) + text(graph, "d", **MORE))
    runtime = os.path.join(os.path.dirname(os.path.abspath(reshapec)), "librsh_runtime.a")
    libraries = {}
    for kind, emit in (("o", "obj"), ("c", "c")):
        done = compiler.call("both.rsh", f"--emit={emit}", "-o", f"both.{kind}", "--header", f"{kind}.h", "-fno-verify")
        assert done.returncode == 0, done.stderr
        library = f"{kind}_of_{calls[0][0]}.so"  # a loaded library cannot be replaced
        tiers.link(cc, [f"both.{kind}"], library, runtime, ["-fPIC"])
        libraries[kind] = tiers.Library(library, f"{kind}.h")
    for a, b, c in calls:
        said = {f"{name} in {kind}": caller.nothing(lib, name + "_shape", {"A": a, "B": b, "C": c}, {"t": np.array([2])})
                for kind, lib in libraries.items() for name in "gd"}
        errors = compiler.errors_by_graph("numbers", [text(graph, "k", a, b, c, **NONE)])[0]
        said["numbers"] = errors[0]["kind"] if errors else "ok"
        if graph == GRAPH and a < 100:
            said["run"] = run_files(reshapec, texts, a, b, c)
        print(f"A={a} B={b} C={c}: {' '.join(set(said.values()))}" if len(set(said.values())) == 1 else said)


if __name__ == "__main__":
    main()
