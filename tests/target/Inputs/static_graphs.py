#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs of many pieces, with known sizes: static_graphs.py SEED COUNT

Borders of two to six axes, up to 16 inputs that are joined or stacked, parts, and rolls, each with or without a
transposition after it. They cover what a corpus of models does not have.
"""

import random
import sys

TYPES = ["u8", "i8", "i16", "f16", "f32", "i64"]


def dims_of(pick, least, most):
    rank = pick.randint(least, most)
    return [pick.randint(2, 10 if rank < 4 else 6) for _ in range(rank)]


def turned(pick, text, rank):
    return f"{text} |> transpose({pick.sample(range(rank), rank)})" if pick.random() < 0.5 else text


def border(pick, dtype):
    dims, mode = dims_of(pick, 2, 6), pick.choice(["constant", "constant", "edge", "reflect", "symmetric", "wrap"])
    axes = len(dims) if mode == "constant" else min(len(dims), 3)
    widths = [[pick.randint(0, min(2, n - 1)) if i < axes else 0 for i, n in enumerate(dims)] for _ in range(2)]
    text = f'pad(x, {widths[0] + widths[1]}, mode="{mode}")'
    return f"(x: {dtype}{dims}) -> y {{ y = {turned(pick, text, len(dims))} }}"


def joined(pick, dtype):
    dims, count = dims_of(pick, 1, 5), pick.randint(2, 16)
    axis, names = pick.randrange(len(dims)), [f"x{i}" for i in range(count)]
    inputs = [f"{n}: {dtype}{[*dims[:axis], pick.randint(1, 9), *dims[axis + 1 :]]}" for n in names]
    text = turned(pick, f"concat({', '.join(names)}, axis={axis})", len(dims))
    if pick.random() < 0.3:
        text += f" |> pad({[1] * 2 * len(dims)}, value=3)"
    return f"({', '.join(inputs)}) -> y {{ y = {text} }}"


def stacked(pick, dtype):
    dims, names = dims_of(pick, 1, 4), [f"x{i}" for i in range(pick.randint(2, 16))]
    text = f"stack({', '.join(names)}, axis={pick.randint(0, len(dims))})"
    inputs = ", ".join(f"{n}: {dtype}{dims}" for n in names)
    return f"({inputs}) -> y {{ y = {turned(pick, text, len(dims) + 1)} }}"


def parted(pick, dtype):
    dims, parts = dims_of(pick, 2, 4), pick.randint(2, 8)
    axis, order = pick.randrange(len(dims)), pick.sample(range(len(dims)), len(dims))
    dims[axis] = parts * pick.randint(1, 5)
    results = [f"y{i}" for i in range(parts)]
    taken = ", ".join(f"p{i}" for i in range(parts))
    lines = [f"    {r} = transpose(p{i}, {order})" for i, r in enumerate(results)]
    return "\n".join([f"(x: {dtype}{dims}) -> ({', '.join(results)}) {{",
                      f"    {taken} = split(x, axis={axis}, parts={parts})", *lines, "}"])  # fmt: skip


def rolled(pick, dtype):
    dims = dims_of(pick, 2, 5)
    axes = pick.sample(range(len(dims)), min(len(dims), pick.randint(1, 3)))
    text = f"roll(x, {[1] * len(axes)}, axes={axes})"
    return f"(x: {dtype}{dims}) -> y {{ y = {turned(pick, text, len(dims))} }}"


def main():
    pick = random.Random(int(sys.argv[1]))
    for i in range(int(sys.argv[2])):
        make = pick.choice([border, border, joined, joined, stacked, parted, rolled])
        print(f"graph g{i}{make(pick, pick.choice(TYPES))}")


main()
