// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading ahead of the tiles of a block.
#ifndef CODEGEN_EMIT_AHEAD_H
#define CODEGEN_EMIT_AHEAD_H

#include "codegen/llvm/llvm_build.h"

// A loop that is being built, around others: its index from 0 on, its rounds, and the bytes that the source goes on
// by in each.
typedef struct Round {
  const struct Round *outer;
  LLVMValueRef index, count, step;
} Round;

// The blocks of a transposition as they are read: the last one of a loop may be shorter.
typedef struct Reading {
  int64_t rows, bytes;   // of a block: rows of the source, and of each so many bytes
  LLVMValueRef all_rows; // of the transposition
  int64_t all_bytes;     // of a row of that; 0: not known
  LLVMValueRef pitch;    // from row to row, a constant
  int64_t distance;      // bytes of the source
  bool is_near;          // into the first cache, not the second
} Reading;

// What is asked for during one block.
typedef struct Ahead {
  Gen *g;
  LLVMValueRef from;         // its first byte
  LLVMValueRef pitch;        // from row to row
  LLVMValueRef rate;         // rows a step, with a fraction
  LLVMValueRef is_last;      // whether a row has not `lines` but
  int64_t lines, last_lines; // so many
  bool is_near;
} Ahead;

// For the block that begins at `here`, in loop `rows` over the blocks of a column and one around it over the
// columns, which takes so many steps.
Ahead ahead_begin(Gen *g, const Reading *reading, LLVMValueRef here, const Round *rows,
                  LLVMValueRef steps);
// The share of one of the steps.
void ahead_step(const Ahead *ahead, LLVMValueRef step);

#endif
