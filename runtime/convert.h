// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// convert: one element from one type to another, as ONNX Cast-25 has it, in integer arithmetic alone:
// exact, and the same on every machine. Kernels do this with instructions; they are held to this.
//
//   to a float     nearest, ties to even; out of range: infinity
//   to float8      out of range: the largest value, or without `saturate` infinity or NaN
//   to f4e2m1      out of range: the largest value; NaN: zero, of the other sign
//   to f8e8m0      powers of two: by `round`; the sign is ignored. With `saturate` to the nearest there
//                  is, without it NaN for what lies outside of 2^-127 ... 2^127
//   float to int   towards zero; out of range, which ONNX leaves open: the nearest there is, NaN: 0. To
//                  2 and 4 bits by way of i32, whose low bits are kept (as in ONNX's own test data)
//   int to int     the low bits
//   to bool        whether it is anything but zero; NaN is
//
// A NaN stays one and keeps its sign where the type has signs; between f16, bf16, f32 and f64 also
// what fits of its payload.
#ifndef RSH_CONVERT_H
#define RSH_CONVERT_H

#include "runtime/dtype.h"
#include "runtime/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// For f8e8m0: to the power of two above, below, or nearest (the upper one of two).
typedef enum rsh_round { RSH_ROUND_UP, RSH_ROUND_DOWN, RSH_ROUND_NEAREST } rsh_round;

typedef struct rsh_cast_rule {
  bool saturate; // of the float8 types
  rsh_round round;
} rsh_cast_rule;

// What the largest exponent of a float type stands for.
typedef enum rsh_special {
  RSH_NO_FLOAT,
  RSH_IEEE,      // infinity, and NaN with a payload
  RSH_ONE_NAN,   // numbers; NaN where all bits but the sign are set
  RSH_NAN_IS_80, // numbers; NaN stands where -0 would
  RSH_NUMBERS    // numbers alone
} rsh_special;

// A sign, exponent_bits and mantissa_bits. f8e8m0 is none of these: it is an exponent alone.
typedef struct rsh_float {
  rsh_special special;
  int mantissa_bits, exponent_bits, bias;
} rsh_float;
rsh_float rsh_dtype_float(rsh_dtype type);

// What such a type is made of. An element type is at most one of these.
bool rsh_dtype_is_float(rsh_dtype type);   // f64 down to f4e2m1, not complex
bool rsh_dtype_is_integer(rsh_dtype type); // i64 down to u2, not bool
bool rsh_dtype_is_signed(rsh_dtype type);  // of integers

// Whether there is a conversion: between all of bool, integers and floats, and of any type to itself.
bool rsh_is_convertible(rsh_dtype from, rsh_dtype to);

// One element as bits, the low ones of a number; both types are bool, integer or float.
uint64_t rsh_convert_bits(uint64_t bits, rsh_dtype from, rsh_dtype to, rsh_cast_rule rule);

// One element in memory; one of less than a byte is the low bits of a byte. RSH_bad_type: there is no
// such conversion (of string, also not to itself: the width of its handle is the target's).
rsh_status rsh_convert(const void *from, rsh_dtype from_type, void *to, rsh_dtype to_type,
                       rsh_cast_rule rule);

// A number as an element in memory; of complex types the real part. False: the type has no numbers,
// or is bool or an integer type without this very number (300 in u8, 1.5 in i32).
bool rsh_element_from_double(double value, rsh_dtype type, uint8_t bits[16]);
bool rsh_element_from_int(int64_t value, rsh_dtype type, uint8_t bits[16]);

#ifdef __cplusplus
}
#endif
#endif
