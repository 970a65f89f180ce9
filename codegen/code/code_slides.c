// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves within the memory of an input as code, in the order of the plan: loops around runs that are moved like memmove,
// or around single elements with functions.
//
//   f32[8, 8] without its first column       for i < 8: shift buffer[28*i], buffer[32*i + 4], 28 bytes downward
//   f32[600] cast to f16                     for i < 600: buffer[2*i] = f16 of source[4*i]
#include "codegen/code/code.h"

typedef struct Slider {
  Code *code;
  const Slide *slide;
  int64_t run_unit;
  bool in_elements;
  CodeValue index[RSH_MAX_AXES]; // of the open loops
} Slider;

// The unit of addresses of a side: bytes, or elements of C.
static int64_t unit_of(const Slider *s, const Nest *nest, bool is_src) {
  if (!nest_is_by_element(nest))
    return s->run_unit;
  return s->in_elements ? plan_element_align(is_src ? nest->from : nest->to) : 1;
}

// ---- one move

static void move_once(const Slider *s, const Slide *slide) {
  Code *code = s->code;
  const Nest *nest = &slide->nest;
  int64_t dst_unit = unit_of(s, nest, false), src_unit = unit_of(s, nest, true);
  CodeValue dst = code_extent(code, code_divided(nest->dst_offset, dst_unit));
  CodeValue src = code_extent(code, code_divided(nest->src_offset, src_unit));
  CodeValue at = code_extent(code, nest_elements(nest).at_offset);
  for (int i = 0; i < nest->loop_count; i++) {
    const Loop *loop = &nest->loop[i];
    dst = code_further(code, dst, s->index[i], code_divided(loop->dst, dst_unit));
    src = code_further(code, src, s->index[i], code_divided(loop->src, src_unit));
    at = code_further(code, at, s->index[i], loop->at);
  }
  CodeValue buffer = code_leaf(code, CODE_BUFFER);
  if (nest_is_by_element(nest)) {
    CodeValue element = code_element(code, nest, src, at, s->in_elements);
    CodeValue put = code_add(code, CODE_PUT, buffer, dst, element, 0);
    code->node.item[put].index = (int)nest->to;
    return;
  }
  CodeValue to = code_advance(code, CODE_STEP, buffer, dst, rsh_int(1));
  CodeValue from = code_advance(code, CODE_STEP, buffer, src, rsh_int(1));
  CodeValue shift = code_add(code, CODE_SHIFT, to, from, CODE_NONE, slide->is_up);
  const Nest **run = ARENA_NEW(code->arena, const Nest *);
  *run = nest;
  code->node.item[shift].nest = run;
}

// ---- loops

// Opens loops begin ... end-1 of a move if they have iterations. Returns the number of blocks to close.
static int open_loops(Slider *s, const Nest *nest, int begin, int end, CodeValue any) {
  Code *code = s->code;
  for (int i = begin; i < end; i++)
    any = code_also_some(code, any, nest->loop[i].extent);
  if (any != CODE_NONE)
    code_unary(code, CODE_IF, any);
  for (int i = begin; i < end; i++)
    s->index[i] = code_for(code, code_extent(code, nest->loop[i].extent));
  return end - begin + (any != CODE_NONE);
}

// Moves begin ... end-1, which share the loops outside `depth`. The recursion is bounded by the axes of a move.
static void move_all(Slider *s, int begin, int end, int depth) {
  for (int i = begin, next; i < end; i = next) {
    const Nest *nest = &s->slide[i].nest;
    for (next = i + 1; next < end && s->slide[next].shared > depth;)
      next++;
    bool is_alone = next - i == 1;
    CodeValue any = is_alone ? code_also_some(s->code, CODE_NONE, nest->run) : CODE_NONE;
    int blocks = open_loops(s, nest, depth, is_alone ? nest->loop_count : depth + 1, any);
    if (is_alone)
      move_once(s, &s->slide[i]);
    else
      move_all(s, i, next, depth + 1);
    for (int k = 0; k < blocks; k++)
      code_leaf(s->code, CODE_END);
  }
}

Code *code_slides(Arena *arena, const Plan *plan, const Slides *slides, int64_t run_unit,
                  bool in_elements) {
  Slider s = {code_new(arena, plan), slides->slide, run_unit, in_elements, {0}};
  move_all(&s, 0, slides->count, 0);
  code_end(s.code);
  return s.code;
}
