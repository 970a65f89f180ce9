// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table entries that the elements of a nest use. If the innermost loop is as short as a pixel, tables are repeated
// so that vectors can run along them:
//
//   x * [a, b, c] of f32[1000, 3]
//     for 1000: dst 12, src 12                        for 31: dst 384, src 384
//       for 3: dst 4, src 4, entry 1                    for 96: dst 4, src 4, entry 1, of a, b, c, a, b, c, ...
//                                                     and 8 remaining rows in the original form
#include "codegen/plan/plan_internal.h"

enum { SHORT_LOOP = 64, VECTOR = 16 }; // elements

bool plan_nest_has_entries(const Nest *nest) {
  bool has = !rsh_is(nest_elements(nest).at_offset, 0);
  for (int i = 0; i < nest->loop_count; i++)
    has = has || !rsh_is(nest->loop[i].at, 0);
  return has;
}

int64_t plan_nest_entries(const Graph *graph, const Nest *nest) {
  return rsh_map_places(&graph->maps, nest_elements(nest).map) *
         (nest_elements(nest).repeat ? nest_elements(nest).repeat : 1);
}

// The number of copies after which whole vectors end where a copy ends.
static int64_t repeats_of(int64_t places) {
  int64_t repeat = 1;
  while (repeat * places < SHORT_LOOP || (repeat * places % VECTOR != 0 && repeat < VECTOR * 4))
    repeat++;
  return repeat;
}

// Whether the two innermost loops are contiguous with each other on both sides, and the inner one uses each entry once.
static bool cycles_table(const Nest *nest, int64_t places) {
  if (nest->loop_count < 2 || !plan_nest_is_known(nest) || nest->places ||
      !rsh_is(nest_elements(nest).at_offset, 0))
    return false;
  const Loop *inner = &nest->loop[nest->loop_count - 1], *outer = inner - 1;
  bool is_only = true;
  for (const Loop *loop = nest->loop; loop < inner; loop++)
    is_only = is_only && rsh_is(loop->at, 0);
  return is_only && inner->at.n == 1 && inner->extent.n == places && places < SHORT_LOOP &&
         outer->dst.n == places * inner->dst.n && outer->src.n == places * inner->src.n;
}

int nest_repeat_tables(Arena *arena, const Graph *graph, const Nest *nest, Nest part[2]) {
  int64_t places = rsh_map_places(&graph->maps, nest_elements(nest).map);
  part[0] = *nest;
  if (nest->kind != NEST_ELEMENTS || places < 2 || !cycles_table(nest, places))
    return 1;
  int count;
  const rsh_step *step = graph_map_steps(arena, graph, nest_elements(nest).map, &count);
  for (int i = 0; i < count; i++)
    if (step[i].tables && step[i].places != places)
      return 1;
  int last = nest->loop_count - 1;
  int64_t repeat = repeats_of(places), rows = nest->loop[last - 1].extent.n, blocks = rows / repeat;
  Nest whole = nest_copy(arena, nest), rest = nest_copy(arena, nest);
  const Loop *row = &nest->loop[last - 1];
  if (blocks < 2 ||
      !loop_over_blocks(graph->symbols, *row, blocks, repeat, &whole.loop[last - 1]) ||
      !nest_start_at(graph->symbols, &rest, row, rsh_int(blocks * repeat)))
    return 1;
  whole.elements.repeat = repeat;
  whole.loop[last].extent = rsh_int(repeat * places);
  rest.loop[last - 1].extent = rsh_int(rows % repeat);
  part[0] = whole;
  part[1] = rest;
  return rows % repeat == 0 ? 1 : 2;
}
