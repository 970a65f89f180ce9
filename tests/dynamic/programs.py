#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random chains in every tier: what is known at compile time must not change the results.

    programs.py --reshapec build/reshapec --cc cc --work DIR --seed 1 --count 200

Each chain is written with its sizes as numbers, as symbols (`?`), with the targets of its reshapes as data, and with
unknown ranks. All are called on the same elements, and must agree with numpy in sizes and elements, or give the status
of the first operator that numpy refuses: at compile time if that is certain. Chains are sometimes wrong on purpose;
sizes are often 0 and 1.
"""

import os
import random
import sys

import numpy as np

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import dynamic  # noqa: E402
import harness  # noqa: E402
import oracle  # noqa: E402
from graph import bracket, write_file  # noqa: E402

KINDS = {"i32": "i4", "u8": "u1", "f64": "f8", "i16": "i2"}
MODES = ["numbers", "symbols", "data", "any_rank"]


def random_target(rng, shape):
    """A target that often fits."""
    target, left = [], int(np.prod(shape, dtype=np.int64))
    for _ in range(rng.randint(0, 3)):
        factors = [f for f in (1, 2, 3, 4, 5, 6) if left and left % f == 0]
        target.append(rng.choice(factors or [0, 1]))
        left //= max(target[-1], 1)
    target.insert(rng.randint(0, len(target)), left)
    roll = rng.random()
    if roll < 0.5:
        target[rng.randrange(len(target))] = -1
    if roll > 0.8 and shape:
        i = rng.randrange(len(target))
        if i < len(shape) and shape[i] == target[i]:
            target[i] = 0
    if roll < 0.04:
        target[rng.randrange(len(target))] = rng.choice([-2, -1, 0, 7, 2**31])
    return target


def filled(padded):
    """Elements are numbers from 0 on; what pad adds is -1 here, and 0 in graphs."""
    return np.where(padded < 0, 0, padded)


def step(rng, x):
    """One operator on x: its name, its arguments as text, and how numpy does it."""
    rank, op = x.ndim, rng.choice(
        ["reshape"] * 4
        + ["transpose"] * 3
        + ["slice", "flip", "expand", "pad", "tile", "roll", "squeeze", "unsqueeze", "flatten"]
        + ["concat", "gather", "cast"]
    )
    axes = rng.sample(range(rank), rng.randint(1, rank)) if rank else []
    wrong = rng.random() < 0.02
    if op == "reshape":
        target = random_target(rng, x.shape)
        return op, target, lambda: oracle.reshape(x, target)
    if op == "transpose":
        perm = rng.sample(range(rank), rank)
        return op, [bracket(perm)], lambda: oracle.transpose(x, perm)
    if op == "slice" and axes:
        starts = [rng.randint(-4, 4) for _ in axes]
        ends = [rng.randint(-4, 5) for _ in axes]
        steps = [rng.choice([1, 1, 1, 2, -1, -2, 3]) for _ in axes]
        lists = [starts, ends, axes, steps]
        return op, [bracket(n) for n in lists], lambda: oracle.slice_(x, *lists)
    if op == "flip" and axes:
        return op, [bracket(axes)], lambda: oracle.flip(x, axes)
    if op == "expand":
        dims = [rng.choice([1, 2, 3]) if d == 1 else d for d in x.shape]
        dims = [rng.choice([1, 2])] * (rng.random() < 0.3 and rank < 5) + dims
        dims = [d + wrong for d in dims]
        return op, [bracket(dims)], lambda: oracle.expand(x, dims)
    if op == "pad" and rank:
        pads = [rng.choice([0, 0, 1, 2, -1]) for _ in range(2 * rank)]
        mode = rng.choice(["constant", "constant", "edge", "wrap", "reflect", "symmetric"])
        arguments = [f"pads={bracket(pads)}", f'mode="{mode}"']
        pairs = {i: (pads[i], pads[rank + i]) for i in range(rank)}
        return op, arguments, lambda: filled(oracle.pad(x, pairs, mode))
    if op == "tile" and rank:
        repeats = [rng.choice([1, 1, 2]) for _ in range(rank + wrong)]
        return op, [bracket(repeats)], lambda: oracle.tile(x, repeats)
    if op == "roll" and axes:
        shifts = [rng.randint(-3, 3) for _ in axes]
        return op, [bracket(shifts), bracket(axes)], lambda: oracle.roll(x, shifts, axes=axes)
    if op == "squeeze":
        ones = [i for i, d in enumerate(x.shape) if d == 1] if not wrong else [0]
        if rng.random() < 0.4:
            return op, [], lambda: oracle.squeeze(x)
        return op, [bracket(ones)], lambda: oracle.squeeze(x, ones)
    if op == "unsqueeze" and rank < 6:
        places = [rng.randint(0, rank)]
        return op, [bracket(places)], lambda: oracle.unsqueeze(x, places)
    if op == "flatten":
        axis = rng.randint(-rank, rank) + 9 * wrong
        return op, [str(axis)], lambda: oracle.flatten(x, axis)
    if op == "concat" and rank:
        axis = rng.randrange(rank)
        return "concat", [f"axis={axis}"], lambda: oracle.concat(x, x, axis=axis)
    if op == "gather" and rank:
        axis = rng.randrange(rank)
        indices = [rng.randint(-1, max(x.shape[axis] - 1, 0)) for _ in range(rng.randint(1, 4))]
        return op, [bracket(indices), f"axis={axis}"], lambda: oracle.gather(x, indices, axis)
    return ("cast", ["f64"], lambda: x) if op == "cast" else ("identity", [], lambda: x)


class Chain:
    """The steps of one chain on its elements, as far as numpy gets."""

    def __init__(self, rng, number):
        self.number = number
        self.dtype = rng.choice(sorted(KINDS))
        shape = [rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 6]) for _ in range(rng.randint(0, 4))]
        value = np.arange(int(np.prod(shape, dtype=np.int64))).reshape(shape)
        self.x = value.astype(KINDS[self.dtype])
        value = self.x.astype(np.int64)
        kind = KINDS[self.dtype]
        self.steps, self.status = [], "ok"
        for _ in range(rng.randint(1, 10)):
            op, arguments, apply = step(rng, value)
            self.steps.append((op, arguments))
            kind = "f8" if op == "cast" else kind
            try:
                value = apply()
            except oracle.Refused as refused:
                self.status = refused.kind
                break
            if value.size > 5000 or value.ndim > 8:
                break
        self.y = value.astype(kind)

    def graph(self, name, mode):
        """Text of the graph and what a call of it takes."""
        sizes, inputs = {}, {"x": self.x}
        dims = [str(d) for d in self.x.shape]
        if mode == "symbols":
            dims = [f"D{i}" for i in range(self.x.ndim)]
            sizes = {f"D{i}": d for i, d in enumerate(self.x.shape)}
        if mode == "any_rank":
            dims = ["*"]
            inputs = {"x": np.asfortranarray(self.x) if self.number % 2 and self.x.ndim else self.x}
        parameters = [f"x: {self.dtype}" + (f"[{', '.join(dims)}]" if dims else "")]
        lines, value = [], "x"
        for i, (op, arguments) in enumerate(self.steps):
            if op == "reshape" and mode == "data":
                parameters.append(f"s{i}: i64[{len(arguments)}]")
                inputs[f"s{i}"] = np.array(arguments, np.int64)
                arguments = [f"s{i}"]
            elif op == "reshape":
                arguments = [bracket(arguments)]
            operands = [value] * (2 if op == "concat" else 1)
            value = "y" if i == len(self.steps) - 1 else f"v{i}"
            lines.append(f"{value} = {op}({', '.join(operands + arguments)})")
        text = "\n    ".join(lines)
        return f"graph {name}({', '.join(parameters)}) -> y {{\n    {text}\n}}\n", sizes, inputs

    def verdict(self, made):
        if isinstance(made, str) or self.status != "ok":
            return "" if made == self.status else f"got {made}, expected {self.status}"
        y = made["y"]
        if y.shape != self.y.shape:
            return f"got {y.shape}, expected {self.y.shape}"
        same = y.tobytes() == np.ascontiguousarray(self.y).tobytes()
        return "" if same else "the elements differ"


def add_arguments(parser):
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)


def main():
    compiler, options = harness.parse_arguments(__doc__, add_arguments)
    rng = random.Random(options.seed)
    jobs = []
    for number in range(options.count):
        chain = Chain(rng, number)
        for mode in MODES:
            jobs.append((f"c{number}_{mode}", chain, mode) + chain.graph(f"c{number}_{mode}", mode))
    errors = compiler.errors_by_graph("programs", [job[3] for job in jobs])
    good, failed, refused, tiers = [], 0, 0, {}

    def report(job, what):
        nonlocal failed
        failed += 1
        if failed <= 10:
            print(f"{job[2]}: {what}\n{job[3]}    x is {list(job[1].x.shape)}, {job[5]}\n")

    for job, found in zip(jobs, errors):
        kinds = [d["kind"] for d in found]
        if not kinds:
            good.append(job)
        elif job[2] == "symbols" and 0 in job[1].x.shape and len(kinds) == 1:
            refused += 1  # for what sizes of at least 1 would do
        elif kinds != [job[1].status]:
            report(job, f"got {found}, expected {job[1].status}")
        else:
            refused += 1
    path = compiler.path("good.rsh")
    write_file(path, [job[3] for job in good])
    for entry in compiler.explain(path).values():
        tier = entry["outputs"][0]["tier"]
        tiers[tier] = tiers.get(tier, 0) + 1
    program = dynamic.Program(compiler, path, "good", "-O0")

    def work(job):
        name, chain, mode, _, sizes, inputs = job
        known = {"y": list(chain.y.shape)} if name in program.is_void else None
        outputs = {"y": chain.y.dtype.str[1:]}
        if chain.status != "ok" and known:
            return "compiled, but it is wrong"
        return chain.verdict(program.run(name, sizes, inputs, outputs, known=known))

    for job, verdict in harness.isolated(good, work):
        if verdict:
            report(job, verdict)
    print(f"{len(jobs)} graphs of {options.count} chains: {refused} refused, {failed} failed")
    print(", ".join(f"{count} {tier}" for tier, count in sorted(tiers.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
