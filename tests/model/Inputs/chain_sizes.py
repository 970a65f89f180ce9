# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""chain_sizes.py: models whose chains take sizes and tensors under names that may be taken, or twice."""

from onnx import parser, save

MODELS = {
    # the second size of t is known only at run time, and t_1 is another size
    "taken": "(float[t_1] u, float[3] v) => (float[A,B] y, float[C] z) <int64[1] k = {-1}> { t = NonZero(v) "
             "c = Cast <to = 1> (t) y = Transpose(c) w = Reshape(y, k) z = Concat <axis = 0> (u, w) }",
    "twice": "(float[N,4] u) => (float[A,B] y) { t = Transpose(u) r = Transpose(t) y = Concat <axis = 0> (u, r, u) }",
    # half of N is a size of its own in the second chain
    "half": "(float[N,4] u) => (float[A,B] y) <int64[2] k = {-1, 8}> { t = Reshape(u, k) n = Neg(t) y = Transpose(n) }",
}  # fmt: skip

for name, graph in MODELS.items():
    save(parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> g {graph}'), f"{name}.onnx")
