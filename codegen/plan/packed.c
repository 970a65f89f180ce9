// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns nests that move single elements of less than a byte into moves of whole bytes where elements are
// contiguous on both sides. The bytes are shifted if the two sides begin at different bits.
//
//   i4, {3, dst 7, src 9} {7, dst 1, src 1}
//     rows begin alternately at a byte and in the middle of one: even rows, {2, dst 14, src 18}, and the
//     odd one. A row is split: elements before a whole byte of the destination, whole bytes, the rest.
#include "codegen/plan/plan_internal.h"
#include "codegen/plan/strategy.h"

// A nest is split by the alignment of its runs to bytes; each of these ways has up to three parts.
enum { MOST_WAYS = 16 };

typedef VEC(Nest) Nests;

static bool is_at_bytes(const Loop *loop, int64_t per_byte) {
  return loop->dst.n % per_byte == 0 && loop->src.n % per_byte == 0;
}

// Wraps around if it overflows: that happens only in a loop of one iteration, whose stride is unused.
static int64_t times(int64_t stride, int64_t per_byte) {
  return (int64_t)((uint64_t)stride * (uint64_t)per_byte);
}

// Every per_byte-th iteration of a loop begins at the same bit: splits loop `at` of each way so far into
// per_byte ways.
static void split_ways(Arena *arena, Nests *ways, int at, int64_t per_byte) {
  int count = ways->count;
  for (int i = 0; i < count; i++) {
    Loop loop = ways->item[i].loop[at];
    int64_t extent = loop.extent.n;
    for (int64_t r = per_byte < extent ? per_byte - 1 : extent - 1; r >= 0; r--) {
      Nest way = nest_copy(arena, &ways->item[i]);
      way.src_offset.n += r * loop.src.n;
      way.dst_offset.n += r * loop.dst.n;
      way.loop[at] = (Loop){.extent = rsh_int(plan_divide_up(extent - r, per_byte)),
                            .dst = rsh_int(times(loop.dst.n, per_byte)),
                            .src = rsh_int(times(loop.src.n, per_byte))};
      if (r > 0)
        VEC_PUSH(arena, *ways, way);
      else
        ways->item[i] = way;
    }
  }
}

// Adds a nest over single elements: `count` of each run, from element `from` of it on.
static void put_elements(Arena *arena, const Nest *way, int64_t from, int64_t count, Nests *out) {
  if (count == 0)
    return;
  Nest part = nest_copy(arena, way);
  Loop *run = &part.loop[part.loop_count - 1];
  part.src_offset.n += from * run->src.n;
  part.dst_offset.n += from;
  run->extent = rsh_int(count);
  VEC_PUSH(arena, *out, part);
}

// Adds a nest over whole bytes of the destination: `bytes` of each run, from element `from` of it on.
static void put_bytes(Arena *arena, const Nest *way, int64_t from, int64_t bytes, int64_t per_byte,
                      Nests *out) {
  Nest part = nest_copy(arena, way);
  int64_t src = way->src_offset.n + from * way->loop[way->loop_count - 1].src.n;
  part.loop_count--;
  part.src_offset = rsh_int(src / per_byte);
  part.dst_offset = rsh_int((way->dst_offset.n + from) / per_byte);
  part.run = rsh_int(bytes);
  int shift = (int)(src % per_byte * (8 / per_byte));
  part.kind = shift > 0 ? NEST_SHIFTED : NEST_RUNS;
  if (shift > 0)
    part.shift = shift;
  else
    part.runs = (NestLines){0};
  for (int i = 0; i < part.loop_count; i++) {
    part.loop[i].dst.n /= per_byte;
    part.loop[i].src.n /= per_byte;
  }
  VEC_PUSH(arena, *out, part);
}

static void drop_single_loops(Nest *nest) {
  int kept = 0;
  for (int i = 0; i < nest->loop_count; i++)
    if (!rsh_is(nest->loop[i].extent, 1))
      nest->loop[kept++] = nest->loop[i];
  nest->loop_count = kept;
}

// Whether its innermost loop is a run of elements long enough to contain a whole byte at any alignment.
static bool is_run(const Nest *nest, int64_t per_byte) {
  if (nest_elements(nest).map != 0 || nest->from != nest->to || nest->loop_count == 0 ||
      !plan_nest_is_known(nest))
    return false;
  const Loop *run = &nest->loop[nest->loop_count - 1];
  return run->dst.n == 1 && (run->src.n == 1 || nest->source < 0) && run->extent.n >= 2 * per_byte;
}

// False: there are too many.
static bool find_ways(Arena *arena, const Nest *nest, int64_t per_byte, Nests *ways) {
  VEC_PUSH(arena, *ways, *nest);
  for (int i = 0; i + 1 < nest->loop_count; i++) {
    if (is_at_bytes(&nest->loop[i], per_byte))
      continue;
    if (ways->count * per_byte > MOST_WAYS)
      return false;
    split_ways(arena, ways, i, per_byte);
  }
  return true;
}

// The whole bytes of an open number of elements are known if lowering made their number a size (edge_of_bytes).
static bool divide_elements(rsh_symbols *s, rsh_num count, int64_t per_byte, rsh_num *whole,
                            rsh_num *left) {
  rsh_num bytes = rsh_int(count.n / per_byte);
  return (rsh_is_known(count) || rsh_div_part(s, count, rsh_int(per_byte), &bytes, left)) &&
         !rsh_is(bytes, 0) && rsh_mul(s, bytes, rsh_int(per_byte), whole) &&
         rsh_sub(s, count, *whole, left);
}

// If one side is packed, separates elements that fill whole bytes from those of the last byte. False: there are no such
// elements, or no others, or it would take more code.
//
//   i4[7] cast to i8     {6, dst 1, src 1}, which are 3 bytes, and the last element
static bool split_last_byte(const Planner *p, const Nest *nest, Nests *out) {
  rsh_symbols *s = p->graph->symbols;
  int from = plan_element_bits(nest->from), to = plan_element_bits(nest->to),
      last = nest->loop_count - 1;
  int64_t per_byte = 8 / (from < to ? from : to);
  Nest whole = nest_copy(p->arena, nest), rest = nest_copy(p->arena, nest);
  rsh_num count, left;
  if (last < 0 || nest_group(nest) > 0 || p->plan->processor->small)
    return false;
  whole.loop[last].extent = rsh_int(per_byte);
  if (nest_group(&whole) != per_byte ||
      !divide_elements(s, nest->loop[last].extent, per_byte, &count, &left) ||
      !nest_start_at(s, &rest, &nest->loop[last], count))
    return false;
  whole.loop[last].extent = count;
  rest.loop[last].extent = left;
  drop_single_loops(&rest);
  VEC_PUSH(p->arena, *out, whole);
  VEC_PUSH(p->arena, *out, rest);
  return true;
}

int nests_of_packed(const Planner *p, const Nest *nest, Nest **out) {
  Arena *arena = p->arena;
  int64_t per_byte = 8 / plan_element_bits(nest->to);
  Nests ways = {0}, done = {0};
  if (split_last_byte(p, nest, &done)) {
    *out = done.item;
    return done.count;
  }
  if (!is_run(nest, per_byte) || !find_ways(arena, nest, per_byte, &ways)) {
    VEC_PUSH(arena, done, *nest);
    *out = done.item;
    return 1;
  }
  int64_t count = nest->loop[nest->loop_count - 1].extent.n;
  for (int i = 0; i < ways.count; i++) {
    const Nest *way = &ways.item[i];
    int64_t head = (per_byte - way->dst_offset.n % per_byte) % per_byte;
    int64_t bytes = (count - head) / per_byte, whole = head + bytes * per_byte;
    put_elements(arena, way, 0, head, &done);
    put_bytes(arena, way, head, bytes, per_byte, &done);
    put_elements(arena, way, whole, count - whole, &done);
  }
  for (int i = 0; i < done.count; i++)
    drop_single_loops(&done.item[i]);
  *out = done.item;
  return done.count;
}
