// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fewest nodes of ONNX that put all elements of one tensor into another order: nothing, or at most
// Reshape, Transpose, Reshape.
#ifndef FRONTEND_ONNX_REORDER_H
#define FRONTEND_ONNX_REORDER_H

#include "frontend/text/arena.h"
#include "runtime/fold.h"

// Transpose with `list` as perm, or Reshape with it as target, in which 0 and -1 stand for sizes that are
// symbolic.
typedef struct ReorderStep {
  bool is_transpose;
  int32_t count;
  int64_t list[RSH_MAX_RANK];
} ReorderStep;

typedef struct Reorder {
  int count, transposes;
  ReorderStep step[3];
} Reorder;

// True when a value takes every element of its one source exactly once, both of `volume` elements.
bool reorder_is(rsh_symbols *s, const rsh_moves *moves, rsh_num volume);

// Sizes that are never 0.
typedef VEC(rsh_num) ReorderSizes;

// The steps from a source of the sizes `from` to a value of the sizes `to`, whose moves are such. A target
// has -1 beside other symbolic sizes only if these are never 0: else engines refuse it. False: no target says what is
// wanted.
//
//   [8, 384, 768] to [8, 12, 384, 64], moves 8, 12, 384, 64   ->   Reshape [8, 384, 12, 64], Transpose [0, 2, 1, 3]
bool reorder_steps(rsh_symbols *s, const rsh_moves *moves, const rsh_shape *from,
                   const rsh_shape *to, const ReorderSizes *positive, Reorder *out);

#endif
