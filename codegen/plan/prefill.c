// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests that small code runs first and partly overwrites: a border first fills the whole output, and an in-place result
// first copies the input to the output.
//
//   pad of u8[8, 8] by 1           rows 0 and 9, and columns 0 and 9 of the others, are filled: two nests of two loops
//                                  100 bytes are filled: one loop
//   transpose of u8[24, 24],       elsewhere: 576 bytes are copied
//   in place                       in both cases: elements change places in pairs
#include "codegen/plan/plan.h"

// The constant of all nests that fill; a value's id if they do not share one, or if there are fewer than two.
static int common_fill(const OutputPlan *out) {
  int source = 0, count = 0;
  for (int i = 0; i < out->nest_count; i++) {
    const Nest *nest = &out->nest[i];
    if (nest->source >= 0)
      continue;
    if (nest_is_by_element(nest) || (count > 0 && nest->source != source))
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
  Nest *prefill = ARENA_ARRAY(arena, Nest, 1);
  int64_t bytes = 0;
  uint32_t unit = UINT32_MAX;
  for (int i = 0; i < out->nest_count; i++) {
    const Nest *nest = &out->nest[i];
    int64_t more = plan_nest_is_known(nest) ? nest_written(nest) : -1;
    if (more < 0 || (nest_is_by_element(nest) && plan_element_bits(nest->to) < 8))
      return NULL;
    bytes += more;
    unit = nest->unit < unit ? nest->unit : unit;
    if (nest->source == source)
      *prefill = *nest;
  }
  if ((uint64_t)bytes != out->bytes) // elements of less than a byte
    return NULL;
  prefill->loop_count = 0;
  prefill->places = NULL;
  prefill->dst_offset = rsh_int(0);
  prefill->run = rsh_int(bytes);
  prefill->unit = unit;
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
