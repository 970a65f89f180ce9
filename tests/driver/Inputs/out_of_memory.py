# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes malloc fail in each command, at one call after another: only that call, and all calls from it on.

The command must then do all that it normally does, or exit with a message of one line and status 3, or 1 if a file
cannot be read or written, with a line for each such file. Outputs must be complete or unchanged, and nothing may be
left behind.
usage: out_of_memory.py RESHAPEC REFUSE.so FOLDER [--share N] [--seed N] [--only NAME] [--last N]

--share limits the number of failures per command, and --last tries only its last N calls. Otherwise all are tried.
"""

import collections
import os
import random
import subprocess
import sys

from commands import COMMANDS, Bench, arguments

options = arguments()
options.add_argument("--last", type=int)
options = options.parse_args()
bench = Bench(options.reshapec, options.reshapec, options.folder)
preload = os.path.abspath(options.fault)
generator = random.Random(options.seed)


def run(command, **environment):
    return bench.plain(command, env={**bench.environment, "LD_PRELOAD": preload, **environment})


def judge(command, good, **environment):
    """Returns "" if the run is right, else what is wrong."""
    try:
        ended = run(command, **environment)
    except subprocess.TimeoutExpired:
        bench.take(command)
        return "does not end"
    if ended.same(good):
        return ""
    if ended.end not in ("ended 1", "ended 3"):
        return "ends with 0, with other bytes" if ended.end == good.end else f"{ended.end} {ended.stderr!r}"
    added = [line for line in ended.stderr.splitlines() if line not in good.stderr.splitlines()]
    files = sum(": error: cannot be read: " in line for line in added)
    is_report = ended.end == "ended 1" and b'"bad_file"' in ended.stdout  # reported on standard output
    if (not added and not is_report) or (ended.end == "ended 3" and len(added) - files != 1):
        return f"message {ended.stderr!r}"
    return ended.untidy(good)


total = collections.Counter()
for title, command in COMMANDS.items():
    if options.only and options.only != title:
        continue
    count = os.path.join(bench.folder, "calls")
    good = run(command, REFUSE_COUNT=count)
    bench.expect(title, command, good)
    with open(count, encoding="utf-8") as file:
        calls = int(file.read())
    first = max(1, calls - options.last + 1) if options.last else 1
    tries = [(at, one) for one in ({}, {"REFUSE_ONE": "1"}) for at in range(first, calls + 1)]
    if options.share and options.share < len(tries):
        tries = generator.sample(tries, options.share)
    wrong = 0
    for at, one in tries:
        fault = judge(command, good, REFUSE_FROM=str(at), **one)
        if fault:
            wrong += 1
            if wrong == 1 or options.all_findings:
                print(f"{title}: call {at}{' alone' if one else ''}: {fault}")
    print(f"{title}: {calls} calls, {len(tries)} refusals, {wrong} wrong", flush=True)
    total.update(refusals=len(tries), wrong=wrong)
print(f"{total['refusals']} refusals, {total['wrong']} wrong")
sys.exit(total["wrong"] > 0)
