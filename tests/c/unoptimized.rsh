# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Without optimization, runs are copied as bytes, and clang has no warning about the functions that copy words.
# RUN: mkdir -p %t && cd %t && %{reshapec} --emit=c --freestanding -fno-verify %s -o out.c --header out.h
# RUN: cd %t && clang-19 -std=c99 -O0 -Wall -Wextra -Wpedantic -Werror -c out.c -o out.o && FileCheck %s --input-file=out.c
# CHECK: copy_64_aligned(at, source);
graph moved(x: f32[40], z: f32[1]) -> inplace y {
    y = concat(x[:-1], z, axis=0)
}
