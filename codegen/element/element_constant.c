// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of steps: a single element, or a table of them.
#include "codegen/element/element_bits.h"
#include "codegen/element/element_internal.h"

Constant constant_of_step(const Element *e, const rsh_step *step, int k, rsh_dtype type) {
  if (!(step->tables >> k & 1))
    return (Constant){type, &step->constant[k], 1};
  const Table *table = &e->tables[step->constant[k]];
  uint64_t *bits = ARENA_ARRAY(e->arena, uint64_t, table->count);
  for (int32_t i = 0; i < table->count; i++)
    bits[i] = (uint64_t)table->bits[i].n;
  return (Constant){type, bits, table->count};
}

ElementValue constant_value(Element *e, const Constant *c, ElementType type, ConstantMap *of,
                            int64_t more) {
  int64_t count = c->count > 1 ? c->count * e->repeat : 1;
  uint64_t *entry = ARENA_ARRAY(e->arena, uint64_t, count);
  for (int64_t i = 0; i < count; i++)
    entry[i] = of(c, c->bits[i % c->count], more) & low(type.bits);
  return element_entries(e, type, entry, count, e->entry);
}

bool constant_has(const Constant *c, ConstantMap *of, int64_t more) {
  int64_t i = 0;
  while (i < c->count && of(c, c->bits[i], more) == 0)
    i++;
  return i < c->count;
}

uint64_t constant_as_float(const Constant *c, uint64_t bits, int64_t more) {
  (void)more;
  return c->type == RSH_F64 ? bits : bits_of_single(float_of_bits(c->type, bits));
}

uint64_t constant_as_integer(const Constant *c, uint64_t bits, int64_t more) {
  (void)more;
  return (uint64_t)integer_of_bits(c->type, bits);
}

uint64_t constant_as_bits(const Constant *c, uint64_t bits, int64_t more) {
  (void)c;
  (void)more;
  return bits;
}
