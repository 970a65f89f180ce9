// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of a plan as instructions: polynomials in the sizes that a function gets, computed once, in its
// entry block.
//
//   768*B*S + 64     ->   mul B, S; mul 768; add 64
#include "codegen/llvm/llvm_module.h"

int number_count(const Plan *plan) {
  return plan->graph->symbols ? plan->graph->symbols->poly_count + 1 : 1;
}

LLVMValueRef kernel_symbol(Kernel *k, int symbol) {
  if (!k->symbol[symbol])
    kernel_build_code(k, CODE_SIZES, true, NULL);
  return k->symbol[symbol];
}

// A symbol, or a fraction of one. Where it does not fit, another size is 0 and nothing is done.
static LLVMValueRef build_atom(Kernel *k, int atom) {
  const Graph *graph = k->plan->graph;
  LLVMValueRef symbol = kernel_symbol(k, atom);
  int64_t divisor = graph->symbol.item[atom].divisor;
  if (divisor != 1)
    symbol = number_divide(k->g, symbol, b_long(k->g, divisor));
  return b_as(k->g, k->g->index, symbol);
}

static LLVMValueRef build_term(Kernel *k, rsh_terms t) {
  LLVMValueRef product = NULL;
  for (int i; (i = rsh_next_atom(&t)) >= 0;) {
    LLVMValueRef atom = build_atom(k, i);
    product = product ? LLVMBuildMul(k->g->builder, product, atom, "product") : atom;
  }
  LLVMValueRef coef = b_int(k->g, t.coef);
  if (!product)
    return coef;
  return t.coef == 1 ? product : LLVMBuildMul(k->g->builder, product, coef, "term");
}

static LLVMValueRef build_poly(Kernel *k, int32_t poly) {
  LLVMValueRef sum = NULL;
  rsh_terms t = rsh_terms_of(k->plan->graph->symbols, (rsh_num){1, poly});
  while (rsh_next_term(&t)) {
    LLVMValueRef term = build_term(k, t);
    sum = sum ? LLVMBuildAdd(k->g->builder, sum, term, "sum") : term;
  }
  return sum;
}

// At the end of a block, which may have its terminator.
static void position_in(Gen *g, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (end)
    LLVMPositionBuilderBefore(g->builder, end);
  else
    b_position(g, block);
}

LLVMValueRef kernel_number(Kernel *k, rsh_num n) {
  if (rsh_is_known(n))
    return b_int(k->g, n.n);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(k->g->builder);
  position_in(k->g, k->entry);
  if (!k->number[n.poly])
    k->number[n.poly] = build_poly(k, n.poly);
  LLVMValueRef value = k->number[n.poly];
  if (n.n != 1)
    value = LLVMBuildMul(k->g->builder, value, b_int(k->g, n.n), "number");
  position_in(k->g, here);
  return value;
}

LLVMValueRef kernel_elements(Kernel *k, const Value *value) {
  LLVMValueRef volume = b_int(k->g, 1);
  for (int32_t i = 0; i < value->shape.rank; i++)
    volume = LLVMBuildMul(k->g->builder, volume, kernel_number(k, value->shape.dim[i]), "volume");
  return value->storage && value->storage->stride ? kernel_number(k, value->storage->span) : volume;
}
