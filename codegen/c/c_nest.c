// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests as C loops. Only machine code has tiles, vectors and non-temporal stores: C has the loops of the plan, around
// an assignment, a memcpy, or a short loop if there is no <string.h>.
//
//   {8, dst 1, src 28} {28, dst 8, src 1}, run 1
//
//     for (size_t i = 0; i < 8U; i++) {
//       for (size_t j = 0; j < 28U; j++) {
//         y[i + 8U * j] = x[28U * i + j];
//       }
//     }
#include "codegen/c/c_internal.h"

#include <inttypes.h>
#include <string.h>

// ---- conditions and loops ----

static const char *loop_index(CKernel *k) {
  return name_unique(&k->locals, c_index(k->file->arena, k->depth - 1));
}

// Opens for (size_t i = 0; i < extent; i += step). Returns its index.
static const char *open_loop(CKernel *k, rsh_num extent, int64_t step) {
  const char *index = loop_index(k);
  c_for(k, index, "0", c_number(k, extent, false), step);
  return index;
}

// ---- runs ----

static const char *source_of(CKernel *k, const Nest *nest, const CSpot *at) {
  const char *source = c_source(k, nest->source);
  return at->in_bytes ? c_as_bytes(k, source, c_source_type(k, nest->source), true) : source;
}

// Whether C compilers vectorize a loop over the run: gcc -O2 does for whole vectors, if it needs no test whether both
// sides overlap.
static bool is_vectorized(const CKernel *k, const Nest *nest) {
  enum { HELIUM = 16 };
  const Graph *graph = k->plan->graph;
  return k->file->can.vectorizes && rsh_is_known(nest->run) && nest->run.n % HELIUM == 0 &&
         (rsh_is_fill(nest->source) ||
          !c_meets_an_output(k->plan, graph->value.item[nest->source]));
}

// How its run is moved.
static RunStrategy run_strategy(const CKernel *k, const Nest *nest) {
  Machine can = k->file->can;
  can.vectorizes = false;
  return is_vectorized(k, nest) ? RUN_UNITS : nest_run_strategy(k->plan, nest, &can);
}

// Advances both sides by this many C elements.
static void advance(CKernel *k, CSpot *at, rsh_num dst, rsh_num src, const char *index) {
  at->start[CODE_DST] = c_plus(k, at->start[CODE_DST], dst, index);
  at->start[CODE_SRC] = c_plus(k, at->start[CODE_SRC], src, index);
}

// Repeats the constant; a complex one has two parts.
static void put_fill(CKernel *k, const Nest *nest, CSpot at) {
  uint8_t bytes[16];
  int64_t unit = c_unit(at.type), period = plan_fill(k->plan->graph, nest->source, bytes);
  bool is_packed = plan_element_bits(at.type) < 8;
  RunStrategy strategy = run_strategy(k, nest);
  if (nest_fill_period(k->plan, nest) == 1 && (strategy == RUN_CALL || strategy == RUN_LIBRARY)) {
    c_put_fill(k, &at, code_divided(nest->run, unit), strategy, bytes[0]);
    return;
  }
  bool loops = !rsh_is(nest->run, period);
  CSum dst = at.start[CODE_DST];
  if (loops)
    dst = c_plus(k, dst, rsh_int(1), open_loop(k, code_divided(nest->run, unit), period / unit));
  for (int64_t i = 0; i < period / unit; i++)
    c_line(k, "%s[%s] = %s;", at.to, c_sum(k, c_plus(k, dst, rsh_int(i), NULL)),
           c_literal(k->file, is_packed ? RSH_U8 : at.type, bytes + i * unit));
  if (loops)
    c_close(k);
}

// Bytes that begin in the middle of a byte.
static void put_shifted(CKernel *k, const Nest *nest, CSpot at) {
  const char *from = source_of(k, nest, &at);
  advance(k, &at, rsh_int(1), rsh_int(1), open_loop(k, nest->run, 1));
  CSum next = c_plus(k, at.start[CODE_SRC], rsh_int(1), NULL);
  c_line(k, "%s[%s] = (uint8_t)(((uint32_t)%s[%s] >> %d) | ((uint32_t)%s[%s] << %d));", at.to,
         c_sum(k, at.start[CODE_DST]), from, c_sum(k, at.start[CODE_SRC]), nest->shift, from,
         c_sum(k, next), 8 - nest->shift);
  c_close(k);
}

// Whether a run is so short that the code for small cores has a line for each element, instead of a loop or a call,
// because gcc -O2 does not unroll loops if that makes them larger.
static bool is_spelled_out(const CKernel *k, rsh_num count, RunStrategy strategy) {
  enum { MOST = 12 };
  const Machine *can = &k->file->can;
  return can->walks && !k->file->small && rsh_is_known(count) && count.n <= MOST &&
         (strategy == RUN_UNITS || (strategy == RUN_CALL && can->unaligned == 1));
}

// Copies a run of `count` C elements from `from`, by `strategy`.
static void put_copy(CKernel *k, CSpot at, const char *from, rsh_dtype from_type, rsh_num count,
                     RunStrategy strategy, uint32_t align) {
  bool is_one = rsh_is(count, 1);
  bool is_spelled = is_spelled_out(k, count, strategy), loops = !is_one && !is_spelled;
  if (loops && strategy != RUN_UNITS) {
    c_put_run(k, &at, from, count, align, strategy);
    return;
  }
  if (loops)
    advance(k, &at, rsh_int(1), rsh_int(1), open_loop(k, count, 1));
  for (int64_t i = 0; i < (loops ? 1 : count.n); i++) {
    CSum dst = c_plus(k, at.start[CODE_DST], rsh_int(i), NULL);
    CSum src = c_plus(k, at.start[CODE_SRC], rsh_int(i), NULL);
    const char *element = arena_printf(k->file->arena, "%s[%s]", from, c_sum(k, src));
    c_line(k, "%s[%s] = %s;", at.to, c_sum(k, dst), c_as_type(k, element, from_type, at.type));
  }
  if (loops)
    c_close(k);
}

// A staged element, which is contiguous at the address that the lookup returns.
static void put_staged(CKernel *k, const Nest *nest, CSpot at) {
  const char *given =
      c_call_stage(k, plan_stage(k->plan, nest->source), c_sum(k, at.start[CODE_SRC]), NULL);
  rsh_num count = code_divided(nest->run, c_unit(at.type));
  rsh_dtype type = c_source_type(k, nest->source); // before a bitcast
  if (rsh_is(count, 1)) {
    const char *element = arena_printf(k->file->arena, "*%s", given);
    c_line(k, "%s[%s] = %s;", at.to, c_sum(k, at.start[CODE_DST]),
           c_as_type(k, element, type, at.type));
    return;
  }
  const char *from = name_unique(&k->locals, "from");
  c_line(k, "%s*%s = %s;", c_element(k->file->arena, type, true), from, given);
  at.start[CODE_SRC] = (CSum){0};
  put_copy(k, at, from, type, count, run_strategy(k, nest), nest->unit);
}

static bool is_in_parts(const CKernel *k, const Nest *nest) {
  return nest_is_in_parts(k->plan, nest, k->share ? k->share->depth : WHOLE_NEST);
}

// The innermost loop of a nest in parts: each lookup finds how much is contiguous.
static void put_parts(CKernel *k, const Nest *nest, CSpot at) {
  Arena *arena = k->file->arena;
  const Loop *inner = &nest->loop[nest->loop_count - 1];
  rsh_num elements = inner->extent;
  elements.n *= nest->run.n / c_unit(at.type);
  const char *count = c_number(k, elements, true);
  const char *part = name_unique(&k->locals, "part"), *from = name_unique(&k->locals, "from");
  const char *index = loop_index(k);
  c_open(k, "for (size_t %s = 0, %s; %s < %s; %s += %s)", index, part, index, count, index, part);
  advance(k, &at, rsh_int(1), rsh_int(1), index);
  c_line(k, "%s*%s = %s;", c_element(arena, c_source_type(k, nest->source), true), from,
         c_call_stage(k, plan_stage(k->plan, nest->source), c_sum(k, at.start[CODE_SRC]),
                      arena_printf(arena, "&%s", part)));
  c_line(k, "%s = %s < %s - %s ? %s : %s - %s;", part, part, count, index, part, count, index);
  at.start[CODE_SRC] = (CSum){0};
  c_put_piece(k, &at, from, part);
  c_close(k);
}

// The loop body of a nest that is not by element.
static void put_block(CKernel *k, const CSpot *spot, CSum dst, CSum src) {
  const Nest *nest = spot->nest;
  CSpot at = *spot;
  at.start[CODE_DST] = dst;
  at.start[CODE_SRC] = src;
  if (rsh_is_fill(nest->source))
    put_fill(k, nest, at);
  else if (is_in_parts(k, nest))
    put_parts(k, nest, at);
  else if (plan_is_staged(k->plan->graph, nest->source))
    put_staged(k, nest, at);
  else if (nest->kind == NEST_SHIFTED)
    put_shifted(k, nest, at);
  else
    put_copy(k, at, source_of(k, nest, &at), at.from, code_divided(nest->run, c_unit(at.type)),
             run_strategy(k, nest), nest->unit);
}

// ---- nests ----

// Opens a loop over the table of places; the nest is executed once per place, in the loops of that place. A constant at
// evenly spaced places needs no table.
static void open_places(CKernel *k, const Nest *nest, int64_t src_unit, CSpot *at) {
  Arena *arena = k->file->arena;
  CodePlaces places = code_places(arena, nest->places, src_unit, c_unit(at->type));
  const char *place = open_loop(k, rsh_int(nest->places->count), 1);
  if (places.step > 0) {
    advance(k, at, rsh_int(places.dst), rsh_int(0), NULL);
    advance(k, at, rsh_int(places.step), rsh_int(0), place);
    if (rsh_is_fill(nest->source))
      return;
  }
  const char *table = c_table(k, places.number, nest->places->count, places.width, "places");
  const char *row = arena_printf(arena, "(size_t)%s[%s]", table, place);
  if (places.step > 0) {
    advance(k, at, rsh_int(0), rsh_int(1), row);
    return;
  }
  advance(k, at, rsh_int(0), rsh_int(1), arena_printf(arena, "%s[0]", row));
  advance(k, at, rsh_int(1), rsh_int(0), arena_printf(arena, "%s[1]", row));
  for (int i = 2; i < places.width; i += 3) {
    const char *index = loop_index(k);
    c_for(k, index, "0", arena_printf(arena, "%s[%d]", row, i), 1);
    advance(k, at, rsh_int(1), rsh_int(0), arena_printf(arena, "%s[%d] * %s", row, i + 1, index));
    if (!rsh_is_fill(nest->source))
      advance(k, at, rsh_int(0), rsh_int(1), arena_printf(arena, "%s[%d] * %s", row, i + 2, index));
  }
}

static CSpot begin_spot(CKernel *k, const Nest *nest, const char *to, rsh_dtype type) {
  bool by_element = nest_is_by_element(nest);
  CSpot at = {.nest = nest, .to = to, .type = type, .from = c_source_type(k, nest->source)};
  if (by_element && !c_has_size(nest->from, at.from))
    at.from = nest->from;
  at.in_bytes = (!c_has_size(nest->to, type) &&
                 !(nest->kind == NEST_FIELDS && plan_element_bits(type) < 8)) ||
                (!by_element && !c_has_size(nest->from, at.from));
  if (at.in_bytes) {
    at.to = c_as_bytes(k, to, type, false);
    at.type = by_element ? nest->to : RSH_U8;
    at.from = by_element ? at.from : RSH_U8;
  }
  advance(k, &at, code_divided(nest->dst_offset, c_unit(at.type)),
          code_divided(nest->src_offset, c_unit(at.from)), NULL);
  at.start[CODE_AT] = c_plus(k, (CSum){0}, nest_elements(nest).at_offset, NULL);
  return at;
}

// Whether unrolling the planes of a weave takes too much code: more than two planes in loops over bytes.
static bool is_large(const CKernel *k, const Nest *nest, rsh_num planes) {
  return k->file->small && planes.n > 2 && !nest_is_by_element(nest) &&
         run_strategy(k, nest) == RUN_UNITS && !rsh_is(nest->run, nest->unit);
}

// The loops of a nest from loop `first` on, and their body. A weave processes all planes together, in one pass over
// both sides.
static void put_loops(CKernel *k, int first, CSpot at) {
  const Nest *nest = at.nest;
  CodeLoops loops = {first, nest->loop_count, c_unit(at.type), c_unit(at.from), true, false, 0};
  const Loop *last = nest->loop_count > first ? &nest->loop[nest->loop_count - 1] : NULL;
  if (nest->kind == NEST_WEAVE && last && rsh_is_known(last->src) && rsh_is_known(last->dst) &&
      !is_large(k, nest, last->extent)) {
    loops.end--;
    loops.planes = last->extent.n;
  }
  loops.end -= is_in_parts(k, nest);
  loops.groups = !k->share && last && !plan_is_staged(k->plan->graph, nest->source) &&
                 nest_is_grouped(nest, k->file->small);
  if (loops.groups) { // the packed side counts bytes
    CSum *sum = &at.start[plan_element_bits(nest->from) < 8 ? CODE_SRC : CODE_DST];
    *sum = c_plus(k, *sum, rsh_int(0), NULL); // a copy
    for (int i = 0; i < sum->term.count; i++)
      sum->term.item[i].factor.n /= nest_group(nest);
  }
  c_put_code(k, code_loops(k->file->arena, k->plan, nest, loops),
             (CLeaves){.buffer = at.to, .type = at.type, .spot = &at, .inside = put_block});
}

// Joins nests that have the same outermost loop: the rows of a concat.
static void put_joined(CKernel *k, const Nest *const *nest, int64_t count, const char *to,
                       rsh_dtype type) {
  const char *index = open_loop(k, nest[0]->loop[0].extent, 1);
  for (int64_t i = 0; i < count; i++) {
    NameSet around = k->locals;
    if (nest[i]->loop_count > 1) { // else there is no block, and names stay in scope
      c_locals_begin(k);
      name_unique(&k->locals, index);
    }
    CSpot at = begin_spot(k, nest[i], to, type);
    const Loop *rows = &nest[i]->loop[0];
    advance(k, &at, code_divided(rows->dst, c_unit(at.type)),
            code_divided(rows->src, c_unit(at.from)), index);
    at.start[CODE_AT] = c_plus(k, at.start[CODE_AT], rows->at, index);
    put_loops(k, 1, at);
    if (nest[i]->loop_count > 1)
      k->locals = around;
  }
  c_close(k);
}

static void put_one_move(CKernel *k, const CodeNode *node, const char *to, rsh_dtype type) {
  const Nest *nest = *node->nest;
  bool has_block = nest->places || nest->loop_count > 0;
  NameSet around = k->locals; // they stay reserved outside a block, which starts new names
  int outside = k->depth;
  if (has_block)
    c_locals_begin(k);
  if (node->n > 1) {
    put_joined(k, node->nest, node->n, to, type);
  } else {
    CSpot at = begin_spot(k, nest, to, type);
    if (nest->places)
      open_places(k, nest, c_unit(at.from), &at);
    put_loops(k, 0, at);
  }
  while (k->depth > outside)
    c_close(k);
  if (has_block)
    k->locals = around;
}

void c_put_nests(CKernel *k, const Nest *nest, int count, const char *to, rsh_dtype type) {
  c_put_code(k, code_nests(k->file->arena, k->plan, nest, count),
             (CLeaves){.buffer = to, .type = type, .move = put_one_move});
}

// An in-place permutation, an element at a time, or a byte if elements have parts. If the target has no division
// instruction, compilers would call a library.
static void permute(CKernel *k, const OutputPlan *out, const CLeaves *leaves) {
  rsh_dtype type = rsh_moves_parts(out->moves) > 1 ? RSH_U8 : leaves->type;
  CLeaves words = {.buffer = c_as_bytes(k, leaves->buffer, leaves->type, false),
                   .word = c_element(k->file->arena, type, true)};
  if (type == leaves->type)
    words.buffer = leaves->buffer;
  const Code *code = code_cycles(k->file->arena, k->plan, out->cycles, c_unit(type), c_unit(type),
                                 0, k->file->divides);
  c_put_code(k, code, words);
}

// Moves within the memory of an input: of bytes if elements get another C type.
static void slide(CKernel *k, const OutputPlan *out, const CLeaves *leaves) {
  rsh_dtype type = leaves->type;
  const char *bytes = c_as_bytes(k, leaves->buffer, type, false);
  bool is_same = rsh_moves_parts(out->moves) == 1 &&
                 strcmp(rsh_dtype_ctype(out->in_place->dtype), rsh_dtype_ctype(type)) == 0;
  const CSpot spot = {.to = is_same ? leaves->buffer : bytes,
                      .type = type,
                      .in_bytes = !is_same,
                      .overwrites = !is_same};
  rsh_dtype unit = is_same ? type : RSH_U8;
  c_put_code(k, code_slides(k->file->arena, k->plan, out->slides, c_unit(unit), true),
             (CLeaves){.buffer = spot.to, .type = unit, .spot = &spot});
}

void c_put_output(CKernel *k, int index) {
  const OutputPlan *out = &k->plan->output[index];
  if (out->nest_count == 0)
    return;
  const CodePart part = {0, out->nest_count, k->file->small, k->file->can.walks, false};
  int64_t unit = c_unit(c_source_type(k, out->in_place ? out->in_place->id : out->nest->source));
  c_put_code(k, code_output(k->file->arena, k->plan, out, part, unit),
             (CLeaves){.buffer = c_parameter(k, PARAMETER_OUTPUT, index),
                       .word = "const uint8_t ",
                       .type = out->output->value->dtype,
                       .move = put_one_move,
                       .output = out,
                       .permute = permute,
                       .slide = slide});
}

// ---- passes ----

// The run that indices pick.
static void put_row_picked(CKernel *k, const Picks *picks, rsh_dtype type, const char *to,
                           const char *dst, const char *from, const char *src) {
  CSpot at = {.to = to, .type = type};
  at.start[CODE_DST] = c_plus(k, (CSum){0}, rsh_int(1), dst);
  at.start[CODE_SRC] = c_plus(k, (CSum){0}, rsh_int(1), src);
  put_copy(k, at, from, c_source_type(k, picks->from.source),
           code_divided(picks->run.run, c_unit(type)), run_strategy(k, &picks->run),
           picks->run.unit);
}

void c_put_passes(CKernel *k) {
  for (int i = 0; i < k->plan->pass_count; i++) {
    const Pass *pass = &k->plan->pass[i];
    rsh_dtype type = c_source_type(k, pass->value->id);
    CLeaves leaves = {.buffer = pass->nest_count > 0 ? c_source(k, pass->value->id) : NULL,
                      .word = c_element(k->file->arena, pass->value->dtype, true),
                      .type = type,
                      .kept = pass->value,
                      .move = put_one_move,
                      .picks = pass->picks,
                      .copy = put_row_picked};
    c_put_code(k, code_pass(k->file->arena, k->plan, pass, c_unit(type), 0, pass->nest_count),
               leaves);
  }
}
