# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Loops unrolled for a size of 100,000, and results folded at compile time to constants of any size
# (microsoft/onnxruntime#28055). Code stays small for all sizes.
# RUN: %{reshapec} %s -o %t.o && llvm-size %t.o
# RUN: test $(llvm-size %t.o | awk 'NR == 2 { print $1 }') -lt 16384
# RUN: %{reshapec} %s -O3 -o %t.o && test $(llvm-size %t.o | awk 'NR == 2 { print $1 }') -lt 32768
# RUN: %{reshapec} %s -Os -o %t.o && test $(llvm-size %t.o | awk 'NR == 2 { print $1 }') -lt 8192

graph row(x: f32[1, 100000]) -> y {
    y = transpose(x)
}
graph flipped(x: f32[1, 100000]) -> y {
    y = flip(x, 1)
}
graph pairs(x: f32[2, 100000]) -> y {
    y = transpose(x)
}
graph long(x: f32[100000, 3]) -> y {
    y = transpose(x)
}
graph expanded(x: f32[1]) -> y {
    y = expand(x, [100000, 100000])
}
graph joined(x: f32[1, 100000]) -> y {
    y = concat(x, x, x, axis=0)
}
graph picked(x: u8[1, 100000]) -> y {
    y = x[:, ::3]
}
