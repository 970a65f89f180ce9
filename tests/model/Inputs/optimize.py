# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""optimize.py show MODEL ...: the nodes, constants and declared values of models.
optimize.py compare RESHAPEC WORK MODEL ...: optimizes models and compares the results with them.
optimize.py random RESHAPEC WORK SEED COUNT: the same for random models.

A result must pass ONNX's checker, have no more nodes than the model, and return the same bytes on random inputs. The
parts that it shares with the model must not change.
"""

import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

SIZES = ({"batch": 2, "tokens": 5}, {"batch": 1, "tokens": 3})  # of symbolic sizes; others are 2 and 1


def show(*paths):
    for path in paths:
        graph = onnx.load(path).graph
        for node in graph.node:
            numbers = [a for a in node.attribute if a.type in (a.INT, a.INTS)]
            lists = [f"{a.name}={list(a.ints) if a.type == a.INTS else a.i}" for a in numbers]
            print(f"{node.op_type} '{node.name}' {list(node.input)} -> {list(node.output)}", *lists)
        for tensor in graph.initializer:
            array = numpy_helper.to_array(tensor)
            print(f"initializer {tensor.name}", array.tolist() if array.size < 9 else array.shape)
        for kind in ("input", "value_info", "output"):
            print(f"{kind}:", *[value.name for value in getattr(graph, kind)])


# ---- one model -----------------------------------------------------------------------------------


def inputs_of(model, sizes, seed):
    random = np.random.default_rng(seed)
    weights = {i.name for i in model.graph.initializer}
    fed = {}
    for value in model.graph.input:
        if value.name in weights:
            continue
        tensor = value.type.tensor_type
        dims = [d.dim_value or sizes.get(d.dim_param, 2 - seed) for d in tensor.shape.dim]
        kind = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        values = random.random(dims) if kind.kind == "f" else random.integers(0, 2, dims)
        fed[value.name] = values.astype(kind)
    return fed


def messages(model, kind):
    return [m.SerializeToString() for m in getattr(model.graph, kind)]


def check_model(model):
    onnx.checker.check_model(model, full_check=True)


def node_count(nodes):
    """Returns the number of nodes, including branches, one of which may replace its If."""
    return sum(1 + sum(node_count(a.g.node) for a in n.attribute if a.type == a.GRAPH) for n in nodes)


def difference(model, made, check=check_model):
    """Returns what is wrong with the form of `made`, or None. `check` raises an error if it is not a valid model."""
    check(made)
    if node_count(made.graph.node) > node_count(model.graph.node):
        return "more nodes"
    if messages(model, "output") != messages(made, "output"):
        return "other outputs"
    for kind in ("initializer", "input", "value_info"):
        before = {m.name: m.SerializeToString() for m in getattr(model.graph, kind)}
        for message in getattr(made.graph, kind):
            if before.get(message.name, message.SerializeToString()) != message.SerializeToString():
                return f"{kind} {message.name} differs"
    values = {o for n in made.graph.node for o in n.output} | {i.name for i in [*made.graph.input, *made.graph.initializer]}
    for value in made.graph.value_info:
        if value.name not in values:
            return f"value {value.name} is declared and not there"
    left, right = onnx.ModelProto(), onnx.ModelProto()
    left.CopyFrom(model)
    right.CopyFrom(made)
    left.ClearField("graph")
    right.ClearField("graph")
    if left.SerializeToString() != right.SerializeToString():
        return "something outside of the graph differs"
    return None


def compare(model, made):
    """Returns what is wrong with `made`, or None."""
    what = difference(model, made)
    if what:
        return what
    for seed, sizes in enumerate(SIZES):
        fed = inputs_of(model, sizes, seed)
        wanted = ReferenceEvaluator(model).run(None, fed)
        got = ReferenceEvaluator(made).run(None, fed)
        for value, a, b in zip(model.graph.output, wanted, got):
            if a.dtype != b.dtype or a.shape != b.shape or a.tobytes() != b.tobytes():
                return f"output {value.name} differs"
    return None


def computed_targets(model):
    """Returns the number of reshapes with a computed target."""
    makers = {o: n for n in model.graph.node for o in n.output if n.op_type != "Constant"}
    return sum(n.op_type == "Reshape" and len(n.input) > 1 and n.input[1] in makers for n in model.graph.node)


def optimize(reshapec, path, made):
    subprocess.run([reshapec, "optimize", path, "-o", made], check=True, stdout=subprocess.DEVNULL)
    return onnx.load(made)


def compare_files(reshapec, work, *paths):
    os.makedirs(work, exist_ok=True)
    failed = False
    for path in paths:
        model = onnx.load(path)
        made = optimize(reshapec, path, os.path.join(work, os.path.basename(path)))
        what = compare(model, made)
        nodes = [f"{len(m.graph.node)} nodes, {computed_targets(m)} computed targets" for m in (model, made)]
        print(f"{os.path.basename(path)}: {nodes[0]}, now {nodes[1]}", what or "")
        failed = failed or what
    return 1 if failed else 0


# ---- random models -------------------------------------------------------------------------------


class Maker:
    """A model of nodes that move data, with some that compute between them."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.opset = int(self.random.choice([9, 11, 13, 18, 21]))
        self.version = int(self.random.choice([3, 4, 8]))
        self.nodes, self.constants, self.count = [], [], 0
        self.dims = self.draw([[2, 3, 4], [1, 6, 4], [8, 6], [2, 2, 3, 2], [1, 4, 2, 2], [24], [4, 1, 6, 1]])
        self.symbols = ["batch"] if self.dims[0] == 2 and self.draw([True, False]) else []
        self.pool = [("x", self.dims)]  # values with their sizes, for batch == 2

    def draw(self, options):
        return options[int(self.random.integers(len(options)))]

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def ints(self, values):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def node(self, op, inputs, dims, **attributes):
        name = self.name()
        called = f"node_{name}" if self.draw([True, True, False]) else ""
        self.nodes.append(helper.make_node(op, inputs, [name], called, **attributes))
        self.pool.append((name, list(dims)))

    def with_axes(self, op, x, dims, axes):
        if self.opset < 13:
            self.node(op, [x], dims, axes=axes)
        else:
            self.node(op, [x, self.ints(axes)], dims)

    def slice(self, x, dims, axis, start, end):
        made = [*dims[:axis], end - start, *dims[axis + 1 :]]
        if self.opset < 10:
            self.node("Slice", [x], made, starts=[start], ends=[end], axes=[axis])
        else:
            self.node("Slice", [x, self.ints([start]), self.ints([end]), self.ints([axis])], made)

    def reshape(self, x, dims):
        """Adds a reshape that keeps the first size if that may be a symbol."""
        rest = [d for d in dims[1:]]
        kept = dims[:1] if self.symbols or self.draw([True, False]) else []
        rest = rest if kept else list(dims)
        for _ in range(int(self.random.integers(1, 4))):
            at = int(self.random.integers(len(rest))) if rest else 0
            way = self.draw(["split", "join", "one", "drop"])
            if way == "split" and rest and rest[at] % 2 == 0:
                rest[at : at + 1] = [2, rest[at] // 2]
            elif way == "join" and len(rest) > 1 and at + 1 < len(rest):
                rest[at : at + 2] = [rest[at] * rest[at + 1]]
            elif way == "one" and len(rest) < 5:
                rest.insert(at, 1)
            elif way == "drop" and rest and rest[at] == 1:
                del rest[at]
        made = [*kept, *rest]
        if not made:
            return
        how = self.draw(["list", "infer", "copy", "computed"])
        if how == "computed" and kept:
            shape, first = self.name(), self.name()
            self.nodes.append(helper.make_node("Shape", [x], [shape]))
            self.nodes.append(helper.make_node("Gather", [shape, self.ints([0])], [first]))
            target = self.name()
            self.nodes.append(helper.make_node("Concat", [first, self.ints(rest)], [target], axis=0))
            if not rest:
                return
            self.node("Reshape", [x, target], made)
        elif how == "copy" or (kept and self.symbols):
            entries = [0, *rest] if kept else made
            self.node("Reshape", [x, self.ints(entries)], made)
        elif how == "infer":
            at = int(self.random.integers(len(made)))
            self.node("Reshape", [x, self.ints([*made[:at], -1, *made[at + 1 :]])], made)
        else:
            self.node("Reshape", [x, self.ints(made)], made)

    def step(self):
        x, dims = self.draw(self.pool[-3:])
        rank = len(dims)
        fixed = 1 if self.symbols else 0  # some operators must not change the first axis if its size is a symbol
        way = self.draw(
            ["reshape"] * 6 + ["transpose"] * 5 + ["unsqueeze", "squeeze", "flatten", "identity", "dropout"]
            + ["slice", "concat", "relu", "depth", "halves"]
        )
        if way == "reshape":
            if not self.symbols or (dims and dims[0] == 2):
                self.reshape(x, dims)
        elif way == "transpose" and rank > 1:
            perm = [int(i) for i in self.random.permutation(rank)]
            if self.symbols:
                perm = [0, *[int(i) + 1 for i in self.random.permutation(rank - 1)]]
            self.node("Transpose", [x], [dims[i] for i in perm], perm=perm)
        elif way == "unsqueeze" and rank < 5:
            axis = int(self.random.integers(fixed, rank + 1))
            self.with_axes("Unsqueeze", x, [*dims[:axis], 1, *dims[axis:]], [axis])
        elif way == "squeeze" and 1 in dims[fixed:]:
            axis = dims.index(1, fixed)
            self.with_axes("Squeeze", x, [*dims[:axis], *dims[axis + 1 :]], [axis])
        elif way == "flatten" and rank > 1:
            self.node("Flatten", [x], [dims[0], int(np.prod(dims[1:]))], axis=1)
        elif way in ("identity", "relu"):
            self.node(way.capitalize(), [x], dims)
        elif way == "dropout":
            self.node("Dropout", [x], dims)
        elif way == "slice" and rank > fixed:
            axis = int(self.random.integers(fixed, rank))
            self.slice(x, dims, axis, 0, self.draw([dims[axis], max(1, dims[axis] // 2)]))
        elif way == "concat" and rank > fixed:
            axis = int(self.random.integers(fixed, rank))
            many = self.draw([1, 2])
            self.node("Concat", [x] * many, [*dims[:axis], many * dims[axis], *dims[axis + 1 :]], axis=axis)
        elif way == "depth" and rank == 4 and dims[1] % 4 == 0:
            self.node("DepthToSpace", [x], [dims[0], dims[1] // 4, 2 * dims[2], 2 * dims[3]], blocksize=2)
        elif way == "halves" and rank > fixed and dims[-1] % 2 == 0:  # split and concatenated again
            axis, half = rank - 1, dims[-1] // 2
            self.slice(x, dims, axis, 0, half)
            self.slice(x, dims, axis, half, dims[-1])
            left, right = self.pool[-2][0], self.pool[-1][0]
            self.node("Concat", [left, right], dims, axis=axis)

    def model(self):
        steps = int(self.random.integers(4, 16))
        for _ in range(4 * steps):
            if len(self.nodes) >= steps:
                break
            self.step()
        names = [name for name, _ in self.pool[1:]]
        results = {names[-1], *[n for n in names if self.random.random() < 0.1]}
        read = {i for n in self.nodes for i in n.input}
        results |= {n for n in names if n not in read and self.random.random() < 0.8}
        dims = [*self.symbols, *self.dims[len(self.symbols) :]]
        inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, dims)]
        if self.version < 4:
            inputs += [helper.make_tensor_value_info(c.name, TensorProto.INT64, c.dims) for c in self.constants]
        sizes = {name: [*self.symbols, *dims[len(self.symbols) :]] for name, dims in self.pool}
        outputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, sizes[n]) for n in names if n in results]
        graph = helper.make_graph(self.nodes, "g", inputs, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=self.version)
        return onnx.shape_inference.infer_shapes(model)


def compare_random(reshapec, work, seed, count):
    os.makedirs(work, exist_ok=True)
    path, failed, before, after, smaller = os.path.join(work, "random.onnx"), 0, 0, 0, 0
    for number in range(int(seed), int(seed) + int(count)):
        model = Maker(number).model()
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, path)
        made = optimize(reshapec, path, os.path.join(work, "made.onnx"))
        what = compare(model, made)
        before += len(model.graph.node)
        after += len(made.graph.node)
        smaller += len(made.graph.node) < len(model.graph.node)
        if what:
            failed += 1
            print(f"seed {number}: {what}")
            onnx.save(model, os.path.join(work, f"seed_{number}.onnx"))
    print(f"{count} models, {smaller} of them smaller; {before} nodes, now {after}; {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit({"show": show, "compare": compare_files, "random": compare_random}[sys.argv[1]](*sys.argv[2:]))
