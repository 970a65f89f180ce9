// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library/number.h"

#include "codegen/plan/plan.h"

bool value_bytes(const Graph *graph, const Value *value, rsh_num *bytes) {
  rsh_num volume;
  int bits = plan_element_bits(value->dtype);
  if (rsh_volume(graph->symbols, &value->shape, &volume) != RSH_ok)
    return false;
  if (bits >= 8)
    return rsh_mul(graph->symbols, volume, rsh_int(bits / 8), bytes);
  if (rsh_is_known(volume))
    *bytes = rsh_int(volume.n / (8 / bits) + (volume.n % (8 / bits) != 0));
  return rsh_is_known(volume) || rsh_div(graph->symbols, volume, rsh_int(8 / bits), bytes);
}

json_t *json_text(const char *text) {
  json_t *string = json_string(text); // NULL if it is not UTF-8
  return string ? string : json_string("?");
}

json_t *json_num(Arena *arena, const Graph *graph, rsh_num n) {
  return rsh_is_known(n) ? json_integer(n.n) : json_string(num_text(arena, graph, n));
}
