# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# NAME_shape in every tier: a null pointer in place of sizes, or of a rank, is skipped, and the others are written.
# RUN: %{reshapec} %s -o %t.o --header %t.h
# RUN: %{cc} -D HEADER='"%t.h"' %S/Inputs/shape-null.c %t.o %{build}/librsh_runtime.a -o %t.object && %t.object
# RUN: %{reshapec} %s --emit=c -o %t.c --header %t.h
# RUN: %{cc} -std=c11 -Wall -Wextra -Werror -D HEADER='"%t.h"' %S/Inputs/shape-null.c %t.c %{build}/librsh_runtime.a -o %t.from_c && %t.from_c

graph sizes(x: u8[A, B], z: u8[2, B]) -> (y, w) {
    y = concat(x, z, axis=0)
    w = transpose(x)
}
graph asked(x: u8[A, B], s: i64[2]) -> (y, w) {
    y = reshape(x, s)
    w = transpose(y)
}
graph any(x: f32[*]) -> y {
    y = flip(x, 0)
}
