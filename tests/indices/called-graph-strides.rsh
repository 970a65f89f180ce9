# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A called graph that looks up elements reads tensors of the caller that have strides. The strides of its own tensors have
# no effect.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s
# CHECK: 5 of 5 graphs verified

graph rows(x: u8[A, B], v: i64[C]) -> (y, z) {
    y = gather(x, v)
    z = gather_nd(x, unsqueeze(v, 1))
}

graph of_strides(x: u8[3, 2] strides [-3, -1], v: i64[3] strides [2]) -> (y, z) {
    y, z = rows(x, v)
}

graph of_layout(x: u8[3, N] layout "a b -> b a" strides [-4, -1], v: i64[M]) -> (y, z) {
    y, z = rows(x, v)
}

graph strides(x: u8[A, B] strides [B + 1, 1], v: i64[C] strides [2]) -> y {
    y = gather_elements(x, unsqueeze(v, 1), axis=1)
}

graph of_none(x: u8[3, 2], v: i64[2]) -> y {
    y = strides(x, v)
}
