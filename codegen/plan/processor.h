// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the cost model knows about the processor that code is made for: a row of machines.def.
#ifndef CODEGEN_PROCESSOR_H
#define CODEGEN_PROCESSOR_H

#include <stdint.h>

typedef struct Processor {
  const char *name;
  int64_t l1, ways, l2, last; // bytes; `ways`: associativity of L1
  int64_t page, pages;        // bytes of a page; pages that the TLB holds
  int64_t near, far;          // bytes that are read ahead, into L1 and into L2
  int64_t rows;            // rows of the source from which they are read into L1; if more, into L2
  int64_t channels, queue; // of the memory; lines that may wait for one channel
  int64_t past;            // bytes of a result from which stores bypass the cache
  int64_t tile;            // bytes of the vectors that transpose tiles within L1
  // Instructions in the time of memcpy for 1 KiB, by what holds both sides: loads, stores and shuffles of up to `tile`
  // bytes.
  int64_t in_l1, in_l2, in_last, in_memory;
} Processor;

// The row of a processor by its LLVM name, "znver5"; for any other name, and for NULL, the generic row.
const Processor *processor_find(const char *cpu);

#endif
