// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/element/element.h"
#include "codegen/plan/zip.h"

enum {
  LEAST_VECTOR = 16, // bytes
  MANY_NESTS = 8,
  HELIUM = 16 // bytes of its vectors
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

bool plan_optimizes_size(const Plan *plan) { return nest_total(plan) > MANY_NESTS; }

int64_t nest_group(const Nest *nest) {
  int from = plan_element_bits(nest->from), to = plan_element_bits(nest->to),
      last = nest->loop_count - 1;
  bool is_src = from < 8;
  int64_t group = 8 / (is_src ? from : to);
  if (nest->kind != NEST_ELEMENTS || nest->source < 0 || nest->places || last < 0 ||
      is_src == (to < 8))
    return 0;
  // The elements of a byte are at known distances on the other side.
  const Loop *inner = &nest->loop[last];
  if (!rsh_is_known(inner->src) || !rsh_is_known(inner->dst) || !rsh_is_known(inner->at))
    return 0;
  bool is_whole = (is_src ? nest->src_offset.n : nest->dst_offset.n) % group == 0;
  for (int i = 0; i <= last && is_whole; i++) {
    const Loop *loop = &nest->loop[i];
    rsh_num stride = is_src ? loop->src : loop->dst;
    is_whole = i < last ? stride.n % group == 0 : rsh_is(stride, 1) && loop->extent.n % group == 0;
  }
  return is_whole ? group : 0;
}

bool nest_is_grouped(const Nest *nest, bool is_small) {
  enum { MOST_OF_SMALL = 2 };
  int64_t group = nest_group(nest);
  return group > 0 && (!is_small || group <= MOST_OF_SMALL);
}

// Elements of less than a byte share bytes, but pointers can only step by whole bytes. A call copies a run of open
// length.
static bool can_walk(const Plan *plan, const Nest *nest, const Machine *machine) {
  bool is_packed = plan_element_bits(nest->from) < 8 || plan_element_bits(nest->to) < 8;
  bool is_by_element = nest_is_by_element(nest);
  bool is_called = !is_by_element && nest_run_strategy(plan, nest, machine) >= RUN_CALL;
  return (is_by_element || is_called || rsh_is_known(nest->run)) &&
         !plan_is_staged(plan->graph, nest->source) && !plan_nest_has_entries(nest) &&
         !(is_by_element && is_packed && !nest_is_grouped(nest, machine->small));
}

// The number of operations of the functions of a nest by element if all can be applied to vectors; -1: not all can.
// `has_lookup`: whether one is a table.
static int vector_operations(const Plan *plan, const Nest *nest, const Machine *machine,
                             bool *has_lookup) {
  *has_lookup = false;
  Arena *arena = arena_new();
  int count, all = 0;
  const rsh_step *step = graph_map_steps(arena, plan->graph, nest->elements.map, &count);
  for (int i = 0; i < count; i++) {
    int operations = element_operations(&machine->element, plan->graph, &step[i]);
    all = operations < 0 || all < 0 ? -1 : all + operations;
    *has_lookup = *has_lookup || step[i].op == RSH_OP_LOOKUP;
  }
  arena_free(arena);
  return all;
}

static bool takes_vectors(const Plan *plan, const Nest *nest, const Machine *machine,
                          bool *has_lookup) {
  return vector_operations(plan, nest, machine, has_lookup) >= 0;
}

// Types whose elements are at most words in vectors; others take many instructions and spill registers.
static bool is_word(rsh_dtype type) {
  enum { WORD_BITS = 32 };
  return type == RSH_F32 || (rsh_dtype_is_integer(type) && plan_element_bits(type) <= WORD_BITS);
}

// Whether the innermost loop iterates over bytes of two packed elements each, with adjacent elements on the other side.
static bool is_of_pairs(const Plan *plan, const Nest *nest, const Machine *machine) {
  bool has_lookup;
  int from = plan_element_bits(nest->from), to = plan_element_bits(nest->to);
  const Loop *last = &nest->loop[nest->loop_count - 1];
  return nest_group(nest) == 2 && is_word(nest->from) && is_word(nest->to) &&
         rsh_is(last->src, from < 8 ? 1 : from / 8) && rsh_is(last->dst, to < 8 ? 1 : to / 8) &&
         takes_vectors(plan, nest, machine, &has_lookup) && !has_lookup;
}

// An open extent is taken to be large.
static bool at_least(rsh_num extent, int64_t n) { return !rsh_is_known(extent) || extent.n >= n; }

static bool is_near(rsh_num stride, int64_t run) {
  return rsh_is(stride, run) || rsh_is(stride, 2 * run) || rsh_is(stride, 4 * run);
}

// Whether LLVM vectorizes the innermost loop, or the loop around a few planes: elements are adjacent, or have strides
// that interleaved loads and stores of two and four planes support.
//
//   u8[768, 2], the first of each pair    {768, dst 1, src 2}: vld20, vld21
//   i4[768] cast to i8                    two elements of a byte: vst20, vst21
static bool is_for_vectors(const Plan *plan, const Nest *nest, const Machine *machine) {
  int last = nest->loop_count - 1;
  int64_t run = nest->run.n;
  if (!machine->vectorizes || last < 0 || !rsh_is_known(nest->run) || run > 4)
    return false;
  const Loop *planes = &nest->loop[last];
  if (nest_is_by_element(nest))
    return at_least(planes->extent, 2 * HELIUM) && is_of_pairs(plan, nest, machine);
  if (nest->kind == NEST_WEAVE && last > 0)
    return rsh_is(planes->extent, 2) && at_least(nest->loop[last - 1].extent, HELIUM / run);
  return is_near(planes->src, run) && is_near(planes->dst, run) &&
         at_least(planes->extent, HELIUM / run);
}

int nest_fill_period(const Plan *plan, const Nest *nest) {
  uint8_t bytes[16];
  if (!rsh_is_fill(nest->source))
    return 1;
  int period = plan_fill(plan->graph, nest->source, bytes);
  for (int i = 1; i < period; i++)
    if (bytes[i] != bytes[0])
      return period;
  return 1;
}

// The relative alignment of the two sides of a nest, for targets that only move aligned words: whether the addresses of
// all runs have the same remainder on both sides, given that the tensors begin at words.
typedef enum Rests { SAME_RESTS, OTHER_RESTS, MIXED_RESTS } Rests;

static bool is_apart(rsh_num src, rsh_num dst, int word) {
  return rsh_is_known(src) && rsh_is_known(dst) && (src.n - dst.n) % word != 0;
}

static Rests rests_of(const Nest *nest, int word) {
  if (rsh_is_fill(nest->source))
    return SAME_RESTS;
  for (int i = 0; i < nest->loop_count; i++)
    if (is_apart(nest->loop[i].src, nest->loop[i].dst, word))
      return MIXED_RESTS;
  return is_apart(nest->src_offset, nest->dst_offset, word) ? OTHER_RESTS : SAME_RESTS;
}

// The shortest run that is copied by a call: shorter ones take fewer instructions inline.
static int64_t least_called(const Nest *nest, const Machine *machine) {
  enum {
    LEAST_SMALL = 12, // if both sides have the same remainder, for size
    LEAST_ALIGNED = 16,
    LEAST_MIXED = 24,
    LEAST_OF_WORDS = 32,
    LEAST_AT_SPEED = 128
  };
  if (nest->unit >= (uint32_t)machine->word || machine->unaligned == machine->word)
    return machine->small ? LEAST_OF_WORDS : LEAST_AT_SPEED;
  switch (rests_of(nest, machine->word)) {
  case SAME_RESTS:
    return rsh_is_fill(nest->source) ? LEAST_MIXED : machine->small ? LEAST_SMALL : LEAST_ALIGNED;
  case MIXED_RESTS:
    return nest->unit == 1 ? LEAST_MIXED : INT64_MAX;
  case OTHER_RESTS:
    return INT64_MAX;
  }
  return INT64_MAX;
}

// The widest load and store of a run at any address; vectors of bytes need no alignment.
static int64_t anywhere(const Nest *nest, const Machine *machine) {
  bool is_vector = machine->vectorizes && rsh_is_known(nest->run) && nest->run.n >= HELIUM;
  return is_vector ? HELIUM : machine->unaligned;
}

RunStrategy nest_run_strategy(const Plan *plan, const Nest *nest, const Machine *machine) {
  enum { LEAST_OF_LIBRARY = 16 };
  int period = nest_fill_period(plan, nest);
  if (!machine->walks || nest_is_by_element(nest) || nest->kind == NEST_SHIFTED ||
      period > machine->word)
    return RUN_UNITS;
  bool is_open = !rsh_is_known(nest->run);
  if (machine->library && period == 1 && (is_open || nest->run.n >= LEAST_OF_LIBRARY))
    return RUN_LIBRARY;
  bool fits = period == 1 || nest->unit >= (uint32_t)machine->word || machine->unaligned > 1;
  bool has_vectors = anywhere(nest, machine) > machine->word;
  if (is_open ||
      (fits && !has_vectors && !machine->smallest && nest->run.n >= least_called(nest, machine)))
    return RUN_CALL;
  bool has_rest = nest->run.n % machine->word != 0;
  bool widens = anywhere(nest, machine) > (int64_t)nest->unit &&
                nest->run.n > (int64_t)nest->unit && !(machine->smallest && has_rest);
  return widens || nest->unit == (uint32_t)machine->word ? RUN_WORDS : RUN_UNITS;
}

int64_t nest_run_piece(const Plan *plan, const Nest *nest, const Machine *machine) {
  int64_t piece = anywhere(nest, machine);
  if (nest_run_strategy(plan, nest, machine) == RUN_UNITS || piece <= (int64_t)nest->unit)
    return nest->unit;
  while (piece > nest->run.n)
    piece /= 2;
  return piece;
}

// Whether the functions that are applied to each vector of a tile are few instructions, so that code stays small: for
// conversions without an instruction, a tile of bytes would have 20,000.
static bool is_small_in_tiles(const Nest *tiled, const Machine *machine, int operations) {
  enum { LANE = 16, MOST = 2400 };
  int64_t run = tiled->run.n, read = nest_read_bytes(tiled), written = nest_written_bytes(tiled);
  int64_t elements = tiled->kind == NEST_TILES
                         ? LANE / run * (CACHE_LINE / run)
                         : tiled->loop[tiled->loop_count - 1].extent.n * (machine->vector / run);
  return elements * (read > written ? read : written) / machine->vector * operations <= MOST;
}

// Planes only as whole vectors: loops around elements have vectors too.
static bool is_tiled(const Plan *plan, const Nest *nest, const Machine *machine) {
  bool has_lookup;
  const Nest *tiled = nest_elements(nest).tiled;
  if (!tiled || machine->vector == 0 ||
      (tiled->kind == NEST_WEAVE && nest_weave_bytes(tiled, machine) != machine->vector))
    return false;
  int operations = vector_operations(plan, nest, machine, &has_lookup);
  return operations >= 0 && (has_lookup || is_small_in_tiles(tiled, machine, operations));
}

int64_t nest_vector_elements(const Nest *nest, const Machine *machine) {
  rsh_num extent = nest->loop[nest->loop_count - 1].extent;
  int64_t count = machine->vector;
  while (rsh_is_known(extent) && count > extent.n)
    count /= 2;
  return count;
}

// Adjacent elements on both sides. LLVM vectorizes these, unless they are packed or looked up in a table; tasks begin
// at whole bytes (split.c).
static bool is_in_vectors(const Plan *plan, const Nest *nest, const Machine *machine) {
  int from = plan_element_bits(nest->from), to = plan_element_bits(nest->to);
  bool is_packed = from < 8 || to < 8, has_lookup;
  if (nest->kind != NEST_ELEMENTS || nest->places || nest->loop_count == 0 ||
      !graph_is_source(plan->graph, nest->source) || (is_packed && nest_group(nest) == 0))
    return false;
  const Loop *last = &nest->loop[nest->loop_count - 1];
  return rsh_is(last->src, from < 8 ? 1 : from / 8) && rsh_is(last->dst, to < 8 ? 1 : to / 8) &&
         takes_vectors(plan, nest, machine, &has_lookup) && (is_packed || has_lookup) &&
         nest_vector_elements(nest, machine) >= LEAST_VECTOR;
}

NestStrategy nest_strategy_inside(const Nest *nest, const Machine *machine) {
  NestShuffle shuffle;
  if (nest_shuffle(nest, machine, &shuffle))
    return STRATEGY_SHUFFLE;
  switch (nest->kind) {
  case NEST_WEAVE:
    return nest_weave_bytes(nest, machine) > 0 ? STRATEGY_WEAVE : STRATEGY_RUNS;
  case NEST_TILES: // blocks are for caches, and planes for vectors
    return machine->walks || (nest_tile_loops(nest) > 2 && machine->vector == 0) ? STRATEGY_RUNS
                                                                                 : STRATEGY_TILES;
  case NEST_RUNS:
  case NEST_SHIFTED:
  case NEST_ELEMENTS:
  case NEST_FIELDS:
    return STRATEGY_RUNS;
  }
  return STRATEGY_RUNS;
}

// Whether vectors assembled from parts of lines bypass the cache. A task with some iterations of a loop inside a vector
// stores by element.
static bool passes(const Nest *nest, const Machine *machine, int part) {
  NestShuffle shuffle;
  return nest_lines(nest).past > 0 && nest_shuffle(nest, machine, &shuffle) && shuffle.streams &&
         part < shuffle.depth + shuffle.is_split;
}

NestStrategy nest_strategy(const Plan *plan, const Nest *nest, const Machine *machine, int part) {
  if (nest_is_in_parts(plan, nest, part))
    return STRATEGY_PARTS;
  NestLines lines = nest_lines(nest);
  bool streams = lines.streams || (lines.large && !plan_optimizes_size(plan));
  bool is_kept_small = !plan_nest_is_known(nest) && plan_optimizes_size(plan);
  bool walks = machine->walks && part == WHOLE_NEST && can_walk(plan, nest, machine);
  if (walks && !is_for_vectors(plan, nest, machine))
    return STRATEGY_WALK;
  if (walks && nest_is_by_element(nest))
    return STRATEGY_VECTORS;
  if (nest_is_by_element(nest))
    return is_tiled(plan, nest, machine)        ? STRATEGY_TILED
           : is_in_vectors(plan, nest, machine) ? STRATEGY_VECTORS
                                                : STRATEGY_ELEMENTS;
  ZipPiece piece;
  if (nest_zip(nest, machine, &piece))
    return STRATEGY_ZIP;
  bool is_in_lines = streams && machine->streams && machine->vector && !nest->places;
  if (is_in_lines || (passes(nest, machine, part) && !is_kept_small))
    return STRATEGY_STREAM;
  return nest_strategy_inside(nest, machine);
}
