# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""chains.py RESHAPEC CC WORK SIZE MODEL ...: compares every chain of the models with ONNX's evaluator.

The evaluator runs the whole model on random inputs, with all computed values as outputs. The function of each chain is
called with the evaluator's values of its inputs, and must return the evaluator's bytes. The manifest says how to call
it. SIZE is the value of symbolic sizes, except for those in SIZES.
"""

import ctypes
import json
import os
import subprocess
import sys

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

SIZES = {"batch": 2, "tokens": 5}


def evaluated(model, size):
    """Returns {name: array} of all tensors of a model."""
    random = np.random.default_rng(1)
    weights = {i.name for i in model.graph.initializer}
    fed = {}
    for value in model.graph.input:
        if value.name in weights:
            continue
        tensor = value.type.tensor_type
        dims = [d.dim_value or SIZES.get(d.dim_param, size) for d in tensor.shape.dim]
        kind = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        values = random.random(dims) if kind.kind == "f" else random.integers(0, 2, dims)
        fed[value.name] = values.astype(kind)
    known = {v.name for v in model.graph.output}
    names = [o for n in model.graph.node for o in n.output if o and o not in known]
    model.graph.output.extend(onnx.ValueInfoProto(name=n) for n in names)
    names = [v.name for v in model.graph.output]
    made = ReferenceEvaluator(model).run(names, fed)
    weights = {i.name: onnx.numpy_helper.to_array(i) for i in model.graph.initializer}
    return {**weights, **fed, **dict(zip(names, made))}


def call(function, chain, arrays):
    """Calls a chain. Returns what is wrong with its outputs, or None."""
    given = {t["name"]: np.ascontiguousarray(arrays[t["name"]]) for t in chain["inputs"]}
    wanted = {t["name"]: np.ascontiguousarray(arrays[t["name"]]) for t in chain["outputs"]}
    made = {name: np.full_like(w, 77) for name, w in wanted.items()}
    arguments = []
    for parameter in chain["parameters"]:
        kind, name = parameter["kind"], parameter["name"]
        if kind == "size":
            arguments.append(ctypes.c_int64(arrays[parameter["tensor"]].shape[parameter["axis"]]))
        else:
            arguments.append(ctypes.c_void_p({"input": given, "output": made}[kind][name].ctypes.data))
    status = function(*arguments)
    if chain["returns"] == "rsh_status" and status != 0:
        return f"status {status}"
    return next((f"{name} differs" for name in wanted if wanted[name].tobytes() != made[name].tobytes()), None)


def main(reshapec, cc, work, size, *paths):
    os.makedirs(work, exist_ok=True)
    failed = False
    for path in paths:
        base = os.path.join(work, os.path.basename(path))
        subprocess.run(
            [reshapec, "chains", path, "-o", base + ".o", "--header", base + ".h"], check=True
        )
        subprocess.run([cc, "-std=c99", "-Wall", "-Werror", "-fsyntax-only", base + ".h"], check=True)
        subprocess.run([cc, "-shared", base + ".o", "-o", base + ".so"], check=True)
        manifest = os.path.splitext(base + ".o")[0] + ".json"
        library = ctypes.CDLL(base + ".so")
        with open(manifest, encoding="utf-8") as file:
            chains = json.load(file)["chains"]
        arrays = evaluated(onnx.load(path), int(size))
        run = [c for c in chains if c["function"]]
        wrong = {c["name"]: call(getattr(library, c["function"]), c, arrays) for c in run}
        wrong = {name: what for name, what in wrong.items() if what}
        print(f"{os.path.basename(path)}: {len(chains)} chains, {len(run)} run, {len(wrong)} wrong")
        for name, what in wrong.items():
            print(f"  {name}: {what}")
        failed = failed or wrong
    sys.exit(1 if failed else 0)


main(*sys.argv[1:])
