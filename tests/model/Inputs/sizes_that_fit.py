# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the sizes in `chains --json` with those of ONNX's evaluator: sizes_that_fit.py RESHAPEC FOLDER."""

import itertools
import json
import os
import re
import subprocess
import sys

import numpy as np
from onnx import parser, save
from onnx.reference import ReferenceEvaluator

HEAD = """<ir_version: 8, opset_import: ["" : 17]>
g (float[B, 1, H, W] x) => (float[P, Q, R, T] y)
<int64 n0 = {0}, int64 n1 = {1}, int64[1] a0 = {0}, int64[1] a1 = {1}, int64[1] a2 = {2}, int64[1] a3 = {3},
 float[1, 1, 3, 3] kernel = {0, 1, 0, 1, 0, 1, 0, 1, 0}, float[2, 1, 12, 1] table = {%s}> {
    s = Shape (x)
    b = Gather (s, a0)
    h = Gather (s, a2)
    w = Gather (s, a3)
    height = Squeeze (h)
    count = Range (n0, height, n1)
    %s
}"""
MODELS = {
    # Without pads, an image has room for a window.
    "unpadded": """c = Conv (x, kernel) d = Conv <strides = [2, 2]> (c, kernel)
        y = MaxPool <kernel_shape = [2, 2], strides = [1, 1]> (d)""",
    # The first rows of a table have as many elements as the tensor, or one of them has one.
    "positions": "rows = Slice (table, a0, h, a2) first = Slice (rows, a0, a1, a0) y = Add (x, first)",
    "positions_first": "rows = Slice (table, a0, h, a2) first = Slice (rows, a0, a1, a0) y = Sub (first, x)",
    # Rows that are expanded to as many as the tensor has, as BERT expands the types of its tokens.
    "expanded": """rows = Slice (table, a0, h, a2) all = Concat <axis = 0> (a2, a1, h, w)
        wide = Expand (rows, all) y = Add (x, wide)""",
    # A reshape to [B, -1, 3, H, W] of [B, 6, H, W] copies W if H is 0. There are 2*H*W anchors, as RetinaNet has.
    "anchors": """sixfold = Constant <value_ints = [1, 6, 1, 1]> () six = Tile (x, sixfold)
        infer = Constant <value_ints = [-1]> () target = Concat <axis = 0> (b, infer, a3, h, w)
        cut = Reshape (six, target) moved = Transpose <perm = [0, 3, 4, 1, 2]> (cut)
        flat = Concat <axis = 0> (b, infer, a3) rows = Reshape (moved, flat)
        all = Concat <axis = 0> (h, w, a2) zeros = ConstantOfShape (all) other = Constant <value_ints = [1, -1, 1]> ()
        anchors = Reshape (zeros, other) y = Add (anchors, rows)""",
    # The last H rows, or all of them if H is 0: T5 takes its bias so.
    "last": """pads = Constant <value_ints = [0, 0, 3, 0, 0, 0, 0, 0]> ()
        more = Pad (x, pads) back = Neg (h) end = Constant <value_ints = [9223372036854775807]> ()
        rows = Slice (more, back, end, a2) y = Add (x, rows)""",
    # Numbers that depend on sizes are not moved, but have sizes.
    "numbers": """across = Unsqueeze (count, a0) down = Unsqueeze (count, a1) apart = Sub (down, across)
        square = Abs (apart) part = Slice (square, a0, h, a1) more = Unsqueeze (part, a0) all = Cast <to = 1> (more)
        rows = ReduceMean <axes = [2]> (all) each = Unsqueeze (rows, a1) y = Mul (x, each)""",
    # A body may never run: outside of it, H may be 1.
    "body": """many = Greater (height, n1) one = Identity (x)
        z = If (many) <then_branch = g1 () => (float[P, Q, R, T] z1) { z1 = Conv (one, kernel) },
        else_branch = g2 () => (float[P, Q, R, T] z2) { z2 = Identity (one) }>
        y = Slice (x, a1, h, a2)""",
}

tool, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
for name, nodes in MODELS.items():
    model = parser.parse_model(HEAD % (", ".join(str(i) for i in range(24)), nodes))
    save(model, f"{name}.onnx")
    ran = subprocess.run([tool, "chains", f"{name}.onnx", "--json"], check=True, capture_output=True, text=True)
    reference = ReferenceEvaluator(model)
    for b, h, w in itertools.product((1, 2), (8, 9), (8, 12)):
        made = reference.run(None, {"x": np.ones((b, 1, h, w), np.float32)}, intermediate=True)
        for tensor in json.loads(ran.stdout)["tensors"]:
            if tensor["name"] in made and tensor["name"] != "z":
                names = {"B": b, "H": h, "W": w, "min": min, "either": lambda s, t: s or t}
                sizes = [eval(str(d), names) for d in tensor["dims"]]
                assert sizes == list(made[tensor["name"]].shape), (name, tensor, sizes)
