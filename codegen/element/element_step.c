// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function of a step, which dispatches to the builder of its operator.
#include "codegen/element/element_bits.h"
#include "codegen/element/element_internal.h"

// Entry 0 of the table is that of the lowest number of the type.
static ElementValue lookup_build(Element *e, const rsh_step *step, ElementValue bits) {
  if (step->from == RSH_BOOL)
    bits = element_compare(e, ELEMENT_UNEQUAL, bits, number(e, bits, 0), "true");
  else if (rsh_dtype_is_signed(step->from))
    bits = element_binary(e, ELEMENT_XOR, bits,
                          number(e, bits, UINT64_C(1) << (width_of(e, bits) - 1)), "number");
  int64_t count = INT64_C(1) << width_of(e, bits);
  uint64_t *entry = ARENA_ARRAY(e->arena, uint64_t, count);
  for (int64_t i = 0; i < count; i++)
    entry[i] = (uint64_t)step->table[i].n;
  ElementValue at = extended(e, bits, e->machine->word, "at");
  return element_entries(e, int_type(rsh_dtype_bits(step->to)), entry, count, at);
}

// Operators of the other families keep elements. A rule of family MAPS without a builder does not compile.
#define BUILD_RESHAPES(rule) NULL
#define BUILD_KEEPS(rule) NULL
#define BUILD_MOVES(rule) NULL
#define BUILD_FILLS(rule) NULL
#define BUILD_MAPS(rule) rule##_build
#define BUILD_ROWS(rule) NULL

static ElementValue step_build(Element *e, const rsh_step *step, ElementValue bits) {
  static ElementValue (*const build[RSH_OP_COUNT])(Element *, const rsh_step *, ElementValue) = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  [RSH_OP_##id] = BUILD_##family(rule),
#include "runtime/ops.def"
#undef RSH_OP
  };
  return build[step->op](e, step, bits);
}

static ElementType element_as(rsh_dtype type, bool as_number) {
  return (ElementType){rsh_dtype_bits(type), as_number && (type == RSH_F32 || type == RSH_F64)};
}

const Element *element_of_step(Arena *arena, const ElementMachine *machine, const Table *tables,
                               int64_t repeat, const rsh_step *step, bool as_numbers) {
  Element *e = element_new(arena, machine, NULL);
  e->tables = tables;
  e->repeat = repeat;
  ElementValue x = element_parameter(e, 0, element_as(step->from, as_numbers), "x");
  if (step->tables != 0)
    e->entry = element_parameter(e, 1, int_type(machine->word), "entry");
  ElementValue made = step_build(e, step, cast_bits(e, x, element_as(step->from, false)));
  e->result = element_cast(e, ELEMENT_BITS, made, element_as(step->to, as_numbers), "number");
  return e;
}

const Element *element_to_number(Arena *arena, const ElementMachine *machine, rsh_dtype type) {
  Element *e = element_new(arena, machine, NULL);
  ElementValue x = element_parameter(e, 0, int_type(rsh_dtype_bits(type)), "x");
  e->result = cast_apart(e, type, x).value;
  return e;
}

const Element *element_of_number(Arena *arena, const ElementMachine *machine, rsh_dtype type) {
  const rsh_cast_rule plain = {true, RSH_ROUND_UP};
  Element *e = element_new(arena, machine, NULL);
  ElementValue x = element_parameter(e, 0, float_type(type == RSH_F64 ? 64 : 32), "x");
  e->result = cast_together(e, type, (Number){FLOAT, x}, plain);
  return e;
}

// The number of instructions that look up a vector of one-byte entries. A table that is longer than one shuffle covers
// is looked up in parts, and bits of the index select the part; tbl counts once per register of its table.
static int64_t instructions_of(const ElementMachine *machine, int64_t entries) {
  enum { TBL = 64, LANE = 16 };
  int64_t parts = 1, choices = 0, each = 1;
  for (; parts * machine->table < entries; parts *= 2)
    choices += 2;
  if (machine->table == TBL && entries > LANE)
    each = (entries / parts + LANE - 1) / LANE;
  return parts * each + parts - 1 + choices;
}

// Whether shuffles of the table's bytes look up a vector of entries faster than scalar loads: the index has at most 8
// bits, and is operand 0 before its extension. A scalar load takes one cycle per element, in which two vector
// instructions execute, so shuffles are faster up to slightly more instructions than elements.
static bool looks_up(const Element *e, const ElementNode *entry) {
  enum { BYTE = 8, MOST_ENTRIES = 256 };
  const ElementMachine *machine = e->machine;
  const ElementNode *at = &e->node.item[entry->operand[0]];
  if (machine->table == 0 || entry->n > MOST_ENTRIES || at->op != ELEMENT_ZEXT ||
      element_type(e, at->operand[0]).bits > BYTE)
    return false;
  int64_t bytes = (entry->type.bits + BYTE - 1) / BYTE, merges = 0;
  for (int64_t width = 1; width < bytes; width *= 2)
    merges += bytes;
  return bytes * instructions_of(machine, (int64_t)entry->n) + merges <= machine->vector * 5 / 4;
}

int element_operations(const ElementMachine *machine, const Graph *graph, const rsh_step *step) {
  Arena *arena = arena_new();
  const Element *e = element_of_step(arena, machine, graph->table.item, 1, step, false);
  bool is_straight = true;
  int count = 0;
  for (int i = 0; i < e->node.count; i++) {
    const ElementNode *node = &e->node.item[i];
    is_straight = is_straight && node->op != ELEMENT_CALL && node->op != ELEMENT_LIBM &&
                  (node->op != ELEMENT_ENTRY || looks_up(e, node));
    count += node->operand[0] != ELEMENT_NONE;
  }
  arena_free(arena);
  return is_straight ? count : -1;
}
