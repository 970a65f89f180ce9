# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs models that divide sizes which may be negative, for small sizes: truncated_quotients.py RESHAPEC FOLDER."""

import itertools
import os
import subprocess
import sys

import numpy as np
from onnx import parser, save
from onnx.reference import ReferenceEvaluator

# The length of y shows q, which may be negative.
MODEL = """<ir_version: 8, opset_import: ["" : 17]>
g (float[H] x, float[W] z) => (float[Q] y)
<float[32] base = {%s}, int64[1] less = {%d}, int64[1] by = {%d}, int64[1] zero = {0}, int64[1] middle = {16}> {
    h = Shape (x)
    w = Shape (z)
    %s
    end = Add (q, middle)
    y = Slice (base, zero, end)
}"""
BASE = ", ".join(str(i) for i in range(32))
NUMBERS = {
    "less": "d = Sub (h, less) q = Div (d, by)",
    "sizes": "d = Sub (h, w) e = Sub (d, less) q = Div (e, by)",
    "minus": "d = Neg (h) q = Div (d, by)",
    "mod": "d = Sub (h, less) q = Mod (d, by)",
    "mod_sizes": "d = Sub (h, w) q = Mod (d, by)",
    "mod_minus": "d = Neg (h) q = Mod (d, by)",
    "fmod": "d = Sub (h, less) q = Mod <fmod = 1> (d, by)",
}

tool, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
for (name, nodes), less, by in itertools.product(NUMBERS.items(), (1, 2, 5), (2, 3)):
    if "less" not in nodes and less > 1:
        continue
    model = parser.parse_model(MODEL % (BASE, less, by, nodes))
    file = f"{name}{less}{by}.onnx"
    save(model, file)
    reference = ReferenceEvaluator(model)
    widths = (0, 2, 5) if "sizes" in name else (1,)
    for height, width in itertools.product((0, 1, 2, 4, 7), widths):
        x, z = np.zeros(height, np.float32), np.zeros(width, np.float32)
        np.save("x.npy", x)
        np.save("z.npy", z)
        subprocess.run([tool, "run", file, "x=x.npy", "z=z.npy", "y=y.npy"], check=True)
        wanted = reference.run(None, {"x": x, "z": z})[0]
        assert np.array_equal(np.load("y.npy"), wanted), (file, height, width)
