# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""chain_sizes.py: models whose chains take sizes and tensors under names that may be taken, or twice, or as targets."""

from onnx import parser, save

MODELS = {
    # the second size of t is known only at run time, and t_1 is another size
    "taken": "(float[t_1] u, float[3] v) => (float[A,B] y, float[C] z) <int64[1] k = {-1}> { t = NonZero(v) "
             "c = Cast <to = 1> (t) y = Transpose(c) w = Reshape(y, k) z = Concat <axis = 0> (u, w) }",
    "twice": "(float[N,4] u) => (float[A,B] y) { t = Transpose(u) r = Transpose(t) y = Concat <axis = 0> (u, r, u) }",
    # half of N is a size of its own in the second chain
    "half": "(float[N,4] u) => (float[A,B] y) <int64[2] k = {-1, 8}> { t = Reshape(u, k) n = Neg(t) y = Transpose(n) }",
    # [N, 2, H, 2]: where H is 0, 0 would copy a size that u does not have; [N, 1, H-1]: where H is 0, -1 is inferred.
    "copied": "(float[N,H] u) => (float[] y) <int64[1] two = {2}, int64[1] o = {1}> { s = Shape(u) n, h = Split(s) q = Div(h, two) "
              "t = Concat <axis = 0> (n, two, q, o) r = Reshape(u, t) y = Transpose(r) }",
    # [N*H, 2, 2]: where N*H is 0, 0 would copy N. The model is taken to fit, so the chain has no condition.
    "fits": "(float[N,H,4] u) => (float[] y) <int64[2] k = {2, 2}> { s = Shape(u) n, h, w = Split(s) q = Mul(n, h) "
            "t = Concat <axis = 0> (q, k) r = Reshape(u, t) y = Transpose <perm = [0, 2, 1]> (r) }",
    "inferred": "(float[N,H] u) => (float[] y) <int64[1] o = {1}> { s = Shape(u) n, h = Split(s) q = Sub(h, o) "
                "t = Concat <axis = 0> (n, o, q) r = Reshape(u, t) y = Transpose(r) }",
    # A, or v's first size where A is 0; where 5*K is 0, it would copy a size that the second pass knows too late
    "late": "(float[A] a, float[5,K] k, uint8[20] x, int64[2] t) => (uint8[M,5] y, uint8[P,1,Q] z) <int64[1] five = {5}, "
            "int64[3] thirds = {0, 5, -1}, int64[2] first = {0, 1}, int64[1] one = {1}> "
            "{ v = Reshape <allowzero = 1> (x, t) s = Shape(a) rows = Concat <axis = 0> (s, five) y = Reshape(v, rows) "
            "w = Reshape(v, thirds) n = Size(k) m = Reshape(n, one) list = Concat <axis = 0> (first, m) z = Reshape(w, list) }",
}  # fmt: skip

for name, graph in MODELS.items():
    save(parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> g {graph}'), f"{name}.onnx")
