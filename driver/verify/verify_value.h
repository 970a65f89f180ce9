// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions make of elements, where verify needs numbers. Casts are those of runtime/convert.h, to the last
// bit. Activations and softmax are their definitions in double: what is asked of code is to be as near as
// rounding explains, for it is elements in wrong places that are looked for (docs/activations.md has the errors).
#ifndef DRIVER_VERIFY_VALUE_H
#define DRIVER_VERIFY_VALUE_H

#include "driver/verify/verify_map.h"

typedef struct Number {
  uint8_t bits[16]; // as in memory
  rsh_dtype dtype;
  bool is_near; // then `near` is expected, or what is within `tolerance` of it
  double near, tolerance;
} Number;

// The element that a label of an input, a weight or a constant stands for.
typedef void ElementOf(const void *context, const Origin *origin, int64_t label, uint8_t to[16]);

// Of an element that no pattern chooses: a constant, or a number of a target or of indices. False: a pattern does.
bool value_is_given(const Map *map, const Origin *origin, int64_t label, uint8_t to[16]);
// Element `at` of memory.
void value_load(const uint8_t *data, int64_t at, int bits, uint8_t to[16]);

typedef struct Values Values;
Values *values_new(const Map *map, ElementOf *element, const void *context);
Number value_of_cell(Values *values, int64_t cell);
// What a bitcast takes a number for. The bits of one that is but near are anything.
void number_set_type(Number *n, rsh_dtype dtype);
void values_free(Values *values);
// Whether a chain of functions gives each element of a type back as it was, but for NaN, which may become a quiet one.
bool value_keeps_bits(const Map *map, int chain, rsh_dtype dtype);

// An element of an input for a label in round `round`: of every kind of value that its type has.
void value_sample(const Map *map, int round, rsh_dtype dtype, int64_t label, uint8_t to[16]);
double value_as_double(const uint8_t bits[16], rsh_dtype dtype);

#endif
