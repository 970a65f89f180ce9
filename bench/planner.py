# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far the planner's choice is from the best one in its search space, measured by `reshapec tune`.

planner.py --reshapec R --work W [--table cases|ttc57] [--only REGEX] [--every N] [--near]

A row is one move: the time of the planner's way divided by that of the fastest, how many of all ways were measured, and
the fastest if it is not the planner's. These two are measured once more, because the least of many measurements is also
the luckiest; below 3 % the planner's way counts as the fastest. With --near, only ways near the planner's and near the
fastest are measured, as tune does by default; without it, all ways.
"""
import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

from bench import read_cases

WITHIN = 1.10


def measured_moves(case, options):
    name, dtype, shape, steps = case
    source = Path(options.work) / f"{name}.rsh"
    chain = " |> ".join(step[2] for step in steps)
    source.write_text(f"graph k(x: {dtype}{shape}) -> y {{\n    y = x |> {chain}\n}}\n")
    command = [options.reshapec, "tune", source, "-O3", "-mcpu=native", "--json", "-o", source.with_suffix(".tuning")]
    command += [] if options.near else ["--all"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["moves"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    for name in ("reshapec", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--table", choices=("cases", "ttc57"), default="cases")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1, help="of so many rows the first")
    parser.add_argument("--near", action="store_true")
    options = parser.parse_args()
    Path(options.work).mkdir(parents=True, exist_ok=True)
    cases = list(read_cases(options.table, options.only))
    ratios = []
    print(f"{'case':34} {'of best':>8} {'ways':>9}  best")
    for case in cases[::options.every]:
        for move in measured_moves(case, options):
            ways = move["measured"]
            best = next(way for way in ways if way["choice"] == move["choice"])
            ratios.append(ways[0]["seconds"] / best["seconds"])
            other = f"{best['choice']}, not {ways[0]['choice']}" if best is not ways[0] else ""
            print(f"{case[0]:34} {ratios[-1]:8.2f} {len(ways):4}/{move['ways']:4}  {other}", flush=True)
    good = sum(ratio <= WITHIN for ratio in ratios)
    print(f"{good} of {len(ratios)} moves within 10 % of the best way, geometric mean {statistics.geometric_mean(ratios):.3f}")
    return 0


sys.exit(main())
