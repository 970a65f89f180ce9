// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for integers of any width, such as the parts of an element, and for constants of the same width.
#ifndef CODEGEN_ELEMENT_BITS_H
#define CODEGEN_ELEMENT_BITS_H

#include "codegen/element/element.h"

static inline uint64_t low(int bits) { return UINT64_MAX >> (64 - bits); }

static inline ElementType int_type(int bits) { return (ElementType){bits, false}; }
static inline ElementType float_type(int bits) { return (ElementType){bits, true}; }
static inline int width_of(const Element *e, ElementValue v) { return element_type(e, v).bits; }
// An integer of the same width: the low bits of n.
static inline ElementValue number(Element *e, ElementValue like, uint64_t n) {
  return element_integer(e, width_of(e, like), n);
}
static inline ElementValue plus(Element *e, ElementValue x, uint64_t n) {
  return element_binary(e, ELEMENT_ADD, x, number(e, x, n), "sum");
}
static inline ElementValue masked(Element *e, ElementValue x, uint64_t n) {
  return element_binary(e, ELEMENT_AND, x, number(e, x, n), "masked");
}
static inline ElementValue with(Element *e, ElementValue x, uint64_t n) {
  return element_binary(e, ELEMENT_OR, x, number(e, x, n), "with");
}
static inline ElementValue left(Element *e, ElementValue x, int bits) {
  return element_binary(e, ELEMENT_SHL, x, number(e, x, (uint64_t)bits), "left");
}
static inline ElementValue right(Element *e, ElementValue x, int bits) {
  return element_binary(e, ELEMENT_SHR, x, number(e, x, (uint64_t)bits), "right");
}
static inline ElementValue is_below(Element *e, ElementValue x, uint64_t n) {
  return element_compare(e, ELEMENT_BELOW, x, number(e, x, n), "below");
}
static inline ElementValue is_above(Element *e, ElementValue x, uint64_t n) {
  return element_compare(e, ELEMENT_ABOVE, x, number(e, x, n), "above");
}
static inline ElementValue is_equal(Element *e, ElementValue x, uint64_t n) {
  return element_compare(e, ELEMENT_EQUAL, x, number(e, x, n), "equal");
}
static inline ElementValue cast_bits(Element *e, ElementValue x, ElementType type) {
  return element_cast(e, ELEMENT_BITS, x, type, "bits");
}
static inline ElementValue extended(Element *e, ElementValue x, int bits, const char *name) {
  return element_cast(e, ELEMENT_ZEXT, x, int_type(bits), name);
}
// Zero-extends or truncates.
static inline ElementValue resized(Element *e, ElementValue x, int bits) {
  return element_cast(e, bits < width_of(e, x) ? ELEMENT_TRUNC : ELEMENT_ZEXT, x, int_type(bits),
                      "resized");
}

#endif
