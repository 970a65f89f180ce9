# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models of operators that pick elements, of sequences and of functions: values.py RESHAPEC FOLDER.

`reshapec run` must give what ONNX's evaluator gives. A row has the graph in ONNX's text format, with the functions after
it; the opset is 17, unless a row begins with another.
"""

import os
import subprocess
import sys

import numpy as np
from onnx import helper, parser, save
from onnx.reference import ReferenceEvaluator

OUT = "=> (float[] y)"
LONG = "{" + ", ".join(str(i) for i in range(5000)) + "}"
BRANCHES = (
    "<then_branch = t () => (%s p) { p = %s (u) }, else_branch = e () => (%s q) { w = Abs (u) q = %s (w) }>"
)


def function(parameter, body):
    return f'<opset_import: ["" : 17], domain: "f"> F <{parameter}> (u, c) => (v) {{ {body} }}'


def einsum(sizes, equation):
    return f'(float[{sizes}] x) {OUT} {{ y = Einsum <equation = "{equation}"> (x) }}'


def resize(sizes, scales, attributes=""):
    count = scales.count(",") + 1
    return f'(float[{sizes}] x) {OUT} <float[{count}] s = {{{scales}}}> {{ y = Resize <mode = "nearest"{attributes}> (x, , s) }}'


CAST, TURN = "Cast <to: int = @to>", "Transpose <perm: ints = @perm>"
INNER = "If (c) " + BRANCHES % ("float[3,2]", TURN, "float[3,2]", TURN)
ROWS = [
    # Attributes of a function, in branches of its body
    f"(float[2] x) => (int64[2] y) <bool k = {{1}}> {{ y = f.F <to = 7> (x, k) }} "
    + function("to", "v = If (c) " + BRANCHES % ("int64[2]", CAST, "int64[2]", CAST)),
    f"(float[2] x) => (int64[2] y) <bool k = {{0}}> {{ y = f.F <to = 7> (x, k) }} "
    + function("to", "v = If (c) " + BRANCHES % ("int64[2]", CAST, "int64[2]", CAST)),
    f"(float[2,3] x) => (float[3,2] y) <bool k = {{1}}> {{ y = f.F <perm = [1, 0]> (x, k) }} "
    + function("perm", f"v = If (c) <then_branch = a () => (float[3,2] m) {{ m = {INNER} }}, "
                       f"else_branch = b () => (float[3,2] n) {{ n = Neg (u) }}>"),
    # Sequences of constants, known numbers and tensors
    f"(float[5000] x) => (float[5000] y) <float[5000] w = {LONG}, int64 k = {{0}}> "
    "{ s = SequenceConstruct (w, x) y = SequenceAt (s, k) }",
    "(float[2] x) => (float[4] y) <float[2] w = {1, 2}> { s = SequenceConstruct (w, x) y = ConcatFromSequence <axis = 0> (s) }",
    "(float[2] x) => (float[2,2] y) { s = SequenceConstruct (x, x) y = ConcatFromSequence <axis = -1, new_axis = 1> (s) }",
    "(float[5,2] x) => (float[5,2] y) <int64 k = {2}> { s = SplitToSequence (x, k) y = ConcatFromSequence <axis = 0> (s) }",
    "(float[5,2] x) => (float[2] y) <int64 k = {-1}> { s = SplitToSequence <keepdims = 0> (x) y = SequenceAt (s, k) }",
    "(float[5,2] x) => (float[1,2] y) <int64 k = {-1}, int64 one = {1}> "
    "{ s = SplitToSequence <keepdims = 0> (x, one) y = SequenceAt (s, k) }",
    f"(float[2] x) {OUT} <int64 k = {{1}}, int64[2] n = {{2, 1}}> "
    "{ s = SequenceConstruct (k, n) t = SequenceAt (s, k) y = Reshape (x, t) }",
    # Where: the mask repeats, or has no elements, or more axes than its operands
    f"(float[2,N] x, float[2,1] u) {OUT} <bool[2,1] m = {{1, 0}}> {{ y = Where (m, x, u) }}",
    f"(float[N,2] x, float[1,2] u) {OUT} <bool[2] m = {{1, 0}}> {{ y = Where (m, u, x) }}",
    f"(float[2] x, float[2] u) {OUT} <bool[1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,1] m = {{1, 0}}> {{ y = Where (m, u, x) }}",
    f"(float[0] x, float[1] u) {OUT} <bool[1,0] m = {{}}> {{ y = Where (m, u, x) }}",
    # Operators that pick nothing
    f"(float[3] x) {OUT} <bool[0] m = {{}}> {{ y = Compress (x, m) }}",
    f"(float[3,0] x) {OUT} <bool[2] m = {{0, 0}}> {{ y = Compress (x, m) }}",
    f"(float[0,3] x) {OUT} {{ y = Trilu (x) }}",
    f"(float[3,2] x) {OUT} <int64 k = {{9223372036854775807}}> {{ y = Trilu (x, k) }}",
    f"(float[2] v) {OUT} <int64[2,0] i = {{}}, int64 d = {{3}}> {{ y = OneHot (i, d, v) }}",
    f"(float[2] v) {OUT} <int64[2] i = {{0, 1}}, int64 d = {{0}}> {{ y = OneHot (i, d, v) }}",
    f"(float[3,4] x, float[0,4] u) {OUT} <int64[0,1] i = {{}}> {{ y = ScatterND (x, i, u) }}",
    f"(float[2,3] x) {OUT} <int64[0,1] i = {{}}> {{ y = GatherND (x, i) }}",
    f"(float[4] x) {OUT} <int64[0] i = {{}}> {{ y = GatherElements (x, i) }}",
    # Indices below 0, beyond the depth, of another type, or twice the same
    f"(float[2] v) {OUT} <int64[2] i = {{-3, 5}}, int64[1] d = {{3}}> {{ y = OneHot <axis = 0> (i, d, v) }}",
    f"(float[2] v) {OUT} <float[2] i = {{-3, 2}}, float d = {{3}}> {{ y = OneHot <axis = -2> (i, d, v) }}",
    f"(float[3,4] x, float[2,4] u) {OUT} <int64[2,1] i = {{1, 1}}> {{ y = ScatterND (x, i, u) }}",
    f"(float[3,4] x, float[2,2] u) {OUT} <int64[2,2] i = {{1, 1, -3, 1}}> {{ y = ScatterElements (x, i, u) }}",
    f"(float[3,4] x, float[1,3,4] u) {OUT} <int64[1,0] i = {{}}> {{ y = ScatterND (x, i, u) }}",
    f"(float[4] x) {OUT} <int64[1] i = {{-1}}> {{ y = GatherND (x, i) }}",
    f"(float[4] x) {OUT} <int64[6] i = {{-1, 0, 3, -4, 1, 1}}> {{ y = GatherElements (x, i) }}",
    # Tuples of indices, by batches
    f"(float[2,3,4] x) {OUT} <int64[2,1] i = {{1, -1}}> {{ y = GatherND <batch_dims = 1> (x, i) }}",
    f"(float[2,3,4] x) {OUT} <int64[2,1,2] i = {{1, -1, 0, 3}}> {{ y = GatherND <batch_dims = 1> (x, i) }}",
    f"(float[2,3,4] x) {OUT} <int64[2,3,1] i = {{1, -1, 0, 3, 2, 2}}> {{ y = GatherND <batch_dims = 2> (x, i) }}",
    # Einsum: letters of both cases, blanks, an ellipsis, diagonals
    einsum("3,2,3", "aAa->Aa"),
    einsum("2,3", "Zz->zZ"),
    einsum("3,3", "aa->a"),
    einsum("2,3,3", "abb->ba"),
    einsum("2,3", " b a -> a b "),
    einsum("2,3", "ba"),
    einsum("2,3,2,3", "abab->ba"),
    einsum("3,2,4,3", "a...a->a..."),
    einsum("2,3,4", "a...b->b...a"),
    # Resize by scales that are no whole numbers, and of all modes
    *[resize("1,1,4,5", "1, 1, 1.5, 0.6", f', coordinate_transformation_mode = "{mode}", nearest_mode = "{rounds}"')
      for mode, rounds in [("half_pixel", "round_prefer_floor"), ("half_pixel", "floor"), ("asymmetric", "ceil"),
                           ("align_corners", "round_prefer_ceil"), ("pytorch_half_pixel", "floor"),
                           ("half_pixel_symmetric", "round_prefer_floor")]],
    (18, f'(float[1,1,4,6] x) {OUT} <int64[2] s = {{7, 8}}> {{ y = Resize <mode = "nearest", axes = [3, 2], '
         'keep_aspect_ratio_policy = "not_smaller"> (x, , , s) }'),
    (18, f'(float[1,1,4,6] x) {OUT} <int64[2] s = {{7, 8}}> {{ y = Resize <mode = "nearest", axes = [3, 2], '
         'keep_aspect_ratio_policy = "not_larger"> (x, , , s) }'),
]  # fmt: skip


def main():
    reshapec, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    random, wrong = np.random.default_rng(5), 0
    for row in ROWS:
        opset, graph = row if isinstance(row, tuple) else (17, row)
        model = parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}, "f" : 1]> g {graph}')
        save(model, "row.onnx")
        fed = {}
        for value in model.graph.input:
            tensor = value.type.tensor_type
            sizes = [d.dim_value if d.HasField("dim_value") else 2 for d in tensor.shape.dim]
            fed[value.name] = random.integers(-4, 9, sizes).astype(helper.tensor_dtype_to_np_dtype(tensor.elem_type))
            np.save(value.name, fed[value.name])
        (want,) = ReferenceEvaluator(model).run(None, fed)
        command = [reshapec, "run", "row.onnx", *[f"{name}={name}.npy" for name in fed], "y=got.npy"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        got = np.load("got.npy") if done.returncode == 0 else done.stderr
        if done.returncode != 0 or got.shape != want.shape or (got != want).any():
            print(f"{graph}\n  want {want}\n  got  {got}")
            wrong += 1
    print(f"{len(ROWS)} models, {wrong} wrong")


main()
