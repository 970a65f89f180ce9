// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// resolve: shapes in, shapes out. One rule an operator, for compile time and run time alike.
// Storage is the caller's; nothing is allocated; results are written only on success.
#ifndef RSH_RESOLVE_H
#define RSH_RESOLVE_H

#include "runtime/op.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where a call went wrong and the two numbers that disagree, for messages.
typedef struct rsh_fault {
  int32_t input;       // tensor operand at fault, or -1
  int32_t arg;         // argument at fault (index into rsh_call.arg), or -1
  int32_t entry;       // entry of that argument's list, or axis of that input, or -1
  rsh_num left, right; // both sides, by status: see the comment on each rule; e.g. for volume_mismatch
                       // the input's and the target's element count, for bad_axis the axis and the rank
} rsh_fault;

// The number of results of a call: 1 but for split. (Needs in, in_type and arg alone.)
rsh_status rsh_out_count(const rsh_call *call, int32_t *out, rsh_fault *fault);

// Shapes of all results: out[0 .. call->out_count-1]. `fault` may be NULL.
rsh_status rsh_resolve(const rsh_call *call, rsh_shape *out, rsh_fault *fault);

// Slice of one axis of size d, as ONNX Slice-13 clamps it (semantics.md section 8):
// element i of the result is element start + i*step, 0 <= i < count.
typedef struct rsh_range {
  rsh_num start, step, count;
} rsh_range;
rsh_status rsh_slice_range(rsh_symbols *s, rsh_num d, rsh_num start, rsh_num end, int64_t step, rsh_range *out);

// Sizes of the parts of split: part k starts at `start` of the axis and is `count` long.
rsh_status rsh_split_part(const rsh_call *call, int32_t k, int32_t *axis, rsh_num *start, rsh_num *count);

#ifdef __cplusplus
}
#endif
#endif
