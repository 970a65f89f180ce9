# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of text: copied by npy-tool, byte for byte as numpy.save writes the text as NumPy's narrowest U."""

import itertools
import sys

import npytest
import numpy as np

WORDS = ["", "a", "bcd", "\u00e4\u20ac\U0001f600", "\x7f\u0080\u07ff\u0800\uffff\U00010000\U0010ffff", "x y", "\ud7ff\ue000", "e" * 300]
SHAPES = [(), (0,), (1,), (8,), (2, 3), (4, 1, 5), (0, 3)]


def check(tool, array, stored, wants=("string", "any"), pipe=False):
    want = npytest.save(np.array(array.tolist(), dtype=np.str_).reshape(array.shape))  # of the least width
    for dtype in wants:
        if tool.copy(dtype, npytest.save(stored), pipe) != want:
            raise SystemExit(f"{dtype} {array.shape} from {stored.dtype.str} pipe={pipe}: "
                             "copy differs from what numpy.save writes")


def main(tool, folder, step):
    tool = npytest.Tool(tool, folder)
    for shape, first in list(itertools.product(SHAPES, range(len(WORDS))))[:: int(step)]:
        count = int(np.prod(shape))
        words = [WORDS[(first + i) % len(WORDS)] for i in range(count)]
        array = np.array(words, dtype=np.str_).reshape(shape)
        wider = array.astype(f"U{array.itemsize // 4 + 7}")
        for stored in (array, wider, wider.astype(wider.dtype.newbyteorder(">"))):
            for layout in (stored, stored.copy("F")):
                check(tool, array, layout)
        if count:
            check(tool, array, np.char.encode(array, "utf-8"))
            check(tool, array, array, pipe=True)


main(*sys.argv[1:])
