// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/code/element.h"
#include "codegen/code/element_bits.h"

#include <string.h>

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

static uint64_t bits_of(double number, int bits) {
  uint64_t n;
  uint32_t half;
  float single = (float)number;
  memcpy(&n, &number, sizeof n);
  memcpy(&half, &single, sizeof half);
  return bits == 32 ? half : n;
}

static double number_of(uint64_t n, int bits) {
  double number;
  float single;
  uint32_t half = (uint32_t)n;
  memcpy(&number, &n, sizeof number);
  memcpy(&single, &half, sizeof single);
  return bits == 32 ? (double)single : number;
}

static ElementValue constant_of_bits(Element *e, ElementType type, uint64_t bits) {
  return type.is_float ? element_number(e, type.bits, number_of(bits, type.bits))
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

// ---- constant folding ----

static const ElementNode *folded_node(const Element *e, ElementValue value) {
  return &e->node.item[value];
}

static bool is_integer(const Element *e, ElementValue value) {
  return value == ELEMENT_NONE || folded_node(e, value)->op == ELEMENT_INTEGER;
}

// n as a signed number of this width.
static int64_t with_sign(uint64_t n, int bits) {
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return (int64_t)((n ^ sign) - sign);
}

// Folds an op on two integers of this many bits. False: the op is not folded.
static bool work_out(ElementOp op, uint64_t a, uint64_t b, int bits, uint64_t *out) {
  switch ((int)op) {
  case ELEMENT_ADD:
    *out = a + b;
    return true;
  case ELEMENT_SUB:
    *out = a - b;
    return true;
  case ELEMENT_AND:
    *out = a & b;
    return true;
  case ELEMENT_OR:
    *out = a | b;
    return true;
  case ELEMENT_XOR:
    *out = a ^ b;
    return true;
  case ELEMENT_SHL:
    *out = a << b;
    return true;
  case ELEMENT_SHR:
    *out = a >> b;
    return true;
  case ELEMENT_EQUAL:
    *out = a == b;
    return true;
  case ELEMENT_UNEQUAL:
    *out = a != b;
    return true;
  case ELEMENT_BELOW:
    *out = a < b;
    return true;
  case ELEMENT_ABOVE:
    *out = a > b;
    return true;
  case ELEMENT_LESS:
    *out = with_sign(a, bits) < with_sign(b, bits);
    return true;
  case ELEMENT_MORE:
    *out = with_sign(a, bits) > with_sign(b, bits);
    return true;
  case ELEMENT_AT_MOST:
    *out = with_sign(a, bits) <= with_sign(b, bits);
    return true;
  }
  return false;
}

// ---- operators ----

static ElementValue make_element(Element *e, ElementOp op, ElementType type, ElementValue a,
                                 ElementValue b, ElementValue c, const char *name) {
  return add(e, (ElementNode){.op = op, .type = type, .operand = {a, b, c}, .name = name});
}

ElementValue element_unary(Element *e, ElementOp op, ElementValue a, const char *name) {
  return make_element(e, op, element_type(e, a), a, ELEMENT_NONE, ELEMENT_NONE, name);
}

ElementValue element_binary(Element *e, ElementOp op, ElementValue a, ElementValue b,
                            const char *name) {
  ElementType type = element_type(e, a);
  uint64_t n;
  if (is_integer(e, a) && is_integer(e, b) &&
      work_out(op, folded_node(e, a)->n, folded_node(e, b)->n, type.bits, &n))
    return element_integer(e, type.bits, n);
  return make_element(e, op, type, a, b, ELEMENT_NONE, name);
}

ElementValue element_compare(Element *e, ElementOp op, ElementValue a, ElementValue b,
                             const char *name) {
  const ElementType bit = {1, false};
  uint64_t n;
  if (is_integer(e, a) && is_integer(e, b) &&
      work_out(op, folded_node(e, a)->n, folded_node(e, b)->n, element_type(e, a).bits, &n))
    return element_integer(e, 1, n);
  return make_element(e, op, bit, a, b, ELEMENT_NONE, name);
}

ElementValue element_select(Element *e, ElementValue test, ElementValue yes, ElementValue no) {
  if (element_is_constant(e, test) && element_is_constant(e, yes) && element_is_constant(e, no))
    return folded_node(e, test)->n ? yes : no;
  return make_element(e, ELEMENT_SELECT, element_type(e, yes), test, yes, no, "choice");
}

ElementValue element_cast(Element *e, ElementOp op, ElementValue a, ElementType type,
                          const char *name) {
  const ElementNode *from = folded_node(e, a);
  if (from->type.bits == type.bits && from->type.is_float == type.is_float)
    return a;
  if (from->op == ELEMENT_INTEGER && (op == ELEMENT_TRUNC || op == ELEMENT_ZEXT))
    return element_integer(e, type.bits, from->n);
  if (from->op == ELEMENT_INTEGER && op == ELEMENT_SEXT)
    return element_integer(e, type.bits, (uint64_t)with_sign(from->n, from->type.bits));
  if (from->op == ELEMENT_INTEGER && op == ELEMENT_BITS)
    return element_number(e, type.bits, number_of(from->n, type.bits));
  if (from->op == ELEMENT_NUMBER && op == ELEMENT_BITS)
    return element_integer(e, type.bits, bits_of(from->number, type.bits));
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
