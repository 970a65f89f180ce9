# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes small .npz and .gguf files into a folder."""

import io
import os
import struct
import sys

import numpy as np

ARRAYS = {"a": np.arange(6, dtype="f4").reshape(2, 3), "bb": np.ones((3, 2), "i8"), "c": np.array([True, False])}


def npz(pack):
    out = io.BytesIO()
    pack(out, **ARRAYS, f=np.asfortranarray(np.ones((2, 3))), t=np.array(["x", "yz"]))
    return out.getvalue()


def gguf(kind, sizes, count):
    def text(string):
        return struct.pack("<Q", len(string)) + string

    pairs = [text(b"general.alignment") + struct.pack("<II", 4, 64), text(b"k") + struct.pack("<IIQ", 9, 8, 1) + text(b"v")]
    tensors = [text(name) + struct.pack("<IQQIQ", 2, *sizes, kind, 64 * i) for i, name in enumerate((b"a", b"b"))]
    header = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(pairs)) + b"".join(pairs + tensors)
    return header + bytes(-len(header) % 64) + bytes(64) + bytes(count)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    files = [npz(np.savez), npz(np.savez_compressed), gguf(0, (3, 2), 24), gguf(2, (32, 2), 36), gguf(25, (3, 2), 12)]
    for number, data in enumerate(files):
        with open(os.path.join(folder, str(number)), "wb") as file:
            file.write(data)


main(*sys.argv[1:])
