#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""constants.py RESHAPEC WORK SEED COUNT: random models of arithmetic, Clip, QuantizeLinear and DequantizeLinear with constant
tensors of any shape that broadcasts, on either side, between transposes and slices, against ONNX's reference evaluator."""

import os
import random
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

TYPES = {"f4": TensorProto.FLOAT, "f2": TensorProto.FLOAT16, "f8": TensorProto.DOUBLE, "i4": TensorProto.INT32, "u1": TensorProto.UINT8,
         "i1": TensorProto.INT8, "i8": TensorProto.INT64, "u2": TensorProto.UINT16}
FLOATS = ("f4", "f2", "f8")
QUANTIZED = {"u1": TensorProto.UINT8, "i1": TensorProto.INT8, "u2": TensorProto.UINT16}


class Maker:
    """A chain of nodes behind x, whose shape is followed."""

    def __init__(self, seed):
        self.dice, self.rng = random.Random(seed), np.random.default_rng(seed)
        self.nodes, self.constants = [], []
        self.dtype = self.dice.choice(list(TYPES))
        self.shape = [self.dice.randint(1, 5) for _ in range(self.dice.randint(1, 4))]
        self.x, self.x_dtype, self.x_shape = "x", self.dtype, list(self.shape)

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def node(self, op, inputs, shape=None, dtype=None, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        self.x, self.shape, self.dtype = name, shape or self.shape, dtype or self.dtype

    def numbers(self, shape, op):
        if self.dtype in FLOATS:
            made = self.rng.integers(-40, 40, shape) / 8
            return np.asarray(np.where((made == 0) & (op == "Div"), 0.5, made), self.dtype)
        low = 1 if op in ("Div", "Mod") or self.dtype[0] == "u" else -20
        return np.asarray(self.rng.integers(low, 100, shape), self.dtype)

    def broadcasting(self):
        """A shape that meets the tensor's; at times one with more axes, or more of one."""
        shape = [d if self.dice.random() < 0.6 else 1 for d in self.shape][self.dice.randint(0, len(self.shape)):]
        if self.dice.random() < 0.15:
            shape = [self.dice.randint(1, 3)] + [1] * (len(self.shape) - len(shape)) + shape
        return shape

    def arithmetic(self):
        ops = ["Add", "Sub", "Mul", "Min", "Max"] + ["Div"] + ([] if self.dtype in FLOATS else ["Mod", "BitwiseAnd", "BitwiseXor"])
        op = self.dice.choice(ops)
        c = self.numbers(self.broadcasting(), op)
        turns = op in ("Add", "Mul", "Sub", "Min", "Max") and self.dice.random() < 0.3
        names = [self.x, self.constant(c)]
        self.node(op, names[::-1] if turns else names, list(np.broadcast_shapes(tuple(self.shape), c.shape)))

    def quantize(self):
        if self.dtype not in ("f4", "f2"):
            return
        axis, to = self.dice.randrange(len(self.shape)), self.dice.choice(list(QUANTIZED))
        scales, attributes = self.scales(axis)
        zero = self.rng.integers(0, 9, scales.shape)
        self.node("QuantizeLinear", [self.x, self.constant(scales.astype(self.dtype)), self.constant(np.asarray(zero, to))], dtype=to, **attributes)

    def dequantize(self):
        if self.dtype not in QUANTIZED:
            return
        scales, attributes = self.scales(self.dice.randrange(len(self.shape)))
        zero = self.rng.integers(0, 9, scales.shape)
        self.node("DequantizeLinear", [self.x, self.constant(scales.astype("f4")), self.constant(np.asarray(zero, self.dtype))], dtype="f4", **attributes)

    def scales(self, axis):
        """One for each index of an axis, counted from either end; for each block of it; or one for all."""
        way, size = self.dice.random(), self.shape[axis]
        shown = axis - len(self.shape) if self.dice.random() < 0.3 else axis
        if way < 0.2:
            return np.asarray(0.25), {}
        if way < 0.6:
            return self.rng.integers(1, 20, size) / 16, {"axis": shown}
        block = self.dice.randint(1, size + 1)
        blocks = [-(-size // block) if k == axis else d for k, d in enumerate(self.shape)]
        return self.rng.integers(1, 20, blocks) / 16, {"axis": shown, "block_size": block}

    def move(self):
        if self.dice.random() < 0.6:
            perm = self.dice.sample(range(len(self.shape)), len(self.shape))
            self.node("Transpose", [self.x], [self.shape[k] for k in perm], perm=perm)
        else:
            axis = self.dice.randrange(len(self.shape))
            back = -(self.shape[axis] + 1)
            given = [self.constant(np.array([k])) for k in (-1, back, axis, -1)]  # in reverse
            self.node("Slice", [self.x, *given])

    def model(self, symbolic):
        for _ in range(self.dice.randint(1, 5)):
            self.dice.choice([self.arithmetic, self.arithmetic, self.quantize, self.dequantize, self.move, self.move])()
        dims = [f"n{k}" if symbolic and self.dice.random() < 0.5 else d for k, d in enumerate(self.x_shape)]
        given = helper.make_tensor_value_info("x", TYPES[self.x_dtype], dims)
        made = helper.make_tensor_value_info(self.x, TYPES[self.dtype], None)
        graph = helper.make_graph(self.nodes, "g", [given], [made], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def same(found, wanted):
    return found.shape == wanted.shape and found.dtype == wanted.dtype and bool(np.all((found == wanted) | ((found != found) & (wanted != wanted))))


def main(reshapec, work, seed, count):
    os.chdir(work)
    ran = refused = wrong = 0
    for n in range(count):
        maker = Maker(seed * 100003 + n)
        model = maker.model(symbolic=n % 3 == 0)
        if not maker.nodes:
            continue
        numbers = maker.rng.integers(-400, 400, maker.x_shape) / 16
        x = np.asarray(numbers if maker.x_dtype in FLOATS else np.abs(numbers), maker.x_dtype)
        with np.errstate(all="ignore"):
            wanted = ReferenceEvaluator(model).run(None, {"x": x})[0]
        onnx.save(model, "m.onnx")
        np.save("x.npy", x)
        done = subprocess.run([reshapec, "run", "m.onnx", "x=x.npy", f"{maker.x}=y.npy"], capture_output=True, text=True)
        if done.returncode == 1 and "supported" in done.stderr:
            refused += 1
            continue
        ran += 1
        if done.returncode or not same(np.load("y.npy"), wanted):
            wrong += 1
            print(f"model {n} of seed {seed}: exit {done.returncode} {done.stderr[:500]}\n{onnx.printer.to_text(model)}")
    print(f"{ran} models, {refused} refused, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
