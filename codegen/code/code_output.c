// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An output or a pass as code: its nests, each if it has elements, and the unused bits after the last element.
//
//   i4[B] -> y            if B > 0
//                           move nest 0
//                         rest = B % 2
//                         if rest != 0
//                           y[B / 2] = y[B / 2] & low bits (rest * 4)
//   i4[B] strides [3]     the same, if B > 0                 without elements, strides give it no memory
//   flip in place         if y and x are distinct            and as small code:    if y and x are distinct
//                           move nest 0                                              move all of x
//                         else                                                     permute
//                           permute
//   x[1:] and k in place  if y and x are distinct
//                           move nest 0
//                           move nest 1
//                         else
//                           slide
//                           move nest 1
#include "codegen/code/code.h"
#include "codegen/plan/strategy.h"

// Whether the only loop of a nest goes on by parts, not by iterations.
static bool is_all_parts(const Plan *plan, const Nest *nest) {
  return nest->loop_count == 1 && nest_is_in_parts(plan, nest, WHOLE_NEST);
}

// Whether two nests can be joined under one outermost loop, as for the rows of a concat.
static bool share_a_loop(const Plan *plan, const Nest *a, const Nest *b) {
  return plan_nest_is_known(a) && plan_nest_is_known(b) && !a->places && !b->places &&
         !is_all_parts(plan, a) && !is_all_parts(plan, b) && a->loop_count > 0 &&
         b->loop_count > 0 && a->loop[0].extent.n == b->loop[0].extent.n &&
         a->loop[0].dst.n == b->loop[0].dst.n;
}

// Skips nests without elements: 2^62 empty iterations would take as long as full ones.
static void move_nests(Code *code, const Nest *const *nest, int count, bool is_over) {
  CodeValue any = count > 1 ? CODE_NONE : code_also_some(code, CODE_NONE, (*nest)->run);
  for (int i = 0; i < (*nest)->loop_count && count == 1; i++)
    any = code_also_some(code, any, (*nest)->loop[i].extent);
  if (any != CODE_NONE)
    code_unary(code, CODE_IF, any);
  CodeValue node = code_add(code, CODE_MOVE, CODE_NONE, CODE_NONE, CODE_NONE, count);
  code->node.item[node].nest = nest;
  code->node.item[node].index = is_over;
  if (any != CODE_NONE)
    code_leaf(code, CODE_END);
}

// The elements of a value's memory, gaps between strides included; polynomials of sizes are not multiplied out.
static CodeValue elements_of(Code *code, const Value *value, rsh_num *known) {
  bool is_strided = value_is_strided(value);
  CodeValue count = code_index(code, 1);
  *known = is_strided ? value->storage->span : rsh_int(1);
  if (is_strided)
    return code_extent(code, *known);
  for (int32_t i = 0; i < value->shape.rank; i++) {
    rsh_num dim = value->shape.dim[i];
    CodeValue size = code_extent(code, dim);
    count = i == 0 ? size : code_binary(code, CODE_MUL, count, size);
    if (rsh_is_known(*known))
      *known = rsh_is_known(dim) ? rsh_int(known->n * dim.n) : dim;
  }
  return count;
}

// Zeroes the bits of the last byte after the last element.
static void clear_last_byte(Code *code, const Value *value) {
  int bits = plan_element_bits(value->dtype), each = 8 / bits;
  rsh_num known;
  CodeValue count = elements_of(code, value, &known);
  bool is_known = rsh_is_known(known);
  if (is_known && known.n % each == 0)
    return;
  CodeValue rest = code_extent(code, rsh_int(is_known ? known.n % each * bits : 0));
  CodeValue at = code_extent(code, rsh_int(is_known ? known.n / each : 0)), left = CODE_NONE;
  if (!is_known) {
    left = code_add(code, CODE_REST, count, CODE_NONE, CODE_NONE, each);
    code_named(code, left, "rest"); // elements in the last byte
    code_unary(code, CODE_IF, code_binary(code, CODE_UNEQUAL, left, rest));
    at = code_binary(code, CODE_DIV, count, code_index(code, each));
  }
  CodeValue buffer = code_leaf(code, CODE_BUFFER);
  CodeValue last = code_advance(code, CODE_STEP, buffer, code_named(code, at, "last"), rsh_int(1));
  if (!is_known)
    rest = code_binary(code, CODE_MUL, left, code_index(code, bits));
  CodeValue mask = code_unary(code, CODE_LOW_BITS, rest);
  CodeValue byte = code_named(code, code_unary(code, CODE_LOAD, last), "byte");
  code_binary(code, CODE_STORE, last, code_binary(code, CODE_BOTH, byte, mask));
  if (!is_known)
    code_leaf(code, CODE_END);
}

// The span of strides is not 0 if a size is 0: the memory is empty all the same.
static void clear_spare_bits(Code *code, const Value *value) {
  bool is_strided = value_is_strided(value);
  CodeValue any = CODE_NONE;
  for (int32_t i = 0; i < value->shape.rank && is_strided; i++)
    any = code_also_some(code, any, value->shape.dim[i]);
  if (any != CODE_NONE)
    code_unary(code, CODE_IF, any);
  clear_last_byte(code, value);
  if (any != CODE_NONE)
    code_leaf(code, CODE_END);
}

static void move_each(Code *code, const Nest *nest, int from, int end) {
  for (int i = from; i < end; i++) {
    const Nest **one = ARENA_ARRAY(code->arena, const Nest *, 1);
    *one = &nest[i];
    move_nests(code, one, 1, false);
  }
}

Code *code_nests(Arena *arena, const Plan *plan, const Nest *nest, int count) {
  Code *code = code_new(arena, plan);
  move_each(code, nest, 0, count);
  code_end(code);
  return code;
}

Code *code_pass(Arena *arena, const Plan *plan, const Pass *pass, int64_t unit, int from, int end) {
  Code *code = code_new(arena, plan);
  move_each(code, pass->nest, from, end);
  if (end == pass->nest_count && pass->picks)
    code_picks(code, pass, unit);
  if (end == pass->nest_count && pass_is_rowwise(pass))
    code_rows(code, pass, unit);
  code_end(code);
  return code;
}

static void do_part(Code *code, const OutputPlan *out, CodePart part, bool is_over) {
  const Nest *prefill = part.small ? plan_prefill(code->arena, out) : NULL;
  const Nest **nest = ARENA_ARRAY(code->arena, const Nest *, out->nest_count + 1);
  int count = 0;
  if (prefill && part.begin == 0)
    nest[count++] = prefill;
  for (int i = part.begin; i < part.end; i++)
    if (!prefill || out->nest[i].source != prefill->source)
      nest[count++] = &out->nest[i];
  for (int i = 0, joined; i < count; i += joined) {
    joined = 1;
    while (part.joins && i + joined < count && share_a_loop(code->plan, nest[i], nest[i + joined]))
      joined++;
    move_nests(code, &nest[i], joined, is_over);
  }
  if (part.end == out->nest_count && plan_is_packed(out))
    clear_spare_bits(code, out->output->value);
}

Code *code_part(Arena *arena, const Plan *plan, const OutputPlan *out, CodePart part) {
  Code *code = code_new(arena, plan);
  do_part(code, out, part, false);
  code_end(code);
  return code;
}

// Whether the output is at another address than its source.
static CodeValue is_in_other_memory(Code *code, const OutputPlan *out, int64_t unit) {
  const Value *source =
      out->in_place ? out->in_place : code->plan->graph->value.item[out->nest->source];
  CodeValue place = code_source(code, source->id);
  rsh_num start = rsh_int(0);
  plan_to_bytes(out->offset, source->dtype, &start); // such offsets are whole bytes
  if (!rsh_is(start, 0))
    place = code_advance(code, CODE_STEP, place, code_index(code, 1), code_divided(start, unit));
  return code_binary(code, CODE_APART, place, code_leaf(code, CODE_BUFFER));
}

static bool changes_elements(const OutputPlan *out) {
  bool changes = false;
  for (int i = 0; i < out->nest_count; i++)
    changes = changes || nest_is_by_element(&out->nest[i]);
  return changes;
}

// First moves elements within the output's memory, then runs the other nests.
static void slide(Code *code, const OutputPlan *out) {
  code_leaf(code, CODE_SLIDE);
  Nest *rest = ARENA_ARRAY(code->arena, Nest, out->nest_count + 1);
  int count = 0;
  for (int i = 0; i < out->nest_count; i++) {
    if (out->nest[i].source == out->in_place->id)
      continue;
    rest[count] = out->nest[i];
    rest[count++].zip = NULL;
  }
  move_each(code, rest, 0, count);
  if (plan_is_packed(out))
    clear_spare_bits(code, out->output->value);
}

// If the caller passes the address of the source as the output, an alias needs no copy, and in-place code reads and
// writes through one pointer, so that no two pointers alias.
Code *code_output(Arena *arena, const Plan *plan, const OutputPlan *out, CodePart part,
                  int64_t unit) {
  Code *code = code_new(arena, plan);
  bool moves = out->cycles || out->slides;
  bool is_over = part.overs && out->in_place && !moves && changes_elements(out);
  bool may_be_there = out->tier == TIER_ALIAS || moves || (part.overs && out->in_place);
  const Nest **whole = ARENA_NEW(arena, const Nest *);
  *whole = part.small ? plan_whole(arena, out) : NULL;
  bool has_else = !*whole && (moves || is_over);
  if (may_be_there)
    code_add(code, CODE_IF, is_in_other_memory(code, out, unit), CODE_NONE, CODE_NONE, has_else);
  if (*whole) {
    move_nests(code, whole, 1, false);
    code_leaf(code, CODE_END);
  } else {
    do_part(code, out, part, false);
  }
  if (has_else)
    code_leaf(code, CODE_ELSE);
  if (out->cycles)
    code_leaf(code, CODE_PERMUTE);
  else if (out->slides)
    slide(code, out);
  else if (is_over)
    do_part(code, out, part, true);
  if (may_be_there && !*whole)
    code_leaf(code, CODE_END);
  code_end(code);
  return code;
}

// The distance between the places of a nest in its destination, if it is the same for all; else 0.
static int64_t step_of(const NestPlaces *places) {
  int64_t step = places->count > 1 ? places->place[1].dst - places->place[0].dst : 0;
  for (int i = 1; i < places->count; i++)
    if (places->place[i].dst - places->place[i - 1].dst != step)
      return 0;
  return places->loop || step < 0 ? 0 : step;
}

CodePlaces code_places(Arena *arena, const NestPlaces *places, int64_t src_unit, int64_t dst_unit) {
  CodePlaces table = {.step = step_of(places) / dst_unit, .dst = places->place->dst / dst_unit};
  table.width = 2 - (table.step > 0) + 3 * places->loop_count;
  int64_t *to = ARENA_ARRAY(arena, int64_t, table.width * places->count);
  const PlaceLoop *loop = places->loop;
  table.number = to;
  for (int i = 0; i < places->count; i++) {
    *to++ = places->place[i].src / src_unit;
    if (table.step == 0)
      *to++ = places->place[i].dst / dst_unit;
    for (int l = 0; l < places->loop_count; l++, loop++) {
      *to++ = loop->extent;
      *to++ = loop->dst / dst_unit;
      *to++ = loop->src / src_unit;
    }
  }
  return table;
}

int code_entry_bits(const int64_t *number, int64_t count, bool *is_signed) {
  int64_t most = 0, least = 0;
  for (int64_t i = 0; i < count; i++) {
    most = number[i] > most ? number[i] : most;
    least = number[i] < least ? number[i] : least;
  }
  *is_signed = least < 0;
  if (*is_signed)
    return least >= -INT32_MAX && most <= INT32_MAX ? 32 : 64;
  return most <= UINT8_MAX ? 8 : most <= UINT16_MAX ? 16 : most <= UINT32_MAX ? 32 : 64;
}
