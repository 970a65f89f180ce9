/* Made by reshapec from kernels.rsh. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdint.h>

#ifndef RSH_RESTRICT
#if !defined __cplusplus && defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L
#define RSH_RESTRICT restrict
#else
#define RSH_RESTRICT
#endif
#endif

#if defined __cplusplus && __cplusplus >= 201103L
static_assert(sizeof(void *) == 8, "made for pointers of 8 bytes");
static_assert(sizeof(float) == 4, "f32 is float");
#elif !defined __cplusplus && defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(void *) == 8, "made for pointers of 8 bytes");
_Static_assert(sizeof(float) == 4, "f32 is float");
#else
typedef char KERNELS_H_made_for_pointers_of_8_bytes[sizeof(void *) == 8 ? 1 : -1];
typedef char KERNELS_H_f32_is_float[sizeof(float) == 4 ? 1 : -1];
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define KERNELS_VERSION "reshapec 0.1.0"
#define KERNELS_TARGET "x86_64-pc-linux-gnu"
#define KERNELS_OPTIONS "-O2 --parallel"
#define KERNELS_SOURCE_SHA256 "e7f82d41e0f6646c81db9f2f7281f5c1b30ed64e89a6b415b88f8be0e76a465b"

#ifndef RSH_STATUS_H
#define RSH_STATUS_H
typedef enum rsh_status {
  RSH_ok, /* ok */
  RSH_bad_type, /* element type not allowed here */
  RSH_bad_attr, /* attribute unknown to this version, or its value out of range */
  RSH_bad_arg, /* argument of the wrong kind */
  RSH_missing_shape, /* no target shape given */
  RSH_empty_shape, /* target shape without entries, where the dialect has no scalars */
  RSH_bad_shape_rank, /* target shape is not 1-D */
  RSH_rank_limit, /* more dimensions than can be held */
  RSH_bad_dim, /* size below 0, or target size below -1 */
  RSH_multiple_infer, /* more than one -1 in the target shape */
  RSH_zero_out_of_range, /* 0 copies a size that the input does not have */
  RSH_zero_with_infer, /* literal 0 and -1 together in the target shape */
  RSH_overflow, /* element count, size or offset does not fit 64 bits */
  RSH_ambiguous_infer, /* -1 cannot be inferred: the other sizes multiply to 0 */
  RSH_not_divisible, /* element count is no multiple of the known sizes */
  RSH_volume_mismatch, /* element counts differ */
  RSH_bad_axis, /* axis outside the rank */
  RSH_duplicate_axis, /* axis listed twice */
  RSH_bad_perm, /* not a permutation of the axes */
  RSH_not_one, /* squeezed axis has a size other than 1 */
  RSH_bad_rank, /* operand has the wrong rank */
  RSH_bad_length, /* lists that go together differ in length */
  RSH_bad_step, /* slice step is 0 */
  RSH_bad_index, /* index outside the axis */
  RSH_bad_parts, /* parts do not add up to the axis */
  RSH_not_broadcastable, /* sizes cannot be broadcast to each other */
  RSH_shape_mismatch, /* operands disagree in shape */
  RSH_type_mismatch, /* operands disagree in element type */
  RSH_bad_block, /* block size does not divide the axis */
  RSH_bad_mode, /* unknown mode */
  RSH_bad_pattern, /* rearrange pattern does not fit the operand */
  RSH_unknown_size, /* result depends on a size that is not known */
  RSH_too_small, /* buffer from the caller is too small */
  RSH_null_pointer, /* null pointer for a tensor that has elements */
  RSH_guard_failed, /* a size breaks a condition of the graph */
  RSH_unsupported, /* not supported */
  RSH_STATUS_COUNT
} rsh_status;
/* In librsh_runtime, for those who link with it. */
const char *rsh_status_name(rsh_status status);
const char *rsh_status_string(rsh_status status);
#endif

/*
 * graph planes(x: u8[2, 3]) -> (y: u8[3, 2], row: u8[3])
 *   x: input, 6 bytes, any alignment
 *   y: output, 6 bytes, any alignment,
 *     must not overlap an input or another output
 *     transpose moves axes 0 and 1: 3 x 2 elements
 *   row: output, 3 bytes, any alignment,
 *     may be element 3 of x itself: then nothing is done; else must not overlap an input
 *     a contiguous slice of x, from element 3
 */
void planes(const uint8_t *x, uint8_t *RSH_RESTRICT y, uint8_t *row);
#define PLANES_X_RANK 2
#define PLANES_X_DIMS { 2, 3 }
#define PLANES_X_BYTES 6
#define PLANES_Y_RANK 2
#define PLANES_Y_DIMS { 3, 2 }
#define PLANES_Y_BYTES 6
#define PLANES_Y_IS_ALIAS 0
#define PLANES_ROW_RANK 1
#define PLANES_ROW_DIMS { 3 }
#define PLANES_ROW_BYTES 3
#define PLANES_ROW_IS_ALIAS 1
#define PLANES_ROW_OFFSET 3
static inline const uint8_t *planes_row(const uint8_t *x) { return x + 3; }

/*
 * The same in tasks, which may run at the same time and in any order: planes_task for
 * each rsh_i from 0 to 0 does what planes does. Two tasks never write to the same
 * 64 bytes of an output that is aligned to 64 bytes. With OpenMP, planes_parallel does all of them.
 */
int32_t planes_tasks(void);
void planes_task(int32_t rsh_i, const uint8_t *x, uint8_t *RSH_RESTRICT y, uint8_t *row);
#ifdef _OPENMP
static inline void planes_parallel(const uint8_t *x, uint8_t *RSH_RESTRICT y, uint8_t *row) {
  const int32_t rsh_n = planes_tasks();
  int32_t rsh_i;
#pragma omp parallel for schedule(dynamic)
  for (rsh_i = 0; rsh_i < rsh_n; rsh_i++)
    planes_task(rsh_i, x, y, row);
}
#endif

/*
 * graph swap(x: f32[N, 4]) -> y: f32[N, 2, 2]
 *   x: input, 16*N bytes, aligned to 4 bytes
 *   y: output, 16*N bytes, aligned to 4 bytes,
 *     must not overlap an input
 *     transpose moves axes 1 and 2, with sizes known only at run time
 * Returns RSH_ok, or what is wrong, and then nothing is written:
 *   RSH_bad_dim: N below 0
 *   RSH_guard_failed: not N >= 1
 *   RSH_overflow: a tensor too large to be counted
 *   RSH_null_pointer: no memory for a tensor that has elements
 * swap_shape gives the dims of the outputs alone, and of none whose pointer is null.
 */
rsh_status swap(int64_t N, const float *RSH_RESTRICT x, float *RSH_RESTRICT y);
rsh_status swap_shape(int64_t N, int64_t *y_dims);
#define SWAP_X_RANK 2
#define SWAP_X_DIMS(N) { (int64_t)(N), 4 }
#define SWAP_X_BYTES(N) (16 * (int64_t)(N))
#define SWAP_Y_RANK 3
#define SWAP_Y_DIMS(N) { (int64_t)(N), 2, 2 }
#define SWAP_Y_BYTES(N) (16 * (int64_t)(N))
#define SWAP_Y_IS_ALIAS 0

/*
 * The same in tasks, which may run at the same time and in any order: swap_task for
 * each rsh_i below swap_tasks does what swap does and returns the same status. Two tasks never write to the same
 * 64 bytes of an output that is aligned to 64 bytes. With OpenMP, swap_parallel does all of them.
 */
int32_t swap_tasks(int64_t N);
rsh_status swap_task(int32_t rsh_i, int64_t N, const float *RSH_RESTRICT x, float *RSH_RESTRICT y);
#ifdef _OPENMP
static inline rsh_status swap_parallel(int64_t N, const float *RSH_RESTRICT x, float *RSH_RESTRICT y) {
  const int32_t rsh_n = swap_tasks(N);
  int32_t rsh_i;
  rsh_status rsh_all[64];
#pragma omp parallel for schedule(dynamic)
  for (rsh_i = 0; rsh_i < rsh_n; rsh_i++)
    rsh_all[rsh_i] = swap_task(rsh_i, N, x, y);
  return rsh_all[0];
}
#endif

/*
 * graph as_asked(x: u8[B, 6], s: i64[2]) -> y: u8[?, ?]
 *   x: input, u8[B, 6], any alignment
 *   s: input, i64[2], aligned to 8 bytes
 *   y: output, u8[?, ?], any alignment,
 *     must not overlap another tensor
 *   y_dims: room for the 2 dims of y, or null
 *   plan: AS_ASKED_PLAN_BYTES bytes, aligned to 8, all zeros before the first call. It remembers the
 *     sizes and lists of integers of the last call and what they lead to; one thread at a time
 * Returns RSH_ok, or what is wrong with the sizes, the lists of integers or the pointers; then
 * nothing is written. as_asked_shape gives the dims of the outputs alone. Link with librsh_runtime.a.
 */
rsh_status as_asked(int64_t B, const uint8_t *RSH_RESTRICT x, const int64_t *RSH_RESTRICT s, uint8_t *RSH_RESTRICT y, int64_t *y_dims, void *plan);
rsh_status as_asked_shape(int64_t B, const int64_t *RSH_RESTRICT s, int64_t *y_dims);
#define AS_ASKED_PLAN_BYTES 58792

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_H */
