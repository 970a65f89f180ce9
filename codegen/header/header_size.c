// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes as C expressions, "768 * (int64_t)(B) * (int64_t)(S)", and the macros that contain them.
#include "codegen/header/header.h"
#include "codegen/header/header_internal.h"

#include <inttypes.h>
#include <string.h>

// The expression of a number over the sizes themselves (`is_raw`), or over atoms.
static const char *any_expression(Header *h, const Plan *plan, const Naming *n, rsh_num number,
                                  bool is_raw);

static const char *edge_expression(Header *h, const Plan *plan, const Naming *n, const Edge *edge) {
  const char *at = any_expression(h, plan, n, edge->at, true);
  const char *size = any_expression(h, plan, n, edge->size, true);
  if (edge->kind == RSH_EDGE_PLACE)
    return arena_printf(h->arena, "RSH_EDGE(%s, %s, %s)", at, size,
                        any_expression(h, plan, n, edge->least, true));
  if (edge->kind == RSH_EDGE_EITHER)
    return arena_printf(h->arena, "(%s < 1 ? %s : %s)", at, size, at);
  const char *up =
      edge->kind == RSH_EDGE_FLOOR ? "" : arena_printf(h->arena, " + ((%s) %% (%s) > 0)", at, size);
  if (rsh_is_known(edge->size))
    return arena_printf(h->arena, "((%s) / %s%s)", at, size, up);
  return arena_printf(h->arena, "(%s < 1 ? 0 : (%s) / (%s)%s)", size, at, size, up);
}

// The expression of an atom: an edge, or an argument of the macro; `divided` by its divisor, or not.
static const char *atom_expression(Header *h, const Plan *plan, const Naming *n, int atom,
                                   bool divided) {
  const Symbol *symbol = &plan->graph->symbol.item[atom];
  int64_t divisor = symbol->divisor;
  if (symbol->is_edge) {
    const char *edge = edge_expression(h, plan, n, &symbol->edge);
    return divided ? arena_printf(h->arena, "(%s / %" PRId64 ")", edge, divisor) : edge;
  }
  const char *name = header_naming(plan, n, PARAMETER_SIZE, atom)->name;
  if (divisor == 1 || !divided)
    return arena_printf(h->arena, "(int64_t)(%s)", name);
  return arena_printf(h->arena, "((int64_t)(%s) / %" PRId64 ")", name, divisor);
}

// 48*w, where w is W / 16, is 3 * (int64_t)(W).
static const char *term_expression(Header *h, const Plan *plan, const Naming *n, rsh_terms term,
                                   int64_t coef, bool is_raw) {
  const char *text = "";
  for (int i; (i = rsh_next_atom(&term)) >= 0;) {
    int64_t divisor = is_raw ? 1 : plan->graph->symbol.item[i].divisor;
    bool divided = coef % divisor != 0;
    coef /= divided ? 1 : divisor;
    text = arena_printf(h->arena, "%s%s%s", text, *text ? " * " : "",
                        atom_expression(h, plan, n, i, divided));
  }
  if (coef == 1 && *text)
    return text;
  return arena_printf(h->arena, "%" PRId64 "%s%s", coef, *text ? " * " : "", text);
}

static const char *any_expression(Header *h, const Plan *plan, const Naming *n, rsh_num number,
                                  bool is_raw) {
  const rsh_symbols *s = is_raw ? plan->graph->raw : plan->graph->symbols;
  const char *text = "";
  if (rsh_is_known(number))
    return arena_printf(h->arena, "%" PRId64, number.n);
  rsh_terms t = rsh_terms_of(s, number);
  while (rsh_next_term(&t)) {
    bool minus = *text && t.coef < 0;
    text = arena_printf(h->arena, "%s%s%s", text,
                        !*text  ? ""
                        : minus ? " - "
                                : " + ",
                        term_expression(h, plan, n, t, minus ? -t.coef : t.coef, is_raw));
  }
  return text;
}

// A number as a C expression of the sizes: "768 * (int64_t)(B) * (int64_t)(S)".
static const char *sum_text(Header *h, const Plan *plan, const Naming *n, rsh_num number) {
  return any_expression(h, plan, n, number, false);
}

const char *header_number(Header *h, const Plan *plan, const Naming *n, rsh_num number) {
  const char *text = sum_text(h, plan, n, number);
  bool is_sum = rsh_term_count(plan->graph->symbols, number) > 1;
  return is_sum ? arena_printf(h->arena, "(%s)", text) : text;
}

const Naming *header_naming(const Plan *plan, const Naming *n, ParameterKind kind, int index) {
  int place = signature_find(&plan->signature, kind, index);
  if (place >= 0)
    return &n[place];
  place = plan->signature.parameter.count;
  for (int i = 0; i < index; i++)
    place += plan->graph->value.item[i]->is_placed;
  return &n[place];
}

int header_size_count(const Plan *plan) {
  int count = 0;
  while (count < plan->signature.parameter.count &&
         plan->signature.parameter.item[count].kind == PARAMETER_SIZE)
    count++;
  return count;
}

// "(B, S)" after the name of a macro whose value depends on them.
static const char *arguments_text(Header *h, const Plan *plan, const Naming *n) {
  const char *text = "";
  for (int i = 0; i < header_size_count(plan); i++)
    text = arena_printf(h->arena, "%s%s%s", text, i ? ", " : "", n[i].name);
  return *text ? arena_printf(h->arena, "(%s)", text) : "";
}

// "(B) == 0 && (S) >= 1", or "((B) / 3) == 2" of a quotient.
static const char *variant_condition(Header *h, const Plan *plan, const Naming *n,
                                     const Variant *variant) {
  const char *text = "";
  for (int i = 0; i < plan->graph->symbol.count; i++) {
    const Symbol *symbol = &plan->graph->symbol.item[i];
    bool is_bound = variant->bound[i] != VARIANT_ANY;
    int64_t bound = is_bound ? variant->bound[i] : variant_least(plan->graph, variant, i);
    const char *size =
        symbol->is_edge
            ? edge_expression(h, plan, n, &symbol->edge)
            : arena_printf(h->arena, "(%s)", header_naming(plan, n, PARAMETER_SIZE, i)->name);
    if (is_bound || bound > 0)
      text = arena_printf(h->arena, "%s%s%s %s %" PRId64, text, *text ? " && " : "", size,
                          is_bound ? "==" : ">=", bound);
  }
  return text;
}

// "(B, S)" after macros of a value, if any of its sizes is open.
static const char *value_arguments(Header *h, const Plan *plan, const Naming *n,
                                   const Value *value) {
  return plan_is_known(value) ? "" : arguments_text(h, plan, n);
}

// The expression of a tensor's bytes, in parentheses if it needs them.
static const char *bytes_expression(Header *h, const Plan *plan, const Naming *n,
                                    const Value *value) {
  if (plan_is_known(value))
    return arena_printf(h->arena, "%" PRIu64, plan_value_bytes(value));
  const char *text = "";
  rsh_num bytes, count = value->storage ? value->storage->span : rsh_int(0);
  bool is_strided = value_is_strided(value);
  if (is_strided || rsh_volume(plan->graph->symbols, &value->shape, &count) == RSH_ok) {
    if (plan_to_bytes(count, value->dtype, &bytes))
      return arena_printf(h->arena, "(%s)", sum_text(h, plan, n, bytes));
    text = header_number(h, plan, n, count);
  }
  for (int32_t i = 0; !*text && i < value->shape.rank; i++)
    text = arena_printf(h->arena, "%s%s%s", text, i ? " * " : "",
                        header_number(h, plan, n, value->shape.dim[i]));
  return arena_printf(h->arena, "((%s * %d + 7) / 8)", text, plan_element_bits(value->dtype));
}

// Strided memory reaches from the first element to the last; if there may be none: "N < 1 || C < 1 ? 0 : ".
static const char *unless_empty(Header *h, const Plan *plan, const Naming *n, const Value *value) {
  const char *text = "";
  if (!value_is_strided(value))
    return text;
  for (int i = 0; i < value->shape.rank; i++)
    if (!rsh_is_known(value->shape.dim[i]))
      text = arena_printf(h->arena, "%s%s%s < 1", text, *text ? " || " : "",
                          sum_text(h, plan, n, value->shape.dim[i]));
  return *text ? arena_printf(h->arena, "%s ? 0 : ", text) : text;
}

// Bytes of a tensor, 0 if it is empty.
static const char *whole_bytes(Header *h, const Plan *plan, const Naming *n, const Value *value) {
  return arena_printf(h->arena, "%s%s", unless_empty(h, plan, n, value),
                      bytes_expression(h, plan, n, value));
}

static void put_dims_macro(Header *h, const Plan *plan, const Naming *n, const char *prefix,
                           const Value *value) {
  const rsh_shape *shape = value_dims(value);
  const char *arguments = value_arguments(h, plan, n, value);
  put(h, "#define %s_RANK %d\n#define %s_DIMS%s { ", prefix, (int)shape->rank, prefix, arguments);
  for (int i = 0; i < shape->rank; i++) {
    put(h, "%s", i ? ", " : "");
    put(h, "%s", sum_text(h, plan, n, shape->dim[i]));
  }
  put(h, shape->rank ? " }\n" : "1 }\n");
}

void header_put_lod(Header *h, const Plan *plan, const char *prefix, const Value *value) {
  if (value->lod && !value->lod->is_placed)
    put(h, "#define %s_LOD %d\n", prefix,
        signature_find(&plan->signature, PARAMETER_INPUT, value->lod->id));
}

void header_put_value(Header *h, const Plan *plan, const Naming *n, const char *prefix,
                      const Value *value) {
  const char *arguments = value_arguments(h, plan, n, value);
  const char *bytes = whole_bytes(h, plan, n, value);
  put_dims_macro(h, plan, n, prefix, value);
  put(h, strchr(bytes, '?') ? "#define %s_BYTES%s (%s)\n" : "#define %s_BYTES%s %s\n", prefix,
      arguments, bytes);
  header_put_lod(h, plan, prefix, value);
}

void header_put_offset(Header *h, const Plan *plan, const Naming *n, const char *prefix,
                       const char *what, rsh_num offset) {
  bool is_known = rsh_is_known(offset);
  put(h, is_known ? "#define %s_%s%s %s\n" : "#define %s_%s%s (%s)\n", prefix, what,
      is_known ? "" : arguments_text(h, plan, n), sum_text(h, plan, n, offset));
}

void header_put_placed(Header *h, const Plan *plan, const Naming *n, const Value *input,
                       const Placed *placed) {
  const char *prefix = header_naming(plan, n, PARAMETER_INPUT, input->id)->prefix;
  bool is_known = true;
  put_dims_macro(h, plan, n, prefix, input);
  if (!placed) // it has no elements
    return;
  header_put_offset(h, plan, n, prefix, "PLACE_OFFSET", placed->offset);
  for (int i = 0; i < input->shape.rank; i++)
    is_known = is_known && rsh_is_known(placed->stride[i]);
  put(h, "#define %s_PLACE_STRIDES%s { ", prefix, is_known ? "" : arguments_text(h, plan, n));
  for (int i = 0; i < input->shape.rank; i++)
    put(h, "%s%s", i ? ", " : "", sum_text(h, plan, n, placed->stride[i]));
  put(h, input->shape.rank ? " }\n" : "0 }\n");
}

// "(4 * (int64_t)(B) * (int64_t)(S))"; if variants need more, the bytes of these come first:
// "((S) == 0 ? 112 : 16 * (int64_t)(S) + 96)".
const char *header_scratch(Header *h, const Plan *plan, const Naming *n) {
  const char *text = "";
  for (int i = 0; i < plan->graph->variant.count; i++) {
    if (plan_scratch_covers(plan, i))
      continue;
    const Plan *special = plan->variant[i];
    text = arena_printf(h->arena, "%s%s ? %s : ", text,
                        variant_condition(h, plan, n, &plan->graph->variant.item[i]),
                        sum_text(h, special, n, special->scratch_bytes));
  }
  if (!*text && rsh_is_known(plan->scratch_bytes))
    return sum_text(h, plan, n, plan->scratch_bytes);
  return arena_printf(h->arena, "(%s%s)", text, sum_text(h, plan, n, plan->scratch_bytes));
}

const char *header_scratch_arguments(Header *h, const Plan *plan, const Naming *n) {
  return *header_scratch(h, plan, n) == '(' ? arguments_text(h, plan, n) : "";
}

static const Naming *sizes_as(Arena *arena, const Plan *plan, const char *const *size) {
  Naming *n = ARENA_ARRAY(arena, Naming, plan->signature.parameter.count + 1);
  for (int i = 0; i < header_size_count(plan); i++)
    n[i].name = size[i];
  return n;
}

const char *header_number_text(Arena *arena, const Plan *plan, const char *const *size,
                               rsh_num number) {
  return sum_text(&(Header){.arena = arena}, plan, sizes_as(arena, plan, size), number);
}

const char *header_scratch_text(Arena *arena, const Plan *plan, const char *const *size) {
  return header_scratch(&(Header){.arena = arena}, plan, sizes_as(arena, plan, size));
}
