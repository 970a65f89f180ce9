# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each array is read and written as elements of its own type, also if a bitcast gives them another one: a compiler that
# sees the caller as well may reorder accesses through pointers to different types. gcc -O2 did: the first index was
# picked three times.
# RUN: %{reshapec} %s --emit=c -fno-verify -o %t.c --header %t.h
# RUN: FileCheck %s --implicit-check-not="(float *)" --implicit-check-not="int64_t *)" < %t.c
# RUN: echo '#include "%t.c"' > %t.main.c && cat %S/Inputs/aliasing.c >> %t.main.c
# RUN: for level in -O0 -O2 -O3; do %{cc} -std=c99 -Wall -Wextra -Wconversion -Werror $level %t.main.c -o %t.exe -lm && %t.exe || exit 1; done

# CHECK: const int64_t index = (int64_t)bits_of_double(i[
graph pick(x: u8[5], i: f64[3]) -> y { y = gather(x, bitcast(i, i64), 0) }

# CHECK: const float word = float_of_bits((uint32_t)y[
# CHECK: y[{{.*}}] = (uint32_t)bits_of_float(
graph soft(x: f32[2, 3]) -> y: u32[2, 3] { y = x |> softmax() |> bitcast(u32) }

# CHECK: (void)memcpy(&y[{{.*}}], {{.*}}, 8U * sizeof(uint32_t));
graph rows(x: f32[5, 8], i: i64[3]) -> y: u32[3, 8] { y = gather(x, i, 0) |> bitcast(u32) }
