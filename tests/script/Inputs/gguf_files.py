# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts that read and write .gguf files, compared with the gguf package, and with files made by the published format.
usage: gguf_files.py RESHAPEC FOLDER"""
import os
import struct

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFReader, GGUFWriter
from scripts import done, in_folder, refused, same

PLAIN = {"F32": "f4", "F16": "f2", "F64": "f8", "I8": "i1", "I16": "i2", "I32": "i4", "I64": "i8"}
# Of Q8_1 the package has the size of blocks that had two numbers of 32 bits; ggml has two of 16 since.
SIZES = {t: s for t, s in GGML_QUANT_SIZES.items() if t.name != "Q8_1"}
COPY = 'for n in names("in.gguf") { load("in.gguf", n) |> save("out.gguf", n) }'


def text(string):
    return struct.pack("<Q", len(string)) + string.encode()


def pair(key, kind, value):
    return text(key) + struct.pack("<I", kind) + value


def tensor(name, sizes, kind, offset):
    return text(name) + struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, int(kind), offset)


def gguf(*tensors, pairs=(), data=b"", version=3, align=32, count=None):
    header = b"GGUF" + struct.pack("<IQQ", version, len(tensors) if count is None else count, len(pairs)) + b"".join(pairs) + b"".join(tensors)
    return header + bytes(-len(header) % align) + data


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)


def tensors_of(path):
    return {t.name: t for t in GGUFReader(path).tensors}


def plain():
    """Elements of all types, and metadata of all kinds."""
    random = np.random.default_rng(1)
    arrays = {f"of.{t}": random.integers(0, 100, (3, 4, 5)).astype(t) for t in PLAIN.values()} | {"one": np.arange(7, dtype="f4")}
    writer = GGUFWriter("in.gguf", "test")
    writer.add_array("tokens", [f"token {i}" for i in range(20000)])  # longer than the reader's window
    writer.add_array("numbers", [1, 2, 3])
    for value, add in ((1, writer.add_uint8), (-1, writer.add_int64), (0.5, writer.add_float64), (True, writer.add_bool)):
        add(add.__name__, value)
    for name, array in arrays.items():
        writer.add_tensor(name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    done(COPY + '\nfor n in names("in.gguf") { load("in.gguf", n) |> save(n + ".npy") }')
    made = tensors_of("out.gguf")
    assert set(made) == set(arrays)
    for name, array in arrays.items():
        assert same(np.load(f"{name}.npy"), array) and same(np.ascontiguousarray(made[name].data), array), name


def blocks():
    """Each block type as its bytes, reversed, and written as that type."""
    for kind, (elements, size) in SIZES.items():
        if elements == 1:
            continue
        data = np.random.default_rng(int(kind)).integers(0, 256, (6, 2, size)).astype("u1")
        write("q.gguf", gguf(tensor("w", [2 * elements, 6], kind, 0), data=data.tobytes() + bytes(-data.size % 32)))
        done(f'x = load("q.gguf", "w")\nassert(shape(x) == [6, 2, {size}])\nx |> flip(axis=0) |> save("r.gguf", "w", "{kind.name}")')
        made = tensors_of("r.gguf")["w"]
        assert made.tensor_type == kind and made.shape.tolist() == [2 * elements, 6], kind
        assert made.data.tobytes() == data[::-1].tobytes(), kind
    bf16 = np.arange(6, dtype="<u2") + 0x3F80
    write("b.gguf", gguf(tensor("b", [3, 2], 30, 64), pairs=[pair("general.alignment", 4, struct.pack("<I", 64))], align=64, version=2, data=bytes(64) + bf16.tobytes()))
    done('load("b.gguf", "b") |> save("b.npy")\nload("b.gguf", "b") |> save("b2.gguf", "b")')
    assert same(np.load("b.npy"), bf16.reshape(2, 3)) and tensors_of("b2.gguf")["b"].data.tobytes() == bf16.tobytes()


def empty():
    """Tensors without elements, after which the file ends."""
    write("e.gguf", gguf(tensor("e", [0, 3], 0, 0), align=1))
    done('load("e.gguf", "e") |> save("e.npy")\nload("e.gguf", "e") |> save("f.gguf", "e")\nload("f.gguf", "e") |> save("f.npy")')
    done('arange(3) |> save("g.gguf", "a")\nzeros([0], f32) |> save("g.gguf", "b")\nload("g.gguf", "b") |> save("b.npy")')
    assert np.load("b.npy").shape == (0,) and tensors_of("g.gguf")["a"].data.tolist() == [0, 1, 2]
    assert np.load("e.npy").shape == np.load("f.npy").shape == (3, 0)


def mistakes():
    refused('save(zeros([2], u8), "x.gguf", "w")', "such files have no elements of type u8: cast 'w' first, or name the type of its blocks")
    refused('save(zeros([2], u8), "x.gguf", "w", "Q4")', "such files have no type 'Q4'")
    refused('save(zeros([4, 20], u8), "x.gguf", "w", "Q4_0")', "'w' cannot be saved as Q4_0: that takes u8 with a last axis of 18 bytes")
    refused('save(zeros([2], f32), "x.gguf", "w", "F16")', "'w' is f32, not f16: cast it first")
    refused('save(zeros([2], f32), "x.gguf")', 'save(x, "x.gguf", "NAME")')
    refused('x = load("q.gguf", "v")', "has no tensor 'v'")
    refused('x = load("q.gguf")', 'write load("q.gguf", "w")')
    assert not os.path.exists("x.gguf")


def hostile():
    good = tensor("x", [2], 0, 0)
    cases = [
        (b"GGUF" + bytes(19), "is shorter than the start of a header"),
        (b"GGML" + gguf(good, data=bytes(8))[4:], "does not begin with GGUF"),
        (gguf(good, data=bytes(8), version=1), "has version 1; only 2 and 3 are supported"),
        (gguf(good, data=bytes(8), version=3 << 24), "is big-endian: convert it first"),
        (gguf(good, data=bytes(8), count=2**40), "more tensors or pairs than the file has room for"),
        (gguf(good, data=bytes(40), count=4), "the file ends within it"),
        (gguf(good, data=bytes(7)), "tensor 'x', 8 bytes from 0 on, does not lie within the file"),
        (gguf(tensor("x", [2], 0, 2**64 - 32), data=bytes(8)), "does not lie within the file"),
        (gguf(tensor("x", [2], 0, 4), data=bytes(80)), "tensor 'x' begins at 4, which is not a multiple of 32"),
        (gguf(tensor("x", [2**63], 0, 0), data=bytes(8)), "a size of more than 63 bits"),
        (gguf(tensor("x", [2**40, 2**40], 0, 0), data=bytes(8)), "the bytes of tensor 'x' do not fit 63 bits"),
        (gguf(tensor("x", [1] * 16, 0, 0), data=bytes(8)), "a tensor of 16 axes, the limit is 15"),
        (gguf(tensor("x", [33], 2, 0), data=bytes(64)), "tensor 'x' of Q4_0 has a last axis of 33 elements, not a multiple of the block size 32"),
        (gguf(tensor("x", [2], 4, 0), data=bytes(8)), "tensor 'x' has type '4', which is not an element type"),
        (gguf(good, good, data=bytes(40)), "has two tensors 'x'"),
        (gguf(struct.pack("<Q", 2**63) + good[8:], data=bytes(40)), "a name of more than 65535 bytes"),
        (gguf(good.replace(b"x", b"\0"), data=bytes(8)), "a name with a NUL in it"),
        (gguf(good, pairs=[pair("k", 8, struct.pack("<Q", 2**64 - 1))], data=bytes(8)), "the file ends within it"),
        (gguf(good, pairs=[pair("k", 9, struct.pack("<IQ", 0, 2**64 - 1))], data=bytes(8)), "the file ends within it"),
        (gguf(good, pairs=[pair("k", 9, struct.pack("<IQ", 9, 1) * 9)], data=bytes(8)), "arrays are nested more than 4 deep"),
        (gguf(good, pairs=[pair("k", 13, bytes(8))], data=bytes(8)), "a value of an unknown type"),
        (gguf(good, pairs=[pair("general.alignment", 4, struct.pack("<I", 0))], data=bytes(8)), "general.alignment is not a power of two up to 65536"),
        (gguf(good, pairs=[pair("general.alignment", 4, struct.pack("<I", 48))], data=bytes(8)), "general.alignment is not a power of two up to 65536"),
        (gguf(good, pairs=[pair("general.alignment", 10, bytes(8))], data=bytes(8)), "general.alignment is not a 32-bit number"),
    ]
    for data, reason in cases:
        write("bad.gguf", data)
        refused('x = load("bad.gguf", "x")\nprint(x)', reason)


in_folder(plain, blocks, empty, mistakes, hostile)
