# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of NumPy's own types: copied by npy-tool, byte for byte as numpy.save writes them."""

import itertools
import sys

import npytest
import numpy as np

TYPES = {
    "bool": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2",
    "u32": "u4", "u64": "u8", "f16": "f2", "f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16",
}
SHAPES = [(), (0,), (1,), (7,), (2, 3), (4, 1, 5), (0, 3), (3, 0, 2), (2, 3, 4, 5), (1,) * 16, (2,) * 16]


def pattern(shape, numpy_type):
    """An array whose elements are all bit patterns that tell bytes and places apart."""
    native = np.dtype(numpy_type)
    count = int(np.prod(shape, dtype=np.int64))
    if native.kind == "b":
        return (np.arange(count) % 3 == 0).reshape(shape)
    raw = (np.arange(count * native.itemsize, dtype=np.uint64) * 37 + 11) % 251
    return np.frombuffer(raw.astype(np.uint8).tobytes(), native).reshape(shape)


def check(tool, name, array, stored, version=None, wants=None, pipe=False):
    """stored, as NumPy writes it, becomes array as NumPy writes it."""
    want = npytest.save(array)
    for dtype in wants or (name,):
        if tool.copy(dtype, npytest.save(stored, version), pipe) != want:
            raise SystemExit(f"{dtype} {array.shape} from {stored.dtype.str} version={version} "
                             f"pipe={pipe}: copy differs from what numpy.save writes")


def main(tool, folder):
    tool = npytest.Tool(tool, folder)
    for (name, numpy_type), order in itertools.product(TYPES.items(), "<>"):
        for shape in [(), (3,), (2, 3, 4)]:
            array = pattern(shape, numpy_type)
            other = array.astype(array.dtype.newbyteorder(order))
            for layout in (other, other.copy("F")):
                check(tool, name, array, layout, wants=(name, "any"))
    for shape in SHAPES:
        array = pattern(shape, "f4")
        check(tool, "f32", array, array)
        check(tool, "f32", array, array.copy("F"))
    for version in [(1, 0), (2, 0), (3, 0)]:
        for layout in "CF":
            array = pattern((3, 4, 5), "c8")
            check(tool, "c64", array, array.astype(">c8").copy(layout), version)
            check(tool, "c64", array, array.astype(">c8").copy(layout), version, pipe=True)
    # More than one read of a pipe, a memory block that grows, and the sizes around a block.
    for count in (1 << 18, (1 << 18) + 1, 3_000_001):
        array = pattern((count,), "f4")
        check(tool, "f32", array, array, pipe=True)
    # Headers of every length around 128 bytes, where NumPy adds another block of padding.
    lengths = set()
    for rank, digits in itertools.product(range(10, 15), range(3)):
        array = np.zeros((0,) + (1,) * rank + (10 ** digits,), "i2")
        lengths.add(len(npytest.save(array)))
        check(tool, "i16", array, array)
    assert lengths == {128, 192}, lengths


main(*sys.argv[1:])
