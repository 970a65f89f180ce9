# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""npy_files.py: writes .npy files, good and bad, to this folder.
npy_files.py same FILE EXPRESSION: succeeds when FILE holds that array, as f32.
"""

import sys

import numpy as np


def write(name, text, data=b"", version=1, claimed=None):
    length = len(text) if claimed is None else claimed
    with open(name + ".npy", "wb") as file:
        file.write(b"\x93NUMPY" + bytes([version, 0]))
        file.write(length.to_bytes(2 if version == 1 else 4, "little") + text.encode() + data)


def header(shape, descr="<f4", fortran=False):
    return f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"


def make():
    six = np.arange(1, 7, dtype="<f4").reshape(2, 3)
    write("huge-header", "", version=2, claimed=0xFFFFFFF0)
    write("long-header", header((2, 3)), six.tobytes(), claimed=500)
    write("wraps", header((2**32, 2**32)))
    write("short", header((2, 3)), six.tobytes()[:20])
    write("negative", header((-1, 3)), six.tobytes())
    write("other", header((3, 2)), six.tobytes())
    write("padded", header((3,)).ljust(65534) + "\n", six.tobytes()[:12])
    write("far", header((3000000000, 0)))
    with open("twelve.npy", "wb") as file:
        file.write(b"\x93NUMPY\x02\0\xf0\xff\xff\xff")
    np.save("three.npy", six[0])
    np.save("scalar.npy", np.float32(7))
    np.save("none.npy", six[0][:0])
    np.save("fortran.npy", np.asfortranarray(six))
    np.save("big.npy", six.astype(">f4"))
    np.save("object.npy", np.array([[1, 2, 3], [4, 5, 6]], dtype=object))


if len(sys.argv) == 1:
    make()
else:
    got, want = np.load(sys.argv[2]), np.asarray(eval(sys.argv[3]), dtype="<f4")
    if got.dtype != want.dtype or got.shape != want.shape or not np.array_equal(got, want):
        sys.exit(f"{got!r}\nin place of\n{want!r}")
