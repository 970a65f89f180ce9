#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands in the first table of docs/reliability.md in order, and prints the last line and the time of each.

    reliability.py --make make --work DIR [--only "fuzz prove"] [--page PAGE] [--list]

The output of each is in DIR. Exit status: 0 if none fails, 1 otherwise.
"""

import argparse
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def targets_of(page):
    with open(page, encoding="utf-8") as file:
        return re.findall(r"^\| `make ([\w-]+(?: \w+=\w+)*)` \|", file.read(), re.M)


def last_line(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("make")]
    return lines[-1] if lines else ""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--make", default="make")
    options.add_argument("--work", required=True)
    options.add_argument("--only", default="")
    options.add_argument("--page", default=os.path.join(ROOT, "docs", "reliability.md"))
    options.add_argument("--list", action="store_true", help="print the targets")
    options = options.parse_args()
    targets = targets_of(options.page)
    names = list(dict.fromkeys(target.split()[0] for target in targets))
    wanted = options.only.split() or names
    if not targets:
        sys.exit(f"error: {options.page} has no table of commands")
    if unknown := [name for name in wanted if name not in names]:
        sys.exit(f"error: docs/reliability.md has no command 'make {unknown[0]}'; it has {', '.join(names)}")
    if options.list:
        print(*wanted, sep="\n")
        return
    os.makedirs(options.work, exist_ok=True)
    rows, failed = [], 0
    for name in [target for target in targets if target.split()[0] in wanted]:
        log, began = os.path.join(options.work, name.replace(" ", "-") + ".log"), time.monotonic()
        print(f"make {name}: {log}", flush=True)
        with open(log, "w", encoding="utf-8") as out:
            # ONLY is for this script, not for the command.
            status = subprocess.run([*options.make.split(), *name.split(), "ONLY="], stdout=out, stderr=subprocess.STDOUT, check=False).returncode
        failed += status != 0
        rows.append((name, "ok" if status == 0 else f"FAILED ({status})", f"{time.monotonic() - began:.0f} s", last_line(log)))
    for name, result, seconds, said in rows:
        print(f"{name:17} {result:11} {seconds:>8}  {said}")
    print(f"{len(rows)} commands, {failed} failed")
    sys.exit(1 if failed else 0)


main()
