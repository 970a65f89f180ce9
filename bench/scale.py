# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the compiler as inputs grow: CPU seconds and the peak resident memory of each command, at a size and ten times that.

scale.py --reshapec R --work W [--only REGEX] [--short]

Times and memory have to grow with the size, not with its square: `growth` is how many times the time grows. With --short,
sizes are a tenth.
"""

import argparse
import multiprocessing
import os
import re
import shutil
import sys
from pathlib import Path

import onnx
from compile import run
from onnx import TensorProto, helper

REST = "transpose([1, 0])", "reshape([-1, 4])"


def chain(path, count):
    """One graph of so many operators, one after the other."""
    steps = "\n        |> ".join(REST[i % 2] for i in range(count))
    path.write_text(f"graph long(x: f32[8, 12]) -> y {{\n    y = x |> {steps}\n}}\n")


def graphs(path, count):
    path.write_text("".join(f"graph g{i}(x: f32[{i % 61 + 2}, {i % 7 + 2}]) -> y {{ y = transpose(x) }}\n" for i in range(count)))


def parts(path, count):
    """One result of so many parts of one input."""
    one = ", ".join(f"x[{count - 1 - i}:{count - i}]" for i in range(count))
    path.write_text(f"graph parts(x: f32[{count}, 5]) -> y {{ y = concat({one}, axis=0) }}\n")


def save(path, nodes, weights=()):
    sides = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, [8, 12])] for name in ("x", "y")]
    graph = helper.make_graph(nodes, "g", *sides, weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), path)


def moves(last):
    """Two nodes that move data, up to the value `last`."""
    return [helper.make_node("Transpose", ["x"], ["t"], perm=[1, 0]), helper.make_node("Transpose", ["t"], [last], perm=[1, 0])]


def nodes(path, count):
    """Pairs of a transposition and a function."""
    kinds = [("Transpose", {"perm": [1, 0]}), ("Relu", {})]
    names = ["x", *(f"v{i}" for i in range(count - 1)), "y"]
    if count // 2 % 2:
        sys.exit("an even number of transpositions leaves the shape")
    save(path, [helper.make_node(kinds[i % 2][0], [names[i]], [names[i + 1]], **kinds[i % 2][1]) for i in range(count)])


def weighed(path, size, tensor):
    """A model that moves data, and reads the weights."""
    tensor.name, tensor.data_type = "w", TensorProto.UINT8
    tensor.dims.append(size)
    reads = [helper.make_node("Cast", ["w"], ["f"], to=1), helper.make_node("ReduceSum", ["f"], ["s"], keepdims=0)]
    save(path, [*moves("u"), *reads, helper.make_node("Add", ["u", "s"], ["y"])], [tensor])


def within(path, size):
    weighed(path, size, TensorProto(raw_data=bytes(size)))


def beside(path, size):
    """The same in a file next to it, which takes no room on most disks."""
    tensor = TensorProto(data_location=TensorProto.EXTERNAL)
    for key, value in {"location": "weights.bin", "length": str(size)}.items():
        tensor.external_data.add(key=key, value=value)
    weighed(path, size, tensor)
    with open(path.parent / "weights.bin", "wb") as file:
        file.truncate(size)


ROWS = [  # what grows, its file, the command, the larger size
    ("operators of a graph", chain, "long.rsh", ["check", "{}"], 100_000),
    ("operators of a graph", chain, "long.rsh", ["{}", "-o", "out.o"], 100_000),
    ("graphs of a file", graphs, "graphs.rsh", ["check", "{}"], 10_000),
    ("graphs of a file", graphs, "graphs.rsh", ["{}", "-o", "out.o"], 10_000),
    ("graphs of a file", graphs, "graphs.rsh", ["--emit=c", "{}", "-o", "out.c"], 10_000),
    ("parts of a result", parts, "parts.rsh", ["{}", "-o", "out.o"], 10_000),
    ("nodes of a model", nodes, "nodes.onnx", ["chains", "{}"], 64_000),
    ("nodes of a model", nodes, "nodes.onnx", ["optimize", "{}", "-o", "out.onnx"], 64_000),
    ("bytes of weights in a model", within, "within.onnx", ["chains", "{}"], 100_000_000),
    ("bytes of weights in a model", within, "within.onnx", ["optimize", "{}", "-o", "out.onnx"], 100_000_000),
    ("bytes of weights next to it", beside, "beside.onnx", ["chains", "{}"], 4_000_000_000),
    ("bytes of weights next to it", beside, "beside.onnx", ["optimize", "{}", "-o", "out.onnx"], 4_000_000_000),
]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--reshapec", required=True)
    options.add_argument("--work", required=True)
    options.add_argument("--only", default="", help="a regular expression of what grows")
    options.add_argument("--short", action="store_true")
    options = options.parse_args()
    work, reshapec = Path(options.work), os.path.abspath(options.reshapec)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    os.chdir(work)
    print("| what grows | command | size | s | MiB | size | s | MiB | growth |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for title, make, name, command, size in ROWS:
        if not re.search(options.only, title):
            continue
        cells, seconds = [], []
        for count in (size // 100, size // 10) if options.short else (size // 10, size):
            maker = multiprocessing.Process(target=make, args=(Path(name).absolute(), count))
            maker.start()  # its memory would be counted as the command's
            maker.join()
            if maker.exitcode:
                sys.exit(f"scale.py: could not write {name}")
            with open("said.txt", "w", encoding="utf-8") as said:
                taken, memory = run([reshapec, *(word.format(name) for word in command)], stdout=said)
            seconds.append(taken)
            cells += [f"{count:,}", f"{taken:.2f}", f"{memory:.0f}"]
        shown = " ".join(["reshapec", *command]).format(name)
        print(f"| {title} | `{shown}` | {' | '.join(cells)} | {seconds[1] / max(seconds[0], 0.001):.1f} |", flush=True)


main()
