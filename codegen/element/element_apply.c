// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a constant.
//
//   mul f32 by 2.0, of 3.0     6.0
#include "codegen/element/element_bits.h"
#include "codegen/element/element_internal.h"

// A value of a function that is applied to a constant.
typedef struct Applied {
  bool is_known;
  uint64_t bits;
} Applied;

static Applied applied(const Element *e, uint64_t x);

static Applied operand(const ElementNode *node, int k, const Applied *value) {
  return node->operand[k] == ELEMENT_NONE ? (Applied){true, 0} : value[node->operand[k]];
}

static Applied apply_node(const Element *e, const ElementNode *node, const Applied *value,
                          uint64_t x) {
  uint64_t of[ELEMENT_OPERANDS];
  const Applied first = operand(node, 0, value), unknown = {false, 0};
  if (!first.is_known)
    return unknown;
  switch ((int)node->op) {
  case ELEMENT_PARAMETER:
    return (Applied){node->n == 0, x & low(node->type.bits)};
  case ELEMENT_INTEGER:
    return (Applied){true, node->n};
  case ELEMENT_NUMBER:
    return (Applied){true, element_bits_of(node->number, node->type.bits)};
  case ELEMENT_ENTRY:
    return first.bits < node->n ? (Applied){true, node->entry[first.bits]} : unknown;
  case ELEMENT_CALL:
    return applied(node->called, first.bits);
  case ELEMENT_SELECT: // the other value need not be known
    return operand(node, first.bits ? 1 : 2, value);
  }
  for (int k = 0; k < ELEMENT_OPERANDS; k++) {
    Applied n = operand(node, k, value);
    if (!n.is_known)
      return unknown;
    of[k] = n.bits;
  }
  Applied made;
  made.is_known =
      element_work_out(node->op, node->type, element_type(e, node->operand[0]), of, &made.bits);
  return made;
}

static Applied applied(const Element *e, uint64_t x) {
  Applied *value = ARENA_ARRAY(e->arena, Applied, e->node.count);
  for (int i = 0; i < e->node.count; i++)
    value[i] = apply_node(e, &e->node.item[i], value, x);
  return value[e->result];
}

// All machines compute the same, but some take more instructions for it.
bool element_apply(const Graph *graph, const rsh_step *step, uint64_t bits, uint64_t *out) {
  static const ElementMachine any = {.word = 64,
                                     .has_single = true,
                                     .has_double = true,
                                     .has_long = true,
                                     .has_product = true,
                                     .clamps = true};
  if (step->tables != 0)
    return false;
  Arena *arena = arena_new();
  Applied made = applied(element_of_step(arena, &any, graph->table.item, 1, step, false), bits);
  arena_free(arena);
  *out = made.bits;
  return made.is_known;
}
