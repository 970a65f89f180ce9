// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fewest ONNX nodes that rearrange all elements of a tensor: none, or at most Reshape, Transpose, Reshape.
#ifndef FRONTEND_ONNX_REORDER_H
#define FRONTEND_ONNX_REORDER_H

#include "frontend/text/arena.h"
#include "runtime/fold.h"

// Transpose with `list` as perm, or Reshape with it as target, in which 0 and -1 represent symbolic sizes.
typedef struct ReorderStep {
  bool is_transpose;
  int32_t count;
  int64_t list[RSH_MAX_RANK];
} ReorderStep;

typedef struct Reorder {
  int count, transposes;
  ReorderStep step[3];
} Reorder;

// True if a value, with as many elements as its only source, takes every element of that exactly once.
bool reorder_is(rsh_symbols *s, const rsh_moves *moves);

// Sizes that are never 0.
typedef VEC(rsh_num) ReorderSizes;

// The steps from a source of sizes `from` to a value of sizes `to`, whose moves satisfy reorder_is. A target has -1
// next to other symbolic sizes only if these are never 0: otherwise engines reject it. False: no target can express
// it.
//
//   [8, 384, 768] to [8, 12, 384, 64], moves 8, 12, 384, 64   ->   Reshape [8, 384, 12, 64], Transpose [0, 2, 1, 3]
bool reorder_steps(rsh_symbols *s, const rsh_moves *moves, const rsh_shape *from,
                   const rsh_shape *to, const ReorderSizes *positive, Reorder *out);

#endif
