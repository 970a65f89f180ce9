# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that compute from sizes and data, and then move the result: sizes_and_data.py FOLDER."""

import os
import sys

from onnx import parser, save

HEAD = """<ir_version: 8, opset_import: ["" : 17]>
g (float[T, N] x) => (float[] y)
<float zero = {0}, int64 n0 = {0}, int64 n1 = {1}, int64[1] a1 = {1}> {
    s = Shape (x)
    count = Gather (s, n0)
    range = Range (n0, count, n1)
    column = Unsqueeze (range, a1)
    places = Cast <to = 1> (column)
    is_nan = IsNaN (places)
    q = %s
    y = Transpose (q)
}"""
MODELS = {
    "places_first": "Add (places, x)",
    "places_last": "Add (x, places)",
    "mask": "Where (is_nan, x, zero)",
    "joined": "Concat <axis = 0> (places, x)",
    "only_places": "Neg (places)",
}

for name, node in MODELS.items():
    save(parser.parse_model(HEAD % node), os.path.join(sys.argv[1], name + ".onnx"))
