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

static int64_t magnitude(int64_t n) { return n < 0 ? -n : n; }

static int64_t volume(const Nest *nest) {
  int64_t n = nest->run;
  for (int i = 0; i < nest->loop_count; i++)
    n *= nest->loop[i].extent; // at most the bytes of the output
  return n;
}

// Block along the destination: a line or two of it.
static int64_t block_of(int64_t run) { return run <= 1 ? 64 : run <= 4 ? 32 : run <= 8 ? 16 : 8; }

// The loop with the smallest step in the source; one that repeats elements takes no step.
static int source_loop(const Nest *nest) {
  int best = nest->loop_count - 1;
  for (int i = nest->loop_count - 1; i >= 0; i--)
    if (nest->loop[i].src != 0 && magnitude(nest->loop[i].src) < magnitude(nest->loop[best].src))
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

// The innermost loop becomes blocks outside of the loop at `inside` and their elements.
static Nest block_nest(Arena *arena, const Nest *nest, int inside, int64_t block) {
  Nest out = copy_nest(arena, nest);
  Loop last = nest->loop[nest->loop_count - 1];
  for (int i = out.loop_count; i > inside; i--)
    out.loop[i] = out.loop[i - 1];
  out.loop[inside] = (Loop){last.extent / block, last.dst * block, last.src * block};
  out.loop_count++;
  out.loop[out.loop_count - 1].extent = block;
  return out;
}

int nest_schedule(Arena *arena, const Nest *nest, Nest part[2]) {
  part[0] = *nest;
  if (nest->loop_count < 2 || nest->run >= LINE)
    return 1;
  int last = nest->loop_count - 1, inner = source_loop(nest);
  const Loop *in = &nest->loop[last], *s = &nest->loop[inner];
  if (inner == last)
    return 1;
  if (s->extent <= SHORT_LOOP && in->extent > SHORT_LOOP &&
      magnitude(in->src) == s->extent * magnitude(s->src)) {
    part[0] = copy_nest(arena, nest);
    move_inside(&part[0], inner);
    return 1;
  }
  int64_t block = block_of(nest->run);
  if (magnitude(in->src) < LINE || magnitude(s->src) >= LINE || in->extent < 2 * block ||
      volume(nest) <= SMALL)
    return 1;
  // The two loops of the transposition go inside all others.
  Nest ordered = copy_nest(arena, nest);
  move_inside(&ordered, inner);
  move_inside(&ordered, last - 1);
  part[0] = block_nest(arena, &ordered, last - 1, block);
  int64_t rest = in->extent % block, done = in->extent - rest;
  if (rest == 0)
    return 1;
  part[1] = ordered;
  part[1].dst_offset += done * in->dst;
  part[1].src_offset += done * in->src;
  part[1].loop[last].extent = rest;
  part[1].loop_count -= rest == 1;
  return 2;
}
