// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The invariants of plans, checked for every plan before code is emitted: a fault of the planner becomes an internal
// error, never code that writes outside its buffers.
//
//   y: f32[3, 2], 24 bytes     {3, dst 8, src 4} {2, dst 4, src 12}, run 4
//     dst 2*8 + 1*4 + 4 = 24: inside y. 3 * 2 * 4 bytes: all of y
#include "codegen/plan/plan_internal.h"

// The part of a memory that is accessed: its first byte, and the byte after its last.
typedef struct Extent {
  int64_t from, to;
} Extent;

static bool add(int64_t *sum, int64_t a, int64_t b) {
  int64_t product;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*sum, product, sum);
}

// Extends the part by a loop. False: overflow.
static bool widen(Extent *e, int64_t extent, int64_t stride) {
  return add(stride < 0 ? &e->from : &e->to, extent - 1, stride);
}

// `type`: the type of single elements; if they have less than a byte, `e` counts elements. NONE: `e` counts bytes.
static bool is_inside(Extent e, const Value *value, rsh_dtype type) {
  if (!value || !plan_is_known(value))
    return true;
  int bits = type == RSH_DTYPE_NONE ? 8 : plan_element_bits(type),
      own = plan_element_bits(value->dtype);
  int64_t end = (int64_t)plan_value_bytes(value);
  if (bits < 8 &&
      __builtin_mul_overflow(own < 8 ? plan_value_elements(value) : end, own < 8 ? own : 8, &end))
    return e.from >= 0;
  return e.from >= 0 && e.to <= (bits < 8 ? end / bits : end);
}

// Whether a nest stays inside both memories at its place `index`, with the loops of that place.
static bool place_is_inside(const Plan *plan, const Nest *nest, int index, const Value *to) {
  const Value *from = rsh_is_fill(nest->source) ? NULL : plan->graph->value.item[nest->source];
  int64_t run = nest->run.n,
          read = nest_is_by_element(nest) ? plan_element_bits(nest->from) / 8 : run;
  read = nest_is_by_element(nest) && read == 0 ? 1 : read;
  NestFields fields = nest_fields(nest);
  for (int i = 0; i < fields.field_count; i++) {
    int64_t end = fields.field[i].src + plan_element_bits(nest->from) / 8;
    read = end > read ? end : read;
  }
  for (int i = 0; i < fields.element_count; i++) {
    int64_t end = fields.element[i].dst + plan_element_bits(nest->to) / 8;
    run = end > run ? end : run;
  }
  Extent dst = {nest->dst_offset.n, 0}, src = {nest->src_offset.n, 0};
  if (nest->places) {
    dst.from += nest->places->place[index].dst;
    src.from += nest->places->place[index].src;
  }
  dst.to = dst.from + run;
  src.to = src.from + read + (nest_shift(nest) != 0);
  bool fits = true;
  for (int i = 0; i < nest->loop_count; i++)
    fits = fits && widen(&dst, nest->loop[i].extent.n, nest->loop[i].dst.n) &&
           widen(&src, nest->loop[i].extent.n, nest->loop[i].src.n);
  for (int i = 0; nest->places && i < nest->places->loop_count; i++) {
    const PlaceLoop *loop = &nest->places->loop[index * nest->places->loop_count + i];
    fits = fits && widen(&dst, loop->extent, loop->dst) && widen(&src, loop->extent, loop->src);
  }
  return fits && is_inside(dst, to, nest_is_by_element(nest) ? nest->to : RSH_DTYPE_NONE) &&
         is_inside(src, from, nest_is_by_element(nest) ? nest->from : RSH_DTYPE_NONE);
}

static const char *check_places(const Plan *plan, const Nest *nest, const Value *to) {
  for (int i = 0; i < (nest->places ? nest->places->count : 1); i++)
    if (!place_is_inside(plan, nest, i, to))
      return "a nest goes past its memory";
  return NULL;
}

// Whether a number of bytes is known and breaks the alignment to `unit` bytes.
static bool is_odd(rsh_num n, uint32_t unit) { return rsh_is_known(n) && n.n % unit != 0; }

static const char *check_alignment(const Plan *plan, const Nest *nest) {
  bool reads = !rsh_is_fill(nest->source) && graph_is_source(plan->graph, nest->source);
  if (nest->unit == 0 || (nest->unit & (nest->unit - 1)) != 0)
    return "an alignment is not a power of two";
  if (nest_is_by_element(nest) || nest->kind == NEST_SHIFTED)
    return NULL;
  bool is_bad = is_odd(nest->run, nest->unit) || is_odd(nest->dst_offset, nest->unit) ||
                (reads && is_odd(nest->src_offset, nest->unit));
  for (int i = 0; i < nest->loop_count; i++)
    is_bad = is_bad || is_odd(nest->loop[i].dst, nest->unit) ||
             (reads && is_odd(nest->loop[i].src, nest->unit));
  for (int i = 0; i < nest_place_count(nest); i++)
    is_bad = is_bad || nest->places->place[i].dst % nest->unit != 0 ||
             (reads && nest->places->place[i].src % nest->unit != 0);
  return is_bad ? "a nest is aligned less than it says" : NULL;
}

// Checks that all entries that elements use are within the tables.
static const char *check_entries(const Plan *plan, const Nest *nest) {
  NestFields fields = nest_fields(nest);
  for (int i = 0; i < fields.element_count; i++)
    if (fields.element[i].at < 0 || fields.element[i].at >= plan_nest_entries(plan->graph, nest))
      return "a nest goes past its tables";
  if (nest->kind != NEST_ELEMENTS || !plan_nest_is_known(nest))
    return NULL;
  int64_t first = nest->elements.at_offset.n;
  Extent at = {first, first + 1};
  bool fits = true;
  for (int i = 0; i < nest->loop_count; i++)
    fits = fits && widen(&at, nest->loop[i].extent.n, nest->loop[i].at.n);
  fits = fits && at.from >= 0 && at.to <= plan_nest_entries(plan->graph, nest);
  return fits ? NULL : "a nest goes past its tables";
}

static const char *check_lines(const NestLines *lines) {
  if (lines->large && (lines->streams || lines->large_from <= 0))
    return "a nest streams at any size";
  if (lines->large && (!nest_lines(lines->large).is_large || nest_lines(lines->large).large))
    return "a nest is large twice";
  return NULL;
}

static const char *check_tiles(const Nest *nest) {
  const NestTiles *tiles = &nest->tiles;
  if (nest->loop_count < 2)
    return "a nest of tiles has fewer than two loops";
  if (tiles->tile.src <= 0 || tiles->tile.dst <= 0 || (tiles->tile.near && !tiles->tile.prefetches))
    return "a nest of tiles has no blocks";
  return check_lines(&tiles->lines);
}

static const char *check_weave(const Nest *nest) {
  return nest->loop_count >= 2 ? NULL : "a nest that weaves has fewer than two loops";
}

static const char *check_elements(const NestElements *elements) {
  const Nest *tiled = elements->tiled;
  if (!tiled)
    return NULL;
  if (nest_is_plain(tiled) || nest_elements(tiled).map != elements->map)
    return "a nest is not the same in tiles";
  return tiled->kind == NEST_WEAVE ? check_weave(tiled) : check_tiles(tiled);
}

// Checks the fields of the nest's kind.
static const char *check_kind(const Nest *nest) {
  switch (nest->kind) {
  case NEST_RUNS:
    return check_lines(&nest->runs);
  case NEST_SHIFTED:
    return nest->shift > 0 && nest->shift < 8 ? NULL : "a nest is shifted by no bits";
  case NEST_WEAVE:
    return nest->woven ? "a nest of elements is only a weave" : check_weave(nest);
  case NEST_TILES:
    return nest->tiles.map ? "a nest of elements is only tiles" : check_tiles(nest);
  case NEST_ELEMENTS:
    return check_elements(&nest->elements);
  case NEST_FIELDS:
    return nest->fields.element_count > 0 ? NULL : "a nest of fields makes no elements";
  }
  return "a nest has no kind";
}

// A nest that starts at several places must be plain: its places need not be adjacent.
static const char *check_starts(const Nest *nest) {
  const NestPlaces *places = nest->places;
  NestLines lines = nest_lines(nest);
  if (!places)
    return NULL;
  if (!nest_is_plain(nest) || lines.streams || lines.past > 0 || lines.large)
    return "a nest of several places has a special way";
  if (places->count < 1 || !places->place)
    return "a nest has no places";
  if ((places->loop != NULL) != (places->loop_count > 0) || (places->loop && nest->loop_count > 0))
    return "a nest has two kinds of loops";
  return NULL;
}

static const char *check_loops(const Nest *nest) {
  for (int i = 0; i < nest->loop_count; i++)
    if (rsh_is_known(nest->loop[i].extent) && nest->loop[i].extent.n < 1)
      return "a loop does not run";
  for (int i = 0; i < nest->loop_count; i++)
    if (rsh_is_known(nest->loop[i].dst) && nest->loop[i].dst.n <= 0)
      return "a loop stays where it is";
  return NULL;
}

// Zipped nests have the same loops, stay inside their memory, and leave no gap.
static const char *check_zip(const Plan *plan, const Nest *nest, const Value *to) {
  const NestZip *zip = nest->zip;
  int last = zip ? zip->nest->loop_count - 1 : 0;
  int64_t filled = 0;
  for (int i = 0; zip && i < zip->count; i++) {
    const Nest *one = &zip->nest[i];
    if (one->loop_count != last + 1 || last < 0 || !rsh_is_known(one->run))
      return "zipped nests have different loops";
    for (int k = 0; k <= last; k++)
      if (!rsh_equal(one->loop[k].extent, zip->nest->loop[k].extent) ||
          !rsh_equal(one->loop[k].dst, zip->nest->loop[k].dst))
        return "zipped nests have different loops";
    if (rsh_is_known(one->dst_offset) && one->dst_offset.n != zip->nest->dst_offset.n + filled)
      return "zipped nests leave gaps";
    if (plan_is_staged(plan->graph, one->source))
      return "a zipped nest is looked up";
    if (plan_nest_is_known(one) && !place_is_inside(plan, one, 0, to))
      return "a zipped nest goes past its memory";
    filled += one->run.n;
  }
  return zip && !rsh_is(zip->nest->loop[last].dst, filled) ? "zipped nests leave gaps" : NULL;
}

static const char *check_nests(const Plan *plan, const Nest *nest, int count, const Value *to) {
  for (int i = 0; i < count; i++) {
    const char *wrong = check_kind(&nest[i]);
    wrong = wrong ? wrong : check_starts(&nest[i]);
    wrong = wrong ? wrong : check_loops(&nest[i]);
    wrong = wrong ? wrong : check_alignment(plan, &nest[i]);
    wrong = wrong ? wrong : check_entries(plan, &nest[i]);
    wrong = wrong ? wrong : check_zip(plan, &nest[i], to);
    if (!wrong && plan_nest_is_known(&nest[i]))
      wrong = check_places(plan, &nest[i], to);
    if (wrong)
      return wrong;
  }
  return NULL;
}

// A result of known sizes is written once: the bytes written are its own, without those of placed inputs.
static const char *check_amount(const OutputPlan *out) {
  const Value *value = out->output->value;
  int64_t left = (int64_t)plan_own_bytes(value);
  int64_t bits = 0; // of elements of less than a byte
  if (out->tier != TIER_STATIC || out->own || plan_is_packed(out))
    return NULL;
  for (int i = 0; i < out->placed_count; i++)
    left -= (int64_t)plan_value_bytes(out->placed[i].input);
  for (int i = 0; i < out->nest_count; i++) {
    const Nest *nest = &out->nest[i];
    int64_t bytes = nest_written(nest), size = plan_element_bits(nest->to);
    if (nest_is_by_element(nest) && size < 8) {
      if (add(&bits, bytes, size))
        continue;
      return NULL; // overflow
    }
    if (bytes < 0 || bytes > left)
      return "a result is written twice";
    left -= bytes;
  }
  return left == bits / 8 && bits % 8 == 0 ? NULL : "a result is written in part";
}

const char *plan_verify(const Plan *plan) {
  const char *wrong = NULL;
  for (int i = 0; !wrong && i < plan->stage_count; i++)
    wrong = check_nests(plan, plan->stage[i].nest, plan->stage[i].nest_count, plan->stage[i].value);
  for (int i = 0; !wrong && i < plan->pass_count; i++)
    wrong = check_nests(plan, plan->pass[i].nest, plan->pass[i].nest_count, plan->pass[i].value);
  for (int i = 0; !wrong && i < plan->output_count; i++) {
    const OutputPlan *out = &plan->output[i];
    wrong = check_nests(plan, out->nest, out->nest_count, out->output->value);
    wrong = wrong ? wrong : check_amount(out);
  }
  return wrong;
}
