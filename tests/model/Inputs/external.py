# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models whose weights [7, 8] are in other files, and files that must not be read."""

import os
import sys

import numpy as np
from models import f32, model, node
from onnx import TensorProto, helper, numpy_helper

os.chdir(sys.argv[1])
np.save("x.npy", np.arange(3, dtype="f4"))
with open("model/deep/w.bin", "wb") as file:
    file.write(b"\xff" * 16 + np.array([7, 8], "<f4").tobytes())
with open("secret.bin", "wb") as file:
    file.write(bytes(8))
os.symlink("../secret.bin", "model/link.bin")
os.link("secret.bin", "model/hard.bin")

CASES = {
    "deep": {"location": "deep/w.bin", "offset": "16", "length": "8"},
    "up": {"location": "../secret.bin"},
    "root": {"location": os.path.abspath("secret.bin")},
    "link": {"location": "link.bin"},
    "hard": {"location": "hard.bin"},
    "past": {"location": "deep/w.bin", "offset": "20", "length": "8"},
    "huge": {"location": "deep/w.bin", "offset": "99999999999999999999"},
    "none": {"offset": "0"},
    "odd": {"location": "deep/w.bin", "length": "7"},
    "rest": {"location": "deep/w.bin", "offset": "16", "checksum": "none"},
    "after": {"location": "deep/w.bin", "offset": "25"},
    "empty": {"location": "empty.bin"},
    "letters": {"location": "deep/w.bin", "length": "8x"},
    "signed": {"location": "deep/w.bin", "offset": "+16"},
    "colon": {"location": "deep/w.bin", "offset": ":"},
    "large": {"location": "deep/w.bin", "length": "9223372036854775808"},
    "keyless": {None: "8", "location": "deep/w.bin"},
    "valueless": {"location": None},
    "nameless": {"location": ""},
    "folder": {"location": "deep"},
    "below": {"location": "deep/w.bin/w.bin"},
    "twice": {"location": "deep//w.bin"},
    "pipe": {"location": "pipe.bin"},
}
os.mkfifo("model/pipe.bin")
with open("model/empty.bin", "wb"):
    pass
for name, entries in CASES.items():
    weights = TensorProto(name="w", dims=[2], data_type=TensorProto.FLOAT)
    weights.data_location = TensorProto.EXTERNAL
    for key, value in entries.items():
        weights.external_data.add(**{k: v for k, v in (("key", key), ("value", value)) if v is not None})
    made = model([node("Concat", ["x", "w"], ["y"], axis=0)], [f32("x", 3)], [f32("y", 5)], [weights])
    with open(f"model/{name}.onnx", "wb") as file:
        file.write(made.SerializeToString())

# One file of several tensors, separate files for weights of a body and of a constant, and a weight that a part reads.
# The last file belongs to a node whose result is not read.
weights = [TensorProto(name=n, dims=[2], data_type=TensorProto.FLOAT) for n in ("a", "b", "c", "d")]
for tensor, entries in zip(weights, ("both.bin", "both.bin", "deep/w.bin", "unused.bin")):
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=entries)
    tensor.external_data.add(key="length", value="8")
body = helper.make_graph([node("Identity", ["c"], ["z"])], "body", [], [f32("z", 2)], [weights[2]])
other = helper.make_graph([node("Identity", ["a"], ["z"])], "other", [], [f32("z", 2)])
flag = helper.make_tensor_value_info("flag", TensorProto.BOOL, [])
nodes = [
    node("If", ["flag"], ["i"], then_branch=body, else_branch=other),
    node("Constant", [], ["e"], value=weights[1]),
    node("Constant", [], ["unused"], value=weights[3]),
    node("Add", ["x", "a"], ["s"]),
    node("Concat", ["s", "e"], ["j"], axis=0),
    node("Reshape", ["j", "two"], ["r"]),
    node("Transpose", ["r"], ["t"], perm=[1, 0]),
    node("Relu", ["t"], ["y"]),
    node("Abs", ["i"], ["k"]),
]
two = numpy_helper.from_array(np.array([2, 2], "i8"), "two")
outputs = [f32("y", 2, 2), f32("k", 2)]
for name in ("both.bin", "unused.bin"):
    with open(f"model/{name}", "wb") as file:
        file.write(np.array([3, 4], "<f4").tobytes())
with open("model/several.onnx", "wb") as file:
    file.write(model(nodes, [f32("x", 2), flag], outputs, [weights[0], two]).SerializeToString())

# A sparse constant and a sparse initializer, each with its values in one file and their positions in another.
def away(name, kind, size):
    tensor = TensorProto(name=name, dims=[size], data_type=kind, data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value=f"{name}.bin")
    with open(f"model/{name}.bin", "wb") as file:
        file.write(bytes(8 * size))
    return tensor


def sparse(name):
    return helper.make_sparse_tensor(away(name, TensorProto.DOUBLE, 1), away(f"{name}_at", TensorProto.INT64, 1), [4])


made = model([node("Constant", [], ["c"], sparse_value=sparse("some")), node("Add", ["c", "more"], ["y"])], [],
             [helper.make_tensor_value_info("y", TensorProto.DOUBLE, [4])])  # fmt: skip
made.graph.sparse_initializer.append(sparse("more"))
with open("model/sparse.onnx", "wb") as file:
    file.write(made.SerializeToString())

# A sparse initializer may be the default of an input, as dense ones may.
made.graph.input.append(helper.make_tensor_value_info("more", TensorProto.DOUBLE, [4]))
with open("model/default.onnx", "wb") as file:
    file.write(made.SerializeToString())
