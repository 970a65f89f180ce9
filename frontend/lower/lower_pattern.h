// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by rearrange and the layouts of inputs and results: a pattern, the tensors on its left, and
// the sizes of its axes.
//
//   lower_axes.c       the sizes of all names
//   lower_steps.c      the operators that are applied
//   lower_pieces.c     pieces of both sides: how they correspond, as primitive steps
//   lower_rearrange.c  calls of rearrange
//   lower_layout.c     `layout` and `strides` of inputs and results
#ifndef FRONTEND_LOWER_PATTERN_H
#define FRONTEND_LOWER_PATTERN_H

#include "frontend/lower/lower_internal.h"
#include "frontend/text/pattern.h"

typedef struct Axis { // a name of the pattern
  const char *name;
  rsh_num size;
  bool has_size;
  bool is_left;  // it appears on the left
  bool is_given; // as an argument
  const PatternGroup
      *divided; // not NULL: the program computes the size, by dividing that of this group
} Axis;

typedef struct Dots { // axes covered by '...'
  const char *name;   // the name before the dots, or ""
  const char *label;  // of the tensor that had it first
  int rank;
  rsh_num dim[RSH_MAX_RANK];
} Dots;

typedef struct Operand { // a tensor on the left
  const rsh_shape *shape;
  const char *label; // "'x' (f32[2, 3])"
  Value *value;      // NULL: poisoned, or the declared shape of a layout
  Span span;
} Operand;

typedef struct Rearrange {
  Lower *l;
  const char *word;       // for messages: "rearrange", "layout"
  Span span, callee_span; // the call and its name
  const char *text;       // the pattern and its position
  uint32_t length;
  Span text_span;
  Pattern pattern;
  Operand *operand;
  int operand_count;
  VEC(Axis) axis;
  VEC(Dots) dots;
} Rearrange;

// One axis of a piece.
typedef struct Part {
  const PatternItem *item;
  int dot;     // ELLIPSIS: index among its axes
  int ordinal; // NUMBER: index among the equal numbers of the piece
  int group;   // axis of the tensor it belongs to
  rsh_num size;
} Part;

// A tensor of one side, or one term of each of its sums: "n (q + k)" is the pieces n q and n k.
// Unnamed axes of size 1 are not parts.
typedef struct Piece {
  Part *part;
  int count;
  const PatternTensor *tensor;
  Value *value; // NULL until computed
  bool is_used; // left: a piece on the right uses it
} Piece;

typedef VEC(Piece) Pieces; // the last sum of a tensor varies fastest

// --- lower_steps.c
// Applies an operator with one result. NULL: poisoned.
Value *rearrange_apply(Rearrange *r, Binding *b);
// The same for an operator with a list as its argument.
Value *rearrange_step(Rearrange *r, Value *x, rsh_op op, const rsh_num *list, int count);
// (size of the axis - less) / over, as a size that the program computes or rejects. False: an error
// was reported.
bool axis_quotient(Rearrange *r, const Operand *operand, int axis, rsh_num less, rsh_num over,
                   rsh_num *out);

// --- lower_axes.c
// A position inside the pattern, if its text appears verbatim in the source.
Span pattern_place(const Rearrange *r, uint32_t begin, uint32_t end);
#define PATTERN_FAIL(r, at, kind, ...)                                                             \
  (lower_error((r)->l, pattern_place((r), (at)->begin, (at)->end), (kind), __VA_ARGS__), false)
// Parses the text and collects the names. False: an error was reported.
bool pattern_open(Rearrange *r);
Axis *axis_find(Rearrange *r, const char *name);
Dots *dots_find(Rearrange *r, const char *name);
// Computes every size that follows from the operands and the given sizes. False: an error was
// reported.
bool pattern_size(Rearrange *r);
// The axis of a group: an open '...' before it adds axes, or removes one.
int group_axis(Rearrange *r, const PatternTensor *tensor, int group);
int tensor_rank(Rearrange *r, const PatternTensor *tensor);

// --- lower_pieces.c
// Appends the pieces of a tensor. False: an error was reported.
bool pieces_add(Rearrange *r, const PatternTensor *tensor, bool is_left, Pieces *pieces);
// For each part of `right`, the index of its part in `left`, or -1 for a repetition. False: an error
// was reported.
bool pieces_match(Rearrange *r, const Piece *left, const Piece *right, int *from);
// The sizes of a tensor with one piece. False: an error was reported.
bool piece_shape(Rearrange *r, const Piece *piece, rsh_shape *shape);
// Rearranges left.value to the right's form. NULL: an error was reported.
Value *piece_apply(Rearrange *r, const Piece *left, const Piece *right);
// The inverse: rearranges a value of the right's shape, without repetitions, to the left's form.
Value *piece_undo(Rearrange *r, const Piece *left, const Piece *right, Value *value);
// The results of the whole pattern. count 0: an error was reported.
Values pieces_apply(Rearrange *r);

#endif
