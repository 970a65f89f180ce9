// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library/pipeline.h"

#include "frontend/graph/fold_graph.h"
#include "frontend/lower/lower.h"
#include "frontend/onnx/onnx.h"
#include "grammar/import.h"

bool pipeline_read_text(Pipeline *p, Source *source) {
  p->source = p->diag.source = source;
  Importer importer = {.arena = p->arena, .diag = &p->diag, .first = source, .reader = p->reader};
  p->ast = import_parse(&importer, source);
  return p->diag.errors == 0;
}

void pipeline_check_has_graphs(Pipeline *p, bool statements_do) {
  int own = 0;
  for (int i = 0; i < p->ast->graph_count; i++)
    own += !p->ast->graph[i].is_imported;
  bool has_statements = p->ast->statement_count > 0;
  if (own == 0 && !(has_statements && statements_do))
    diag_error_file(&p->diag, "syntax", "there is no graph in this file%s",
                    has_statements ? ", only statements; run them with 'reshapec run'" : "");
}

void pipeline_lower(Pipeline *p) { p->module = lower_module(p->arena, p->ast, &p->diag); }

void pipeline_read_model(Pipeline *p, const OnnxFile *file) {
  p->model = file;
  p->module = onnx_lower(p->arena, file, &p->diag);
  p->source = p->diag.source;
}

static void watch(Pipeline *p, const char *what, int done) {
  int total = p->module->graph_count;
  if (p->watch)
    p->watch(p, what, total, done, done < total ? p->module->graph[done]->name : "");
}

void pipeline_fold(Pipeline *p) {
  static const char what[] = "folding graph";
  int kept = 0;
  for (int i = 0; i < p->module->graph_count; i++) {
    watch(p, what, i);
    if (fold_graph(p->arena, p->module->graph[i], &p->diag))
      p->module->graph[kept++] = p->module->graph[i];
  }
  watch(p, what, p->module->graph_count);
  p->module->graph_count = kept;
}

static void give_memory(Graph *graph) {
  for (int i = 0; i < graph->input_count; i++)
    graph->value.item[i]->is_placed = false;
  for (int i = 0; i < graph->variant.count; i++)
    give_memory(graph->variant.item[i].graph);
}

void pipeline_plan(Pipeline *p, bool gives_memory) {
  static const char what[] = "planning graph";
  for (int i = 0; i < p->module->graph_count; i++) {
    watch(p, what, i);
    graph_set_prefix(p->module->graph[i], p->prefix);
    if (gives_memory)
      give_memory(p->module->graph[i]);
    const Plan *plan = plan_graph(p->arena, p->module->graph[i], p->processor, p->tuning, &p->diag);
    if (plan)
      VEC_PUSH(p->arena, p->plan, plan);
  }
  watch(p, what, p->module->graph_count);
}

void pipeline_print_plans(const Pipeline *p, const EmitOptions *options, FILE *out) {
  Machine machine[MOST_MACHINES];
  int count = emit_machines(p->arena, options, machine);
  for (int i = 0; i < p->plan.count; i++)
    plan_print(p->plan.item[i], machine, count, out);
}

bool pipeline_can_emit(Pipeline *p) {
  bool good = true;
  for (int i = 0; i < p->plan.count; i++)
    good = plan_can_emit(p->plan.item[i], &p->diag) && good;
  return good && p->diag.errors == 0;
}

bool pipeline_emit(Pipeline *p, const EmitOptions *options, EmitKind kind, Bytes *out) {
  EmitOptions stamped = *options;
  stamped.stamp = pipeline_stamp(p, options);
  return emit_code(p->arena, p->plan.item, p->plan.count, &stamped, kind, true, out, &p->diag);
}

Bytes pipeline_header(Pipeline *p, const EmitOptions *options, const char *guard) {
  Machine machine[MOST_MACHINES];
  EmitOptions stamped = *options;
  stamped.stamp = pipeline_stamp(p, options);
  emit_machines(p->arena, options, machine);
  return emit_header(p->arena, p->plan.item, p->plan.count, p->source, guard,
                     emit_pointer_bytes(p->arena, options), machine, &stamped);
}
