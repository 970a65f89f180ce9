# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bf16, 8-bit floats and sub-byte types, copied by npy-tool."""

import sys

import npytest
import numpy as np

FLOAT8 = ("f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "f8e8m0")


def relabel(array, descr):
    """The file of an array, with another descr of the same length in its header."""
    old = array.dtype.str
    assert len(old) == len(descr)
    return npytest.save(array).replace(old.encode(), descr.encode(), 1)


def main(tool, folder):
    tool = npytest.Tool(tool, folder)

    def check(dtype, data, array):
        if tool.copy(dtype, data) != npytest.save(array):
            raise SystemExit(f"{dtype} from {data[10:40]}: wrong copy")

    words = (np.arange(24) * 2741).astype("u2").reshape(2, 3, 4)
    for stored in (words, words.astype(">u2"), words.copy("F")):
        check("bf16", npytest.save(stored), words)
    for descr in ("<V2", "|V2"):  # '|': the order of the host, here '<'
        check("bf16", relabel(words, descr), words)
    check("bf16", relabel(words.astype(">u2"), ">V2"), words)

    octets = np.arange(256).astype("u1").reshape(4, 64)
    for dtype in FLOAT8:
        for descr in ("|u1", "|V1", "<V1"):
            check(dtype, relabel(octets, descr), octets)
    check("f8e5m2", relabel(octets, "<f1"), octets)

    # Odd counts leave the last byte partly used.
    for dtype, low, high in (("i4", -8, 7), ("u4", 0, 15), ("f4e2m1", 0, 15), ("i2", -2, 1),
                             ("u2", 0, 3)):
        values = np.arange(low, high + 1).astype("i1" if low else "u1")
        for count in (0, 1, 2, 3, 4, 5, 7, 21):
            array = np.resize(values, (count,))
            check(dtype, npytest.save(array), array)
            # ml_dtypes leaves the bits above the value 0, also under a sign.
            bits = (array & (high - low)).astype("u1")
            check(dtype, relabel(bits, "<V1"), array)
            check(dtype, relabel(array, "|V1"), array)
        array = np.resize(values, (3, 5))
        check(dtype, npytest.save(array.copy("F")), array)


main(*sys.argv[1:])
