# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fixed_later.py RESHAPEC: nodes with constant indices into axes whose sizes only a declared result fixes."""

import subprocess
import sys

from onnx import parser, save

# Opset, inputs, results, constants, the node.
CASES = [
    (18, "float[K] x, float[1] u", "float[5] y, float[5] z", "int64[1] i = {3}", "y = ScatterElements(x, i, u)"),
    (18, "float[K, M] x, float[U, 2] u", "float[5, 3] y, float[5, 3] z", "int64[2, 2] i = {-4, 2, 1, 0}", "y = ScatterElements(x, i, u)"),
    (18, "float[2, 5, K] x, float[2] u", "float[2, 5, 5] y, float[2, 5, 5] z", "int64[2, 3] i = {0, 1, 3, 1, 2, 4}", "y = ScatterND(x, i, u)"),
    (18, "float[K, M] x, float[2, U] u", "float[5, 4] y, float[5, 4] z", "int64[2, 1] i = {-4, 2}", "y = ScatterND(x, i, u)"),
    (24, "float[1, K, M] x, float[1, 2, M] u", "float[1, 5, 2] y, float[1, 5, 2] z", "int64[1] i = {1}", "y = TensorScatter(x, u, i)"),
    (18, "float[K, M, 2] x", "float[2] y, float[5, 4, 2] z", "int64[2, 3] i = {-3, 1, 0, 2, -1, 1}", "y = GatherND(x, i)"),
    (18, "float[K, M] x", "float[2, 2] y, float[5, 4] z", "int64[2, 2] i = {-3, 2, 1, 0}", "y = GatherElements <axis = 1> (x, i)"),
]


def run(*arguments):
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False)


for opset, inputs, results, constants, node in CASES:
    head = f'<ir_version: 10, opset_import: ["" : {opset}]> m ({inputs}) => ({results}) <{constants}>'
    save(parser.parse_model(f"{head} {{ {node} z = Identity(x) }}"), "m.onnx")
    print(node, constants)
    print(next((line for line in run("explain", "m.onnx").stdout.split("\n") if "needs" in line), "  needs nothing"))
    verified = run("verify", "m.onnx")
    if verified.returncode:
        print(verified.stdout + verified.stderr)
