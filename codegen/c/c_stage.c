// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Staged values as C functions: an address in the value to the place of the element in an input, or to the
// element itself where it is computed. An address lies in exactly one nest, and the nest's loops are its
// digits (plan.h).
#include "codegen/c/c_internal.h"

#include <string.h>

static const char *parameter_type(CKernel *k, Parameter p) {
  Arena *arena = k->file->arena;
  const Graph *graph = k->plan->graph;
  switch (p.kind) {
  case PARAMETER_SIZE:
    return "size_t ";
  case PARAMETER_INPUT:
    return arena_printf(arena, "%s*", c_element(arena, graph->value.item[p.index]->dtype, true));
  case PARAMETER_OUTPUT:
    return arena_printf(arena, "%s*", c_element(arena, graph->output[p.index].value->dtype, false));
  default:
    return "void *";
  }
}

// Digit after digit, from the outermost loop in; what is left is in `rest`. Gives the sum of the source's steps.
static void put_digits(CKernel *k, const Nest *nest, int64_t src_unit, int64_t dst_unit,
                       CSum *src) {
  Arena *arena = k->file->arena;
  c_add(k, src, c_divided(nest->src_offset, src_unit), NULL);
  if (rsh_is(nest->dst_offset, 0))
    c_line(k, "rest = at;");
  else
    c_line(k, "rest = at - %s;", c_number(k, c_divided(nest->dst_offset, dst_unit), true));
  for (int i = 0; i < nest->loop_count; i++) {
    const Loop *loop = &nest->loop[i];
    const char *digit = arena_printf(arena, "digit[%d]", i);
    const char *by = c_number(k, c_divided(loop->dst, dst_unit), true);
    if (!plan_is_positive(k->plan, loop->dst)) // of a nest without elements: any digit will do
      by = arena_printf(arena, "((ptrdiff_t)(%s) > 1 ? %s : 1U)", by, by);
    else if (strchr(by, ' '))
      by = arena_printf(arena, "(%s)", by);
    c_line(k, "%s = rest / %s;", digit, by);
    c_line(k, "rest -= %s * %s;", digit, by);
    if (!rsh_is_fill(nest->source))
      c_add(k, src, c_divided(loop->src, src_unit), digit);
  }
  if (!nest->by_element && !rsh_is_fill(nest->source))
    c_add(k, src, rsh_int(1), "rest");
}

// The condition under which an address with these digits lies in the nest.
static const char *inside(CKernel *k, const Nest *nest, int64_t dst_unit) {
  const char *text = "";
  for (int i = 0; i < nest->loop_count; i++)
    text = arena_printf(k->file->arena, "%s(digit[%d] < %s) && ", text, i,
                        c_number(k, nest->loop[i].extent, true));
  return arena_printf(k->file->arena, "%s(rest < %s)", text,
                      c_number(k, c_divided(nest->run, dst_unit), true));
}

static const char *filled(CKernel *k, const Nest *nest, rsh_dtype type) {
  uint8_t bytes[16];
  int period = plan_fill(k->plan->graph, nest->source, bytes);
  const char *name = name_unique(&k->file->names, arena_printf(k->file->arena, "%s_fill", k->name));
  return c_put_data(k->file, name, type, bytes, period);
}

// What the stage gives for an index in the source of a nest.
static const char *found(CKernel *k, const Stage *stage, const Nest *nest, const char *index) {
  Arena *arena = k->file->arena;
  const Graph *graph = k->plan->graph;
  if (stage->is_computed)
    return c_element_at(k, nest, index);
  if (rsh_is_fill(nest->source))
    return filled(k, nest, stage->value->dtype);
  // A bitcast between signed and unsigned leaves the address as it is.
  const char *type = c_element(arena, stage->value->dtype, true);
  const char *from = c_element(arena, graph->value.item[nest->source]->dtype, true);
  const char *cast = strcmp(type, from) == 0 ? "" : arena_printf(arena, "(%s*)", type);
  if (!graph_is_source(graph, nest->source))
    return arena_printf(arena, "%s%s", cast, c_call_stage(k, c_find_stage(k, nest->source), index));
  return arena_printf(arena, "%s&%s[%s]", cast, c_source(k, nest->source), index);
}

static void put_lookup(CKernel *k, const Stage *stage) {
  rsh_dtype type = plan_source_type(k->plan->graph, stage->value->id);
  int loops = 0;
  for (int i = 0; i < stage->nest_count; i++)
    loops = stage->nest[i].loop_count > loops ? stage->nest[i].loop_count : loops;
  c_line(k, "size_t rest;");
  if (loops > 0)
    c_line(k, "size_t digit[%d];", loops);
  for (int i = 0; i < stage->nest_count; i++) {
    const Nest *nest = &stage->nest[i];
    CSum src = {0};
    put_digits(k, nest, c_unit(c_read_type(k, nest)), c_unit(type), &src);
    const char *given = found(k, stage, nest, c_sum(k, &src));
    if (i == stage->nest_count - 1) { // exactly one nest has the address, so the last needs no test
      c_line(k, "(void)rest;");
      c_line(k, "return %s;", given);
      return;
    }
    c_line(k, "if (%s) {", inside(k, nest, c_unit(type)));
    k->depth++;
    c_line(k, "return %s;", given);
    k->depth--;
    c_line(k, "}");
  }
}

// A value whose elements are listed.
static void put_listed(CKernel *k, const Value *value) {
  Arena *arena = k->file->arena;
  rsh_num volume;
  rsh_volume(NULL, &value->shape, &volume);
  int64_t *item = ARENA_ARRAY(arena, int64_t, volume.n),
          step = plan_element_bits(value->dtype) / 8 / c_unit(value->dtype);
  for (int64_t i = 0; i < volume.n; i++)
    item[i] = (int64_t)value->table[i] * step;
  const char *table = c_table(k, item, (int)volume.n, 1, "elements");
  const char *type = c_element(arena, value->dtype, true);
  const char *from = c_element(arena, value->table_source->dtype, true);
  const char *cast = strcmp(type, from) == 0 ? "" : arena_printf(arena, "(%s*)", type);
  c_line(k, "return %s&%s[%s[at / %dU]];", cast, c_source(k, value->table_source->id), table,
         (int)step);
}

static void put_stage(CKernel *k, int index) {
  CFile *file = k->file;
  const Stage *stage = &k->plan->stage[index];
  int count = c_stage_parameters(k->plan);
  c_body_begin(k);
  if (stage->value->table && !stage->is_computed)
    put_listed(k, stage->value);
  else
    put_lookup(k, stage);
  c_put(&file->body, "\n/* Element `at` of a value that is looked up. */\nstatic %s%s%s(",
        c_element(file->arena, plan_source_type(k->plan->graph, stage->value->id),
                  !stage->is_computed),
        stage->is_computed ? "" : "*", k->stage[index]);
  for (int i = 0; i < count; i++)
    c_put(&file->body, "%s%s, ", parameter_type(k, k->signature->parameter.item[i]),
          k->parameter[i]);
  c_put(&file->body, "size_t at%s) {\n", c_places(k, "size_t "));
  c_body_end(k, count);
}

void c_put_stages(CKernel *k) {
  CFile *file = k->file;
  k->stage = ARENA_ARRAY(file->arena, const char *, k->plan->stage_count + 1);
  for (int i = 0; i < k->plan->stage_count; i++) {
    k->stage[i] = name_unique(&file->names, arena_printf(file->arena, "%s_stage_%d", k->name, i));
    put_stage(k, i);
  }
}

// ---- the function that does the work ----

CKernel c_put_kernel(CFile *file, const Plan *plan, const char *name) {
  CKernel k = c_kernel_begin(file, plan, &plan->signature, name);
  k.has_places = true;
  c_put_stages(&k);
  c_body_begin(&k);
  c_put_passes(&k);
  c_put_outputs(&k);
  bool has_sizes = plan->signature.returns_status;
  if (has_sizes)
    name = name_unique(&file->names, arena_printf(file->arena, "%s_kernel", name));
  if (has_sizes)
    c_put(&file->body, "\nstatic void %s(%s) {\n", name, c_kernel_parameters(&k));
  else
    c_put(&file->body, "\n%s {\n",
          c_prototype(file->arena, plan, &plan->signature, name, k.parameter, "restrict "));
  c_body_end(&k, k.signature->parameter.count);
  k.name = name;
  return k;
}
