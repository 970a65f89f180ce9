// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/way.h"

enum {
  LEAST_VECTOR = 16, // bytes
  MANY_NESTS = 8
};

static int nest_total(const Plan *plan) {
  int count = 0;
  for (int i = 0; i < plan->output_count; i++)
    count += plan->output[i].nest_count;
  for (int i = 0; i < plan->stage_count; i++)
    count += plan->stage[i].nest_count;
  for (int i = 0; i < plan->pass_count; i++)
    count += plan->pass[i].nest_count;
  return count;
}

bool plan_is_thrifty(const Plan *plan) { return nest_total(plan) > MANY_NESTS; }

// Three planes take shuffles of any pattern, which not every target has for short elements.
int64_t nest_weave_bytes(const Nest *nest, const Machine *machine) {
  const Loop *along = &nest->loop[nest->loop_count - 2], *planes = along + 1;
  int64_t bytes = machine->vector;
  if (planes->extent.n == 3 && nest->run.n < machine->shuffled)
    bytes = machine->shuffles_lanes ? LEAST_VECTOR : 0;
  while (rsh_is_known(along->extent) && bytes > along->extent.n * nest->run.n)
    bytes /= 2;
  return bytes >= LEAST_VECTOR ? bytes : 0;
}

// Elements of staged values are looked up, and those of less than a byte share one: no pointer can step over them.
static bool can_walk(const Plan *plan, const Nest *nest) {
  bool is_packed = plan_element_bits(nest->from) < 8 || plan_element_bits(nest->to) < 8;
  bool is_in_memory = rsh_is_fill(nest->source) || graph_is_source(plan->graph, nest->source);
  return plan_nest_is_known(nest) && is_in_memory && !(nest->by_element && is_packed) &&
         !plan_nest_has_entries(nest);
}

NestWay nest_way_inside(const Nest *nest, const Machine *machine) {
  if (nest->weaves && nest_weave_bytes(nest, machine) > 0)
    return WAY_WEAVE;
  return nest->tile.src ? WAY_TILES : WAY_RUNS;
}

NestWay nest_way(const Plan *plan, const Nest *nest, const Machine *machine, bool is_part) {
  bool streams = nest->streams || (nest->large && !plan_is_thrifty(plan));
  if (machine->walks && !is_part && can_walk(plan, nest))
    return WAY_WALK;
  if (nest->by_element)
    return WAY_ELEMENTS;
  if (streams && machine->streams && machine->vector && !nest->place)
    return WAY_STREAM;
  return nest_way_inside(nest, machine);
}
