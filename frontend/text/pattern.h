// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns of rearrange and of layouts, einops' notation and einx' sums, as data:
//
//   "b (h d=2) ... -> h b 1 ..., d"
//     left   one tensor    groups 0: b   1: h d   2: ...
//     right  two tensors   groups 0: h   1: b   2: 1   3: ...    and    0: d
//   "(q + 2 k)"  one group of two terms, q and 2 k
//
// `()` is a group without items. Places are bytes from the start of the pattern.
#ifndef FRONTEND_PATTERN_H
#define FRONTEND_PATTERN_H

#include "frontend/text/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { PATTERN_MAX_ITEMS = 64 }; // of one tensor, and its groups, and tensors of one side

typedef struct PatternItem {
  enum { PATTERN_AXIS, PATTERN_NUMBER, PATTERN_ELLIPSIS } kind;
  const char *name; // AXIS; ELLIPSIS: what stands before the dots, or ""
  int64_t number;   // NUMBER; AXIS: the size written behind it
  bool has_number;
  bool is_repeated; // AXIS: s..., one for each time that a (s ds)... is repeated
  int group;        // which axis of the tensor it belongs to; items stand in order
  int term;         // which term of that
  uint32_t begin, end;
} PatternItem;

typedef struct PatternGroup {
  bool in_brackets;
  bool is_repeated; // (s ds)..., or s... by itself
  int terms;        // 1, or more for (a + b)
  uint32_t begin, end;
} PatternGroup;

typedef struct PatternTensor {
  VEC(PatternItem) item;
  VEC(PatternGroup) group;
  int ellipsis; // index of the item that is '...', or -1
  uint32_t begin, end;
} PatternTensor;

typedef struct PatternSide {
  PatternTensor *tensor; // at least one
  int count;
} PatternSide;

typedef struct Pattern {
  PatternSide left, right;
  VEC(const char *) repeated; // s and ds of (s ds)..., as many axes as ranks say: pattern_repeat
} Pattern;

typedef struct PatternError {
  const char *kind, *message;
  uint32_t begin, end;
} PatternError;

// Takes a pattern apart; what an axis means, and its size, is for the caller to find.
bool pattern_parse(Arena *arena, const char *text, uint32_t length, Pattern *out,
                   PatternError *error);

bool pattern_repeats(const Pattern *pattern, const char *name);
// (s ds)... as so many axes: twice is (s.0 ds.0) (s.1 ds.1), and s... is s.0 s.1.
bool pattern_repeat(Arena *arena, Pattern *pattern, int times, PatternError *error);

#endif
