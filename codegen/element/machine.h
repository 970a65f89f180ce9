// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CODEGEN_ELEMENT_MACHINE_H
#define CODEGEN_ELEMENT_MACHINE_H

#include <stdbool.h>

// The instructions of a machine that determine how elements are computed.
typedef struct ElementMachine {
  int word;          // bits of a pointer
  bool has_half;     // between f16 and f32,
  bool has_single;   // for arithmetic of f32,
  bool has_double;   // of f64,
  bool has_long;     // from and to integers of 64 bits,
  bool has_product;  // of 32-bit integers to 64 bits,
  bool clamps;       // from floats to integers, clamped to their range, also in vectors,
  bool counts_zeros; // that count leading zeros, and
  bool keeps_nan;    // sign and payload, from f32 to f64 and back, and makes it a quiet one
  int vector;        // bytes of a vector of table lookups, and
  int table; // of the table that one shuffle reads: pshufb 16, tbl 64, vpermi2b 128; 0: there is none
  bool shares; // casts without hardware support are shared functions; else they are inlined
} ElementMachine;

#endif
