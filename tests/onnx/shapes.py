# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the shapes that reshapec infers with those of ONNX's own inference, over random nodes of all operators.

Each model holds many nodes, whose inputs have symbolic sizes. The shapes that reshapec infers are evaluated for several
values of the symbols and compared with those that onnx.shape_inference infers for these sizes. If reshapec knows less,
that is counted by operator; a difference is a fault. Every operator of onnx's schemas must have a row in
onnx_shapes.def and cases here.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, defs, helper, numpy_helper
from shape_cases import CASES, WITHOUT, Draw

NEWEST = 26
OPSETS = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26]
BINDINGS = [{"N": 5, "M": 5, "H": 13, "W": 8}, {"N": 2, "M": 7, "H": 12, "W": 31}]
TYPES = {"FLOAT": "f32", "DOUBLE": "f64", "INT64": "i64", "INT32": "i32", "INT8": "i8", "UINT8": "u8", "BOOL": "bool", "STRING": "string"}


def since():
    """{operator: (first opset, opset from which on it is gone)}."""
    versions = collections.defaultdict(dict)
    for schema in defs.get_all_schemas_with_history():
        if schema.domain == "" and schema.since_version <= NEWEST:
            versions[schema.name][schema.since_version] = schema.deprecated
    return {name: (min(v), max(v) if v[max(v)] else NEWEST + 1) for name, v in versions.items()}


def check_table(path):
    with open(path, encoding="utf-8") as file:
        rows = set(re.findall(r'^ONNX_SHAPE\("(\w+)"', file.read(), re.M))
    known = set(since())
    wrong = {"without a row": known - rows, "rows of no operator": rows - known, "without cases": known - set(CASES) - WITHOUT}
    for what, names in wrong.items():
        if names:
            sys.exit(f"{what}: {', '.join(sorted(names))}")
    print(f"{len(rows)} operators, each with a shape rule")


class Maker:
    def __init__(self, random, opset):
        self.random, self.opset = random, opset
        self.nodes, self.inputs, self.constants, self.results = [], [], [], []

    def operand(self, given):
        if given is None:
            return ""
        name = f"i{len(self.inputs) + len(self.constants)}"
        if isinstance(given, np.ndarray):
            self.constants.append(numpy_helper.from_array(given, name))
        else:
            self.inputs.append((name, given[0], given[1]))
        return name

    def add(self, op):
        made = CASES[op](Draw(self.random, self.opset))
        operands, attributes, count = made if len(made) == 3 else (*made, 1)
        before = len(self.inputs), len(self.constants)
        names = [self.operand(o) for o in operands]
        outputs = [f"o{len(self.nodes)}_{k}" for k in range(count)]
        node = helper.make_node(op, names, outputs, **attributes)
        if not self.is_valid(node):
            del self.inputs[before[0] :], self.constants[before[1] :]
            return False
        self.nodes.append(node)
        self.results += [(o, op) for o in outputs]
        return True

    def model(self, nodes, binding):
        read = {n for node in nodes for n in node.input}
        inputs = [helper.make_tensor_value_info(n, k, dims and [binding.get(d, d) for d in dims]) for n, k, dims in self.inputs if n in read]
        constants = [c for c in self.constants if c.name in read]
        outputs = [onnx.ValueInfoProto(name=o) for node in nodes for o in node.output]
        graph = helper.make_graph(nodes, "g", inputs, outputs, constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)

    def infer(self, nodes, binding):
        # onnx needs a type of each output, which is what it infers first
        model = self.model(nodes, binding)
        del model.graph.output[:]
        made = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
        return {v.name: v.type.tensor_type for v in made.graph.value_info}

    def is_valid(self, node):
        try:
            return all(self.infer([node], b) is not None for b in BINDINGS)
        except Exception:  # noqa: BLE001  (onnx refuses the node: it is none)
            return False


def number_of(text, binding):
    if isinstance(text, int):
        return text
    if "?" in text or ".." in text:  # 0..8: what a Slice by data leaves
        return None
    functions = {"min": min, "max": max, "either": lambda at, size: at or size, "edge": edge}
    return int(eval(re.sub("/+", "//", text), {"__builtins__": {}}, {**functions, **binding}))


def edge(at, size, least=0):
    at = at + size if at < 0 else at
    return min(max(at, least), size)


def compare(maker, told, tally, faults):
    for binding in BINDINGS:
        right = maker.infer(maker.nodes, binding)
        for name, op in maker.results:
            want, got = right.get(name), told.get(name)
            if want is None or not want.HasField("shape"):
                tally["onnx knows no rank"] += 1
                continue
            if got is None or got["dims"] is None:
                tally[f"{op}: no rank"] += 1
                continue
            if TYPES.get(TensorProto.DataType.Name(want.elem_type)) != got["dtype"]:
                faults.append((op, maker.opset, name, f"type {got['dtype']}", want.elem_type))
            dims = [d.dim_value if d.HasField("dim_value") else None for d in want.shape.dim]
            sizes = [number_of(d, binding) for d in got["dims"]]
            if len(dims) != len(sizes) or any(a is not None and b not in (None, a) for a, b in zip(dims, sizes)):
                faults.append((op, maker.opset, name, got["dims"], dims, binding))
            elif any(a is not None and b is None for a, b in zip(dims, sizes)):
                tally[f"{op}: a size less"] += 1
            else:
                tally["alike"] += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reshapec", required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    check_table(options.table)
    spans, tally, faults = since(), collections.Counter(), []
    met = set()
    for number in range(options.count):
        random = np.random.default_rng([options.seed, number])
        opset = OPSETS[(number * 7 + options.seed) % len(OPSETS)]
        maker = Maker(random, opset)
        for op in CASES:
            first, gone = spans[op]
            if first <= opset < gone and any(maker.add(op) for _ in range(3)):
                met.add(op)
        path = os.path.join(options.work, f"shapes{number}.onnx")
        onnx.save(maker.model(maker.nodes, {}), path)
        done = subprocess.run([options.reshapec, "chains", path, "--json"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{path}: {done.stderr}")
        compare(maker, {t["name"]: t for t in json.loads(done.stdout)["tensors"]}, tally, faults)
    for fault in faults[:20]:
        print("fault:", *fault)
    less = {k: v for k, v in tally.items() if ":" in k}
    for what, count in sorted(less.items()):
        print(f"  {what} ({count})")
    unmet = set(CASES) - met
    print(f"{len(met)} operators met" + (f", not {', '.join(sorted(unmet))}" if unmet else ""))
    print(f"{tally['alike']} results as onnx infers them, {sum(less.values())} of which less is known, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
