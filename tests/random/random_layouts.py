#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random layouts and strides of an input and a result, with one operator between them, against numpy.

    random_layouts.py RESHAPEC CC WORK SEED COUNT

Every byte of the result's memory is compared; gaps between strides must stay as they were.
"""

import math
import os
import random
import sys

sys.dont_write_bytecode = True  # the sources stay as they are
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import numpy as np  # noqa: E402

import harness  # noqa: E402

ELEMENT = np.dtype("i4")


class Layout:
    """A pattern for these sizes: its text, the sizes in memory, and the way there and back."""

    def __init__(self, rng, dims):
        self.dims, self.parts, left = dims, [], []
        for axis, size in enumerate(dims):
            inner = [k for k in range(2, size + 1) if size % k == 0]
            if inner and rng.random() < 0.4:
                k = rng.choice(inner)
                self.parts += [size // k, k]
                left.append([f"a{axis}", f"b{axis}={k}"])
            else:
                self.parts.append(size)
                left.append([f"a{axis}"])
        names = [name.split("=")[0] for group in left for name in group]
        self.order = list(range(len(self.parts)))
        rng.shuffle(self.order)
        right, at = [], 0
        while at < len(self.order):
            count = rng.choice([1, 1, 1, 2, 3])
            right.append(self.order[at : at + count])
            at += count
        if rng.random() < 0.2:
            right.insert(rng.randint(0, len(right)), [])  # 1
        self.memory = [math.prod(self.parts[i] for i in group) for group in right]
        sides = [[left], [[[names[i] for i in group] or ["1"] for group in right]]]
        text = [" ".join(self.group(g) for side in s for g in side) for s in sides]
        self.text = f' layout "{text[0]} -> {text[1]}"'

    @staticmethod
    def group(names):
        return names[0] if len(names) == 1 else f"({' '.join(names)})"

    def store(self, x):
        return x.reshape(self.parts).transpose(self.order).reshape(self.memory)

    def load(self, memory):
        open_dims = [self.parts[i] for i in self.order]
        return memory.reshape(open_dims).transpose(np.argsort(self.order)).reshape(self.dims)


class Plain:
    """No layout."""

    def __init__(self, dims):
        self.text, self.memory = "", dims

    def store(self, x):
        return x

    load = store


class Strides:
    """Strides for these sizes; those of a result keep its elements apart."""

    def __init__(self, rng, dims, is_result):
        axes, self.step, reach = list(range(len(dims))), [0] * len(dims), 0
        rng.shuffle(axes)
        for i in axes:
            free = not is_result and rng.random() < 0.25
            step = rng.randint(0, 3) if free else reach + 1 + rng.choice([0, 0, 1, 3])
            reach += step * (dims[i] - 1)
            self.step[i] = step * rng.choice([1, 1, -1])
        self.first = sum(-s * (d - 1) for s, d in zip(self.step, dims) if s < 0)
        self.dims, self.span = dims, 1 + reach
        self.text = f" strides {self.step}"

    def view(self, memory):
        steps = [s * ELEMENT.itemsize for s in self.step]
        return np.lib.stride_tricks.as_strided(memory[self.first :], self.dims, steps)


def random_layout(rng, dims):
    return Layout(rng, dims) if rng.random() < 0.65 else Plain(dims)


def random_operator(rng, x):
    """(text, result)"""
    kind = rng.choice(["", "transpose", "reshape", "flip"])
    if kind == "transpose":
        perm = list(range(x.ndim))
        rng.shuffle(perm)
        return f"transpose(x, {perm})", x.transpose(perm)
    if kind == "reshape":
        dims, left = [], x.size
        for _ in range(rng.randint(0, 3)):
            dims.append(rng.choice([k for k in range(1, left + 1) if left % k == 0]))
            left //= dims[-1]
        dims.append(left)
        rng.shuffle(dims)
        return f"reshape(x, {dims})", x.reshape(dims)
    if kind == "flip" and x.ndim:
        axis = rng.randrange(x.ndim)
        return f"flip(x, axes=[{axis}])", np.flip(x, axis)
    return "x", x


def random_graph(rng, name):
    """(text, memory of x, memory of y)"""
    dims = [rng.choice([1, 2, 3, 4, 5, 6, 8]) for _ in range(rng.randint(0, 4))]
    layout = random_layout(rng, dims)
    placed = layout.text
    if rng.random() < 0.5:
        strides = Strides(rng, layout.memory, False)
        memory = np.arange(strides.span, dtype=ELEMENT)
        x = layout.load(strides.view(memory))
        placed += strides.text
    else:
        memory = np.arange(math.prod(dims), dtype=ELEMENT)
        x = layout.load(memory.reshape(layout.memory))
    operator, y = random_operator(rng, x)
    text = f"graph {name}(x: i32{dims}{placed}) -> y: i32{list(y.shape)}"
    layout = random_layout(rng, list(y.shape))
    text += layout.text
    stored = layout.store(y)
    if rng.random() < 0.5:
        strides = Strides(rng, layout.memory, True)
        result = np.full(strides.span * ELEMENT.itemsize, harness.POISON, np.uint8).view(ELEMENT)
        strides.view(result)[...] = stored
        text += strides.text
    else:
        result = np.ascontiguousarray(stored).reshape(-1)
    return f"{text} {{\n    y = {operator}\n}}\n", memory, result


def main():
    reshapec, cc, work, seed, count = sys.argv[1:]
    rng = random.Random(int(seed))
    compiler = harness.Compiler(reshapec, cc, work)
    graphs = {f"g{i}": random_graph(rng, f"g{i}") for i in range(int(count))}
    path = compiler.path("layouts.rsh")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(text for text, _, _ in graphs.values())
    library = compiler.library(path, "layouts")

    def check(name):
        _, memory, want = graphs[name]
        data, size = memory.view(np.uint8), want.nbytes
        for at_end in (True, False):
            function = getattr(library, name)
            got = harness.Caller().run(function, [data], [size], ELEMENT.itemsize, at_end)[0]
            if not np.array_equal(got.view(ELEMENT), want):
                return f"y is {got.view(ELEMENT)}, not {want}"
        return ""

    wrong = 0
    for name, verdict in harness.isolated(list(graphs), check):
        if verdict:
            wrong += 1
            print(f"{graphs[name][0]}{verdict}")
    print(f"{len(graphs)} graphs, {wrong} wrong")
    sys.exit(wrong > 0)


main()
