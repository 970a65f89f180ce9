# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Arithmetic of a tensor and a constant that is refused.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s --implicit-check-not=error:
graph two(x: f32[2], y: f32[2]) -> z {
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: '+' takes a tensor and a constant; arithmetic between two tensors is not supported{{$}}
    z = x + y
}
graph pipe(x: f32[2]) -> z {
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: '|' takes a tensor and a constant; arithmetic between two tensors is not supported; did you mean '|>'?
    z = x | flatten()
}
graph fraction(x: u8[2]) -> z {
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: 0.5 is not an integer, but the tensor is u8; cast it to a float type first
    z = x*0.5
}
graph large(x: u8[2]) -> z {
    # CHECK: [[FILE]]:[[#@LINE+1]]:13: error: 256 does not fit u8
    z = x + 256
}
graph zero(x: i32[2]) -> (y, z) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: an integer cannot be divided by 0
    y = x/0
    # CHECK: [[FILE]]:[[#@LINE+1]]:13: error: an integer cannot be divided by 0
    z = x % 0
}
graph back(x: i32[2]) -> z {
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: '<<' cannot shift by -1 bits
    z = x << -1
}
graph types(x: u4[2], s: string[2], f: f32[2], b: bool[2]) -> (y, z, v, w) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: '+' does not take element type u4; it takes f16, bf16, f32, f64 and integers of 8 to 64 bits
    y = x + 1
    # CHECK: [[FILE]]:[[#@LINE+1]]:13: error: 'neg' does not take element type string
    z = neg(s)
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: '&' does not take element type f32; it takes bool and integers of 8 to 64 bits
    v = f & 1
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: '-' does not take element type bool
    w = b - true
}
graph floors(x: i32[2]) -> (y, z) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:10: error: '//' is for sizes; '/' divides a tensor, and rounds integers toward zero (a comment begins with '#')
    y = x//2
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: '%' takes the constant on its right: a number % a tensor is not supported
    z = 7 % x
}
graph open(x: i32[N]) -> z {
    # CHECK: [[FILE]]:[[#@LINE+1]]:13: error: an element must be a number; N is known only at run time
    z = x + N
}
graph sizes(x: i32[N]) -> z {
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: '<<' is for tensors; sizes are computed with + - * / // and %
    z = reshape(x, [1 << 2, -1])
}
