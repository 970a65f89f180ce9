// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Staged values: the nests by which their elements are found, and the rows that a lookup finds together.
//
//   f32[H, W, 96] rolled along H and W     a row of 384 bytes is contiguous in the value and in the input
#include "codegen/plan/plan_internal.h"

enum { MOST_FILLED = 1024, MOST_SMALL = 64 }; // bytes of a constant in memory; the latter at -Os

// ---- rows

static StageRow any_row(void) {
  StageRow row = {0};
  for (int k = 0; k < RSH_MAX_SYMBOLS; k++)
    row.power[k] = UINT8_MAX;
  return row;
}

static void shorten_to(StageRow *row, int64_t bytes, const uint8_t *power) {
  row->bytes = rsh_gcd(row->bytes, bytes);
  for (int k = 0; k < RSH_MAX_SYMBOLS; k++)
    row->power[k] = power[k] < row->power[k] ? power[k] : row->power[k];
}

// The factors that the row has in common with a number.
//   8*C and 4*C*W - 12*C     4*C
static void shorten(const rsh_symbols *s, StageRow *row, rsh_num n) {
  rsh_terms t = rsh_terms_of(s, n);
  while (rsh_next_term(&t))
    shorten_to(row, n.n, t.term->exp);
}

// Bytes at multiples of the row are moved together on this side.
static void shorten_to_side(const rsh_symbols *s, StageRow *row, const Nest *nest, bool is_source) {
  shorten(s, row, is_source ? nest->src_offset : nest->dst_offset);
  for (int i = 0; i < nest->loop_count; i++)
    shorten(s, row, is_source ? nest->loop[i].src : nest->loop[i].dst);
  shorten(s, row, nest->run);
}

// Elements that are adjacent in the table are adjacent in the input.
static StageRow row_of_table(const Value *value) {
  int64_t element = plan_element_bits(value->dtype) / 8;
  rsh_num volume;
  rsh_volume(NULL, &value->shape, &volume);
  StageRow row = {.bytes = volume.n * element};
  for (int64_t i = 1; i < volume.n; i++)
    if (value->table[i] != value->table[i - 1] + 1)
      row.bytes = rsh_gcd(row.bytes, i * element);
  return row;
}

static void find_row(const Planner *p, Stage *stage) {
  const rsh_symbols *s = p->graph->symbols;
  stage->row = any_row();
  for (int i = 0; i < stage->nest_count; i++) {
    const Nest *nest = &stage->nest[i];
    shorten_to_side(s, &stage->row, nest, false);
    stage->has_fill = stage->has_fill || rsh_is_fill(nest->source);
    if (!plan_is_staged(p->graph, nest->source))
      continue;
    const Stage *from = stage_of(p, nest->source);
    shorten_to_side(s, &stage->row, nest, true);
    shorten_to(&stage->row, from->row.bytes, from->row.power);
    stage->has_fill = stage->has_fill || from->has_fill;
  }
}

// The largest part of a row for which a constant has room.
static int64_t row_of_fill(const Planner *p, int64_t bytes, int64_t element) {
  int64_t most = p->plan->processor->small ? MOST_SMALL : MOST_FILLED, part = bytes;
  if (bytes > most)
    for (part = most / element * element; bytes % part != 0;)
      part -= element;
  return part;
}

// Makes the constants of a stage, and of the stages that it reads, this long.
static void lengthen_fills(const Planner *p, Stage *stage, int64_t bytes) {
  if (!stage->has_fill || stage->fill_bytes >= bytes)
    return;
  stage->fill_bytes = bytes;
  for (int i = 0; i < stage->nest_count; i++)
    if (plan_is_staged(p->graph, stage->nest[i].source))
      lengthen_fills(p, stage_of(p, stage->nest[i].source), bytes);
}

// Whether many bytes that are adjacent in the value may be adjacent in the source, too.
static bool has_long_runs(const Stage *stage) {
  enum { LONG_RUN = 32 };
  bool has = false;
  for (int i = 0; i < stage->nest_count && !has; i++)
    has = !rsh_is_known(stage->nest[i].run) || stage->nest[i].run.n >= LONG_RUN;
  return has;
}

enum { FILLED_PART = 256 }; // bytes of a constant that is read in parts

// Makes lookups in a stage, and in the stages that it reads, find parts of any length.
static void find_parts(const Planner *p, Stage *stage) {
  lengthen_fills(p, stage, FILLED_PART);
  stage->finds_parts = true;
  for (int i = 0; i < stage->nest_count; i++)
    if (plan_is_staged(p->graph, stage->nest[i].source))
      find_parts(p, stage_of(p, stage->nest[i].source));
}

// A part is a multiple of the nest's run, also where a constant ends: for runs of 48 bytes, constants end at 240.
static bool fits_constants(const Plan *plan, const Stage *stage, int64_t run, int64_t *common) {
  *common = plan->part_bytes == 0 ? run : plan->part_bytes / rsh_gcd(plan->part_bytes, run) * run;
  return !stage->has_fill || *common <= FILLED_PART;
}

static bool is_short_row(rsh_num bytes) {
  enum { LONG_ROW = 64 };
  return rsh_is_known(bytes) && bytes.n < LONG_ROW;
}

// Copies by parts pay if rows are short: each lookup takes as long as some tens of bytes. They take more code.
static void choose_parts(const Planner *p, Stage *stage, rsh_num bytes) {
  int64_t common;
  if (!is_short_row(bytes) || p->plan->processor->small || stage->is_computed ||
      !has_long_runs(stage) || !fits_constants(p->plan, stage, bytes.n, &common))
    return;
  if (stage->has_fill)
    p->plan->part_bytes = common;
  find_parts(p, stage);
}

static bool row_bytes(rsh_symbols *s, const StageRow *row, rsh_num *bytes) {
  rsh_num atom;
  *bytes = rsh_int(row->bytes);
  for (int k = 0; k < RSH_MAX_SYMBOLS; k++)
    for (int i = 0; i < row->power[k]; i++)
      if (!rsh_atom(s, k, &atom) || !rsh_mul(s, *bytes, atom, bytes))
        return false;
  return true;
}

void stage_split_run(const Planner *p, Nest *nest) {
  rsh_symbols *s = p->graph->symbols;
  Stage *stage = stage_of(p, nest->source);
  int64_t element = plan_element_bits(nest->to) / 8;
  StageRow row = stage->row;
  rsh_num bytes, count;
  shorten_to_side(s, &row, nest, true);
  if (stage->has_fill)
    row = (StageRow){.bytes = row_of_fill(p, row.bytes, element)};
  if (!row_bytes(s, &row, &bytes) || !rsh_div(s, nest->run, bytes, &count)) { // no room
    nest_split_run(p->arena, nest, element);
    return;
  }
  if (!rsh_is(count, 1))
    choose_parts(p, stage, bytes);
  nest_split_parts(p->arena, nest, count, bytes);
  lengthen_fills(p, stage, row.bytes);
}

bool nest_is_in_parts(const Plan *plan, const Nest *nest, int part) {
  int last = nest->loop_count - 1;
  if (last < 0 || part == last || nest_is_by_element(nest) || !is_short_row(nest->run) ||
      !rsh_equal(nest->loop[last].dst, nest->run) || !rsh_equal(nest->loop[last].src, nest->run))
    return false;
  for (int i = 0; i < plan->stage_count; i++)
    if (plan->stage[i].value->id == nest->source)
      return plan->stage[i].finds_parts &&
             (!plan->stage[i].has_fill || plan->part_bytes % nest->run.n == 0);
  return false;
}

int64_t stage_fill_bytes(const Graph *graph, const Stage *stage, int source) {
  uint8_t fill[16];
  int64_t period = plan_fill(graph, source, fill);
  return stage->fill_bytes < period ? period : stage->fill_bytes;
}

int64_t stage_fill_part(const Plan *plan, const Stage *stage, int source) {
  int64_t bytes = stage_fill_bytes(plan->graph, stage, source);
  return plan->part_bytes == 0 ? bytes : bytes / plan->part_bytes * plan->part_bytes;
}

// ---- stages

// The digits of an address are found from the outermost loop inward, so everything inside a loop must span
// at most one step of it.
static bool nest_has_digits(const Nest *nest) {
  int64_t span = nest->run.n;
  for (int i = nest->loop_count - 1; i >= 0; i--) {
    const Loop *loop = &nest->loop[i];
    if (!rsh_is_known(loop->dst) || !rsh_is_known(loop->extent) || !rsh_is_known(nest->run))
      return true; // folding guarantees it (fold.h), although no numbers prove it
    if (loop->dst.n < span)
      return false;
    span += (loop->extent.n - 1) * loop->dst.n;
  }
  return true;
}

bool plan_stages(Planner *p, const rsh_moves *moves, const Output *output) {
  for (int32_t i = 0; i < moves->count; i++) {
    int id = moves->move[i].source;
    if (!plan_is_staged(p->graph, id) || stage_of(p, id))
      continue;
    const Value *value = p->graph->value.item[id];
    Stage stage = {.value = value};
    if (value->table && plan_element_bits(value->dtype) >= 8) {
      stage.row = row_of_table(value);
      VEC_PUSH(p->arena, p->stage, stage);
      continue;
    }
    if (!plan_stages(p, value->moves, output))
      return false;
    stage.nest = nests_of_moves(p, value->moves, value->dtype, true, &stage.nest_count);
    bool good = true;
    for (int k = 0; k < stage.nest_count; k++) {
      good = good && nest_has_digits(&stage.nest[k]);
      stage.is_computed = stage.is_computed || nest_is_by_element(&stage.nest[k]);
    }
    if (!good && !plan_is_known(value))
      return false;
    if (!good) {
      diag_error(p->diag, output->span, "unsupported",
                 "'%s' falls into pieces that overlap in memory order", output->name);
      return false;
    }
    find_row(p, &stage);
    VEC_PUSH(p->arena, p->stage, stage);
  }
  return true;
}
