// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files that make up fold: arithmetic that remembers its first failure, and operations on lists of
// moves that all operators use.
#ifndef RSH_MOVES_H
#define RSH_MOVES_H

#include "runtime/fold.h"
#include "runtime/map.h"

// Arithmetic for folding. After a failure every result is 0 and `status` keeps the reason, so a rule can compute
// first and check once.
typedef struct Calc {
  rsh_symbols *symbols;
  rsh_status status;
} Calc;

// Records that the result of a and b does not fit, and returns 0.
rsh_num rsh_calc_fail(Calc *c, rsh_num a, rsh_num b);

static inline rsh_num rsh_calc_add(Calc *c, rsh_num a, rsh_num b) {
  rsh_num r;
  return rsh_add(c->symbols, a, b, &r) ? r : rsh_calc_fail(c, a, b);
}
static inline rsh_num rsh_calc_sub(Calc *c, rsh_num a, rsh_num b) {
  rsh_num r;
  return rsh_sub(c->symbols, a, b, &r) ? r : rsh_calc_fail(c, a, b);
}
static inline rsh_num rsh_calc_mul(Calc *c, rsh_num a, rsh_num b) {
  rsh_num r;
  return rsh_mul(c->symbols, a, b, &r) ? r : rsh_calc_fail(c, a, b);
}

// Appends a move without axes that starts at the same source position as `like`; `like` may be in the list.
// NULL, and RSH_too_small in `c`: the list is full.
rsh_move *rsh_moves_push(Calc *c, rsh_moves *m, const rsh_move *like, rsh_num dst_offset);
// Appends an axis, innermost, to the last move.
void rsh_moves_push_axis(Calc *c, rsh_moves *m, rsh_axis axis);
// Appends an axis along which all elements are equal.
void rsh_moves_push_repeat(Calc *c, rsh_moves *m, rsh_num count, rsh_num dst);
// Advances the start of the move by `indices` along one of its axes.
void rsh_moves_shift(Calc *c, rsh_move *move, const rsh_axis *axis, rsh_num indices);
// An axis with strides `factor` times as long.
rsh_axis rsh_axis_scale(Calc *c, const rsh_axis *axis, rsh_num factor);
void rsh_moves_pop(rsh_moves *m);

// Appends move k of `in` with each element split into `ratio` parts. The parts of a fill differ, so each needs its own
// move: call this once for each `part` from 0; for other moves `part` is 0. RSH_unknown_size: the elements are
// computed, and cannot be split.
void rsh_moves_push_parts(Calc *c, rsh_moves *m, const rsh_moves *in, int32_t k, int64_t ratio,
                          int64_t part);

// Assumes that each extent of a move of open sizes is at least 1, because any conclusion is valid for a move without
// elements. Returns the state for rsh_moves_forget_elements, which undoes it.
rsh_supposed rsh_moves_suppose_elements(Calc *c, const rsh_axis *axis, int32_t count);
void rsh_moves_forget_elements(Calc *c, rsh_supposed added);

// Puts the last move, which is complete, into normal form (fold.h). Drops the move if its elements overlap: then there
// are none, as in [2*A, A*A] where A*A is known to be 0 but A is not.
void rsh_moves_end_last(Calc *c, rsh_moves *m);
// Joins moves that continue each other and sorts the list by dst_offset. Overwrites `work`, which needs room for the
// axes of `m`.
void rsh_moves_join(Calc *c, rsh_moves *m, rsh_moves *work);

// One axis of a projection, the form that every operator except reshape takes: result index i of the
// axis, at <= i < at + count, is element start + (i - at)*step of axis `from` of the operand. This repeats
// `repeat` times in all, `pitch` indices apart.
typedef struct Projection {
  int32_t from; // -1: a new axis; all its `count` indices hold the same elements
  rsh_num start, step, count, at;
  rsh_num repeat, pitch; // repeat is 1 for most operators; pitch is at least count
} Projection;

// Appends to `out` the moves of the result of shape `out_shape`, for the part that comes from this operand.
// dim[o] defines axis o. Axes of the operand that no dim names have size 1. Overwrites `work`.
void rsh_moves_project(Calc *c, const rsh_shape *in_shape, const rsh_moves *in,
                       const rsh_shape *out_shape, const Projection *dim, rsh_moves *out,
                       rsh_moves *work);

// The moves of a value of this shape, with `step`, which has tables, applied to each element: stride[i] is the distance
// of table entries along axis i, 0 if the same entry serves the whole axis. Overwrites `work`.
void rsh_moves_apply(Calc *c, const rsh_shape *shape, const rsh_moves *in, const rsh_step *step,
                     const int64_t *stride, rsh_maps *maps, rsh_moves *out, rsh_moves *work);

#endif
