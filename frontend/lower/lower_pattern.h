// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rearrange and the layouts of inputs and results share: a pattern, the tensors on its left, and
// the sizes of its axes.
//
//   lower_axes.c       the sizes of all names
//   lower_steps.c      the operators that are applied
//   lower_pieces.c     pieces of both sides: which becomes which, as primitive steps
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
  bool is_left;  // it stands on the left
  bool is_given; // as an argument
  const PatternGroup
      *divided; // not NULL: the program finds the size, by dividing that of this group
} Axis;

typedef struct Dots { // axes that '...' stands for
  const char *name;   // what stands before the dots, or ""
  const char *label;  // of the tensor where it was met first
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
  const char *text;       // the pattern, and where it stands
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
  int dot;     // ELLIPSIS: which of its axes
  int ordinal; // NUMBER: which of that number in the piece
  int group;   // axis of the tensor it belongs to
  rsh_num size;
} Part;

// A tensor of one side, or one term of each of its sums: "n (q + k)" is the pieces n q and n k.
// Axes of size 1 without a name are no parts.
typedef struct Piece {
  Part *part;
  int count;
  const PatternTensor *tensor;
  Value *value; // NULL until there is one
  bool is_used; // left: something on the right takes it
} Piece;

typedef VEC(Piece) Pieces; // the last sum of a tensor runs fastest

// --- lower_steps.c
// The one result of an operator. NULL: poisoned.
Value *rearrange_apply(Rearrange *r, Binding *b);
// The same, of an operator with a list as its argument.
Value *rearrange_step(Rearrange *r, Value *x, rsh_op op, const rsh_num *list, int count);
// (size of the axis - less) / over as a size that the program finds, or refuses. False: reported.
bool axis_quotient(Rearrange *r, const Operand *operand, int axis, rsh_num less, rsh_num over,
                   rsh_num *out);

// --- lower_axes.c
// A place inside the pattern, where its text stands in the source as it is.
Span pattern_place(const Rearrange *r, uint32_t begin, uint32_t end);
#define PATTERN_FAIL(r, at, kind, ...)                                                             \
  (lower_error((r)->l, pattern_place((r), (at)->begin, (at)->end), (kind), __VA_ARGS__), false)
// Parses the text and collects the names. False: reported.
bool pattern_open(Rearrange *r);
Axis *axis_find(Rearrange *r, const char *name);
Dots *dots_find(Rearrange *r, const char *name);
// Every size that follows from the operands and from what was given. False: reported.
bool pattern_size(Rearrange *r);
// Which axis a group is: an open '...' before it makes several, or none.
int group_axis(Rearrange *r, const PatternTensor *tensor, int group);
int tensor_rank(Rearrange *r, const PatternTensor *tensor);

// --- lower_pieces.c
// The pieces of a tensor, appended. False: reported.
bool pieces_add(Rearrange *r, const PatternTensor *tensor, bool is_left, Pieces *pieces);
// Which part of `left` each of `right` is, or -1 for a repetition. False: reported.
bool pieces_match(Rearrange *r, const Piece *left, const Piece *right, int *from);
// The sizes of a tensor that has one piece. False: reported.
bool piece_shape(Rearrange *r, const Piece *piece, rsh_shape *shape);
// left.value as right says. NULL: reported.
Value *piece_apply(Rearrange *r, const Piece *left, const Piece *right);
// The way back: a value of the right's shape, where nothing is repeated, as the left says.
Value *piece_undo(Rearrange *r, const Piece *left, const Piece *right, Value *value);
// The results, for all of the pattern. count 0: reported.
Values pieces_apply(Rearrange *r);

#endif
