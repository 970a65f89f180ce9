# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs models that pad images to whole windows, for small sizes: padded_windows.py RESHAPEC FOLDER."""

import itertools
import os
import subprocess
import sys

import numpy as np
from onnx import parser, save
from onnx.reference import ReferenceEvaluator

HEAD = """<ir_version: 8, opset_import: ["" : 17]>
g (float[B, H, W, 3] x) => (float[P, Q, R, T] y)
<int64[1] n0 = {0}, int64[1] n1 = {1}, int64[1] n2 = {2}, int64[1] n3 = {3}, int64[1] n4 = {4}, int64[1] open = {-1},
 int64[4] none = {0, 0, 0, 0}, int64[2] window = {4, 4}, int64[2] sides = {1, 2},
 int64[2] last = {4, 3}> {
    s = Shape (x)
    b = Gather (s, n0)
    h = Gather (s, n1)
    w = Gather (s, n2)
    %s
}"""
# pads = (4 - size % 4) % 4, then B x (H/4) x (W/4) windows of 4 x 4
WINDOWS = """
    h0 = Mod (h, n4) h1 = Sub (n4, h0) h2 = Mod (h1, n4)
    w0 = Mod (w, n4) w1 = Sub (n4, w0) w2 = Mod (w1, n4)
    pads = Concat <axis = 0> (none, n0, h2, w2, n0)
    padded = Pad (x, pads)
    ps = Shape (padded) ph = Gather (ps, n1) pw = Gather (ps, n2)
    rows = Div (ph, n4) columns = Div (pw, n4)
    parts = Concat <axis = 0> (b, rows, n4, columns, last)
    split = Reshape (padded, parts)
    turned = Transpose <perm = [0, 1, 3, 2, 4, 5]> (split)
    flat = Concat <axis = 0> (open, window, n3)
    windows = Reshape (turned, flat)"""
# The number of images is that of windows, divided by the windows of each.
IMAGES = """
    ws = Shape (windows) count = Gather (ws, n0) each = Mul (rows, columns) images = Div (count, each)
    back = Concat <axis = 0> (images, rows, columns, window, open)
    joined = Reshape (windows, back)
    turned_back = Transpose <perm = [0, 1, 3, 2, 4, 5]> (joined)
    whole = Concat <axis = 0> (images, ph, pw, open)
    image = Reshape (turned_back, whole)
    ends = Concat <axis = 0> (h, w)
    zeros = Concat <axis = 0> (n0, n0)
    y = Slice (image, zeros, ends, sides)"""
MODELS = {
    "partition": WINDOWS + " y = Identity (windows)",
    "reverse": WINDOWS + IMAGES,
    # By H % 2, and (H + 1) / 2 as the size
    "halves": """h0 = Mod (h, n2) after = Concat <axis = 0> (n0, n0) pads = Concat <axis = 0> (none, n0, h0, after)
        padded = Pad (x, pads) more = Add (h, n1) half = Div (more, n2)
        target = Concat <axis = 0> (b, half, n2, open) y = Reshape (padded, target)""",
    # The size next to -1 copies H where W is 0.
    "flat": """hw = Mul (h, w) hwc = Mul (hw, n3) ones = Concat <axis = 0> (n1, n1)
        target = Concat <axis = 0> (open, hwc, ones) y = Reshape (x, target)""",
    # The first size cannot copy another one: B*H is 0 if B is
    "next_to_open": """target = Concat <axis = 0> (open, n3) rows = Reshape (x, target)
        again = Concat <axis = 0> (b, h, w, open) y = Reshape (rows, again)""",
}

tool, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
random = np.random.default_rng(1)
for name, nodes in MODELS.items():
    model = parser.parse_model(HEAD % nodes)
    save(model, f"{name}.onnx")
    reference = ReferenceEvaluator(model)
    for size in itertools.product((1, 2), (1, 3, 4, 9), (2, 8)):
        x = random.standard_normal((*size, 3)).astype(np.float32)
        np.save("x.npy", x)
        subprocess.run([tool, "run", f"{name}.onnx", "x=x.npy", "y=y.npy"], check=True)
        wanted = reference.run(None, {"x": x})[0]
        assert np.array_equal(np.load("y.npy"), wanted), (name, size)
