# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts that read and write .safetensors files, compared with the safetensors package.
usage: safetensors_files.py RESHAPEC FOLDER"""
import json
import os
import struct

import ml_dtypes
import numpy as np
from safetensors import deserialize
from safetensors.numpy import save_file
from scripts import done, in_folder, refused, same, warned

KINDS = {"F64": "f8", "F32": "f4", "F16": "f2", "I64": "i8", "I32": "i4", "I16": "i2", "I8": "i1", "U64": "u8", "U32": "u4", "U16": "u2",
         "U8": "u1", "BOOL": "?", "C64": "c8", "BF16": ml_dtypes.bfloat16, "F8_E4M3": ml_dtypes.float8_e4m3fn,
         "F8_E5M2": ml_dtypes.float8_e5m2}  # fmt: skip


def load_file(path):
    with open(path, "rb") as file:
        parts = deserialize(file.read())
    return {n: np.frombuffer(bytes(t["data"]), KINDS[t["dtype"]]).reshape(t["shape"]) for n, t in parts}


def types_and_names():
    """All types, names that need escapes, no elements, a scalar, elements at odd offsets."""
    random = np.random.default_rng(1)
    tensors = {f"of {np.dtype(t).name}": random.integers(0, 2, (3, 5)).astype(t) for t in KINDS.values()}
    tensors |= {'q"\\\n\u00e9': np.ones((2, 2), "u2"), "none": np.zeros((0, 3), "f4"), "one": np.array(3.5, "f8")}
    tensors |= {"odd": np.arange(3, dtype="u1"), "after": np.arange(4, dtype="i4")}
    save_file(tensors, "in.safetensors", metadata={"format": "pt"})
    done('for n in names("in.safetensors") { load("in.safetensors", n) |> save("out.safetensors", n) }')
    made = load_file("out.safetensors")
    assert set(made) == set(tensors) and all(same(made[n], a) for n, a in tensors.items())
    save_file({"odd": np.arange(3, dtype="u1"), "wide": np.arange(4, dtype="i4")}, "odd.safetensors")
    with open("odd.safetensors", "rb") as file:  # wide elements at an offset that is not a multiple of 4
        data = file.read()
    header = {"odd": {"dtype": "U8", "shape": [3], "data_offsets": [0, 3]}, "wide": {"dtype": "I32", "shape": [4], "data_offsets": [3, 19]}}
    text = json.dumps(header).encode()
    with open("odd.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + bytes(range(3)) + np.arange(4, dtype="<i4").tobytes())
    assert data and done('print(load("odd.safetensors", "wide"))') == "i32[4]\n[0 1 2 3]\n"


def computed():
    """Tensors are computed, joined and split, and a file of the same name is only replaced at the end."""
    weights = {f"h.{i}.qkv": np.arange(24, dtype="f4").reshape(4, 6) + i for i in range(3)} | {"bias": np.arange(6, dtype="f4")}
    save_file(weights, "model.safetensors")
    warned(
        """
for i in range(3) {
    q, k, v = load("model.safetensors", "h." + i + ".qkv") |> split(axis=1, parts=3)
    q |> transpose() |> save("model.safetensors.new.safetensors", "h." + i + ".q")
    concat(v, k, axis=0) |> save("model.safetensors.new.safetensors", "h." + i + ".vk")
}
save(zeros([2]), "model.safetensors", "z")
x = load("model.safetensors.new.safetensors", "h.2.q")
assert(x == transpose(load("model.safetensors.new.safetensors", "h.2.q") |> transpose()))
""",
        "warning: 'model.safetensors' is replaced, and 4 of its 4 tensors are not in the new file",
    )
    made = load_file("model.safetensors.new.safetensors")
    assert sorted(made) == sorted(f"h.{i}.{n}" for i in range(3) for n in ("q", "vk"))
    for i in range(3):
        q, k, v = np.split(weights[f"h.{i}.qkv"], 3, axis=1)
        assert same(made[f"h.{i}.q"], np.ascontiguousarray(q.T)) and same(made[f"h.{i}.vk"], np.concatenate([v, k]))
    assert list(load_file("model.safetensors")) == ["z"]


def long_header():
    """A header that is longer than the reserved space."""
    done('for i in range(300) { arange(5, u8) |> save("long.safetensors", "a.name.of.some.length.for.the.header." + i) }')
    made = load_file("long.safetensors")
    assert len(made) == 300 and all(same(a, np.arange(5, dtype="u1")) for a in made.values())
    with open("long.safetensors", "rb") as file:
        assert struct.unpack("<Q", file.read(8))[0] % 8 == 0


def mistakes():
    save_file({"a.w": np.ones(3, "f4"), "b": np.ones(2, "f4")}, "two.safetensors")
    before = sorted(os.listdir("."))
    assert done('w, b = load("two.safetensors", names("two.safetensors"))\nprint(w, b)') == "f32[3]\n[1. 1. 1.]\nf32[2]\n[1. 1.]\n"
    refused('x = load("two.safetensors", ["a.w", "a.v"])', "has no tensor 'a.v'; did you mean 'a.w'?")
    refused('x = load("two.safetensors")', "contains named tensors: write load(\"two.safetensors\", \"a.w\")")
    refused('x = load("two.safetensors", "a.v")', "has no tensor 'a.v'; did you mean 'a.w'?")
    refused('x = load("none.safetensors", "a")', "none.safetensors: cannot be opened: No such file or directory")
    refused('save(arange(3), "x.safetensors")', 'save(x, "x.safetensors", "NAME")')
    refused('save(arange(3), "x.npy", "n")', "only .safetensors, .npz and .gguf files have names")
    refused('save(zeros([2], u4), "x.safetensors", "n")', "such files have no elements of type u4: cast 'n' first")
    refused('for i in range(2) { save(arange(3), "x.safetensors", "n") }', "it already has a tensor 'n'")
    refused('save(arange(3), "no/x.safetensors", "n")', "cannot write 'no/x.safetensors': No such file or directory")
    refused('save(arange(3), "x.safetensors", "a")\nassert(false)', "assertion failed")
    assert sorted(os.listdir(".")) == before  # a script that fails leaves no incomplete file
    refused('save(arange(3), "y.safetensors", "a")\nload("y.safetensors", "a") |> save("y.safetensors", "b")', "has been read, so nothing can be added")
    assert list(load_file("y.safetensors")) == ["a"]


def broken(name, header, data=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    with open(name, "wb") as file:
        file.write(struct.pack("<Q", len(text) if length is None else length) + text + data)


def broken_files():
    entry = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
    cases = [
        (b"", {"length": 2}, "is too short for its header of 2 bytes"),
        (b"{}", {"length": 2**63}, "is too short for its header of 9223372036854775808 bytes"),
        (b"{", {}, "the header is not a JSON object"),
        (b"[]", {}, "the header is not a JSON object"),
        (b'{"x": 1, "x": 2}', {}, "the header is not a JSON object"),
        ({"x": entry}, {"data": bytes(7)}, "tensor 'x' ends 1 bytes past the end of the file"),
        ({"x": {**entry, "shape": [3]}}, {"data": bytes(8)}, "tensor 'x' has 8 bytes, which does not match its type and shape"),
        ({"x": {**entry, "shape": [2**62, 2**62]}}, {"data": bytes(8)}, "tensor 'x' has 8 bytes"),
        ({"x": {**entry, "shape": [-2]}}, {"data": bytes(8)}, "is not a type, a shape and offsets"),
        ({"x": {**entry, "shape": [1] * 17}}, {"data": bytes(8)}, "is not a type, a shape and offsets"),
        ({"x": {**entry, "data_offsets": [8, 0]}}, {"data": bytes(8)}, "is not a type, a shape and offsets"),
        ({"x": {**entry, "data_offsets": [0]}}, {"data": bytes(8)}, "is not a type, a shape and offsets"),
        ({"x": {**entry, "dtype": 7}}, {"data": bytes(8)}, "is not a type, a shape and offsets"),
        ({"x": {**entry, "dtype": "F4"}}, {"data": bytes(8)}, "tensor 'x' has type 'F4', which is not an element type"),
        ({"x": {"dtype": "BOOL", "shape": [2], "data_offsets": [0, 2]}}, {"data": b"\1\2"}, "element 1 of tensor 'x' is neither true nor false"),
    ]
    for header, more, text in cases:
        broken("bad.safetensors", header, **more)
        refused('x = load("bad.safetensors", "x")\nprint(x)', text)
    for size in range(8):
        with open("bad.safetensors", "wb") as file:
            file.write(bytes(size))
        refused('x = names("bad.safetensors")', "is shorter than the 8 bytes that give the length of its header")


in_folder(types_and_names, computed, long_header, mistakes, broken_files)
