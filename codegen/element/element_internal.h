// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the builders of element-wise functions.
#ifndef CODEGEN_ELEMENT_INTERNAL_H
#define CODEGEN_ELEMENT_INTERNAL_H

#include "codegen/element/element.h"
#include "runtime/convert.h"

// ---- operations on constants (element_fold.c) ----

// The value of an element of a constant, from its bits. It is exact in f32 unless the type is f64.
double float_of_bits(rsh_dtype type, uint64_t bits);
int64_t integer_of_bits(rsh_dtype type, uint64_t bits);
uint64_t bits_of_single(double n);
// The bits of a float of 16, 32 or 64 bits as a number, and back.
double element_number_of(uint64_t bits, int width);
uint64_t element_bits_of(double number, int width);
// Works out an operation on constants, given by their bits; `from` is the type of the first. False: it is not, since
// the result is not the same on all machines, or there is none.
bool element_work_out(ElementOp op, ElementType type, ElementType from, const uint64_t *of,
                      uint64_t *out);

// ---- numbers (element_cast.c) ----

typedef enum Kind { SIGNED, UNSIGNED, FLOAT } Kind;

// FLOAT: a float or a double; otherwise an integer of any width.
typedef struct Number {
  Kind kind;
  ElementValue value;
} Number;

// An element as a number, without loss, and a number as an element.
Number cast_apart(Element *e, rsh_dtype type, ElementValue bits);
ElementValue cast_together(Element *e, rsh_dtype type, Number n, rsh_cast_rule rule);

// The same for the result of a step that computes. The result of a comparison is already a bool.
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

// Argument k of a step: the entries of its table, or the single element.
typedef struct Constant {
  rsh_dtype type;
  const uint64_t *bits;
  int64_t count;
} Constant;
Constant constant_of_step(const Element *e, const rsh_step *step, int k, rsh_dtype type);

// Maps an element of a constant to the bits of an integer or a float. `more` is an additional argument.
typedef uint64_t ConstantMap(const Constant *c, uint64_t bits, int64_t more);
ElementValue constant_value(Element *e, const Constant *c, ElementType type, ConstantMap *of,
                            int64_t more);
// Whether any element does not map to 0.
bool constant_has(const Constant *c, ConstantMap *of, int64_t more);
// The elements as f32, or as f64 if they are f64; as integers of the same value.
uint64_t constant_as_float(const Constant *c, uint64_t bits, int64_t more);
uint64_t constant_as_integer(const Constant *c, uint64_t bits, int64_t more);
uint64_t constant_as_bits(const Constant *c, uint64_t bits, int64_t more);

// a > b for numbers of f32 or f64, or for the bits of f16 or bf16; false if one is NaN. Works also on machines without
// a floating-point unit.
ElementValue float_above(Element *e, rsh_dtype type, ElementValue a, ElementValue b);

// Whether elements of this type keep their bits in an operator that chooses: whose result is always the operand, with
// another sign perhaps, or a constant. Integers compare them, of which all machines have vectors. Other operators
// compute f16 and bf16 as f32.
static inline bool keeps_bits(rsh_dtype type) { return type == RSH_F16 || type == RSH_BF16; }

static inline ElementValue negated(Element *e, ElementValue x) {
  return element_binary(e, ELEMENT_SUB, element_integer(e, element_type(e, x).bits, 0), x, "minus");
}

// ---- without a unit (element_soft.c) ----

// Casts and comparisons in integer arithmetic, for machines without a floating-point unit, or whose unit lacks double
// or conversions of 64-bit integers: there C compilers would call a library (__aeabi_f2iz, __floatdidf).

// Whether the target's floating-point unit lacks the instructions of a cast.
bool soft_is_cast(const Element *e, rsh_dtype from, rsh_dtype to);

// Casts a float element, of any type but f8e8m0, to an integer type.
ElementValue soft_integer(Element *e, rsh_dtype from, ElementValue bits, rsh_dtype to);

// An integer, or a bool 0 or 1, rounded to the magnitude bits of a float type, and its sign, 0 or 1. Both have 32 bits,
// or 64 if the type has 64. `may_pass`: the magnitude may exceed the largest number.
typedef struct SoftNumber {
  ElementValue magnitude, sign;
  bool may_pass;
} SoftNumber;
SoftNumber soft_of_integer(Element *e, rsh_dtype from, ElementValue bits, rsh_dtype to);
// The same for f8e8m0; the result is the element.
ElementValue soft_power_of_integer(Element *e, rsh_dtype from, ElementValue bits,
                                   rsh_cast_rule rule);

// The magnitude of a narrow type. A subnormal one is shifted left by *gap bits, so that its leading bit is in the
// position of the hidden bit; otherwise *gap is 0.
ElementValue soft_normal(Element *e, ElementValue magnitude, const rsh_float *f, ElementValue *gap);
// A magnitude of a wide type with the exponent bias of `f`. Below the least normal number of `f` it is shifted right,
// with a sticky bit for the lost bits, so rounding it is the same as rounding the number.
ElementValue soft_rebased(Element *e, ElementValue magnitude, int mantissa, int bias,
                          const rsh_float *f);

// Compares floats of 16, 32 or 64 bits, or their bits, as signed integers: false if one is NaN, and -0 equals 0.
ElementValue soft_compare(Element *e, rsh_dtype type, ElementOp comparison, ElementValue a,
                          ElementValue b);

#endif
