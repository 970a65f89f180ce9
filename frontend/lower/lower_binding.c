// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills in bindings by hand, for calls in the text and for nodes that lowering inserts.
#include "frontend/lower/lower_internal.h"

Binding *binding_new(Lower *l, rsh_op op, const char *word, Span span) {
  Binding *b = ARENA_NEW(l->arena, Binding);
  b->call.op = op;
  b->call.out_count = 1;
  b->word = word;
  b->span = b->callee_span = span;
  for (int i = 0; i < RSH_MAX_ARGS; i++) {
    b->call.arg[i].dtype = RSH_I64;
    b->arg[i].span = span;
  }
  return b;
}

void binding_gathered(Lower *l, Binding *b, const Operands *operands) {
  int count = operands->value.count;
  const rsh_shape **shape = ARENA_ARRAY(l->arena, const rsh_shape *, count);
  rsh_dtype *dtype = ARENA_ARRAY(l->arena, rsh_dtype, count);
  for (int i = 0; i < count; i++) {
    Value *value = operands->value.item[i];
    if (!value) {
      b->poisoned = true;
      continue;
    }
    shape[i] = &value->shape;
    dtype[i] = value->dtype;
  }
  b->in = operands->value.item;
  b->in_span = operands->span.item;
  b->call.in = shape;
  b->call.in_type = dtype;
  b->call.in_count = count;
}

void binding_operands(Lower *l, Binding *b, Value *const *value, const Span *span, int count) {
  Operands operands = {0};
  for (int i = 0; i < count; i++) {
    VEC_PUSH(l->arena, operands.value, value[i]);
    VEC_PUSH(l->arena, operands.span, span[i]);
  }
  binding_gathered(l, b, &operands);
}

void binding_operand(Lower *l, Binding *b, Value *value, Span span) {
  binding_operands(l, b, &value, &span, 1);
}

void binding_ranked(Lower *l, Binding *b, int arg, int rank, const rsh_num *item, int count) {
  rsh_num *list = ARENA_ARRAY(l->arena, rsh_num, count);
  for (int i = 0; i < count; i++)
    list[i] = item[i];
  b->call.arg[arg] =
      (rsh_arg){.kind = RSH_ARG_LIST, .rank = rank, .count = count, .dtype = RSH_I64, .list = list};
}

void binding_list(Lower *l, Binding *b, int arg, const rsh_num *item, int count) {
  binding_ranked(l, b, arg, 1, item, count);
}

void binding_value(Lower *l, Binding *b, int arg, const Fill *fill, const char *text) {
  rsh_num *bits = ARENA_NEW(l->arena, rsh_num);
  *bits = fill_word(fill);
  b->call.arg[arg] =
      (rsh_arg){.kind = RSH_ARG_VALUE, .count = 1, .dtype = RSH_I64, .list = bits, .text = text};
  if (rsh_op_family(b->call.op) == RSH_FILLS)
    b->call.fill = graph_fill(l->arena, l->graph, fill);
}

void binding_int(Lower *l, Binding *b, int arg, int64_t n) {
  rsh_num item = rsh_int(n);
  binding_ranked(l, b, arg, 0, &item, 1);
}
