// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests that small code runs first and partly overwrites: a border first fills the whole output, and an in-place result
// first copies the input to the output.
//
//   pad of u8[8, 8] by 1           rows 0 and 9, and columns 0 and 9 of the others, are filled: two nests of two loops
//                                  100 bytes are filled: one loop
//   pad of u1[64, 100] by 1        842 bytes are filled, not single bits
//   transpose of u8[24, 24],       elsewhere: 576 bytes are copied
//   in place                       in both cases: elements change places in pairs
#include "codegen/plan/plan_internal.h"

static bool is_by_part(const Nest *nest) {
  return nest->kind == NEST_ELEMENTS && plan_element_bits(nest->to) < 8;
}

// The bits that a nest writes; below 0: they are not known, or too many.
static int64_t bits_written(const Nest *nest) {
  int64_t count = plan_nest_is_known(nest) ? nest_written(nest) : -1, bits;
  return __builtin_mul_overflow(count, is_by_part(nest) ? plan_element_bits(nest->to) : 8, &bits)
             ? -1
             : bits;
}

// Whether a nest writes a constant as it is.
static bool is_plain_fill(const Nest *nest) {
  return rsh_is_fill(nest->source) && nest_elements(nest).map == 0 &&
         (!nest_is_by_element(nest) || is_by_part(nest));
}

// The constant of all nests that fill; a value's id if they do not share one, or if there are fewer than two.
static int common_fill(const OutputPlan *out) {
  int source = 0, count = 0;
  for (int i = 0; i < out->nest_count; i++) {
    const Nest *nest = &out->nest[i];
    if (!rsh_is_fill(nest->source))
      continue;
    if (!is_plain_fill(nest) || (count > 0 && nest->source != source))
      return 0;
    source = nest->source;
    count++;
  }
  return count > 1 ? source : 0;
}

const Nest *plan_prefill(Arena *arena, const OutputPlan *out) {
  int source = common_fill(out);
  if (source >= 0 || out->in_place || out->own || value_is_strided(out->output->value))
    return NULL; // gaps between strides must not be written
  Nest *prefill = ARENA_NEW(arena, Nest);
  int64_t all = 0;
  uint32_t unit = UINT32_MAX;
  for (int i = 0; i < out->nest_count; i++) {
    const Nest *nest = &out->nest[i];
    int64_t bits = bits_written(nest);
    if (bits < 0 || __builtin_add_overflow(all, bits, &all))
      return NULL;
    unit = nest->unit < unit ? nest->unit : unit;
    if (nest->source == source)
      *prefill = *nest;
  }
  int64_t whole;
  if (__builtin_mul_overflow(plan_value_elements(out->output->value),
                             plan_element_bits(out->output->value->dtype), &whole) ||
      all != whole) // producers write the rest
    return NULL;
  prefill->loop_count = 0;
  prefill->places = NULL;
  prefill->dst_offset = rsh_int(0);
  prefill->run = rsh_int((int64_t)out->bytes);
  prefill->unit = unit;
  prefill->kind = NEST_RUNS;
  prefill->runs = (NestLines){0};
  return prefill;
}

// Only for swaps: longer cycles take several times as long as a copy that moves each element to its place directly.
const Nest *plan_whole(Arena *arena, const OutputPlan *out) {
  if (!out->cycles || !out->cycles->swaps)
    return NULL;
  const Nest *nest = out->nest;
  Nest *whole = ARENA_NEW(arena, Nest);
  *whole = (Nest){.source = nest->source,
                  .run = rsh_int((int64_t)out->bytes),
                  .unit = nest->unit,
                  .from = nest->from,
                  .to = nest->to,
                  .kind = NEST_RUNS};
  return whole;
}
