// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects the loop of a nest that is divided among tasks: the outermost divisible loop with enough iterations, so that
// a task keeps the order of the whole nest. If there is none and all sizes are known, a loop is added over blocks of
// the rows of a transposition, or of a long run.
//
//   [4096,4096] to its transpose   for 4096: dst 16384, src 4       for 64: dst 1 MiB, src 256
//                                    for 4096: dst 4, src 16384       for 64: dst 16384, src 4
//                                                                       for 4096: dst 4, src 16384
#include "codegen/plan/split.h"

#include "codegen/plan/choice.h"
#include "codegen/plan/zip.h"
#include "codegen/plan/processor.h"

enum { TASK_BYTES = 64 << 10, MOST_NESTS = 24, ENOUGH_TASKS = 14 };

typedef struct Splitter {
  Arena *arena;
  const Plan *plan;
  int64_t tasks;  // wanted
  int64_t enough; // sufficient: adding a loop to get more would shorten the rows that are read
  Nest *nest;     // the nests to divide (see pieces_of)
  int nest_count;
  VEC(Share) share;
} Splitter;

// The largest power of two up to a line that divides n for all values of the symbols.
static int64_t alignment(const Plan *plan, rsh_num n) {
  int64_t all = CACHE_LINE;
  rsh_terms t = rsh_terms_of(plan->graph->symbols, n);
  while (rsh_next_term(&t))
    all = rsh_gcd(all, t.coef);
  return all;
}

static bool is_in_lines(const Plan *plan, rsh_num n) { return alignment(plan, n) == CACHE_LINE; }

// Whether the loops of smaller strides stay within one stride of loop `at`, and larger strides are whole lines. Strides
// that depend on symbols are compared if each is the size of the next smaller loop.
static bool is_dense_inside(const Splitter *s, const Nest *nest, int at) {
  rsh_num bound = nest->loop[at].dst;
  int64_t span = rsh_is_known(nest->run) ? nest->run.n : 0;
  bool inside[RSH_MAX_AXES + 2] = {false};
  for (bool found = true; found;) {
    found = false;
    for (int i = 0; i < nest->loop_count; i++) {
      const Loop *loop = &nest->loop[i];
      rsh_num size;
      if (i == at || inside[i])
        continue;
      if (rsh_is_known(loop->dst) && rsh_is_known(nest->loop[at].dst) &&
          rsh_is_known(loop->extent) && loop->dst.n < nest->loop[at].dst.n) {
        span += (loop->extent.n - 1) * loop->dst.n;
        inside[i] = found = true;
      } else if (rsh_mul(s->plan->graph->symbols, loop->extent, loop->dst, &size) &&
                 rsh_equal(size, bound)) {
        bound = loop->dst;
        inside[i] = found = true;
      }
    }
  }
  for (int i = 0; i < nest->loop_count; i++)
    if (i != at && !inside[i] && !is_in_lines(s->plan, nest->loop[i].dst))
      return false;
  return !rsh_is_known(nest->loop[at].dst) || span <= nest->loop[at].dst.n;
}

static int64_t unit_of(const Plan *plan, const Loop *loop) {
  return CACHE_LINE / alignment(plan, loop->dst);
}

static int64_t count_units(const Loop *loop, int64_t unit) {
  return rsh_is_known(loop->extent) ? plan_divide_up(loop->extent.n, unit) : MOST_TASKS;
}

static int64_t units_of(const Plan *plan, const Loop *loop) {
  return count_units(loop, unit_of(plan, loop));
}

// The number of outer loops that can be divided at run time: none at places, and not the loops of a tile or a weave,
// except rows and pixels of open sizes.
static int free_loops(const Nest *nest) {
  if (nest->places || nest_is_plain(nest))
    return nest->places ? 0 : nest->loop_count;
  if (nest->kind == NEST_TILES && nest_tile_loops(nest) > 2)
    return nest->loop_count - nest_tile_loops(nest);
  bool is_open = !rsh_is_known(nest->loop[nest->loop_count - 2].extent) ||
                 !rsh_is_known(nest->loop[nest->loop_count - 1].extent);
  return nest->loop_count - 2 + is_open;
}

// The loop to divide, or -1. Of loops that depend on symbols, the innermost: an outer one is often a batch of 1.
static int loop_to_divide(const Splitter *s, const Nest *nest) {
  int best = -1;
  int64_t most = 1;
  for (int i = 0; i < free_loops(nest); i++) {
    int64_t units = units_of(s->plan, &nest->loop[i]);
    bool is_enough = best >= 0 && most >= s->enough && rsh_is_known(nest->loop[best].extent) &&
                     rsh_is_known(nest->loop[i].extent);
    if (is_enough || units < most || units < 2 || !is_dense_inside(s, nest, i))
      continue;
    if (units > most || !rsh_is_known(nest->loop[i].extent)) {
      best = i;
      most = units;
    }
  }
  return best;
}

// The nests that `nest` represents: those of its zip; or, for tiles with functions, the nest by element.
static const Nest *nests_of(Splitter *s, const Nest *nest, int *count) {
  const NestZip *zip = nest->zip;
  *count = zip ? zip->count : 1;
  Nest *each = ARENA_ARRAY(s->arena, Nest, *count);
  *each = *nest;
  for (int i = 0; zip && i < zip->count; i++) {
    each[i] = zip->nest[i];
    each[i].zip = zip;
  }
  if (!nest_is_plain(nest) && nest_elements(nest).map) {
    nest_make_elements(each);
    Nest *tiled = ARENA_NEW(s->arena, Nest);
    *tiled = *nest;
    each->elements.tiled = tiled;
  }
  return each;
}

static void add(Splitter *s, const Nest *nest, int depth, int task, int parts) {
  int64_t unit = depth < 0 ? 1 : unit_of(s->plan, &nest->loop[depth]);
  if (nest->kind == NEST_TILES && depth == nest->loop_count - 2)
    unit = CACHE_LINE; // elements: whole tiles
  Share share = {.depth = depth, .unit = unit, .task = task, .parts = parts};
  share.nest = nests_of(s, nest, &share.nest_count);
  VEC_PUSH(s->arena, s->share, share);
}

static int64_t round_up(int64_t n, int64_t to) { return plan_divide_up(n, to) * to; }

// Adds an outermost loop over blocks of a loop, or of the run (`at` == loop_count), and a nest for the remainder.
// False: there are at most `few` blocks.
static bool add_blocks(Splitter *s, const Nest *nest, int at, int64_t block, int64_t few) {
  rsh_symbols *symbols = s->plan->graph->symbols;
  bool is_run = at == nest->loop_count;
  rsh_num one = rsh_int(1), run = nest->run;
  Loop of = is_run ? (Loop){.extent = run, .dst = one, .src = nest->source < 0 ? rsh_int(0) : one}
                   : nest->loop[at];
  int64_t count = of.extent.n / block, rest = of.extent.n % block;
  if (count <= few)
    return false;
  Nest main = nest_copy(s->arena, nest), left = nest_copy(s->arena, nest);
  for (int i = main.loop_count++; i > 0; i--)
    main.loop[i] = main.loop[i - 1];
  if (is_run)
    main.run = rsh_int(block), left.run = rsh_int(rest);
  else
    main.loop[at + 1].extent = rsh_int(block), left.loop[at].extent = rsh_int(rest);
  if (!loop_over_blocks(symbols, of, count, block, &main.loop[0]) ||
      !nest_start_at(symbols, &left, &of, rsh_int(count * block)))
    return false;
  if (left.kind == NEST_TILES && !nest_has_tiles(&left, &left.tiles.tile))
    nest_drop_tiles(&left);
  add(s, &main, 0, 0, 0);
  if (rest > 0) // if there are more tasks than blocks, the first has none
    add(s, &left, -1, 0, (int)count + 1);
  return true;
}

// Adds a loop and divides it, if that gives more parts than `few`.
static bool add_made(Splitter *s, const Nest *nest, int64_t few) {
  int along = nest->loop_count - 2;
  if (!plan_nest_is_known(nest) || nest->places || nest->zip || nest_is_by_element(nest) ||
      nest->kind == NEST_SHIFTED)
    return false;
  if (!nest_is_plain(nest) && is_dense_inside(s, nest, along)) {
    const Loop *loop = &nest->loop[along];
    return add_blocks(s, nest, along,
                      round_up(plan_divide_up(loop->extent.n, s->tasks), CACHE_LINE), few);
  }
  for (int i = 0; i < nest->loop_count; i++)
    if (!is_in_lines(s->plan, nest->loop[i].dst))
      return false;
  return nest->run.n >= TASK_BYTES &&
         add_blocks(s, nest, nest->loop_count,
                    round_up(nest->run.n / s->tasks, s->plan->processor->page), few);
}

// Splits a nest that shares no line with other nests.
static void split_alone(Splitter *s, const Nest *nest) {
  int at = is_in_lines(s->plan, nest->dst_offset) ? loop_to_divide(s, nest) : -1;
  int64_t units = at < 0 ? 1 : units_of(s->plan, &nest->loop[at]);
  if (units < s->enough && is_in_lines(s->plan, nest->dst_offset) && add_made(s, nest, units))
    return;
  add(s, nest, at, s->share.count, s->share.count + 1);
}

typedef struct Interval {
  int64_t begin, end;
} Interval;

// From the first byte that a nest writes to the last, at any of its places.
static Interval reach(const Nest *nest) {
  const NestPlaces *places = nest->places;
  int64_t begin = nest->dst_offset.n, end = begin + nest->run.n;
  for (int i = 0; i < nest->loop_count; i++)
    end += (nest->loop[i].extent.n - 1) * nest->loop[i].dst.n;
  if (!places)
    return (Interval){begin, end};
  Interval all = {INT64_MAX, INT64_MIN};
  for (int i = 0; i < places->count; i++) {
    int64_t at = places->place[i].dst, last = at;
    for (int k = 0; k < places->loop_count; k++) {
      const PlaceLoop *loop = &places->loop[i * places->loop_count + k];
      last += (loop->extent - 1) * loop->dst;
    }
    all.begin = begin + at < all.begin ? begin + at : all.begin;
    all.end = end + last > all.end ? end + last : all.end;
  }
  return all;
}

// Whether the nests write disjoint parts of the output that begin at lines.
static bool bands_apart(const Splitter *s) {
  for (int i = 0; i < s->nest_count; i++) {
    Interval a = reach(&s->nest[i]);
    for (int k = 0; k < s->nest_count; k++) {
      Interval b = reach(&s->nest[k]);
      if (k != i && a.begin < b.end && b.begin < a.end)
        return false;
    }
    if (a.begin % CACHE_LINE != 0)
      return false;
  }
  return true;
}

// The loop of a nest that iterates over the same rows as `row`, with all other loops inside a row; -1: there is none.
static int row_loop(const Nest *nest, const Loop *row) {
  for (int i = 0; i < free_loops(nest); i++) {
    if (!rsh_equal(nest->loop[i].extent, row->extent) || !rsh_equal(nest->loop[i].dst, row->dst))
      continue;
    Interval all = reach(nest);
    int64_t last = (row->extent.n - 1) * row->dst.n;
    return all.end - last <= row->dst.n ? i : -1;
  }
  return -1;
}

static bool split_rows(Splitter *s) {
  const Loop *row = NULL;
  for (int i = 0; i < s->nest->loop_count; i++)
    if (!row || s->nest->loop[i].dst.n > row->dst.n)
      row = &s->nest->loop[i];
  if (!row || units_of(s->plan, row) < 2)
    return false;
  for (int i = 0; i < s->nest_count; i++)
    if (row_loop(&s->nest[i], row) < 0)
      return false;
  for (int i = 0; i < s->nest_count; i++)
    add(s, &s->nest[i], row_loop(&s->nest[i], row), 0, 0);
  return true;
}

// Whether all nests of an output copy runs of whole lines to the starts of lines, for all sizes.
static bool are_in_lines(const Splitter *s) {
  for (int i = 0; i < s->nest_count; i++) {
    const Nest *nest = &s->nest[i];
    bool is_copy = nest_is_plain(nest) && !nest_is_by_element(nest) && !nest->places;
    if (!is_copy || !is_in_lines(s->plan, nest->dst_offset) || !is_in_lines(s->plan, nest->run))
      return false;
    for (int k = 0; k < nest->loop_count; k++)
      if (!is_in_lines(s->plan, nest->loop[k].dst))
        return false;
  }
  return true;
}

// Collects the nests to divide, as an output executes them. A zip is one nest over whole pixels, and functions in tiles
// are the nest of these tiles.
static void pieces_of(Splitter *s, const OutputPlan *out) {
  s->nest = ARENA_ARRAY(s->arena, Nest, out->nest_count + 1);
  for (int i = 0; i < out->nest_count; i++) {
    const Nest *nest = &out->nest[i], *tiled = nest_elements(nest).tiled;
    if (nest->zip && !nest_leads(nest))
      continue;
    Nest *piece = &s->nest[s->nest_count++];
    *piece = tiled ? *tiled : nest->zip ? *nest->zip->nest : *nest;
    piece->zip = nest->zip;
    if (nest->zip)
      piece->run = piece->loop[piece->loop_count - 1].dst;
  }
}

static void split_output(Splitter *s, const OutputPlan *out) {
  pieces_of(s, out);
  bool known = true;
  for (int i = 0; i < s->nest_count; i++)
    known = known && plan_nest_is_known(&s->nest[i]);
  if (out->tier == TIER_ALIAS || out->in_place || plan_is_packed(out) || s->nest_count == 0 ||
      s->nest_count > MOST_NESTS)
    return;
  if (s->nest_count == 1)
    split_alone(s, s->nest);
  else if (known ? !split_rows(s) && bands_apart(s) : are_in_lines(s))
    for (int i = 0; i < s->nest_count; i++)
      split_alone(s, &s->nest[i]);
}

// The number of tasks that the work justifies, even for two threads; the most if sizes are open.
static int64_t wanted_tasks(const Plan *plan) {
  int64_t bytes = 0;
  for (int i = 0; i < plan->output_count; i++) {
    if (!plan_is_known(plan->output[i].output->value))
      return MOST_TASKS;
    bytes += (int64_t)(plan->output[i].bytes_moved / TASK_BYTES);
  }
  bytes += bytes > 1 && bytes % 2 != 0;
  return bytes < 1 ? 1 : bytes > MOST_TASKS ? MOST_TASKS : bytes;
}

const Split *plan_split(Arena *arena, const Plan *plan, int64_t *tasks) {
  *tasks = 1;
  Split *split = ARENA_ARRAY(arena, Split, plan->output_count + 1);
  int64_t wanted = wanted_tasks(plan), most = 1;
  bool known = true;
  if (wanted == 1 || plan->pass_count > 0 || plan->tape)
    return NULL;
  for (int i = 0; i < plan->output_count; i++) {
    Splitter s = {.arena = arena, .plan = plan, .tasks = wanted};
    s.enough = wanted < ENOUGH_TASKS ? wanted : ENOUGH_TASKS;
    split_output(&s, &plan->output[i]);
    split[i] = (Split){s.share.item, s.share.count};
    for (int k = 0; k < s.share.count; k++) {
      const Share *share = &s.share.item[k];
      const Loop *loop = &share->nest->loop[share->depth < 0 ? 0 : share->depth];
      int64_t units = share->depth < 0 ? share->parts : count_units(loop, share->unit);
      most = units > most ? units : most;
      known = known && (share->depth < 0 || rsh_is_known(loop->extent));
    }
  }
  bool has_variants = plan->graph->variant.count > 0; // which have tasks of their own
  *tasks = !known || has_variants ? 0 : most < wanted ? most : wanted;
  return *tasks == 1 ? NULL : split;
}
