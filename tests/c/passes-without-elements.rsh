# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A pass without elements writes nothing to its scratch memory: the C code has no warning of an unused parameter.
# RUN: %{reshapec} --emit=c --parallel -fno-verify %s -o %t.c --header %t.h
# RUN: %{cc} -std=c99 -Wall -Wextra -Werror -c %t.c -o %t.o
# RUN: clang-19 -std=c99 -Wall -Wextra -Werror -c %t.c -o %t.o
graph cast(x: u8[0, A], i: i64[0, 1]) -> y {
    v = gather_elements(x, i, axis=1)
    y = dequantize(v, [0.1], dtype=bf16, axis=-1)
}

graph two(s: u8[B, A], x: f32[0, B, A], i: i64[0, B, 1]) -> y { y = gather_elements(x, i, 2) }

graph tiled(s0: u8[A, B], x0: u32[-A + 2*A, 2*B, A, B + 1], x1: i64[1, 1, 1, (B + 1)*(A % 2)]) -> y where A == 2*B {
    v = tile(x0, [B + 1, 2, B, A % 2])
    y = gather_elements(v, x1, axis=2)
}
