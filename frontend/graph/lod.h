// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LoD: offsets that cut the first axis of a tensor into sequences. They are the caller's, beside the
// tensor; what is known here is which results they still fit.
#ifndef FRONTEND_LOD_H
#define FRONTEND_LOD_H

#include "frontend/text/arena.h"
#include "runtime/op.h"

// Whether the offsets of the first operand are those of result `k`, of shape `out`: for every operator but
// Paddle's reshape, when row t of the result is made of row t of the operand, whatever the symbols are.
//
//   f32[6, 8]   reshape to [6, 2, 4] yes, to [12, 4] no;  transpose [1, 0] no;  [:, 2:5] yes, [1:] no
bool lod_is_kept(Arena *arena, const rsh_call *call, int32_t k, const rsh_shape *out);

#endif
