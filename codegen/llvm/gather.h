// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of a result as shuffles of other vectors (emit_shuffle.c, emit_weave.c).
#ifndef CODEGEN_LLVM_GATHER_H
#define CODEGEN_LLVM_GATHER_H

#include "codegen/llvm/llvm_module.h"

enum { MOST_ELEMENTS = 64 };

// Elements of some vectors that form one vector.
typedef struct Gather {
  LLVMValueRef vector[MOST_SHUFFLE_VECTORS];
  int count, width;                               // number of vectors, and of elements in each
  int which[MOST_ELEMENTS], place[MOST_ELEMENTS]; // vector and index of each element
} Gather;

LLVMValueRef gather_build(Gen *g, Gather *gather);
// Interleaves 2, 3 or 4 planes, vectors of `count` elements of `element` bytes each, into as many vectors of pixels; or
// the reverse.
void weave_planes(Gen *g, int planes, int count, int64_t element, bool joins, LLVMValueRef *vector);
// Builds a loop over pieces of `count` iterations with non-temporal stores. A partial last piece overlaps the one
// before, and is stored unaligned through the cache. There is at least one whole piece.
void stream_row(Gen *g, LLVMValueRef extent, int64_t count,
                void (*build)(void *of, LLVMValueRef index), void *of);

#endif
