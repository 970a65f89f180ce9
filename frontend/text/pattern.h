// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns of rearrange and of layouts, in einops' notation with einx' sums, as data:
//
//   "b (h d=2) ... -> h b 1 ..., d"
//     left   one tensor    groups 0: b   1: h d   2: ...
//     right  two tensors   groups 0: h   1: b   2: 1   3: ...    and    0: d
//   "(q + 2 k)"  one group of two terms, q and 2 k
//
// `()` is a group without items. Positions are byte offsets from the start of the pattern.
#ifndef FRONTEND_PATTERN_H
#define FRONTEND_PATTERN_H

#include "frontend/text/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum {
  PATTERN_MAX_ITEMS = 64, // per tensor; also limits its groups, and the tensors of one side
  PATTERN_MAX_BYTES = 4096
};

typedef struct PatternItem {
  enum { PATTERN_AXIS, PATTERN_NUMBER, PATTERN_ELLIPSIS } kind;
  const char *name; // AXIS; ELLIPSIS: the name before the dots, or ""
  int64_t number;   // NUMBER; AXIS: the size written after it
  bool has_number;
  bool is_repeated; // AXIS: s..., one for each repetition of (s ds)...
  int group;        // index of the tensor's axis it belongs to; items are in order
  int term;         // index of its term within the group
  uint32_t begin, end;
} PatternItem;

typedef struct PatternGroup {
  bool in_brackets;
  bool is_repeated; // (s ds)..., or only s...
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
  VEC(const char *) repeated; // s and ds of (s ds)..., repeated as ranks require: pattern_repeat
} Pattern;

typedef struct PatternError {
  const char *kind, *message;
  uint32_t begin, end;
} PatternError;

// Parses a pattern; the caller determines what an axis means and its size.
bool pattern_parse(Arena *arena, const char *text, uint32_t length, Pattern *out,
                   PatternError *error);

bool pattern_repeats(const Pattern *pattern, const char *name);
// Expands (s ds)... to this many axes: twice is (s.0 ds.0) (s.1 ds.1), and s... is s.0 s.1.
bool pattern_repeat(Arena *arena, Pattern *pattern, int times, PatternError *error);

#endif
