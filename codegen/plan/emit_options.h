// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of the emitters: outputs and target.
#ifndef CODEGEN_EMIT_OPTIONS_H
#define CODEGEN_EMIT_OPTIONS_H

#include "codegen/plan/plan.h"

// The most bytes that a graph may use; below 0: no limit.
typedef struct Limit {
  int64_t stack, text;
} Limit;

// How a header and object were made, as both record it.
typedef struct Stamp {
  const char *compiler; // "reshapec 0.1.0"
  const char *target;   // the triple
  const char *options;  // options that affect code: "-O2 -mcpu=znver5"
  const char *source;   // SHA-256 of the text or model and its imports; NULL: too large
} Stamp;

// "reshapec 0.1.0 for x86_64-pc-linux-gnu: -O2, source sha256 3c7e..."
static inline const char *stamp_text(Arena *arena, const Stamp *stamp) {
  const char *text =
      arena_printf(arena, "%s for %s: %s", stamp->compiler, stamp->target, stamp->options);
  return stamp->source ? arena_printf(arena, "%s, source sha256 %s", text, stamp->source) : text;
}

typedef enum Ident { IDENT_HOSTED, IDENT_ALWAYS, IDENT_NEVER } Ident;

typedef struct EmitOptions {
  const char *triple;   // NULL: the host
  const char *cpu;      // NULL: generic; "native": this machine
  const char *features; // NULL: none
  const char *abi;      // NULL: the target's own
  int opt_level;        // 0..3; 's' and 'z' for size
  bool freestanding;    // as on targets without an operating system: code must not need a library,
  bool libm;            // except this one,
  bool library;         // and memcpy and memset
  bool scan;            // check that elements in the code affect only elements
  bool debug;           // emit debug information for lines of the source
  Limit limit;          // of objects
  struct ObjectReport *report; // of an object: filled in; or NULL (codegen/machine/report.h)
  int64_t dma_loops;           // most loops of a descriptor; below 0: no limit
  unsigned levels;    // x86-64 levels to emit functions for, selected at run time: bit 1 << level
  bool parallel;      // also emit functions for tasks
  bool hook;          // and the header runs tasks through the program's rsh_parallel_for
  const Stamp *stamp; // NULL: none
  Ident ident;        // whether objects contain it; HOSTED: unless they are freestanding
  const char *prefix; // for the functions and macros of all graphs; NULL: none
  const char *header; // that C code includes; NULL: it is self-contained
} EmitOptions;

typedef enum EmitKind {
  EMIT_OBJECT,
  EMIT_ASM,
  EMIT_LLVM_IR,
  EMIT_BITCODE,
  EMIT_C,
  EMIT_DMA
} EmitKind;

typedef struct Bytes {
  const char *data; // in the arena
  size_t size;
} Bytes;

#endif
