// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/volumes.h"

int64_t volume_limit(rsh_dtype type, int pointer) {
  int64_t bits = plan_element_bits(type), most = INT64_MAX >> (64 - pointer);
  return bits <= 8 ? most : most / (bits / 8);
}

static bool is_known(const rsh_shape *shape) {
  for (int32_t i = 0; i < shape->rank; i++)
    if (!rsh_is_known(shape->dim[i]))
      return false;
  return true;
}

static void add(Arena *arena, const Plan *plan, Volumes *all, const rsh_shape *shape,
                int64_t limit) {
  rsh_num count;
  if (is_known(shape))
    return; // it was checked
  bool is_number = rsh_volume(plan->graph->symbols, shape, &count) == RSH_ok &&
                   !rsh_is_known(count); // 0: of the other sizes it says nothing
  for (int i = 0; is_number && i < all->list.count; i++) {
    Volume *old = &all->list.item[i];
    if (rsh_equal(old->count, count)) {
      old->limit = limit < old->limit ? limit : old->limit;
      return;
    }
  }
  VEC_PUSH(arena, all->list, ((Volume){shape, is_number ? count : rsh_int(-1), limit}));
}

Volumes volumes_of(Arena *arena, const Plan *plan, int pointer) {
  const Graph *graph = plan->graph;
  Volumes all = {0};
  for (int i = 0; i < graph->value.count; i++) {
    const Value *value = graph->value.item[i];
    add(arena, plan, &all, &value->shape,
        i < graph->input_count ? volume_limit(value->dtype, pointer) : INT64_MAX);
  }
  for (int i = 0; i < graph->output_count; i++) {
    const Value *value = graph->output[i].value;
    add(arena, plan, &all, &value->shape, volume_limit(value->dtype, pointer));
  }
  // Where words have 32 bits, places in values that lie in no memory are counted in such, too.
  for (int i = 0; pointer < 64 && i < plan->stage_count; i++) {
    const Value *value = plan->stage[i].value;
    add(arena, plan, &all, &value->shape, volume_limit(value->dtype, pointer));
  }
  return all;
}
