# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""constant_indices.py DIR: models that gather from open sizes at indices that are weights."""
import sys

from onnx import parser, save

pairs = parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
pairs (float[2, B] x) => (float[2] y) <int64[2, 2] at = {0, 2, 1, 1}> { y = GatherND (x, at) }""")
rows = parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
rows (float[2, B] x) => (float[2, 2] y) <int64[2, 2, 1] at = {0, 2, 1, -1}> {
    y = GatherND <batch_dims = 1> (x, at)
}""")
save(pairs, f"{sys.argv[1]}/pairs.onnx")
save(rows, f"{sys.argv[1]}/rows.onnx")
