// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans to tables of copies, for whoever programs a DMA engine: a C header without a function.
#ifndef CODEGEN_DMA_H
#define CODEGEN_DMA_H

#include "codegen/plan/emit_options.h"

// The tables of all graphs as one header. False: a graph does more than copy bytes from known places to known places,
// which was reported. `is_big`: the machine stores the highest byte of a number first.
bool emit_dma(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
              bool is_big, Bytes *out, Diag *diag);

#endif
