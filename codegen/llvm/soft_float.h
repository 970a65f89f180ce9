// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Casts and comparisons in integer arithmetic alone, for machines without a floating-point unit, or with one that lacks double,
// or conversions of 64-bit integers: C compilers would call a library there (__aeabi_f2iz, __floatdidf). Without a
// branch, as all that emit_step.c builds: what is printed as C is the same.
#ifndef CODEGEN_SOFT_FLOAT_H
#define CODEGEN_SOFT_FLOAT_H

#include "codegen/llvm/llvm_build.h"
#include "runtime/convert.h"

// Whether the target's unit lacks what a cast takes where it has instructions.
bool soft_is_cast(const Gen *g, rsh_dtype from, rsh_dtype to);

// A float element, of any type but f8e8m0, to an integer type.
LLVMValueRef soft_integer(Gen *g, rsh_dtype from, LLVMValueRef bits, rsh_dtype to);

// An integer, or a bool of 0 and 1, as a magnitude of the bits of a float type, rounded, and a sign of 0 or 1, both of
// 32 bits or of 64 where the type has so many. `may_pass`: the magnitude may be past the largest number.
typedef struct SoftNumber {
  LLVMValueRef magnitude, sign;
  bool may_pass;
} SoftNumber;
SoftNumber soft_of_integer(Gen *g, rsh_dtype from, LLVMValueRef bits, rsh_dtype to);
// To f8e8m0.
LLVMValueRef soft_power_of_integer(Gen *g, rsh_dtype from, LLVMValueRef bits, rsh_cast_rule rule);

// The magnitude of a narrow type with that of a number below the least normal one moved to the left until its leading
// bit is where the hidden one would be, by *gap places; by 0 in all others.
LLVMValueRef soft_normal(Gen *g, LLVMValueRef magnitude, const rsh_float *f, LLVMValueRef *gap);
// A magnitude of a wide type with exponents as `f` counts them, and below its least normal number what is left of
// it, with a mark in the lowest bit for what is lost: rounding it is rounding the number.
LLVMValueRef soft_rebased(Gen *g, LLVMValueRef magnitude, int mantissa, int bias,
                          const rsh_float *f);

// Two floats or doubles, compared as signed integers are: false where one is NaN, and -0 is 0.
LLVMValueRef soft_compare(Gen *g, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b);

#endif
