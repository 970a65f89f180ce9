# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Masks of constants that count up, in arithmetic of their types: fractions, and integers that wrap, as numpy has them.

usage: typed_ramps.py RESHAPEC FOLDER
"""

import itertools
import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper

reshapec, folder = sys.argv[1:]
COUNT = 24
REFUSALS = "selects elements, and is not known", "does more than move elements"
TENSORS = [np.arange(first, first + COUNT, dtype=np.uint8) for first in (0, 100)]


def divide(a, b):
    """By a number above 0. Integers are truncated."""
    return a // b + ((a < 0) & (a % b != 0)).astype(a.dtype) if a.dtype.kind in "iu" else a / b


OPERATORS = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": divide, "Mod": np.fmod}
COMPARISONS = {"Less": np.less, "Greater": np.greater, "Equal": np.equal}


def ramps(dtype):
    """From 0, across 0, and up to the largest number that is followed by no gap."""
    low, high = (-(2**24), 2**24) if dtype == np.float32 else (-(2**53), 2**53)
    if dtype.kind in "iu":
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    for first in (0, -COUNT // 2, low, high - COUNT + 1):
        if low <= first:
            yield np.array([first + i for i in range(COUNT)], dtype)


def cases(dtype):
    for ramp, operator, by in itertools.product(ramps(dtype), OPERATORS, (1, 2, 3, -1, -2, 0)):
        if (by < 0 and dtype.kind == "u") or (by <= 0 and operator in ("Div", "Mod")):
            continue
        other = np.array(by, dtype)
        with np.errstate(over="ignore"):
            yield ramp, operator, other, OPERATORS[operator](ramp, other)


def model(ramp, operator, by, value):
    """y<k> = Where(comparison k of operator(ramp, by) and a threshold, a, b)."""
    nodes = [helper.make_node(operator, ["ramp", "by"], ["v"], **({"fmod": 1} if operator == "Mod" else {}))]
    constants = [numpy_helper.from_array(ramp, "ramp"), numpy_helper.from_array(by, "by")]
    outputs, wanted = [], {}
    for k, comparison in enumerate(COMPARISONS):
        threshold = np.trunc(value[7 * k]).astype(value.dtype)
        constants.append(numpy_helper.from_array(threshold, f"t{k}"))
        nodes.append(helper.make_node(comparison, ["v", f"t{k}"], [f"c{k}"]))
        nodes.append(helper.make_node("Where", [f"c{k}", "a", "b"], [f"y{k}"]))
        outputs.append(helper.make_tensor_value_info(f"y{k}", onnx.TensorProto.UINT8, [COUNT]))
        wanted[f"y{k}"] = np.where(COMPARISONS[comparison](value, threshold), *TENSORS)
    inputs = [helper.make_tensor_value_info(name, onnx.TensorProto.UINT8, [COUNT]) for name in "ab"]
    graph = helper.make_graph(nodes, "ramps", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), wanted


def run(row):
    """Whether the model compiles; other masks are data, which Where does not take."""
    made, wanted = model(*row)
    onnx.save(made, "m.onnx")
    files = [f"{name}={name}.npy" for name in ("a", "b", *wanted)]
    result = subprocess.run([reshapec, "run", "m.onnx", *files], check=False, capture_output=True, text=True)
    assert result.returncode == 0 or any(why in result.stderr for why in REFUSALS), result.stderr
    for name, elements in wanted.items():
        assert result.returncode or np.array_equal(np.load(name + ".npy"), elements), (row, name)
    return result.returncode == 0


os.makedirs(folder, exist_ok=True)
os.chdir(folder)
for name, tensor in zip("ab", TENSORS):
    np.save(name + ".npy", tensor)
for name in "float32 float64 int8 uint8 int32 uint64".split():
    rows = list(cases(np.dtype(name)))
    compiled = [row for row in rows if run(row)]
    print(f"{name}: {len(compiled)} of {len(rows)}")
