# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pad_by_data.py RESHAPEC: Pad by an element that is an input, or one of an input, against numpy."""

import subprocess
import sys

import numpy as np
from onnx import parser, save

X = np.arange(6, dtype="f4").reshape(2, 3)
# Inputs, constants, nodes, the expected result.
CASES = {
    "known": ("float[2,3] x, float v", "int64[4] p = {1, 0, 0, 2}", "y = Pad(x, p, v)", np.pad(X, [(1, 0), (0, 2)], constant_values=7)),
    "open": ("float[A,B] x, float v", "int64[4] p = {-1, 2, 2, -2}", "y = Pad(x, p, v)", np.pad(X[1:, :1], [(0, 2), (2, 0)], constant_values=7)),
    "axes": ("float[A,B] x, float v", "int64[2] p = {1, 2}, int64[1] a = {-1}", "y = Pad(x, p, v, a)", np.pad(X, [(0, 0), (1, 2)], constant_values=7)),
    "sizes": ("float[A,B] x, float v", "", "s = Shape(x) p = Concat <axis = 0> (s, s) y = Pad(x, p, v)", np.pad(X, [(2, 2), (3, 3)], constant_values=7)),
    "either": ("float[A,B] x, float v", "int64[1] o = {1}, int64[1] z = {0}, int64[1] t = {2}",
               "s = Shape(x) n = Gather(s, o) d = Sub(t, n) p = Concat <axis = 0> (z, d, o, z) y = Pad(x, p, v)",
               np.pad(X[:, 1:], [(0, 1), (0, 0)], constant_values=7)),
    "nothing": ("float[A,B] x, float v", "int64[4] p = {0, 0, 0, 0}", "y = Pad(x, p, v)", X),
    "element": ("float[A,B] x, float[1] v", "int64 i = {-1}, int64[4] p = {0, 1, 0, 0}", "w = Gather(v, i) y = Pad(x, p, w)",
                np.pad(X, [(0, 0), (1, 0)], constant_values=7)),
    "edge": ("float[A,B] x, float v", "int64[4] p = {1, 0, 0, 2}", 'y = Pad <mode = "edge"> (x, p, v)', np.pad(X, [(1, 0), (0, 2)], "edge")),
}  # fmt: skip

np.save("x.npy", X)
for name, (inputs, constants, nodes, expected) in CASES.items():
    text = f'<ir_version: 8, opset_import: ["" : 18]> {name} ({inputs}) => (float[M,N] y) <{constants}> {{ {nodes} }}'
    save(parser.parse_model(text.replace("<>", "")), f"{name}.onnx")
    np.save("v.npy", np.array([7] if "float[1] v" in inputs else 7, "f4"))
    done = subprocess.run([sys.argv[1], "run", f"{name}.onnx", "x=x.npy", "v=v.npy", "y=y.npy"], capture_output=True, text=True, check=False)
    equal = done.returncode == 0 and np.array_equal(np.load("y.npy"), expected)
    verified = subprocess.run([sys.argv[1], "verify", f"{name}.onnx"], capture_output=True, check=False).returncode == 0
    print(f"{name}: {'equal' if equal else done.stderr.strip() or 'differs'}, {'verified' if verified else 'not verified'}")
