// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The figures that follow from plans; figures of objects are read from these (codegen/llvm/report.c).
#include "codegen/machine/report.h"

bool report_bytes_moved(const Graph *graph, const OutputPlan *output, rsh_num *bytes) {
  const Value *value = output->output->value;
  rsh_num volume;
  if (!output->moves)
    return false;
  *bytes = rsh_int((int64_t)output->bytes_moved);
  if (output->tier == TIER_ALIAS || output->tier == TIER_STATIC)
    return true;
  int bits = plan_element_bits(value->dtype);
  if (rsh_volume(graph->symbols, &value->shape, &volume) != RSH_ok)
    return false;
  bool counted = bits >= 8 ? rsh_mul(graph->symbols, volume, rsh_int(bits / 8), bytes)
                           : rsh_div(graph->symbols, volume, rsh_int(8 / bits), bytes);
  for (int i = 0; i < output->placed_count && counted; i++)
    counted = rsh_volume(graph->symbols, &output->placed[i].input->shape, &volume) == RSH_ok &&
              rsh_mul(graph->symbols, volume, rsh_int(bits / 8), &volume) &&
              rsh_sub(graph->symbols, *bytes, volume, bytes);
  for (int i = 0; i < output->via_count && counted; i++)
    if ((output->via[i]->nest_count > 0 || output->via[i]->picks) && output->via[i] != output->own)
      counted = rsh_add(graph->symbols, *bytes, output->via[i]->bytes, bytes);
  return counted;
}

static int most_loops(const Nest *nest, int count, int most) {
  for (int i = 0; i < count; i++)
    most = nest[i].loop_count > most ? nest[i].loop_count : most;
  return most;
}

int report_loops(const Plan *plan) {
  int most = 0;
  for (int i = 0; i < plan->output_count; i++)
    most = most_loops(plan->output[i].nest, plan->output[i].nest_count, most);
  for (int i = 0; i < plan->pass_count; i++)
    most = most_loops(plan->pass[i].nest, plan->pass[i].nest_count, most);
  return most;
}
