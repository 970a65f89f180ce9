// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefetching ahead of the tiles of a block.
#ifndef CODEGEN_EMIT_AHEAD_H
#define CODEGEN_EMIT_AHEAD_H

#include "codegen/llvm/llvm_build.h"

// A loop that is being built, and the loops around it: its index from 0, its number of iterations, and the bytes that
// the source advances in each.
typedef struct Round {
  const struct Round *outer;
  LLVMValueRef index, count, step;
} Round;

// The blocks of a transposition, in reading order; the last block of a loop may be smaller.
typedef struct Reading {
  int64_t rows, bytes;   // of a block: its rows of the source, and the bytes of each
  LLVMValueRef all_rows; // rows of the whole transposition
  int64_t all_bytes;     // bytes of each of those; 0: unknown
  LLVMValueRef pitch;    // bytes from row to row, a constant
  int64_t distance;      // prefetch distance, in bytes of the source
  bool is_near;          // into the L1 cache, not L2
} Reading;

// The rows that are prefetched during one block.
typedef struct Ahead {
  Gen *g;
  LLVMValueRef from;         // the first byte
  LLVMValueRef pitch;        // bytes from row to row
  LLVMValueRef rate;         // rows per step, in fixed point
  LLVMValueRef is_last;      // whether a row has `last_lines`,
  int64_t lines, last_lines; // not `lines`
  bool is_near;
} Ahead;

// For the block that begins at `here`: `rows` is the loop over the blocks of a column, inside the loop over columns.
// The block takes `steps` steps.
Ahead ahead_begin(Gen *g, const Reading *reading, LLVMValueRef here, const Round *rows,
                  LLVMValueRef steps);
// Prefetches the share of one step.
void ahead_step(const Ahead *ahead, LLVMValueRef step);

#endif
