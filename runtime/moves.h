// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files that make up fold: arithmetic that remembers its first failure, and what is done
// to a list of moves whatever the operator.
#ifndef RSH_MOVES_H
#define RSH_MOVES_H

#include "runtime/fold.h"
#include "runtime/map.h"

// Arithmetic for folding. After a failure every result is 0 and `status` keeps the reason, so that a
// rule can compute first and look once.
typedef struct Calc {
  rsh_symbols *symbols;
  rsh_status status;
} Calc;

// What a and b come to that do not fit: 0.
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

// Appends a move without axes that starts where `like` does in its source; `like` may be in the list.
// NULL and RSH_too_small when the list is full.
rsh_move *rsh_moves_push(Calc *c, rsh_moves *m, const rsh_move *like, rsh_num dst_offset);
// Gives the last move one more axis, innermost.
void rsh_moves_push_axis(Calc *c, rsh_moves *m, rsh_axis axis);
// One along which the elements are the same.
void rsh_moves_push_repeat(Calc *c, rsh_moves *m, rsh_num count, rsh_num dst);
// Starts the move `indices` further along the axis, which is one of its own.
void rsh_moves_shift(Calc *c, rsh_move *move, const rsh_axis *axis, rsh_num indices);
// An axis with strides `factor` times as long.
rsh_axis rsh_axis_scale(Calc *c, const rsh_axis *axis, rsh_num factor);
void rsh_moves_pop(rsh_moves *m);

// Appends move k of `in` with each element taken apart into `ratio` parts. Parts of a fill differ, so each is a move of
// its own: it is asked for as many times, with `part` from 0 on; of others `part` is 0. RSH_unknown_size: the elements are
// computed, and only whole.
void rsh_moves_push_parts(Calc *c, rsh_moves *m, const rsh_moves *in, int32_t k, int64_t ratio,
                          int64_t part);

// Of a move of open sizes: from now on it is known that each of its extents is at least 1, for without
// elements whatever is concluded of the move is right. Gives what forget_elements takes back.
rsh_supposed rsh_moves_suppose_elements(Calc *c, const rsh_axis *axis, int32_t count);
void rsh_moves_forget_elements(Calc *c, rsh_supposed added);

// Puts the last move into normal form (fold.h).
void rsh_moves_normalise_last(Calc *c, rsh_moves *m);
// The same of a move that is complete. Without a trace of it where elements lie on each other: then there are none, as
// of [2*A, A*A] with A*A known to be 0, whose A is not.
void rsh_moves_end_last(Calc *c, rsh_moves *m);
// Joins moves that continue each other and sorts the list by dst_offset. `work` is used; its axes must
// have room for those of `m`.
void rsh_moves_join(Calc *c, rsh_moves *m, rsh_moves *work);

// One axis of a projection, the form that every operator but reshape takes: result index i of the
// axis, at <= i < at + count, is element start + (i - at)*step of axis `from` of the operand; the same
// again `repeat` times in all, `pitch` indices apart.
typedef struct Projection {
  int32_t from; // -1: a new axis; all its `count` indices hold the same elements
  rsh_num start, step, count, at;
  rsh_num repeat, pitch; // repeat is 1 for most operators; pitch is at least count
} Projection;

// Appends to `out` the moves of the result of shape `out_shape`, as far as it comes from this operand.
// dim[o] says where axis o comes from. Axes of the operand that no dim names have size 1.
// `work` is emptied and used.
void rsh_moves_project(Calc *c, const rsh_shape *in_shape, const rsh_moves *in,
                       const rsh_shape *out_shape, const Projection *dim, rsh_moves *out,
                       rsh_moves *work);

// The moves of a value of this shape, each element having gone through `step` too, which has tables: stride[i] is the
// distance in them of entries along axis i, 0 where they are the same. `work` is emptied and used.
void rsh_moves_apply(Calc *c, const rsh_shape *shape, const rsh_moves *in, const rsh_step *step,
                     const int64_t *stride, rsh_maps *maps, rsh_moves *out, rsh_moves *work);

#endif
