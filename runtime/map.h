// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// map: chains of functions of one element, numbered. A move carries the number of what is done to each
// element on its way; where it comes from and goes to is not a chain's business.
//
//   0                           the element as it is
//   1   0, cast u8 to f32
//   2   1, relu of f32          cast u8 to f32, then relu
#ifndef RSH_MAP_H
#define RSH_MAP_H

#include "runtime/convert.h"
#include "runtime/op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RSH_CONSTANTS = 3 };

// One function of an element: an operator of the family RSH_MAPS.
typedef struct rsh_step {
  rsh_op op;
  rsh_dtype from, to;
  rsh_cast_rule rule; // of a cast, and of quantize
  // Bits of the elements that are arguments (rsh_value_type), in their order: of arithmetic, quantize and dequantize.
  // Of requantize the multiplier, the shift and the zero point.
  uint64_t constant[RSH_CONSTANTS];
  // Bit k: constant k is the number of a table of the caller (rsh_arg.table), of `places` entries. An element whose
  // move leads it to `at` (fold.h) meets entry at / divisor % places.
  uint32_t tables;
  int64_t places, divisor;
  bool is_moderate; // of quantize and dequantize: every scale lies between 2^-63 and 2^63
  // Of a lookup the bits of each entry, so many of them. None where it is known by the number constant[0] alone.
  const rsh_num *table;
  int32_t entries;
} rsh_step;

typedef struct rsh_map {
  int32_t before; // the chain that comes first
  rsh_step step;
  int64_t places; // how many combinations of entries of its tables there are; 1 where it has none
} rsh_map;

// All chains of a graph, in storage of the caller. Each is there once, so equal numbers mean equal
// functions.
typedef struct rsh_maps {
  rsh_map *map;            // entry 0 is not used
  int32_t count, capacity; // count includes entry 0: it is at least 1
} rsh_maps;

// Whether the operator is a function of one element, and which: `step` may be NULL.
bool rsh_is_elementwise(rsh_op op);
bool rsh_step_of_call(const rsh_call *call, rsh_step *step);
bool rsh_same_step(const rsh_step *a, const rsh_step *b);

// Whether the operator is a function of whole rows, the elements along the last axis, in place: softmax. Its
// moves (rsh_fold) are those of its operand; what it does to the rows once they are there is the
// caller's.
bool rsh_is_rowwise(rsh_op op);

// The chain `before`, then `step`. A cast that changes nothing is left out; casts of which the first loses
// nothing are one: u8 to f32 to f64 is u8 to f64, and then to u8 nothing at all. RSH_too_small: the
// table is full.
rsh_status rsh_map_add(rsh_maps *maps, int32_t before, const rsh_step *step, int32_t *out);

// One element in memory through a chain that is not 0. RSH_unsupported: it has steps other than casts, which may take
// floating-point arithmetic and are for kernels alone.
rsh_status rsh_map_element(const rsh_maps *maps, int32_t map, const void *from, void *to);
// rsh_map.places; 1 of chain 0.
int64_t rsh_map_places(const rsh_maps *maps, int32_t map);
// The argument that says along which axis tables of rank 1 lie, of quantize and its like; -1: they lie along the last.
int32_t rsh_table_axis_arg(rsh_op op);
// The entry of its tables that an element meets in a step.
static inline int64_t rsh_step_entry(const rsh_step *step, int64_t at) {
  return step->tables == 0 ? 0 : at / step->divisor % step->places;
}

// The type of the elements that a chain other than 0 takes.
rsh_dtype rsh_map_takes(const rsh_maps *maps, int32_t map);

// Whether every value of `from` is one of `to`, so that a cast there and back changes nothing.
bool rsh_is_lossless(rsh_dtype from, rsh_dtype to);

#ifdef __cplusplus
}
#endif
#endif
