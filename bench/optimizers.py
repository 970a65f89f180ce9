# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""optimizers.py [--reshapec FILE] [--work FOLDER] [--json FILE] MODEL.onnx ...

Counts nodes of models after `reshapec optimize`, onnxsim and onnxslim: one row for each model, with all nodes and then
those that move data, including bodies. Needs onnx, onnxruntime, onnxsim and onnxslim:

    python3 -m venv v && v/bin/pip install onnx onnxruntime onnxsim onnxslim
    v/bin/python bench/optimizers.py models/*.onnx

Each result runs on random inputs with onnxruntime, whose optimizer is off. A star means that the outputs differ from
those of the model in some bit, a question mark that the model does not run on such inputs, a dash that there is no
result. A result of reshapec must also pass onnx's checker, not change when it is optimized again, and take at most 0.2
seconds for 1,000 nodes; otherwise its row says so and the exit status is 1.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
from onnx import helper

MOVES = {
    "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten", "Slice", "Expand", "Concat", "Split", "Pad", "Tile",
    "DepthToSpace", "SpaceToDepth", "Identity", "Gather", "GatherND", "GatherElements", "ReverseSequence", "Cast",
    "Dropout",
}  # fmt: skip
TOOLS = "reshapec", "onnxsim", "onnxslim"
SECONDS_PER_NODE = 0.2 / 1000
RATE = 16000  # the value of an integer scalar: the sampling rate that models of speech accept
OPEN_SIZES = 64, 320, 512, 576, 32, 5, 2, 1, 1024, 4096, 16000, 32000  # tried in order until the model runs


def nodes_of(graph):
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for body in [attribute.g, *attribute.graphs]:
                yield from nodes_of(body)


def count(path):
    nodes = list(nodes_of(onnx.load(path).graph))
    return len(nodes), sum(n.op_type in MOVES and n.domain in ("", "ai.onnx") for n in nodes)


# ---- The tools, each in a process of its own, because some models crash it


def simplify(tool, source, made):
    if tool == "onnxsim":
        import onnxsim

        onnx.save(onnxsim.simplify(onnx.load(source))[0], made)
    else:
        import onnxslim

        onnx.save(onnxslim.slim(onnx.load(source)), made)


def apply(tool, reshapec, source, made):
    """The seconds that the tool took, or None."""
    command = [sys.executable, __file__, "--apply", tool, source, made]
    if tool == "reshapec":
        command = [reshapec, "optimize", source, "-o", made]
    begin = time.perf_counter()
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, timeout=600)
    except subprocess.TimeoutExpired:
        return None
    return time.perf_counter() - begin if done.returncode == 0 and Path(made).exists() else None


# ---- Outputs


def session(path):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def inputs_of(model, first, open_size, growth, seed):
    random = np.random.default_rng(seed)
    weights = {i.name for i in model.graph.initializer}
    fed, sizes = {}, {}
    for value in model.graph.input:
        if value.name in weights:
            continue
        tensor, dims, left = value.type.tensor_type, [], first  # the first open size of a tensor is usually the batch
        for dim in tensor.shape.dim:
            known = dim.dim_value if dim.dim_value > 0 else sizes.get(dim.dim_param if dim.dim_param != "?" else "")
            dims.append(known or left)
            if not known:
                left = open_size if left == first else left * growth
                if dim.dim_param not in ("", "?"):
                    sizes[dim.dim_param] = dims[-1]
        kind = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        if kind.kind == "f":
            values = random.standard_normal(dims)
        else:
            values = random.integers(0, 2, dims) if dims else RATE
        fed[value.name] = np.asarray(values).astype(kind)
    return fed


def cases_of(path):
    """Inputs on which the model runs, and its outputs on them."""
    model, run, cases = onnx.load(path), session(path), []
    for size in OPEN_SIZES:
        for first, growth in ((1, 1), (3, 2), (3, 1)):  # also with sizes that differ
            if len(cases) >= 2:
                return cases
            fed = inputs_of(model, first, size, growth, len(cases))
            try:
                cases.append((fed, run.run(None, fed)))
            except Exception:  # whatever onnxruntime raises for sizes that the model does not accept
                continue
    return cases


def is_equal(path, cases):
    run = session(path)
    return all(
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        for fed, wanted in cases
        for a, b in zip(run.run(None, fed), wanted)
    )


# ---- A row


def faults_of(path, reshapec, made, seconds, nodes, work):
    again = work / "twice.onnx"
    try:
        onnx.checker.check_model(str(made), full_check=True)
    except Exception as error:
        yield f"onnx.checker: {str(error).splitlines()[0]}"
    if apply("reshapec", reshapec, made, again) is None or again.read_bytes() != Path(made).read_bytes():
        yield "another model when it is optimized again"
    if seconds > max(nodes, 1000) * SECONDS_PER_NODE:
        yield f"{seconds:.2f} seconds for {nodes} nodes"


def row_of(path, reshapec, work):
    row = {"model": Path(path).stem, "before": count(path), "faults": []}
    try:
        cases = cases_of(path)
    except Exception as error:
        cases = []
        row["faults"].append(f"onnxruntime: {str(error).splitlines()[0]}")
    row["runs"] = len(cases)
    for tool in TOOLS:
        made = work / f"{Path(path).stem}.{tool}.onnx"
        seconds = apply(tool, reshapec, path, made)
        for _ in range(2 if tool == "reshapec" and seconds else 0):  # the least of three
            seconds = min(seconds, apply(tool, reshapec, path, made))
        if seconds is None:
            row[tool] = None
            continue
        try:
            equal = is_equal(made, cases) if cases else None
        except Exception:
            equal = False
        row[tool] = {"nodes": count(made), "equal": equal, "seconds": seconds, "bytes": made.stat().st_size}
        if tool == "reshapec":
            row["faults"] += faults_of(path, reshapec, made, seconds, row["before"][0], work)
            if not equal:
                row["faults"].append("other outputs" if cases else "not run")
    return row


def cell(result):
    if not result:
        return "-"
    return f"{result['nodes'][0]} / {result['nodes'][1]}" + {True: "", False: " *", None: " ?"}[result["equal"]]


def losses(row):
    """The tools that leave fewer nodes, or fewer moving nodes, and how many fewer."""
    ours = row["reshapec"]
    for tool in TOOLS[1:]:
        if ours and row[tool]:
            for i, kind in enumerate(("nodes", "moves")):
                if row[tool]["nodes"][i] < ours["nodes"][i]:
                    yield f"{tool} {kind} {row[tool]['nodes'][i] - ours['nodes'][i]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reshapec", default="build/reshapec")
    parser.add_argument("--work", help="where the results stay")
    parser.add_argument("--json", help="the rows as data")
    parser.add_argument("--apply", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("model", nargs="*")
    options = parser.parse_args()
    if options.apply:
        simplify(*options.apply)
        return 0
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(options.work or folder)
        work.mkdir(parents=True, exist_ok=True)
        print("| model | as it is | optimize | onnxsim | onnxslim |\n|---|---|---|---|---|")
        for path in options.model:
            row = row_of(path, options.reshapec, work)
            rows.append(row)
            before = "{} / {}".format(*row["before"])
            told = "; ".join([*losses(row), *row["faults"]])
            print(f"| {row['model']} | {before} | {' | '.join(cell(row[t]) for t in TOOLS)} | {told}".rstrip(), flush=True)
    of_all = [r for r in rows if all(r[t] for t in TOOLS)]
    sums = [[sum(n[i] for n in column) for i in (0, 1)]
            for column in ([r["before"] for r in of_all], *[[r[t]["nodes"] for r in of_all] for t in TOOLS])]
    print(f"| all {len(of_all)} that the three read | " + " | ".join("{} / {}".format(*s) for s in sums) + " |")
    print(f"no tool leaves fewer moving nodes than optimize: {sum(not any('moves' in t for t in losses(r)) for r in of_all)}, "
          f"nor nodes of any kind: {sum(not list(losses(r)) for r in of_all)}, of {len(of_all)}; "
          + "equal to the bit: " + ", ".join(f"{t} {sum(r[t]['equal'] and r['runs'] > 0 for r in of_all)}" for t in TOOLS))
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if any(r["faults"] for r in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
