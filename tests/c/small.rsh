# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# C code for firmware: where words may move they do, and with -Os what is joined row by row is one loop over the rows.
# RUN: %{reshapec} %s --emit=c --target=thumbv7em-none-eabi -Os -o - | FileCheck %s
# RUN: %{reshapec} %s --emit=c --target=thumbv7em-none-eabi -O2 -o - | FileCheck %s --check-prefix=FAST
# RUN: %{reshapec} %s --emit=c --target=thumbv7em-none-eabi -Os -o %t.c && for compiler in "%{cc}" "%{cc} -U__GNUC__"; do $compiler -std=c99 -ffreestanding -Wall -Wextra -Wconversion -Wcast-align -pedantic -Werror -c %t.c -o %t.o || exit 1; done
# Without optimisation some compilers would call memcpy for a word: none is asked for.
# RUN: for compiler in "%{cc} -O0" "%{cc} -Os"; do $compiler -ffreestanding -fno-builtin -c %t.c -o %t.o && not sh -c "llvm-nm %t.o | grep memcpy" || exit 1; done
# The same bytes come out whatever the compiler makes of it.
# RUN: %{reshapec} verify %s --emit=c --freestanding --cc="%{cc} -O2" | FileCheck %s --check-prefix=PROVED
# PROVED: 2 of 2 graphs verified

# CHECK: static void copy_4_int8_t(int8_t *to, const int8_t *from) {
# CHECK-NEXT: #if defined __GNUC__ && defined __OPTIMIZE__
# CHECK-NEXT:   (void)__builtin_memcpy(__builtin_assume_aligned(to, 4), __builtin_assume_aligned(from, 4), 4);
# CHECK-NEXT: #else

graph rows(a: i8[64, 16] align 4, b: i8[64, 8] align 4) -> y: i8[64, 24] align 4 {
    y = concat(a, b, axis=1)
}
# CHECK: void rows(
# CHECK-NEXT: for (size_t i = 0; i < 64U; i++) {
# CHECK-NEXT:   for (size_t j = 0; j < 16U; j += 4U) {
# CHECK-NEXT:     copy_4_int8_t(&y[24U * i + j], &a[16U * i + j]);
# CHECK-NEXT:   }
# CHECK-NEXT:   for (size_t j = 0; j < 8U; j += 4U) {
# CHECK-NEXT:     copy_4_int8_t(&y[16U + 24U * i + j], &b[8U * i + j]);
# CHECK-NEXT:   }
# CHECK-NEXT: }
# CHECK-NEXT: }
# FAST: void rows(
# FAST: for (size_t i = 0; i < 64U; i++) {
# FAST: for (size_t i = 0; i < 64U; i++) {

# Six bytes are no words.
graph part(x: i8[6, 8] align 4) -> y {
    y = x[:, :6]
}
# CHECK: void part(
# CHECK: y[6U * i + j] = x[8U * i + j];
