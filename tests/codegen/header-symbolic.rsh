# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The header of functions with open sizes: sizes as formulas, macros with size arguments, and the refusals.
# RUN: rm -rf %t.dir && mkdir %t.dir && %{reshapec} %s -o %t.dir/heads.o --header %t.dir/heads.h
# RUN: sed -n '/^\/\*$/,$p' %t.dir/heads.h | FileCheck %s
# RUN: %{cc} -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -I%{root} -I%t.dir %S/Inputs/use-symbolic.c %t.dir/heads.o -o %t.dir/use && %t.dir/use
# RUN: %{cc} -DSTATUS_FIRST -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror -I%{root} -I%t.dir %S/Inputs/use-symbolic.c %t.dir/heads.o -o %t.dir/use && %t.dir/use

# CHECK:      * graph heads(x: f16[B, S, 768]) -> y: f16[B, 12, S, 64]
# CHECK-NEXT: *   x: input, 1536*B*S bytes, aligned to 2 bytes
# CHECK-NEXT: *   y: output, 1536*B*S bytes, aligned to 2 bytes,
# CHECK-NEXT: *     must not overlap an input
# CHECK:      * Returns RSH_ok, or the status of an error; then nothing is written:
# CHECK-NEXT: *   RSH_bad_dim: B or S below 0
# CHECK-NEXT: *   RSH_guard_failed: S <= 512 does not hold
# CHECK-NEXT: *   RSH_overflow: a tensor too large to address
# CHECK-NEXT: *   RSH_null_pointer: a null pointer for a tensor that has elements
# CHECK-NEXT: * heads_shape only computes the sizes of the outputs; a null pointer skips one.
# CHECK-NEXT: */
# CHECK-NEXT: rsh_status heads(int64_t B, int64_t S, const uint16_t *RSH_RESTRICT x, uint16_t *RSH_RESTRICT y);
# CHECK-NEXT: rsh_status heads_shape(int64_t B, int64_t S, int64_t *y_dims);
# CHECK-NEXT: #define HEADS_X_RANK 3
# CHECK-NEXT: #define HEADS_X_DIMS(B, S) { (int64_t)(B), (int64_t)(S), 768 }
# CHECK-NEXT: #define HEADS_X_BYTES(B, S) (1536 * (int64_t)(B) * (int64_t)(S))
# CHECK-NEXT: #define HEADS_Y_RANK 4
# CHECK-NEXT: #define HEADS_Y_DIMS(B, S) { (int64_t)(B), 12, (int64_t)(S), 64 }
# CHECK-NEXT: #define HEADS_Y_BYTES(B, S) (1536 * (int64_t)(B) * (int64_t)(S))
# CHECK-NEXT: #define HEADS_Y_IS_ALIAS 0
graph heads(x: f16[B, S, 768]) -> y: f16[B, 12, S, 64] where S <= 512 {
    y = x |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
}

# A fact about a size keeps fractions in formulas if they do not cancel.
# CHECK: RSH_not_divisible: N % 4 == 0 does not hold
# CHECK: rsh_status fours(int64_t N, const float *x, float *y);
# CHECK: #define FOURS_X_BYTES(N) (4 * (int64_t)(N))
# CHECK: #define FOURS_Y_DIMS(N) { ((int64_t)(N) / 4), 4 }
# CHECK: #define FOURS_Y_OFFSET 0
# CHECK: static inline const float *fours_y(const float *x) { return x; }
graph fours(x: f32[N]) -> view y { y = reshape(x, [-1, 4]) }

# The start of an alias may depend on sizes, which then come first. A symbol may have any name.
# CHECK: rsh_status rest(int64_t int_, int64_t B, const float *x, float *y);
# CHECK: #define REST_Y_DIMS(int_, B) { (int64_t)(int_) - 1, (int64_t)(B), 2 }
# CHECK: #define REST_Y_BYTES(int_, B) (8 * (int64_t)(int_) * (int64_t)(B) - 8 * (int64_t)(B))
# CHECK: #define REST_Y_OFFSET(int_, B) (2 * (int64_t)(B))
# CHECK: static inline const float *rest_y(int64_t int_, int64_t B, const float *x) { (void)int_; (void)B; return x + 2 * (int64_t)(B); }
graph rest(x: f32[int, B, 2]) -> view y: f32[int - 1, B, 2] { y = x[1:] }

# Sizes that depend on slices.
# CHECK: * graph last(x: u8[N]) -> y: u8[min(4, N)]
# CHECK: #define LAST_Y_DIMS(N) { RSH_EDGE(4, (int64_t)(N), 0) }
# CHECK: #define LAST_Y_OFFSET(N) ((int64_t)(N) - RSH_EDGE(4, (int64_t)(N), 0))
graph last(x: u8[N]) -> view y { y = x[-4:] }

# Sizes for which there is no such element.
# CHECK:      RSH_bad_index: N >= 4 does not hold
# CHECK-NEXT: RSH_bad_index: S >= 1 does not hold
graph element(x: f32[N, S]) -> y { y = x[3, 0] }

# From the first element in memory to the last: the number of elements is never below 0 for this.
# CHECK: #define PADDED_Y_BYTES(B, C) ((int64_t)(B) < 1 || (int64_t)(C) < 1 ? 0 : (256 * (int64_t)(B) + 4 * (int64_t)(C) - 256))
graph padded(x: f32[B, C]) -> y: f32[B, C] strides [64, 1] where C <= 64 { y = x }

# NAME_shape gives way to a graph of that name.
# CHECK: rsh_status one(int64_t N, const uint8_t *RSH_RESTRICT x, uint8_t *RSH_RESTRICT y);
# CHECK: rsh_status one_shape_2(int64_t N, int64_t *y_dims);
graph one(x: u8[N, 2]) -> y { y = transpose(x) }
# CHECK: void one_shape(
graph one_shape(x: u8[3, 2]) -> y { y = transpose(x) }
