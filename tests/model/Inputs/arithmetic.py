# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""arithmetic.py RESHAPEC WORK: compares nodes with a tensor and a constant with ONNX's evaluator and onnxruntime.

One model per element type, with an output for each node: the constant on either side, of rank 0 to 2, given as an
initializer, a Constant node, or an attribute. The batch is open.
"""

import os
import subprocess
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

FLOATS = ("FLOAT", "DOUBLE", "FLOAT16")
INTEGERS = ("INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64")


class Model:
    def __init__(self, kind):
        self.kind, self.type = kind, getattr(TensorProto, kind)
        self.dtype = helper.tensor_dtype_to_np_dtype(self.type)
        self.nodes, self.initializers, self.outputs = [], [], []

    def constant(self, value, rank=0, dtype=None):
        name = f"c{len(self.initializers) + len(self.nodes)}"
        tensor = numpy_helper.from_array(np.full([1] * rank, value, dtype or self.dtype), name)
        if rank == 1:
            self.nodes.append(helper.make_node("Constant", [], [name], value=tensor))
        else:
            self.initializers.append(tensor)
        return name

    def add(self, op, inputs, to=None, **attributes):
        name = f"y{len(self.outputs)}"
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        self.outputs.append(helper.make_tensor_value_info(name, to or self.type, ["N", 50]))

    def make(self, opset):
        given = helper.make_tensor_value_info("x", self.type, ["N", 50])
        graph = helper.make_graph(self.nodes, "g", [given], self.outputs, self.initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def arithmetic(kind):
    m = Model(kind)
    numbers = (3, 0.1, -2.5) if kind in FLOATS else (3, 100, -7 if kind[0] == "I" else 200)
    for rank, n in enumerate(numbers):
        for op in ("Add", "Sub", "Mul", "Div", "Min", "Max"):
            m.add(op, ["x", m.constant(n, rank)])
        for op in ("Add", "Sub", "Mul", "Min", "Max") + (("Div",) if kind in FLOATS else ()):
            m.add(op, [m.constant(n, rank), "x"])
        if kind in INTEGERS:
            m.add("Mod", ["x", m.constant(n, rank)])
            for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor"):
                m.add(op, ["x", m.constant(n, rank)])
    m.add("Clip", ["x", m.constant(2), m.constant(9)])
    m.add("Clip", ["x", "", m.constant(9)])
    if kind[0] != "U":
        m.add("Neg", ["x"])
        m.add("Abs", ["x"])
    else:
        for n in (0, 1, 3):
            m.add("BitShift", ["x", m.constant(n)], direction="LEFT")
            m.add("BitShift", ["x", m.constant(n)], direction="RIGHT")
    if kind in INTEGERS:
        m.add("BitwiseNot", ["x"])
    else:
        m.add("Round", ["x"])
    return m


def logic():
    m = Model("BOOL")
    for n in (True, False):
        for op in ("And", "Or", "Xor"):
            m.add(op, ["x", m.constant(n)])
    m.add("Not", ["x"])
    return m


def scaled(kind):
    m = Model(kind)
    if kind == "FLOAT":
        for to, zero in (("UINT8", 128), ("INT8", -3), ("INT16", 5), ("UINT16", 1000)):
            zero_point = m.constant(zero, 0, helper.tensor_dtype_to_np_dtype(getattr(TensorProto, to)))
            m.add("QuantizeLinear", ["x", m.constant(0.37), zero_point], getattr(TensorProto, to))
        m.add("QuantizeLinear", ["x", m.constant(0.37)], TensorProto.UINT8)
    else:
        m.add("DequantizeLinear", ["x", m.constant(0.1, 0, "f4")], TensorProto.FLOAT)
        m.add("DequantizeLinear", ["x", m.constant(0.1, 0, "f4"), m.constant(0 if kind == "INT32" else 5)], TensorProto.FLOAT)
        m.add("DequantizeLinear", ["x", m.constant(0.1, 0, "f2")], TensorProto.FLOAT16)
    return m


def samples(kind, dtype):
    rng = np.random.default_rng(1)
    if kind == "BOOL":
        return rng.integers(0, 2, (40, 50)).astype("?")
    if kind in FLOATS:
        return rng.normal(0, 40, (40, 50)).astype(dtype)
    near = rng.integers(-300, 300, (20, 50)).astype(dtype)
    return np.concatenate([near, np.frombuffer(rng.bytes(1000 * dtype.itemsize), dtype).reshape(20, 50)])


def main(reshapec, work):
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    jobs = [(k, arithmetic(k)) for k in FLOATS + INTEGERS] + [("BOOL", logic())]
    jobs += [(k, scaled(k)) for k in ("FLOAT", "INT8", "UINT8", "INT16", "UINT16", "INT32")]
    checked = wrong = 0
    for kind, m in jobs:
        model, x = m.make(21), samples(kind, np.dtype(m.dtype))
        with open("m.onnx", "wb") as file:
            file.write(model.SerializeToString())
        np.save("x.npy", x)
        outs = [f"{o.name}={o.name}.npy" for o in m.outputs]
        subprocess.run([reshapec, "run", "m.onnx", "x=x.npy", *outs], check=True)
        found = [np.load(f"{o.name}.npy") for o in m.outputs]
        with np.errstate(all="ignore"):
            wanted = {"onnx": ReferenceEvaluator(model).run(None, {"x": x})}
        try:  # onnxruntime lacks some kernels for some types
            wanted["onnxruntime"] = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x})
        except Exception as why:
            print(f"{kind}: onnxruntime: {str(why).splitlines()[0][:100]}", file=sys.stderr)
        labels = [f"{n.op_type}{list(n.input)}" for n in m.nodes if n.op_type != "Constant"]
        for who, values in wanted.items():
            for label, a, b in zip(labels, found, values):
                checked += 1
                if a.dtype != b.dtype or not np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
                    wrong += 1
                    at = tuple(np.argwhere(a != b)[0]) if a.shape == b.shape else ()
                    print(f"{kind} {label}: of {x[at]} {a[at]}, {who} says {b[at]} ({(a != b).sum()} of {a.size})")
    print(f"{checked} results, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
