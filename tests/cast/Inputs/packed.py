# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""packed.py LIBRARY: compares the graphs of packed.rsh with numpy."""
import ctypes
import sys

import ml_dtypes
import numpy as np

library = ctypes.CDLL(sys.argv[1])
rng = np.random.default_rng(0)


def packed(values, bits):
    """Packs elements, the first in the lowest bits."""
    values = np.asarray(values, "u1").ravel()
    values = np.concatenate([values, np.zeros(-values.size % (8 // bits), "u1")]).reshape(-1, 8 // bits)
    return (values << (np.arange(8 // bits, dtype="u1") * bits)).sum(axis=1).astype("u1")


def check(name, x, wanted):
    y = np.full(wanted.size + 8, 0xA5, "u1")
    getattr(library, name)(x.ctypes.data_as(ctypes.c_void_p), y.ctypes.data_as(ctypes.c_void_p))
    if not np.array_equal(y[: wanted.size], wanted) or (y[wanted.size :] != 0xA5).any():
        sys.exit(f"{name}: {y}, not {wanted}")


v = rng.integers(0, 16, (5, 7))
check("t4", packed(v, 4), packed(v.T, 4))
v = rng.integers(0, 4, (9, 7))
check("f2", packed(v, 2), packed(v.T[:, ::-1], 2))
v = rng.integers(0, 16, (61, 67))
check("far4", packed(v, 4), packed(v.T.reshape(61, 67).T, 4))
x = rng.normal(0, 3, (5, 7)).astype("f4")
check("f4", x, packed(x.astype(ml_dtypes.float4_e2m1fn).T.view("u1"), 4))
