# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# If one size is 0, a call in place returns at once, however large the others are: in an object, in C, and as a task.
# RUN: %{reshapec} %s --parallel -o %t.o --header %t.h
# RUN: %{cc} -O0 -D HEADER='"%t.h"' %S/Inputs/inplace-empty.c %t.o -o %t.object && %t.object
# RUN: %{reshapec} %s --parallel --emit=c -o %t.c --header %t.h
# RUN: %{cc} -O0 -std=c11 -Wall -Wextra -Werror -D HEADER='"%t.h"' %S/Inputs/inplace-empty.c %t.c -o %t.from_c && %t.from_c

# Words of pieces; pieces without any leader; batches.
graph words(x: u8[2, A, B]) -> inplace y { y = transpose(x, [1, 0, 2]) }
graph leaders(x: u16[A, 2, B]) -> inplace y { y = transpose(x, [1, 0, 2]) }
graph batches(x: u8[A, B, C]) -> inplace y { y = transpose(x, [0, 2, 1]) }

# Known cycles: of two elements, and longer ones.
graph pairs(x: f32[A, 16, 16, B]) -> inplace y { y = transpose(x, [0, 2, 1, 3]) }
graph listed(x: u8[A, 3, 4, B]) -> inplace y { y = transpose(x, [0, 2, 1, 3]) }

graph flipped(x: u8[A, B, C]) -> inplace y { y = flip(x, axes=[0, 2]) }
graph computed(x: f32[A, B, C]) -> inplace y { y = relu(x) }
