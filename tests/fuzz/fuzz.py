#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the fuzz targets with libFuzzer or AFL++, AddressSanitizer and UndefinedBehaviorSanitizer.

    fuzz.py --cc clang-19 --flags "..." --libs "..." --work DIR --time 60 [--engine afl] [--only npy,onnx]

A target is a test: its RUN lines make its seeds and list them after the number of rounds. NAME.dict has its words.
What an engine finds stays in DIR/corpus/NAME, where the next run continues; an input that breaks something, or takes
more than 10 s or 2 GB, is in DIR/found (AFL++ has its own folder for these in DIR/corpus/NAME). The closing line of each
target counts executions and what they reach.
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
    engine = ENGINES[options.engine][0]
    command = [*shlex.split(options.cc), *shlex.split(options.flags), os.path.join(HERE, name + ".c"), "-o", target,
               *shlex.split(options.libs), *engine]  # fmt: skip
    subprocess.run(command, check=True)
    return target


def words_of(name, option):
    """What tells the engine where the words of a target are."""
    path = os.path.join(HERE, name + ".dict")
    return [option + path] if os.path.exists(path) else []


def afl(name, target, options, corpus, first, found):
    """True: nothing was found."""
    command = ["afl-fuzz", "-i", first, "-o", corpus, "-V", str(options.time), "-t", "10000", "-m", "none", "-G", "4096",
               *words_of(name, "-x"), "--", target, "-" + str(ROUNDS)]  # fmt: skip
    environment = os.environ | {
        "AFL_AUTORESUME": "1", "AFL_NO_UI": "1", "AFL_NO_AFFINITY": "1", "AFL_SKIP_CPUFREQ": "1",
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
        "ASAN_OPTIONS": "abort_on_error=1:symbolize=0:allocator_may_return_null=1:detect_leaks=0:hard_rss_limit_mb=2048",
    }  # fmt: skip
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)  # fmt: skip
    place = os.path.join(corpus, "default")
    try:
        with open(os.path.join(place, "fuzzer_stats"), encoding="utf-8") as file:
            told = dict(map(str.strip, line.split(":", 1)) for line in file)
    except FileNotFoundError:
        told = {}
    if done.returncode != 0 or not told:
        print(done.stdout.decode(errors="replace")[-4000:])
        print(f"{name}: afl-fuzz ended with status {done.returncode}", flush=True)
        return False
    kept = [f"{place}/{part}/{entry}" for part in ("crashes", "hangs") for entry in os.listdir(f"{place}/{part}")
            if entry.startswith("id:")]  # fmt: skip
    counts = f"{told['execs_done']} executions, {told['edges_found']} edges, {told['corpus_count']} inputs kept"
    print("\n".join([*kept, f"{name}: found something after {counts}" if kept else f"{name}: {counts}"]), flush=True)
    return not kept


def libfuzzer(name, target, options, corpus, first, found):
    """True: nothing was found."""
    command = [target, "-timeout=10", "-rss_limit_mb=2048", "-max_len=4096", "-print_final_stats=1",
               f"-artifact_prefix={found}/", "-runs=" + str(ROUNDS), *words_of(name, "-dict="), corpus, first]  # fmt: skip
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


AFL = "/usr/lib/afl"
ENGINES = {  # what is linked, and who runs it
    "libfuzzer": (["-fsanitize=fuzzer"], libfuzzer),
    "afl": ([f"{AFL}/libAFLDriver.a", f"{AFL}/afl-compiler-rt.o"], afl),
}


def fuzz(name, options):
    """True: nothing was found."""
    folders = [os.path.join(options.work, part, name) for part in ("corpus", "first", "found")]
    for folder in folders:
        os.makedirs(folder, exist_ok=True)
    corpus, first, found = folders
    for number, seed in enumerate(prepare(name, options.work)):
        with open(seed, "rb") as source, open(os.path.join(first, str(number)), "wb") as copy:
            copy.write(source.read())
    return ENGINES[options.engine][1](name, build(name, options), options, corpus, first, found)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cc", required=True)
    options.add_argument("--flags", required=True)
    options.add_argument("--libs", required=True)
    options.add_argument("--work", required=True)
    options.add_argument("--time", type=int, default=60, help="seconds for each target")
    options.add_argument("--engine", default="libfuzzer", choices=ENGINES)
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
