// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Picks by tensors of indices (runtime/picks.h), in bytes.
#include "codegen/plan/plan_internal.h"
#include "runtime/picks.h"

// Converts elements to bytes. False: an element begins in the middle of a byte.
static bool in_bytes(Picks *picks, const rsh_picks *picked) {
  rsh_dtype type = picks->from.dtype;
  bool good = plan_to_bytes(picked->run, type, &picks->run.run) &&
              plan_to_bytes(picks->from.offset, type, &picks->offset);
  for (int i = 0; i < picked->loop_count; i++) {
    const rsh_axis *axis = &picked->axis[i];
    Loop *loop = &picks->loop[picks->loop_count++];
    *loop = (Loop){.extent = axis->extent, .at = axis->at};
    good = good && plan_to_bytes(axis->dst, type, &loop->dst) &&
           plan_to_bytes(axis->src, type, &loop->src);
  }
  for (int i = 0; i < picked->picked; i++) {
    const rsh_axis *axis = &picked->axis[picked->loop_count + i];
    picks->size[picks->axis_count] = axis->extent;
    good = good && plan_to_bytes(axis->src, type, &picks->stride[picks->axis_count++]);
  }
  return good;
}

bool plan_picks(Planner *p, Pass *pass) {
  const Value *value = pass->value;
  const Node *node = value->node;
  Picks *picks = ARENA_NEW(p->arena, Picks);
  rsh_axis axis[RSH_MAX_RANK + 2];
  rsh_picks picked = {.axis = axis};
  picks->from = *value->picked_from;
  picks->by = *value->picked_by;
  picks->loop = ARENA_ARRAY(p->arena, Loop, RSH_MAX_RANK + 2);
  picks->run = (Nest){
      .source = picks->from.source,
      .unit = plan_common_align(value->dtype, plan_source_type(p->graph, picks->from.source)),
      .from = value->dtype,
      .to = value->dtype};
  bool fits = rsh_picks_of(&node->call, &picked) == RSH_ok;
  picks->count = picked.count;
  if (!fits || !in_bytes(picks, &picked)) {
    diag_error(p->diag, node->span, "unsupported",
               fits ? "'%s' cannot pick single elements of %s, which are smaller than a byte; cast "
                      "to a type of whole bytes first"
                    : "'%s' of %s: a stride does not fit 64 bits",
               rsh_op_name(node->call.op), rsh_dtype_name(value->dtype));
    return false;
  }
  pass->picks = picks;
  return true;
}

bool picks_are_late(const Plan *plan, const Picks *picks) {
  return value_is_kept(plan->graph->value.item[picks->by.source]);
}

bool plan_checks_late(const Plan *plan) {
  for (int i = 0; i < plan->pass_count; i++)
    if (plan->pass[i].picks && picks_are_late(plan, plan->pass[i].picks))
      return true;
  return false;
}
