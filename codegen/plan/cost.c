// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/cost.h"

#include <stddef.h>

const char *cost_level_name(CostLevel level) {
  static const char *const names[] = {"L1", "L2", "last", "memory", "open"};
  return names[level];
}

// The number of iterations; of the source, without loops that repeat elements. False: it overflows.
static bool rounds_of(rsh_symbols *symbols, const Nest *nest, bool is_source, rsh_num *rounds) {
  *rounds = rsh_int(1);
  for (int i = 0; i < nest->loop_count; i++)
    if (!is_source || !rsh_is(nest->loop[i].src, 0))
      if (!rsh_mul(symbols, *rounds, nest->loop[i].extent, rounds))
        return false;
  if (!nest->places)
    return true;
  int64_t all = 0;
  for (int i = 0; i < nest->places->count; i++) {
    int64_t laps = 1;
    for (int k = 0; k < nest->places->lap_count; k++) {
      const NestLap *lap = &nest->places->lap[i * nest->places->lap_count + k];
      laps *= is_source && lap->src == 0 ? 1 : lap->extent;
    }
    all += laps;
  }
  return rsh_mul(symbols, *rounds, rsh_int(all), rounds);
}

// The number of distinct source elements that an iteration of FIELDS reads.
static int64_t elements_of_fields(const NestFields *fields) {
  int64_t count = 0;
  for (int i = 0; i < fields->field_count; i++) {
    bool is_new = true;
    for (int k = 0; k < i && is_new; k++)
      is_new = fields->field[k].src != fields->field[i].src;
    count += is_new;
  }
  return count;
}

static bool read_of(const Plan *plan, const Nest *nest, rsh_num rounds, rsh_num *bytes) {
  rsh_symbols *symbols = plan->graph->symbols;
  switch (nest->kind) {
  case NEST_ELEMENTS:
    return plan_to_bytes(rounds, nest->from, bytes);
  case NEST_FIELDS:
    return rsh_mul(symbols, rounds, rsh_int(elements_of_fields(&nest->fields)), &rounds) &&
           plan_to_bytes(rounds, nest->from, bytes);
  case NEST_RUNS:
  case NEST_SHIFTED:
  case NEST_WEAVE:
  case NEST_TILES:
    break;
  }
  return rsh_mul(symbols, rounds, nest->run, bytes);
}

static bool written_of(const Plan *plan, const Nest *nest, rsh_num rounds, rsh_num *bytes) {
  if (nest->kind == NEST_ELEMENTS)
    return plan_to_bytes(rounds, nest->to, bytes);
  return rsh_mul(plan->graph->symbols, rounds, nest->run, bytes);
}

static CostLevel level_of(const Processor *cpu, const Cost *cost) {
  if (!cost->is_counted || !rsh_is_known(cost->read) || !rsh_is_known(cost->written))
    return COST_OPEN;
  int64_t bytes;
  if (__builtin_add_overflow(cost->read.n, cost->written.n, &bytes) || bytes > cpu->last)
    return COST_MEMORY;
  return bytes <= cpu->l1 ? COST_L1 : bytes <= cpu->l2 ? COST_L2 : COST_LAST;
}

static const char *limit_of_runs(const Nest *nest, CostLevel level) {
  enum { LINE = 64 };
  if (rsh_is_known(nest->run) && nest->run.n < LINE)
    return "addresses, one for each short run";
  return level == COST_MEMORY ? "memory" : "loads and stores";
}

// For loops around loads and stores of runs, elements or fields.
static const char *limit_of_loops(const Nest *nest, CostLevel level) {
  switch (nest->kind) {
  case NEST_ELEMENTS:
    return nest->elements.map ? "arithmetic" : "addresses, one for each element";
  case NEST_FIELDS:
    return "shifts and masks of bits";
  case NEST_SHIFTED:
    return "shifts of bits";
  case NEST_WEAVE:
  case NEST_TILES:
  case NEST_RUNS:
    break;
  }
  return limit_of_runs(nest, level);
}

static const char *limit_of(const Nest *nest, NestWay way, CostLevel level) {
  switch (way) {
  case WAY_STREAM:
    return "memory, with stores that bypass the cache";
  case WAY_TILES:
    if (nest->tiles.tile.strips)
      return "sets of L1, which rows of the result share";
    if (nest->tiles.tile.packs)
      return "sets of L1, which rows of the source share";
    return level == COST_MEMORY ? "memory" : "shuffles";
  case WAY_WEAVE:
  case WAY_SHUFFLE:
  case WAY_ZIP:
    return level == COST_MEMORY ? "memory" : "shuffles";
  case WAY_ELEMENTS:
  case WAY_VECTORS:
  case WAY_TILED:
  case WAY_WALK:
  case WAY_RUNS:
    return limit_of_loops(nest, level);
  }
  return "";
}

// Stores go past the cache if the result is large. If that depends on sizes, it is taken to be small.
static NestWay likely_way(const Plan *plan, const Nest *nest, const Machine *machine) {
  NestWay way = nest_way(plan, nest, machine, WHOLE_NEST);
  NestLines lines = nest_lines(nest);
  return way == WAY_STREAM && !lines.streams && !lines.past ? nest_way_inside(nest, machine) : way;
}

Cost nest_cost(const Plan *plan, const Nest *nest, const Machine *machine) {
  Cost cost = {.is_counted = true, .read = rsh_int(0)};
  rsh_num read, written;
  rsh_symbols *symbols = plan->graph->symbols;
  cost.is_counted = rounds_of(symbols, nest, true, &read) &&
                    rounds_of(symbols, nest, false, &written) &&
                    written_of(plan, nest, written, &cost.written) &&
                    (rsh_is_fill(nest->source) || read_of(plan, nest, read, &cost.read));
  cost.level = level_of(plan->processor, &cost);
  cost.limit = limit_of(nest, likely_way(plan, nest, machine), cost.level);
  return cost;
}
