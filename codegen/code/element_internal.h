// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the builders of functions of elements.
#ifndef CODEGEN_ELEMENT_INTERNAL_H
#define CODEGEN_ELEMENT_INTERNAL_H

#include "codegen/code/element.h"
#include "runtime/convert.h"

// ---- numbers (element_cast.c) ----

typedef enum Kind { SIGNED, UNSIGNED, FLOAT } Kind;

// FLOAT: a float or a double; else an integer of any width.
typedef struct Number {
  Kind kind;
  ElementValue value;
} Number;

// An element as a number that loses nothing of it, and a number as an element.
Number cast_apart(Element *e, rsh_dtype type, ElementValue bits);
ElementValue cast_together(Element *e, rsh_dtype type, Number n, rsh_cast_rule rule);

// The same, as the result of a step that computes; of one that compares, it is a bool already.
ElementValue cast_back(Element *e, const rsh_step *step, Number n);

// ---- steps: <rule>_build of each rule of ops.def in the family MAPS takes an element through a step ----

ElementValue cast_build(Element *e, const rsh_step *step, ElementValue bits); // element_cast.c
ElementValue quantize_build(Element *e, const rsh_step *step,
                            ElementValue bits); // element_quantize.c
ElementValue dequantize_build(Element *e, const rsh_step *step, ElementValue bits);
ElementValue requantize_build(Element *e, const rsh_step *step, ElementValue bits);
ElementValue activation_build(Element *e, const rsh_step *step,
                              ElementValue bits); // element_activation.c
ElementValue arithmetic_build(Element *e, const rsh_step *step,
                              ElementValue bits); // element_arithmetic.c

// ---- constants (element_constant.c) ----

// The bits of an element of a constant as a double: of all floats but f64 it is one of f32.
double float_of_bits(rsh_dtype type, uint64_t bits);
int64_t integer_of_bits(rsh_dtype type, uint64_t bits);

// Argument k of a step: the elements that are its entries, or the one that it is.
typedef struct Constant {
  rsh_dtype type;
  const uint64_t *bits;
  int64_t count;
} Constant;
Constant constant_of_step(const Element *e, const rsh_step *step, int k, rsh_dtype type);

// What each element of a constant becomes: bits of an integer or a float. `more` is what `of` needs beside.
typedef uint64_t ConstantMap(const Constant *c, uint64_t bits, int64_t more);
ElementValue constant_value(Element *e, const Constant *c, ElementType type, ConstantMap *of,
                            int64_t more);
// Whether any becomes something other than 0.
bool constant_has(const Constant *c, ConstantMap *of, int64_t more);
// The elements as numbers of f32, or of f64 where they are of f64; as integers that keep their value.
uint64_t constant_as_float(const Constant *c, uint64_t bits, int64_t more);
uint64_t constant_as_integer(const Constant *c, uint64_t bits, int64_t more);
uint64_t bits_of_single(double n);

// Whether a is above b, two floats or doubles; false where one is NaN. Also for machines without a unit.
ElementValue float_above(Element *e, ElementValue a, ElementValue b);

static inline ElementValue negated(Element *e, ElementValue x) {
  return element_binary(e, ELEMENT_SUB, element_integer(e, element_type(e, x).bits, 0), x, "minus");
}

// ---- without a unit (element_soft.c) ----

// Casts and comparisons in integer arithmetic alone, for machines without a floating-point unit, or with one that lacks
// double, or conversions of 64-bit integers: C compilers would call a library there (__aeabi_f2iz, __floatdidf).

// Whether the target's unit lacks what a cast takes where it has instructions.
bool soft_is_cast(const Element *e, rsh_dtype from, rsh_dtype to);

// A float element, of any type but f8e8m0, to an integer type.
ElementValue soft_integer(Element *e, rsh_dtype from, ElementValue bits, rsh_dtype to);

// An integer, or a bool of 0 and 1, as a magnitude of the bits of a float type, rounded, and a sign of 0 or 1, both of
// 32 bits or of 64 where the type has so many. `may_pass`: the magnitude may be past the largest number.
typedef struct SoftNumber {
  ElementValue magnitude, sign;
  bool may_pass;
} SoftNumber;
SoftNumber soft_of_integer(Element *e, rsh_dtype from, ElementValue bits, rsh_dtype to);
// To f8e8m0.
ElementValue soft_power_of_integer(Element *e, rsh_dtype from, ElementValue bits,
                                   rsh_cast_rule rule);

// The magnitude of a narrow type with that of a number below the least normal one moved to the left until its leading
// bit is where the hidden one would be, by *gap places; by 0 in all others.
ElementValue soft_normal(Element *e, ElementValue magnitude, const rsh_float *f, ElementValue *gap);
// A magnitude of a wide type with exponents as `f` counts them, and below its least normal number what is left of
// it, with a mark in the lowest bit for what is lost: rounding it is rounding the number.
ElementValue soft_rebased(Element *e, ElementValue magnitude, int mantissa, int bias,
                          const rsh_float *f);

// Two floats or doubles, compared as signed integers are: false where one is NaN, and -0 is 0.
ElementValue soft_compare(Element *e, ElementOp comparison, ElementValue a, ElementValue b);

#endif
