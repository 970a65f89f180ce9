// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// resolve: shapes in, shapes out. Each operator has one rule, for compile time and run time.
// The caller owns all storage; nothing is allocated; results are written only on success.
#ifndef RSH_RESOLVE_H
#define RSH_RESOLVE_H

#include "runtime/op.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where a call failed and the two numbers that disagree, for messages.
//
//   status              left                       right
//   bad_type            the rsh_dtype              0, or the first opset that takes it; cast: the type to
//   bad_attr            the value, or the opset    the largest value, or the first or last opset
//   bad_arg             operands or results given  wanted; 0 and 0 if an argument is at fault
//   bad_shape_rank      rank of the target         1
//   rank_limit          the rank                   the limit
//   bad_dim             the size                   the least allowed
//   multiple_infer      index of the first -1      index of the second
//   zero_out_of_range   index of the 0             rank of the input
//   zero_with_infer     index of the 0             index of the -1
//   overflow            the size that overflows    0, or for a target the product of the nonzero sizes before it;
//                                                  left is 0 if the operand itself is too large
//   ambiguous_infer     element count of input     0, the known sizes' product; entry is the -1
//   not_divisible       the dividend               the known sizes' product; entry is the -1
//   volume_mismatch     element count of input     element count of the target
//   bad_axis            the axis as written        the rank it counts in
//   duplicate_axis      index of the first entry   index of the second
//   bad_perm            the entry, or the length   the rank; entry is -1 for the length
//   not_one             the size                   1; entry is its axis in the operand
//   bad_rank            the rank                   the rank wanted (concat: the least)
//   bad_length          length of this list        length of the first
//   bad_parts           the part or sum of parts   the size; or the results wanted, and the parts
//   not_broadcastable   size of the operand        size in the target
//   shape_mismatch      of this operand: the rank (entry is -1) or size, and that of the first
//   type_mismatch       the rsh_dtype              that of the first operand
//   bad_block           the block size             the size it does not divide, or 0
//   bad_index           the index, or the length   the size of its axis
//   unknown_size        the two numbers that cannot be compared or divided, if there are any
//
// 0 and 0 for all others. -1 means no operand, argument or entry.
typedef struct rsh_fault {
  int32_t input;       // tensor operand at fault, or -1
  int32_t arg;         // argument at fault (index into rsh_call.arg), or -1
  int32_t entry;       // entry of that argument's list, or axis of that input, or -1
  rsh_num left, right; // both sides, by status
} rsh_fault;

// The relation of two numbers that a rule requires.
typedef enum rsh_relation {
  RSH_EQUAL,    // left == right
  RSH_AT_LEAST, // left >= right
  RSH_MULTIPLE  // left is a multiple of right
} rsh_relation;

// A requirement that depends on sizes known only at run time, and the status of a call that violates it.
//   reshape(x: f32[N, 2], [-1, 8])   2*N is a multiple of 8, or not_divisible
typedef struct rsh_condition {
  rsh_relation relation;
  rsh_status status;
  rsh_num left, right;
} rsh_condition;

// Checks only the element types, as rsh_resolve does first.
rsh_status rsh_check_type(const rsh_call *call, rsh_fault *fault);

// The number of results of a call: 1 for all operators except split. Reads in, in_type and arg; a split with
// neither parts nor sizes makes out_count equal parts.
rsh_status rsh_out_count(const rsh_call *call, int32_t *out, rsh_fault *fault);

// Shapes of all results: out[0 .. call->out_count-1]. `fault` may be NULL.
rsh_status rsh_resolve(const rsh_call *call, rsh_shape *out, rsh_fault *fault);

// The arguments of a slice (ops.def).
enum { RSH_SLICE_STARTS, RSH_SLICE_ENDS, RSH_SLICE_AXES, RSH_SLICE_STEPS };

// Turns *v, a slice's start or end as written, into a position on an axis of size d: a negative value counts from the
// end, and the result is clamped to low..high. RSH_unknown_size: the result depends on symbols; *v must not be used.
rsh_status rsh_slice_bound(rsh_symbols *s, const rsh_num *d, rsh_num *v, const rsh_num *low,
                           const rsh_num *high);
// A size that is computed from others but is not a polynomial in them.
typedef enum rsh_edge_kind {
  RSH_EDGE_PLACE, // start or end of a slice on an axis of `size` elements: `at`, from the end if negative, clamped to
  // least..size. 0 <= least <= size
  RSH_EDGE_FLOOR,   // at / size rounded down, for at >= 0: N*M // 2. 0 if `size` is below 1
  RSH_EDGE_CEILING, // the same, rounded up
  RSH_EDGE_EITHER // `at`, or `size` if `at` is 0: a computed entry of a target, which copies if it is 0
} rsh_edge_kind;
// True if a 0 in the target of a reshape copies the size at its position.
bool rsh_reshape_copies(const rsh_call *call);
// True if copied sizes do not count where a -1 is inferred (OpenVINO): [0, 3] to [0, -1] is [0, 3].
bool rsh_reshape_skips_copied(const rsh_call *call);
// The axis whose size a reshape infers, by -1 in its target; -1: none, or the target is data.
int32_t rsh_reshape_inferred(const rsh_call *call);
// RSH_overflow: the result does not fit 64 bits.
rsh_status rsh_edge(rsh_edge_kind kind, int64_t at, int64_t size, int64_t least, int64_t *out);

// Slice of one axis of size d, as ONNX Slice-13 clamps it: element i of the result is element
// start + i*step, 0 <= i < count. If count is 0, start is 0; if count is at most 1, step is 1, so that extreme
// numbers do not propagate.
typedef struct rsh_range {
  rsh_num start, step, count;
} rsh_range;
rsh_status rsh_slice_range(rsh_symbols *s, rsh_num d, rsh_num start, rsh_num end, int64_t step,
                           rsh_range *out);

// Sizes of the parts of split: part k starts at `start` of the axis and is `count` long.
rsh_status rsh_split_part(const rsh_call *call, int32_t k, int32_t *axis, rsh_num *start,
                          rsh_num *count);

// The effect of pad on an axis of size d: element i of the result, i < before + kept + after, is element
// start + (i - before) if before <= i < before + kept; the mode defines the others. One of before and after may be
// below 0 if the axis is cropped last.
typedef struct rsh_padding {
  rsh_num start, kept, before, after;
} rsh_padding;
rsh_status rsh_pad_axis(const rsh_call *call, int32_t axis, rsh_padding *out, rsh_fault *fault);

typedef enum rsh_pad_mode {
  RSH_PAD_CONSTANT,
  RSH_PAD_EDGE,
  RSH_PAD_REFLECT,
  RSH_PAD_SYMMETRIC,
  RSH_PAD_WRAP,
  RSH_PAD_MODES
} rsh_pad_mode;
// The mode of a pad. False: no mode has that name.
bool rsh_pad_mode_of(const rsh_call *call, rsh_pad_mode *out);

// The total roll of an axis of this size: 0 <= distance <= size. RSH_unknown_size: how often it wraps around depends
// on sizes.
rsh_status rsh_roll_distance(const rsh_call *call, int32_t axis, const rsh_num *size,
                             rsh_num *distance);

#ifdef __cplusplus
}
#endif
#endif
