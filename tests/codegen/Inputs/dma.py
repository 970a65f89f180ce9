#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of copies (--emit=dma), executed by dma.c on labeled elements, give the same results as numpy.

    dma.py RESHAPEC CC WORK

Chains of one to five random moves, of one or two inputs, with any number of loops, two, one and none.
"""

import os
import random
import subprocess
import sys

import numpy as np

TYPES = {"u8": np.uint8, "i16": np.int16, "f32": np.float32, "u64": np.uint64}
WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]


def labeled(count, shape, dtype):
    return np.arange(count, count + np.prod(shape, dtype=int)).reshape(shape).astype(dtype)


def step(rng, text, x):
    """Returns the text of a random move of the value that `text` denotes, and its result."""
    rank, axis = x.ndim, rng.randrange(x.ndim)
    kind = rng.choice(["transpose", "reshape", "flip", "slice", "roll", "pad", "tile", "concat"])
    if kind == "transpose":
        perm = rng.sample(range(rank), rank)
        return f"transpose({text}, {perm})", x.transpose(perm)
    if kind == "reshape":
        parts, size = [], x.size
        while size > 1 and len(parts) < 3:
            parts.append(rng.choice([d for d in range(1, size + 1) if size % d == 0]))
            size //= parts[-1]
        return f"reshape({text}, {parts + [size]})", x.reshape(parts + [size])
    if kind == "flip":
        return f"flip({text}, [{axis}])", np.flip(x, axis)
    if kind == "slice" and x.shape[axis] > 2:
        by = rng.choice([1, 2])
        index = [slice(None)] * rank
        index[axis] = slice(1, None, by)
        shown = ", ".join([":"] * axis + [f"1::{by}" if by > 1 else "1:"])
        return f"({text})[{shown}]", x[tuple(index)]
    if kind == "roll":
        return f"roll({text}, [1], [{axis}])", np.roll(x, 1, axis)
    if kind == "pad":
        before = [rng.randrange(2) for _ in range(rank)]
        after = [rng.randrange(2) for _ in range(rank)]
        return f"pad({text}, {before + after}, value=7)", np.pad(x, list(zip(before, after)), constant_values=7)
    if kind == "tile" and x.size < 2000:
        times = [2 if k == axis else 1 for k in range(rank)]
        return f"tile({text}, {times})", np.tile(x, times)
    return f"concat({text}, {text}, axis={axis})", np.concatenate([x, x], axis)


def graphs(rng):
    """Yields (text, inputs, outputs) for graphs g0, g1, ..."""
    for number in range(80):
        name, dtype = rng.choice(list(TYPES.items()))
        shape = [rng.randrange(1, 6) for _ in range(rng.randrange(1, 4))]
        x, y = labeled(1, shape, dtype), labeled(100, shape, dtype)
        text, value = ("x", x) if rng.random() < 0.6 else ("concat(x, y, axis=0)", np.concatenate([x, y], 0))
        for _ in range(rng.randrange(1, 6)):
            text, value = step(rng, text, value)
        yield f"graph g{number}(x: {name}{shape}, y: {name}{shape}) -> (p, q) {{\n  p = {text}\n  q = y[0:1]\n}}\n", [x, y], [value]


def main(reshapec, cc, work):
    os.makedirs(work, exist_ok=True)
    cases = list(graphs(random.Random(22)))
    with open(f"{work}/g.rsh", "w", encoding="utf-8") as file:
        file.writelines(text for text, _, _ in cases)
    wrong, copies = 0, {}
    for loops in ("", "2", "1", "0"):
        limit = [f"--dma-loops={loops}"] if loops else []
        subprocess.run([reshapec, f"{work}/g.rsh", "--emit=dma", *limit, "-o", f"{work}/tables.dma.h"], check=True)
        with open(f"{work}/work.inc", "w", encoding="utf-8") as file:
            for number, (_, inputs, outputs) in enumerate(cases):
                name, y = f"g{number}_dma", inputs[1]
                sizes = ", ".join(str(a.nbytes) for a in inputs + outputs + [y[0:1]])
                file.write(f"  {{{name}, {name.upper()}_COUNT, 2, 2, {{{sizes}}}}},\n")
        with open(__file__.replace(".py", ".c"), encoding="utf-8") as source, open(f"{work}/dma.c", "w", encoding="utf-8") as file:
            file.write(source.read())
        subprocess.run([cc, *WARNINGS, f"-DLOOPS={loops or 64}", "-I", work, f"{work}/dma.c", "-o", f"{work}/dma"], check=True)
        data = b"".join(a.tobytes() for _, inputs, _ in cases for a in inputs)
        done = subprocess.run([f"{work}/dma"], input=data, stdout=subprocess.PIPE, check=True).stdout
        for text, inputs, outputs in cases:
            expected = np.ascontiguousarray(outputs[0]).tobytes()
            q = inputs[1][0:1].nbytes  # an alias: nothing is written
            is_alias = done[: len(expected)] == b"\xa5" * len(expected)
            if done[: len(expected)] != expected and not (is_alias and expected in inputs[0].tobytes() + inputs[1].tobytes()):
                wrong += 1
                print("wrong:", loops, text)
            if done[len(expected) : len(expected) + q] != b"\xa5" * q:
                wrong += 1
                print("an alias is written:", text)
            copies[loops] = copies.get(loops, 0) + (not is_alias)
            done = done[len(expected) + q :]
    print(f"{len(cases)} graphs, {min(copies.values())} copied, {wrong} wrong")


if __name__ == "__main__":
    main(*sys.argv[1:])
