# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# C code reads as if written by hand: the chain and its map above, plain loops below. With a header it includes that;
# without one it is self-contained. For machines without an operating system it does not need <string.h>.
# RUN: %{reshapec} %s --emit=c --header %t.h -o - | FileCheck %s
# RUN: %{reshapec} %s --emit=c -o %t.c && %{cc} -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -c %t.c -o %t.o
# RUN: %{reshapec} %s --emit=c --target=thumbv7em-none-eabi -o - | FileCheck %s --check-prefix=BARE
# RUN: not %{reshapec} %s --emit=c -g -o %t.c 2>&1 | FileCheck %s --check-prefix=LINES
# LINES: error: -g and --multiversion do not apply to --emit=c
# RUN: not %{reshapec} %s --emit=c --multiversion=x86-64-v3 -o %t.c 2>&1 | FileCheck %s --check-prefix=LINES

# CHECK: /* Made by reshapec from text.rsh: C99.
# CHECK-NEXT: reshapec {{.*}}: -O2, source sha256 {{.*}} */
# CHECK-NEXT: #include "{{.*}}.h"
# CHECK: #include <string.h>

graph chw(x: u8[28, 28, 3]) -> y: u8[3, 28, 28] {
    y = transpose(x, [2, 0, 1])
}
# CHECK: /*
# CHECK-NEXT:  * graph chw(x: u8[28, 28, 3]) -> y: u8[3, 28, 28] {
# CHECK-NEXT:  *     y = transpose(x, perm=[2, 0, 1])
# CHECK-NEXT:  * }
# CHECK-NEXT:  * y: transpose moves axes 0, 1 and 2: 3 x 784 elements
# CHECK-NEXT:  *   y[i + 784*j] = x[3*i + j]  for i < 784, j < 3
# CHECK-NEXT:  */
# CHECK-NEXT: void chw(const uint8_t *restrict x, uint8_t *restrict y) {
# CHECK-NEXT:   for (size_t i = 0; i < 784U; i++) {
# CHECK-NEXT:     y[i] = x[3U * i];
# CHECK-NEXT:     y[i + 784U] = x[3U * i + 1U];
# CHECK-NEXT:     y[i + 1568U] = x[3U * i + 2U];
# CHECK-NEXT:   }
# CHECK-NEXT: }

# Sizes are checked as int64_t and used as size_t.
graph heads(x: f16[B, S, 768]) -> y where S <= 4096 {
    y = x |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
}
# CHECK: static void heads_kernel(size_t B, size_t S, const uint16_t *restrict x, uint16_t *restrict y) {
# CHECK-NEXT: if ((ptrdiff_t)(B) > 0 && (ptrdiff_t)(S) > 0) {
# CHECK: (void)memcpy(&y[768U * S * j + 64U * S * k + 64U * l], &x[768U * S * j + 64U * k + 768U * l], 64U * sizeof(uint16_t));
# CHECK: rsh_status heads(int64_t B, int64_t S, const uint16_t *restrict x, uint16_t *restrict y) {
# CHECK: if (B < 0 || S < 0) {
# CHECK-NEXT: return RSH_bad_dim;
# CHECK: /* S <= 4096 */
# CHECK-NEXT: if (S > 4096) {
# CHECK-NEXT: return RSH_guard_failed;
# CHECK: heads_kernel((size_t)B, (size_t)S, x, y);
# CHECK-NEXT: return RSH_ok;
# BARE-NOT: string.h
# BARE: copy_run(&y[768U * S * j + 64U * S * k + 64U * l], &x[768U * S * j + 64U * k + 768U * l], 64U * sizeof(uint16_t));

# Negative terms come last.
graph halves(x: f32[8, 64]) -> y {
    y = concat(x[:, 32:], x[:, :32], axis=1)
}
# CHECK: (void)memcpy(&y[64U * i + 32U * j], &x[32U + 64U * i - 32U * j], 32U * sizeof(float));

# An alias is copied unless it is already there.
graph flat(x: f32[4, 5]) -> y: f32[20] {
    y = reshape(x, [20])
}
# CHECK: void flat(const float *x, float *y) {
# CHECK-NEXT: if ((const void *)y != (const void *)x) {

# Element functions are C functions.
graph bounded(x: f32[4, 5]) -> y {
    y = transpose(x) |> relu()
}
# CHECK: y[4U * i + j] = relu_f32(x[i + 5U * j]);
