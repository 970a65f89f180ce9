#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the fuzz targets with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer.

    fuzz.py --cc clang-19 --flags "..." --libs "..." --work DIR --time 60 [--only npy,onnx]

A target is a test: its RUN lines make its seeds and list them after the number of rounds. NAME.dict has its words.
libFuzzer's findings stay in DIR/corpus/NAME, where the next run continues; an input that breaks something, or takes
more than 10 s or 2 GB, is in DIR/found. The closing line of each target counts executions and what they reach.
"""

import argparse
import glob
import os
import re
import shlex
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ROUNDS = 100000  # of one process: what models map stays mapped until its end


def prepare(name, work):
    """Carries out the RUN lines of a target but for those that compile it and start it; gives its seeds."""
    path, temporary, seeds = os.path.join(HERE, name + ".c"), os.path.join(work, "seeds", name), []
    os.makedirs(os.path.dirname(temporary), exist_ok=True)
    known = {"%{python}": shlex.quote(sys.executable), "%{root}": ROOT, "%S": HERE, "%s": path}
    with open(path, encoding="utf-8") as file:
        lines = re.findall(r"^// RUN: (.*)$", file.read(), re.M)
    for line in lines:
        for word, text in known.items():
            line = line.replace(word, text)
        words = line.split()
        if words[0] == "%t":
            seeds += [s for pattern in words[2:] for s in glob.glob(pattern.replace("%t", temporary))]
        elif words[0] != "%{cc}":
            subprocess.run(line.replace("%t", temporary), shell=True, check=True)
    return seeds


def build(name, options):
    target = os.path.join(options.work, "targets", name)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    command = [*shlex.split(options.cc), *shlex.split(options.flags), "-fsanitize=fuzzer",
               os.path.join(HERE, name + ".c"), "-o", target, *shlex.split(options.libs)]  # fmt: skip
    subprocess.run(command, check=True)
    return target


def fuzz(name, options):
    """True: nothing was found."""
    folders = [os.path.join(options.work, part, name) for part in ("corpus", "first", "found")]
    for folder in folders:
        os.makedirs(folder, exist_ok=True)
    corpus, first, found = folders
    for number, seed in enumerate(prepare(name, options.work)):
        with open(seed, "rb") as source, open(os.path.join(first, str(number)), "wb") as copy:
            copy.write(source.read())
    command = [build(name, options), "-timeout=10", "-rss_limit_mb=2048", "-max_len=4096", "-print_final_stats=1",
               f"-artifact_prefix={found}/", "-runs=" + str(ROUNDS), corpus, first]  # fmt: skip
    words = os.path.join(HERE, name + ".dict")
    if os.path.exists(words):
        command.append("-dict=" + words)
    environment = os.environ | {"ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=0"}
    end, executions, reached = time.monotonic() + options.time, 0, "0"
    while time.monotonic() < end - 1:
        left = f"-max_total_time={int(end - time.monotonic())}"
        done = subprocess.run([*command, left], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=False)  # fmt: skip
        log = done.stderr.decode(errors="replace")
        executions += sum(map(int, re.findall(r"^stat::number_of_executed_units: (\d+)", log, re.M)))
        reached = (re.findall(r" cov: (\d+)", log) or [reached])[-1]
        if done.returncode != 0:
            print("\n".join(log.splitlines()[-60:]))
            print(f"{name}: found something after {executions} executions: {found}", flush=True)
            return False
    print(f"{name}: {executions} executions, {reached} edges, {len(os.listdir(corpus))} inputs kept", flush=True)
    return True


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cc", required=True)
    options.add_argument("--flags", required=True)
    options.add_argument("--libs", required=True)
    options.add_argument("--work", required=True)
    options.add_argument("--time", type=int, default=60, help="seconds for each target")
    options.add_argument("--only", default="", help="names of targets, with commas")
    options = options.parse_args()
    options.work = os.path.abspath(options.work)
    names = sorted(os.path.basename(path)[:-2] for path in glob.glob(os.path.join(HERE, "*.c")))
    wanted = options.only.replace(",", " ").split() or names
    unknown = [name for name in wanted if name not in names]
    if unknown:
        sys.exit(f"error: no fuzz target is called '{unknown[0]}'; there are {', '.join(names)}")
    results = [fuzz(name, options) for name in wanted]
    sys.exit(0 if all(results) else 1)


main()
