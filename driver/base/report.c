// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/base/report.h"

#include "driver/base/pipeline.h"

#include <inttypes.h>
#include <stdlib.h>

// "4096", "4*B*S", or "" if it cannot be expressed in the sizes of the graph.
static const char *bytes_text(Arena *arena, const GraphReport *g, const OutputPlan *output) {
  rsh_num bytes;
  if (output->tier == TIER_DYNAMIC || !report_bytes_moved(g->plan->graph, output, &bytes))
    return "";
  return num_text(arena, g->plan->graph, bytes);
}

static const char *scratch_text(Arena *arena, const Plan *plan) {
  return num_text(arena, plan->graph, plan->scratch_bytes);
}

static void print_pointer(const char *name, uint32_t align) {
  printf("  %-10s aligned to %" PRIu32 "\n", name, align);
}

static void print_graph(Arena *arena, const GraphReport *g) {
  const Graph *graph = g->plan->graph;
  printf("graph %s\n", graph->name);
  printf("  code       %" PRIu64 " bytes\n", g->text);
  printf("  stack      %" PRIu64 " bytes, %d function%s deep", g->stack, g->calls,
         g->calls == 1 ? "" : "s");
  if (g->outside)
    printf(", plus that of %s", g->outside);
  printf("\n");
  if (g->shape_stack > 0)
    printf("  shape      %" PRIu64 " bytes of stack\n", g->shape_stack);
  printf("  scratch    %s bytes\n", scratch_text(arena, g->plan));
  printf("  loops      %d deep\n", report_loops(g->plan));
  for (int i = 0; i < graph->input_count; i++)
    if (!graph->value.item[i]->is_placed)
      print_pointer(graph->value.item[i]->name, plan_input_align(graph->value.item[i]));
  for (int i = 0; i < graph->output_count; i++) {
    const char *bytes = bytes_text(arena, g, &g->plan->output[i]);
    print_pointer(graph->output[i].name, plan_output_align(&graph->output[i]));
    printf("  %-10s %s bytes moved\n", "", *bytes ? bytes : "unknown");
  }
}

static json_t *json_bytes(const char *text) {
  char *end;
  long long n = strtoll(text, &end, 10);
  return *text == '\0' ? json_null() : *end == '\0' ? json_integer(n) : json_string(text);
}

static json_t *json_pointer(const char *name, uint32_t align) {
  return json_pack("{s:s, s:i}", "name", name, "alignment", (int)align);
}

static json_t *json_compiled(Arena *arena, const GraphReport *g) {
  const Graph *graph = g->plan->graph;
  json_t *inputs = json_array(), *outputs = json_array();
  for (int i = 0; i < graph->input_count; i++)
    if (!graph->value.item[i]->is_placed)
      json_array_append_new(
          inputs, json_pointer(graph->value.item[i]->name, plan_input_align(graph->value.item[i])));
  for (int i = 0; i < graph->output_count; i++) {
    json_t *output = json_pointer(graph->output[i].name, plan_output_align(&graph->output[i]));
    json_object_set_new(output, "bytes_moved",
                        json_bytes(bytes_text(arena, g, &g->plan->output[i])));
    json_array_append_new(outputs, output);
  }
  return json_pack("{s:s, s:I, s:I, s:I, s:i, s:s?, s:o, s:i, s:o, s:o}", "name", graph->name,
                   "text", (json_int_t)g->text, "stack", (json_int_t)g->stack, "shape_stack",
                   (json_int_t)g->shape_stack, "calls", g->calls, "outside", g->outside, "scratch",
                   json_bytes(scratch_text(arena, g->plan)), "loops", report_loops(g->plan),
                   "inputs", inputs, "outputs", outputs);
}

static int found_moves(const Tuning *tuning) {
  int found = 0;
  for (int i = 0; i < tuning->asked.count; i++)
    found += tuning->asked.item[i].is_found;
  return found;
}

static void print_json(Arena *arena, const ObjectReport *report, const Tuning *tuning) {
  json_t *graphs = json_array();
  for (int i = 0; i < report->graph_count; i++)
    json_array_append_new(graphs, json_compiled(arena, &report->graph[i]));
  json_t *root =
      json_pack("{s:s, s:I, s:I, s:o}", "target", report->target, "text", (json_int_t)report->text,
                "rodata", (json_int_t)report->rodata, "graphs", graphs);
  if (tuning)
    json_object_set_new(root, "tuning",
                        json_pack("{s:s, s:i, s:i}", "processor", tuning->cpu, "moves",
                                  tuning->asked.count, "found", found_moves(tuning)));
  json_print(root);
}

void report_print(Arena *arena, const ObjectReport *report, const Tuning *tuning, ReportKind kind) {
  if (kind == REPORT_JSON) {
    print_json(arena, report, tuning);
    return;
  }
  printf("%s: %" PRIu64 " bytes of code, %" PRIu64 " of constants\n", report->target, report->text,
         report->rodata);
  for (int i = 0; i < report->graph_count; i++)
    print_graph(arena, &report->graph[i]);
  if (tuning)
    printf("tuning for %s: %d of %d moves\n", tuning->cpu, found_moves(tuning),
           tuning->asked.count);
}
