# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The header describes each pointer, and gives sizes as macros and the offset of an alias.
# RUN: %{reshapec} %s -o %t.o --header %t.my-model.h && FileCheck %s < %t.my-model.h
# CHECK:      /* Made by reshapec from header-text.rsh. */
# CHECK-NEXT: #ifndef [[GUARD:[A-Z_]+MY_MODEL_H]]
# CHECK-NEXT: #define [[GUARD]]
# CHECK:      #include <stdint.h>
# CHECK-NOT:  #include

# CHECK:      /*
# CHECK-NEXT:  * graph chw(x: u8[28, 28, 3]) -> y: u8[3, 28, 28]
# CHECK-NEXT:  *   x: input, 2352 bytes, any alignment
# CHECK-NEXT:  *   y: output, 2352 bytes, any alignment,
# CHECK-NEXT:  *     must not overlap an input
# CHECK-NEXT:  *     transpose moves axes 0, 1 and 2: 3 x 784 elements
# CHECK-NEXT:  */
# CHECK-NEXT: void chw(const uint8_t *RSH_RESTRICT x, uint8_t *RSH_RESTRICT y);
# CHECK-NEXT: #define CHW_X_RANK 3
# CHECK-NEXT: #define CHW_X_DIMS { 28, 28, 3 }
# CHECK-NEXT: #define CHW_X_BYTES 2352
# CHECK-NEXT: #define CHW_Y_RANK 3
# CHECK-NEXT: #define CHW_Y_DIMS { 3, 28, 28 }
# CHECK-NEXT: #define CHW_Y_BYTES 2352
# CHECK-NEXT: #define CHW_Y_IS_ALIAS 0
graph chw(x: u8[28, 28, 3]) -> y: u8[3, 28, 28] { y = transpose(x, [2, 0, 1]) }

# CHECK:       *   y: output, 16 bytes, aligned to 4 bytes,
# CHECK-NEXT:  *     may be element 12 of x itself: then nothing is done; else must not overlap an input
# CHECK:      void third(const float *x, float *y);
# CHECK:      #define THIRD_Y_IS_ALIAS 1
# CHECK-NEXT: #define THIRD_Y_OFFSET 12
# CHECK-NEXT: static inline const float *third_y(const float *x) { return x + 12; }
graph third(x: f32[8, 4]) -> y { y = x[3:4, :] }

# Two floats an element; handles; two elements a byte.
# CHECK:       *   x: input, 64 bytes, pairs of real and imaginary part, aligned to 4 bytes
# CHECK:      void others(const float *x, const char *const *s, const uint8_t *q, float *y, const char **t, uint8_t *r);
# CHECK:      static inline const float *others_y(const float *x) { return x + 6; }
# CHECK:      static inline const char *const *others_t(const char *const *s) { return s + 1; }
# CHECK:      #define OTHERS_R_BYTES 4
# CHECK:      static inline const uint8_t *others_r(const uint8_t *q) { return q; }
graph others(x: c64[8], s: string[2], q: i4[7]) -> (y, t, r) {
    y = x[3:5]
    t = s[1:2]
    r = reshape(q, [7, 1])
}

# CHECK:       * A scalar has rank 0; its DIMS are { 1 }, because C has no empty lists.
# CHECK:      #define SINGLE_X_RANK 0
# CHECK-NEXT: #define SINGLE_X_DIMS { 1 }
# CHECK-NEXT: #define SINGLE_X_BYTES 8
graph single(x: f64) -> y { y = reshape(x, [1]) }

# CHECK:       *   y: output, 0 bytes, not accessed, may be null
graph empty(x: f32[0, 2]) -> y { y = transpose(x) }
