// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fold: a chain of operators becomes a short list of moves.
//
// A move describes the source of a box of a value's row-major elements:
//
//   for each index i in extent[0] x extent[1] x ...
//     value[dst_offset + sum i[k]*dst[k]] = source[src_offset + sum i[k]*src[k]]
//
// If functions of the elements have tables of constants (map.h), an element uses entry at_offset + sum i[k]*at[k];
// otherwise these are 0.
//
// The moves of a value cover each of its elements exactly once. In normal form every extent is at
// least 2, every dst is positive, axes descend by dst, and no two neighbors could be merged: a move of
// known sizes has at most 62 axes. The dst strides work like digits: each is larger than the reach of all
// axes inside it, so that an address can be decoded.
//
//   f32[2,3] transpose([1,0])        one move, axes {3, dst 2, src 1} {2, dst 1, src 3}
//   f32[2,3] reshape([6])            one move, axes {6, dst 1, src 1}: an alias
#ifndef RSH_FOLD_H
#define RSH_FOLD_H

#include "runtime/resolve.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RSH_MAX_AXES = 64, RSH_AXES_PER_MOVE = 8 };

// The axes for which a list of so many moves has room: a few for each, and all that one may have.
static inline int64_t rsh_axes_of_moves(int64_t moves) {
  return moves * RSH_AXES_PER_MOVE + RSH_MAX_AXES;
}

static inline bool rsh_is_fill(int32_t source) { return source < 0; }

struct rsh_fold_state;

typedef struct rsh_axis {
  rsh_num extent;
  rsh_num dst, src; // strides, in elements (rsh_moves.parts)
  rsh_num at;       // stride in the tables of the map
} rsh_axis;

typedef struct rsh_move {
  int32_t source; // the caller's number of the tensor that is read; below 0: a fill, the
                  // caller's constant -1 - source, with src_offset and strides 0
  int32_t map;    // the function of each element: a chain of elementwise operators in
      // the caller's table (map.h); 0: none. Positions in the source count elements of the type that
      // the chain takes, or without a chain, of the value's type: 4-bit ones even in an input of bytes
  int32_t first, axis_count; // its axes: rsh_moves.axis[first ...], outermost (largest dst) first
  rsh_num src_offset, dst_offset, at_offset;
} rsh_move;

bool rsh_same_axis(const rsh_axis *a, const rsh_axis *b);

// A list of moves in the caller's storage. The axes of all moves are stored one after another.
typedef struct rsh_moves {
  rsh_move *move;
  rsh_axis *axis;
  int32_t count, capacity;
  int32_t axis_count, axis_capacity;
  // Above 1: an element of the value consists of this many parts, the first in its lowest bits, and the moves move
  // parts: extents, strides and offsets count them. A fill is then part `src_offset` of its constant, and no move has
  // a map. (bitcast of u1[N, 8] to u8: 8.)
  int32_t parts;
} rsh_moves;

static inline int32_t rsh_moves_parts(const rsh_moves *m) { return m->parts > 1 ? m->parts : 1; }

// The value is the tensor `source` itself, of `volume` elements. No moves when volume is 0.
rsh_status rsh_moves_identity(rsh_moves *out, int32_t source, rsh_num volume);

// The value is stored in `source` with strides: its element (i, j, ...) is element offset + i*stride[0] +
// j*stride[1] + .... `out` needs room for one move and as many axes as the shape has.
rsh_status rsh_moves_strided(rsh_symbols *s, rsh_moves *out, int32_t source, const rsh_shape *shape,
                             const rsh_num *stride, rsh_num offset);

// Redirects a value of this shape, whose moves are `in`, to memory with strides: dst_offset and dst become
// positions in that memory. Elements must not overlap there. `out` and `work` as in rsh_fold.
rsh_status rsh_moves_place(rsh_symbols *s, const rsh_shape *shape, const rsh_moves *in,
                           const rsh_num *stride, rsh_num offset, rsh_moves *out, rsh_moves *work);

// True if the dst strides of each move are known to work like digits, so that elements can be looked up by
// address. With known sizes they always are; with symbols it may be unknown which of two strides is larger.
bool rsh_moves_have_digits(rsh_symbols *s, const rsh_moves *m);

// Copies a list. RSH_too_small: it does not fit.
rsh_status rsh_moves_copy(rsh_moves *out, const rsh_moves *in);

// Result k of a call that resolve accepted: `in` are the moves of its operands, `in_shape` is
// call->in, `out_shape` the resolved shape of result k. `out` and `work` are two lists to write to.
// RSH_too_small: the result needs more moves than `out` or `work` hold; both are then undefined, the
// operands are untouched. RSH_unknown_size: the structure depends on the values of symbols.
rsh_status rsh_fold(const rsh_call *call, int32_t k, const rsh_shape *out_shape,
                    const rsh_moves *const *in, rsh_moves *out, rsh_moves *work);

// How an operator folds.
typedef void rsh_fold_rule(struct rsh_fold_state *fold);
rsh_fold_rule *rsh_fold_rule_of(rsh_op op);

// Callbacks of rsh_fold_staged into the walk over a graph that calls it.
typedef struct rsh_walk {
  rsh_fold_rule *rule; // of the call's operator
  // Makes operand i a stage: a separate source whose elements are looked up one by one. Updates the list of
  // operands. False: it cannot be a stage.
  bool (*stage)(struct rsh_walk *walk, int32_t i);
  bool (*grow)(struct rsh_walk *walk); // gives `out` and `work` more room; NULL: there is no more
} rsh_walk;

// Folds result k as rsh_fold does. If its moves do not fit, or their structure is unknown, operands that consist of
// several moves become stages; the lists grow only if no such operand is left.
rsh_status rsh_fold_staged(const rsh_call *call, int32_t k, const rsh_shape *out_shape,
                           const rsh_moves **in, rsh_moves *out, rsh_moves *work, rsh_walk *walk);

// An estimate of the number of pieces that the operator splits one move into: the room that `out` should have in
// addition to twice the moves of the operands.
int64_t rsh_fold_pieces(const rsh_call *call);

// True when the value is a contiguous run of one source's elements, in order: element i is element
// *offset + i of *source, counted in elements of the value. A value without elements is an alias of source 0 at offset
// 0.
bool rsh_moves_is_alias(rsh_symbols *s, const rsh_moves *m, int32_t *source, rsh_num *offset);

// The single move that expresses this map: value element i is element element[i] of `source`, 0 <= i < volume,
// volume > 0. False, with `out` undefined: the map is not one nest of loops.
//   0 3 1 4 2 5   ->   {3, dst 2, src 1} {2, dst 1, src 3}
bool rsh_moves_from_map(rsh_moves *out, int32_t source, const int64_t *element, int64_t volume);

#ifdef __cplusplus
}
#endif
#endif
