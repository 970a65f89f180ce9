// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What plans are optimized for: the properties of the target processor, a row of machines.def, and size or time.
#ifndef CODEGEN_PROCESSOR_H
#define CODEGEN_PROCESSOR_H

#include "frontend/text/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_LINE = 64 }; // bytes of a cache line, on all of these processors

// What one shuffle can do; each can do what those before it can.
typedef enum Shuffles {
  SHUFFLES_NONE,
  SHUFFLES_ZIP,   // interleave elements of two vectors (SSE2)
  SHUFFLES_BYTES, // move any bytes within 16 bytes (SSSE3, AVX2)
  SHUFFLES_TABLES // pick bytes from several vectors of 16 bytes (NEON, AVX-512 VBMI)
} Shuffles;

typedef struct Processor {
  const char *name;
  int64_t l1, ways, l2, last; // bytes; `ways`: associativity of L1
  int64_t page, pages;        // bytes of a page; entries of the TLB
  int64_t near, far;          // prefetch distances in bytes, into L1 and into L2
  int64_t rows;            // most rows of the source that are prefetched into L1; more go into L2
  int64_t channels, queue; // memory channels; outstanding lines per channel
  int64_t past;            // bytes of a result from which stores bypass the cache
  int64_t tile;            // bytes of the vectors that transpose tiles within L1
  int64_t planes;          // most planes that are written in turn
  // Instructions in the time in which memcpy copies 1 KiB, by the level of memory that holds both sides: loads, stores
  // and shuffles of up to `tile` bytes.
  int64_t in_l1, in_l2, in_last, in_memory;
  // No row sets these.
  bool small; // -Os, -Oz: the form with the least code
  Shuffles shuffles;
} Processor;

// The row of a processor by its LLVM name, "znver5"; for any other name, and for NULL, the generic row.
const Processor *processor_find(const char *cpu);
// A row, for code of least size or of least time, with or without shuffles of bytes.
const Processor *processor_for(Arena *arena, const Processor *row, bool small, Shuffles shuffles);

#endif
