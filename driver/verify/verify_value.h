// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of element-wise functions. Casts are those of runtime/convert.h, bit for bit. Activations and softmax are
// evaluated in double by their definitions: results may differ by a rounding tolerance, since verify looks for
// misplaced elements (docs/activations.md has the errors).
#ifndef DRIVER_VERIFY_VALUE_H
#define DRIVER_VERIFY_VALUE_H

#include "driver/verify/verify_map.h"

typedef struct Number {
  uint8_t bits[16]; // as in memory
  rsh_dtype dtype;
  bool is_near; // the expected value is `near`, within `tolerance`
  double near, tolerance;
} Number;

// The element that a label of an input, a weight or a constant represents.
typedef void ElementOf(const void *context, const Origin *origin, int64_t label, uint8_t to[16]);

// Reads an element that no pattern chooses: a constant, or a number of a target or of indices. False: a pattern chooses
// it.
bool value_is_given(const Map *map, const Origin *origin, int64_t label, uint8_t to[16]);
// Loads element `at` of memory.
void value_load(const uint8_t *data, int64_t at, int bits, uint8_t to[16]);

typedef struct Values Values;
Values *values_new(const Map *map, ElementOf *element, const void *context);
Number value_of_cell(Values *values, int64_t cell);
// Reinterprets a number, as bitcast does. The bits of an approximate number are unknown.
void number_set_type(Number *n, rsh_dtype dtype);
void values_free(Values *values);
// True if a chain of functions returns each element of a type unchanged, except that a NaN may become quiet.
bool value_keeps_bits(const Map *map, int chain, rsh_dtype dtype);

// An element of an input for a label in round `round`; the rounds cover all kinds of values of the type.
void value_sample(const Map *map, int round, rsh_dtype dtype, int64_t label, uint8_t to[16]);
double value_as_double(const uint8_t bits[16], rsh_dtype dtype);

#endif
