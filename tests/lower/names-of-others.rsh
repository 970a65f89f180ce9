# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Names from other systems: each message says what to write instead.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s -DFILE=%s --implicit-check-not=error:

graph operators(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:10: error: no operator or graph is called 'cat'; write 'concat(x, y, axis=0)'
    _a = cat(x, x, axis=0)
    # CHECK: [[FILE]]:[[#@LINE+1]]:10: error: no operator or graph is called 'torch.permute'; write 'transpose(x, [1, 0])'
    _b = torch.permute(x, [1, 0])
    # CHECK: [[FILE]]:[[#@LINE+1]]:10: error: no operator or graph is called 'np.transpose'; did you mean 'transpose'?
    _c = np.transpose(x)
    # CHECK: [[FILE]]:[[#@LINE+1]]:10: error: no operator or graph is called 'DepthToSpace'; did you mean 'depth_to_space'?
    _d = DepthToSpace(x, 2)
    # CHECK: [[FILE]]:[[#@LINE+1]]:10: error: no operator or graph is called 'pixel_shuffle'; write 'depth_to_space(x, 2, mode="CRD")'
    _e = pixel_shuffle(x, 2)
    # CHECK: [[FILE]]:[[#@LINE+1]]:10: error: no operator or graph is called 'matmul'; operators that combine elements are out of scope
    _f = matmul(x, x)
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: no operator or graph is called 'expand_dims'; write 'unsqueeze(x, [0])'
    y = expand_dims(x, 0)
}
graph methods(x: f32[B, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:10: error: 'x' is a tensor, which has no methods; write 'reshape(x, ...)'
    _a = x.reshape([3, -1])
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'x' is a tensor, which has no methods; write 'cast(x, f16)'
    y = x.astype(f16)
}
# CHECK: [[FILE]]:[[#@LINE+1]]:16: error: unknown element type 'float32'; did you mean 'f32'?
graph types(x: float32[2], a: uint8_t[2], b: int[2], c: bfloat16[2], d: F32[2], e: double[2], f: word[2]) -> y {
    # CHECK: error: unknown element type 'uint8_t'; did you mean 'u8'?
    # CHECK: error: unknown element type 'int'; did you mean 'i32'?
    # CHECK: error: unknown element type 'bfloat16'; did you mean 'bf16'?
    # CHECK: error: unknown element type 'F32'; did you mean 'f32'?
    # CHECK: error: unknown element type 'double'; did you mean 'f64'?
    # CHECK: error: unknown element type 'word'; examples are f32, f16, u8, i64, bool
    y = x
}
graph arguments(x: f32[2, 3], u: u8[4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: 'reshape' takes one list of integers; write reshape(x, [3, 2])
    _a = reshape(x, 3, 2)
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: 'transpose' takes one list of integers; write transpose(x, [1, 0])
    _b = transpose(x, 1, 0)
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: 'perm' [-1, 0] must list each axis from 0 to 1 once; write 1 for -1
    _c = transpose(x, [-1, 0])
    # CHECK: [[FILE]]:[[#@LINE+1]]:19: error: axis 3 is outside rank 2 of 'x' (f32[2, 3]); allowed: -2 to 1; for 3 parts write parts=3
    _d = split(x, 3)
    # CHECK: [[FILE]]:[[#@LINE+1]]:12: error: a subscript is an integer or a range; write gather(x, [0, 1]) for a list
    _e = x[[0, 1]]
    # CHECK: [[FILE]]:[[#@LINE+1]]:18: error: 'dtype' takes an element type such as f16, without quotes; write f16
    _f = cast(x, "f16")
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: an entry of 'pads' is an integer; this is a tuple; pads are all begins, then all ends
    _pads = pad(x, [(1, 1), (0, 0)])
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: 'pads' has length 1; 4 is needed: all begins, then all ends
    _g = pad(x, 1)
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: no size is called 'C'; sizes are named in the types of inputs
    _h = reshape(x, [C, 3])
    # CHECK: [[FILE]]:[[#@LINE+1]]:12: error: 255.0 is not an integer, but the tensor is u8; cast it to a float type first: cast(x, f32)
    _i = u/255.0
    # CHECK: [[FILE]]:[[#@LINE+1]]:10: error: 'concat' needs the argument 'axis'; an example: y = concat(a, b, axis=1)
    _j = concat(x, x)
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: 'x' (f32[2, 3]) has 6 elements, target [4, 2] has 8; [-1, 2] makes it [3, 2]
    _k = reshape(x, [4, 2])
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: 'x' (f32[2, 3]) has 6 elements, target [4, 4] has 16{{$}}
    _l = reshape(x, [4, 4])
    # CHECK: [[FILE]]:[[#@LINE+1]]:18: error: 'repeats' has length 1; 2 is needed; the last axis only: [1, 2]
    _m = tile(x, 2)
    # CHECK: [[FILE]]:[[#@LINE+1]]:12: error: index 5 is outside axis 0 of 'x' (f32[2, 3]), of size 2; allowed: -2 to 1
    _n = x[5]
    y = x
}
