# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A tensor and a constant: signs are operators of the table, with Python's precedence.
# RUN: %{reshapec} --dump=graph %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=PROOF
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s --check-prefix=PROOF
# RUN: %{reshapec} --emit=rsh %s -o %t.rsh && %{reshapec} check %t.rsh
# PROOF: 6 of 6 graphs verified

# CHECK-LABEL: graph signs
# CHECK-NEXT: %0 x: i16[4] = input
# CHECK-NEXT: %1: i16[4] = mul(%0, value=3)
# CHECK-NEXT: %2: i16[4] = add(%1, value=1)
# CHECK-NEXT: %3: i16[4] = shift_left(%2, bits=2)
# CHECK-NEXT: %4: i16[4] = bitwise_and(%3, value=255)
# CHECK-NEXT: %5: i16[4] = bitwise_xor(%4, value=5)
# CHECK-NEXT: %6 a: i16[4] = bitwise_or(%5, value=64)
# CHECK-NEXT: %7: i16[4] = mod(%0, value=7)
# CHECK-NEXT: %8: i16[4] = neg(%7)
# CHECK-NEXT: %9 b: i16[4] = bitwise_not(%8)
# CHECK-NEXT: %10: i16[4] = div(%0, value=-3)
# CHECK-NEXT: %11 c: i16[4] = shift_right(%10, bits=1)
graph signs(x: i16[4]) -> (a, b, c) {
    a = x*3 + 1 << 2 & 255 ^ 5 | 64
    b = ~-(x % 7)
    c = x/-3 >> 1
}

# The constant on the left: commutative operators swap their operands.
# CHECK-LABEL: graph left
# CHECK: add(%0, value=1)
# CHECK: rsub(%{{[0-9]+}}, value=1)
# CHECK: rdiv(%{{[0-9]+}}, value=2.0)
graph left(x: f32[N]) -> y {
    y = 2.0/(1 - (1 + x))
}

# A call and a part of a tensor are tensors; a constant may be an expression.
# CHECK-LABEL: graph operands
# CHECK: mul(%{{[0-9]+}}, value=12)
graph operands(x: f32[N, 4]) -> y {
    y = transpose(x)[1:]*(3*4) |> clip(min=-1.5)
}

# CHECK-LABEL: graph dynamic
graph dynamic(x: u8[*], t: i64[2]) -> y {
    y = cast(x ^ 128, f32)/255.0 |> reshape(t)
}

# CHECK-LABEL: graph one_more
graph one_more(x: u8[N]) -> y {
    y = x + 2
}

# CHECK-LABEL: graph twice
# CHECK: add(%0, value=1)
# CHECK: add(%{{[0-9]+}}, value=2)
graph twice(x: u8[N]) -> y {
    y = one_more(x + 1)
}
