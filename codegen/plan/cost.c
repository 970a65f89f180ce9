// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/cost.h"

#include "codegen/plan/tile_shape.h"
#include "codegen/plan/zip.h"
#include "codegen/plan/processor.h"

#include <math.h>
#include <stddef.h>

const char *cost_level_name(CostLevel level) {
  static const char *const names[] = {"L1", "L2", "last", "memory", "open"};
  return names[level];
}

// The number of iterations; for the source, without loops that repeat elements. False: it overflows.
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
    int64_t iterations = 1;
    for (int k = 0; k < nest->places->loop_count; k++) {
      const PlaceLoop *loop = &nest->places->loop[i * nest->places->loop_count + k];
      iterations *= is_source && loop->src == 0 ? 1 : loop->extent;
    }
    all += iterations;
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

// The instructions of a kernel per number of bytes of the result.
typedef struct Work {
  int64_t instructions; // 0: unknown
  int64_t vector;       // bytes of each
  int64_t bytes;
  int64_t read; // bytes of the source that they load, including unused ones
} Work;

// A load for each lane (as part of a line, for each register), rounds of shuffles, and a store.
static Work work_of_tiles(const Plan *plan, const Nest *nest, const Machine *machine) {
  TileShape shape = nest_tile_shape(plan, nest, machine);
  int64_t rounds = __builtin_ctz((unsigned)shape.elements), loads = shape.lanes;
  if (shape.is_square) {
    rounds += shape.is_half ? 1 : 2;
    loads = shape.is_half ? 2 : 1;
  }
  enum { PACKING = 2 };
  int64_t all = loads + rounds + 1 + (nest->tiles.tile.packs ? PACKING : 0);
  if (shape.is_padded)
    all += loads + 1;
  int64_t bytes = shape.lanes * shape.elements * nest->run.n;
  return (Work){all, shape.lanes * nest_tile_lane(nest), bytes, bytes};
}

static Work work_of_weave(const Nest *nest, const Machine *machine) {
  int64_t planes = nest->loop[nest->loop_count - 1].extent.n,
          vector = nest_weave_bytes(nest, machine), bytes = planes * vector;
  int64_t shuffles =
      weave_shuffles(machine, planes, vector / nest->run.n, nest->run.n, nest_joins(nest));
  return (Work){2 * planes + shuffles, vector, bytes, bytes};
}

static Work work_of_shuffle(const Nest *nest, const Machine *machine) {
  NestShuffle s;
  if (!nest_shuffle(nest, machine, &s))
    return (Work){0};
  return (Work){s.instructions, s.result, s.bytes, s.source_count * s.source};
}

// The nests of a zip share its work.
static Work work_of_zip(const Nest *nest, const Machine *machine) {
  ZipPiece piece;
  if (!nest_zip(nest, machine, &piece))
    return (Work){0};
  int64_t bytes = piece.count * piece.pixel;
  return (Work){piece.instructions, piece.result, bytes, bytes};
}

// A run takes two instructions for each vector, or part of one, and two for its addresses; a constant has no loads.
// LLVM may vectorize loops around single elements.
static Work work_of_runs(const Nest *nest, const Machine *machine) {
  enum { WORD = 8, LONG = 4096, ADDRESSES = 2 };
  int64_t run = rsh_is_known(nest->run) && nest->run.n < LONG ? nest->run.n : LONG;
  int64_t vector = machine->vector < run ? machine->vector : run;
  int64_t pieces = plan_divide_up(run, vector), loads = rsh_is_fill(nest->source) ? 0 : pieces;
  if (run <= WORD && (run & (run - 1)) == 0)
    return (Work){0};
  return (Work){pieces + loads + ADDRESSES, vector, run, loads > 0 ? run : 0};
}

static Work work_of(const Plan *plan, const Nest *nest, const Machine *machine,
                    NestStrategy strategy) {
  if (machine->vector == 0)
    return (Work){0};
  switch (strategy) {
  case STRATEGY_TILES:
    return work_of_tiles(plan, nest, machine);
  case STRATEGY_WEAVE:
    return !nest_elements(nest).map ? work_of_weave(nest, machine) : (Work){0};
  case STRATEGY_SHUFFLE:
    return work_of_shuffle(nest, machine);
  case STRATEGY_ZIP:
    return work_of_zip(nest, machine);
  case STRATEGY_RUNS:
    return nest->kind == NEST_RUNS ? work_of_runs(nest, machine) : (Work){0};
  case STRATEGY_STREAM:
  case STRATEGY_ELEMENTS:
  case STRATEGY_VECTORS:
  case STRATEGY_TILED:
  case STRATEGY_WALK:
  case STRATEGY_PARTS:
    break;
  }
  return (Work){0};
}

// The instructions for 1 KiB of the result. Vectors wider than `tile` count several times.
static double instructions_of(const Processor *cpu, const Work *work) {
  enum { KIB = 1024 };
  double times = work->vector > cpu->tile ? (double)work->vector / (double)cpu->tile : 1;
  return (double)work->instructions * times * KIB / (double)work->bytes;
}

// The speed that instructions allow, relative to memcpy.
static double speed_of_work(const Processor *cpu, const Work *work, CostLevel level) {
  const int64_t allowed[] = {cpu->in_l1, cpu->in_l2, cpu->in_last, cpu->in_memory};
  return (double)allowed[level] / instructions_of(cpu, work);
}

// The number of memory transfers per byte of the result. A store that does not bypass the cache reads the line first.
// Tiles return to a line, and no processor prefetches it: on a Zen 4, that is as slow as three more transfers.
static int transfers_of(NestStrategy strategy) {
  enum { PAST = 1, IN_ORDER = 2, IN_TILES = 5 };
  return strategy == STRATEGY_STREAM ? PAST : strategy == STRATEGY_TILES ? IN_TILES : IN_ORDER;
}

// The speed that the bytes read and written allow. In memory, memcpy needs three transfers, since it reads the lines
// that it overwrites.
static double speed_of_bytes(const Machine *machine, double larger, double read, double written,
                             CostLevel level, NestStrategy strategy) {
  if (level == COST_MEMORY && machine->streams)
    return 3 * larger / (read + written * transfers_of(strategy));
  double speed = 2 * larger / (read + written);
  return level == COST_MEMORY || speed < 1 ? speed : 1;
}

static const char *limit_of_bytes(CostLevel level) {
  return level == COST_MEMORY ? "memory" : "loads and stores";
}

// For loops around loads and stores of runs, elements or fields.
static const char *limit_of_loops(const Nest *nest, CostLevel level, bool is_work) {
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
  return is_work ? "addresses, one for each short run" : limit_of_bytes(level);
}

// `is_work`: instructions take longer than memory transfers.
static const char *limit_of(const Nest *nest, NestStrategy strategy, CostLevel level,
                            bool is_work) {
  switch (strategy) {
  case STRATEGY_STREAM:
    return "memory, with stores that bypass the cache";
  case STRATEGY_TILES:
    if (nest->tiles.tile.strips)
      return "sets of L1, which rows of the result share";
    if (nest->tiles.tile.packs)
      return "sets of L1, which rows of the source share";
    return is_work ? "shuffles" : limit_of_bytes(level);
  case STRATEGY_WEAVE:
  case STRATEGY_SHUFFLE:
  case STRATEGY_ZIP:
    return is_work ? "shuffles" : limit_of_bytes(level);
  case STRATEGY_ELEMENTS:
  case STRATEGY_VECTORS:
  case STRATEGY_TILED:
  case STRATEGY_WALK:
  case STRATEGY_RUNS:
  case STRATEGY_PARTS:
    return limit_of_loops(nest, level, is_work);
  }
  return "";
}

// Stores bypass the cache if the result is large. If that depends on sizes, it counts as small.
static NestStrategy likely_strategy(const Plan *plan, const Nest *nest, const Machine *machine) {
  NestStrategy strategy = nest_strategy(plan, nest, machine, WHOLE_NEST);
  NestLines lines = nest_lines(nest);
  bool is_large = lines.streams || (lines.past > 0 && plan_nest_is_known(nest));
  return strategy == STRATEGY_STREAM && !is_large ? nest_strategy_inside(nest, machine) : strategy;
}

// Whether instructions may be the limit if numbers are unknown.
static bool may_be_work(const Nest *nest, NestStrategy strategy, CostLevel level) {
  bool is_run = strategy == STRATEGY_RUNS || strategy == STRATEGY_WALK;
  return is_run ? rsh_is_known(nest->run) && nest->run.n < CACHE_LINE
                : strategy != STRATEGY_STREAM && level != COST_MEMORY;
}

// Sets the limit, and the speed if sizes and instructions are known.
static void set_limit(const Plan *plan, const Nest *nest, const Machine *machine, Cost *cost) {
  NestStrategy strategy = likely_strategy(plan, nest, machine);
  bool is_work = may_be_work(nest, strategy, cost->level), is_known = cost->level != COST_OPEN;
  NestStrategy inside =
      strategy == STRATEGY_STREAM ? nest_strategy_inside(nest, machine) : strategy;
  Work work = is_known ? work_of(plan, nest, machine, inside) : (Work){0};
  if (work.instructions > 0 && cost->written.n > 0) {
    double read = (double)cost->read.n, written = (double)cost->written.n,
           larger = fmax(read, written);
    if (work.read > work.bytes)
      read = written * (double)work.read / (double)work.bytes;
    double by_work = speed_of_work(plan->processor, &work, cost->level) * larger / written,
           by_bytes = speed_of_bytes(machine, larger, read, written, cost->level, strategy);
    is_work = by_work < by_bytes;
    cost->speed = (int64_t)ceil(fmin(by_work, by_bytes) * 100);
    cost->is_most = nest->kind == NEST_TILES && (nest->tiles.tile.strips || nest->tiles.tile.packs);
  }
  cost->limit = limit_of(nest, is_work ? inside : strategy, cost->level, is_work);
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
  set_limit(plan, nest, machine, &cost);
  return cost;
}

double nest_instructions(const Plan *plan, const Nest *nest, const Machine *machine) {
  NestStrategy strategy = likely_strategy(plan, nest, machine);
  Work work = work_of(plan, nest, machine, strategy);
  return work.instructions > 0 ? instructions_of(plan->processor, &work) : 0;
}
