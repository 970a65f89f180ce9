# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Refuses memory to each command, at one call of malloc after another: that call alone, and all from it on.

The command then does all that it does otherwise, or ends with one line of message and status 3, or 1 where a file
cannot be read or written; outputs are whole or untouched, and nothing is left behind.
usage: out_of_memory.py RESHAPEC REFUSE.so SHARE   (SHARE: of the calls of each command, so many are tried)
"""

import collections
import os
import subprocess
import sys

from onnx import parser, save

reshapec, preload, share = sys.argv[1], os.path.abspath(sys.argv[2]), int(sys.argv[3])

with open("open.rsh", "w", encoding="utf-8") as file:
    file.write("""graph f(x: f32[N, 4, 6]) -> (y, z) where N > 1 {
  a = transpose(x, [2, 0, 1])
  y = reshape(a, [6, -1]) |> mul(2.0)
  z = concat(x[0:1], x[1:2], axis=1)
}
""")
with open("any.rsh", "w", encoding="utf-8") as file:
    file.write("graph d(x: f32[?, ?], s: i64[2]) -> y { y = reshape(x, s) }\n")
with open("wrong.rsh", "w", encoding="utf-8") as file:
    file.write("graph w(x: f32[2, 3]) -> y { y = reshape(x, [4, 2]) }\n")
save(parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
m (float[2, 3, 4] x) => (float[4, 6] y) {
  p = Transpose <perm = [2, 0, 1]> (x)
  q = Relu (p)
  t = Constant <value_ints = [4, 6]> ()
  r = Identity (q)
  y = Reshape (r, t)
}"""), "m.onnx")

commands = {
    "check --json": ["check", "--json", "open.rsh"],
    "check of an error": ["check", "--sarif", "wrong.rsh"],
    "fmt": ["fmt", "open.rsh"],
    "explain": ["explain", "open.rsh"],
    "explain --json": ["explain", "--json", "open.rsh"],
    "explain --svg": ["explain", "--svg", "open.rsh"],
    "--emit=rsh": ["--emit=rsh", "open.rsh", "-o", "out"],
    "--emit=c": ["--emit=c", "open.rsh", "-o", "out", "--header", "out.h"],
    "object": ["open.rsh", "-o", "out", "--header", "out.h", "--report=json"],
    "dynamic": ["any.rsh", "-o", "out", "--header", "out.h"],
    "verify": ["verify", "--json", "any.rsh"],
    "run": ["run", "-e", "transpose([[1, 2, 3], [4, 5, 6]])"],
    "chains": ["chains", "m.onnx"],
    "chains --json": ["chains", "--json", "m.onnx"],
    "optimize": ["optimize", "m.onnx", "-o", "out"],
    "--version": ["--version"],
}
outputs = ["out", "out.h"]
mine = set(os.listdir(".")) | {"calls"} | set(outputs)
wrong = 0


def run(arguments, **environment):
    for path in outputs:
        with open(path, "w", encoding="utf-8") as file:
            file.write("old")
    ended = subprocess.run([reshapec, *arguments], env={**os.environ, "LD_PRELOAD": preload, **environment},
                           capture_output=True, timeout=60, check=False)
    files = []
    for path in outputs:
        with open(path, "rb") as file:
            files.append(file.read())
    return ended, files


def judge(ended, files, good, good_files):
    """"" where that is as it should be."""
    if (ended.returncode, ended.stdout, files) == (good.returncode, good.stdout, good_files):
        return ""
    if ended.returncode not in (1, 3):
        return f"status {ended.returncode}"
    is_sarif = ended.returncode == 1 and b'"id": "bad_file"' in ended.stdout  # says so on standard output
    if (ended.stderr.count(b"\n") < 1 and not is_sarif) or (ended.returncode == 3 and ended.stderr.count(b"\n") != 1):
        return f"message {ended.stderr}"
    if any(file not in (b"old", whole) for file, whole in zip(files, good_files)):
        return "a file is half-written"
    left = set(os.listdir(".")) - mine
    return f"left behind: {sorted(left)}" if left else ""


for name, arguments in commands.items():
    good, good_files = run(arguments, REFUSE_COUNT="calls")
    with open("calls", encoding="utf-8") as file:
        calls = int(file.read())
    found = collections.Counter()
    tried = 0
    for one in ({}, {"REFUSE_ONE": "1"}):
        for at in range(1, calls + 1, max(1, calls * 2 // share)):
            ended, files = run(arguments, REFUSE_FROM=str(at), **one)
            fault = judge(ended, files, good, good_files)
            tried += 1
            if fault:
                found[fault] += 1
                if found[fault] == 1:
                    print(f"{name}: call {at}{' alone' if one else ''}: {fault}")
                for path in set(os.listdir(".")) - mine:
                    os.remove(path)
    wrong += sum(found.values())
    print(f"{name}: {tried} of {2 * calls}, {sum(found.values())} wrong")
sys.exit(wrong > 0)
