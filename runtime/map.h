// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// map: numbered chains of element-wise functions. A move has the number of the chain for its elements; a chain
// does not depend on positions.
//
//   0                           the element itself
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

// One element-wise function: an operator of the family RSH_MAPS.
typedef struct rsh_step {
  rsh_op op;
  rsh_dtype from, to;
  rsh_cast_rule rule; // of a cast, and of quantize
  // The bits of the arguments that are elements (rsh_value_type), in order: for arithmetic, quantize and dequantize.
  // For requantize the multiplier, the shift and the zero point.
  uint64_t constant[RSH_CONSTANTS];
  // Bit k: constant k is the number of a table of the caller (rsh_arg.table) with `places` entries. An element at table
  // position `at` (fold.h) uses entry at / divisor % places.
  uint32_t tables;
  int64_t places, divisor;
  bool is_moderate; // quantize and dequantize: every scale is between 2^-63 and 2^63
  // Lookup: the bits of each of `entries` entries; NULL if the table is known only by its number, constant[0].
  const rsh_num *table;
  int32_t entries;
} rsh_step;

typedef struct rsh_map {
  int32_t before; // the chain that comes first
  rsh_step step;
  int64_t places; // number of combinations of entries of its tables; 1 if it has none
} rsh_map;

// All chains of a graph, in the caller's storage. Each is stored once, so equal numbers mean equal
// functions.
typedef struct rsh_maps {
  rsh_map *map;            // entry 0 is unused
  int32_t count, capacity; // count includes entry 0: it is at least 1
} rsh_maps;

// True if the operator is element-wise. rsh_step_of_call also writes it to `step`.
bool rsh_is_elementwise(rsh_op op);
bool rsh_step_of_call(const rsh_call *call, rsh_step *step);
bool rsh_same_step(const rsh_step *a, const rsh_step *b);

// True if the operator is a function of whole rows, the elements along the last axis, in place: softmax. It has
// the moves of its operand (rsh_fold); the caller applies the function to the rows afterwards.
bool rsh_is_rowwise(rsh_op op);

// The chain `before`, then `step`. A cast to the same type is omitted; two casts are merged if the first is
// lossless: u8 to f32 to f64 is u8 to f64, and a cast back to u8 cancels. RSH_too_small: the table is full.
rsh_status rsh_map_add(rsh_maps *maps, int32_t before, const rsh_step *step, int32_t *out);

// Applies a chain other than 0 to one element in memory. RSH_unsupported: it has steps other than casts, which may need
// floating-point arithmetic and exist only in kernels.
rsh_status rsh_map_element(const rsh_maps *maps, int32_t map, const void *from, void *to);
// rsh_map.places; 1 of chain 0.
int64_t rsh_map_places(const rsh_maps *maps, int32_t map);
// The argument that names the axis of tables of rank 1, for quantize and dequantize; -1: the last axis.
int32_t rsh_table_axis_arg(rsh_op op);
// The entry of its tables that a step uses for an element.
static inline int64_t rsh_step_entry(const rsh_step *step, int64_t at) {
  return step->tables == 0 ? 0 : at / step->divisor % step->places;
}

// The type of the elements that a chain other than 0 takes.
rsh_dtype rsh_map_takes(const rsh_maps *maps, int32_t map);

// True if `to` has every value of `from`, so that a cast there and back changes nothing.
bool rsh_is_lossless(rsh_dtype from, rsh_dtype to);

#ifdef __cplusplus
}
#endif
#endif
