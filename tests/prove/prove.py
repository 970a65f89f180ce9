#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proves properties of the runtime's C for all inputs, and shows that each proof would detect a fault.

    prove.py --clang clang-19 --work DIR [--only slice,axis] [--targets 1] [--no-mutants]

A harness is a C file in Inputs. It includes sources of runtime/ and says with prove.h what holds for which inputs.
clang makes LLVM IR of it, with checks for all undefined behavior; execute.py runs it on all paths, and Z3 searches for
inputs that break a property. In its comment, a line each:

    TARGET: i686-linux-gnu -Os     prove it for this machine, with these options
    MUTANT: FILE | OLD | NEW       for the first machine: with NEW in place of OLD in FILE some input has to break it

A mutant counts if such an input was found, and it breaks the property again as numbers.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import time

import execute
import ir

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HARNESSES = os.path.join(HERE, "Inputs")
FLAGS = ("-std=c11 -O1 -ffreestanding -fno-builtin -fno-vectorize -fno-slp-vectorize -mllvm -disable-vector-combine "
         "-Wno-unused-function -fsanitize=undefined -fsanitize-trap=all "
         "-fno-sanitize=alignment,null,object-size,pointer-overflow,function -S -emit-llvm").split()  # fmt: skip


def rows(text, word):
    return re.findall(rf"^// {word}: (.*)$", text, re.M)


def module_of(options, harness, target, root=None):
    name = re.sub(r"\W+", "-", f"{harness}-{target}")
    out = os.path.join(options.work, name + ".ll")
    triple, *flags = target.split()
    folders = [f"-I{folder}" for folder in (root, ROOT) if folder]
    command = [options.clang, f"--target={triple}", *FLAGS, *flags, *folders, os.path.join(HARNESSES, harness + ".c"), "-o", out]
    subprocess.run(command, check=True)
    with open(out, encoding="utf-8") as file:
        return ir.Module(file.read())


def mutate(options, row):
    """A folder with the file, changed. The change stands for itself if it is made once."""
    name, old, new = (part.strip() for part in row.split(" | "))
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        text = file.read()
    if text.count(old) != 1:
        sys.exit(f"error: {name} has {text.count(old)} places of a mutant, not 1: {old}")
    root = os.path.join(options.work, "mutant")
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(os.path.join(root, os.path.dirname(name)))
    with open(os.path.join(root, name), "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))
    return root


def attempt(module):
    """(None or what breaks, inputs, counts)."""
    e = execute.Execution(module)
    try:
        if e.run():
            return None, None, e.counts
    except execute.Unable as error:
        return str(error), None, e.counts
    again = execute.Execution(module, e.found)
    if again.run():
        return "the solver found inputs that break nothing: " + shown(e.found), None, e.counts
    return again.why, e.found, e.counts


def shown(inputs):
    """What harnesses ask for: i64_2 is the second value of all, of 64 bits."""
    asked = [(int(bits), n) for name, n in inputs.items() for bits in re.findall(r"^i(\d+)_", name)]
    return "(" + ", ".join(str(execute.signed(n, bits)) for bits, n in asked) + ")"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--clang", default="clang-19")
    options.add_argument("--work", required=True)
    options.add_argument("--only", default="")
    options.add_argument("--targets", type=int, default=99, help="of each harness, the first so many")
    options.add_argument("--no-mutants", action="store_true")
    options = options.parse_args()
    os.makedirs(options.work, exist_ok=True)
    names = sorted(os.path.basename(path)[:-2] for path in glob.glob(os.path.join(HARNESSES, "*.c")))
    wanted = options.only.replace(",", " ").split() or names
    if unknown := [name for name in wanted if name not in names]:
        sys.exit(f"error: no harness is called '{unknown[0]}'; there are {', '.join(names)}")
    proofs = refuted = failed = 0
    began = time.monotonic()
    for name in wanted:
        with open(os.path.join(HARNESSES, name + ".c"), encoding="utf-8") as file:
            text = file.read()
        targets = rows(text, "TARGET")[: options.targets]
        for target in targets:
            start = time.monotonic()
            why, inputs, counts = attempt(module_of(options, name, target))
            said = f"{counts.paths} paths, {counts.queries} queries, {time.monotonic() - start:.1f} s"
            proofs += why is None
            failed += why is not None
            result = "proved:" if why is None else f"FAILED: {why} {shown(inputs) if inputs else ''}"
            print(f"{name}, {target}: {result} {said}", flush=True)
        for row in [] if options.no_mutants else rows(text, "MUTANT"):
            start = time.monotonic()
            try:
                module = module_of(options, name, targets[0], mutate(options, row))
            except subprocess.CalledProcessError:
                sys.exit(f"error: a mutant does not compile: {row}")
            why, inputs, _ = attempt(module)
            refuted += inputs is not None
            failed += inputs is None
            result = f"refuted by {shown(inputs)}" if inputs is not None else f"FAILED: {why or 'proved as well'}"
            print(f"{name}, mutant {row.split(' | ')[2]}: {result}: {time.monotonic() - start:.1f} s", flush=True)
    print(f"{proofs} proofs, {refuted} mutants refuted, {failed} failed, {time.monotonic() - began:.0f} s")
    sys.exit(1 if failed else 0)


main()
