// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/element/element.h"
#include "codegen/element/element_bits.h"
#include "codegen/element/element_internal.h"

#include <math.h>

ElementType element_type(const Element *e, ElementValue value) { return e->node.item[value].type; }

bool element_is_constant(const Element *e, ElementValue value) {
  ElementOp op = e->node.item[value].op;
  return op == ELEMENT_INTEGER || op == ELEMENT_NUMBER;
}

static ElementValue add(Element *e, ElementNode node) {
  VEC_PUSH(e->arena, e->node, node);
  return e->node.count - 1;
}

Element *element_new(Arena *arena, const ElementMachine *machine, const char *name) {
  Element *e = ARENA_NEW(arena, Element);
  *e = (Element){.arena = arena, .machine = machine, .name = name};
  return e;
}

static ElementValue element_leaf(Element *e, ElementNode node) {
  for (int k = 0; k < ELEMENT_OPERANDS; k++)
    node.operand[k] = ELEMENT_NONE;
  return add(e, node);
}

ElementValue element_parameter(Element *e, int index, ElementType type, const char *name) {
  return element_leaf(
      e, (ElementNode){.op = ELEMENT_PARAMETER, .type = type, .n = (uint64_t)index, .name = name});
}

ElementValue element_integer(Element *e, int bits, uint64_t n) {
  return element_leaf(
      e, (ElementNode){.op = ELEMENT_INTEGER, .type = {bits, false}, .n = n & low(bits)});
}

ElementValue element_number(Element *e, int bits, double n) {
  n = bits == 32 ? (double)(float)n : n;
  return element_leaf(e, (ElementNode){.op = ELEMENT_NUMBER, .type = {bits, true}, .number = n});
}

static ElementValue constant_of_bits(Element *e, ElementType type, uint64_t bits) {
  return type.is_float ? element_number(e, type.bits, element_number_of(bits, type.bits))
                       : element_integer(e, type.bits, bits);
}

ElementValue element_entries(Element *e, ElementType type, const uint64_t *entry, int64_t count,
                             ElementValue at) {
  int64_t same = 1;
  while (same < count && entry[same] == entry[0])
    same++;
  if (same == count)
    return constant_of_bits(e, type, entry[0]);
  return add(e, (ElementNode){.op = ELEMENT_ENTRY,
                              .type = type,
                              .operand = {at, ELEMENT_NONE, ELEMENT_NONE},
                              .n = (uint64_t)count,
                              .entry = entry,
                              .name = "constant"});
}

// ---- operators ----

static uint64_t bits_of_constant(const ElementNode *node) {
  return node->op == ELEMENT_NUMBER ? element_bits_of(node->number, node->type.bits) : node->n;
}

// The result of an operation on constants is one.
static ElementValue make_element(Element *e, ElementOp op, ElementType type, ElementValue a,
                                 ElementValue b, ElementValue c, const char *name) {
  ElementNode node = {.op = op, .type = type, .operand = {a, b, c}, .name = name};
  uint64_t of[ELEMENT_OPERANDS] = {0}, bits;
  for (int k = 0; k < ELEMENT_OPERANDS; k++) {
    if (node.operand[k] == ELEMENT_NONE)
      continue;
    if (!element_is_constant(e, node.operand[k]))
      return add(e, node);
    of[k] = bits_of_constant(&e->node.item[node.operand[k]]);
  }
  return element_work_out(op, type, element_type(e, a), of, &bits) ? constant_of_bits(e, type, bits)
                                                                   : add(e, node);
}

ElementValue element_unary(Element *e, ElementOp op, ElementValue a, const char *name) {
  return make_element(e, op, element_type(e, a), a, ELEMENT_NONE, ELEMENT_NONE, name);
}

ElementValue element_binary(Element *e, ElementOp op, ElementValue a, ElementValue b,
                            const char *name) {
  return make_element(e, op, element_type(e, a), a, b, ELEMENT_NONE, name);
}

// The next f32 beyond a constant, if a number that is extended from f16 is compared with it: no f16 lies between. With
// a constant that is an f16, LLVM would compare as f16, for which few machines have vectors.
//   x > 0     x > 2^-149
static ElementValue beyond(Element *e, ElementValue constant, ElementValue x, float toward) {
  const ElementNode *n = &e->node.item[constant], *of = &e->node.item[x];
  bool is_half = of->op == ELEMENT_F_EXTEND && element_type(e, of->operand[0]).bits == 16;
  if (n->op != ELEMENT_NUMBER || n->type.bits != 32 || !is_half)
    return constant;
  return element_number(e, 32, nextafterf((float)n->number, toward));
}

// Whether the highest bit of an integer is 0, as its last operations show.
static bool has_no_sign(const Element *e, ElementValue value, int depth) {
  const ElementNode *n = &e->node.item[value];
  const ElementValue *of = n->operand;
  switch (depth == 0 ? ELEMENT_OP_COUNT : n->op) {
  case ELEMENT_INTEGER:
    return n->n >> (n->type.bits - 1) == 0;
  case ELEMENT_ZEXT:
    return true;
  case ELEMENT_SHR:
    return e->node.item[of[1]].op == ELEMENT_INTEGER && e->node.item[of[1]].n > 0;
  case ELEMENT_AND:
    return has_no_sign(e, of[0], depth - 1) || has_no_sign(e, of[1], depth - 1);
  case ELEMENT_SELECT:
    return has_no_sign(e, of[1], depth - 1) && has_no_sign(e, of[2], depth - 1);
  default:
    return false;
  }
}

// x86-64 has signed comparisons of vectors, but up to AVX2 no unsigned ones.
static ElementOp easier(const Element *e, ElementOp op, ElementValue a, ElementValue b) {
  enum { DEPTH = 4 };
  if ((op != ELEMENT_BELOW && op != ELEMENT_ABOVE) || !has_no_sign(e, a, DEPTH) ||
      !has_no_sign(e, b, DEPTH))
    return op;
  return op == ELEMENT_BELOW ? ELEMENT_LESS : ELEMENT_MORE;
}

ElementValue element_compare(Element *e, ElementOp op, ElementValue a, ElementValue b,
                             const char *name) {
  const ElementType bit = {1, false};
  op = easier(e, op, a, b);
  if (op == ELEMENT_F_MORE || op == ELEMENT_F_AT_MOST) {
    a = beyond(e, a, b, -INFINITY);
    b = beyond(e, b, a, INFINITY);
  }
  return make_element(e, op, bit, a, b, ELEMENT_NONE, name);
}

ElementValue element_select(Element *e, ElementValue test, ElementValue yes, ElementValue no) {
  return make_element(e, ELEMENT_SELECT, element_type(e, yes), test, yes, no, "choice");
}

ElementValue element_cast(Element *e, ElementOp op, ElementValue a, ElementType type,
                          const char *name) {
  const ElementType from = element_type(e, a);
  if (from.bits == type.bits && from.is_float == type.is_float)
    return a;
  return make_element(e, op, type, a, ELEMENT_NONE, ELEMENT_NONE, name);
}

ElementValue element_call(Element *e, const Element *called, ElementValue a, const char *name) {
  ElementValue value = make_element(e, ELEMENT_CALL, element_type(called, called->result), a,
                                    ELEMENT_NONE, ELEMENT_NONE, name);
  e->node.item[value].called = called;
  return value;
}

ElementValue element_libm_of_two(Element *e, const char *name, ElementValue a, ElementValue b) {
  return make_element(e, ELEMENT_LIBM, element_type(e, a), a, b, ELEMENT_NONE, name);
}

ElementValue element_libm(Element *e, const char *name, ElementValue a) {
  return element_libm_of_two(e, name, a, ELEMENT_NONE);
}
