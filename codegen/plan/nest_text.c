// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/nest_text.h"

#include <string.h>

typedef struct Writer {
  Arena *arena;
  const Plan *plan;
  const Machine *machine;
} Writer;

static int64_t unit_of(const Nest *nest, rsh_dtype dtype) {
  int bits = plan_element_bits(dtype);
  bool packed = nest_is_by_element(nest) &&
                (plan_element_bits(nest->from) < 8 || plan_element_bits(nest->to) < 8);
  return packed || bits < 8 ? 1 : bits / 8;
}

int64_t nest_source_unit(const Nest *nest, const Value *to) {
  return unit_of(nest, nest_is_by_element(nest) ? nest->from : to->dtype);
}

int64_t nest_result_unit(const Nest *nest, const Value *to) { return unit_of(nest, to->dtype); }

const char *nest_source_name(Arena *arena, const Plan *plan, int source) {
  if (source < 0)
    return "";
  const Pass *pass = plan_pass(plan, source);
  if (pass)
    return pass->output < 0 ? "scratch" : plan->output[pass->output].output->name;
  const Value *value = plan->graph->value.item[source];
  if (value->name || !value->node)
    return value->name ? value->name : arena_printf(arena, "%%%d", source);
  return rsh_op_name(value->node->call.op); // as the reason names it
}

// Bytes as elements: "294912", or "3 bytes" if they are not a whole number of elements.
static const char *elements_text(const Writer *w, rsh_num bytes, int64_t unit) {
  const Graph *graph = w->plan->graph;
  rsh_num elements;
  if (rsh_div(graph->symbols, bytes, rsh_int(unit), &elements))
    return num_text(w->arena, graph, elements);
  return arena_printf(w->arena, "%s bytes", num_text(w->arena, graph, bytes));
}

// "x + 768", "x - 64", "x + (W+2)"; "" if nothing is read.
static const char *step_text(const Writer *w, const char *name, rsh_num stride, int64_t unit) {
  const char *text = elements_text(w, stride, unit);
  bool is_back = *text == '-';
  if (strpbrk(text + is_back, "+-"))
    return arena_printf(w->arena, "%s + (%s)", name, text);
  return *name ? arena_printf(w->arena, "%s %c %s", name, is_back ? '-' : '+', text + is_back) : "";
}

// "x", "x + 12336": where the loops start.
static const char *place_text(const Writer *w, const char *name, rsh_num offset, int64_t unit) {
  return rsh_is(offset, 0) ? name : step_text(w, name, offset, unit);
}

// "load, cast to f32, div, store", "load, assemble 3 elements from bits, store"
static const char *chain_text(const Writer *w, const Nest *nest) {
  int count, elements = nest_fields(nest).element_count;
  const rsh_step *step = graph_map_steps(w->arena, w->plan->graph, nest_elements(nest).map, &count);
  const char *text = "load, ";
  if (elements > 0)
    text = arena_printf(w->arena, "%sassemble %d element%s from bits, ", text, elements,
                        elements == 1 ? "" : "s");
  for (int i = 0; i < count; i++)
    text = arena_printf(w->arena, "%s%s%s%s, ", text, rsh_op_name(step[i].op),
                        step[i].op == RSH_OP_CAST ? " to " : "",
                        step[i].op == RSH_OP_CAST ? rsh_dtype_name(step[i].to) : "");
  return arena_printf(w->arena, "%sstore", text);
}

// " transposed in registers": how the two innermost loops of a nest run.
static const char *inner_text(const Nest *nest) {
  if (nest->kind == NEST_WEAVE)
    return rsh_equal(nest->loop[nest->loop_count - 1].dst, nest->run)
               ? ", planes interleaved in registers"
               : ", planes deinterleaved in registers";
  return nest->tiles.tile.packs ? ", transposed in registers through a buffer"
                                : ", transposed in registers";
}

static const char *body_text(const Writer *w, const Nest *nest, NestStrategy strategy,
                             int64_t unit) {
  if (nest->kind == NEST_FIELDS)
    return chain_text(w, nest);
  if (nest->kind == NEST_ELEMENTS)
    return arena_printf(w->arena, "%s%s", chain_text(w, nest),
                        strategy == STRATEGY_TILED ? inner_text(nest->elements.tiled) : "");
  const char *count = elements_text(w, nest->run, unit);
  const char *run =
      arena_printf(w->arena, "%s element%s", count, strcmp(count, "1") == 0 ? "" : "s");
  const char *with = strategy == STRATEGY_ZIP ? ", zipped with what fills the gaps" : "";
  if (nest->source < 0)
    return arena_printf(w->arena, "fill %s%s", run, with);
  if (strategy == STRATEGY_STREAM)
    strategy = nest_strategy_inside(nest, w->machine);
  const char *how = strategy == STRATEGY_SHUFFLE ? ", shuffled in registers"
                    : strategy == STRATEGY_PARTS ? " and what follows in memory"
                    : strategy == STRATEGY_WEAVE || strategy == STRATEGY_TILES ? inner_text(nest)
                                                                               : with;
  return arena_printf(w->arena, "copy %s%s", run, how);
}

NestText nest_text(Arena *arena, const Plan *plan, const Machine *machine, const Nest *nest,
                   const Value *to, const char *name) {
  const Writer w = {arena, plan, machine};
  int64_t src_unit = nest_source_unit(nest, to), dst_unit = nest_result_unit(nest, to);
  const char *from = nest_source_name(arena, plan, nest->source);
  NestStrategy strategy = nest_strategy(plan, nest, machine, WHOLE_NEST);
  const Nest *shown = strategy == STRATEGY_TILED ? nest->elements.tiled : nest;
  NestText text = {.from = nest->source < 0 ? "a constant"
                                            : place_text(&w, from, nest->src_offset, src_unit),
                   .to = place_text(&w, name, nest->dst_offset, dst_unit),
                   .body = body_text(&w, nest, strategy, dst_unit)};
  if (nest->places)
    text.loop[text.loop_count++] = (LoopText){
        .head = arena_printf(arena, "for each of %d places in a table%s", nest->places->count,
                             nest->places->loop ? ", in loops of its own" : ""),
        .read = "",
        .written = ""};
  for (int i = 0; i < shown->loop_count; i++) {
    const Loop *loop = &shown->loop[i];
    text.loop[text.loop_count++] = (LoopText){
        .head = arena_printf(arena, "for %s", num_text(arena, plan->graph, loop->extent)),
        .read = step_text(&w, from, loop->src, src_unit),
        .written = step_text(&w, name, loop->dst, dst_unit)};
  }
  return text;
}
