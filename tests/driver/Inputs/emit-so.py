# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads a library with the graphs of emit-so.rsh, and compares the results with numpy."""
import ctypes
import sys

import numpy as np

library = ctypes.CDLL(sys.argv[1])


def place(array):
    return ctypes.c_void_p(array.ctypes.data)


x = np.arange(6, dtype="u1").reshape(2, 3)
y = np.zeros((3, 2), "u1")
library.turned(place(x), place(y))
assert (y == x.T).all()
x = np.arange(12, dtype="f4").reshape(3, 4)
y = np.zeros((3, 2, 2), "f4")
assert library.swap(ctypes.c_int64(3), place(x), place(y)) == 0
assert (y == x.reshape(3, 2, 2).transpose(0, 2, 1)).all()
x = np.arange(12, dtype="u1").reshape(2, 6)
y, plan = np.zeros((3, 4), "u1"), np.zeros(1 << 16, "i8")
assert library.as_asked(place(x), place(np.array([3, -1])), place(y), None, place(plan)) == 0
assert (y == x.T.reshape(3, 4)).all()
x = np.array([0, 1, -1, 0.5], "f4")
y = np.zeros(4, "f4")
library.grown(place(x), place(y))
assert np.allclose(y, np.tanh(x), rtol=1e-6)
print("static symbolic dynamic tanh: as numpy")
