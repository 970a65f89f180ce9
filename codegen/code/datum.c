// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constant data that a dynamic graph passes to the runtime: rsh_program_parts (runtime/program_call.h).
#include "codegen/code/datum.h"

static Datum *datum(Arena *arena, DatumKind kind, const char *name) {
  Datum *d = ARENA_NEW(arena, Datum);
  *d = (Datum){.kind = kind, .name = name};
  return d;
}

static void add(Arena *arena, Datum *to, Datum *item) { VEC_PUSH(arena, to->item, item); }

static void add_integer(Arena *arena, Datum *to, int bits, int64_t number) {
  Datum *d = datum(arena, DATUM_INTEGER, NULL);
  d->bits = bits;
  d->number = number;
  add(arena, to, d);
}

// The address of `name` in the runtime; null if `name` is NULL.
static void add_runtime(Arena *arena, Datum *to, RuntimeKind kind, const char *name) {
  Datum *d = datum(arena, name ? DATUM_RUNTIME : DATUM_NULL, name);
  d->runtime = kind;
  add(arena, to, d);
}

// The address of a list; null if it is empty.
static void add_table(Arena *arena, Datum *to, const char *name, Datum *list) {
  if (list->item.count == 0) {
    add(arena, to, datum(arena, DATUM_NULL, NULL));
    return;
  }
  Datum *table = datum(arena, DATUM_TABLE, name);
  add(arena, table, list);
  add(arena, to, table);
}

// NAME_shape neither folds nor moves.
static Datum *operators(Arena *arena, const Tape *tape, bool is_shape) {
  Datum *list = datum(arena, DATUM_LIST, NULL);
  for (int i = 0; i < tape->operator.count; i++) {
    const TapeOperator *o = &tape->operator.item[i];
    Datum *record = datum(arena, DATUM_RECORD, "rsh_operator");
    add_integer(arena, record, 32, o->op);
    add_runtime(arena, record, RUNTIME_RULE, o->rule);
    add_runtime(arena, record, RUNTIME_FOLD, is_shape ? NULL : o->fold);
    add_runtime(arena, record, RUNTIME_ELEMENT, is_shape ? NULL : o->element);
    add(arena, list, record);
  }
  return list;
}

static Datum *function_table(Arena *arena, const Tape *tape, bool is_shape) {
  Datum *list = datum(arena, DATUM_LIST, NULL);
  for (int i = 0; i < tape->function.count && !is_shape; i++) {
    const rsh_step *step = &tape->function.item[i];
    Datum *record = datum(arena, DATUM_RECORD, "rsh_element_function");
    Datum *constants = datum(arena, DATUM_LIST, NULL), *run = datum(arena, DATUM_ELEMENT, NULL);
    for (int k = 0; k < RSH_CONSTANTS; k++)
      add_integer(arena, constants, 64, (int64_t)step->constant[k]);
    run->number = i;
    add_integer(arena, record, 32, step->op);
    add_integer(arena, record, 32, step->from);
    add_integer(arena, record, 32, step->to);
    add_integer(arena, record, 32, step->rule.saturate);
    add(arena, record, constants);
    add_integer(arena, record, 64, step->tables);
    add(arena, record, run);
    add(arena, list, record);
  }
  return list;
}

const Datum *datum_of_parts(Arena *arena, const Tape *tape, bool is_shape) {
  Datum *record = datum(arena, DATUM_RECORD, "rsh_program_parts");
  Datum *function = function_table(arena, tape, is_shape);
  add_table(arena, record, "operators", operators(arena, tape, is_shape));
  add_table(arena, record, "functions", function);
  add_integer(arena, record, 32, function->item.count);
  add_runtime(arena, record, RUNTIME_CONSTANT, tape->tensors);
  add_runtime(arena, record, RUNTIME_CONSTANT, tape->edges);
  add_runtime(arena, record, RUNTIME_CONSTANT, tape->guards);
  add_runtime(arena, record, RUNTIME_CONSTANT, is_shape ? NULL : tape->picks);
  add_runtime(arena, record, RUNTIME_CONSTANT, is_shape ? NULL : tape->mover);
  Datum *parts = datum(arena, DATUM_TABLE, "parts");
  add(arena, parts, record);
  return parts;
}
