# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes small .npy files into a folder, each after the byte that chooses an element type."""

import io
import itertools
import os
import sys

import numpy as np

# Type numbers as in runtime/dtypes.def; the last one lets the file say what it is.
TYPES = ("? i1 i2 i4 i8 u1 u2 u4 u8 f2 u2 f4 f8 c8 c16 U5 u1 u1 u1 u1 u1 i1 u1 u1 i1 u1").split()
ANY = len(TYPES)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    cases = itertools.product(enumerate(TYPES), [(), (0,), (3,), (2, 3)], [(1, 0), (3, 0)], "CF")
    for number, ((want, kind), shape, version, layout) in enumerate(cases):
        order = "<>"[number // 2 % 2]
        array = np.ones(shape, np.dtype(kind).newbyteorder(order)).copy(layout)
        out = io.BytesIO()
        np.lib.format.write_array(out, array, version=version)
        with open(os.path.join(folder, str(number)), "wb") as file:
            file.write(bytes([want if number % 3 else ANY]) + out.getvalue())


main(*sys.argv[1:])
