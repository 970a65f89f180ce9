# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of one logical or bitwise node, with a constant as the second operand."""

import numpy as np
import onnx.parser

for op, kind in [(op, "int32") for op in ("And", "Or", "Xor", "Not", "BitwiseAnd", "BitwiseNot")] + [("And", "bool"), ("Not", "bool")]:
    operands = "x" if op.endswith("Not") else "x, c"
    model = onnx.parser.parse_model(f"""<ir_version: 8, opset_import: ["" : 18]>
    g ({kind}[3] x) => ({kind}[3] y) <{kind}[1] c = {{1}}> {{ y = {op} ({operands}) }}""")
    onnx.save(model, op + ("-bool" if kind == "bool" else "") + ".onnx")
np.save("x.npy", np.array([True, False, False]))
