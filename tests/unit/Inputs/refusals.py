# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the files that tests/unit/refusals.c reads, with NumPy and other packages."""
import json
import struct

import numpy as np

np.save("plain.npy", np.arange(6, dtype=">i4"))
np.save("text.npy", np.array([["a", "\u00e9"], ["", "xyz"]]))
np.save("text-fortran.npy", np.asfortranarray(np.array([["a", "b"], ["", "xyz"]])))
np.save("fortran.npy", np.asfortranarray(np.arange(6.0).reshape(2, 3)))
np.save("large.npy", np.arange(1 << 17))
np.save("truths.npy", np.array([True, False]))
np.save("nibbles.npy", np.array([-8, 7, 1], "i1"))
np.arange(5, dtype="f4").tofile("raw.bin")
open("empty.bin", "wb").close()
np.savez("stored.npz", a=np.arange(40), b=np.array(["x", "y"]))
np.savez_compressed("packed.npz", a=np.arange(40000), b=np.ones(3))

header = {"__metadata__": {"made": "by hand"}}
for name, dtype, shape, begin, end in ("a", "F32", [2], 0, 8), ("b", "BOOL", [3], 8, 11), ("c", "I64", [1], 11, 19):
    header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}  # c is not aligned
text = json.dumps(header).encode()
with open("some.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + struct.pack("<2f3BQ", 1, 2, 1, 0, 1, 5))


def string(text):
    return struct.pack("<Q", len(text)) + text.encode()


with open("some.gguf", "wb") as file:
    head = b"GGUF" + struct.pack("<IQQ", 3, 2, 1) + string("general.name") + struct.pack("<I", 8) + string("n")
    head += string("a") + struct.pack("<IQIQ", 1, 4, 0, 0) + string("b") + struct.pack("<IQQIQ", 2, 3, 2, 24, 32)
    file.write(head + bytes(-len(head) % 32) + struct.pack("<4f", 1, 2, 3, 4) + bytes(16) + bytes(range(6)))
