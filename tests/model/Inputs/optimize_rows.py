# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""optimize_rows.py RESHAPEC WORK: checks graphs of a few nodes, and the operators that `optimize` leaves in each.

A row has the opset, the operators, the graph in ONNX's text format, and values of inputs that cannot be random. All
rows of an opset are one model, in which each name has a prefix. The model and the optimized one must return the same
results in ONNX's evaluator. Rows of ODD are not evaluated: ONNX does not allow them, or their results are random.
"""

import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import helper, parser
from onnx.reference import ReferenceEvaluator

S = "(float[2,3,4] x) => "


def zeros(count):
    return "{" + ", ".join("0" * count) + "}"


def lstm(left, nodes):
    """Returns a row of an LSTM whose initial states are z, of the sizes n."""
    constants = f"float[1,8,3] w = {zeros(24)}, float[1,8,2] r = {zeros(16)}, float q = {{0}}"
    constants += ", int64[1] o = {1}, int64[1] two = {2}, int64[1] three = {3}"
    sizes_of = "s = Shape(x) b = Gather(s, o) n = Concat<axis = 0>(o, b, two)"
    graph = f"(float[2,B,3] x, float[1,B,2] g) => (float[2,1,B,2] y) <{constants}> {{ {sizes_of} {nodes} "
    return 17, left, graph + "y = LSTM<hidden_size = 2>(x, w, r, , , z, z) }"


def nested(opset, count, left):
    """Returns a row of Ifs in branches of Ifs, all with a known condition."""
    node = "Neg(x)"
    for i in range(count):
        node = (f"If(k) <then_branch = t () => (float[2] a{i}) {{ a{i} = {node} }}, "
                f"else_branch = e () => (float[2] b{i}) {{ b{i} = Abs(x) }}>")  # fmt: skip
    return opset, left, f"(float[2] x) => (float[2] y) <bool k = {{1}}> {{ z = {node} y = Exp(z) }}"


def slices(count, left):
    """Returns a row that cuts x into rows, and adds them."""
    bounds = ", ".join(f"int64[1] c{i} = {{{i}}}" for i in range(count + 1))
    parts = " ".join(f"s{i} = Slice(x, c{i}, c{i + 1}, c0)" for i in range(count))
    names = ", ".join(f"s{i}" for i in range(count))
    return 17, left, f"(float[{count},2] x) => (float[1,2] y) <{bounds}> {{ {parts} y = Sum({names}) }}"


ROWS = [
    # ---- parts of a Shape
    (17, "Shape", "(float[A,2,5] x) => (int64[1] y) <int64[1] i = {-1}> { s = Shape(x) y = Gather(s, i) }"),
    (17, "Shape Gather", "(float[A,2,6] x) => (int64[2] y) <int64[2] i = {-1, 0}> { s = Shape(x) y = Gather(s, i) }"),
    (17, "Shape Gather", "(float[A,2,7] x) => (int64[1] y) <int64[1] i = {1}> "
     "{ s = Shape(x) y = Gather<axis = -1>(s, i) }"),
    (17, "Shape Slice", "(float[A,2,8] x) => (int64[2] y) <int64[1] a = {0}, int64[1] e = {3}, int64[1] two = {2}> "
     "{ s = Shape(x) y = Slice(s, a, e, a, two) }"),
    (17, "Shape Slice", "(float[A,2,9] x) => (int64[3] y) <int64[0] n = {}> { s = Shape(x) y = Slice(s, n, n, n) }"),
    (17, "Gather", "(float[A,2,10] x) => (int64 y) <int64 i = {1}> { s = Shape<start = 1>(x) y = Gather(s, i) }"),
    # ---- Squeeze and Unsqueeze of operators that take one index
    (17, "Gather", S + "(float[3,4] y) <int64[1] i = {1}, int64[1] a = {0}> { g = Gather(x, i) y = Squeeze(g, a) }"),
    (17, "Gather Squeeze", S + "(float[3,4] y) <int64[1] i = {1}> { g = Gather(x, i) y = Squeeze(g) }"),
    (17, "Gather", S + "(float[1,3,4] y) <int64[1] i = {1}, int64[0] n = {}> { g = Gather(x, i) y = Squeeze(g, n) }"),
    (17, "Gather", S + "(float[3,4] y) <int64[1] b = {1}, int64[1] e = {2}, int64[1] a = {0}> "
     "{ g = Slice(x, b, e, a) y = Squeeze(g, a) }"),
    (17, "Gather", S + "(float[3,4] y) <int64[1] b = {-1}, int64[1] e = {2147483647}, int64[1] a = {0}> "
     "{ g = Slice(x, b, e, a) y = Squeeze(g, a) }"),
    (17, "Slice Squeeze", S + "(float[3,4] y) <int64[1] b = {1}, int64[1] e = {9}, int64[1] a = {0}> "
     "{ g = Slice(x, b, e, a) y = Squeeze(g, a) }"),
    (17, "Slice Squeeze", S + "(float[3,4] y) <int64[1] b = {1}, int64[1] e = {0}, int64[1] a = {0}, "
     "int64[1] m = {-1}> { g = Slice(x, b, e, a, m) y = Squeeze(g, a) }"),
    (17, "Slice Squeeze", S + "(float[4] y) <int64[2] b = {1, 1}, int64[2] e = {2, 2}, int64[2] a = {0, 1}> "
     "{ g = Slice(x, b, e, a) y = Squeeze(g, a) }"),
    # ---- Squeeze and Unsqueeze of reductions
    (17, "ArgMin", S + "(int64[2,1,4] y) <int64[1] a = {1}> { m = ArgMin<axis = 1, keepdims = 0>(x) "
     "y = Unsqueeze(m, a) }"),
    (17, "ReduceMax Unsqueeze", S + "(float[2,1,1,4] y) <int64[1] a = {1}> "
     "{ m = ReduceMax<axes = [1]>(x) y = Unsqueeze(m, a) }"),
    (17, "ReduceMax Unsqueeze", S + "(float[1,2,4] y) <int64[1] a = {0}> "
     "{ m = ReduceMax<axes = [1], keepdims = 0>(x) y = Unsqueeze(m, a) }"),
    (17, "ReduceMax Unsqueeze", S + "(float[1,4] y) <int64[1] a = {0}> "
     "{ m = ReduceMax<axes = [0, 1], keepdims = 0>(x) y = Unsqueeze(m, a) }"),
    (17, "ReduceMax Squeeze", S + "(float[2,4] y) { m = ReduceMax<axes = [1]>(x) y = Squeeze(m) }"),
    (17, "ReduceSum Squeeze", "(float[2,3,4] x, int64[K] k) => (float[2,4] y) <int64[1] a = {1}> "
     "{ m = ReduceSum(x, k) y = Squeeze(m, a) }", {"k": [1]}),
    (17, "ReduceSum", S + "(float[2,4] y) <int64[1] a = {1}> { m = ReduceSum(x, a) y = Squeeze(m, a) }"),
    # ---- Slice of Slice
    (17, "Slice", S + "(float[2,1,4] y) <int64[1] b = {1}, int64[1] e = {3}, int64[1] c = {0}, int64[1] d = {1}, "
     "int64[1] a = {1}> { s = Slice(x, b, e, a) y = Slice(s, c, d, a) }"),
    (17, "Slice", S + "(float[2,1,4] y) <int64[1] b = {2}, int64[1] e = {3}, int64[1] c = {0}, int64[1] d = {9}, "
     "int64[1] a = {1}> { s = Slice(x, b, e, a) y = Slice(s, c, d, a) }"),
    (17, "Slice Slice", S + "(float[2,1,4] y) <int64[1] b = {-2}, int64[1] e = {3}, int64[1] c = {0}, "
     "int64[1] d = {1}, int64[1] a = {1}> { s = Slice(x, b, e, a) y = Slice(s, c, d, a) }"),
    (17, "Slice Slice", S + "(float[2,1,4] y) <int64[1] b = {1}, int64[1] e = {3}, int64[1] c = {-1}, "
     "int64[1] d = {9}, int64[1] a = {1}> { s = Slice(x, b, e, a) y = Slice(s, c, d, a) }"),
    (17, "Slice Slice", S + "(float[2,1,4] y) <int64[1] b = {1}, int64[1] e = {3}, int64[1] c = {0}, "
     "int64[1] d = {-1}, int64[1] a = {1}> { s = Slice(x, b, e, a) y = Slice(s, c, d, a) }"),
    (17, "Slice Slice", S + "(float[2,1,4] y) <int64[1] b = {0}, int64[1] e = {9}, int64[1] c = {1}, "
     "int64[1] a = {1}, int64[1] t = {2}> { s = Slice(x, b, e, a, t) y = Slice(s, c, e, a) }"),
    (17, "Slice Slice", S + "(float[2,1,4] y) <int64[1] b = {1}, int64[1] e = {9}, int64[1] c = {0}, "
     "int64[1] a = {1}, int64[1] t = {2}> { s = Slice(x, b, e, a) y = Slice(s, c, e, a, t) }"),
    (17, "Slice Slice", S + "(float[2,0,4] y) <int64[1] b = {9223372036854775807}, int64[1] e = {9}, "
     "int64[1] c = {1}, int64[1] a = {1}> { s = Slice(x, b, b, a) y = Slice(s, c, e, a) }"),
    (17, "Slice", S + "(float[1,2,4] y) <int64[1] b = {0}, int64[1] e = {9}, int64[1] a = {1}, int64[1] t = {2}, "
     "int64[1] o = {1}> { s = Slice(x, b, e, a, t) y = Slice(s, o, e, b) }"),
    # ---- Slice of unknown rank
    (17, "Reshape Slice", "(float[24] x, int64[R] r) => (float[2,1,2] y) <int64[1] b = {1}, int64[1] e = {3}, "
     "int64[1] m = {-1}, int64[1] n = {-2}> { u = Reshape(x, r) s = Slice(u, b, e, m) "
     "y = Slice(s, b, e, n) }", {"r": [2, 3, 4]}),
    (17, "Reshape Slice Slice", "(float[24] x, int64[R] r) => (float[2,3,1] y) <int64[1] b = {1}, "
     "int64[1] e = {3}, int64[1] m = {-1}, int64[1] n = {2}> { u = Reshape(x, r) s = Slice(u, b, e, m) "
     "y = Slice(s, b, e, n) }", {"r": [2, 3, 4]}),
    (17, "Reshape Slice Slice ReduceSum", "(float[1] x, int64[R] r) => (float y) <int64[16] z = {0, 0, 0, 0, 0, 0, "
     "0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, int64[16] e = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, "
     "int64[16] a = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, int64[1] b = {0}, int64[1] c = {1}, "
     "int64[1] d = {16}> { u = Reshape(x, r) s = Slice(u, z, e, a) t = Slice(s, b, c, d) "
     "y = ReduceSum<keepdims = 0>(t) }", {"r": [1] * 17}),
    (17, "Reshape", "(float[24] x, int64[R] r) => (float[A,B,C] y) "
     "{ u = Reshape(x, r) t = Transpose<perm = [1, 2, 0]>(u) y = Transpose<perm = [2, 0, 1]>(t) }", {"r": [2, 3, 4]}),
    (17, "Reshape Transpose", "(float[24] x, int64[R] r) => (float[A,B,C] y) "
     "{ u = Reshape(x, r) t = Transpose<perm = [1, 2, 0]>(u) y = Transpose<perm = [1, 0, 2]>(t) }", {"r": [2, 3, 4]}),
    (17, "Reshape Transpose Transpose", "(float[24] x, int64[R] r) => (float[A,B,C] y, float[D,E,F] t) "
     "{ u = Reshape(x, r) t = Transpose<perm = [1, 2, 0]>(u) y = Transpose<perm = [1, 0, 2]>(t) }", {"r": [2, 3, 4]}),
    (17, "Reshape Transpose Transpose", "(float[24] x, int64[R] r) => (float[A,B,C] y) "
     "{ u = Reshape(x, r) t = Transpose(u) y = Transpose<perm = [1, 0, 2]>(t) }", {"r": [2, 3, 4]}),
    # ---- Gather of Slice
    (17, "Gather", "(float[9,2] x) => (float[2] y) <int64 i = {-1}, int64[1] b = {-1}, int64[1] e = {-99}, "
     "int64[1] a = {0}, int64[1] m = {-1}> { s = Slice(x, b, e, a, m) y = Gather(s, i) }"),
    (17, "Slice Gather Neg", "(float[9,2] x) => (float[2] y, float[9,2] z) <int64 i = {2}, int64[1] b = {-1}, "
     "int64[1] e = {-99}, int64[1] a = {0}, int64[1] m = {-1}> "
     "{ s = Slice(x, b, e, a, m) y = Gather(s, i) z = Neg(s) }"),
    (17, "Slice Gather Gather", "(int64[9] x, float[9] w) => (int64 y, float[9] z) <int64 i = {2}, "
     "int64[1] b = {-1}, int64[1] e = {-99}, int64[1] a = {0}, int64[1] m = {-1}> "
     "{ s = Slice(x, b, e, a, m) y = Gather(s, i) z = Gather(w, s) }"),
    (17, "Slice Gather Gather", "(float[9,2] x) => (float[2] y, float[9] z) <int64 i = {1}, int64[1] b = {-1}, "
     "int64[1] e = {-99}, int64[1] a = {0}, int64[1] m = {-1}> "
     "{ s = Slice(x, b, e, a, m) y = Gather(s, i) z = Gather<axis = 1>(s, i) }"),
    (17, "Slice Gather Gather", "(float[9,2] x, int64 k) => (float[2] y, float[2] z) <int64 i = {1}, "
     "int64[1] b = {-1}, int64[1] e = {-99}, int64[1] a = {0}, int64[1] m = {-1}> "
     "{ s = Slice(x, b, e, a, m) y = Gather(s, i) z = Gather(s, k) }", {"k": 1}),
    (17, "Slice Gather", "(float[9,2] x, int64 k) => (float[2] z) <int64[1] b = {-1}, int64[1] e = {-99}, "
     "int64[1] a = {0}, int64[1] m = {-1}> { s = Slice(x, b, e, a, m) z = Gather(s, k) }", {"k": 1}),
    (17, "Slice Gather", "(float[9,2] x) => (float[0,2] y) <int64[0] i = {}, int64[1] b = {-1}, "
     "int64[1] e = {-99}, int64[1] a = {0}, int64[1] m = {-1}> { s = Slice(x, b, e, a, m) y = Gather(s, i) }"),
    (17, "Slice Gather", "(float[9,3] x) => (float[2] y) <int64 i = {2}, int64[2] b = {8, 0}, "
     "int64[2] e = {-99, 2}, int64[2] a = {0, 1}, int64[2] m = {-1, 1}> { s = Slice(x, b, e, a, m) y = Gather(s, i) }"),
    # ---- values with equal elements
    (17, "ConstantOfShape Reshape ReduceSum", "(int64[R] r) => (float y) <int64[2] n = {2000, 3}> "
     "{ c = ConstantOfShape(n) t = Reshape(c, r) y = ReduceSum<keepdims = 0>(t) }", {"r": [3, 2000]}),
    (17, "ConstantOfShape Reshape", "(int64[2] r) => (float[A,B] y) <int64[2] n = {2001, 3}> "
     "{ c = ConstantOfShape(n) y = Reshape(c, r) }", {"r": [3, 2001]}),
    (17, "ConstantOfShape", "(float[1] x) => (float[3,2002] y) <int64[2] n = {2002, 3}> "
     "{ c = ConstantOfShape(n) y = Transpose(c) }"),
    # ---- If
    (17, "Not Not If", "(bool c, float[2] x) => (float[2] y, bool z) "
     "{ n = Not(c) z = Not(n) y = If(n) <then_branch = t () => (float[2] a) "
     "{ a = Neg(x) }, else_branch = e () => (float[2] b) { b = Abs(x) }> }"),
    (17, "Neg", "(float[2] x) => (float[2] y) <bool k = {0}> { n = Not(k) "
     "y = If(n) <then_branch = t () => (float[2] a) { a = Neg(x) }, else_branch = e () => (float[2] b) "
     "{ b = Abs(x) }> }"),
    (17, "Abs", "(float[2] x) => (float[2] y) <bool k = {0}> { y = If(k) <then_branch = t () => (float[2] a) "
     "{ a = Neg(x) }, else_branch = e () => (float[2] b) { b = Abs(x) }> }"),
    # ---- transposes sink through operators
    (17, "Clip", S + "(float[2,3,4] y) <float l = {0.5}, float h = {1.5}> "
     "{ t = Transpose<perm = [2, 0, 1]>(x) c = Clip(t, l, h) y = Transpose<perm = [1, 2, 0]>(c) }"),
    (17, "Max", S + "(float[2,3,4] y) { t = Transpose<perm = [2, 0, 1]>(x) c = Max(t, t) "
     "y = Transpose<perm = [1, 2, 0]>(c) }"),
    (17, "Split Neg", S + "(float[2,3,2] y, float[2,3,2] z) { t = Transpose<perm = [2, 0, 1]>(x) a, "
     "b = Split(t) y = Transpose<perm = [1, 2, 0]>(a) n = Neg(b) z = Transpose<perm = [1, 2, 0]>(n) }"),
    (17, "Split", S + "(float[2,3,1] y, float[2,3,3] z) <int64[2] p = {1, 3}> "
     "{ t = Transpose<perm = [2, 0, 1]>(x) a, b = Split<axis = 0>(t, p) y = Transpose<perm = [1, 2, 0]>(a) "
     "z = Transpose<perm = [1, 2, 0]>(b) }"),
    (17, "Transpose Add", "(float[3,2,4] x, float[5,2,3,4] w) => (float[5,2,3,4] y) "
     "{ t = Transpose<perm = [1, 0, 2]>(x) y = Add(t, w) }"),
    (17, "Add", S + "(float[2,3,4] y) <float[3,1,2] w = {1, 2, 3, 4, 5, 6}> "
     "{ t = Transpose<perm = [1, 2, 0]>(x) a = Add(t, w) y = Transpose<perm = [2, 0, 1]>(a) }"),
    (17, "Transpose Add Transpose", S + "(float[2,3,4] y) <float[4,2] w = {1, 2, 3, 4, 5, 6, 7, 8}> "
     "{ t = Transpose<perm = [1, 2, 0]>(x) a = Add(t, w) y = Transpose<perm = [2, 0, 1]>(a) }"),
    (17, "Mul Add Mul", S + "(float[2,3,4] y) <float k = {2}, float[4,1] w = {1, 2, 3, 4}> "
     "{ t = Transpose<perm = [1, 2, 0]>(x) a = Mul(t, k) b = Add(a, w) c = Mul(b, w) "
     "y = Transpose<perm = [2, 0, 1]>(c) }"),
    (17, "Exp Reshape Add Cast", "(float[2,300] x, float[300,1] z) => (double[2,300] y) "
     "{ e = Exp(z) t = Transpose(x) a = Add(t, e) c = Cast<to = 11>(a) y = Transpose(c) }"),
    (17, "Reshape Neg", "(float[24] x, int64[3] r) => (float[A,B,C] y) "
     "{ u = Reshape(x, r) t = Transpose<perm = [1, 0, 2]>(u) n = Neg(t) "
     "y = Transpose<perm = [1, 0, 2]>(n) }", {"r": [2, 3, 4]}),
    (17, "Neg Abs Transpose", "(float[2,3] x) => (float[3,2] y) "
     "{ t = Transpose(x) n = Neg(t) u = Transpose(n) v = Abs(u) y = Transpose(v) }"),
    (17, "Neg Transpose Add", "(float[2,3] x, float[3,2] w) => (float[3,2] y, float[2,3] u) "
     "{ t = Transpose(x) n = Neg(t) u = Transpose(n) v = Transpose(w) a = Add(u, v) y = Transpose(a) }"),
    (6, "Transpose Neg Transpose", "(float[2,3] x) => (float[2,3] y) { t = Transpose(x) n = Neg(t) y = Transpose(n) }"),
    # ---- reorders
    (17, "Reshape", "(float[A,B,16] x) => (float[M,N] y) <int64[3] a = {-1, 0, 8}, int64[2] b = {-1, 8}> "
     "{ r = Reshape(x, a) y = Reshape(r, b) }"),
    (17, "Reshape", "(float[2,3,4] x) => (float[6,4] y) <int64[2] a = {2, 12}, int64[2] b = {6, 4}> "
     "{ r = Reshape<allowzero = 1>(x, a) y = Reshape<allowzero = 1>(r, b) }"),
    (17, "Transpose Shape Shape Concat Reshape", "(float[A,B] x) => (float[P,Q,R] y) <int64[1] z = {0}, "
     "int64[1] o = {1}, int64[1] t = {2}, int64[1] m = {-1}> { t2 = Transpose(x) s = Shape(x) "
     "b = Slice(s, o, t) c = Concat<axis = 0>(o, b, m) y = Reshape(t2, c) }", ),
    (17, "Neg", S + "(float[2,3,4] y) { c = Cast<to = 1>(x) y = Neg(c) }"),
    (17, "Dropout Where", S + "(float[2,3,4] y, float[2,3,4] z) "
     "{ d, m = Dropout(x) y = Transpose<perm = [0, 1, 2]>(d) z = Where(m, d, x) }"),
    (17, "Flatten Relu Reshape", S + "(float[2,3,4] y) <int64[3] a = {2, 3, 4}> "
     "{ f = Flatten(x) r = Relu(f) y = Reshape(r, a) }"),
    (17, "Transpose Slice Transpose", S + "(float[2,2,4] y) <int64[1] a = {0}, int64[1] b = {2}> "
     "{ t = Transpose<perm = [1, 0, 2]>(x) s = Slice(t, a, b, a) y = Transpose<perm = [1, 0, 2]>(s) }"),
    (17, "Softmax Transpose", S + "(float[3,2,4] y) { s = Softmax(x) y = Transpose<perm = [1, 0, 2]>(s) }"),
    (17, "Transpose Reshape", "(float[A,B,2] x) => (float[M,N] y) <int64[2] a = {-1, 2}> "
     "{ t = Transpose<perm = [1, 0, 2]>(x) r = Reshape(t, a) y = Transpose(r) }"),
    # ---- constants
    (17, "Add", "(float[3,2] x) => (float[3,2] y) <float[2,3] w = {1, 2, 3, 4, 5, 6}> "
     "{ t = Transpose(w) y = Add(x, t) }"),
    (17, "Add", "(float[3] x) => (float[3] y) <float[3] w = {1, 2, 3}, float v = {4}> "
     "{ a = Add(w, v) b = Sub(a, w) c = Mul(b, w) d = Div(c, v) y = Add(x, d) }"),
    (17, "Div Add", "(float[2] x) => (float[2] y) <float[2] w = {0, 0}, float[2] v = {0, 1}> "
     "{ a = Div(w, v) y = Add(x, a) }"),
    (17, "Expand Add", "(float[40,50] x) => (float[40,50] y) <float[40,1] w = {" + ", ".join("0" * 40) + "}, "
     "int64[2] n = {40, 50}> { e = Expand(w, n) y = Add(x, e) }"),
    (17, "Add Add", "(float[40,50] x) => (float[40,50] y) <float[40,1] w = {" + ", ".join("0" * 40) + "}, "
     "float[1,50] v = {" + ", ".join("0" * 50) + "}> { e = Add(w, v) y = Add(x, e) }"),
    (17, "Transpose MatMul", "(float[4,2] x) => (float[4,3] y) <float[3,2] w = {1, 2, 3, 4, 5, 6}> "
     "{ t = Transpose(w) y = MatMul(x, t) }"),
    (17, "Transpose", "() => (float[2,3] y) <float[3,2] w = {1, 2, 3, 4, 5, 6}> { y = Transpose(w) }"),
    (17, "Add", "(float[4] x) => (float[4] y) <float[2] w = {1, 2}> { c = Concat<axis = 0>(w, w) y = Add(x, c) }"),
    (17, "Add Add", "(float[1] x, float[1] z) => (float[1] y, float[1] v) <float[2] w = {1, 2}> "
     "{ a, b = Split(w) y = Add(x, a) v = Add(z, b) }"),
    (17, "Add", "(float[2] x) => (float[2] y) <float[0,2] w = {}, float[1,2] u = {1, 2}> "
     "{ c = Concat<axis = 0>(w, u) s = Squeeze(c) y = Add(x, s) }"),
    (17, "Add", "(float[3] x) => (float[3] y) <int64[1] n = {3}> "
     "{ c = ConstantOfShape<value: tensor = float[1] {2}>(n) y = Add(x, c) }"),
    (17, "Add", "(float[50,40] x) => (float[50,40] y) <float[40,50] w = {" + ", ".join(["0.5"] * 2000) + "}> "
     "{ t = Transpose(w) y = Add(x, t) }"),
    (17, "Gather Add", "(float[1009] x) => (float[1009] y) <float[1009] w = {" + ", ".join(["0.5"] * 1009) + "}, "
     "int64[1009] i = {" + ", ".join(str(k * k % 1009) for k in range(1009)) + "}> { t = Gather(w, i) y = Add(x, t) }"),
    (17, "Concat", "(float[2,1] x) => (float[2,1] y) <float[0,2] w = {}> "
     "{ t = Transpose(w) y = Concat<axis = 1>(x, t) }"),
    # ---- lists of i32, long ones
    (17, "Slice", S + "(float[1,1,4] y) <int32[1] b = {0}, int32[1] e = {1}, int32[1] a = {0}, int32[1] c = {1}> "
     "{ s = Slice(x, b, e, a) y = Slice(s, b, e, c) }"),
    (17, "Gather Gather Add", "(float[20] x, float[20] w) => (float[17] y) <int64[17] i = {0, 1, 2, 3, 4, 5, 6, 7, "
     "8, 9, 10, 11, 12, 13, 14, 15, 16}> { g = Gather(x, i) h = Gather(w, i) y = Add(g, h) }"),
    # ---- many nodes
    (17, "Split Add", "(float[6] x) => (float[3] y) <int64[1] a = {0}, int64[1] b = {3}, int64[1] c = {-3}, "
     "int64[1] e = {99}> { s = Slice(x, a, b) t = Slice(x, c, e) y = Add(s, t) }"),
    (17, "Split Add", "(float[6] x) => (float[5] y) <int64[1] a = {-9}, int64[1] b = {5}, int64[1] i = {-1}> "
     "{ s = Slice(x, a, b) t = Gather(x, i) y = Add(s, t) }"),
    (17, "Slice Slice Add", "(float[6] x) => (float[3] y) <int64[1] a = {0}, int64[1] b = {3}, int64[1] c = {2}, "
     "int64[1] e = {5}> { s = Slice(x, a, b) t = Slice(x, c, e) y = Add(s, t) }"),
    (17, "Slice Slice Slice ReduceSum Sum Add", "(float[6] x) => (float[3] y) <int64[1] a = {0}, "
     "int64[1] b = {3}, int64[1] e = {6}, int64[1] o = {9}> { s = Slice(x, a, b) t = Slice(x, b, e) "
     "u = Slice(x, o, e) v = ReduceSum<keepdims = 1>(u) w = Sum(s, t) y = Add(w, v) }"),
    (17, "Reshape Split Sum", "(float[3,4,5] x) => (float[4,5] y) <int64 a = {0}, int64 b = {-2}, int64 c = {2}> "
     "{ s = Gather(x, a) t = Gather(x, b) u = Gather(x, c) y = Sum(s, t, u) }"),
    (17, "Gather Gather Gather Sum", "(float[3,0,5] x) => (float[0,5] y) <int64 a = {0}, int64 b = {1}, "
     "int64 c = {2}> { s = Gather(x, a) t = Gather(x, b) u = Gather(x, c) y = Sum(s, t, u) }"),
    (17, "Gather Gather Add", "(float[2,4,5] x) => (float[4,5] y) <int64 a = {0}, int64 b = {1}> "
     "{ s = Gather(x, a) t = Gather(x, b) y = Add(s, t) }"),
    (17, "Reshape Split Gather Gather Sum", "(float[3,4] x, int64[3] z) => (float[4] y) <int64 a = {0}, "
     "int64 b = {1}, int64 c = {2}> { s = Gather(x, a) t = Gather(x, b) u = Gather(x, c) k = Gather(z, a) "
     "v = Gather(x, k) y = Sum(s, t, u, v) }", {"z": [0, 1, 2]}),
    (17, "Concat Reshape", "(float[4] p, float[4] q, float[4] r) => (float[3,4] y) <int64[1] a = {0}> "
     "{ u = Unsqueeze(p, a) v = Unsqueeze(q, a) w = Unsqueeze(r, a) y = Concat<axis = -2>(u, v, w) }"),
    (17, "Unsqueeze Unsqueeze Unsqueeze Concat", "(float[4] p, float[4] q, float[4] r) => (float[3,4] y, "
     "float[1,4] w) <int64[1] a = {0}> { u = Unsqueeze(p, a) v = Unsqueeze(q, a) w = Unsqueeze(r, a) "
     "y = Concat<axis = 0>(u, v, w) }"),
    (17, "Unsqueeze Unsqueeze Unsqueeze Concat", "(float[4] p, float[4] q, "
     "float[4] r) => (float[3,1,4] y) <int64[2] a = {0, 1}> { u = Unsqueeze(p, a) v = Unsqueeze(q, a) "
     "w = Unsqueeze(r, a) y = Concat<axis = 0>(u, v, w) }"),
    (17, "Unsqueeze Unsqueeze Unsqueeze Concat", "(float[4] p, float[4] q, "
     "float[4] r) => (float[4,3] y) <int64[1] a = {0}, int64[1] b = {1}> "
     "{ u = Unsqueeze(p, b) v = Unsqueeze(q, b) w = Unsqueeze(r, b) y = Concat<axis = 1>(u, v, w) }"),
    (17, "Unsqueeze Unsqueeze Unsqueeze Concat", "(float[4] p, float[4] q, "
     "float[4] r) => (float[12,1] y) <int64[1] b = {1}> { u = Unsqueeze(p, b) v = Unsqueeze(q, b) "
     "w = Unsqueeze(r, b) y = Concat<axis = 0>(u, v, w) }"),
    # ---- operands without effect
    (17, "Neg", "(float16[2] x) => (float16[2] y) <float16 o = {15360}> { a = Mul(x, o) y = Neg(a) }"),
    (17, "Neg", "(double[2] x) => (double[2] y) <double o = {1}> { a = Mul(x, o) y = Neg(a) }"),
    (17, "Neg", "(double[2] x) => (double[2] y) <double o = {1}> { a = Div(x, o) y = Neg(a) }"),
    (17, "Neg", "(int32[2] x) => (int32[2] y) <int32 o = {0}> { a = Add(o, x) y = Neg(a) }"),
    (17, "Mul", "(float[A] x) => (float[A] y) <float[1] o = {2}> { y = Mul(x, o) }"),
    (17, "Concat", "(float[2,1] x, float[0,1] z) => (float[4,1] y) { y = Concat<axis = -2>(x, z, x) }"),
    # ---- equal nodes, and nodes that do nothing
    (17, "Neg", "(float[2] x) => (float[2] y) { a = Max(x) y = Neg(a) }"),
    (17, "Neg", "(float[2] x) => (float[2] y) { a = Min(x) y = Neg(a) }"),
    (17, "Neg", "(float[2] x) => (float[2] y) { a = Sum(x) y = Neg(a) }"),
    (17, "Mean Neg", "(float[2] x) => (float[2] y) { a = Mean(x) y = Neg(a) }"),
    (17, "Neg Add", "(float[2] x) => (float[2] y) { a = Neg(x) b = Neg(x) y = Add(a, b) }"),
    # ---- branches
    (17, "Neg", "(float[2] x) => (float[2] y) <bool k = {1}> { y = If(k) <then_branch = t () => (float[2] a) "
     "{ a = Neg(x) }, else_branch = e () => (float[2] b) { c = Abs(x) b = Neg(c) }> }"),
    (17, "Identity", "(float[2] x) => (float[2] y) <bool k = {1}> { y = If(k) <then_branch = t () => (float[2] a) "
     "{ a = Identity(x) }, else_branch = e () => (float[2] b) { b = Neg(x) }> }"),
    (17, "Identity Neg", "(float[2] x) => (float[2] y, float[2] z) <bool k = {1}> "
     "{ y, z = If(k) <then_branch = t () => (float[2] a, float[2] n) "
     "{ a = Identity(x) n = Neg(x) }, else_branch = e () => (float[2] b, float[2] m) { b = Neg(x) m = Abs(b) }> }"),
    (17, "Neg Identity", "(float[2] x) => (float[2] y, float[2] z) <bool k = {1}> "
     "{ y, z = If(k) <then_branch = t () => (float[2] a, float[2] a) "
     "{ a = Neg(x) }, else_branch = e () => (float[2] b, float[2] m) { b = Neg(x) m = Abs(b) }> }"),
    (17, "If Exp", "(bool c, float[2] x) => (float[2] y) <bool k = {1}> "
     "{ z = If(c) <then_branch = t () => (float[2] a) { a = If(k) <then_branch = u () => (float[2] d) "
     "{ d = Neg(x) }, else_branch = v () => (float[2] e) { e = Abs(x) }> }, else_branch = w () => (float[2] b) "
     "{ b = Abs(x) }> y = Exp(z) }"),
    (17, "Add Neg", "(float[2] x) => (float[2] y) <bool k = {1}> "
     "{ z = If(k) <then_branch = t () => (float[2] a) <float[2] q = {1, 2}> "
     "{ a = Add(x, q) }, else_branch = e () => (float[2] b) { b = Abs(x) }> y = Neg(z) }"),
    # ---- values that bodies read
    (17, "Neg If", "(bool c, float[2] x) => (float[2] y) { i = Identity(x) n = Neg(i) "
     "y = If(c) <then_branch = t () => (float[2] a) { a = Add(n, i) }, else_branch = e () => (float[2] b) "
     "{ b = Abs(i) }> }"),
    (17, "Dropout If", "(bool c, float[2] x) => (float[2] y, bool[2] m) "
     "{ i, m = Dropout(x) y = If(c) <then_branch = t () => (float[2] a) "
     "{ a = Neg(i) }, else_branch = e () => (float[2] b) { b = Abs(i) }> }"),
    (17, "If", "(bool c, float[2] x) => (float[2] y) <float[1,2] w = {1, 2}> "
     "{ s = Squeeze(w) y = If(c) <then_branch = t () => (float[2] a) "
     "{ a = Add(x, s) }, else_branch = e () => (float[2] b) { b = Sub(x, s) }> }"),
    (17, "If", "(bool c, bool d, float[2] x) => (float[2] y) { y = If(c) <then_branch = t () => (float[2] a) "
     "{ a = If(d) <then_branch = u () => (float[2] k) { k = Neg(x) }, else_branch = v () => (float[2] l) "
     "{ l = Abs(x) }> }, else_branch = e () => (float[2] b) { b = Exp(x) }> }"),
    (17, "If", "(bool c, float[3,2] x) => (float[2,2] y) <float[2,3] w = {1, 2, 3, 4, 5, 6}> "
     "{ y = If(c) <then_branch = t () => (float[2,2] a) { i = Identity(w) "
     "a = MatMul(i, x) }, else_branch = e () => (float[2,2] b) { b = MatMul(w, x) }> }"),
    # ---- more pairs that stay, and one that does not
    (17, "Shape Gather", "(float[A,2,11] x, int64[1] k) => (int64[1] y) { s = Shape(x) y = Gather(s, k) }"),
    (17, "Gather Squeeze Neg", S + "(float[3,4] y, float[1,3,4] z) <int64[1] i = {1}, int64[1] a = {0}> "
     "{ g = Gather(x, i) y = Squeeze(g, a) z = Neg(g) }"),
    (17, "Gather Squeeze", "(float[2,1,4] x) => (float[1,4] y) <int64[1] i = {1}, int64[1] a = {1}> "
     "{ g = Gather(x, i) y = Squeeze(g, a) }"),
    (17, "ArgMax", S + "(int64[2,1,4] y) <int64[1] a = {1}> { m = ArgMax<axis = 1, keepdims = 0>(x) "
     "y = Unsqueeze(m, a) }"),
    (17, "ReduceMax Unsqueeze Neg", S + "(float[2,1,4] y, float[2,4] z) <int64[1] a = {1}> "
     "{ m = ReduceMax<axes = [1], keepdims = 0>(x) y = Unsqueeze(m, a) z = Neg(m) }"),
    (17, "Slice", S + "(float[2,1,4] y) <int64[1] b = {1}, int64[1] e = {3}, int64[1] c = {1}, int64[1] d = {9}, "
     "int64[1] a = {1}> { s = Slice(x, b, e, a) y = Slice(s, c, d, a) }"),
    (17, "Gather", "(float[9,2] x) => (float[2] y) <int64 i = {2}, int64[1] b = {-1}, int64[1] e = {-99}, "
     "int64[1] a = {0}, int64[1] m = {-1}> { s = Slice(x, b, e, a, m) y = Gather(s, i) }"),
    (17, "Slice Gather", "(float[A,2] x) => (float[2] y) <int64 i = {1}, int64[1] b = {-1}, int64[1] e = {-99}, "
     "int64[1] a = {0}, int64[1] m = {-1}> { s = Slice(x, b, e, a, m) y = Gather(s, i) }"),
    (17, "Reshape Slice Gather", "(float[8] x, int64[R] r) => (float[N] y) <int64 i = {1}, int64[1] b = {-1}, "
     "int64[1] e = {-99}, int64[1] a = {0}, int64[1] m = {-1}> "
     "{ u = Reshape(x, r) s = Slice(u, b, e, a, m) y = Gather(s, i) }", {"r": [4, 2]}),
    # ---- rows that are taken twice, or index another tensor
    (17, "Gather Gather Gather Gather Sum", "(float[3,4] x) => (float[4] y) <int64 a = {0}, int64 b = {1}, "
     "int64 c = {2}, int64 d = {-3}> { s = Gather(x, a) t = Gather(x, b) u = Gather(x, c) v = Gather(x, d) "
     "y = Sum(s, t, u, v) }"),
    (17, "Reshape Split Gather Add Add", "(int64[3,2] x, float[4] w) => (int64[2] y, "
     "float[3,2] v) <int64 a = {0}, int64 b = {1}, int64 c = {2}> "
     "{ s = Gather(x, a) t = Gather(x, b) u = Gather(x, c) v = Gather(w, x) p = Add(s, t) y = Add(p, u) }"),
    # ---- initial states that are zero; all rows share n, which counts for the first
    lstm("Concat LSTM", "z = ConstantOfShape(n)"),
    lstm("LSTM", "z = ConstantOfShape<value: tensor = float[1] {0}>(n)"),
    lstm("ConstantOfShape LSTM", "z = ConstantOfShape<value: tensor = float[1] {1}>(n)"),
    lstm("LSTM", "p = Slice(n, o, three) k = ConstantOfShape(n) z = Concat<axis = 1>(k)"),
    lstm("LSTM", "k = Expand(q, n) z = Identity(k)"),
    lstm("Neg LSTM", "z = Neg(g)"),
    lstm("LSTM", "z = Identity(g)"),
    lstm("ConstantOfShape Slice Slice Concat LSTM", "k = ConstantOfShape<value: tensor = float[1] {0}>(n) "
         "h = ConstantOfShape<value: tensor = float[1] {1}>(n) k1 = Slice(k, o, two, two) "
         "h1 = Slice(h, o, two, two) z = Concat<axis = 2>(k1, h1)"),
    lstm("Concat LSTM",
         "k = ConstantOfShape<value: tensor = float[1] {0}>(n) "
         "h = ConstantOfShape<value: tensor = float[1] {1}>(n) k1 = Slice(k, o, two, two) "
         "h1 = Slice(h, o, two, two) z = Concat<axis = 2>(h1, k1)"),
    (17, "LSTM", "(float[2,3,3] x) => (float[2,1,3,2] y) "  # with peepholes after the states
     f"<float[1,8,3] w = {zeros(24)}, float[1,8,2] r = {zeros(16)}, float[1,3,2] z = {zeros(6)}, "
     "float[1,6] p = {1, 2, 3, 4, 5, 6}> { y = LSTM<hidden_size = 2>(x, w, r, , , z, z, p) }"),
    (17, "LSTM", "(float[2,3,3] x, float[1,3,2] g) => (float[2,1,3,2] y) "
     f"<float[1,8,3] w = {zeros(24)}, float[1,8,2] r = {zeros(16)}, float[1,3,2] z = {zeros(6)}> "
     "{ y = LSTM<hidden_size = 2>(x, w, r, , , z, g) }"),
    (17, "RNN", "(float[2,3,3] x) => (float[2,1,3,2] y) "
     f"<float[1,2,3] w = {zeros(6)}, float[1,2,2] r = {zeros(4)}, float[1,3,2] z = {zeros(6)}> "
     "{ y = RNN<hidden_size = 2>(x, w, r, , , z) }"),
    # ---- a branch with a body in it
    (17, "Loop Exp", "(float[2] x) => (float[2] y) <bool k = {1}, int64 n = {3}> "
     "{ z = If(k) <then_branch = t () => (float[2] r) <bool q = {1}, float[2] w = {1, 2}> "
     "{ r = Loop(n, q, x) <body = l (int64 i, bool m, float[2] h) => (bool q2, float[2] h2) "
     "{ q2 = Identity(m) h2 = Add(h, w) }> }, else_branch = e () => (float[2] b) { b = Abs(x) }> y = Exp(z) }"),
    nested(17, 8, "Neg Exp"),
    nested(19, 20, "If Exp"),  # more than there are rounds, so in a model of its own
    # ---- a node of two results stays for one of them; the other, a constant, gives its name away
    (17, "Split Add", "(float[2] x) => (float[2] a, float[2] y) <float[4] w = {1, 2, 3, 4}> "
     "{ a, b = Split(w) y = Add(x, b) }"),
    (17, "Split Add", "(float[2] x, float[2] b__unused) => (float[2] a, float[2] y) <float[4] w = {1, 2, 3, 4}> "
     "{ a, b = Split(w) c = Add(b__unused, b) y = Identity(c) }"),
    (17, "Split Add If", "(bool c, float[2] x) => (float[2] a, float[2] y, float[2] z) <float[4] w = {1, 2, 3, 4}> "
     "{ a, b = Split(w) y = Add(x, b) z = If(c) <then_branch = t () => (float[2] p) "
     "{ p = Neg(b) }, else_branch = e () => (float[2] q) { q = Abs(b) }> }"),
    # ---- a result that a body reads, that is a constant, or that is there twice
    (17, "Neg Identity If", "(bool c, float[2] x) => (float[2] y, float[2] z) { n = Neg(x) y = Identity(n) "
     "z = If(c) <then_branch = t () => (float[2] p) { p = Abs(y) }, else_branch = e () => (float[2] q) "
     "{ q = Exp(y) }> }"),
    (17, "Identity Add", "(float[3,2] x) => (float[3,2] y, float[3,2] z) <float[2,3] w = {1, 2, 3, 4, 5, 6}> "
     "{ t = Transpose(w) y = Identity(t) z = Add(x, t) }"),
    (17, "Constant Add", "(float[2] x) => (float[2] y, float[2] z) "
     "{ t = Constant<value_floats = [1.0, 2.0]>() y = Identity(t) z = Add(x, t) }"),
    (17, "Neg Identity", "(float[2] x) => (float[2] y, float[2] z) { n = Neg(x) y = Identity(n) z = Identity(n) }"),
    # ---- constants that are larger than their operands
    (17, "Add", "(float[40] x) => (float[40] y) <float[2] w = {1, 2}, int64[1] n = {20}> "
     "{ t = Tile(w, n) y = Add(x, t) }"),
    (17, "Tile Add", "(float[4000] x) => (float[4000] y) <float[2] w = {1, 2}, int64[1] n = {2000}> "
     "{ t = Tile(w, n) y = Add(x, t) }"),
    # ---- equal nodes whose results a body in a body reads
    (17, "Neg If", "(float[2] x, bool c) => (float[2] y) { n = Neg(x) f = Neg(x) "
     "y = If(c) <then_branch = t () => (float[2] p) { p = If(c) <then_branch = t2 () => (float[2] p2) "
     "{ p2 = Abs(f) }, else_branch = e2 () => (float[2] p3) { p3 = Exp(f) }> }, else_branch = e () => (float[2] q) "
     "{ q = Add(n, f) }> }"),
    (17, "If", "(float[2] x, bool c) => (float[2] y) { y = If(c) <then_branch = t () => (float[2] p) "
     "{ n = Neg(x) f = Neg(x) p = If(c) <then_branch = t2 () => (float[2] p2) "
     "{ p2 = Abs(f) }, else_branch = e2 () => (float[2] p3) { p3 = Exp(f) }> }, else_branch = e () => (float[2] q) "
     "{ n = Abs(x) q = Exp(n) }> }"),
    # ---- names that another branch has too, and the second result of an equal node
    (17, "If", "(bool c, bool d, float[2] x) => (float[2] y) { y = If(c) <then_branch = t () => (float[2] a) "
     "{ p = Neg(x) i = Identity(p) a = If(d) <then_branch = u () => (float[2] k) "
     "{ k = Exp(i) }, else_branch = v () => (float[2] l) { l = Abs(i) }> }, else_branch = e () => (float[2] b) "
     "{ p = Abs(x) b = Exp(p) }> }"),
    (17, "Split If", "(bool c, float[4] x) => (float[2] y) { a, b = Split(x) f, g = Split(x) "
     "y = If(c) <then_branch = t () => (float[2] k) { k = Add(g, b) }, else_branch = e () => (float[2] l) "
     "{ l = Sub(g, a) }> }"),
    # ---- a transpose and a reshape that together are no reorder
    (17, "Transpose Shape Reshape", "(float[T,U] x) => (float[P,Q] y) "
     "{ t = Transpose(x) s = Shape(x) y = Reshape(t, s) }"),
    (17, "Transpose Shape Reshape Shape Reshape", "(float[V,W] x) => (float[P,Q] y) "
     "{ t = Transpose(x) s = Shape(x) r = Reshape(t, s) u = Shape(t) y = Reshape(r, u) }"),
    (17, "Reshape", "(int64[2,3] x) => (int64[1,6] y) <int64[1,1] k = {6}> "
     "{ c = CastLike(x, k) y = Flatten<axis = 0>(c) }"),
    # ---- lists of int32
    (17, "Slice", S + "(float[2,1,4] y) <int32[1] b = {1}, int32[1] e = {3}, int64[1] c = {0}, int64[1] d = {1}, "
     "int32[1] a = {1}, int64[1] a2 = {1}> { s = Slice(x, b, e, a) y = Slice(s, c, d, a2) }"),
    (17, "Gather", S + "(float[3,4] y) <int32[1] b = {1}, int32[1] e = {2}, int32[1] a = {0}, int64[1] ax = {0}> "
     "{ g = Slice(x, b, e, a) y = Squeeze(g, ax) }"),
    (17, "Split Sum", "(float[6,2] x) => (float[2,2] y) <int32[1] z = {0}, int32[1] o = {2}, int32[1] t = {4}, "
     "int32[1] u = {6}> { a = Slice(x, z, o, z) b = Slice(x, o, t, z) c = Slice(x, t, u, z) y = Sum(a, b, c) }"),
    # ---- as many slices as a list may have entries, and one more
    slices(16, "Split Sum"),
    slices(17, "Slice " * 17 + "Sum"),
    # ---- operands without effect
    (17, "Neg", "(bfloat16[2] x) => (bfloat16[2] y) <bfloat16 k = {16256}> { z = Mul(x, k) y = Neg(z) }"),
    (17, "Concat", "(float[2,A] x) => (float[2,B] y) <float[2,0] w = {}> { y = Concat<axis = -1>(x, w, x) }"),
    (17, "Add Transpose", S + "(float[2,3,4] y, float[4,2,3] z) "
     "{ t = Transpose<perm = [2, 0, 1]>(x) z = Add(t, t) y = Transpose<perm = [1, 2, 0]>(z) }"),
    (17, "If Exp", "(bool c, float[2] x) => (float[2] y) <bool k = {1}> "
     "{ z = If(k) <then_branch = t () => (float[2] r) <float[2] q = {1, 2}> "
     "{ r = If(c) <then_branch = u () => (float[2] d) <float[2] h = {3, 4}> "
     "{ p = Add(x, q) d = Add(p, h) }, else_branch = v () => (float[2] e) "
     "{ e = Abs(x) }> }, else_branch = w () => (float[2] b) { b = Abs(x) }> y = Exp(z) }"),
    (17, "Identity Neg", "(float[2] x) => (float[2] y, float[2] u) <bool k = {1}> "
     "{ y, z = If(k) <then_branch = t () => (float[2] a, float[2] n) "
     "{ a = Identity(x) n = Identity(x) }, else_branch = e () => (float[2] b, float[2] m) "
     "{ b, m = Split(x) }> u = Neg(z) }"),
]


def sizes(left, constants, nodes):
    """Returns a row of numbers that are known when the model is read: none of `nodes` is left."""
    nodes = f"{{ {nodes} y = Add(x, c) }}"
    return 17, " ".join([*left.split(), "Add"]), f"(int64[2] x) => (int64[2] y) <{constants}> {nodes}"


def open_sizes(left, nodes, rows=None):
    """A row of numbers that are computed from a = A and b = B, two sizes of the same input; `rows` is a value of A."""
    constants = "int64 z = {0}, int64 one = {1}, int64 eight = {8}, int64 ten = {10}, int64[1] axis = {0}"
    given = "s = Shape(x) a = Gather(s, z) b = Gather(s, one)"
    graph = f"(float[A{rows or ''},B] x) => (float[K] y) <{constants}> {{ {given} {nodes} "
    fed = [{"x": np.zeros([rows, 2])}] if rows else []
    return 17, left, graph + "u = Unsqueeze(c, axis) y = ConstantOfShape(u) }", *fed


PQ = "int64[2] p = {7, -7}, int64[2] q = {2, 3}, int64[1] m = {-1}, int64 n = {-3}, int64[2] z = {0, 4}"
FG = "float[2] f = {7, -7}, float[2] g = {2, 3}, float h = {3}"
TF = "bool[2] t = {1, 0}, bool[2] u = {0, 0}, int64[2] p = {7, -7}, int64[2] q = {7, 3}"
ROWS += [
    sizes("", PQ, "c = Div(p, q)"),
    sizes("", PQ, "c = Div(p, m)"),
    sizes("", PQ, "c = Mod(p, q)"),
    sizes("", PQ, "c = Mod<fmod = 1>(p, q)"),
    sizes("", PQ, "c = Mod(p, n)"),
    sizes("", PQ, "c = Mod<fmod = 1>(p, n)"),
    sizes("", PQ, "c = Mod(p, m)"),
    sizes("", PQ, "c = Min(p, q, z)"),
    sizes("", PQ, "c = Max(p, q)"),
    sizes("", PQ, "c = Neg(p)"),
    sizes("", PQ, "c = Abs(p)"),
    sizes("", FG, "d = Div(f, g) c = Cast<to = 7>(d)"),
    sizes("", FG, "d = Mul(f, g) c = Cast<to = 7>(d)"),
    sizes("", FG, "d = Floor(f) e = Ceil(d) i = Round(e) c = Cast<to = 7>(i)"),
    sizes("", TF, "d = And(t, u) c = Cast<to = 7>(d)"),
    sizes("", TF, "d = Or(t, u) c = Cast<to = 7>(d)"),
    sizes("", TF, "d = Not(t) c = Cast<to = 7>(d)"),
    sizes("", TF, "d = Equal(p, q) c = Where(d, p, q)"),
    sizes("", TF, "d = Less(p, q) c = Where(d, p, q)"),
    sizes("", TF, "d = Greater(p, q) c = Where(d, p, q)"),
    sizes("", TF, "d = LessOrEqual(p, q) c = Where(d, p, q)"),
    sizes("", TF, "d = GreaterOrEqual(p, q) c = Where(d, p, q)"),
    sizes("", TF, "d = Cast<to = 9>(p) c = Cast<to = 7>(d)"),
    sizes("", TF, "d = Cast<to = 11>(p) e = Cast<to = 6>(d) i = Cast<to = 5>(e) c = Cast<to = 7>(i)"),
    sizes("Cast Cast", TF, "d = Cast<to = 2>(p) c = Cast<to = 7>(d)"),
    sizes("", "int64 a = {2}, int64 b = {6}, int64 s = {2}", "c = Range(a, b, s)"),
    sizes("", "int64 a = {2}, int64 b = {-2}, int64 s = {-2}", "c = Range(a, b, s)"),
    sizes("", "float a = {2}, float b = {4}, float s = {1}", "r = Range(a, b, s) c = Cast<to = 7>(r)"),
    sizes("", "int64 a = {2}, int64 b = {1}, int64 s = {1}", "r = Range(a, b, s) c = ReduceSum(r)"),
    sizes("", "int64[2,2] a = {1, 2, 3, 4}, int64[1] k = {0}", "e = EyeLike(a) d = Gather(e, k) c = Squeeze(d)"),
    sizes("", "int64[2,2] a = {1, 2, 3, 4}", "e = EyeLike<dtype = 9, k = 1>(a) i = Cast<to = 7>(e) "
     "c = ReduceSum<keepdims = 0>(i)"),
    sizes("", "int64[2] a = {5, 3}", "c = ReduceProd(a)"),
    sizes("", "int64[2] a = {5, 3}", "c = ReduceMax<keepdims = 0>(a)"),
    sizes("", "int64[2] a = {5, 3}, int64[1] k = {0}", "c = ReduceSum(a, k)"),
    sizes("", "int64[2] a = {5, 3}", "c = ReduceSum<noop_with_empty_axes = 1>(a)"),
    sizes("ReduceSum", "int64[2,2] a = {5, 3, 2, 1}, int64[1] k = {0}", "c = ReduceSum<keepdims = 0>(a, k)"),
    sizes("", "int64[0] a = {}", "c = ReduceProd(a)"),
    sizes("", "int64[1] a = {2}", "d = ConstantOfShape<value: tensor = int64[1] {5}>(a) c = Neg(d)"),
    sizes("", "int64[2,3] a = {5, 3, 1, 2, 3, 4}", "s = Shape<start = -9, end = 9>(a) c = Mul(s, s)"),
    sizes("", "int64[2,3] a = {5, 3, 1, 2, 3, 4}", "s = Size(a) c = Neg(s)"),
    sizes("", "int64[2] a = {5, 3}, int64[2] k = {1, 0}", "s = Pad(a, k) c = ReduceSum(s)"),
    sizes("", PQ, "c = Min(p, q, z, p)"),
    sizes("ReduceMax", "int64[2,2] a = {5, 3, 2, 1}", "c = ReduceMax<axes = [0], keepdims = 0>(a)"),
    sizes("", "int64[2] a = {5, 3}", "c = ReduceSum(a, )"),
    sizes("", "int64[2] a = {5, 3}, int64[1] k = {0}", "c = ReduceSum<noop_with_empty_axes = 1>(a, k)"),
    sizes("", "float[2] a = {16777216, -16777216}, float f = {4}", "d = Mul(a, f) c = Cast<to = 7>(d)"),
    sizes("", "double[2] a = {281474976710656, -281474976710656}, double f = {4}", "d = Mul(a, f) "
     "c = Cast<to = 7>(d)"),
    sizes("EyeLike Cast ReduceSum", "int64[2,2] a = {1, 2, 3, 4}", "e = EyeLike<dtype = 10>(a) "
     "i = Cast<to = 7>(e) c = ReduceSum<keepdims = 0>(i)"),
    sizes("", "float[2,2] a = {1.5, 2, 3, 4}", "e = EyeLike(a) i = Cast<to = 7>(e) c = ReduceSum<keepdims = 0>(i)"),
    sizes("ConstantOfShape Size", "int64[17] a = {" + ", ".join("1" * 17) + "}", "e = ConstantOfShape(a) c = Size(e)"),
    open_sizes("Gather Gather Div Unsqueeze ConstantOfShape", "c = Div(eight, a)"),
    open_sizes("Mod Unsqueeze ConstantOfShape", "c = Mod(eight, a)"),
    open_sizes("Max Unsqueeze ConstantOfShape", "c = Max(a, b)"),
    open_sizes("Unsqueeze ConstantOfShape", "d = Add(a, one) c = Min(a, d)"),
    open_sizes("ConstantOfShape", "d = Add(a, one) c = Min(d, a)"),
    open_sizes("Less Where Unsqueeze ConstantOfShape", "d = Less(eight, a) c = Where(d, eight, a)"),
    open_sizes("ConstantOfShape", "e = Sub(eight, ten) d = Less(a, e) c = Where(d, eight, a)"),
    # a divides in a row above, so it is not 0
    open_sizes("ConstantOfShape", "d = Cast<to = 9>(a) c = Where(d, eight, a)"),
    open_sizes("Sub Cast Where Unsqueeze ConstantOfShape", "e = Sub(b, a) d = Cast<to = 9>(e) c = Where(d, eight, a)"),
    open_sizes("Sub Abs Unsqueeze ConstantOfShape", "d = Sub(a, b) c = Abs(d)"),
    open_sizes("ConstantOfShape", "c = Abs(a)"),
    sizes("Cast Cast", "int64[2] a = {-16777217, 16777217}", "d = Cast<to = 1>(a) c = Cast<to = 7>(d)"),
    sizes("", "int64[2] a = {-16777216, 16777216}", "d = Cast<to = 1>(a) c = Cast<to = 7>(d)"),
    sizes("Cast Cast", "int64[1] a = {-281474976710657}", "d = Cast<to = 11>(a) c = Cast<to = 7>(d)"),
    sizes("Add ReduceMax", f"int64[1200,1] a = {zeros(1200)}, int64[1,1200] b = {zeros(1200)}",
          "d = Add(a, b) c = ReduceMax<keepdims = 0>(d)"),
    sizes("Concat ReduceSum", "int64[1] a = {3}", f"d = Concat<axis = 0>({', '.join(['a'] * 513)}) c = ReduceSum(d)"),
    sizes("", "int64[1] a = {3}", f"d = Concat<axis = 0>({', '.join(['a'] * 512)}) c = ReduceSum(d)"),
    sizes("", PQ + ", int64[2] i = {1, 0}", "c = GatherElements(p, i)"),
    # ---- Casts that wrap, and floats that are rounded: a size may not fit 8 or 16 bits
    open_sizes("Shape Gather Cast Cast Unsqueeze ConstantOfShape", "d = Cast<to = 2>(a) c = Cast<to = 7>(d)", 300),
    open_sizes("Cast Cast Unsqueeze ConstantOfShape", "d = Cast<to = 3>(a) c = Cast<to = 7>(d)", 300),
    open_sizes("Shape Gather Cast Cast Unsqueeze ConstantOfShape", "d = Cast<to = 4>(a) c = Cast<to = 7>(d)", 65537),
    open_sizes("Cast Cast Unsqueeze ConstantOfShape", "d = Cast<to = 5>(a) c = Cast<to = 7>(d)", 65537),
    open_sizes("Unsqueeze ConstantOfShape", "d = Cast<to = 6>(a) c = Cast<to = 7>(d)", 65537),
    # ---- unsigned numbers wrap below 0
    open_sizes("Shape Gather Cast Sub Cast Add Equal Where Unsqueeze ConstantOfShape", "three = Constant<value_int = 3>() "
               "d = Cast<to = 12>(a) t = Cast<to = 12>(three) e = Sub(d, t) n = Cast<to = 7>(e) q = Add(n, three) "
               "r = Equal(q, a) c = Where(r, eight, ten)", 1),
    open_sizes("Shape Gather Cast Sub Cast Cast Add Cast Equal Where Unsqueeze ConstantOfShape", "four = Constant<value_int = 4>() "
               "d = Cast<to = 13>(a) t = Cast<to = 13>(four) e = Sub(d, t) n = Cast<to = 1>(e) f = Cast<to = 1>(four) "
               "q = Add(n, f) p = Cast<to = 7>(q) r = Equal(p, a) c = Where(r, eight, ten)", 2),
    open_sizes("Shape ConstantOfShape", "d = Cast<to = 12>(a) t = Cast<to = 12>(one) e = Add(d, t) s2 = Sub(e, t) "
               "c = Cast<to = 7>(s2)", 4),
    sizes("Range Cast ReduceMax", "float a = {16777215}, float b = {16777218}, float s = {1}",
          "r = Range(a, b, s) i = Cast<to = 7>(r) c = ReduceMax(i)"),
]
ODD = [
    (17, "ReduceSum Squeeze", S + "(float[3,4] y) <int64 k = {5}, int64[1] a = {0}> "
     "{ m = ReduceSum(x, a, a) y = Squeeze(m, a) }"),
    (17, "RandomUniform Squeeze", "() => (float[3] y) { r = RandomUniform<shape = [1, 3]>() y = Squeeze(r) }"),
    (17, "ReduceSum Squeeze", S + "(float[1,4] y) <int64[2] a = {0, 1}, int64[2] b = {0, 0}> "
     "{ m = ReduceSum(x, a) y = Squeeze(m, b) }"),
    (17, "ReduceMax Unsqueeze", S + "(float[A,B,C] y) <int64[1] a = {0}> "
     "{ m = ReduceMax<axes = [7], keepdims = 0>(x) y = Unsqueeze(m, a) }"),
    (17, "Slice Gather", "(float[9,2] x) => (float[2] y) <int64 i = {99}, int64[1] b = {-1}, int64[1] e = {-99}, "
     "int64[1] a = {0}, int64[1] m = {-1}> { s = Slice(x, b, e, a, m) y = Gather(s, i) }"),
    (17, "Slice Gather", "(float[9,2] x) => (float[2] y) <int64 i = {-99}, int64[1] b = {-1}, int64[1] e = {-99}, "
     "int64[1] a = {0}, int64[1] m = {-1}> { s = Slice(x, b, e, a, m) y = Gather(s, i) }"),
    (17, "Slice Gather", "(float[9,2] x) => (float[2] y) <int64 i = {1}, int64[1] e = {9}, int64[1] a = {0}> "
     "{ s = Slice(x, a, e, a, a) y = Gather(s, i) }"),
    (17, "Slice Gather Gather", "(float[9,2] x) => (float[2] y, float[2] z) <int64 i = {1}, int64[1] b = {-1}, "
     "int64[1] e = {-99}, int64[1] a = {0}, int64[1] m = {-1}> "
     "{ s = Slice(x, b, e, a, m) y = Gather(s, i) z = Gather<axis = 9>(s, i) }"),
    (17, "Slice Squeeze", "(float[9,2] x) => (float[2] y) <int64[1] h = {9223372036854775807}, int64[1] a = {0}> "
     "{ s = Slice(x, h, a, a) y = Squeeze(s, a) }"),
    (17, "Transpose Concat Transpose", S + "(float[A,B,C] y) { t = Transpose<perm = [2, 0, 1]>(x) "
     "c = Concat<axis = 9>(t, t) y = Transpose<perm = [1, 2, 0]>(c) }"),
    (17, "Transpose Neg", S + "(float[A,B,C] y) { t = Transpose<perm = [1, 0]>(x) y = Neg(t) }"),
    (17, "Div Add", "(int64[1] x) => (int64[1] y) <int64[1] p = {-9223372036854775808}, int64[1] m = {-1}> "
     "{ c = Div(p, m) y = Add(x, c) }"),
    (17, "Mod Add", "(int64[1] x) => (int64[1] y) <int64[1] p = {-9223372036854775808}, int64[1] m = {-1}> "
     "{ c = Mod(p, m) y = Add(x, c) }"),
    (17, "Neg Add", "(int64[1] x) => (int64[1] y) <int64[1] p = {-9223372036854775808}> { c = Neg(p) y = Add(x, c) }"),
    (17, "Div Add", "(int64[1] x) => (int64[1] y) <int64[1] p = {5}, int64[1] z = {0}> "
     "{ c = Div(p, z) y = Add(x, c) }"),
    (17, "Range Add", "(int64[1] x) => (int64[1] y) <int64 p = {-9223372036854775808}, int64 q = {5}, "
     "int64 o = {1}> { c = Range(p, q, o) y = Add(x, c) }"),
    (17, "Range Add", "(int64[1] x) => (int64[1] y) <int64 p = {0}, int64 q = {-9223372036854775808}, "
     "int64 o = {-1}> { c = Range(p, q, o) y = Add(x, c) }"),
    (17, "Add Neg", "() => (float[2] y) <float[2] w = {1, 2}, float[3] v = {1, 2, 3}> { a = Add(w, v) y = Neg(a) }"),
    (17, "ConstantOfShape Neg", "() => (float[A,B] y) <int64[2] n = {1099511627776, 1099511627776}> "
     "{ a = ConstantOfShape(n) y = Neg(a) }"),
    (17, "ConstantOfShape Size", "() => (int64 y) <int64[1] n = {3}> "
     "{ a = ConstantOfShape<value: tensor = string[1] {\"a\"}>(n) y = Size(a) }"),
    (17, "ReduceMax Add", "(int64[1] x) => (int64[1] y) <int64[0] a = {}> { c = ReduceMax(a) y = Add(x, c) }"),
    (17, "If Neg", "(float[2] x) => (float[2] y) <float k = {1}> { z = If(k) <then_branch = t () => (float[2] a) "
     "{ a = Neg(x) }, else_branch = e () => (float[2] b) { b = Abs(x) }> y = Neg(z) }"),
    (17, "If Neg", "(float[2] x) => (float[2] y) <bool[0] k = {}> { z = If(k) <then_branch = t () => (float[2] a) "
     "{ a = Neg(x) }, else_branch = e () => (float[2] b) { b = Abs(x) }> y = Neg(z) }"),
    (17, "If Neg", "(float[2] x) => (float[2] y) <bool k = {1}> { z = If(k) <else_branch = e () => (float[2] b) "
     "{ b = Abs(x) }> y = Neg(z) }"),
    (17, "If Neg", "(float[2] x) => (float[2] y) <bool k = {1}> "
     "{ z = If(k) <then_branch = t (float[2] i) => (float[2] a) { a = Neg(x) }, else_branch = e () => (float[2] b) "
     "{ b = Abs(x) }> y = Neg(z) }"),
    (17, "If Neg", "(float[2] x) => (float[2] y) <bool k = {1}> { z, w = If(k) <then_branch = t () => (float[2] a) "
     "{ a = Neg(x) }, else_branch = e () => (float[2] b) { b = Abs(x) }> y = Neg(z) }"),
]


def targets(opset, left, nodes):
    """A row of Reshapes to targets that are computed from a = [A], b = [B] and ab = [A*B] of float[A,B,4] x."""
    constants = "int64[1] z = {0}, int64[1] one = {1}, int64[1] m = {-1}, int64[1] four = {4}, int64[3] e = {-1, 2, 2}"
    given = "s = Shape(x) a = Gather(s, z) b = Gather(s, one) ab = Mul(a, b)"
    return opset, left, f"(float[A,B,4] x) => (float[P,Q,R] y) <{constants}> {{ {given} {nodes} y = Neg(last) }}"


BRANCHES = "<then_branch = t () => (float[2,2] a) { %s }, else_branch = e () => (float[2,2] b) { b = Abs(x) }>"
W = "<float[2,2] w = {1, 2, 3, 4}>"
ROWS += [
    # ---- Reshapes whose entries may be 0, and then copy
    targets(15, "Shape Reshape Reshape Neg", "t = Concat<axis = 0>(one, ab, four) r = Reshape(x, t) last = Reshape(r, s)"),
    targets(15, "Reshape Neg", "t = Concat<axis = 0>(ab, four) r = Reshape(x, t) last = Reshape(r, e)"),
    targets(15, "Reshape Reshape Neg", "t = Concat<axis = 0>(ab, four) r = Reshape(x, t) last = Reshape(r, s)"),
    targets(16, "Shape Shape Mul Concat Transpose Reshape Neg", "t = Concat<axis = 0>(ab, ab, m) r = Transpose(x) "
            "last = Reshape(r, t)"),
    (17, "Shape Concat Neg Transpose Reshape Neg", "(float[P,Q] x) => (float[K,L,M] y) <int64[1] z = {0}, int64[1] m = {-1}, "
     "int64[3] e = {0, -1, 1}> { s = Shape(x) a = Gather(s, z) t = Concat<axis = 0>(a, m) r = Reshape(x, t) "
     "n = Neg(r) u = Transpose(n) v = Reshape(u, e) y = Neg(v) }"),
    (17, "Concat Transpose Reshape Neg Reshape Neg", "(float[P,Q] x) => (float[K,L,M] y, float[G,H] w) "
     "<int64[1] z = {0}, int64[1] m = {-1}, int64[3] e = {0, -1, 1}> { c = Concat<axis = 0>(x, x) u = Transpose(c) "
     "v = Reshape(u, e) y = Neg(v) s = Shape(x) a = Gather(s, z) t = Concat<axis = 0>(a, m) r = Reshape(c, t) "
     "w = Neg(r) }"),
    (17, "Transpose Reshape", "(float[A,B] x) => (float[C,3] y) <int64[2] a = {-1, 3}> "
     "{ t = Transpose(x) y = Reshape(t, a) }", {"x": np.zeros([3, 2])}),
    # ---- Dropout: its mask, and inputs that are no target of a Reshape
    (17, "Dropout Neg", S + "(float[2,3,4] y, bool[2,3,4] m) { d, m = Dropout(x) y = Neg(d) }"),
    (17, "Dropout Neg Not", S + "(float[2,3,4] y, bool[2,3,4] n) { d, m = Dropout(x) y = Neg(d) n = Not(m) }"),
    (17, "Neg", S + "(float[2,3,4] y) { d, m = Dropout(x) y = Neg(d) }"),
    (17, "Reshape", S + "(float[4,6] y) <int64[2] a = {6, 4}, int64[2] b = {4, 6}> "
     "{ t = Reshape(x, a) d, = Dropout(t) y = Reshape(d, b) }"),
    (17, "Reshape", S + "(float[4,6] y) <int64[2] a = {6, 4}, int64[2] b = {4, 6}> "
     "{ t = Reshape(x, a) d = Dropout(t, ) y = Reshape(d, b) }"),
    (17, "Reshape", S + "(float[4,6] y) <int64[2] a = {6, 4}, int64[2] b = {4, -1}, bool f = {0}> "
     "{ t = Reshape(x, a) d = Dropout(t, , f) y = Reshape(d, b) }"),
    (17, "Reshape", S + "(float[4,6] y) <int64[2] a = {6, 4}, int64[2] b = {4, -1}, float r = {0.5}> "
     "{ t = Reshape(x, a) d = Dropout(t, r) y = Reshape(d, b) }"),
    (17, "Reshape", S + "(float[4,6] y) <int64[2] a = {6, 4}, int64[2] b = {4, -1}, float[2] r = {0.5, 1}> "
     "{ t = Reshape(x, a) d = CastLike(t, r) y = Reshape(d, b) }"),
    (17, "Reshape", S + "(float[4,6] y) <int64[2] a = {6, 4}, int64[2] b = {4, -1}, int64 r = {1}> "
     "{ t = Reshape(x, a) i = CastLike(t, t) d = Identity(i) y = Reshape(d, b) }"),
    (17, "Reshape Reshape", "(float[2,3,4] x, float[2,3,4] w) => (float[4,6] y, float[4,6] v) <int64[2] a = {6, 4}, "
     "int64[2] b = {4, -1}> { t = Reshape(x, a) y = Reshape(t, b) u = Reshape(w, a) v = Reshape(u, b) }"),
    # ---- constants that are attributes, and a rank above the language's
    (17, "Add", "(int64[2] x) => (int64[2] y) { c = Constant<value_ints = [1, 2]>() y = Add(x, c) }"),
    (17, "Reshape", S + "(float[4,6] y) { a = Constant<value: tensor = int64[2] {6, 4}>() "
     "b = Constant<value: tensor = int64[2] {4, 6}>() t = Reshape(x, a) y = Reshape(t, b) }"),
    (17, "Add", "(float[1,3] x) => (float[2,3] y) <float[2,3] z = {0, 0, 0, 0, 0, 0}> { y = Add(x, z) }"),
    (17, "Reshape", S + "(float[4,6] y) { a = Constant<value_ints = [6, 4]>() b = Constant<value_ints = [4, 6]>() "
     "t = Reshape(x, a) y = Reshape(t, b) }"),
    (17, "Neg", f"(float[{','.join('1' * 17)}] x) => (float[{','.join('ABCDEFGHIJKLMNOPQ')}] y) "
     "{ i = Identity(x) y = Neg(i) }"),
    # ---- bodies: omitted inputs, weights, values of the outermost graph
    (17, "If", f"(bool c, float[2,2] x) => (float[2,2] y) <float m = {{1}}> "
     f"{{ y = If(c) {BRANCHES % 'a = Clip(x, , m)'} }}"),
    (17, "Identity If", f"(bool c, float[2,2] x) => (float[2,2] y) {W} "
     f"{{ v = Identity(w) y = If(c) {BRANCHES % 'a = MatMul(x, v)'} }}"),
    (17, "If", f"(bool c, float[2,2] x) => (float[2,2] y) {W} "
     f"{{ v = Identity(w) y = If(c) {BRANCHES % 'a = Add(x, v)'} }}"),
    (17, "If", "(bool c, float[2,2] x, float[2,2] w) => (float[2,2] y) "
     f"{{ v = Identity(w) y = If(c) {BRANCHES % 'a = MatMul(x, v)'} }}"),
    (17, "If", "(bool c, float[2,2] x) => (float[2,2] y) { v = Identity(x) y = If(c) "
     + BRANCHES % "m = Neg(v) a = If(c) <then_branch = u () => (float[2,2] d) { d = Add(m, v) }, "
     "else_branch = f () => (float[2,2] g) { g = Abs(v) }>" + " }"),
    (17, "If", "(bool c, float[2,2] x) => (float[2,2] y) { v = Identity(x) y = If(c) "
     + BRANCHES % "a = If(c) <then_branch = u () => (float[2,2] d) { d = Neg(v) }, "
     "else_branch = f () => (float[2,2] g) { g = Abs(x) }>" + " }"),
]
ODD += [
    # ---- operators of another domain that have names of ONNX's, and inputs and outputs that may not be left out
    (17, "Add Neg", "(float[2] x) => (float[2] y) <float z = {0}> { a = com.example.Add(x, z) y = Neg(a) }"),
    (17, "Identity Neg", "(float[2] x) => (float[2] y) { a = com.example.Identity(x) y = Neg(a) }"),
    (17, "Concat Neg", "(float[2] x) => (float[2] y) <float[0] z = {}> "
     "{ a = com.example.Concat<axis = 0>(x, z) y = Neg(a) }"),
    (17, "Add Neg", "(float[2] x) => (float[2] y) { a = Add(x, ) y = Neg(a) }"),
    (17, "Add Neg", "(float[2] x) => (float[2] y) { a = Add(, x) y = Neg(a) }"),
    (17, "Neg", "(float[2] x) => (float[2] y) { i = Identity(x) y, = Neg(i) }"),
    (17, "TopK Add", "(float[4] x) => (int64[2] y) <int64[1] k = {2}> { , i = TopK(x, k) , j = TopK(x, k) y = Add(i, j) }"),
    (17, "Dropout Not", S + "(bool[2,3,4] n) { , m = Dropout(x) n = Not(m) }"),
    (17, "Neg Exp", "(float[2] x) => (float[2] y) <bool k = {1}> { , y = If(k) <then_branch = t () => (float[2] a, float[2] b) "
     "{ a = Neg(x) b = Exp(a) }, else_branch = e () => (float[2] c, float[2] d) { c = Abs(x) d = Abs(c) }> }"),
    (17, "Neg", "(float[] x) => (float[] y) { i = Identity(x) y = Neg(i) }"),
    (6, "Dropout Neg", S + "(float[2,3,4] y) { d = Dropout(x) y = Neg(d) }"),  # may be in training
    # ---- numbers of nodes that are not ONNX's, or have no result
    (17, "Mod Add", "(int64[1] x) => (int64[1] y) <int64[1] p = {5}, int64[1] z = {0}> { c = Mod(p, z) y = Add(x, c) }"),
    (17, "Abs Add", "(int64[1] x) => (int64[1] y) <int64[1] p = {-9223372036854775808}> { c = Abs(p) y = Add(x, c) }"),
    (17, "Add Add", "(int64[1] x) => (int64[1] y) <int64[1] p = {5}> { c = Add(p) y = Add(x, c) }"),
    (17, "Add Add", "(int64[1] x) => (int64[1] y) <int64[1] p = {5}> { c = Add(p, , p) y = Add(x, c) }"),
    (17, "Sum Add", "(int64[1] x) => (int64[1] y) <int64[1] p = {5}> { c = Sum(p, , p) y = Add(x, c) }"),
    (17, "Concat Add", "(int64[2] x) => (int64[2] y) <int64[1] p = {5}> { c = Concat<axis = 0>(p, , p) y = Add(x, c) }"),
    (17, "Range Add", "(int64[1] x) => (int64[1] y) <int64 p = {5}> { c = Range(p, p) y = Add(x, c) }"),
    (17, "Range Add", "(int64[1] x) => (int64[1] y) <int64 p = {5}, int64[2] q = {6, 7}> "
     "{ c = Range(p, q, p) y = Add(x, c) }"),
    (17, "Shape Shape And Where ConstantOfShape", "(float[A,B] x) => (float[K] y) <int64[1] z = {0}, int64[1] o = {1}> "
     "{ s = Shape(x) a = Gather(s, z) b = Gather(s, o) d = And(a, b) c = Where(d, o, z) y = ConstantOfShape(c) }"),
    (17, "Shape Or Where ConstantOfShape", "(float[C,D] x) => (float[K] y) <int64[1] z = {0}, int64[1] o = {1}, "
     "bool[1] t = {1}> { s = Shape(x) a = Gather(s, z) d = Or(t, a) c = Where(d, o, z) y = ConstantOfShape(c) }"),
    (5, "Cast Add", "(int64[1] x) => (int64[1] y) <int64[1] p = {5}> { c = Cast<to = \"INT32\">(p) y = Add(x, c) }"),
    (21, "Cast Cast Add", "(int64[1] x) => (int64[1] y) <int64[1] p = {5}> "
     "{ d = Cast<to = 22>(p) c = Cast<to = 7>(d) y = Add(x, c) }"),
    (26, "BitCast Add", "(int64[1] x) => (int64[1] y) <uint64[1] p = {5}> { c = BitCast<to = 7>(p) y = Add(x, c) }"),
    # ---- conditions of no elements, and lists that are too long or of other types
    (17, "If", "(float[2] x) => (float[2] y) <bool[0] k = {}> { y = If(k) <then_branch = t () => (float[2] a) "
     "{ a = Neg(x) }, else_branch = e () => (float[2] b) { b = Abs(x) }> }"),
    (17, "If", "(float[2] x) => (float[2] y) <int64 k = {1}> { y = If(k) <then_branch = t () => (float[2] a) "
     "{ a = Neg(x) }, else_branch = e () => (float[2] b) { b = Abs(x) }> }"),
    (17, "Transpose Transpose", S + "(float[2,3,4] y) "
     "{ t = Transpose<perm = [-1, 0, 1]>(x) y = Transpose<perm = [1, 2, 0]>(t) }"),
    (17, "Slice Slice", S + "(float[2,1,4] y) <float[1] b = {1}, float[1] e = {3}, int64[1] c = {0}, "
     "int64[1] d = {1}, int64[1] a = {1}> { s = Slice(x, b, e, a) y = Slice(s, c, d, a) }"),
    (17, "Slice Slice", S + "(float[2,1,4] y) <int64[1] b = {1}, int64[1] e = {3}, float[1] a = {1}, "
     "int64[1] c = {0}> { s = Slice(x, b, e, a) y = Slice(s, c, b, c) }"),
    (17, "Neg", "(float[2] x) => (float[2] y) { d, = Dropout(x) y = Neg(d) }"),
    (17, "Cast Add", "(int64[1] x) => (int64[1] y) { c = Cast<to = 4294967303>(x) y = Add(x, c) }"),
    (17, "ConstantOfShape Add", "(float[2] x) => (float[2] y) <int64[1] n = {2}> "
     "{ c, d = ConstantOfShape(n) y = Add(x, c) }"),
    (17, "Gather Gather Add", "(float[3,2] x) => (float[2] y) <int64 a = {-4}, int64 b = {1}> "
     "{ s = Gather(x, a) t = Gather(x, b) y = Add(s, t) }"),
    (17, "RandomNormal LSTM", "(float[2,3,3] x) => (float[2,1,3,2] y) "
     f"<float[1,8,3] w = {zeros(24)}, float[1,8,2] r = {zeros(16)}> "
     "{ z = RandomNormal<shape = [1, 3, 2]>() y = LSTM<hidden_size = 2>(x, w, r, , , z, z) }"),
    (17, "Slice Slice", S + "(float[2,1,4] y) <int64[1] b = {1}, int64[1] e = {3}, int64[2] a = {1, 2}, "
     "int64[1] c = {0}> { s = Slice(x, b, e, a) y = Slice(s, c, b, c) }"),
    (17, "Slice Slice", S + "(float[2,1,4] y) <int64[1] b = {1}, int64[1] e = {3}, int64[1] a = {1}, "
     "int64[1] c = {0}, int64[2] t = {1, 1}> { s = Slice(x, b, e, a, t) y = Slice(s, c, b, c) }"),
    (17, "Slice Slice", S + "(float[2,1,4] y) <int64[1] b = {1}, int64[1] e = {3}, int64[1] a = {1}, "
     "int64[1] c = {0}, float[1] t = {1}> { s = Slice(x, b, e, a, t) y = Slice(s, c, b, c) }"),
    # ---- before opset 7, `axis` names the axis at which the second operand begins
    (6, "Add Add", "(int64[2,2] x) => (int64[2,2] y) <int64[2,2] a = {1, 2, 3, 4}, int64[2] b = {10, 20}> "
     "{ c = Add<broadcast = 1, axis = 0>(a, b) y = Add(x, c) }"),
    (6, "Add", "(int64[2,2] x) => (int64[2,2] y) <int64[2,2] a = {1, 2, 3, 4}, int64[2] b = {10, 20}> "
     "{ c = Add<broadcast = 1>(a, b) y = Add(x, c) }"),
]


def add_prefix(graph, prefix):
    """Adds a prefix to all names of values, also in bodies; b__unused is a name that `optimize` would make of b."""
    for node in graph.node:
        for names in node.input, node.output:
            names[:] = [name and prefix + name.replace("__", "/") for name in names]
        for attribute in node.attribute:
            for body in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                add_prefix(body, prefix)
    for kind in "input", "output", "initializer", "value_info":
        for value in getattr(graph, kind):
            value.name = prefix + value.name.replace("__", "/")
    return graph


def merged(rows):
    """Returns the model of all rows, and the values of inputs that cannot be random."""
    graph, fed = None, {}
    for number, row in enumerate(rows):
        prefix = f"r{number}_"
        one = add_prefix(parser.parse_graph("g " + row[2]), prefix)
        fed |= {prefix + name: np.array(value) for name, value in (row[3].items() if len(row) > 3 else ())}
        if graph is None:
            graph = one
            continue
        for kind in ("node", "input", "output", "initializer", "value_info"):
            getattr(graph, kind).extend(getattr(one, kind))
    version = 3 if rows[0][0] < 9 else 8
    if version < 4:
        graph.input.extend(helper.make_tensor_value_info(t.name, t.data_type, t.dims) for t in graph.initializer)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", rows[0][0])], ir_version=version), fed


def results(model, fed):
    random = np.random.default_rng(7)
    given = {t.name for t in model.graph.initializer}
    feed = {}
    for value in model.graph.input:
        tensor = value.type.tensor_type
        dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        made = random.integers(0, 3, [d.dim_value if d.HasField("dim_value") else 2 for d in tensor.shape.dim])
        feed[value.name] = fed.get(value.name, made).astype(dtype)
    return ReferenceEvaluator(model).run(None, {n: v for n, v in feed.items() if n not in given})


def check(reshapec, work, name, rows, is_evaluated):
    model, fed = merged(rows)
    path, made_path = (os.path.join(work, f"{name}{kind}.onnx") for kind in ("", "-made"))
    onnx.save(model, path)
    subprocess.run([reshapec, "optimize", path, "-o", made_path], check=True, stdout=subprocess.DEVNULL)
    made, wrong = onnx.load(made_path), 0
    for number, row in enumerate(rows):
        prefix = f"r{number}_"
        left = " ".join(n.op_type for n in made.graph.node if any(o.startswith(prefix) for o in n.output))
        if left != row[1]:
            print(f"{name}: {row[2]}\n  left: {left}\n  expected: {row[1]}")
            wrong += 1
    if is_evaluated:
        onnx.checker.check_model(made, full_check=True)
        for value, a, b in zip(model.graph.output, results(model, fed), results(made, fed)):
            if a.dtype != b.dtype or a.shape != b.shape or a.tobytes() != b.tobytes():
                print(f"{name}: {rows[int(value.name[1:].split('_')[0])][2]}\n  {value.name} is {b}, not {a}")
                wrong += 1
    return wrong


def main(reshapec, work):
    os.makedirs(work, exist_ok=True)
    wrong = 0
    for rows, is_evaluated in (ROWS, True), (ODD, False):
        for opset in sorted({row[0] for row in rows}):
            some = [row for row in rows if row[0] == opset]
            wrong += check(reshapec, work, f"{'rows' if is_evaluated else 'odd'}{opset}", some, is_evaluated)
    path = os.path.join(work, "pieces.onnx")
    with open(path, "wb") as file:  # ONNX joins the pieces of a graph; the second is empty
        file.write(merged(ROWS[:1])[0].SerializeToString() + b"\x3a\x00")
    command = [reshapec, "optimize", path, "-o", path + ".made"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 1 or "its graph is written in several pieces" not in done.stderr:
        print("pieces:", done.stderr)
        wrong += 1
    print(f"{len(ROWS) + len(ODD)} rows, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
