// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// convert: converts one element to another type as ONNX Cast-25 does, in integer arithmetic only: exact, and the same
// on every machine. Kernels use machine instructions, and must give the same results.
//
//   to a float     nearest, ties to even; out of range: infinity
//   to float8      out of range: the largest value, or without `saturate` infinity or NaN
//   to f4e2m1      out of range: the largest value; NaN: zero, of the other sign
//   to f8e8m0      a power of two, rounded by `round`; the sign is ignored. Outside of 2^-127 ... 2^127: with
//                  `saturate` the nearest value, without it NaN
//   float to int   toward zero; out of range, which ONNX leaves open: the nearest value, NaN: 0. To 2 and 4 bits
//                  through i32, keeping its low bits (as in ONNX's test data)
//   int to int     the low bits
//   to bool        true unless it is zero; NaN is true
//
// A NaN stays NaN and keeps its sign if the type is signed; between f16, bf16, f32 and f64 it also keeps the part of
// its payload that fits.
#ifndef RSH_CONVERT_H
#define RSH_CONVERT_H

#include "runtime/dtype.h"
#include "runtime/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// For f8e8m0: to the power of two above, below, or nearest (ties go up).
typedef enum rsh_round { RSH_ROUND_UP, RSH_ROUND_DOWN, RSH_ROUND_NEAREST } rsh_round;

typedef struct rsh_cast_rule {
  bool saturate; // of the float8 types
  rsh_round round;
} rsh_cast_rule;

// The values that the largest exponent of a float type represents.
typedef enum rsh_special {
  RSH_NO_FLOAT,
  RSH_IEEE,      // infinity, and NaN with a payload
  RSH_ONE_NAN,   // numbers; NaN where all bits but the sign are set
  RSH_NAN_IS_80, // numbers; NaN has the bits of -0
  RSH_NUMBERS    // only numbers
} rsh_special;

// A sign, exponent_bits and mantissa_bits. f8e8m0 is not one of these: it is only an exponent.
typedef struct rsh_float {
  rsh_special special;
  int mantissa_bits, exponent_bits, bias;
} rsh_float;
rsh_float rsh_dtype_float(rsh_dtype type);

// True if there is a conversion: between any two of bool, integers and floats, and from any type to itself.
bool rsh_is_convertible(rsh_dtype from, rsh_dtype to);

// Converts one element, held in the low bits of a number; both types are bool, integer or float.
uint64_t rsh_convert_bits(uint64_t bits, rsh_dtype from, rsh_dtype to, rsh_cast_rule rule);

// Converts one element in memory; an element of less than a byte is in the low bits of a byte. RSH_bad_type: there is
// no such conversion (nor from string to itself: the target decides the width of its handle).
rsh_status rsh_convert(const void *from, rsh_dtype from_type, void *to, rsh_dtype to_type,
                       rsh_cast_rule rule);

// Writes a number as an element in memory; for complex types as the real part. False: the type has no numbers, or is
// bool or an integer type that cannot represent this number exactly (300 in u8, 1.5 in i32).
bool rsh_element_from_double(double value, rsh_dtype type, uint8_t bits[16]);
bool rsh_element_from_int(int64_t value, rsh_dtype type, uint8_t bits[16]);
bool rsh_element_from_unsigned(uint64_t value, rsh_dtype type, uint8_t bits[16]);

#ifdef __cplusplus
}
#endif
#endif
