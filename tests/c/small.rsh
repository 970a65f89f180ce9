# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# C code for firmware: runs move in words, and a row-by-row join is one loop over the rows.
# RUN: %{reshapec} %s --emit=c --target=thumbv7em-none-eabi -Os -o - | FileCheck %s
# RUN: %{reshapec} %s --emit=c --target=thumbv7em-none-eabi -O2 -o - | FileCheck %s --check-prefix=FAST
# RUN: %{reshapec} %s --emit=c --target=thumbv7em-none-eabi -Os -o %t.c && for compiler in "%{cc}" "%{cc} -U__GNUC__"; do $compiler -std=c99 -ffreestanding -Wall -Wextra -Wconversion -Wcast-align -pedantic -Werror -c %t.c -o %t.o || exit 1; done
# Without optimization some compilers would call memcpy for a word: the code does not ask for it.
# RUN: for compiler in "%{cc} -O0" "%{cc} -Os"; do $compiler -ffreestanding -fno-builtin -c %t.c -o %t.o && not sh -c "llvm-nm %t.o | grep memcpy" || exit 1; done
# The bytes are the same whatever the compiler does.
# RUN: %{reshapec} verify %s --emit=c --freestanding --cc="%{cc} -O2" | FileCheck %s --check-prefix=PROVED
# PROVED: 4 of 4 graphs verified

# CHECK: static WORDS_INLINE void copy_16_aligned(void *restrict to, const void *restrict from) {
# CHECK-NEXT: #if defined __GNUC__ && !defined __clang__ && defined __OPTIMIZE__ && defined __arm__
# CHECK-NEXT:   (void)__builtin_memcpy(__builtin_assume_aligned(to, 4), __builtin_assume_aligned(from, 4), 16);
# CHECK-NEXT: #elif defined __GNUC__ && defined __OPTIMIZE__
# CHECK-NEXT:   ((word_at *)(void *)&((uint8_t *)to)[0])->word =
# CHECK-NEXT:       ((const word_at *)(const void *)&((const uint8_t *)from)[0])->word;

graph rows(a: i8[64, 16] align 4, b: i8[64, 8] align 4) -> y: i8[64, 24] align 4 {
    y = concat(a, b, axis=1)
}
# CHECK: void rows(
# CHECK-NEXT: for (size_t i = 0; i < 64U; i++) {
# CHECK-NEXT:   copy_16_aligned(&y[24U * i], &a[16U * i]);
# CHECK-NEXT:   copy_8_aligned(&y[16U + 24U * i], &b[8U * i]);
# CHECK-NEXT: }
# CHECK-NEXT: }
# FAST: void rows(
# FAST-NEXT: for (size_t i = 0; i < 64U; i++) {
# FAST-NEXT:   copy_16_aligned(&y[24U * i], &a[16U * i]);
# FAST-NEXT:   copy_8_aligned(&y[16U + 24U * i], &b[8U * i]);
# FAST-NEXT: }
# FAST-NEXT: }

# Six bytes are a word and a half: machines with unaligned words copy them so, others byte by byte.
graph part(x: i8[6, 8] align 4) -> y {
    y = x[:, :6]
}
# CHECK: void part(
# CHECK: copy_6(&y[6U * i], &x[8U * i]);

# Where bytes move one by one, -O2 has a line for each of at most twelve, as gcc keeps such loops.
# RUN: %{reshapec} %s --emit=c --target=thumbv6m-none-eabi -O2 -o - | FileCheck %s --check-prefix=BYTES
# RUN: %{reshapec} %s --emit=c --target=thumbv6m-none-eabi -Os -o - | FileCheck %s --check-prefix=LOOPS
# BYTES: void part(
# BYTES-NEXT: for (size_t i = 0; i < 6U; i++) {
# BYTES-NEXT:   y[6U * i] = x[8U * i];
# BYTES-NEXT:   y[6U * i + 1U] = x[8U * i + 1U];
# BYTES: y[6U * i + 5U] = x[8U * i + 5U];
# BYTES-NEXT: }
# LOOPS: void part(
# LOOPS: for (size_t j = 0; j < 6U; j++) {
# LOOPS-NEXT: y[6U * i + j] = x[8U * i + j];

# Long runs are copied and filled by one function of the file each.
graph border(x: i8[8, 64]) -> y {
    y = pad(x, [1, 1, 1, 1])
}
# CHECK: void border(
# CHECK-NEXT: fill_run(y, 0U, 660U);
# CHECK: copy_run(&y[67U + 66U * i], &x[64U * i], 64U);

# gcc -O2 makes vectors of loops over whole ones.
# RUN: %{reshapec} %s --emit=c --target=thumbv8.1m.main-none-eabihf -mcpu=cortex-m55 -O2 -o - | FileCheck %s --check-prefix=VECTORS
# VECTORS: void border(
# VECTORS: for (size_t j = 0; j < 64U; j++) {
# VECTORS-NEXT: y[67U + 66U * i + j] = x[64U * i + j];

# Elements smaller than a byte are extracted one after the other.
graph wide(x: i4[64]) -> y {
    y = cast(x, i8)
}
# CHECK: void wide(
# CHECK-NEXT: for (size_t i = 0; i < 32U; i++) {
# CHECK-NEXT:   y[2U * i] = i4_to_i8((uint8_t)((uint32_t)x[i] & 0xFU));
# CHECK-NEXT:   y[2U * i + 1U] = i4_to_i8((uint8_t)((uint32_t)x[i] >> 4));
# CHECK-NEXT: }

# With the program's memcpy and memset, runs use these; the file declares them itself.
# RUN: %{reshapec} %s --emit=c --target=thumbv7em-none-eabi -Os --libc=mem -o - | FileCheck %s --check-prefix=LIBRARY
# LIBRARY: void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
# LIBRARY-NEXT: void *memmove(void *to, const void *from, size_t bytes);
# LIBRARY-NEXT: void *memset(void *to, int byte, size_t bytes);
# LIBRARY-NOT: copy_run
# LIBRARY: (void)memset(y, 0, 660U);
# LIBRARY: (void)memcpy(&y[67U + 66U * i], &x[64U * i], 64U);
