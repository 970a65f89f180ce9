// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library/explain_facts.h"

const rsh_move *explain_single_move(const Graph *graph, const OutputPlan *output) {
  const rsh_moves *m = output->moves;
  if (!m || m->count != 1 || m->move[0].source < 0 || m->move[0].source >= graph->input_count)
    return NULL;
  return &m->move[0];
}

const Nest **explain_nests(Arena *arena, const OutputPlan *output, int *count) {
  VEC(const Nest *) nests = {0};
  for (int i = 0; i < output->via_count; i++)
    for (int k = 0; k < output->via[i]->nest_count; k++)
      VEC_PUSH(arena, nests, &output->via[i]->nest[k]);
  for (int i = 0; i < output->nest_count && output->tier != TIER_ALIAS; i++)
    VEC_PUSH(arena, nests, &output->nest[i]);
  *count = nests.count;
  return nests.item;
}

rsh_num explain_batches(const Graph *graph, const Cycles *c) {
  rsh_num n = rsh_int(1); // does not overflow: at most the number of elements
  for (int i = 0; i < c->batch_count; i++)
    (void)rsh_mul(graph->symbols, n, c->batch[i].extent, &n);
  return n;
}

const char *explain_strides(Arena *arena, const Graph *graph, const Placed *placed) {
  const char *text = "";
  for (int i = 0; i < placed->input->shape.rank; i++)
    text = arena_printf(arena, "%s%s%s", text, i ? ", " : "",
                        num_text(arena, graph, placed->stride[i]));
  return text;
}
