// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contents of cells: labels, their origins, and chains of element-wise functions.
#include "driver/verify/verify_map.h"

int64_t map_labels(const Map *map) {
  if (map->origin.count == 0)
    return 1;
  const Origin *last = &map->origin.item[map->origin.count - 1];
  return last->first + last->count;
}

int64_t map_new_labels(Map *map, Origin origin) {
  origin.first = map_labels(map);
  VEC_PUSH(map->arena, map->origin, origin);
  return origin.first;
}

const Origin *map_origin(const Map *map, int64_t label) {
  int low = 0, high = map->origin.count - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (map->origin.item[middle].first <= label)
      low = middle;
    else
      high = middle - 1;
  }
  return &map->origin.item[low];
}

int map_chain(Map *map, int before, const Node *node, int64_t entry) {
  int *last = &map->bucket[(before * 31 + node->out[0]->id * 7 + entry) % CHAIN_BUCKETS];
  for (int i = *last; i > 0; i = map->chain.item[i].next) {
    const Chain *chain = &map->chain.item[i];
    if (chain->before == before && chain->node == node && chain->entry == entry)
      return i;
  }
  VEC_PUSH(map->arena, map->chain, ((Chain){before, node, entry, *last}));
  return *last = map->chain.count - 1;
}
