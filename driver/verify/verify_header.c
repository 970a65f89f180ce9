// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/verify/verify_header.h"

#include "codegen/header/c_text.h"
#include "codegen/plan/names.h"
#include "driver/verify/verify_macro.h"
#include "driver/verify/verify_value.h"
#include "frontend/text/words.h"

#include <stdlib.h>
#include <string.h>

// ---- the part of the header about one graph ----

typedef struct Check {
  const Map *map;
  const Plan *plan;
  const char
      *offset_parameters; // of the macro of an alias' offset, whose function has the same names
  const char *comment;    // before the prototype
  const char *line;       // current line: the prototype, then the following ones
  int64_t *size;          // values of the macro parameters
  const char *wrong;
} Check;

static bool fail(Check *c, const char *what, const char *name) {
  if (!c->wrong)
    c->wrong = arena_printf(c->map->arena, "the header has the wrong %s for '%s'", what, name);
  return false;
}

static void next_line(Check *c) {
  c->line = strchr(c->line, '\n');
  c->line = c->line ? c->line + 1 : "";
}

// `#define ..._SUFFIX`, with or without parameters; returns its replacement. NULL: the line is something else.
static const char *macro(Check *c, const char *suffix, const char **parameters) {
  static const char define[] = "#define ";
  if (strncmp(c->line, define, sizeof define - 1) != 0)
    return NULL;
  const char *name = c->line + sizeof define - 1;
  size_t length = macro_word(name), end = strlen(suffix);
  if (length < end || strncmp(name + length - end, suffix, end) != 0)
    return NULL;
  *parameters = name[length] == '(' ? name + length : NULL;
  return *parameters ? strchr(name, ')') + 1 : name + length;
}

// The value of such a macro; consumes the line.
static bool macro_value(Check *c, const char *suffix, const char *name, int64_t *value) {
  MacroReader r = {.value = c->size, .good = true};
  r.at = macro(c, suffix, &r.parameters);
  if (r.at) {
    *value = macro_read(&r);
    c->offset_parameters = r.parameters;
    next_line(c);
    if (r.good && *r.at == '\n')
      return true;
  }
  fail(c, suffix, name);
  return false;
}

static bool check_dims(Check *c, const Value *value, const char *name) {
  const Tensor *t = &c->map->value[value->id];
  MacroReader r = {.value = c->size, .good = true};
  r.at = macro(c, "_DIMS", &r.parameters);
  bool good = r.at && macro_takes(&r, "{");
  for (int k = 0; good && k < t->rank; k++)
    good = (k == 0 || macro_takes(&r, ",")) && macro_read(&r) == t->dim[k] && r.good;
  if (good && t->rank == 0)
    good = macro_read(&r) == 1; // a list must not be empty
  good = good && macro_takes(&r, "}");
  next_line(c);
  return good || fail(c, "shape", name);
}

static bool verify_shape(Check *c, const Value *value, const char *name) {
  int64_t rank;
  if (!macro_value(c, "_RANK", name, &rank))
    return false;
  if (rank != c->map->value[value_logical(value)->id].rank)
    return fail(c, "rank", name);
  return check_dims(c, value_logical(value), name);
}

static bool check_sizes(Check *c, const Value *value, const char *name) {
  int64_t bytes, bits = map_elements(c->map, value) * plan_element_bits(value->dtype);
  if (!verify_shape(c, value, name) || !macro_value(c, "_BYTES", name, &bytes))
    return false;
  if (bytes != (bits + 7) / 8)
    return fail(c, "number of bytes", name);
  const char *parameters;
  if (macro(c, "_LOD", &parameters))
    next_line(c);
  return true;
}

// ---- parameters ----

// The natural alignment of a pointer to elements: that of an element, or of one half of a complex element.
static int64_t natural_align(rsh_dtype dtype) {
  int bits = plan_element_bits(dtype);
  if (rsh_dtype_is_complex(dtype))
    bits /= 2;
  return bits < 8 ? 1 : bits / 8;
}

// " *   NAME: input, 192 bytes, aligned to 4 bytes"
static bool verify_align(Check *c, const Value *value, uint32_t declared, const char *name,
                         size_t length) {
  const char *at = c->comment;
  int64_t natural = natural_align(value->dtype), wanted = declared > natural ? declared : natural;
  if (map_elements(c->map, value) == 0)
    return true; // it is not accessed
  while ((at = strstr(at, "\n *   ")) && at < c->line) {
    at += 6;
    if (strncmp(at, name, length) != 0 || at[length] != ':')
      continue;
    const char *end = strchr(at, '\n'), *align = strstr(at, "aligned to ");
    int64_t memory = align && align < end ? strtoll(align + 11, NULL, 10) : 1;
    return memory == wanted || fail(c, "alignment", arena_text(c->map->arena, name, length));
  }
  return fail(c, "name", arena_text(c->map->arena, name, length));
}

static bool may_meet(const Check *c, Parameter p) {
  bool any = false;
  for (int i = 0; i < c->plan->output_count; i++) {
    const OutputPlan *out = &c->plan->output[i];
    const Value *home = out->tier == TIER_ALIAS ? out->source : out->in_place;
    if (home && !value_is_constant(home))
      any = any || (p.kind == PARAMETER_OUTPUT ? p.index == i : p.index == home->id);
  }
  return any;
}

static bool check_tensor(Check *c, Parameter p, const char *text, const char *name, size_t length) {
  bool is_input = p.kind == PARAMETER_INPUT;
  const Value *value =
      is_input ? c->map->graph->value.item[p.index] : c->map->graph->output[p.index].value;
  const char *type = rsh_dtype_ctype(value->dtype),
             *called = arena_text(c->map->arena, name, length);
  size_t before = (size_t)(name - text);
  const char *whole = arena_text(c->map->arena, text, before);
  const char *wanted = arena_printf(c->map->arena, "%s%s%s*", is_input ? "const " : "", type,
                                    type[strlen(type) - 1] == '*' ? "" : " ");
  if (is_input && value->dtype == RSH_STRING)
    wanted = "const char *const *";
  if (strncmp(whole, wanted, strlen(wanted)) != 0)
    return fail(c, "type", called);
  if (may_meet(c, p) && strstr(whole, "RESTRICT") && map_elements(c->map, value) > 0)
    return fail(c, "promise of no overlap", called);
  return verify_align(c, value, is_input ? value->align : c->map->graph->output[p.index].align,
                      name, length);
}

// True if a parameter has the graph's name for it; a name that C does not allow, or that is taken, may have a suffix. A
// long one is truncated.
static bool is_called(const char *wanted, const char *name) {
  return !wanted || wanted[macro_word(wanted)] != '\0' || !is_letter(*wanted) ||
         strncmp(name, wanted, strnlen(wanted, C_NAME_MOST)) == 0;
}

static const char *name_in_graph(const Check *c, Parameter p) {
  const Graph *g = c->map->graph;
  return p.kind == PARAMETER_SIZE     ? c->plan->graph->symbol.item[p.index].name
         : p.kind == PARAMETER_INPUT  ? g->value.item[p.index]->name
         : p.kind == PARAMETER_OUTPUT ? g->output[p.index].name
                                      : NULL;
}

// Checks one parameter of a prototype, up to its comma.
static bool check_parameter(Check *c, Parameter p, const char *text, size_t length) {
  static const char *const type[] = {[PARAMETER_SIZE] = "int64_t ",
                                     [PARAMETER_SCRATCH] = "void *",
                                     [PARAMETER_DIMS] = "int64_t *",
                                     [PARAMETER_RANK] = "int32_t *",
                                     [PARAMETER_PLAN] = "void *"};
  const char *name = text + length;
  while (name > text && is_word_byte(name[-1]))
    name--;
  size_t name_length = (size_t)(text + length - name);
  const char *called = arena_text(c->map->arena, name, name_length);
  if (!is_called(name_in_graph(c, p), called))
    return fail(c, "name", called);
  if (p.kind == PARAMETER_INPUT || p.kind == PARAMETER_OUTPUT)
    return graph_takes_tensors(c->plan->graph) || check_tensor(c, p, text, name, name_length);
  bool is_typed = strncmp(text, type[p.kind], strlen(type[p.kind])) == 0;
  return is_typed || fail(c, "type", called);
}

// Checks the prototype of `function`, or of its shape function.
static bool check_prototype(Check *c, const char *function, const Signature *s) {
  bool is_status = strncmp(c->line, "rsh_status ", 11) == 0;
  const char *at = strchr(c->line, '(') + 1;
  if (is_status != s->returns_status)
    return fail(c, "type", function);
  for (int i = 0; i < s->parameter.count; i++) {
    size_t length = strcspn(at, ",)");
    bool is_last = i == s->parameter.count - 1;
    if (at[length] != (is_last ? ')' : ','))
      return fail(c, "number of parameters", function);
    if (!check_parameter(c, s->parameter.item[i], at, length))
      return false;
    at += length + (is_last ? 1 : 2);
  }
  next_line(c);
  return true;
}

// The number of a status is its position in the list.
static bool check_statuses(Check *c, const char *header) {
  const char *at = strstr(header, "typedef enum rsh_status {");
  for (int i = 0; at && i < RSH_STATUS_COUNT; i++) {
    const char *name = arena_printf(c->map->arena, "\n  RSH_%s,", rsh_status_name((rsh_status)i));
    at = strchr(at, '\n');
    if (at && strncmp(at, name, strlen(name)) != 0)
      at = NULL;
    at = at ? at + 1 : NULL;
  }
  return at || fail(c, "list", "rsh_status");
}

// ---- aliases ----

// Follows bitcasts to other sizes down to the cell, and the bit of it, that bit `bit` of a cell comes from. False: a
// function changes it on the way.
static bool follow_bit(const Map *map, int64_t *cell, int64_t *bit) {
  for (;;) {
    const Origin *origin = map_origin(map, CELL_LABEL(*cell));
    if (origin->kind != ORIGIN_BITS)
      return true;
    rsh_dtype from = origin->node->in[0]->dtype, to = origin->node->out[0]->dtype;
    if (!value_keeps_bits(map, CELL_CHAIN(*cell), to))
      return false;
    int64_t have = rsh_dtype_bits(from);
    int64_t at = (CELL_LABEL(*cell) - origin->first) * rsh_dtype_bits(to) + *bit;
    *cell = origin->cell[at / have];
    *bit = at % have;
  }
}

// Checks the same for a value made by bitcasts to other sizes, bit by bit.
static bool is_alias_of_bits(const Map *map, const Value *value, int64_t offset) {
  const Tensor *t = &map->value[value->id];
  const Origin *origin = NULL;
  int64_t bits = rsh_dtype_bits(value->dtype);
  for (int64_t i = 0; i < t->count * bits; i++) {
    int64_t cell = t->cell[i / bits], bit = i % bits;
    if (!follow_bit(map, &cell, &bit))
      return false;
    origin = origin ? origin : map_origin(map, CELL_LABEL(cell));
    int64_t size = origin->kind == ORIGIN_INPUT ? rsh_dtype_bits(origin->value->dtype) : 0;
    if (size == 0 || CELL_LABEL(cell) != origin->first + offset + i / size || bit != i % size ||
        !value_keeps_bits(map, CELL_CHAIN(cell), origin->value->dtype))
      return false;
  }
  return true;
}

static bool is_alias_at(const Map *map, const Value *value, const Origin *origin, int64_t offset) {
  const Tensor *t = &map->value[value->id];
  if (t->count > 0 && origin->kind == ORIGIN_BITS)
    return is_alias_of_bits(map, value, offset);
  bool same = t->count == 0 || (origin && origin->kind == ORIGIN_INPUT);
  int seen = 0; // the last chain that was checked
  for (int64_t i = 0; same && i < tensor_cells(t); i++) {
    int chain = CELL_CHAIN(t->cell[i]);
    same = CELL_LABEL(t->cell[i]) == origin->first + offset + tensor_at(t, i) &&
           (chain == seen || value_keeps_bits(map, chain, origin->value->dtype));
    seen = chain;
  }
  return same;
}

// static inline const T *GRAPH_OUT(const T *x) { return x + OFFSET; }
static bool check_place(Check *c, rsh_dtype dtype, const char *name, int64_t offset) {
  int64_t per_element = rsh_dtype_is_complex(dtype) ? 2 : 1;
  bool is_packed = plan_element_bits(dtype) < 8;
  const char *body = strstr(c->line, "return ");
  MacroReader r = {.value = c->size, .good = true};
  if (strncmp(c->line, "static inline ", 14) != 0 || !body || body > strchr(c->line, '\n'))
    return fail(c, "place", name);
  r.at = body + 7;
  r.parameters = c->offset_parameters;
  r.at += macro_word(r.at);
  int64_t steps = macro_takes(&r, "+") ? macro_read(&r) : 0;
  if (is_packed)
    offset = offset * plan_element_bits(dtype) / 8;
  next_line(c);
  return steps == offset * per_element || fail(c, "place", name);
}

static bool check_alias(Check *c, const Output *output) {
  const Tensor *t = &c->map->value[output->value->id];
  int64_t offset;
  if (t->count == 0 ||
      c->map->status != RSH_ok) { // any position in any input is valid; a refused call has none
    next_line(c);
    next_line(c);
    return true;
  }
  if (!macro_value(c, "_OFFSET", output->name, &offset))
    return false;
  const Origin *origin = map_origin(c->map, CELL_LABEL(t->cell[0]));
  if (!output->value->storage && !is_alias_at(c->map, output->value, origin, offset))
    return fail(c, "place", output->name);
  const Value *place = c->plan->output[output - c->map->graph->output].source;
  return check_place(c, place ? place->dtype : output->value->dtype, output->name, offset);
}

// ---- placed inputs ----

// The place of element i of an input, from its macros.
static int64_t place_of(const Tensor *t, int64_t i, int64_t offset, const int64_t *stride) {
  for (int k = t->rank - 1; k >= 0; i /= t->dim[k--])
    offset += i % t->dim[k] * stride[k];
  return offset;
}

// True if every element of the input is in the output, at its place.
static bool is_in_header(Check *c, const Value *input, int64_t offset, const int64_t *stride) {
  int64_t found = 0;
  const Tensor *in = &c->map->value[input->id];
  for (int k = 0; k < c->map->graph->output_count; k++) {
    const Value *output = c->map->graph->output[k].value;
    const Tensor *t = &c->map->value[output->id];
    for (int64_t i = 0; i < t->count; i++) {
      const Origin *origin = map_origin(c->map, CELL_LABEL(t->cell[i]));
      if (origin->kind != ORIGIN_INPUT || origin->value != input)
        continue;
      int64_t element = CELL_LABEL(t->cell[i]) - origin->first;
      if (map_place(c->map, output, i) != place_of(in, element, offset, stride))
        return false;
      found++;
    }
  }
  return found == in->count;
}

// Checks ..._PLACE_OFFSET, ..._PLACE_STRIDES, and the function that returns the place.
static bool check_placed(Check *c, const Value *input) {
  int64_t offset, stride[RSH_MAX_RANK];
  int output;
  const char *place_parameters;
  if (!verify_shape(c, input, input->name))
    return false;
  if (!plan_placed(c->plan, input, &output))
    return true;
  if (!macro_value(c, "_PLACE_OFFSET", input->name, &offset))
    return false;
  place_parameters = c->offset_parameters;
  MacroReader r = {.value = c->size, .good = true};
  r.at = macro(c, "_PLACE_STRIDES", &r.parameters);
  bool good = r.at && macro_takes(&r, "{");
  for (int k = 0; good && k < c->map->value[input->id].rank; k++) {
    good = k == 0 || macro_takes(&r, ",");
    stride[k] = macro_read(&r);
  }
  next_line(c);
  bool is_run = c->map->status == RSH_ok;
  if (!good || !r.good || (is_run && !is_in_header(c, input, offset, stride)))
    return fail(c, "place", input->name);
  c->offset_parameters = place_parameters;
  return check_place(c, input->dtype, input->name, offset);
}

static bool check_output(Check *c, const Output *output) {
  int64_t is_alias;
  if (!check_sizes(c, output->value, output->name) ||
      !macro_value(c, "_IS_ALIAS", output->name, &is_alias))
    return false;
  const OutputPlan *out = &c->plan->output[output - c->map->graph->output];
  // An output without elements is not an alias if no input has its type.
  if (is_alias != (c_alias_place(c->plan->graph, out) != NULL))
    return fail(c, "kind", output->name);
  return !is_alias || check_alias(c, output);
}

// The line that starts with "rsh_status NAME(" or "void NAME(".
static const char *find_prototype(Arena *arena, const char *header, const char *function) {
  const char *found = strstr(header, arena_printf(arena, "\nrsh_status %s(", function));
  if (!found)
    found = strstr(header, arena_printf(arena, "\nvoid %s(", function));
  return found ? found + 1 : NULL;
}

// The comment before a prototype.
static const char *find_comment(const char *header, const char *prototype) {
  const char *found = header;
  for (const char *at = header; (at = strstr(at, "\n/*\n")) && at < prototype; at++)
    found = at;
  return found;
}

static bool check_prototypes(Check *c, const char *header, const char *function) {
  const Plan *plan = c->plan;
  if (!check_prototype(c, function, &plan->signature))
    return false;
  return !plan->signature.returns_status ||
         (check_statuses(c, header) &&
          check_prototype(c, "the function for the sizes", &plan->shape_signature));
}

static void verify_values(Check *c) {
  const Graph *g = c->map->graph;
  bool good = true;
  for (int i = 0; good && i < g->input_count; i++) {
    const Value *input = g->value.item[i];
    good = input->is_placed ? check_placed(c, input) : check_sizes(c, input, input->name);
  }
  for (int i = 0; good && i < g->output_count; i++)
    good = check_output(c, &g->output[i]);
}

static bool has_parameter(const Plan *plan, ParameterKind kind) {
  bool found = false;
  for (int i = 0; i < plan->signature.parameter.count; i++)
    found = found || plan->signature.parameter.item[i].kind == kind;
  return found;
}

const char *verify_header(const Map *map, const Plan *plan, const char *header,
                          const char *function, CallerMemory *memory) {
  Check c = {.map = map, .plan = plan};
  c.line = find_prototype(map->arena, header, function);
  if (!c.line)
    return "the header does not declare it";
  c.comment = find_comment(header, c.line);
  c.size = ARENA_ARRAY(map->arena, int64_t, plan->signature.parameter.count + 1);
  for (int i = 0; i < plan->signature.parameter.count; i++)
    if (plan->signature.parameter.item[i].kind == PARAMETER_SIZE)
      c.size[i] = map->given[plan->signature.parameter.item[i].index];
  if (!check_prototypes(&c, header, function))
    return c.wrong;
  if (plan->tape) {
    macro_value(&c, "_PLAN_BYTES", "plan", &memory->plan_bytes);
    return c.wrong;
  }
  verify_values(&c);
  if (!c.wrong && has_parameter(plan, PARAMETER_SCRATCH) &&
      macro_value(&c, "_SCRATCH_BYTES", "scratch", &memory->scratch_bytes))
    macro_value(&c, "_SCRATCH_ALIGN", "scratch", &memory->scratch_align);
  return c.wrong;
}
