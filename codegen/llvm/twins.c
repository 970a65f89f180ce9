// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds twins by describing an output's nests as text: equal texts, equal kernels.
#include "codegen/llvm/twins.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_NESTS = 256 };

// "align 4 run 256 bit 0 at 0,0 8*294912,884736 12*..."; source offsets are relative to the start of the first nest.
// NULL for outputs that read more than one input, constants or staged values; that compute elements; whose nests are
// zipped or have tables of places; with symbolic sizes or declared alignments; with very many nests; and of elements
// smaller than a byte, which may end in the middle of one.
static const char *twin_key(Arena *arena, const Plan *plan, const OutputPlan *output) {
  if (output->nest_count == 0 || output->nest_count > MOST_NESTS || plan_is_packed(output))
    return NULL;
  const char *key = "";
  for (int i = 0; i < output->nest_count; i++) {
    const Nest *nest = &output->nest[i];
    if (nest_is_by_element(nest) || nest->unit > plan_element_align(nest->from) ||
        nest->source < 0 || nest->source >= plan->graph->input_count ||
        nest->source != output->nest->source || nest->places || nest->zip ||
        !plan_nest_is_known(nest))
      return NULL;
    key = arena_printf(arena, "%salign %u run %" PRId64 " bit %d at %" PRId64 ",%" PRId64, key,
                       (unsigned)nest->unit, nest->run.n, nest_shift(nest), nest->dst_offset.n,
                       nest->src_offset.n - output->nest->src_offset.n);
    for (int k = 0; k < nest->loop_count; k++)
      key = arena_printf(arena, "%s %" PRId64 "*%" PRId64 ",%" PRId64, key, nest->loop[k].extent.n,
                         nest->loop[k].dst.n, nest->loop[k].src.n);
  }
  return key;
}

Twin *twins_of(Arena *arena, const Plan *const *plans, int count) {
  Twin *twins = NULL;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < plans[i]->output_count; k++) {
      const char *key = twin_key(arena, plans[i], &plans[i]->output[k]);
      Twin *twin = NULL;
      if (!key)
        continue;
      HASH_FIND_STR(twins, key, twin);
      if (!twin) {
        twin = ARENA_NEW(arena, Twin);
        twin->key = key;
        twin->number = (int)HASH_COUNT(twins);
        HASH_ADD_KEYPTR(hh, twins, twin->key, strlen(twin->key), twin);
      }
      twin->uses++;
    }
  }
  return twins;
}

void twins_free(Twin *twins) { HASH_CLEAR(hh, twins); }

Twin *twin_find(Twin *twins, Arena *arena, const Plan *plan, const OutputPlan *output) {
  const char *key = twins ? twin_key(arena, plan, output) : NULL;
  Twin *twin = NULL;
  if (key)
    HASH_FIND_STR(twins, key, twin);
  return twin && twin->uses > 1 ? twin : NULL;
}
