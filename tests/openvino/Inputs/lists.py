# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lists.py RESHAPEC: layers whose lists are inputs or sizes, against numpy."""

import subprocess
import sys

import numpy as np
from ir import NAMES, Ir

X = np.arange(24, dtype="f4").reshape(2, 3, 4)
# Name, type, data, the lists, attributes, the expected result, or several of them. A list is a constant (a list, or one
# number), an input (an array), a Range, or consists of these sizes of x (a tuple of axes). With `lengths`, those of
# inputs are not declared.
CASES = [
    ("fewer repeats than axes", "Tile", X, [np.array([2, 3], "i4")], {}, np.tile(X, [2, 3])),
    ("more repeats than axes", "Tile", X, [np.array([2, 1, 3, 1])], {}, np.tile(X, [2, 1, 3, 1])),
    ("no axes", "Squeeze", X[:1], [np.zeros(0, "i8")], {}, X[0]),
    ("no order", "Transpose", X, [np.zeros(0, "i4")], {}, X.T),
    ("explicit target of sizes", "Broadcast", X[0, 0], [(1, 2), [1]], {"mode": "explicit"}, np.broadcast_to(X[0, 0], [3, 4])),
    ("explicit target as an input", "Broadcast", X[0], [np.array([3, 5, 4]), [0, 2]], {"mode": "explicit"},
     np.broadcast_to(X[0][:, None], [3, 5, 4])),
    ("pads of two types", "Pad", X, [[0, 1, 0], np.array([0, 0, 2], "i4")], {"pad_mode": "edge"}, np.pad(X, [(0, 0), (1, 0), (0, 2)], "edge")),
    ("pads of sizes and below 0", "Pad", X, [[0, 0, -1], (0, 0, 0)], {"pad_mode": "symmetric"},
     np.pad(X, [(0, 2), (0, 2), (0, 2)], "symmetric")[..., 1:]),
    ("pads that crop what others repeat, as an input", "Pad", X, [[0, 2, 3], np.array([0, -2, -3], "i4")], {"pad_mode": "reflect"},
     np.pad(X, [(0, 0), (2, 0), (3, 0)], "reflect")[:, :-2, :-3]),
    ("ends of sizes, with masks", "StridedSlice", X, [[1, 1, 0], (0, 0, 1), [1, 1, 2]], {"begin_mask": "1,0,0", "end_mask": "0,1,0"}, X[:2, 1:, :3:2]),
    ("a new axis and a rest, with ends of sizes", "StridedSlice", X, [[0, 0, 1], (0, 0, 1), [1, 1, 1]],
     {"new_axis_mask": "1,0,0", "ellipsis_mask": "0,1,0"}, X[None, ..., 1:3]),
    ("one entry, from the end", "StridedSlice", X, [np.array([-1, 0], "i4"), [0, 2], [1, 1]], {"shrink_axis_mask": "1,0"}, X[-1, 0:2]),
    ("one entry before the last", "StridedSlice", X, [np.array([-2]), [0], [1]], {"shrink_axis_mask": "1"}, X[-2]),
    ("reversed to the first, from i32", "StridedSlice", X, [np.array([-1, 1], "i4"), np.array([0, 3], "i4"), [-1, 1]], {"end_mask": "1,0"}, X[::-1, 1:3]),
    ("as many bounds as strides", "StridedSlice", X, [np.array([1, 0]), np.array([2, -1]), [1, 2]], {"lengths": "?"}, X[1:2, 0:-1:2]),
    ("lengths of sizes", "VariadicSplit", X.reshape(4, 6), [1, (2, 0)], {}, [X.reshape(4, 6)[:, :4], X.reshape(4, 6)[:, 4:]]),
    ("lengths as an input", "VariadicSplit", X, [-1, np.array([1, 3], "i4")], {}, [X[..., :1], X[..., 1:]]),
    ("repeats of i8", "Tile", X, [np.array([2, 3], "i1")], {}, np.tile(X, [2, 3])),
    ("pads of i8 and of i64", "Pad", X, [[0, 1, -1], np.array([0, 0, 2], "i1")], {"pad_mode": "constant"},
     np.pad(X[..., 1:], [(0, 0), (1, 0), (0, 2)])),
    ("indices of u8", "Gather", X, [np.array([2, 0], "u1"), 1], {}, X[:, [2, 0]]),
    ("indices of i8, in batches", "Gather", X, [np.array([[2], [-1]], "i1"), 2], {"batch_dims": 1}, np.stack([X[0][:, [2]], X[1][:, [-1]]])),
    ("tuples of u16", "GatherND", X, [np.array([[1, 2]], "u2")], {}, X[[1], [2]]),
    ("a target of 1 for a size of 4", "Broadcast", X[0], [np.array([2, 3, 1])], {"mode": "numpy"}, X),
    ("a target of 1 for an axis of 4", "Broadcast", X[0], [np.array([3, 5, 1]), [0, 2]], {"mode": "EXPLICIT"}, X),
    ("a target of fewer axes", "Broadcast", X[0], [np.array([4])], {"mode": "numpy"}, X[0]),
    ("a target of more axes", "Broadcast", X[0], [(0, 1, 2)], {"mode": "numpy"}, np.broadcast_to(X[0], [2, 3, 4])),
    ("indices of a range", "Gather", X, [range(0, 4, 2), 2], {}, X[..., ::2]),
]  # fmt: skip


def build(kind, data, lists, attributes, expected):
    ir = Ir()
    is_open = "lengths" in attributes
    attributes = {key: value for key, value in attributes.items() if key != "lengths"}
    files = {"x": X, "data": data}
    shape = ir.layer("ShapeOf", [ir.parameter("x", [-1, -1, -1])], [[3]], "i64", version="opset3", output_type="i64")
    inputs = [ir.parameter("data", list(data.shape))]
    for i, given in enumerate(lists):
        if isinstance(given, tuple):
            inputs.append(ir.layer("Gather", [shape, ir.const(list(given)), ir.const(0)], [[len(given)]], version="opset8"))
        elif isinstance(given, range):
            bounds = [ir.const(n) for n in (given.start, given.stop, given.step)]
            inputs.append(ir.layer("Range", bounds, [[len(given)]], version="opset4", output_type="i64"))
        elif isinstance(given, (list, int)):
            inputs.append(ir.const(given))
        else:
            files[f"l{i}"] = given
            inputs.append(ir.parameter(f"l{i}", [-1] if is_open else list(given.shape), NAMES[given.dtype.str[1:]]))
    made = ir.layer(kind, inputs, [[-1] * e.ndim for e in expected], "f32", "y", "opset12", **attributes)
    for value in made if len(expected) > 1 else [made]:
        ir.result(value)
    ir.write("list")
    return files


def main():
    for name, kind, data, lists, attributes, expected in CASES:
        expected = expected if isinstance(expected, list) else [expected]
        files = build(kind, data, lists, attributes, expected)
        for n, v in files.items():
            np.save(f"{n}.npy", v)
        results = [f"y.{i}" for i in range(len(expected))] if len(expected) > 1 else ["y"]
        command = [sys.argv[1], "run", "list.xml", *(f"{n}={n}.npy" for n in [*results, *files])]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        equal = done.returncode == 0 and all(np.array_equal(np.load(f"{r}.npy"), e) for r, e in zip(results, expected))
        print(f"{name}: {'equal' if equal else done.stderr.strip() or 'differs'}")


main()
