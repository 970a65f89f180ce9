# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes of all operators, each with one operand or attribute that is odd: it has another rank or size, its sizes or
elements are not known, it is left out or beyond all bounds.

reshapec must read each, and where ONNX accepts the node, must not contradict the shapes that onnx.shape_inference
infers.
"""

import argparse
import collections
import json
import os
import pickle
import re
import signal
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper
from shape_cases import CASES, B, Draw, F, I, S, body, ints, value
from shapes import BINDINGS, Maker, number_of, since

MOST, LARGE = 2**63 - 1, 2**20
OLD = ["Concat", "Dropout", "Flatten", "OneHot", "Pad", "ReduceMax", "ReduceSum", "Scan", "Slice", "Split", "Squeeze",
       "TopK", "Unsqueeze", "Upsample"]  # fmt: skip
RUNS = [(26, list(CASES)), (12, OLD), (10, ["Resize"]), (8, OLD), (4, ["Cast", "Reshape", "Tile"])]
# Of these onnx accepts invalid nodes: tensors whose sizes do not fit, or an empty permutation. Of STFT, it infers all
# bins by default.
NOT_COMPARED = {"Attention", "MaxUnpool", "ReverseSequence", "STFT", "Transpose"}


class Size:
    """An operand that is the open size of another: known, but no number."""

    def __init__(self, shape):
        self.shape = shape


def branch(kind, dims):
    return body([value("r", kind, dims)], [helper.make_node("Optional", [], ["r"])])


def loop(carried, made):
    nodes = [helper.make_node("Identity", ["c"], ["c2"]), helper.make_node("Identity", ["s"], ["s2"])]
    results = [value("c2", B, []), value("s2", F, carried), value("r", F, made)]
    nodes.append(helper.make_node("Optional", [], ["r"]))
    return body(results, nodes, [value("i", I, []), value("c", B, []), value("s", F, carried)])


def scan(made):
    nodes = [helper.make_node("Identity", ["s"], ["s2"]), helper.make_node("Optional", [], ["r"])]
    return body([value("s2", F), value("r", F, made)], nodes, [value("s", F), value("e", F)])


# Nodes with all of their attributes, or what no other has.
IMAGE = [(F, [2, 4, 9, 8]), (F, [4, 2, 3, 2])]
WINDOWS = {"strides": [2, 1], "dilations": [1, 2], "pads": [1, 0, 1, 1], "kernel_shape": [3, 2], "auto_pad": "NOTSET"}
EXTRA = [
    ("Conv", [IMAGE[0], (F, [6, 2, 3, 2])], {**WINDOWS, "group": 2}, 1),
    ("ConvTranspose", IMAGE, {**WINDOWS, "group": 2, "output_padding": [1, 0]}, 1),
    ("ConvTranspose", IMAGE, {"strides": [3, 3], "auto_pad": "SAME_UPPER"}, 1),
    ("ConvTranspose", IMAGE, {"output_shape": [20, 12], "auto_pad": "SAME_LOWER"}, 1),
    ("MaxPool", IMAGE[:1], {**WINDOWS, "ceil_mode": 1}, 2),
    ("MaxUnpool", [(F, [1, 1, 4, 5]), (I, [1, 1, 4, 5]), ints(1, 1, 9, 9)], {"kernel_shape": [2, 2], "pads": [1, 0, 0, 1]}, 1),
    ("LSTM", [(F, [3, 2, 5]), (F, [2, 16, 5]), (F, [2, 16, 4])], {"hidden_size": 4, "direction": "bidirectional", "layout": 1}, 3),
    ("Attention", [(F, [2, 3, 4, 8]), (F, [2, 2, 5, 8]), (F, [2, 2, 5, 6]), None, (F, [2, 2, 7, 8]), (F, [2, 2, 7, 6])], {}, 4),
    ("Attention", [(F, [2, 3, 32]), (F, [2, 5, 16]), (F, [2, 5, 12])], {"q_num_heads": 4, "kv_num_heads": 2}, 1),
    ("Gemm", [(F, [3, 2]), (F, [4, 3])], {"transA": 1, "transB": 1}, 1),
    ("Einsum", [(F, [2, 3]), (F, [3, 4])], {"equation": "ab,bc->ac"}, 1),
    ("Einsum", [(F, [2, 2, 3])], {"equation": "aab->ab"}, 1),
    ("Einsum", [(F, [1] * 16)], {"equation": "......->..."}, 1),
    ("Slice", [(F, [7, 8]), (I, [2]), ints(9, 1), ints(1, 0), ints(-1, -2)], {}, 1),
    ("Slice", [(F, [7, 8]), ints(9, 1), ints(-9, -9), ints(1, 0), ints(-1, -2)], {}, 1),
    ("Split", [(F, [7, 8]), ints(1, 6)], {"axis": -2}, 2),
    ("Squeeze", [(F, [1, 3, 1])], {}, 1),
    ("Pad", [(F, [2, 3]), ints(1, 2), None, ints(-1)], {"mode": "reflect"}, 1),
    ("Resize", [IMAGE[0], None, None, ints(5, 6)], {"axes": [2, 3], "keep_aspect_ratio_policy": "stretch"}, 1),
    ("Resize", [IMAGE[0], None, None, ints(5, 6)], {"axes": [3, 2], "keep_aspect_ratio_policy": "not_larger"}, 1),
    ("Resize", [IMAGE[0], None, np.array([0.5, 2.5], np.float32)], {"axes": [3, 2]}, 1),
    ("DFT", [(F, [2, 9, 4, 1]), ints(5).reshape(()), ints(-2).reshape(())], {"onesided": 1, "inverse": 1}, 1),
    ("RoiAlign", [IMAGE[0], (F, [3, 4]), (I, [3])], {"output_height": 3, "output_width": 2}, 1),
    ("TensorScatter", [(F, [2, 3, 8, 4]), (F, [2, 3, 2, 4]), ints(1, 7)], {"mode": "circular", "axis": -2}, 1),
    ("ScatterND", [(F, [2, 3]), ints([0, 1], [1, -1]), (F, [2])], {"reduction": "none"}, 1),
    ("ScatterElements", [(F, [2, 3]), ints([0, 1, -1]), (F, [1, 3])], {"axis": 1, "reduction": "none"}, 1),
    ("OneHot", [ints([0, -1], [2, 9]), ints(3), (F, [2])], {"axis": 1}, 1),
    ("Compress", [(F, [2, 3]), np.array([True, False, True])], {"axis": -1}, 1),
    ("Where", [np.array([[True], [False]]), (F, [2, 3]), (F, [3])], {}, 1),
    ("Trilu", [(F, [2, 3, 4]), ints(1).reshape(())], {"upper": 0}, 1),
    ("Col2Im", [(F, [1, 6, 12]), ints(6, 8), ints(2, 3)], {"strides": [2, 2], "dilations": [1, 1], "pads": [0, 0, 0, 0]}, 1),
    ("GatherND", [(F, [2, 3, 4]), (I, [2, 5, 1])], {"batch_dims": 1}, 1),
    ("TopK", [(F, [3, 8]), ints(2)], {"axis": 1, "largest": 0}, 2),
    ("Reshape", [(F, [2, 3, 4]), ints(0, -1)], {"allowzero": 0}, 1),
    ("CenterCropPad", [(F, [4, 5]), ints(3)], {"axes": [-1]}, 1),
    ("SpaceToDepth", [IMAGE[0]], {"blocksize": 2}, 1),
    ("Range", [(I, []), ints(7).reshape(()), ints(-2).reshape(())], {}, 1),
    ("Range", [Size(()), ints(1).reshape(()), ints(-2).reshape(())], {}, 1),
    ("Range", [ints(3).reshape(()), Size(()), ints(2).reshape(())], {}, 1),
    ("Split", [(F, [None, None]), (I, [2])], {"axis": 1}, 2),
    ("Split", [(S, [None, 3])], {"axis": 0, "num_outputs": 2}, 2),
    ("Split", [(S, [5, 3])], {"axis": 0, "num_outputs": 2}, 2),
    ("Squeeze", [(S, [None, 1])], {}, 1),
    ("Slice", [np.array(["a", "b", "c"]), ints(-9), ints(-10), ints(0), ints(-1)], {}, 1),
    ("Slice", [np.array(["a", "b", "c"]), ints(-1), ints(-MOST - 1), ints(0), ints(-2)], {}, 1),
    ("Split", [np.array(["a"] * 5)], {"axis": 0, "num_outputs": 4}, 4),
    ("Shape", [np.array([["a", "b"]])], {"start": -1, "end": -2}, 1),
    ("Shape", [np.array([["a", "b"]])], {"start": -7, "end": 7}, 1),
    ("GridSample", [IMAGE[0], (F, [2, 5, 6, 2])], {}, 1),
    ("AveragePool", [(F, [1, 2, None, 9])], {"kernel_shape": [2, 2], "ceil_mode": 1, "strides": [2, 1], "pads": [0, 1, 2, 3]}, 1),
    ("TfIdfVectorizer", [(I, [6])], {"max_gram_length": 1, "max_skip_count": 0, "min_gram_length": 1, "mode": "TF", "ngram_counts": [0], "ngram_indexes": [0, 2], "pool_int64s": [4, 5]}, 1),
    ("Einsum", [(F, [2, 3]), (F, [4, 3])], {"equation": "...,..."}, 1),
    ("Einsum", [(F, [2, 3]), (F, [5, 3])], {"equation": "...a,...a->..."}, 1),
    ("Einsum", [(F, [2, 3]), (F, [5])], {"equation": "...a,b"}, 1),
    ("Einsum", [(F, [2, 3]), (F, [5])], {"equation": "ab,c->....a"}, 1),
    ("Einsum", [(F, [2, 3]), (F, [5])], {"equation": "ab,c->ad"}, 1),
    ("Add", [(F, [None, None]), (F, [None, 7])], {}, 1),
    ("Add", [(F, [7, None]), (F, [None, None])], {}, 1),
    ("Expand", [(F, [3]), (I, [2])], {}, 1),
    ("Expand", [(F, [3]), (I, [2, 1])], {}, 1),
    ("Expand", [(F, [3]), ints(*[1] * 17)], {}, 1),
    ("CenterCropPad", [(S, [4, 5]), ints(3)], {"axes": [-1]}, 1),
    ("Tile", [(S, [4, 5]), ints(2, 3)], {}, 1),
    ("If", [(B, [])], {"then_branch": branch(F, [2, None]), "else_branch": branch(I, [2, None])}, 1),
    ("If", [(B, [])], {"then_branch": branch(F, None), "else_branch": branch(F, [2])}, 2),
    ("Loop", [(I, []), (B, []), (F, [2])], {"body": loop([2], [None, 3])}, 2),
    ("Loop", [(I, []), (B, []), (F, [2])], {"body": loop([2], None)}, 2),
    ("Scan", [(F, [3]), (F, [3, 5])], {"body": scan([3]), "num_scan_inputs": 1, "scan_input_axes": [1], "scan_output_axes": [1]}, 2),
    ("Scan", [(F, [3]), (F, [3, 5])], {"body": scan(None), "num_scan_inputs": 1, "scan_input_axes": [1], "scan_output_axes": [-1]}, 2),
    ("BatchNormalization", [IMAGE[0], *[(F, [4])] * 4], {"training_mode": 1}, 3),
]  # fmt: skip
EQUATIONS = ["", "ab,b->..ca", "...a......->a", "......->...", ".->a", "a" * 24, "\u00e4->a", "a->z", "...", "ab->",
             "a b->b a"]  # fmt: skip


def odd_operands(given):
    if isinstance(given, np.ndarray):
        kind = helper.np_dtype_to_tensor_dtype(given.dtype)
        yield from (None, (kind, None), (kind, list(given.shape)), (kind, [None] * given.ndim))
        if given.dtype == np.int64 and given.size == 1:
            yield Size(given.shape)
        if given.ndim and given.size:
            yield from (given[:-1], np.concatenate([given, given[-1:]]), given.reshape(-1, 1))
            yield given.reshape(-1)[:1].reshape(())
        for n in (MOST, -MOST - 1, 2**32, -1, 0) if given.dtype == np.int64 else (0.0, -1.0, np.inf):
            yield np.full_like(given, n)
    elif isinstance(given, tuple):
        kind, dims = given
        yield from (None, (kind, None), (kind, [*dims, 2]), (kind, dims[:-1]), (kind, [1] * 16))
        yield from ((kind, [n] * len(dims)) for n in (None, 0, 1))
        yield from ((kind, [MOST if k == i else 1 for k in range(len(dims))]) for i in range(len(dims)))


def odd_attributes(name, given):
    if name in ("ceil_mode", "keepdims"):
        yield from (0, 1)
    elif isinstance(given, int):
        yield from (0, -1, 1, 7, MOST, -MOST - 1)
    elif name == "equation":
        yield from EQUATIONS
    elif isinstance(given, str):
        yield from ("", "other")
    elif isinstance(given, list) and isinstance(given[0], int):
        yield from ([], given[:-1], given + given[-1:], *([n] * len(given) for n in (0, -1, 9, MOST, -MOST - 1, 2**32)))


def is_large(node, inputs, constants):
    """Whether numbers are so large that onnx itself may overflow, or loop over them."""
    numbers = [n for i in node.input for n in inputs.get(i) or [] if isinstance(n, int)]
    numbers += [n for i in node.input if i in constants for n in constants[i]]
    numbers += [n for a in node.attribute for n in [a.i, *a.ints]]
    return any(abs(n) > LARGE for n in numbers)


class Odd(Maker):
    def put(self, op, operands, attributes, count):
        names = []
        for given in operands:
            if isinstance(given, Size):
                names.append(f"s{len(self.nodes)}")
                self.inputs.append((f"i{len(self.inputs) + len(self.constants)}", F, [None]))
                outputs = [f"{names[-1]}v", names[-1]] if given.shape == () else [names[-1]]
                self.nodes.append(helper.make_node("Shape", [self.inputs[-1][0]], outputs[:1]))
                if given.shape == ():
                    self.nodes.append(helper.make_node("Squeeze", outputs[:1], outputs[1:]))
            elif isinstance(given, tuple):
                names.append(f"i{len(self.inputs) + len(self.constants)}")
                dims = given[1] and [BINDINGS[0].get(d, d) for d in given[1]]
                self.inputs.append((names[-1], given[0], dims))
            else:
                names.append(self.operand(given))
        node = helper.make_node(op, names, [f"o{len(self.nodes)}_{k}" for k in range(count)])
        for name, given in attributes.items():
            empty = onnx.AttributeProto(name=name, type=onnx.AttributeProto.INTS)
            node.attribute.append(empty if given == [] else helper.make_attribute(name, given))
        self.nodes.append(node)

    def put_all(self, op):
        made = CASES[op](Draw(self.random, self.opset))
        self.put_odd(op, *(made if len(made) == 3 else (*made, 1)))

    def put_odd(self, op, operands, attributes, count):
        self.put(op, operands, attributes, count + 1)
        self.put(op, operands, attributes, 0)
        for i, operand in enumerate(operands):
            for odd in odd_operands(operand):
                self.put(op, [*operands[:i], odd, *operands[i + 1 :]], attributes, count)
        for name, attribute in attributes.items():
            rest = {k: v for k, v in attributes.items() if k != name}
            self.put(op, operands, rest, count)
            for odd in odd_attributes(name, attribute):
                self.put(op, operands, {**rest, name: odd}, count)

    def right(self):
        """{result: sizes} that onnx infers, of nodes that it accepts. It may crash or never end: so in a process."""
        inputs = {name: dims for name, _, dims in self.inputs}
        lists = [c for c in self.constants if c.data_type == TensorProto.INT64]
        constants = {c.name: onnx.numpy_helper.to_array(c).ravel().tolist() for c in lists}
        if self.opset < 11:  # axes below 0, or twice, are not defined, but accepted
            return {}
        small = [n for n in self.nodes if n.op_type not in NOT_COMPARED and not is_large(n, inputs, constants)]
        others = ("num_outputs", "output_shape")
        small = [n for n in small if not any(b".." in a.s or a.name in others for a in n.attribute)]
        found, done = {}, 0
        while done < len(small):
            read, write = os.pipe()
            child = os.fork()
            if child == 0:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                with os.fdopen(write, "wb") as file:
                    for node in small[done:]:
                        signal.alarm(1)
                        pickle.dump(self.shapes(node), file)
                        file.flush()
                os._exit(0)
            os.close(write)
            with os.fdopen(read, "rb") as file:
                while done < len(small):
                    try:
                        found.update(pickle.load(file))
                    except EOFError:
                        break
                    finally:
                        done += 1
            os.waitpid(child, 0)
        return found

    def shapes(self, node):
        try:
            made = self.infer([node], {None: 3})
        except Exception:  # noqa: BLE001  (it refuses the node)
            return {}
        made = {name: t.shape.dim for name, t in made.items() if t.HasField("shape")}
        return {name: [d.dim_value if d.HasField("dim_value") else None for d in dims] for name, dims in made.items()}


def size_of(dim):
    """Open sizes of inputs are 3; those of results are not known."""
    return None if "o" in str(dim) else number_of(dim, dict.fromkeys(re.findall(r"i\d+_\d+", str(dim)), 3))


def agree(sizes, dims):
    return len(sizes) == len(dims) and all(a == b or None in (a, b) for a, b in zip(sizes, dims))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reshapec", required=True)
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    random, spans, count, faults = np.random.default_rng(1), since(), collections.Counter(), []
    for opset, ops in RUNS:
        makers = []
        extra = EXTRA if opset == RUNS[0][0] else []
        for row in extra + [(op,) for op in ops if spans[op][0] <= opset < spans[op][1]]:
            if not makers or len(makers[-1].nodes) > 100:
                makers.append(Odd(random, opset))
            makers[-1].put_odd(*row) if len(row) > 1 else makers[-1].put_all(*row)
        for number, maker in enumerate(makers):
            path = os.path.join(options.work, f"odd{opset}-{number}.onnx")
            onnx.save(maker.model(maker.nodes, {}), path)
            command = [options.reshapec, "chains", path, "--json"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"{path}: {done.returncode}: {done.stderr}")
            told = {t["name"]: t["dims"] for t in json.loads(done.stdout)["tensors"]}
            count["nodes"] += len(maker.nodes)
            for name, dims in maker.right().items():
                count["known"] += 1
                sizes = told.get(name) and [size_of(d) for d in told[name]]
                if sizes is not None and not agree(sizes, dims):
                    node = next(n for n in maker.nodes if name in n.output)
                    text = onnx.printer.to_text(node)
                    faults.append(f"fault: {path}: {name}: {told[name]}, but {dims} by onnx:\n{text}")
    print(*faults, sep="\n")
    known = f"{count['known']} results of which onnx knows the shape"
    print(f"{count['nodes']} nodes read, {known}, {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
