// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LoD: offsets that divide the first axis of a tensor into sequences. The caller stores them separately from
// the tensor; the compiler only tracks to which results they still apply.
#ifndef FRONTEND_LOD_H
#define FRONTEND_LOD_H

#include "frontend/text/arena.h"
#include "runtime/op.h"

// Returns whether the offsets of the first operand apply to result `k`, of shape `out`: except in Paddle's
// reshape, if row t of the result consists of row t of the operand, for all symbols.
//
//   f32[6, 8]   reshape to [6, 2, 4] yes, to [12, 4] no;  transpose [1, 0] no;  [:, 2:5] yes, [1:] no
bool lod_is_kept(Arena *arena, const rsh_call *call, int32_t k, const rsh_shape *out);

#endif
