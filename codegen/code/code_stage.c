// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function of a staged value, as code: maps an address in the value to its element. Exactly one nest contains the
// address, and the nest's loops are its digits (codegen/plan/plan.h).
//
//   {3, dst 8, src 100} {2, dst 4, src 20}, run 4
//
//     digit = at / 8
//     rest = at - digit * 8
//     digit_2 = rest / 4
//     rest_2 = rest - digit_2 * 4
//     if digit < 3 and digit_2 < 2 and rest_2 < 4
//       return source + digit * 100 + digit_2 * 20 + rest_2
#include "codegen/code/code.h"

// The digits of an address, computed from the outermost loop inward.
typedef struct Lookup {
  Code *code;
  CodeValue rest;   // remainder of the address
  CodeValue offset; // offset in the source
  CodeValue entry;  // index into the tables of the nest's map
  CodeValue inside; // all digits so far are below their extents; CODE_NONE: there is no digit yet
  bool
      in_elements; // for C: divisions by 1 and subtractions of 0, which LLVM folds, are omitted for readability
  bool is_whole; // a digit of stride 1 left no remainder
} Lookup;

static void test_below(Lookup *l, CodeValue digit, rsh_num extent) {
  CodeValue below = code_binary(l->code, CODE_LESS, digit, code_extent(l->code, extent));
  l->inside = l->inside == CODE_NONE ? below : code_and(l->code, l->inside, below);
}

static CodeValue without(Code *code, CodeValue n, CodeValue taken) {
  return code_named(code, code_binary(code, CODE_SUB, n, taken), "rest");
}

// A stride of 0 occurs only in nests without elements, so any digit will do.
static CodeValue digit_of(Lookup *l, rsh_num stride, CodeValue dst) {
  Code *code = l->code;
  if (l->is_whole)
    return l->rest;
  if (!plan_is_positive(code->plan, stride))
    dst = code_unary(code, CODE_DIVISOR, code_extent(code, stride));
  return code_named(code, code_binary(code, CODE_DIV, l->rest, dst), "digit");
}

static void take_digit(Lookup *l, const Loop *loop, int64_t dst_unit, int64_t src_unit) {
  Code *code = l->code;
  rsh_num stride = code_divided(loop->dst, dst_unit);
  l->is_whole = l->in_elements && rsh_is(stride, 1);
  CodeValue dst = code_extent(code, stride), digit = digit_of(l, stride, dst);
  test_below(l, digit, loop->extent);
  l->offset = code_advance(code, CODE_ADVANCE, l->offset, digit, code_divided(loop->src, src_unit));
  if (!rsh_is(loop->at, 0))
    l->entry = code_advance(code, CODE_ADVANCE, l->entry, digit, loop->at);
  l->rest = l->is_whole ? code_index(code, 0)
                        : without(code, l->rest, code_binary(code, CODE_MUL, digit, dst));
}

static int64_t address_unit(rsh_dtype type, bool in_elements) {
  return in_elements ? plan_element_align(type) : 1;
}

// Addresses before dst_offset wrap to huge numbers, which are not below any extent.
static Lookup find_piece(Code *code, const Stage *stage, const Nest *nest, CodeValue at,
                         bool in_elements) {
  const Graph *graph = code->plan->graph;
  bool is_fill = rsh_is_fill(nest->source);
  rsh_dtype from = nest_is_by_element(nest) ? nest->from : plan_source_type(graph, nest->source);
  int64_t dst_unit = address_unit(plan_source_type(graph, stage->value->id), in_elements),
          src_unit = address_unit(from, in_elements);
  CodeValue begin = code_extent(code, code_divided(nest->dst_offset, dst_unit));
  Lookup l = {.code = code, .rest = at, .inside = CODE_NONE, .in_elements = in_elements};
  if (!in_elements || !rsh_is(nest->dst_offset, 0))
    l.rest = without(code, at, begin);
  l.offset = code_extent(code, code_divided(nest->src_offset, src_unit));
  l.entry = code_extent(code, nest_elements(nest).at_offset);
  for (int i = 0; i < nest->loop_count; i++)
    take_digit(&l, &nest->loop[i], dst_unit, src_unit);
  if (!l.is_whole)
    test_below(&l, l.rest, code_divided(nest->run, dst_unit));
  if (!l.is_whole && !nest_is_by_element(nest) && !is_fill)
    l.offset = code_advance(code, CODE_ADVANCE, l.offset, l.rest, rsh_int(1));
  return l;
}

// How much is contiguous from the address on, in the source or in the constant: what is left of the run.
static CodeValue left_of(const Lookup *l, const Stage *stage, const Nest *nest, int64_t unit) {
  Code *code = l->code;
  if (!stage->finds_parts || l->is_whole)
    return code_index(code, plan_element_bits(stage->value->dtype) / 8 / unit);
  CodeValue left = without(code, code_extent(code, code_divided(nest->run, unit)), l->rest);
  if (!rsh_is_fill(nest->source))
    return left;
  int64_t filled = stage_fill_part(code->plan, stage, nest->source) / unit;
  return code_binary(code, CODE_MINIMUM, left, code_index(code, filled));
}

// A value with a table: its element i is element table[i] of an input.
static void return_listed(Code *code, const Stage *stage, CodeValue at, bool in_elements) {
  const Value *value = stage->value;
  int64_t unit = address_unit(value->dtype, in_elements);
  int64_t element = plan_element_bits(value->dtype) / 8 / unit;
  int64_t row = stage->finds_parts ? stage->row.bytes / unit : element;
  rsh_num volume;
  rsh_volume(NULL, &value->shape, &volume);
  int64_t *list = ARENA_ARRAY(code->arena, int64_t, volume.n);
  for (int64_t i = 0; i < volume.n; i++)
    list[i] = value->table[i];
  CodeValue index = code_binary(code, CODE_DIV, at, code_index(code, element));
  CodeValue entry = code_entry_of(code, list, volume.n, index, "element");
  CodeValue source = code_leaf(code, CODE_BUFFER);
  CodeValue left = code_index(code, row);
  if (row != element)
    left =
        code_binary(code, CODE_SUB, left, code_add(code, CODE_REST, at, CODE_NONE, CODE_NONE, row));
  code_binary(code, CODE_RETURN, code_advance(code, CODE_STEP, source, entry, rsh_int(element)),
              left);
}

static void return_nests(Code *code, const Stage *stage, CodeValue at, bool in_elements) {
  for (int i = 0; i < stage->nest_count; i++) {
    Lookup l = find_piece(code, stage, &stage->nest[i], at, in_elements);
    bool is_last = i == stage->nest_count - 1; // it contains the address if no other nest does
    if (!is_last)
      code_unary(code, CODE_IF, l.inside);
    if (stage->is_computed)
      code_unary(code, CODE_RETURN_WORD,
                 code_element(code, &stage->nest[i], l.offset, l.entry, in_elements));
    else
      code_add(
          code, CODE_RETURN_FOUND, l.offset,
          left_of(&l, stage, &stage->nest[i],
                  address_unit(plan_source_type(code->plan->graph, stage->value->id), in_elements)),
          CODE_NONE, i);
    if (!is_last)
      code_leaf(code, CODE_END);
  }
}

const Value *stage_listed(const Stage *stage) {
  return stage->is_computed ? NULL : stage->value->table_source;
}

Code *code_stage(Arena *arena, const Plan *plan, const Stage *stage, bool in_elements) {
  Code *code = code_new(arena, plan);
  CodeValue at = code_leaf(code, CODE_ARGUMENT);
  if (stage_listed(stage))
    return_listed(code, stage, at, in_elements);
  else
    return_nests(code, stage, at, in_elements);
  code_end(code);
  return code;
}
