# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs chains that scatter, or choose, by indices that count up.

    positions_in_chains.py --reshapec RESHAPEC --cc CC --work DIR

Their functions, the split and the optimized models must give what ONNX's evaluator and onnxruntime give.
"""

import itertools
import os
import sys

import numpy as np
from onnx import parser

sys.dont_write_bytecode = True  # no __pycache__ next to the sources
HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("support", "differential"):
    sys.path.insert(0, os.path.join(HERE, "..", "..", folder))

import harness  # noqa: E402
from models import Case, Files, Tally, run_batch  # noqa: E402

HEAD = """<ir_version: 8, opset_import: ["" : 17]>
g (float[T, N] x, float[R, N] u) => (float[P, Q] y)
<float zero = {0}, int64 n0 = {0}, int64 n1 = {1}, int64 n2 = {2}, int64[1] a0 = {0}, int64[1] a1 = {1}> {
    rows = Shape (x)
    count = Gather (rows, n0)
    updates = Shape (u)
    many = Gather (updates, n0)
    place = Range (n0, count, n1)
    down = Unsqueeze (place, a1)
    across = Unsqueeze (place, a0)
    turned = Transpose (x)
    scores = MatMul (x, turned)
    %s
}"""
MODELS = {
    # The first rows are replaced.
    "first": """e = Exp (x) first = Range (n0, many, n1) at = Unsqueeze (first, a1)
        z = ScatterND (e, at, u) y = Transpose (z)""",
    # If there are more updates than rows, the first index is below 0: this is not a replacement of the last rows.
    "last": """e = Exp (x) begin = Sub (count, many) last = Range (begin, count, n1) at = Unsqueeze (last, a1)
        z = ScatterND (e, at, u) y = Transpose (z)""",
    # Every second row of zeros is replaced.
    "apart": """twice = Constant <value_ints = [2, 1]> () more = Mul (rows, twice) zeros = ConstantOfShape (more)
        even = Mul (down, n2) e = Exp (x) z = ScatterND (zeros, even, e) y = Transpose (z)""",
    # Masks of causal and of local attention
    "causal": "mask = LessOrEqual (across, down) z = Where (mask, scores, zero) y = Transpose (z)",
    "local": """far = Sub (across, down) distance = Abs (far) mask = Greater (distance, n2)
        z = Where (mask, zero, scores) y = Transpose (z)""",
    # A mask of nodes that move elements themselves
    "triangle": """yes = Equal (n0, n0) long = Unsqueeze (count, a0) square = Concat <axis = 0> (long, long)
        ones = Expand (yes, square) low = Trilu <upper = 0> (ones) more = Unsqueeze (low, a0) flat = Squeeze (more, a0)
        z = Where (flat, scores, zero) y = Transpose (z)""",
}

options = harness.parser_of(__doc__).parse_args()
files = Files(options)
for number, (name, nodes) in enumerate(MODELS.items()):
    model = parser.parse_model(HEAD % nodes)
    random, feeds = np.random.default_rng(number), []
    for t, r in itertools.product((1, 2, 6), (0, 1, 2, 4)):
        feeds.append({"x": random.random((t, 3), np.float32), "u": random.random((r, 3), np.float32)})
    case = Case(number, model, feeds, {})
    faults = [f for tiers in (["chains", "optimize"], ["split"]) for f in run_batch(files, [case], Tally(), tiers)]
    print(f"{name}: {len(case.feeds)} calls, {len(faults)} faults", *[fault[1:] for fault in faults])
