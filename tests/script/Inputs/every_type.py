# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of every element type and of several shapes keep every bit when they are saved and loaded, and when `run`
copies them.
usage: every_type.py RESHAPEC FOLDER DTYPES.DEF"""
import os
import re
import subprocess
import sys

import numpy as np
from scripts import RESHAPEC, done, in_folder

SHAPES = [(), (0,), (1,), (5,), (2, 0, 3), (3, 5), (2, 3, 4)]
GGUF = ["i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"]
SAFETENSORS = [*GGUF, "u8", "u16", "u32", "u64", "bool", "c64", "f8e4m3fn", "f8e5m2", "f8e8m0"]
DTYPES = os.path.abspath(sys.argv[3])


def types():
    with open(DTYPES, encoding="utf-8") as file:
        rows = re.findall(r'^RSH_DTYPE\(\w+,\s*"(\w+)",\s*(\d+)', file.read(), re.M)
    return [(name, int(bits)) for name, bits in rows if name != "string"]


def elements(random, name, bits, count):
    """Random elements as in memory: packed, with unused bits of 0."""
    if name == "bool":
        return random.integers(0, 2, count).astype("u1").tobytes()
    return np.packbits(random.integers(0, 2, count * bits).astype("u1"), bitorder="little").tobytes()


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def each_file():
    """The script that reads a file made here, saves it in each format, reads those and saves them as bare elements."""
    random = np.random.default_rng(5)
    out, back, want = [], [], {}
    for name, bits in types():
        for i, shape in enumerate(SHAPES):
            tensor = f"{name}.{i}"
            with open(f"{tensor}.bin", "wb") as file:
                file.write(elements(random, name, bits, int(np.prod(shape))))
            out.append(f'x = load("{tensor}.bin", {name}{list(shape)}); save(x, "{tensor}.npy")')
            loads = {"npy": f'load("{tensor}.npy", {name})'}
            for kind, some in [("npz", None), ("safetensors", SAFETENSORS), ("gguf", GGUF)]:
                if some is None and bits >= 8 or some and name in some:
                    out.append(f'save(x, "all.{kind}", "{tensor}")')
                    loads[kind] = f'load("all.{kind}", "{tensor}")'
            for kind, load in loads.items():
                back.append(f'save({load}, "{tensor}.{kind}.bin")')
                want[f"{tensor}.{kind}.bin"] = f"{tensor}.bin"
    done("\n".join(out))
    done("\n".join(back))
    for made, given in want.items():
        assert contents(made) == contents(given), made


def unpacked():
    """An element of less than a byte takes a byte of a .npy file."""
    for name, bits in types():
        if bits < 8 and name[0] in "iu":
            each = np.unpackbits(np.frombuffer(contents(f"{name}.5.bin"), "u1"), bitorder="little")
            value = each[: 15 * bits].reshape(3, 5, bits) @ (1 << np.arange(bits))
            value = np.where(value >> (bits - 1), value - (1 << bits), value) if name[0] == "i" else value
            assert np.array_equal(np.load(f"{name}.5.npy"), value), name


def graphs():
    for name, _ in types():
        inputs = ", ".join(f"x{i}: {name}{list(shape)}" for i, shape in enumerate(SHAPES))
        results = ", ".join(f"y{i}" for i in range(len(SHAPES)))
        with open("g.rsh", "w", encoding="utf-8") as file:
            file.write(f"graph g({inputs}) -> ({results}) {{\n")
            file.writelines(f"y{i} = x{i}\n" for i in range(len(SHAPES)))
            file.write("}\n")
        files = [f"{x}{i}={name}.{i}{end}" for i in range(len(SHAPES)) for x, end in [("x", ".npy"), ("y", ".y.npy")]]
        subprocess.run([RESHAPEC, "run", "g.rsh", *files], check=True)
        for i in range(len(SHAPES)):
            assert contents(f"{name}.{i}.npy") == contents(f"{name}.{i}.y.npy"), (name, i)


in_folder(each_file, unpacked, graphs)
