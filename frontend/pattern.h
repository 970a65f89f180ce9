// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns of rearrange, einops' notation, as data:
//
//   "b (h 2) ... -> h b 1 ..."
//     left   groups 0: b   1: h 2   2: ...        right   groups 0: h   1: b   2: 1   3: ...
//
// `()` is a group without items. Places are bytes from the start of the pattern.
#ifndef FRONTEND_PATTERN_H
#define FRONTEND_PATTERN_H

#include "frontend/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { PATTERN_MAX_ITEMS = 64 }; // of one side, and groups

typedef struct PatternItem {
  enum { PATTERN_AXIS, PATTERN_NUMBER, PATTERN_ELLIPSIS } kind;
  const char *name; // AXIS
  int64_t number;   // NUMBER
  int group;        // which axis of the tensor it belongs to; items stand in order
  uint32_t begin, end;
} PatternItem;

typedef struct PatternSide {
  PatternItem item[PATTERN_MAX_ITEMS];
  int count;
  struct {
    bool in_brackets;
    uint32_t begin, end;
  } group[PATTERN_MAX_ITEMS];
  int group_count;
  int ellipsis; // index of the item that is '...', or -1
  uint32_t begin, end;
} PatternSide;

typedef struct Pattern {
  PatternSide left, right;
} Pattern;

typedef struct PatternError {
  const char *kind, *message;
  uint32_t begin, end;
} PatternError;

// Takes a pattern apart; what an axis means, and its size, is for the caller to find.
bool pattern_parse(Arena *arena, const char *text, uint32_t length, Pattern *out,
                   PatternError *error);

#endif
