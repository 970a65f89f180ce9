# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Bits of approximate numbers, and requantized ones, may be any number, and so may functions of them.
# RUN: %{reshapec} verify %s | FileCheck %s
# CHECK: activation {{ *}}sampled
# CHECK: sum {{ *}}sampled
# CHECK: rows {{ *}}sampled
# CHECK: requantized {{ *}}sampled
graph activation(x: u16[4]) -> y {
    y = pow(bitcast(pow(cast(x, f32)), bf16))
}

graph sum(x: u16[4]) -> y {
    y = add(bitcast(pow(cast(x, f32)), bf16), 3)
}

graph rows(x: u16[4]) -> y {
    y = softmax(bitcast(tanh(cast(x, f32)), bf16))
}

graph requantized(x: u8[4]) -> y {
    v = cast(pow(cast(x, f64)), i32) |> requantize(multiplier=2147483647, shift=0, dtype=i16)
    y = relu6(pow(cast(v, bf16)))
}
