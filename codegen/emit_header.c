// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C header: for each graph its signature, what it asks of each pointer, the prototype, macros
// for the sizes of each value, and for an alias the function that gives its place. C99 and C++98
// and later.
#include "codegen/c_text.h"
#include "codegen/emit.h"
#include "codegen/names.h"
#include "codegen/split.h"

#include <inttypes.h>
#include <string.h>

typedef struct Header {
  Arena *arena;
  CText text;
  int pointer_bytes; // of the target
  NameSet macros;    // beginnings of macro names, as CHW_Y
  NameSet functions; // those of the graphs, then those of aliases
} Header;

#define put(h, ...) c_put(&(h)->text, __VA_ARGS__)

static const char *safe(Arena *arena, const char *text) { return c_comment(arena, text); }

static const char *typed(Header *h, const Graph *graph, const char *name, const Value *value) {
  return arena_printf(h->arena, "%s: %s", safe(h->arena, name),
                      safe(h->arena, value_text(h->arena, graph, value)));
}

// graph chw(x: u8[28, 28, 3]) -> y: u8[3, 28, 28]
static void put_signature(Header *h, const Graph *graph) {
  put(h, " * graph %s(", safe(h->arena, graph->name));
  for (int i = 0; i < graph->input_count; i++)
    put(h, "%s%s", i ? ", " : "",
        typed(h, graph, graph->value.item[i]->name, graph->value.item[i]));
  put(h, ") -> %s", graph->output_count == 1 ? "" : "(");
  for (int i = 0; i < graph->output_count; i++)
    put(h, "%s%s", i ? ", " : "", typed(h, graph, graph->output[i].name, graph->output[i].value));
  put(h, "%s\n", graph->output_count == 1 ? "" : ")");
}

// How elements lie in memory where the C type does not say it.
static const char *storage(rsh_dtype type) {
  switch (type) {
  case RSH_C64:
  case RSH_C128:
    return ", pairs of real and imaginary part";
  case RSH_STRING:
    return ", handles: the texts are not moved";
  default:
    return plan_element_bits(type) < 8 ? ", packed, first element in the lowest bits" : "";
  }
}

// "1536*B*S bytes", "4 bits for each of B*N elements"
static const char *bytes_text(Header *h, const Graph *graph, const Value *value) {
  rsh_num count, bytes;
  if (plan_is_known(value))
    return arena_printf(h->arena, "%" PRIu64 " bytes", plan_value_bytes(value));
  if (rsh_volume(graph->symbols, &value->shape, &count) != RSH_ok)
    return "bytes as its sizes say";
  if (value->storage && value->storage->stride)
    count = value->storage->span;
  if (plan_to_bytes(count, value->dtype, &bytes))
    return arena_printf(h->arena, "%s bytes", num_text(h->arena, graph, bytes));
  return arena_printf(h->arena, "%d bits for each of %s elements", plan_element_bits(value->dtype),
                      num_text(h->arena, graph, count));
}

static void put_pointer(Header *h, const Graph *graph, const char *name, const Value *value,
                        uint32_t align, const char *role) {
  put(h, " *   %s: %s, %s%s, ", name, role, safe(h->arena, bytes_text(h, graph, value)),
      storage(value->dtype));
  if (plan_is_known(value) && plan_value_bytes(value) == 0)
    put(h, "not accessed, may be null");
  else
    put(h, align == 1 ? "any alignment" : "aligned to %" PRIu32 " bytes", align);
}

// The offset of an alias in steps of its C type: 2 an element for pairs.
static rsh_num c_offset(const OutputPlan *out) {
  rsh_dtype type = out->output->value->dtype;
  rsh_num bytes = rsh_int(0);
  plan_to_bytes(out->offset, type, &bytes);
  return (rsh_num){bytes.n / plan_element_align(type), bytes.poly};
}

// Where it is not the row-major elements of its type.
static void put_storage(Header *h, const Graph *graph, const Value *value, const char *gaps) {
  const Storage *storage = value->storage;
  if (!storage)
    return;
  put(h, ",\n *     in memory %s", shape_text(h->arena, graph, &value->shape));
  if (!storage->stride)
    return;
  rsh_shape strides = {.rank = value->shape.rank};
  for (int i = 0; i < strides.rank; i++)
    strides.dim[i] = storage->stride[i];
  put(h, " at strides of %s elements", shape_text(h->arena, graph, &strides));
  if (!rsh_is(storage->offset, 0))
    put(h, ", the first one being element %s", num_text(h->arena, graph, storage->offset));
  put(h, "%s", gaps);
}

// How the header calls a parameter, and the beginning of its macros (of tensors).
typedef struct Naming {
  const char *name, *prefix;
} Naming;

// In order of the parameters.
static Naming *name_parameters(Header *h, const Plan *plan, const char *function) {
  const Signature *s = &plan->signature;
  const char **name = c_parameter_names(h->arena, plan->graph, s);
  Naming *n = ARENA_ARRAY(h->arena, Naming, s->parameter.count + 1);
  for (int i = 0; i < s->parameter.count; i++) {
    n[i].name = name[i];
    if (parameter_is_pointer(s->parameter.item[i].kind))
      n[i].prefix = name_unique(
          &h->macros, arena_printf(h->arena, "%s_%s", c_macro_part(h->arena, function),
                                   c_macro_part(h->arena, parameter_name(h->arena, plan->graph,
                                                                         s->parameter.item[i]))));
  }
  return n;
}

static const Naming *naming_of(const Plan *plan, const Naming *n, ParameterKind kind, int index) {
  return &n[signature_find(&plan->signature, kind, index)];
}

// The offsets that go with a tensor: `lod` of the language.
static void put_lod(Header *h, const Plan *plan, const Value *value, const Naming *n) {
  if (value->lod == value)
    put(h, ",\n *     with offsets of sequences along axis 0");
  else if (value->lod)
    put(h, ",\n *     with the offsets of %s along axis 0",
        naming_of(plan, n, PARAMETER_INPUT, value->lod->id)->name);
  else if (value->lod_lost)
    put(h, ",\n *     without offsets: %s does not keep the rows",
        rsh_op_name(value->lod_lost->call.op));
}

// ---- sizes as C ----

// Of a number over symbols, or over atoms.
static const char *any_expression(Header *h, const Plan *plan, const Naming *n, rsh_num number,
                                  bool is_raw);

// An atom of a macro's arguments.
static const char *atom_expression(Header *h, const Plan *plan, const Naming *n, int atom,
                                   bool divided) {
  const Symbol *symbol = &plan->graph->symbol.item[atom];
  int64_t divisor = symbol->divisor;
  if (symbol->is_edge)
    return arena_printf(h->arena, "%sRSH_EDGE(%s, %s, %s)%s", divided ? "(" : "",
                        any_expression(h, plan, n, symbol->edge.at, true),
                        any_expression(h, plan, n, symbol->edge.size, true),
                        any_expression(h, plan, n, symbol->edge.least, true),
                        divided ? arena_printf(h->arena, " / %" PRId64 ")", divisor) : "");
  const char *name = naming_of(plan, n, PARAMETER_SIZE, atom)->name;
  if (divisor == 1 || !divided)
    return arena_printf(h->arena, "(int64_t)(%s)", name);
  return arena_printf(h->arena, "((int64_t)(%s) / %" PRId64 ")", name, divisor);
}

// 48*w, w being W / 16, is 3 * (int64_t)(W).
static const char *term_expression(Header *h, const Plan *plan, const Naming *n,
                                   const rsh_term *term, int64_t coef, bool is_raw) {
  const char *text = "";
  for (int i = 0; i < plan->graph->symbol.count; i++)
    for (int k = 0; k < term->exp[i]; k++) {
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

// A number as a C expression of the sizes: "768 * (int64_t)(B) * (int64_t)(S)".
static const char *any_expression(Header *h, const Plan *plan, const Naming *n, rsh_num number,
                                  bool is_raw) {
  const rsh_symbols *s = is_raw ? plan->graph->raw : plan->graph->symbols;
  const char *text = "";
  if (rsh_is_known(number))
    return arena_printf(h->arena, "%" PRId64, number.n);
  const rsh_poly *poly = &s->poly[number.poly];
  for (int32_t i = 0; i < poly->count; i++) {
    const rsh_term *term = &s->term[poly->first + i];
    int64_t coef = (int64_t)((uint64_t)term->coef * (uint64_t)number.n);
    bool minus = i > 0 && coef < 0;
    text = arena_printf(h->arena, "%s%s%s", text,
                        i == 0  ? ""
                        : minus ? " - "
                                : " + ",
                        term_expression(h, plan, n, term, minus ? -coef : coef, is_raw));
  }
  return text;
}

static const char *sum_expression(Header *h, const Plan *plan, const Naming *n, rsh_num number) {
  return any_expression(h, plan, n, number, false);
}

// The same as part of another one.
static const char *expression(Header *h, const Plan *plan, const Naming *n, rsh_num number) {
  const char *text = sum_expression(h, plan, n, number);
  bool is_sum = !rsh_is_known(number) && plan->graph->symbols->poly[number.poly].count > 1;
  return is_sum ? arena_printf(h->arena, "(%s)", text) : text;
}

// Sizes are the first parameters.
static int size_count(const Plan *plan) {
  int count = 0;
  while (count < plan->signature.parameter.count &&
         plan->signature.parameter.item[count].kind == PARAMETER_SIZE)
    count++;
  return count;
}

// "(B, S)" behind the name of a macro whose value depends on them.
static const char *macro_arguments(Header *h, const Plan *plan, const Naming *n) {
  const char *text = "";
  for (int i = 0; i < size_count(plan); i++)
    text = arena_printf(h->arena, "%s%s%s", text, i ? ", " : "", n[i].name);
  return *text ? arena_printf(h->arena, "(%s)", text) : "";
}

// "(B) == 0 && (S) > 0"
static const char *variant_condition(Header *h, const Plan *plan, const Naming *n,
                                     const Variant *variant) {
  const char *text = "";
  for (int i = 0; i < plan->graph->symbol.count; i++) {
    int64_t bound = variant->bound[i];
    const char *name = naming_of(plan, n, PARAMETER_SIZE, i)->name;
    if (bound == VARIANT_ANY)
      continue;
    text =
        arena_printf(h->arena, "%s%s(%s) %s %" PRId64, text, *text ? " && " : "", name,
                     bound == VARIANT_POSITIVE ? ">" : "==", bound == VARIANT_POSITIVE ? 0 : bound);
  }
  return text;
}

// A variant in which an output has other sizes than the graph itself says.
typedef struct Special {
  const char *condition; // "(B) == 0"
  const Variant *variant;
  const Plan *plan;
  const Value *value;
  const struct Special *next;
} Special;

// Whether sizes can be those of both.
static bool variants_meet(const Graph *graph, const Variant *a, const Variant *b) {
  bool meet = true;
  for (int i = 0; i < graph->symbol.count; i++) {
    int64_t m = a->bound[i], n = b->bound[i];
    bool one_is_positive = (m == VARIANT_POSITIVE && n != 0) || (n == VARIANT_POSITIVE && m != 0);
    meet = meet && (m == n || m == VARIANT_ANY || n == VARIANT_ANY || one_is_positive);
  }
  return meet;
}

// Those of an output, on one of its axes or (axis -1) on any, in the order in which they are looked for; and
// those that come before one of them where both may match.
static const Special *special_sizes(Header *h, const Plan *plan, const Naming *n, int output,
                                    int axis) {
  const Graph *graph = plan->graph;
  const Special *list = NULL;
  for (int v = graph->variant.count - 1; v >= 0; v--) {
    const Variant *variant = &graph->variant.item[v];
    const Plan *special = plan->variant[v] ? plan->variant[v] : plan;
    bool is_listed = false;
    for (int i = 0; special != plan && i < value_dims(graph->output[output].value)->rank; i++)
      is_listed = is_listed || ((axis < 0 || axis == i) && !plan_same_size(plan, v, output, i));
    for (const Special *s = list; s; s = s->next)
      is_listed = is_listed || variants_meet(graph, variant, s->variant);
    if (!is_listed)
      continue;
    Special *s = ARENA_ARRAY(h->arena, Special, 1);
    *s = (Special){variant_condition(h, plan, n, variant), variant, special,
                   special->graph->output[output].value, list};
    list = s;
  }
  return list;
}

// What counts the bytes of a tensor, in parentheses where it needs them.
static const char *bytes_expression(Header *h, const Plan *plan, const Naming *n,
                                    const Value *value) {
  if (plan_is_known(value))
    return arena_printf(h->arena, "%" PRIu64, plan_value_bytes(value));
  const char *text = "";
  rsh_num bytes, count = value->storage ? value->storage->span : rsh_int(0);
  bool is_strided = value->storage && value->storage->stride;
  if (is_strided || rsh_volume(plan->graph->symbols, &value->shape, &count) == RSH_ok) {
    if (plan_to_bytes(count, value->dtype, &bytes))
      return arena_printf(h->arena, "(%s)", sum_expression(h, plan, n, bytes));
    text = expression(h, plan, n, count);
  }
  for (int32_t i = 0; !*text && i < value->shape.rank; i++)
    text = arena_printf(h->arena, "%s%s%s", text, i ? " * " : "",
                        expression(h, plan, n, value->shape.dim[i]));
  return arena_printf(h->arena, "((%s * %d + 7) / 8)", text, plan_element_bits(value->dtype));
}

// Memory at strides is from the first element to the last: "N < 1 || C < 1 ? 0 : ", where there may be none.
static const char *unless_empty(Header *h, const Plan *plan, const Naming *n, const Value *value) {
  const char *text = "";
  if (!value->storage || !value->storage->stride)
    return text;
  for (int i = 0; i < value->shape.rank; i++)
    if (!rsh_is_known(value->shape.dim[i]))
      text = arena_printf(h->arena, "%s%s%s < 1", text, *text ? " || " : "",
                          sum_expression(h, plan, n, value->shape.dim[i]));
  return *text ? arena_printf(h->arena, "%s ? 0 : ", text) : text;
}

// Bytes of a tensor, 0 where it is empty.
static const char *whole_bytes(Header *h, const Plan *plan, const Naming *n, const Value *value) {
  return arena_printf(h->arena, "%s%s", unless_empty(h, plan, n, value),
                      bytes_expression(h, plan, n, value));
}

// Of an input (output -1) or an output.
static void put_value_macros(Header *h, const Plan *plan, const Naming *n, const char *prefix,
                             const Value *value, int output) {
  const rsh_shape *shape = value_dims(value);
  bool is_output = output >= 0 && !plan_is_known(value);
  const char *arguments = plan_is_known(value) ? "" : macro_arguments(h, plan, n);
  put(h, "#define %s_RANK %d\n#define %s_DIMS%s { ", prefix, (int)shape->rank, prefix, arguments);
  for (int i = 0; i < shape->rank; i++) {
    put(h, "%s", i ? ", " : "");
    const Special *s = is_output ? special_sizes(h, plan, n, output, i) : NULL;
    for (; s; s = s->next)
      put(h, "%s ? %s : ", s->condition,
          sum_expression(h, s->plan, n, value_dims(s->value)->dim[i]));
    put(h, "%s", sum_expression(h, plan, n, shape->dim[i]));
  }
  const char *bytes = whole_bytes(h, plan, n, value), *choice = "";
  const Special *s = is_output ? special_sizes(h, plan, n, output, -1) : NULL;
  for (; s; s = s->next)
    choice = arena_printf(h->arena, "%s%s ? %s : ", choice, s->condition,
                          whole_bytes(h, s->plan, n, s->value));
  bool is_choice = *choice || strchr(bytes, '?');
  put(h, is_choice ? "%s }\n#define %s_BYTES%s (%s%s)\n" : "%s }\n#define %s_BYTES%s %s%s\n",
      shape->rank ? "" : "1", prefix, arguments, choice, bytes);
  if (value->lod)
    put(h, "#define %s_LOD %d\n", prefix,
        signature_find(&plan->signature, PARAMETER_INPUT, value->lod->id));
}

// An offset that depends on sizes makes these the first parameters.
static void put_alias(Header *h, const Plan *plan, const Naming *n, const char *function,
                      const char *prefix, const OutputPlan *out, const Value *place) {
  const char *type = c_element(h->arena, place->dtype, true);
  const char *parameter = naming_of(plan, n, PARAMETER_INPUT, place->id)->name;
  const char *wanted =
      c_identifier(h->arena, arena_printf(h->arena, "%s_%s", function, out->output->name));
  bool is_known = rsh_is_known(out->offset);
  put(h, is_known ? "#define %s_OFFSET%s %s\n" : "#define %s_OFFSET%s (%s)\n", prefix,
      is_known ? "" : macro_arguments(h, plan, n), sum_expression(h, plan, n, out->offset));
  put(h, "static inline %s*%s(", type, name_unique(&h->functions, wanted));
  for (int i = 0; !is_known && i < size_count(plan); i++)
    put(h, "int64_t %s, ", n[i].name);
  put(h, "%s*%s) { ", type, parameter);
  for (int i = 0; !is_known && i < size_count(plan); i++)
    put(h, "(void)%s; ", n[i].name);
  put(h, "return %s", parameter);
  if (!rsh_is(c_offset(out), 0))
    put(h, " + %s", expression(h, plan, n, c_offset(out)));
  put(h, "; }\n");
}

static void put_output_comment(Header *h, const Plan *plan, int index, const Naming *n) {
  const Graph *graph = plan->graph;
  const OutputPlan *out = &plan->output[index];
  put_pointer(h, graph, naming_of(plan, n, PARAMETER_OUTPUT, index)->name, out->output->value,
              plan_output_align(out->output), "output");
  put_storage(h, graph, out->output->value, ", the gaps are not written");
  put_lod(h, plan, out->output->value, n);
  const Value *place = c_alias_place(graph, out);
  bool has_elements = out->bytes > 0 || !plan_is_known(out->output->value);
  if (has_elements && place)
    put(h,
        ",\n *     may be element %s of %s itself: then nothing is done; else must not overlap an "
        "input",
        num_text(h->arena, graph, out->offset),
        naming_of(plan, n, PARAMETER_INPUT, place->id)->name);
  else if (out->in_place)
    put(h,
        ",\n *     may be element %s of %s itself, which is then overwritten; else must not "
        "overlap an "
        "input",
        num_text(h->arena, graph, out->offset),
        naming_of(plan, n, PARAMETER_INPUT, out->in_place->id)->name);
  else if (has_elements)
    put(h, ",\n *     must not overlap %s",
        graph->output_count > 1 ? "an input or another output" : "an input");
  put(h, "\n *     %s\n", safe(h->arena, out->why));
}

// ---- scratch

// "(4 * (int64_t)(B) * (int64_t)(S))"; where variants ask for more than that, first what these ask for:
// "((S) == 0 ? 112 : 16 * (int64_t)(S) + 96)".
static const char *scratch_expression(Header *h, const Plan *plan, const Naming *n) {
  const char *text = "";
  for (int i = 0; i < plan->graph->variant.count; i++) {
    if (plan_scratch_covers(plan, i))
      continue;
    const Plan *special = plan->variant[i];
    text = arena_printf(h->arena, "%s%s ? %s : ", text,
                        variant_condition(h, plan, n, &plan->graph->variant.item[i]),
                        special ? sum_expression(h, special, n, special->scratch_bytes) : "0");
  }
  if (!*text && rsh_is_known(plan->scratch_bytes))
    return sum_expression(h, plan, n, plan->scratch_bytes);
  return arena_printf(h->arena, "(%s%s)", text, sum_expression(h, plan, n, plan->scratch_bytes));
}

// "" where it is the same for all sizes.
static const char *scratch_arguments(Header *h, const Plan *plan, const Naming *n) {
  return *scratch_expression(h, plan, n) == '(' ? macro_arguments(h, plan, n) : "";
}

// What the kernel keeps values in while it runs.
static void put_scratch_comment(Header *h, const Plan *plan, const Naming *all) {
  const Naming *n = naming_of(plan, all, PARAMETER_SCRATCH, 0);
  const char *prefix = n->prefix, *arguments = scratch_arguments(h, plan, all);
  const char *bytes = *arguments ? arena_printf(h->arena, "%s_BYTES%s", prefix, arguments)
                                 : num_text(h->arena, plan->graph, plan->scratch_bytes);
  put(h, " *   %s: %s bytes, aligned to %" PRIu32 " bytes%s,\n", n->name, bytes,
      plan->scratch_align, *arguments ? ", may be null where that is 0" : "");
  put(h, " *     must not overlap an input or an output; what is in it does not matter, and is "
         "undefined afterwards\n");
}

static bool has_scalar(const Graph *graph) {
  bool found = false;
  for (int i = 0; i < graph->input_count; i++)
    found = found || graph->value.item[i]->shape.rank == 0;
  for (int i = 0; i < graph->output_count; i++)
    found = found || graph->output[i].value->shape.rank == 0;
  return found;
}

// Conditions of the caller's and of operators: what a call returns that breaks one.
static void put_guards(Header *h, const Graph *graph) {
  for (int i = 0; i < graph->guard.count; i++)
    put(h, " *   RSH_%s: not %s\n", rsh_status_name(graph->guard.item[i].status),
        safe(h->arena, guard_text(h->arena, graph, &graph->guard.item[i])));
}

// Sizes, mostly of 0, with which an operator's rule does not hold: "RSH_bad_index: S == 0".
static void put_refused_sizes(Header *h, const Plan *plan, const Naming *n) {
  for (int v = 0; v < plan->graph->variant.count; v++) {
    const Variant *variant = &plan->graph->variant.item[v];
    const char *separator = "";
    if (variant->status == RSH_ok)
      continue;
    put(h, " *   RSH_%s: ", rsh_status_name(variant->status));
    for (int i = 0; i < size_count(plan); i++) {
      int64_t bound = variant->bound[plan->signature.parameter.item[i].index];
      if (bound < 0)
        continue;
      put(h, "%s%s == %" PRId64, separator, n[i].name, bound);
      separator = " and ";
    }
    put(h, "\n");
  }
}

// The first of these that is so.
static void put_status(Header *h, const Plan *plan, const Naming *n) {
  put(h, " * Returns RSH_ok, or what is wrong, and then nothing is written:\n"
         " *   RSH_bad_dim: ");
  for (int i = 0; i < size_count(plan); i++)
    put(h, "%s%s", i == 0 ? "" : i + 1 == size_count(plan) ? " or " : ", ", n[i].name);
  put(h, " below 0\n");
  put_guards(h, plan->graph);
  put_refused_sizes(h, plan, n);
  put(h,
      " *   RSH_overflow: a tensor too large to be counted\n"
      " *   RSH_null_pointer: no memory for a tensor that has elements%s\n",
      plan->scratch_align > 0 ? ", or for scratch" : "");
}

static void put_comment(Header *h, const Plan *plan, const Naming *n, const char *shape) {
  const Graph *graph = plan->graph;
  put(h, "\n/*\n");
  put_signature(h, graph);
  for (int i = 0; i < plan->signature.parameter.count; i++) {
    Parameter p = plan->signature.parameter.item[i];
    switch (p.kind) {
    case PARAMETER_SIZE:
      break;
    case PARAMETER_INPUT:
      put_pointer(h, graph, n[i].name, graph->value.item[p.index],
                  plan_input_align(graph->value.item[p.index]), "input");
      put_storage(h, graph, graph->value.item[p.index], "");
      put_lod(h, plan, graph->value.item[p.index], n);
      put(h, "\n");
      break;
    case PARAMETER_OUTPUT:
      put_output_comment(h, plan, p.index, n);
      break;
    case PARAMETER_SCRATCH:
      put_scratch_comment(h, plan, n);
      break;
    case PARAMETER_DIMS:
    case PARAMETER_RANK:
    case PARAMETER_PLAN:
      break;
    }
  }
  if (has_scalar(graph))
    put(h, " * A scalar has rank 0; its DIMS are { 1 }, because C has no empty lists.\n");
  if (plan->signature.returns_status)
    put_status(h, plan, n);
  if (shape)
    put(h, " * %s gives the dims of the outputs alone.\n", shape);
  const char *libm = plan_libm(h->arena, plan);
  if (*libm)
    put(h, " * needs: %s (libm)\n", libm);
  put(h, " */\n");
}

static void put_macros(Header *h, const Plan *plan, const char *function, const Naming *n) {
  const Graph *graph = plan->graph;
  for (int i = 0; i < graph->input_count; i++)
    put_value_macros(h, plan, n, naming_of(plan, n, PARAMETER_INPUT, i)->prefix,
                     graph->value.item[i], -1);
  for (int i = 0; i < plan->output_count; i++) {
    const OutputPlan *out = &plan->output[i];
    const char *prefix = naming_of(plan, n, PARAMETER_OUTPUT, i)->prefix;
    const Value *place = c_alias_place(graph, out);
    put_value_macros(h, plan, n, prefix, out->output->value, i);
    put(h, "#define %s_IS_ALIAS %d\n", prefix, place != NULL);
    if (place)
      put_alias(h, plan, n, function, prefix, out, place);
  }
  if (plan->scratch_align > 0) {
    const char *prefix = naming_of(plan, n, PARAMETER_SCRATCH, 0)->prefix;
    put(h, "#define %s_BYTES%s %s\n#define %s_ALIGN %" PRIu32 "\n", prefix,
        scratch_arguments(h, plan, n), scratch_expression(h, plan, n), prefix, plan->scratch_align);
  }
}

// ---- dynamic graphs

static void put_dynamic_tensor(Header *h, const Graph *graph, const char *name, const Value *value,
                               uint32_t align, const char *role) {
  rsh_shape shape = value_known_dims(graph, value);
  put(h, " *   %s: %s, %s", name, role,
      safe(h->arena, type_text(h->arena, graph, value->dtype, &shape)));
  put(h, "%s", storage(value->dtype));
  if (graph_takes_tensors(graph))
    put(h, ", in memory of the host");
  else
    put(h, align == 1 ? ", any alignment" : ", aligned to %" PRIu32 " bytes", align);
  put_storage(h, graph, value, "");
}

static void put_dynamic_parameter(Header *h, const Plan *plan, const Naming *n, int i) {
  const Graph *graph = plan->graph;
  Parameter p = plan->signature.parameter.item[i];
  int32_t rank = RSH_RANK_UNKNOWN;
  if (p.kind == PARAMETER_DIMS || p.kind == PARAMETER_RANK)
    rank = value_dims(graph->output[p.index].value)->rank;
  switch (p.kind) {
  case PARAMETER_SIZE:
    break;
  case PARAMETER_INPUT:
    put_dynamic_tensor(h, graph, n[i].name, graph->value.item[p.index],
                       plan_input_align(graph->value.item[p.index]), "input");
    put(h, "\n");
    break;
  case PARAMETER_OUTPUT:
    put_dynamic_tensor(h, graph, n[i].name, graph->output[p.index].value,
                       plan_output_align(&graph->output[p.index]), "output");
    put(h, ",\n *     must not overlap another tensor\n");
    break;
  case PARAMETER_DIMS:
    put(h, " *   %s: room for the %d dims of %s, or null\n", n[i].name,
        rank == RSH_RANK_UNKNOWN ? RSH_MAX_RANK : (int)rank, graph->output[p.index].name);
    break;
  case PARAMETER_RANK:
    put(h, " *   %s: where the rank of %s goes, or null\n", n[i].name, graph->output[p.index].name);
    break;
  case PARAMETER_PLAN:
    put(h,
        " *   %s: %s_BYTES bytes, aligned to 8, all zeros before the first call. It remembers the\n"
        " *     sizes and target shapes of the last call and what they lead to; one thread at a "
        "time\n",
        n[i].name, n[i].prefix);
    break;
  case PARAMETER_SCRATCH: // dynamic graphs have none
    break;
  }
}

static const char *prototype_of(Header *h, const Plan *plan, const Signature *signature,
                                const char *function) {
  return c_prototype(h->arena, plan, signature, function,
                     c_parameter_names(h->arena, plan->graph, signature), "RSH_RESTRICT ");
}

// A name that no parameter of the graph has: `rsh_i`, or rsh_i_2.
static const char *free_name(Header *h, const Plan *plan, const char *name) {
  NameSet set = {.arena = h->arena};
  const char **parameter = c_parameter_names(h->arena, plan->graph, &plan->signature);
  for (int i = 0; i < plan->signature.parameter.count; i++)
    name_unique(&set, parameter[i]);
  return name_unique(&set, name);
}

// A loop over the tasks, which OpenMP gives to its threads.
static void put_parallel(Header *h, const Plan *plan, TaskNames name) {
  const char **parameter = c_parameter_names(h->arena, plan->graph, &plan->signature);
  const char *task = free_name(h, plan, "rsh_i"), *count = free_name(h, plan, "rsh_n"),
             *all = free_name(h, plan, "rsh_all");
  bool has_status = plan->signature.returns_status;
  int sizes = size_count(plan);
  put(h, "#ifdef _OPENMP\nstatic inline %s {\n",
      prototype_of(h, plan, &plan->signature, name.parallel));
  put(h, "  const int32_t %s = %s(", count, name.count);
  for (int i = 0; i < sizes; i++)
    put(h, "%s%s", i ? ", " : "", parameter[i]);
  put(h, ");\n  int32_t %s;\n", task);
  if (has_status)
    put(h, "  rsh_status %s[%d];\n", all, MOST_TASKS);
  put(h,
      "#pragma omp parallel for schedule(dynamic)\n"
      "  for (%s = 0; %s < %s; %s++)\n    ",
      task, task, count, task);
  if (has_status)
    put(h, "%s[%s] = ", all, task);
  put(h, "%s(%s", name.task, task);
  for (int i = 0; i < plan->signature.parameter.count; i++)
    put(h, ", %s", parameter[i]);
  put(h, ");\n");
  if (has_status)
    put(h, "  return %s[0];\n", all);
  put(h, "}\n#endif\n");
}

// The work in parts, for threads of the caller.
static void put_tasks(Header *h, const Plan *plan, const char *function, TaskNames name) {
  int64_t tasks;
  plan_split(h->arena, plan, &tasks);
  const char *index = free_name(h, plan, "rsh_i");
  put(h,
      "\n/*\n * The same in tasks, which may run at the same time and in any order: %s for\n"
      " * each %s %s%s does what %s does%s. Two tasks never write to the same\n"
      " * 64 bytes of an output that is aligned to 64 bytes. With OpenMP, %s does all of them.\n "
      "*/\n",
      name.task, index, tasks > 0 ? "from 0 to " : "below ",
      tasks > 0 ? arena_printf(h->arena, "%" PRId64, tasks - 1) : name.count, function,
      plan->signature.returns_status ? " and returns the same status" : "", name.parallel);
  put(h, "int32_t %s(", name.count);
  const char **parameter = c_parameter_names(h->arena, plan->graph, &plan->signature);
  int sizes = size_count(plan);
  for (int i = 0; i < sizes; i++)
    put(h, "%sint64_t %s", i ? ", " : "", parameter[i]);
  const char *prototype = prototype_of(h, plan, &plan->signature, name.task);
  const char *list = strchr(prototype, '(') + 1;
  put(h, "%s);\n%.*sint32_t %s, %s;\n", sizes ? "" : "void", (int)(list - prototype), prototype,
      index, list);
  put_parallel(h, plan, name);
}

static void put_prototypes(Header *h, const Plan *plan, const char *function, const char *shape) {
  put(h, "%s;\n", prototype_of(h, plan, &plan->signature, function));
  if (shape)
    put(h, "%s;\n", prototype_of(h, plan, &plan->shape_signature, shape));
}

static void put_dynamic(Header *h, const Plan *plan, const char *function, const char *shape) {
  const Naming *n = name_parameters(h, plan, function);
  put(h, "\n/*\n");
  put_signature(h, plan->graph);
  for (int i = 0; i < plan->signature.parameter.count; i++)
    put_dynamic_parameter(h, plan, n, i);
  put(h,
      " * Returns RSH_ok, or what is wrong with the sizes, the target shapes or the pointers; "
      "then\n"
      " * nothing is written. %s gives the dims of the outputs alone. Link with librsh_runtime.a",
      shape);
  const char *libm = plan_libm(h->arena, plan);
  put(h, "%s.\n", *libm ? arena_printf(h->arena, " and libm (%s)", libm) : "");
  put_guards(h, plan->graph);
  put(h, " */\n");
  put_prototypes(h, plan, function, shape);
  int place = signature_find(&plan->signature, PARAMETER_PLAN, 0);
  put(h, "#define %s_BYTES %" PRId64 "\n", n[place].prefix, plan->tape->plan_bytes);
}

static void put_graph(Header *h, const Plan *plan, const char *function, const char *shape,
                      const TaskNames *task) {
  if (plan->tape) {
    put_dynamic(h, plan, function, shape);
    return;
  }
  const Naming *n = name_parameters(h, plan, function);
  put_comment(h, plan, n, shape);
  put_prototypes(h, plan, function, shape);
  put_macros(h, plan, function, n);
  if (task)
    put_tasks(h, plan, function, *task);
}

// "dir/my-model.h" and "my-model" are MY_MODEL_H.
static const char *guard_of(Arena *arena, const char *name) {
  const char *slash = strrchr(name, '/');
  name = slash ? slash + 1 : name;
  size_t length = strlen(name);
  if (length > 2 && strcmp(name + length - 2, ".h") == 0)
    length -= 2;
  const char *clean = c_macro_part(arena, arena_text(arena, name, length));
  while (*clean == '_') // such names belong to the implementation
    clean++;
  bool usable = *clean >= 'A' && *clean <= 'Z';
  return arena_printf(arena, "%s%s_H", usable ? "" : "RESHAPEC_", clean);
}

// The sizes that the object was made for.
static void put_assertions(Header *h, const Plan *const *plans, int count, const char *keyword) {
  bool seen[RSH_DTYPE_COUNT] = {false};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < plans[i]->graph->value.count; k++)
      seen[plans[i]->graph->value.item[k]->dtype] = true;
  put(h, "%s(sizeof(void *) == %d, \"made for pointers of %d bytes\");\n", keyword,
      h->pointer_bytes, h->pointer_bytes);
  if (seen[RSH_F32] || seen[RSH_C64])
    put(h, "%s(sizeof(float) == 4, \"f32 is float\");\n", keyword);
  if (seen[RSH_F64] || seen[RSH_C128])
    put(h, "%s(sizeof(double) == 8, \"f64 is double\");\n", keyword);
}

static void put_head(Header *h, const Plan *const *plans, int count, const char *source,
                     const char *guard) {
  const char *slash = strrchr(source, '/');
  put(h, "/* Made by reshapec from %s. */\n", safe(h->arena, slash ? slash + 1 : source));
  bool tensors = false;
  for (int i = 0; i < count; i++)
    tensors = tensors || graph_takes_tensors(plans[i]->graph);
  put(h, "#ifndef %s\n#define %s\n\n%s#include <stdint.h>\n\n", guard, guard,
      tensors ? "#include <dlpack/dlpack.h>\n" : "");
  put(h, "#ifndef RSH_RESTRICT\n"
         "#if !defined __cplusplus && defined __STDC_VERSION__ && __STDC_VERSION__ >= 199901L\n"
         "#define RSH_RESTRICT restrict\n#else\n#define RSH_RESTRICT\n#endif\n#endif\n\n");
  put(h, "#if defined __cplusplus && __cplusplus >= 201103L\n");
  put_assertions(h, plans, count, "static_assert");
  put(h, "#elif !defined __cplusplus && defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L\n");
  put_assertions(h, plans, count, "_Static_assert");
  put(h, "#endif\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
}

// What sizes with edges in them are made of (Symbol.is_edge).
static void put_edge_macro(Header *h, const Plan *const *plans, int count) {
  bool has_edges = false;
  for (int i = 0; i < count; i++)
    has_edges = has_edges || (!plans[i]->tape && graph_has_edges(plans[i]->graph));
  if (has_edges)
    put(h, "\n/* Where a slice begins or ends on an axis: a place below 0 counts from the end. */\n"
           "#ifndef RSH_EDGE\n"
           "#define RSH_CUT(at, size, least) \\\n"
           "  ((at) < (least) ? (least) : (at) > (size) ? (size) : (at))\n"
           "#define RSH_EDGE(at, size, least) \\\n"
           "  RSH_CUT((at) < 0 ? (at) + (size) : (at), size, least)\n"
           "#endif\n");
}

Bytes emit_header(Arena *arena, const Plan *const *plans, int count, const Source *source,
                  const char *guard_name, int pointer_bytes, const EmitOptions *options) {
  Header h = {.arena = arena,
              .text = {.arena = arena},
              .pointer_bytes = pointer_bytes,
              .macros = {.arena = arena},
              .functions = {.arena = arena}};
  const char *guard = guard_of(arena, guard_name);
  const char **function = function_names(arena, plans, count);
  put_head(&h, plans, count, source ? source->name : "", guard);
  const char **shape = shape_names(arena, plans, count);
  bool has_status = false;
  for (int i = 0; i < count; i++)
    name_unique(&h.functions, function[i]);
  for (int i = 0; i < count; i++) {
    has_status = has_status || shape[i];
    if (shape[i])
      name_unique(&h.functions, shape[i]);
  }
  const TaskNames *task = options->parallel ? task_names(arena, plans, count) : NULL;
  for (int i = 0; task && i < count; i++) {
    if (task[i].task) {
      name_unique(&h.functions, task[i].count);
      name_unique(&h.functions, task[i].task);
      name_unique(&h.functions, task[i].parallel);
    }
  }
  if (options->levels)
    put(&h, "\n/* The first call asks the processor for its level of x86-64, and which code to use "
            "is kept in\n"
            " * an int of the object: written at once, always with the same value, so any thread "
            "may be first. */\n");
  if (has_status)
    c_put_statuses(&h.text);
  put_edge_macro(&h, plans, count);
  for (int i = 0; i < count; i++)
    put_graph(&h, plans[i], function[i], shape[i], task ? &task[i] : NULL);
  put(&h, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* %s */\n", guard);
  return (Bytes){h.text.letter.item, (size_t)h.text.letter.count};
}
