// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Staged values as C functions (codegen/code/code_stage.c): from an index in the value to the address of the element in
// an input, or to the element itself if it is computed.
#include "codegen/c/c_internal.h"

#include <inttypes.h>
#include <string.h>

// The constant in memory, repeated.
static const char *filled(CKernel *k, const Stage *stage, const Nest *nest) {
  uint8_t fill[16];
  int64_t period = plan_fill(k->plan->graph, nest->source, fill);
  int64_t count = stage_fill_bytes(k->plan->graph, stage, nest->source);
  rsh_dtype type = stage->value->dtype;
  uint8_t *bytes = arena_alloc(k->file->arena, (size_t)count);
  const char *key = arena_printf(k->file->arena, "fill %s %" PRId64, rsh_dtype_name(type), count);
  for (int64_t i = 0; i < count; i++)
    bytes[i] = fill[i % period];
  for (int64_t i = 0; i < period; i++)
    key = arena_printf(k->file->arena, "%s %d", key, fill[i]);
  return c_shared_data(k, key, "fill", type, bytes, count);
}

// "(const uint8_t *)" if the value has another type than its source, as after a bitcast; else "".
static const char *cast_of(CKernel *k, const Stage *stage, rsh_dtype from) {
  Arena *arena = k->file->arena;
  const char *type = c_element(arena, stage->value->dtype, true);
  bool is_same = strcmp(type, c_element(arena, from, true)) == 0;
  return is_same ? "" : arena_printf(arena, "(%s*)", type);
}

// The result of the stage for an index in the source of a nest: "&x[4U * digit + rest]".
static const char *found(CKernel *k, const Stage *stage, int index, const char *at) {
  Arena *arena = k->file->arena;
  const Graph *graph = k->plan->graph;
  const Nest *nest = &stage->nest[index];
  if (rsh_is_fill(nest->source))
    return filled(k, stage, nest);
  const char *cast = cast_of(k, stage, c_source_type(k, nest->source));
  if (!graph_is_source(graph, nest->source))
    return arena_printf(
        arena, "%s%s", cast,
        c_call_stage(k, plan_stage(k->plan, nest->source), at, stage->finds_parts ? "left" : NULL));
  return arena_printf(arena, "%s&%s[%s]", cast, c_source(k, nest->source), at);
}

static void put_stage(CKernel *k, int index) {
  CFile *file = k->file;
  const Stage *stage = &k->plan->stage[index];
  int count = plan_stage_parameters(k->plan);
  c_body_begin(k);
  const Value *listed = stage_listed(stage);
  CLeaves leaves = {.stage = stage,
                    .found = found,
                    .type = plan_source_type(k->plan->graph, stage->value->id),
                    .left = stage->finds_parts ? "left" : NULL,
                    .buffer = listed ? c_source(k, listed->id) : NULL,
                    .cast = listed ? cast_of(k, stage, c_source_type(k, listed->id)) : ""};
  c_put_code(k, code_stage(file->arena, k->plan, stage, true), leaves);
  c_put(&file->body, "\n/* Element `at` of a value that is looked up. */\nstatic %s%s%s(",
        c_element(file->arena, plan_source_type(k->plan->graph, stage->value->id),
                  !stage->is_computed),
        stage->is_computed ? "" : "*", k->stage[index]);
  c_put(&file->body, "%s%ssize_t at%s%s) {\n%s", c_parameters(k, count, ""), count > 0 ? ", " : "",
        stage->finds_parts ? ", size_t *left" : "", c_places(k, "size_t "),
        k->is_index_used ? "" : "  (void)at;\n"); // all elements are one
  c_body_end(k, count);
}

static void put_stages(CKernel *k) {
  CFile *file = k->file;
  k->stage = ARENA_ARRAY(file->arena, const char *, k->plan->stage_count + 1);
  for (int i = 0; i < k->plan->stage_count; i++) {
    k->stage[i] = name_unique(&file->names, arena_printf(file->arena, "%s_stage_%d", k->name, i));
    put_stage(k, i);
  }
}

// ---- the kernel function ----

CKernel c_put_kernel(CFile *file, const Plan *plan, const char *name) {
  CKernel k = c_kernel_begin(file, plan, &plan->signature, name);
  k.has_places = true;
  put_stages(&k);
  c_body_begin(&k);
  c_put_passes(&k);
  for (int i = 0; i < plan->output_count; i++)
    c_put_output(&k, i);
  bool has_sizes = plan->signature.returns_status;
  if (has_sizes)
    name = name_unique(&file->names, arena_printf(file->arena, "%s_kernel", name));
  if (plan_checks_late(plan))
    c_line(&k, "return RSH_ok;");
  if (has_sizes)
    c_put(&file->body, "\nstatic %s %s(%s) {\n", plan_checks_late(plan) ? "rsh_status" : "void",
          name, c_kernel_parameters(&k));
  else
    c_put(&file->body, "\n%s {\n",
          c_prototype(file->arena, plan, &plan->signature, name, k.parameter, "restrict "));
  c_body_end(&k, k.signature->parameter.count);
  k.name = name;
  return k;
}
