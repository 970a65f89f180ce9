# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pixels.py RESHAPEC FILE: the graphs of examples/pixels on random pixels, against numpy."""
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import arithmetic  # noqa: E402


def eight(x, bits):
    return (x << (8 - bits) | x >> (2 * bits - 8)).astype("u1")


def unpacked(x):
    return [eight(x >> 11, 5), eight(x >> 5 & 63, 6), eight(x & 31, 5)]


def packed(x):
    r, g, b = (x[..., i].astype("u2") for i in range(3))
    return r >> 3 << 11 | g >> 2 << 5 | b >> 3


def shuffled(x):
    made = arithmetic.requantize("i8", x, 1518500250, -9, -5).view("i1")
    return made.reshape(28, 28, 4, 16).swapaxes(2, 3).reshape(28, 28, 64)


rng = np.random.default_rng(5)
GRAPHS = {
    "rgb565_to_rgb888": (rng.integers(0, 1 << 16, (240, 320)).astype("u2"), lambda x: np.stack(unpacked(x), 2)),
    "rgb888_to_rgb565": (rng.integers(0, 256, (240, 320, 3)).astype("u1"), packed),
    "rgb565_to_planes": (rng.integers(0, 1 << 16, (240, 320)).astype("u2"), lambda x: np.stack(unpacked(x))),
    "rgb565_to_network": (rng.integers(0, 1 << 16, (96, 96)).astype("u2"), lambda x: (np.stack(unpacked(x)).astype("i2") - 128).astype("i1")),
    "requantize_and_shuffle": (rng.integers(-200000, 200000, (28, 28, 64)).astype("i4"), shuffled),
    "display_pages": (rng.integers(0, 2, (64, 128)).astype("u1"), lambda x: np.packbits(x.reshape(8, 8, 128), axis=1, bitorder="little")[:, 0]),
    "bit_planes": (rng.integers(0, 256, 4096).astype("u1"), lambda x: np.unpackbits(x[:, None], axis=1, bitorder="little").T),
}
for name, (x, expected) in GRAPHS.items():
    np.save("x.npy", x)
    subprocess.run([sys.argv[1], "run", sys.argv[2], name, "x=x.npy", "y=y.npy"], check=True)
    found, wanted = np.load("y.npy"), expected(x)
    if found.dtype != wanted.dtype or not np.array_equal(found, wanted):
        sys.exit(f"{name} is wrong")
