# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Refuses memory to each command, at one malloc call after another: only that call, and all calls from it on.

The command then does all that it normally does, or ends with one line of message and status 3, or 1 if a file cannot be
read or written; outputs are complete or untouched, and nothing is left behind.
usage: out_of_memory.py RESHAPEC REFUSE.so SHARE   (SHARE: of the calls of each command, so many are tried)
"""

import collections
import os
import sys

from commands import COMMANDS, Bench

reshapec, preload, share = sys.argv[1], os.path.abspath(sys.argv[2]), int(sys.argv[3])
bench = Bench(reshapec, reshapec, "work")
TRIED = ["check", "check of an error", "fmt", "explain", "explain --json", "explain --svg", "--emit=rsh", "--emit=c", "object",
         "dynamic object", "verify", "run -e", "chains", "chains --json", "optimize", "--version", "lsp"]
wrong = 0


def run(command, **environment):
    return bench.plain(command, env={**bench.environment, "LD_PRELOAD": preload, **environment})


def judge(ended, good):
    """"" where that is as it should be."""
    if ended.same(good):
        return ""
    if ended.end not in ("ended 1", "ended 3"):
        return ended.end
    lines = ended.stderr.count("\n")
    is_sarif = ended.end == "ended 1" and b'"id": "bad_file"' in ended.stdout  # says so on standard output
    if (lines < 1 and not is_sarif) or (ended.end == "ended 3" and lines != 1):
        return f"message {ended.stderr!r}"
    return ended.untidy(good)


for name in TRIED:
    command = COMMANDS[name]
    count = os.path.join(bench.folder, "calls")
    good = run(command, REFUSE_COUNT=count)
    bench.expect(name, command, good)
    with open(count, encoding="utf-8") as file:
        calls = int(file.read())
    found = collections.Counter()
    tried = 0
    for one in ({}, {"REFUSE_ONE": "1"}):
        for at in range(1, calls + 1, max(1, calls * 2 // share)):
            fault = judge(run(command, REFUSE_FROM=str(at), **one), good)
            tried += 1
            if fault:
                found[fault] += 1
                if found[fault] == 1:
                    print(f"{name}: call {at}{' alone' if one else ''}: {fault}")
    wrong += sum(found.values())
    print(f"{name}: {tried} of {2 * calls}, {sum(found.values())} wrong")
sys.exit(wrong > 0)
