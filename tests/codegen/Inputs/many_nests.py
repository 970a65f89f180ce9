# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many_nests.py [stage SIZE | inputs COUNT]: prints graphs of hundreds of moves with different loops, each with
numpy's result; or a graph that looks up elements of a value of hundreds of pieces; or graphs with COUNT inputs."""

import random
import sys


def reversed_rows(name, kind, rows, steps, then=""):
    """Rows, each reversed up to a different length."""
    rng = random.Random(name)
    lengths = [rng.randrange(1, steps + 1) for _ in range(rows)]
    y = f"np.stack([np.concatenate([r[:n][::-1], r[n:]]) for r, n in zip(x, {lengths})])"
    print(f"graph {name}(x: {kind}[{rows}, {steps}]) -> y {{")
    print(f"    # EXPECT y static [{rows}, {steps}] = {y}")
    print(f"    y = reverse_sequence(x, {lengths}, batch_axis=0, time_axis=1){then}")
    print("}")


def reflected(name, kind, rank, mode):
    """A corner of a border for each subset of the axes, all in loops with different strides."""
    print(f"graph {name}(x: {kind}{[4] * rank}) -> y {{")
    print(f"    # EXPECT y static {[10] * rank} = np.pad(x, 3, mode='{mode}')")
    print(f"    y = pad(x, {[3] * (2 * rank)}, mode=\"{mode}\")")
    print("}")


def spread(name, kind, count):
    """Pieces of many lengths between gaps of many lengths: runs are loops over elements."""
    rng = random.Random(name)
    parts, index = [], 0
    for _ in range(count):
        length = rng.randrange(1, 200)
        parts.append((index, index + length, rng.choice(["", "", "::-1"]), rng.randrange(1, 90)))
        index += length + rng.randrange(3)
    print(f"graph {name}(x: {kind}[{index + 200}]) -> y {{")
    slices = [f"x[{a}:{b}]" + (f"[{s}]" if s else "") for a, b, s, _ in parts]
    padded = ", ".join(f"np.pad({t}, (0, {g}), constant_values=-1)" for t, (_, _, _, g) in zip(slices, parts))
    print(f"    # EXPECT y static [{sum(b - a + g for a, b, _, g in parts)}] = np.concatenate([{padded}])")
    print("    y = concat(" + ", ".join(f"pad({t}, [0, {g}])" for t, (_, _, _, g) in zip(slices, parts)) + ", axis=0)")
    print("}")


def looked_up(name, size):
    """Rows and columns in random order."""
    rng = random.Random(name)
    index = [rng.randrange(size) for _ in range(size)]
    print(f"graph {name}(x: f32[{size}, {size}]) -> y {{")
    print(f"    # EXPECT y static [{size}, {size}] = x[{index}][:, {index[::-1]}]")
    print(f"    y = x |> gather({index}) |> gather({index[::-1]}, axis=1)")
    print("}")


def joined(name, count, rows, then=""):
    """Inputs of many widths, concatenated."""
    print(f"graph {name}(" + ", ".join(f"x{i}: f32[{rows}, {i % 37 + 1}]" for i in range(count)) + ") -> y {")
    print("    y = concat(" + ", ".join(f"x{i}" for i in range(count)) + f", axis=1){then}")
    print("}")


if sys.argv[1:2] == ["stage"]:
    looked_up("both", int(sys.argv[2]))
elif sys.argv[1:2] == ["inputs"]:
    inputs = int(sys.argv[2])
    joined("sides", inputs, 3)
    joined("positive", inputs, 3, " |> relu()")
    joined("kept", inputs, 3, " |> softmax() |> slice([1, 0], [3, 9])")
    joined("open_rows", inputs, "N")
else:
    reversed_rows("words", "f32", 600, 40)
    reversed_rows("bytes_", "u8", 500, 21)
    reversed_rows("pairs", "c128", 400, 24)
    reversed_rows("computed", "f32", 600, 40, " |> relu()")
    reflected("corners", "u16", 5, "reflect")
    reflected("wrapped", "f64", 5, "wrap")
    spread("pieces", "i16", 300)
    spread("wide", "f64", 280)
