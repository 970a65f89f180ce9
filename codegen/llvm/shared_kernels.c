// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds equal kernels by describing an output's nests as text: equal texts, equal kernels.
#include "codegen/llvm/shared_kernels.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_NESTS = 256 };

// "align 4 run 256 bit 0 at 0,0 8*294912,884736 12*..."; source offsets are relative to the start of the first nest.
// NULL for outputs that read more than one input, constants or staged values; that compute elements; whose nests are
// zipped or have tables of places; with symbolic sizes or declared alignments; with very many nests; and of elements
// smaller than a byte, which may end in the middle of one.
static const char *shared_kernel_key(Arena *arena, const Plan *plan, const OutputPlan *output) {
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

SharedKernel *shared_kernels_of(Arena *arena, const Plan *const *plans, int count) {
  SharedKernel *shared_kernels = NULL;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < plans[i]->output_count; k++) {
      const char *key = shared_kernel_key(arena, plans[i], &plans[i]->output[k]);
      SharedKernel *shared = NULL;
      if (!key)
        continue;
      HASH_FIND_STR(shared_kernels, key, shared);
      if (!shared) {
        shared = ARENA_NEW(arena, SharedKernel);
        shared->key = key;
        shared->number = (int)HASH_COUNT(shared_kernels);
        HASH_ADD_KEYPTR(hh, shared_kernels, shared->key, strlen(shared->key), shared);
      }
      shared->uses++;
    }
  }
  return shared_kernels;
}

void shared_kernels_free(SharedKernel *shared_kernels) { HASH_CLEAR(hh, shared_kernels); }

SharedKernel *shared_kernel_find(SharedKernel *shared_kernels, Arena *arena, const Plan *plan,
                                 const OutputPlan *output) {
  const char *key = shared_kernels ? shared_kernel_key(arena, plan, output) : NULL;
  SharedKernel *shared = NULL;
  if (key)
    HASH_FIND_STR(shared_kernels, key, shared);
  return shared && shared->uses > 1 ? shared : NULL;
}
