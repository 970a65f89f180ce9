// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of a nest's loops. They come in order of destination, which is right wherever the
// source runs along; two cases are not so:
//
//   [HW,3] to [3,HW]    {3, dst HW, src 1} {HW, dst 1, src 3}: the short loop goes inside, where it
//   is
//                       unrolled, so each line of the source is read once
//   [M,N] to [N,M]      {N, dst M, src 1} {M, dst 1, src N}: M is cut in blocks B, so that the B
//   lines of
//                       the source that a pass over N reads are still in the cache for the next
//                       element: {M/B, dst B, src B*N} {N, dst M, src 1} {B, dst 1, src N}, and a
//                       nest for M % B
#include "codegen/plan_internal.h"

#include <stdlib.h>

enum { LINE = 64, SHORT_LOOP = 4, SMALL = 32 << 10 };

// What a number is compared as: one that depends on symbols is taken for a large one.
static int64_t size_of(rsh_num n) { return rsh_is_known(n) ? n.n : INT64_MAX; }

static int64_t magnitude(rsh_num n) { return size_of(n) < 0 ? -n.n : size_of(n); }

static int64_t volume(const Nest *nest) {
  int64_t n = size_of(nest->run);
  for (int i = 0; i < nest->loop_count; i++)
    if (__builtin_mul_overflow(n, size_of(nest->loop[i].extent), &n))
      return INT64_MAX;
  return n;
}

// Block along the destination: a line or two of it.
static int64_t block_of(int64_t run) { return run <= 1 ? 64 : run <= 4 ? 32 : run <= 8 ? 16 : 8; }

// The loop with the smallest step in the source; one that repeats elements takes no step.
static int source_loop(const Nest *nest) {
  int best = nest->loop_count - 1;
  for (int i = nest->loop_count - 1; i >= 0; i--)
    if (!rsh_is(nest->loop[i].src, 0) &&
        magnitude(nest->loop[i].src) < magnitude(nest->loop[best].src))
      best = i;
  return best;
}

static void move_inside(Nest *nest, int from) {
  Loop loop = nest->loop[from];
  for (int i = from; i + 1 < nest->loop_count; i++)
    nest->loop[i] = nest->loop[i + 1];
  nest->loop[nest->loop_count - 1] = loop;
}

static Nest copy_nest(Arena *arena, const Nest *nest) {
  Nest copy = *nest;
  copy.loop = ARENA_ARRAY(arena, Loop, nest->loop_count + 1);
  for (int i = 0; i < nest->loop_count; i++)
    copy.loop[i] = nest->loop[i];
  return copy;
}

// The whole number of blocks in an extent: a number, or a new atom of the plan.
static bool blocks_in(Arena *arena, Plan *plan, rsh_num extent, int64_t block, rsh_num *out) {
  rsh_symbols *s = plan->graph->symbols;
  if (rsh_is_known(extent)) {
    *out = rsh_int(extent.n / block);
    return true;
  }
  for (int i = 0; i < plan->quotient.count; i++)
    if (rsh_equal(plan->quotient.item[i].of, extent) && plan->quotient.item[i].divisor == block) {
      *out = plan->quotient.item[i].atom;
      return true;
    }
  if (!rsh_symbol(s, out))
    return false;
  s->least[s->symbol_count - 1] = 0;
  VEC_PUSH(arena, plan->quotient, ((Quotient){extent, block, *out}));
  return true;
}

// The innermost loop becomes blocks outside of the loop at `inside` and their elements.
static bool block_nest(Arena *arena, Plan *plan, const Nest *nest, int inside, int64_t block,
                       rsh_num blocks, Nest *out) {
  rsh_symbols *s = plan->graph->symbols;
  *out = copy_nest(arena, nest);
  Loop last = nest->loop[nest->loop_count - 1];
  for (int i = out->loop_count; i > inside; i--)
    out->loop[i] = out->loop[i - 1];
  out->loop[inside].extent = blocks;
  out->loop_count++;
  out->loop[out->loop_count - 1].extent = rsh_int(block);
  return rsh_mul(s, last.dst, rsh_int(block), &out->loop[inside].dst) &&
         rsh_mul(s, last.src, rsh_int(block), &out->loop[inside].src);
}

// The innermost loop from index `done` on.
static bool rest_of_nest(Arena *arena, Plan *plan, const Nest *nest, rsh_num done, Nest *out) {
  rsh_symbols *s = plan->graph->symbols;
  *out = copy_nest(arena, nest);
  Loop *last = &out->loop[out->loop_count - 1];
  rsh_num src, dst;
  if (!rsh_mul(s, done, last->src, &src) || !rsh_add(s, out->src_offset, src, &out->src_offset) ||
      !rsh_mul(s, done, last->dst, &dst) || !rsh_add(s, out->dst_offset, dst, &out->dst_offset) ||
      !rsh_sub(s, last->extent, done, &last->extent))
    return false;
  out->loop_count -= rsh_is(last->extent, 1);
  return true;
}

int nest_schedule(Arena *arena, Plan *plan, const Nest *nest, Nest part[2]) {
  part[0] = *nest;
  if (nest->loop_count < 2 || size_of(nest->run) >= LINE)
    return 1;
  int last = nest->loop_count - 1, inner = source_loop(nest);
  const Loop *in = &nest->loop[last], *s = &nest->loop[inner];
  if (inner == last)
    return 1;
  if (size_of(s->extent) <= SHORT_LOOP && size_of(in->extent) > SHORT_LOOP &&
      (rsh_equal(in->src, (rsh_num){s->extent.n * s->src.n, s->src.poly}) ||
       rsh_equal(in->src, (rsh_num){-s->extent.n * s->src.n, s->src.poly}))) {
    part[0] = copy_nest(arena, nest);
    move_inside(&part[0], inner);
    return 1;
  }
  int64_t block = block_of(nest->run.n);
  if (magnitude(in->src) < LINE || magnitude(s->src) >= LINE || size_of(in->extent) < 2 * block ||
      volume(nest) <= SMALL)
    return 1;
  // The two loops of the transposition go inside all others.
  Nest ordered = copy_nest(arena, nest);
  move_inside(&ordered, inner);
  move_inside(&ordered, last - 1);
  rsh_num blocks, done;
  if (!blocks_in(arena, plan, in->extent, block, &blocks) ||
      !rsh_mul(plan->graph->symbols, blocks, rsh_int(block), &done) ||
      !block_nest(arena, plan, &ordered, last - 1, block, blocks, &part[0]) ||
      !rest_of_nest(arena, plan, &ordered, done, &part[1])) {
    part[0] = *nest; // numbers that do not fit: as it came
    return 1;
  }
  return rsh_is(part[1].loop[last].extent, 0) ? 1 : 2;
}
