#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pads and rolls of many axes in the dynamic tier, against numpy.

    borders.py --reshapec build/reshapec --cc cc --work DIR

The shape is the target of a reshape, which is data, or the shape of a tensor of any rank.
"""

import os
import sys

import numpy as np

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import dynamic  # noqa: E402
import harness  # noqa: E402
import oracle  # noqa: E402
from graph import bracket, write_file  # noqa: E402

SHAPE = [2, 3, 2, 1, 2, 3, 2, 2]
BEFORE = [1, 2, 1, 1, -1, 2, 0, 1]
AFTER = [1, 0, 1, 2, 1, -1, 3, 1]
SHIFTS = [1, -1, 3, 5, 1, 2, 0, -3]
MODES = ["edge", "reflect", "symmetric", "wrap", "edge_axes", "roll", "roll_one"]


def operator(mode, rank):
    """The arguments of the operator, and how numpy does it."""
    if mode == "roll":
        shifts, axes = SHIFTS[:rank], [i - rank for i in range(rank)]
        return f"roll({bracket(shifts)}, {bracket(axes)})", lambda x: np.roll(x, shifts, axes)
    if mode == "roll_one":
        axes = list(range(rank))[::-1]
        return f"roll([1], {bracket(axes)})", lambda x: np.roll(x, [1] * rank, axes)
    name = mode.split("_")[0]
    axes = [rank - 1 - i for i in range(rank)] if mode == "edge_axes" else list(range(rank))
    pads = [BEFORE[i] for i in axes] + [AFTER[i] for i in axes]
    text = f'pad({bracket(pads)}, mode="{name}"'
    text += f", axes={bracket([a - rank for a in axes])})" if mode == "edge_axes" else ")"
    pairs = {i: (BEFORE[i], AFTER[i]) for i in range(rank)}
    return text, lambda x: oracle.pad(x, pairs, name)


def main():
    compiler, _ = harness.parse_arguments(__doc__)
    texts, jobs = [], []
    for mode in MODES:
        for rank in (3, 4, 6, 8):
            text, apply = operator(mode, rank)
            count = int(np.prod(SHAPE[:rank]))
            value = np.arange(count, dtype=np.int32)
            name = f"{mode}_{rank}"
            texts.append(
                f"graph told_{name}(x: i32[{count}], s: i64[{rank}]) -> y {{\n"
                f"    y = x |> reshape(s) |> {text} |> flip([0])\n}}\n"
            )
            texts.append(f"graph any_{name}(x: i32[*]) -> y {{\n    y = x |> {text} |> flip([0])\n}}\n")
            shape = np.array(SHAPE[:rank], np.int64)
            wanted = np.flip(apply(value.reshape(shape)), 0)
            jobs.append((f"told_{name}", {"x": value, "s": shape}, wanted))
            jobs.append((f"any_{name}", {"x": value.reshape(shape)}, wanted))
    path = compiler.path("borders.rsh")
    write_file(path, texts)
    program = dynamic.Program(compiler, path, "borders", "-O0")

    def work(job):
        name, inputs, wanted = job
        made = program.run(name, {}, inputs, {"y": "i4"})
        if isinstance(made, str):
            return f"got {made}"
        same = made["y"].shape == wanted.shape and (made["y"] == wanted).all()
        return "" if same else "sizes or elements differ"

    wrong = 0
    for job, verdict in harness.isolated(jobs, work):
        wrong += bool(verdict)
        if verdict:
            print(f"{job[0]}: {verdict}")
    print(f"{len(jobs)} graphs, {wrong} wrong")
    largest = max(program.plan(job[0]).nbytes for job in jobs)
    print(f"the largest plan is {'less' if largest < 1 << 20 else 'more'} than 1 MB")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
