// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Basics for all files of lowering: messages, names, values and their symbols.
#include "frontend/lower/lower_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

// --- Messages

const char *expr_words(const Expr *e) {
  switch (e->kind) {
  case EXPR_INT:
  case EXPR_LARGE:
  case EXPR_NEGATE:
  case EXPR_INVERT:
  case EXPR_BINARY:
    return "an integer";
  case EXPR_FLOAT:
    return "a number with a fraction";
  case EXPR_STRING:
    return "a string";
  case EXPR_NAME:
    return "a name";
  case EXPR_UNKNOWN:
    return "'?'";
  case EXPR_STAR:
    return "'*'";
  case EXPR_LIST:
    return "a list";
  case EXPR_TUPLE:
    return "a tuple";
  case EXPR_CALL:
  case EXPR_PIPE:
  case EXPR_INDEX:
    return "a tensor";
  case EXPR_COMPARE:
    return "a comparison";
  }
  return "";
}

void lower_error(Lower *l, Span span, const char *kind, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_error(l->diag, span, kind, "%s", arena_vprintf(l->arena, format, args));
  va_end(args);
  l->failed = true;
  l->lacks_conditions = l->lacks_conditions || !l->has_conditions;
}

bool problem_set(Lower *l, Problem *p, Span span, const char *kind, const char *format, ...) {
  p->is_new = !p->kind;
  if (!p->is_new)
    return false;
  va_list args;
  va_start(args, format);
  *p = (Problem){.kind = kind, .is_new = true, .span = span};
  p->message = arena_vprintf(l->arena, format, args);
  va_end(args);
  return false;
}

void problem_note(Lower *l, Problem *p, Span span, const char *format, ...) {
  if (!p->is_new)
    return;
  va_list args;
  va_start(args, format);
  p->note = arena_vprintf(l->arena, format, args);
  p->note_span = span;
  va_end(args);
}

void problem_report(Lower *l, const Problem *p) {
  l->failed = true;
  if (p->quiet)
    return;
  lower_error(l, p->span, p->kind, "%s", p->message);
  if (p->note)
    diag_note(l->diag, p->note_span, "%s", p->note);
}

// --- Names and values

Name *name_find(const Lower *l, const char *text) {
  Name *name;
  HASH_FIND_STR(l->names, text, name);
  return name;
}

static const char *const name_kinds[] = {"a size", "an input", "a value"};

Name *name_add(Lower *l, const char *text, Span span) {
  Name *old = name_find(l, text);
  if (old && l->is_session) {
    HASH_DEL(l->names, old);
  } else if (old) {
    lower_error(l, span, "redefined", "'%s' is already the name of %s", text,
                name_kinds[old->kind]);
    diag_note(l->diag, old->span, "'%s' is defined here", text);
    return NULL;
  }
  Name *name = ARENA_NEW(l->arena, Name);
  name->text = text;
  name->span = span;
  HASH_ADD_KEYPTR(hh, l->names, name->text, strlen(name->text), name);
  return name;
}

Value *value_new(Lower *l, rsh_dtype dtype, const rsh_shape *shape, Span span) {
  Value *value = ARENA_NEW(l->arena, Value);
  value->id = l->graph->value.count;
  value->span = span;
  value->dtype = dtype;
  value->shape = *shape;
  VEC_PUSH(l->arena, l->graph->value, value);
  return value;
}

const char *value_label(Lower *l, const Value *value) {
  const char *type = type_text(l->arena, l->graph, value->dtype, &value->shape);
  return value->name ? arena_printf(l->arena, "'%s' (%s)", value->name, type) : type;
}

void note_operand(Lower *l, Problem *p, const Value *value) {
  const char *type = type_text(l->arena, l->graph, value->dtype, &value->shape);
  if (value->name)
    problem_note(l, p, value->span, "'%s' is %s here: %s", value->name,
                 value->node ? "computed" : "declared", type);
  else
    problem_note(l, p, value->span, "the operand is computed here: %s", type);
}

const char *indices_allowed(Lower *l, rsh_num size) {
  return rsh_is_known(size) && size.n > 0
             ? arena_printf(l->arena, "; allowed: -%" PRId64 " to %" PRId64, size.n, size.n - 1)
             : "";
}

OpExample op_example(rsh_op op) {
  static const OpExample all[RSH_OP_COUNT] = {
#define EXAMPLE(id, inputs, results, statement, follows)                                           \
  [RSH_OP_##id] = {inputs, results, statement, follows},
#include "frontend/lower/examples.def"
#undef EXAMPLE
  };
  return all[op];
}

const OpEntry *op_entry(const Lower *l, rsh_op op) {
  const OpEntry *entry;
  HASH_FIND_STR(l->library->ops, rsh_op_name(op), entry);
  return entry;
}

// --- Symbols

rsh_symbols *graph_symbols(Lower *l) {
  if (!l->graph->symbols) {
    facts_init(&l->known->facts, l->arena);
    l->graph->symbols = l->known->facts.symbols;
    l->graph->raw = l->known->facts.raw;
  }
  return l->graph->symbols;
}

// Adds a symbol with the properties of `symbol`. Symbols of quotients that follow it come after it.
static bool add_symbol(Lower *l, Symbol symbol, rsh_num *out) {
  const Facts *facts = &l->known->facts;
  int i = l->graph->symbol.count;
  if (!facts_symbol(&l->known->facts, i)) {
    lower_error(l, symbol.span, "limit", "more than %d sizes known only at run time in one graph",
                RSH_MAX_SYMBOLS);
    return false;
  }
  *out = symbol.num = facts->num[i];
  symbol.divisor = facts->divisor[i];
  VEC_PUSH(l->arena, l->graph->symbol, symbol);
  edges_add(l);
  return true;
}

bool symbol_new(Lower *l, const char *text, Span span, rsh_num *out) {
  return add_symbol(l, (Symbol){.name = text, .span = span}, out);
}

bool symbol_of_axis(Lower *l, const Value *value, int axis, Span span, rsh_num *out) {
  return add_symbol(l, (Symbol){.span = span, .of = value, .axis = axis}, out);
}

bool size_of_axis(Lower *l, Value *value, int axis, Span span, rsh_num *out) {
  if (value->shape.rank == RSH_RANK_UNKNOWN)
    return symbol_of_axis(l, value, axis, span, out);
  if (axis == AXIS_RANK || axis >= value->shape.rank) {
    *out = rsh_int(axis == AXIS_RANK ? value->shape.rank : 0);
    return true;
  }
  rsh_num *dim = &value->shape.dim[axis];
  if (rsh_is_unknown(*dim) && !symbol_of_axis(l, value, axis, span, dim))
    return false;
  *out = *dim;
  return true;
}

bool sizes_open(Lower *l, Value *value, Span span) {
  if (value->shape.rank == RSH_RANK_UNKNOWN) {
    lower_error(l, span, "unsupported",
                "the rank of %s must be known when compiling: declare it, as in f32[?, ?]; sizes "
                "may be open",
                value_label(l, value));
    return false;
  }
  bool are_open = true;
  for (int i = 0; i < value->shape.rank && are_open; i++) {
    rsh_num size;
    are_open = size_of_axis(l, value, i, span, &size);
  }
  return are_open;
}
