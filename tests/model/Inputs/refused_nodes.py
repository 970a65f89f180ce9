# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks models of a few nodes, and the message of `reshapec check` for each: refused_nodes.py RESHAPEC FOLDER.

A row has inputs, constants, nodes, and a part of the message; "" if the model is good. The opset is 18, unless a row
begins with another.
"""

import os
import subprocess
import sys

import numpy as np
from onnx import numpy_helper, parser, save

X = "float[2,3,4] x"
LATER = "is not known when the model is compiled"
SEQUENCE = "s = SequenceConstruct(x, x)"
ONES = ",".join("1" * 15)
ROWS = [
    # Sequences
    (X, "", "y = SequenceAt()", "input 0 of 'SequenceAt' is not a sequence of tensors"),
    (X, "int64 k = {0}", "y = SequenceAt(x, k)", "input 0 of 'SequenceAt' is not a sequence of tensors"),
    (X, "int64 k = {0}", "y = SequenceErase(x, k)", "input 0 of 'SequenceErase' is not a sequence of tensors"),
    (X, "", "y = SequenceLength(x)", "input 0 of 'SequenceLength' is not a sequence of tensors"),
    (X, "", "y = SequenceInsert(x, x)", "input 0 of 'SequenceInsert' is not a sequence of tensors"),
    (X, "", "y = ConcatFromSequence <axis = 0> (x)", "input 0 of 'ConcatFromSequence' is not a sequence of tensors"),
    (X, "", f"{SEQUENCE} t = SequenceConstruct(s) y = SequenceAt(t)", "input 0 is not a tensor"),
    (X, "", f"{SEQUENCE} t = SequenceInsert(s, s)", "input 1 is not a tensor"),
    (X, "", f"{SEQUENCE} t = SequenceInsert(s)", "input 1 is not a tensor"),
    (X, "", f"{SEQUENCE} y = SequenceAt(s)", "input 1 is left out"),
    (X, "int64 k = {7}", f"{SEQUENCE} t = SequenceInsert(s, x, k)", "position 7 of a sequence of 2"),
    (X, "int64 k = {-3}", f"{SEQUENCE} y = SequenceAt(s, k)", "position -3 of a sequence of 2"),
    (X, "int64[2] k = {0, 1}", f"{SEQUENCE} y = SequenceAt(s, k)", f"input 1 'k' {LATER}"),
    ("float[N,3] x", "int64 zero = {0}", f"{SEQUENCE} n = Shape(x) k = Gather(n, zero) y = SequenceAt(s, k)", f"input 1 'k' {LATER}"),
    (X, "int64 k = {0}, float[2] w = {1, 2}", "s = SequenceConstruct(w, w) y = SequenceAt(s, k)", ""),
    ("float[2,3] x, int64 k", "int64 zero = {0}", "s = SplitToSequence(x, k) y = SequenceAt(s, zero)", f"input 1 'k' {LATER}"),
    (X, "int64[0] k = {}, int64 zero = {0}", "s = SplitToSequence(x, k) y = SequenceAt(s, zero)", "there are no parts"),
    (X, "int64[1,1] k = {1}, int64 zero = {0}", "s = SplitToSequence(x, k) y = SequenceAt(s, zero)", "input 1 'k' has rank 2; it is a scalar or a vector"),
    ("float[N,3] x", "int64 zero = {0}", "s = SplitToSequence(x) y = SequenceAt(s, zero)", "the number of parts is not known when the model is compiled"),
    ("float[0,3] x", "int64 zero = {0}", "s = SplitToSequence(x) y = SequenceAt(s, zero)", "0 in parts of 1; from 1 to 4096 parts are supported"),
    ("float[5000,3] x", "int64 zero = {0}", "s = SplitToSequence(x) y = SequenceAt(s, zero)", "5000 in parts of 1; from 1 to 4096 parts are supported"),
    (X, "", "s = SplitToSequence <axis = 3> (x)", "'axis' is 3; the rank of input 0 'x' is 3"),
    (X, "", "s = SplitToSequence <axis = -4> (x)", "'axis' is -4; the rank of input 0 'x' is 3"),
    (X, "int64[2] k = {1, 2}, int64 zero = {0}", "s = SplitToSequence(x, k) y = SequenceAt(s, zero)", "'split' [1, 2] add up to 3, but the axis of 'x' (f32[2, 3, 4]) has size 2"),
    (X, "int64 zero = {0}", "s = SplitToSequence <keepdims = 0> (x, ) y = SequenceAt(s, zero)", ""),
    (X, "", f"{SEQUENCE} y = ConcatFromSequence(s)", "'ConcatFromSequence' needs 'axis'"),
    (X, "", f"{SEQUENCE} y = ConcatFromSequence <axis = 3> (s)", "axis 3 is outside rank 3 of 'x' (f32[2, 3, 4])"),
    ("float[N,3] x, float[1] v", "", "n = Shape(x) s = SequenceConstruct(n, n) t = ConcatFromSequence <axis = 1> (s) y = Expand(v, t)",
     "'axis' is 1; the rank of the result is 1"),
    ("float[N,3] x, float[1] v", "", "n = Shape(x) s = SequenceConstruct(n, n) t = ConcatFromSequence <axis = -1> (s) y = Expand(v, t)", ""),
    # Pads by data
    ("float[2,3] x, float v, int64[4] p", "", "y = Pad(x, p, v)", "input 1 'p' must be known when the model is compiled if the value is data"),
    ("float[2,3] x, int64 v", "int64[4] p = {0, 0, 1, 0}", "y = Pad(x, p, v)", "input 2 'v' is i64; it must be one element of type f32"),
    ("float[2,3] x, float[2] v", "int64[4] p = {0, 0, 1, 0}", "y = Pad(x, p, v)", "input 2 'v' is f32[2]; it must be one element of type f32"),
    ("float[2,3] x, float v", "int64[3] p = {0, 0, 1}", "y = Pad(x, p, v)", "input 1 'p' has 3 entries for 2 axes"),
    ("float[2,3] x, float v", "int64[4] p = {0, 0, 1, 0}, int64[2] a = {0, -2}", "y = Pad(x, p, v, a)", "input 3 'a' must name axes of rank 2, each once"),
    ("float[N,3] x, float v", "int64[4] k = {2, 0, 0, 0}, int64[1] z = {0}", "n = Shape(x) s = Sub(n, n) w = Gather(n, z) u = Concat <axis = 0> (w, z, z, z) p = Sub(u, k) y = Pad(x, p, v)", ""),
    # Shapes
    (13, "float[2,3] x, float[1] v", "", "n = Shape <start = 1> (x) y = Expand(v, n)", "'Shape' of opset 13 has no attribute 'start'"),
    (14, "float[2,3] x, float[1] v", "", "n = Shape <end = 1> (x) y = Expand(v, n)", "'Shape' of opset 14 has no attribute 'end'"),
    (15, "float[2,3] x, float[1] v", "", "n = Shape <start = 1, end = 2> (x) y = Expand(v, n)", ""),
    ("float[2,3] x, float[1] v", "", "n = Shape <axis = 1> (x) y = Expand(v, n)", "'Shape' of opset 18 has no attribute 'axis'"),
    # Element-wise operators
    ("float[2,3] x", "float a = {1}, float b = {2}", "y = Max(x, a, b)", "'Max' of 3 inputs is not supported: a tensor and a constant are"),
    ("float[2,3] x", "float a = {1}", "y = Min(x, a)", ""),
    ("float[2,3] x", "float a = {1}", "y = Div(a, x)", ""),
    # Numbers that a size may exceed
    ("float[N] x, float[1] v", "", "s = Shape(x) d = Cast <to = 2> (s) t = Cast <to = 7> (d) y = Expand(v, t)", "node 1 (Cast): 's' is computed from sizes known only at run time"),
    ("float[N] x, float[1] v", "", "s = Shape(x) d = Cast <to = 6> (s) t = Cast <to = 7> (d) y = Expand(v, t)", ""),
    ("float[N] x, float[1] v", "uint32[1] k = {3}", "s = Shape(x) d = Cast <to = 12> (s) e = Sub(d, k) t = Cast <to = 7> (e) y = Expand(v, t)", "node 2 (Sub): 'Sub' of [N], [3] depends on sizes known only at run time"),
    (13, "float[N] x, float[1] v", "", "s = Shape(x) c = Clip <max = 3.0> (s) y = Expand(v, c)", "'Clip' of opset 13 takes 'max' as an input, not as an attribute"),
    # Attributes of a call, outside of functions
    (X, "", "y = Transpose <perm: ints = @order> (x)", "attribute 'perm' refers to attribute 'order' of a call, but the node is not in a function"),
    (X, "bool k = {1}", "y = If(k) <then_branch = t () => (float[4,3,2] a) { a = Transpose <perm: ints = @order> (x) }, "
     "else_branch = e () => (float[4,3,2] b) { b = Transpose(x) }>", "attribute 'perm' refers to attribute 'order' of a call"),
    # Constants
    (X, "int64[1] n = {2}", "y = ConstantOfShape <value: tensor = float[2] {1, 2}> (n)", "attribute 'value' must be one element"),
    (X, "int64[1] n = {2}", 'y = ConstantOfShape <value: tensor = string[1] {"a"}> (n)', "attribute 'value': constants of type string are not supported"),
    (X, "int64[1] n = {-2}", "y = ConstantOfShape(n)", "size -2 in 'shape'; the least allowed is 0"),
    (X, "int64[1] n = {2}", "a, y = ConstantOfShape(n)", "2 outputs; 'ConstantOfShape' has 1"),
    ("int64[1] n", "", "y = ConstantOfShape()", "0 inputs; 'ConstantOfShape' has 1"),
    ("int64[1] n", "", "y = ConstantOfShape(n, n)", "2 inputs; 'ConstantOfShape' has 1"),
    # 2 ** 58 elements of 64 bits: the number of bits wraps to 0, which is what the file has.
    ("double[2] x", "double[288230376151711744] w = {}", "y = Concat <axis = 0> (x, w)", "f64[288230376151711744] needs 288230376151711744 elements but has 0 bytes of data"),
    (X, "", "y = Constant()", "only constants that are a tensor of numbers are supported"),
    (X, "", 'y = Constant <value_string = "a"> ()', "only constants that are a tensor of numbers are supported"),
    (X, "", 'y = Constant <value_string = "a"> ()', "only constants that are a tensor of numbers are supported"),
    (X, "", "a, y = Constant <value_int = 3> ()", "2 outputs; 'Constant' has 1"),
    (X, "", "c = Constant <value_float = 1.5> () y = Add(x, c)", ""),
    ("float[2] x", "", "c = Constant <value_floats = [1.5, 2.0]> () y = Add(x, c)", ""),
    # Operators that pick
    ("float[2,3] x, float u", "bool[2,1] m = {1, 0}", "y = Where(m, x, u)", ""),
    ("float[2,3] x", "bool m = {1}", "y = Where(m, x)", "input 2 is left out"),
    ("float[2,3] x", "bool[1,1] m = {1}", "y = Where(m, x, x)", ""),
    ("float[2000000] x", "bool[1] k = {1}", "y = Compress(x, k)", ""),
    ("float[2,1000000] x", "bool[2,1] m = {1, 0}", "y = Where(m, x, x)", ""),
    ("float[3] x", "int64[2] k = {1, 1}", "y = Trilu(x, k)", "input 0 'x' has rank 1; 'Trilu' needs 2 at least"),
    ("float[3,4] x", "int64[2] k = {1, 1}", "y = Trilu(x, k)", "input 1 'k' must be one number"),
    ("float[3,4] x, int64 k", "", "y = Trilu(x, k)", f"input 1 'k' {LATER}"),
    ("float[3,1048576] x", "", "y = Trilu(x)", "'Trilu' picks more than 1048576 elements of input 0 'x'"),
    ("float[3,4] x", "bool[1,2] k = {1, 1}", "y = Compress(x, k)", "input 1 'k' must be a vector"),
    ("float[3,4] x", "bool[2] k = {1, 1}", "y = Compress <axis = 2> (x, k)", "'axis' is 2; the rank of input 0 'x' is 2"),
    ("float[3,4] x", "bool[2] k = {1, 1}", "y = Compress <axis = 0> (x)", "'Compress' does more than move elements"),
    ("float[3] x, float[1] u", "int64[1,1] i = {2}", 'y = ScatterND <reduction = "none"> (x, i, u)', ""),
    ("float[3] x, float[1] u", "int64[1,1] i = {2}", 'y = ScatterND <reduction = "mean"> (x, i, u)', "'ScatterND' with 'reduction' set does more than move elements"),
    ("float[3] x, float[1] u", "int64[1,2] i = {2, 0}", "y = ScatterND(x, i, u)", "tuples of 2 indices into input 0 'x', which has rank 1"),
    ("float[3] x, float[1] u", "int64 i = {2}", "y = ScatterND(x, i, u)", "input 1 'i' has rank 0; its last axis lists indices"),
    ("float[3] x, float[1,2] u", "int64[1,1] i = {2}", "y = ScatterND(x, i, u)", "input 2 'u' has rank 2; 1 is needed"),
    ("float[3,4] x, float[1,5] u", "int64[1,1] i = {2}", "y = ScatterND(x, i, u)", "size 1 of input 2 'u' is 5, but size 1 of input 0 'x' is 4"),
    ("float[3,4,5] x, float[2,1,4,6] u", "int64[2,1,1] i = {2, 0}", "y = ScatterND(x, i, u)", "size 3 of input 2 'u' is 6, but size 2 of input 0 'x' is 5"),
    ("float[3,N] x, float[1,N] u", "int64[1,1] i = {2}", "y = ScatterND(x, i, u)", ""),
    ("float[3] x, float[2] u", "int64[1,1] i = {2}", "y = ScatterND(x, i, u)", "size 0 of input 2 'u' is not that of input 1 'i'"),
    ("float[3] x, float[1] u", "int64[1] i = {-4}", "y = ScatterElements(x, i, u)", "input 1 'i' has index -4; axis 0 of input 0 'x' has size 3"),
    ("float[3] x, float[1] u", "int64[1] i = {0}", "y = ScatterElements <axis = 1> (x, i, u)", "'axis' is 1; the rank of input 0 'x' is 1"),
    ("float[3] x, float[2] u", "int64[1] i = {0}", "y = ScatterElements(x, i, u)", "the sizes of input 0 'x', input 1 'i' and input 2 'u' do not fit"),
    ("float[3,2] x, float[1,3] u", "int64[1,3] i = {0, 0, 0}", "y = ScatterElements(x, i, u)", "the sizes of input 0 'x', input 1 'i' and input 2 'u' do not fit"),
    (24, "float[2,3,4] x, float[2,1,5] u", "int64[2] i = {0, 1}", "y = TensorScatter(x, u, i)", "size 2 of input 1 'u' is 5, but size 2 of input 0 'x' is 4"),
    (24, "float[2,3,4] x, float[2,1,4] u", "int64[2] i = {0, 3}", "y = TensorScatter(x, u, i)", "input 2 'i' has index 3; axis 1 of input 0 'x' has size 3"),
    (24, "float[2,3,4] x, float[2,1,4] u", "int64[2] i = {0, -1}", "y = TensorScatter(x, u, i)", "input 2 'i' has index -1; axis 1 of input 0 'x' has size 3"),
    (24, "float[2,3,4] x, float[2,1,4] u", "int64[2] i = {0, 2}", 'y = TensorScatter <mode = "linear__"> (x, u, i)', ""),
    (24, "float[2,0,4] x, float[2,0,4] u", "int64[2] i = {0, 0}", "y = TensorScatter(x, u, i)", ""),
    (24, "float[2,3,4] x, float[2,1] u", "", "y = TensorScatter(x, u)", "'axis' is not an axis after the first of input 0 'x' and input 1 'u'"),
    (24, "float[2,3,4] x, float[3,3,4] u", "int64[2] i = {0, 0}", "y = TensorScatter(x, u, i)", "the sizes of input 0 'x' and input 1 'u' do not fit"),
    ("float[2] v", "int64[2] i = {0, 1}, int64[2] d = {3, 3}", "y = OneHot(i, d, v)", "input 1 'd' must be one number, not below 0"),
    ("float[2] v", "int64[2] i = {0, 1}, int64 d = {3}", "y = OneHot <axis = 2> (i, d, v)", "'axis' is 2; the rank of input 0 'i' is 1"),
    ("float[2] v", f"int64[{','.join('1' * 16)}] i = {{0}}, int64 d = {{3}}", "y = OneHot(i, d, v)", "'axis' is -1; the rank of input 0 'i' is 16"),
    ("float[2] v, int64 d", "int64[2] i = {0, 1}", "y = OneHot(i, d, v)", f"input 1 'd' {LATER}"),
    ("float[1,2,2] x", "int64[1] i = {2}, int64[1] b = {1}", "y = Col2Im <pads = [0, 1048577]> (x, i, b)", "the sizes, strides, dilations and pads of axis 0 do not fit"),
    ("float[1,2,2] x", "int64[1] i = {2}, int64[1] b = {1}", "y = Col2Im <pads = [0, -1]> (x, i, b)", "the sizes, strides, dilations and pads of axis 0 do not fit"),
    ("float[1,2,3] x", "int64[1] i = {2}, int64[1] b = {1}", "y = Col2Im <pads = [0, 1]> (x, i, b)", ""),
    ("float[1,2,2] x", "int64[0] i = {}, int64[0] b = {}", "y = Col2Im(x, i, b)", "input 0 'x' must have rank 3, and input 1 'i' and input 2 'b' the same length"),
    ("float[1,3,2] x", "int64[1] i = {4}, int64[1] b = {2}", "y = Col2Im <strides = [2]> (x, i, b)", "input 0 'x' must have [N, C*2, 2] elements"),
    ("float[2,3] x", "", 'y = Einsum <equation = "a#->a#"> (x)', "equation 'a#->a#' does not fit input 0 'x', which has rank 2"),
    ("float[2,3] x", "", 'y = Einsum <equation = "Ab->bA"> (x)', ""),
    ("float[2,3] x", "", 'y = Einsum <equation = "a~->a"> (x)', "equation 'a~->a' does not fit input 0 'x', which has rank 2"),
    ("float[2,3] x", "", 'y = Einsum <equation = "aa->a"> (x)', "axes 0 and 1 of input 0 'x' differ in size"),
    ("float[2,3] x", "", 'y = Einsum <equation = "ab->ac"> (x)', "'Einsum' with equation 'ab->ac' adds elements"),
    ("float[2,3] x", "", 'y = Einsum <equation = "ab,ab->ab"> (x, x)', "'Einsum' of several tensors does more than move elements"),
    # Attributes and inputs of nodes that move
    (3, X, "", "y = Concat(x, x)", ""),
    (X, "", "y = Transpose <perm = 1> (x)", "attribute 'perm' must be a list of integers"),
    (X, "", 'y = Transpose <perm = "a"> (x)', "attribute 'perm' must be a list of integers"),
    (X, "", "y = Pad <mode = 1> (x)", "attribute 'mode' must be a string"),
    (X, "", 'y = Concat <axis = "a"> (x)', "attribute 'axis' must be an integer"),
    (10, X, "", "y = Pad <pads = [0,0,0,0,0,0], value = 1> (x)", "attribute 'value' must be a number"),
    (10, "uint8[2] x", "", "y = Pad <pads = [0,1], value = 300.0> (x)", "attribute 'value' is 300, which does not fit u8"),
    (10, "uint8[2] x", "", "y = Pad <pads = [0,1], value = 1e20> (x)", "attribute 'value' is 1e+20, which does not fit u8"),
    (1, "float[2] x", "", "y = Pad <paddings = [0,1], value = 1.5> (x)", ""),
    (X, "", "y = Transpose <target = [0]> (x)", "'Transpose' of opset 18 has no attribute 'target'"),
    ("float[2] x, float w", "int64[2] p = {0, 1}", "y = Pad(x, p, w)", ""),
    ("uint8[2] x", "int64[2] p = {0, 1}, int64 w = {300}", "y = Pad(x, p, w)", "input 2 'w' is i64; it must be one element of type u8"),
    ("float[2,3] x, float[2,3] u", "", 'y = Identity <to = 7> (x)', "'Identity' of opset 18 has no attribute 'to'"),
    (6, "float[2,3] x", "", "y = Cast <to = 7.5> (x)", "attribute 'to' must be an integer"),
    (13, "float[2,3] x", "int64[1] k = {1}", "y = Squeeze <axes = [0]> (x, k)", "takes 'axes' as an input, not as an attribute"),
    (12, "float[2,3] x", "bool t = {1}, float r = {0.5}", "y = Dropout(x, r, t)", "'Dropout' with training_mode is not supported"),
    (12, "float[2,3] x", "bool t = {0}, float r = {0.5}", "y = Dropout(x, r, t)", ""),
    (12, "float[2,3] x, bool t", "float r = {0.5}", "y = Dropout(x, r, t)", "'Dropout' with training_mode is not supported"),
    (12, "float[2,3] x", "bool[2] t = {0, 0}, float r = {0.5}", "y = Dropout(x, r, t)", "'Dropout' with training_mode is not supported"),
    (15, "float[2,3] x", "", "y = CastLike(x)", "'CastLike' needs the input 'target_type'"),
    (27, "float[2,3] x", "float u = {2}", "y = Mod(x, u)", "'Mod' of f32 needs fmod=1 before opset 28; the model has opset 27"),
    ("int32[2,3] x", "int32[2,1] w = {1, 0}", "y = Div(w, x)", "'Div' of a constant by a tensor is not supported"),
    ("int32[2,3] x", "int32[2,1] w = {1, 0}", "y = Mod(w, x)", "'Mod' of a constant by a tensor is not supported"),
    ("int32[2,3] x", "int32[2,1] w = {1, 0}", "y = Mod <fmod = 1> (w, x)", "'Mod' of a constant by a tensor is not supported"),
    ("uint8[2] x", "uint8[2] w = {1, 2}", 'y = BitShift <direction = "LEFT"> (w, x)', "'BitShift' of a constant by a tensor is not supported"),
    ("uint8[2] x", "uint8[2] w = {1, 2}", 'y = BitShift <direction = "RIGHT"> (w, x)', "'BitShift' of a constant by a tensor is not supported"),
    ("uint8[2] x", "uint8[2] w = {1, 2}", 'y = BitShift <direction = "UP"> (x, w)', "attribute 'direction' is 'UP'; it must be LEFT or RIGHT"),
    ("uint8[2] x", "uint8[2] w = {1, 2}", "y = BitShift(x, w)", "attribute 'direction' is ''; it must be LEFT or RIGHT"),
    ("uint8[2] x", "uint8[2] w = {1, 2}", "y = BitwiseXor(w, x)", ""),
    ("int32[2,3] x", "int32[0] w = {}", "y = Add(x, w)", "has no elements; constants have 1 to"),
    ("float[2,3] x", "", "y = BitCast <to = 7> (x)", "'BitCast' is an operator of opset 26 and later; the model has opset 18"),
    (26, "float[2,3] x", "", "y = BitCast <to = 7> (x)", "'BitCast' does not convert f32 to i64: both must have the same size, and be neither"),
    ("uint8[2,6] x", "float[2,2] s = {1, 2, 3, 4}", "y = DequantizeLinear <block_size = 2> (x, s)", "has no attribute"),
    (21, "uint8[2,6] x", "float[2,2] s = {1, 2, 3, 4}", "y = DequantizeLinear <axis = 1, block_size = 2> (x, s)", "input 1 's' does not have an entry for each block of 2"),
    (21, "uint8[2,6] x", "float[2,3] s = {1, 2, 3, 4, 5, 6}", "y = DequantizeLinear <axis = 1, block_size = 2> (x, s)", ""),
    (21, "uint8[2,6] x", "float[6] s = {1, 2, 3, 4, 5, 6}", "y = DequantizeLinear <axis = 1, block_size = 2> (x, s)", "input 1 's' does not have an entry for each block of 2"),
    (23, "float[2,3] x", "float s = {1}, uint8 z = {1}", "y = QuantizeLinear <precision = 1> (x, s, z)", "'QuantizeLinear' with 'precision' other than 0 is not supported"),
    (23, "float[2,3] x, float s", "", "y = QuantizeLinear(x, s)", "input 1 's' must be known when the model is compiled"),
    ("float[N,3] x", "int64[2] t = {0, 0}", "y = Reshape(x, t)", ""),
    (5, "float[2,3] x", "", 'y = Reshape(x)', "'Reshape' needs a target shape"),
    ("uint8[2] x", "int64[2] p = {0, 1}, int64 a = {150}", "w = Add(a, a) y = Pad(x, p, w)", "input 2 'w' does not fit u8"),
    ("uint8[2] x", "int64[2] a = {150, 1}", "w = Add(a, a) y = Add(x, w)", "input 1 'w' does not fit u8"),
    ("int64[N] x", "int64[2] p = {0, 1}", "w = Size(x) y = Pad(x, p, w)", "input 2 'w' must be known when the model is compiled"),
    ("uint8[2] x", "float[1,1] s = {2}", "y = DequantizeLinear(x, s)", ""),
    (21, "uint8[2,6] x", "float[2,3] s = {1, 2, 3, 4, 5, 6}", "y = DequantizeLinear <axis = 7, block_size = 2> (x, s)", "size 6 of 'x' (u8[2, 6]) does not match the 3 constants along this axis"),
    ("float[N,3] x, int64[1] a", "int64[1] b = {0}, int64[1] e = {2147483647}", "y = Slice(x, b, e, a)", ""),
    (10, "int64[2] x", "", "y = Pad <pads = [0,1], value = 1e17> (x)", ""),
    (26, "float[2,3] x", "", "y = BitCast(x)", "'BitCast' needs 'to'"),
    (21, "float[2] x", "float s = {1}", "y = QuantizeLinear <output_dtype = 99> (x, s)", "the element type of the result is unknown"),
    (21, "float[2] x", "float s = {1}", "y = QuantizeLinear <output_dtype = 0> (x, s)", ""),
    ("float[2] x", "", "y = QuantizeLinear(x)", "QuantizeLinear"),
    ("float[2] x", "int64[2] p = {0, 1}, float[0] w = {}", "y = Pad(x, p, w)", "input 2 'w' is f32[0]; it must be one element of type f32"),
    ("float[2,3] x", "int64[3] w = {1, 2, 3}", "y = Add(x, w)", "input 1 'w' is i64[3]; it must be a constant of type f32"),
    ("float[2] x", 'string w = {"a"}', "y = Add(x, w)", "input 1 'w': constants of type string are not supported"),
    (1, X, "", "y = Reshape <shape = [6, 4], consumed_inputs = [0]> (x)", ""),
    (1, "float[4,2] x", "int64[2] k = {1, 3}", "a, y = Split <axis = 0, split = [1, 3]> (x, k)", "'split' is given twice, as an input and as an attribute"),
    (1, "float[4,2] x", "int64[2] k = {1, 3}", "a, y = Split <axis = 0> (x, k)", ""),
    # Lists are integers.
    ("float[2,3] x", "float[2] k = {3, 2}", "y = Reshape (x, k)", "input 1 'k' is f32[2]; it must be integers"),
    ("float[N,3] x", "double[1] k = {0}", "y = Slice (x, k, k)", "input 1 'k' is f64[1]; it must be integers"),
    ("float[N,3] x", "bool[1] k = {0}", "y = Unsqueeze (x, k)", "input 1 'k' is bool[1]; it must be integers"),
    ("float[N,3] x", "int64[2] k = {0, 3}", "s = Cast <to = 1> (k) y = Reshape (x, s)", "input 1 's' is f32[2]; it must be integers"),
    # Operators that ONNX does not have, and those of newer opsets
    (18, "float[2,3] x", "", "y = Transposee (x)", "'Transposee' is not an operator of ONNX, up to opset 28; did you mean 'Transpose'?"),
    (18, "float[2,3] x", "", "y = Upholster (x)", "'Upholster' is not an operator of ONNX, up to opset 28"),
    (18, "float[2,3] x, float[3] w", "", "y = RMSNormalization (x, w)", "'RMSNormalization' is an operator of opset 23 and later; the model has opset 18"),
    (23, "float[2,3] x, float[3] w", "", "y = RMSNormalization (x, w)", "'RMSNormalization' does more than move elements"),
    # Operators that are gone
    (9, "float[1,2] x", "float[2] k = {1, 2}", 'y = Upsample <mode = "nearest"> (x, k)', ""),
    (10, "float[1,2] x", "float[2] k = {1, 2}", 'y = Upsample <mode = "nearest"> (x, k)', "'Upsample' was removed in opset 10, in favor of 'Resize'; the model has opset 10"),
    (10, "float[3] x, float[1] w", "int64[1] k = {2}", "y = Scatter (x, k, w)", ""),
    (11, "float[3] x, float[1] w", "int64[1] k = {2}", "y = Scatter (x, k, w)", "'Scatter' was removed in opset 11, in favor of 'ScatterElements'; the model has opset 11"),
    # Attributes that an operator does not have
    (5, "float[2,3] x", "", "y = Elu <consumed_inputs = [0]> (x)", ""),
    (6, "float[2,3] x", "", "y = Elu <consumed_inputs = [0]> (x)", "'Elu' of opset 6 has no attribute 'consumed_inputs'"),
    (5, "float[2,3] x", "", "y = Relu <consumed_inputs = [0]> (x)", ""),
    (6, "float[2,3] x", "", "y = Relu <consumed_inputs = [0]> (x)", "'Relu' of opset 6 has no attribute 'consumed_inputs'"),
    (18, "float[2,3] x", "", "y = Transpose <prm = [1, 0]> (x)", "'Transpose' of opset 18 has no attribute 'prm'; did you mean 'perm'?"),
    (13, "float[1,3] x", "", "y = Squeeze <axes = [0]> (x)", "'Squeeze' of opset 13 takes 'axes' as an input, not as an attribute"),
    # Attributes of other types
    (18, "float[2,3] x", "int64[2] k = {2, 2}", "z = ConstantOfShape <value = 3> (k) y = Concat <axis = 1> (x, z)", "attribute 'value' must be a tensor"),
    (18, "float[2,3] x", "", 'y = Trilu <upper = "a"> (x)', "attribute 'upper' must be an integer"),
    (18, "float[2,3] x", "int64[1,1] k = {0}", "y = GatherND <batch_dims = 0.5> (x, k)", "attribute 'batch_dims' must be an integer"),
    (18, "float[2,3] x", "", "y = Transpose <perm = 1> (x)", "attribute 'perm' must be a list of integers"),
    (10, "float[2,3] x", "", "y = Pad <pads = [0, 0, 1, 1], mode = 1> (x)", "attribute 'mode' must be a string"),
    (10, "float[2,3] x", "", "y = Pad <pads = [0, 0, 1, 1], value = 1> (x)", "attribute 'value' must be a number"),
    (5, "float[2,3] x", "", 'y = Cast <to = "INT32"> (x)', ""),
    (6, "float[2,3] x", "", 'y = Cast <to = "INT32"> (x)', "attribute 'to' must be an integer"),
    (18, "float[2,3] x", "float[3,2] w = {1, 2, 3, 4, 5, 6}", "z = Gemm <alpha = 2> (x, w) y = Add (x, z)", "attribute 'alpha' must be a number"),
    # Without sizes, parts are equal. With num_outputs the last may be smaller.
    (13, "float[5,2] x", "", "a, y = Split (x)", "an axis of size 5 of 'x' (f32[5, 2]) cannot be split into 2 equal parts"),
    (18, "float[5,2] x", "", "a, y = Split (x)", "an axis of size 5 of 'x' (f32[5, 2]) cannot be split into 2 equal parts"),
    (18, "float[5,2] x", "", "a, y = Split <num_outputs = 2> (x)", ""),
    (13, "float[4,2] x", "", "a, y = Split (x)", ""),
    # Messages name inputs and attributes of the node, not the arguments of the language. Each part is an output.
    (18, "float[5,2] x", "", "a, b, c, y = Split <num_outputs = 4> (x)", "of which only the last may be smaller; give 'split'"),
    (18, "float[4,2] x", "int64[2] k = {1, 2}", "a, y = Split (x, k)", "'split' [1, 2] add up to 3, but the axis of 'x' (f32[4, 2]) has size 4"),
    (18, "float[4,2] x", "int64[2] k = {1, 3}", "a, y = Split <num_outputs = 2> (x, k)", "'Split' takes 'num_outputs' or 'split', not both"),
    (13, "float[4,2] x", "int64[3] k = {1, 1, 2}", "a, y = Split (x, k)", "'split' has 3 sizes, but the node has 2 outputs"),
    (13, "float[4,2] x", "int64[1] k = {4}", "a, y = Split (x, k)", "'split' has 1 size, but the node has 2 outputs"),
    (18, "float[4,2] x", "", "a, y = Split <num_outputs = 3> (x)", "'num_outputs' is 3, but the node has 2 outputs"),
    ("float[4,6] x", "int64[1] k = {1}", "y = ReverseSequence (x, k)", "'sequence_lens' has length 1; 6 is needed"),
    (2, "int64[2] x", "", "y = Pad <pads = [0,1], value = 9e15> (x)", ""),
    # The end of an axis of open size, by a list of axes that do not fit
    ("float[N,3] x", "int64[2] b = {0, 0}, int64[2] e = {2147483647, 2147483647}, int64[1] a = {0}", "y = Slice(x, b, e, a)", "'axes' has length 1; 2 is needed"),
    ("float[N,3] x", "int64[1] b = {0}, int64[1] e = {2147483647}, int64[1] a = {7}", "y = Slice(x, b, e, a)", "axis 7 is outside rank 2 of 'x' (f32[N, 3])"),
    ("float[N,3] x", "int64[1] b = {0}, int64[1] e = {2147483647}", "s = Shape(x) a = Gather(s, b) y = Slice(x, b, e, a)", "'Slice' depends on how N and 0 compare"),
    ("float[24] x, int64[3] r", "int64[1] b = {0}, int64[1] e = {2147483647}", "t = Reshape(x, r) y = Slice(t, b, e, b)", ""),
    # Operands and results that are left out, or too many
    ("float[2] x", "", "y = Min(x)", ""),
    ("float[2] x", "", "y = Max()", "'Max' needs an input"),
    ("float[2] x", "", "y = Neg()", "'Neg' needs an input"),
    ("float[2] x", "float w = {1}", "y = Add(, w)", "input 0 is left out"),
    ("float[2] x", "float w = {1}", "y = Add(x, )", "'Add' needs 'value'"),
    ("float[2] x", "float w = {1}", "y = Add(x)", "'Add' needs 'value'"),
    ("float[2] x", "float w = {1}", "y = Add(x, w, w)", "3 inputs; 'Add' of opset 18 has at most 2"),
    ("float[2] x", "", "y = Concat <axis = 0> (x, , x)", "input 1 is left out"),
    ("float[2] x", "", "y = Clip(x, , )", ""),
    (X, "", "a, y = Transpose(x)", "2 outputs; 'Transpose' has 1"),
    (X, "", "a, y = Dropout(x)", "output 'y': the mask of 'Dropout' is not supported"),
    (X, "int64 i = {0}", f"{SEQUENCE} a, y = SequenceAt(s, i)", "2 outputs; 'SequenceAt' has 1"),
    (26, "float[2,3] x", "", "y = BitCast <to = 6> (x)", ""),
    (26, "float[2,3] x", "", "y = BitCast <to = 6> ()", "'BitCast' needs an input"),
    # Tuples of indices, and indices of the same rank
    (X, "int64 i = {1}", "y = GatherND(x, i)", "input 1 'i' has rank 0, input 0 'x' has 3; 'GatherND' needs 1"),
    ("float x", "int64[1] i = {0}", "y = GatherElements(x, i)", "input 1 'i' has rank 1, input 0 'x' has 0; 'GatherElements' needs 1"),
    ("float[N,3] x", "int64 i = {0}", "y = GatherElements(x, i)", "input 1 'i' has rank 0, input 0 'x' has 2; 'GatherElements' needs 2"),
    ("float[N,3] x, float[5,3] w", "", "s = Shape(x) y = GatherND(w, s)", "input 1 's' is not known when the model is compiled"),
    ("float[3,3] x", "int64[2] i = {1, 5}", "y = GatherND(x, i)", "input 1 'i' has index 5; axis 1 of input 0 'x' has size 3"),
    ("float[3,3] x", "int64[2] i = {1, -4}", "y = GatherND(x, i)", "input 1 'i' has index -4; axis 1 of input 0 'x' has size 3"),
    # Element types of operands that are numbers
    ("float[N] x, float[3] w", "", "n = Size(x) y = CastLike(w, n)", ""),
    ("float[N] x, float[3] w", "", "n = Size(x) y = Add(w, n)", "'Add' of two tensors does more than move elements"),
    ("int64[2] x", "int64 a = {3}", "y = Min(a, x)", ""),
    ("int64[2] x", "int64 a = {3}", "y = Max(a, x)", ""),
    ("int64[2] x", "int64 a = {3}", "y = Min(x, a, a)", "'Min' of 3 inputs is not supported: a tensor and a constant are"),
    ("float[2,3] x, float[1] w", "", "y = Squeeze(x, w)", "'axes' of 'Squeeze' is a list of integers; this tensor is f32"),
    (26, "float[2,3] x", "", "y = BitCast <to = 8> (x)", "'BitCast' does not convert f32 to string: both must have the same size, and be neither"),
    (26, "complex64[2,3] x", "", "y = BitCast <to = 7> (x)", "'BitCast' does not convert c64 to i64: neither may be complex or string"),
    ("float[2,3] x", "", "y = Softmax(x, x)", "2 inputs; 'Softmax' has 1"),
    ("float[2,3] x", "", "y = Softmax()", "input 0 is left out"),
    (11, "float[A,B,C] x", "", "y = Softmax <axis = 1> (x)", ""),
    (11, "float[24] x, int64[3] r", "", "t = Reshape(x, r) y = Softmax <axis = 1> (t)", "'Softmax' of sizes known only at run time is not supported"),
    # Operators that pick, along axes whose sizes data decides
    ("float[24] x, int64[2] r", "bool[2] m = {1, 0}", "t = Reshape(x, r) y = Where(m, t, x)", "'Where' of sizes known only at run time is not supported"),
    ("float[N] x, int64[1] b", "bool[2,1] m = {1, 0}, int64[1] z = {0}", "t = Slice(x, z, b) y = Where(m, x, t)", "'Where' of sizes known only at run time is not supported"),
    ("float[2,N] x, int64[1] b", "bool[2] m = {1, 0}, int64[1] z = {0}, int64[1] o = {1}", "t = Slice(x, z, b, o) y = Compress(t, m)", ""),
    ("float[2,3] x", "", "y = Einsum(x)", "equation '' does not fit input 0 'x', which has rank 2"),
    ("float[2,3] x", "", 'y = Einsum <equation = "ab->a->b"> (x)', "equation 'ab->a->b' does not fit input 0 'x', which has rank 2"),
    ("float[2,3] x", "", f'y = Einsum <equation = "{"a" * 17}->a"> (x)', "does not fit input 0 'x', which has rank 2"),
    ("float[2,3] x", "", 'y = Einsum <equation = "a..b->ab"> (x)', "equation 'a..b->ab' does not fit input 0 'x', which has rank 2"),
    ("float[2,3] x", "", 'y = Einsum <equation = "A[->A"> (x)', "equation 'A[->A' does not fit input 0 'x', which has rank 2"),
    ("float[1,2,2] x", f"int64[15] i = {{{ONES}}}, int64[15] b = {{{ONES}}}", "y = Col2Im(x, i, b)", "input 0 'x' must have rank 3, and input 1 'i' and input 2 'b' the same length"),
    ("float[1,2,2] x", "int64[2] i = {1048576, 2}, int64[2] b = {1, 1}", "y = Col2Im(x, i, b)", "'Col2Im' picks more than 1048576 elements of input 1 'i'"),
    ("float[1,2,2] x", "int64[2] i = {1048576, 1}, int64[2] b = {1024, 1025}", "y = Col2Im(x, i, b)", "'Col2Im' picks more than 1048576 elements of input 2 'b'"),
    ("float[1,2,1048576] x", "int64[1] i = {1048577}, int64[1] b = {2}", "y = Col2Im(x, i, b)", "the sizes, strides, dilations and pads of axis 0 do not fit"),
    # Sequences
    (X, "int64 i = {0}", "s = SequenceConstruct(, x) y = SequenceAt(s, i)", "input 0 is not a tensor"),
    (X, "int64 i = {0}", f"{SEQUENCE} t = SequenceInsert(s, , i) y = SequenceAt(t, i)", "input 1 is not a tensor"),
    (X, "int64 i = {0}", "t = SequenceInsert(x, x) y = SequenceAt(t, i)", "input 0 of 'SequenceInsert' is not a sequence of tensors"),
    (X, "", f"{SEQUENCE} y = SequenceAt(s, )", "input 1 is left out"),
    (X, "int64 i = {0}", f"{SEQUENCE} y = SequenceAt(s, , i)", "input 1 is left out"),
    (X, "", "y = SequenceAt(x, )", "input 0 of 'SequenceAt' is not a sequence of tensors"),
    (X, "int64 i = {0}, int64[0] n = {}", "s = SplitToSequence(x, n) y = SequenceAt(s, i)", "there are no parts"),
    ("float[N,4] x, float[2,4] w", "int64 i = {0}", "n = Size(x) s = SplitToSequence(w, n) y = SequenceAt(s, i)", "the number of parts is not known when the model is compiled"),
    ("float[24] x, int64[2] r", "int64 i = {0}", "t = Reshape(x, r) s = SplitToSequence(t) y = SequenceAt(s, i)", "the number of parts is not known when the model is compiled"),
    ("float[] x", "int64 i = {0}", "s = SplitToSequence(x) y = SequenceAt(s, i)", "needs to know the rank of input 0 'x'"),
    ("float[8192] x", "int64 i = {0}", "s = SplitToSequence(x) y = SequenceAt(s, i)", "8192 in parts of 1; from 1 to 4096 parts are supported"),
    ("float[8194] x", "int64 i = {0}, int64 two = {2}", "s = SplitToSequence(x, two) y = SequenceAt(s, i)", "8194 in parts of 2; from 1 to 4096 parts are supported"),
    ("float[8192] x", "int64 i = {0}, int64 two = {2}", "s = SplitToSequence(x, two) t = SequenceInsert(s, x) y = SequenceAt(t, i)", "a sequence of 4097 tensors, or too many sequences; at most 4096"),
    # Resize
    ("float[1,1,2,2] x, float[8] r", "float[4] s = {1, 1, 2, 2}", 'y = Resize <mode = "nearest", coordinate_transformation_mode = "tf_crop_and_resize"> (x, r, s)', "'tf_crop_and_resize' needs 'roi', known when the model is compiled"),
    ("float[1,1,2,2] x", "float[4] r = {0, 0, 0, 0}, float[4] s = {1, 1, 2, 2}", 'y = Resize <mode = "nearest", coordinate_transformation_mode = "tf_crop_and_resize"> (x, r, s)', "'tf_crop_and_resize' needs 'roi', known when the model is compiled"),
    ("float[1,1,2,2] x", "double[4] s = {1, 1, 2, 2.5}", 'y = Resize <mode = "nearest"> (x, , s)', "'scales' are not known when the model is compiled"),
    ("float[1,1,2,2] x", "float[4,1] s = {1, 1, 2, 2.5}", 'y = Resize <mode = "nearest"> (x, , s)', "'scales' are not known when the model is compiled"),
    ("float[1,1,2,2] x", "float[17] s = {1, 1, 2, 2.5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}", 'y = Resize <mode = "nearest"> (x, , s)', "'scales' are not known when the model is compiled"),
    ("float[1,1,2,2] x, float[4] s", "", 'y = Resize <mode = "nearest"> (x, , s)', "'scales' are not known when the model is compiled"),
    ("float[1,1,2,2] x", "float[4] s = {1, 1, 2, 2}", 'y = Resize <mode = "nearest", coordinate_transformation_mode = "none"> (x, , s)', "attribute 'coordinate_transformation_mode' is 'none', which is not one of its values"),
    ("float[1,1,2,2] x", "float[4] s = {1, 1, 2, 2}", 'y = Resize <mode = "nearest", nearest_mode = "none"> (x, , s)', "attribute 'nearest_mode' is 'none', which is not one of its values"),
    ("float[1,1,2,2] x", "float[4] s = {1, 1, 2, 2}", 'y = Resize <mode = "nearest", keep_aspect_ratio_policy = "none"> (x, , s)', "attribute 'keep_aspect_ratio_policy' is 'none', which is not one of its values"),
    ("float[1,1,M,2] x", "int64[2] s = {4, 4}", 'y = Resize <mode = "nearest", axes = [2, 3], keep_aspect_ratio_policy = "not_larger"> (x, , , s)', "'keep_aspect_ratio_policy' of sizes that are 0 or not known when the model is compiled is not supported"),
    ("float[1,1,M,2] x, float[K,3] z", "int64[1] c = {3}, int64[1] o = {1}, int64[1] n = {0}", 'h = Shape(z) k = Slice(h, n, o) s = Concat <axis = 0> (c, k) y = Resize <mode = "nearest", axes = [1, 3], keep_aspect_ratio_policy = "not_larger"> (x, , , s)', "'keep_aspect_ratio_policy' of sizes that are 0 or not known when the model is compiled is not supported"),
    ("uint8[1,1,2,2] x", "float[8] r = {0, 0, 0, 0, 1, 1, 2, 2}, float[4] s = {1, 1, 2, 2}", 'y = Resize <mode = "nearest", coordinate_transformation_mode = "tf_crop_and_resize", extrapolation_value = 1e9> (x, r, s)', ""),
    # Numbers that sizes decide
    ("float[N,2] x", "int64 i = {0}, int64 k = {2}", "s = Shape(x) a = Gather(s, i) d = Less(k, a) y = Where(d, a, k)", "'y' is computed from sizes known only at run time, which is not supported for data"),
    ("float[N,2] x", "int64[5] k = {1, 2, 3, 4, 6}", "s = Size(x) d = Less(k, s) f = Cast <to = 1> (k) g = Neg(f) y = Where(d, f, g)", "'y' is computed from sizes known only at run time, which is not supported for data"),
    ("float[N,2] x", "", "s = Shape(x) y = ReduceMax(s)", "'y' is computed from sizes known only at run time, which is not supported for data"),
    ("float[N,2] x", "", "s = Shape(x) y = Sqrt(s)", "'s' is computed from sizes known only at run time, which is not supported for data"),
    ("float[2,3] x, int64[4] p", "int64[1] i = {0}, int64[1] k = {7}", "a = Pad(x, p) s = Shape(a) d = Gather(s, i) r = Mod(k, d) y = Expand(x, r)", "'Mod' of [7], [?] depends on sizes known only at run time"),
    ("float[N,2] x", "int64[1] z = {0}", "s = Shape(x) y0 = Div(s, z) y = Expand(x, y0)", "'Div' of [N, 2], [0] divides sizes by 0: there is no such quotient"),
    ("float[N,2] x", "int64[2] z = {1, 0}", "s = Shape(x) y0 = Mod(s, z) y = Expand(x, y0)", "'Mod' of [N, 2], [1, 0] divides sizes by 0: there is no such quotient"),
    ("float[N,2] x", "int64[1] z = {-4}", "s = Shape(x) y0 = Mod(s, z) y = Expand(x, y0)", "'Mod' of [N, 2], [-4] divides sizes by -4: only numbers above 0 divide sizes known only at run time"),
]  # fmt: skip


def model(opset, inputs, constants, nodes):
    nodes = nodes.replace(") ", ")\n ")
    given = f" <{constants}>" if constants else ""
    head = f'<ir_version: 8, opset_import: ["" : {opset}]>'
    made = parser.parse_model(f"{head} g ({inputs}) => (float y){given} {{ {nodes} }}")
    made.graph.output[0].ClearField("type")
    if "y =" not in nodes:
        made.graph.output[0].name = made.graph.node[-1].output[0]
    return made


def long_models():
    """Constants and lists of one entry more than there may be."""
    for dims in [(1 << 20) + 1], [1 << 10, (1 << 10) + 1]:
        made = model(18, "int8[1] x", "int8 w = {1}", "y = Add(x, w)")
        made.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.ones(dims, "i1"), "w"))
        yield made, "input 1 'w' has more elements; constants have 1 to 1048576"
    made = model(18, "float[1] x", "", "y = Transpose <perm = [0]> (x)")
    made.graph.node[0].attribute[0].ints.extend([0] * (1 << 20))
    yield made, "an attribute has 1048577 entries; at most 1048576"


def main():
    reshapec, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    rows = [row if len(row) == 5 else (18, *row) for row in ROWS]
    models = [model(*parts) for *parts, _ in rows]
    for made, want in long_models():
        models.append(made)
        rows.append(("long", want))
    paths = [os.path.join(folder, f"row{n}.onnx") for n in range(len(rows))]
    for path, made in zip(paths, models):
        save(made, path)
    done = subprocess.run([reshapec, "check", *paths], capture_output=True, text=True, check=False)
    wrong = 0
    for path, (*parts, want) in zip(paths, rows):
        got = [line for line in done.stderr.split("\n") if line.startswith(path + ":")]
        if (want not in got[0] if got else want) or (got and not want):
            print(f"{parts}\n  want {want}\n  got  {got[0] if got else ''}")
            wrong += 1
    print(f"{len(rows)} models, {wrong} wrong")
    sys.exit(done.returncode if done.returncode != 1 else wrong > 0)


main()
