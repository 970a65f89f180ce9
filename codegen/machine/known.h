// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The targets of targets.def, with what LLVM would say about them.
#ifndef CODEGEN_KNOWN_H
#define CODEGEN_KNOWN_H

#include "codegen/plan/emit_options.h"

// The float instructions of a processor: for 32 bits, for 64 bits, and conversions to and from integers of 64 bits.
typedef enum Unit { UNIT_NONE, UNIT_SINGLE, UNIT_DOUBLE, UNIT_ALL } Unit;

typedef struct KnownTarget {
  const char *triple;  // as users write it,
  const char *options; // with these options: "-mcpu=cortex-m0", or ""
  const char *normal;  // the triple in LLVM's normal form
  const char *family;  // LLVM's name: "thumb"
  int pointer;         // bits
  bool is_big;         // big-endian
  Unit unit;
} KnownTarget;

extern const char known_host[]; // "x86_64-pc-linux-gnu", of PCs with Linux

// The row of a triple in normal form with these options. NULL: there is none.
const KnownTarget *known_target(Arena *arena, const char *normal, const EmitOptions *options);
// The first row for a processor, "cortex-m4". NULL: there is none.
const KnownTarget *known_processor(Arena *arena, const char *cpu);
// "thumbv6m-none-eabi" is "thumbv6m-unknown-none-eabi"; a triple of no row stays as it is.
const char *known_triple(const char *triple);

#endif
