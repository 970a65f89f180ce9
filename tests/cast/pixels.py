# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pixels.py RESHAPEC FILE: the graphs of examples/pixels on random pixels, against numpy."""
import subprocess
import sys

import numpy as np


def eight(x, bits):
    return (x << (8 - bits) | x >> (2 * bits - 8)).astype("u1")


def unpacked(x):
    return [eight(x >> 11, 5), eight(x >> 5 & 63, 6), eight(x & 31, 5)]


def packed(x):
    r, g, b = (x[..., i].astype("u2") for i in range(3))
    return r >> 3 << 11 | g >> 2 << 5 | b >> 3


rng = np.random.default_rng(5)
GRAPHS = {
    "rgb565_to_rgb888": (rng.integers(0, 1 << 16, (240, 320)).astype("u2"), lambda x: np.stack(unpacked(x), 2)),
    "rgb888_to_rgb565": (rng.integers(0, 256, (240, 320, 3)).astype("u1"), packed),
    "rgb565_to_planes": (rng.integers(0, 1 << 16, (240, 320)).astype("u2"), lambda x: np.stack(unpacked(x))),
    "display_pages": (rng.integers(0, 2, (64, 128)).astype("u1"), lambda x: np.packbits(x.reshape(8, 8, 128), axis=1, bitorder="little")[:, 0]),
    "bit_planes": (rng.integers(0, 256, 4096).astype("u1"), lambda x: np.unpackbits(x[:, None], axis=1, bitorder="little").T),
}
for name, (x, expected) in GRAPHS.items():
    np.save("x.npy", x)
    subprocess.run([sys.argv[1], "run", sys.argv[2], name, "x=x.npy", "y=y.npy"], check=True)
    found, wanted = np.load("y.npy"), expected(x)
    if found.dtype != wanted.dtype or not np.array_equal(found, wanted):
        sys.exit(f"{name} is wrong")
