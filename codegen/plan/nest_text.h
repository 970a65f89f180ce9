// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes the loops of a nest in the order in which a machine runs them; numbers are elements.
//
//   u8[256, 256, 3] |> [16:240, 16:240] |> transpose([2, 0, 1]) |> cast(f32)
//
//     from photo + 12336 to y
//       for 224      photo + 768    y + 224
//         for 224    photo + 3      y + 1
//           for 3    photo + 1      y + 50176
//             load, cast to f32, store
#ifndef CODEGEN_NEST_TEXT_H
#define CODEGEN_NEST_TEXT_H

#include "codegen/plan/strategy.h"

typedef struct LoopText {
  const char *head;           // "for 224", "for each of 12 places in a table"
  const char *read, *written; // "photo + 768"; "" if a side has no step
} LoopText;

typedef struct NestText {
  const char *from, *to;           // "photo + 12336"; a constant: "a constant"
  LoopText loop[RSH_MAX_AXES + 1]; // outermost first
  int loop_count;
  const char *body; // "copy 64 elements"
} NestText;

// The text of a nest that writes to a tensor of this name.
NestText nest_text(Arena *arena, const Plan *plan, const Machine *machine, const Nest *nest,
                   const Value *to, const char *name);

// The memory that a nest reads: an input, an output or scratch; "" for a constant.
const char *nest_source_name(Arena *arena, const Plan *plan, int source);
// Bytes per element of one side; 1 if elements have less than a byte.
int64_t nest_source_unit(const Nest *nest, const Value *to);
int64_t nest_result_unit(const Nest *nest, const Value *to);

#endif
