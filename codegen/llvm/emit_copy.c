// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routine that copies a run of a length known only at run time, in vectors. A module has one per alignment; it
// calls no library.
//
//   1000 bytes   3 times 256, 3 times 64, and the last 64, which overlap the ones before
//     50 bytes   the first 32 and the last 32
//
// Stores that bypass the cache write only whole lines.
#include "codegen/llvm/llvm_module.h"
#include "codegen/plan/processor.h"

enum { BLOCK = 4 * CACHE_LINE };

typedef struct Routine {
  Gen *g;
  LLVMValueRef dst, src, bytes;
  uint32_t align;
} Routine;

static void copy_at(const Routine *r, LLVMValueRef at, int64_t width) {
  Gen *g = r->g;
  LLVMValueRef data = b_load(g, b_bytes(g, width), b_step(g, r->src, at, "src"), r->align, "data");
  b_put(g, data, b_step(g, r->dst, at, "dst"), width, r->align);
}

static void copy_last(const Routine *r, int64_t width) {
  copy_at(r, LLVMBuildSub(r->g->builder, r->bytes, b_int(r->g, width), "last"), width);
}

// Branches: code built next is executed if the run has at least `width` bytes. Returns the block for shorter runs.
static LLVMBasicBlockRef if_at_least(const Routine *r, int64_t width) {
  Gen *g = r->g;
  LLVMBasicBlockRef yes = b_block(g, "enough"), no = b_block(g, "fewer");
  LLVMValueRef test = LLVMBuildICmp(g->builder, LLVMIntSGE, r->bytes, b_int(g, width), "is_enough");
  LLVMBuildCondBr(g->builder, test, yes, no);
  b_position(g, yes);
  return no;
}

// Copies steps of `step` bytes from `begin` to the last whole one. Returns their end.
static LLVMValueRef copy_steps(const Routine *r, LLVMValueRef begin, int64_t step) {
  Gen *g = r->g;
  LLVMValueRef end = LLVMBuildAnd(g->builder, r->bytes, b_int(g, -step), "end");
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), body = b_block(g, "copy"),
                    after = b_block(g, "after");
  LLVMBuildCondBr(g->builder, LLVMBuildICmp(g->builder, LLVMIntEQ, begin, end, "none"), after,
                  body);
  b_position(g, body);
  LLVMValueRef at = b_carry(g, before, begin, "at");
  for (int64_t i = 0; i < step; i += step < CACHE_LINE ? step : CACHE_LINE)
    copy_at(r, LLVMBuildNUWAdd(g->builder, at, b_int(g, i), "at"),
            step < CACHE_LINE ? step : CACHE_LINE);
  LLVMValueRef next = LLVMBuildNUWAdd(g->builder, at, b_int(g, step), "next");
  b_carry_on(g, at, next);
  LLVMBuildCondBr(g->builder, LLVMBuildICmp(g->builder, LLVMIntEQ, next, end, "done"), after, body);
  b_position(g, after);
  return end;
}

// Copies at least `align` bytes; `align` is a power of two that divides their number. Past the cache: whole lines.
static void build_copy(const Routine *r) {
  Gen *g = r->g;
  LLVMBasicBlockRef fewer = g->streaming ? NULL : if_at_least(r, CACHE_LINE);
  copy_steps(r, copy_steps(r, b_int(g, 0), BLOCK), CACHE_LINE);
  if (!g->streaming)
    copy_last(r, CACHE_LINE);
  LLVMBuildRetVoid(g->builder);
  for (int64_t width = CACHE_LINE / 2; fewer && width >= (int64_t)r->align; width /= 2) {
    b_position(g, fewer);
    bool is_least = width == (int64_t)r->align;
    if (!is_least)
      fewer = if_at_least(r, width);
    copy_at(r, b_int(g, 0), width);
    if (!is_least)
      copy_last(r, width);
    LLVMBuildRetVoid(g->builder);
  }
}

static LLVMValueRef routine(Kernel *k, uint32_t align) {
  Gen *g = k->g;
  const char *name =
      arena_printf(k->arena, "%s.%u.v%d", g->streaming ? "stream.lines" : "copy.bytes",
                   (unsigned)align, k->target->version);
  LLVMTypeRef given[3] = {g->ptr, g->ptr, g->word};
  LLVMTypeRef type = LLVMFunctionType(g->none, given, 3, false);
  Subroutine s;
  if (!subroutine_begin(g, name, type, false, &s))
    return s.function;
  for (int i = 0; i < 2; i++)
    module_set_pointer(g, s.function, i, align, i == 1, i == 0, true);
  Routine r = {g, LLVMGetParam(s.function, 0), LLVMGetParam(s.function, 1),
               LLVMGetParam(s.function, 2), align};
  build_copy(&r);
  subroutine_end(g, &s, NULL);
  return s.function;
}

void kernel_copy(Kernel *k, LLVMValueRef dst, LLVMValueRef src, LLVMValueRef bytes,
                 uint32_t align) {
  LLVMValueRef function = routine(k, align), arg[3] = {dst, src, b_as(k->g, k->g->word, bytes)};
  b_call(k->g, function, arg, 3, "");
}
