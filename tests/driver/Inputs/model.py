# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes model.onnx, which transposes a matrix."""
from onnx import parser, save

save(parser.parse_model("""<ir_version: 8, opset_import: ["" : 18]>
turned(float[2, 3] x) => (float[3, 2] y) { y = Transpose <perm = [1, 0]> (x) }"""), "model.onnx")
