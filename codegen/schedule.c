// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of a nest's loops. They come in order of destination, which is right wherever the
// source runs along; two cases are not so:
//
//   [HW,3] to [3,HW]    {3, dst HW, src 1} {HW, dst 1, src 3}: the short loop goes inside, where it is
//                       unrolled, so each line of the source is read once
//   [M,N] to [N,M]      {N, dst M, src 1} {M, dst 1, src N} go inside all others, as a tile transpose. Of
//                       elements that no register holds, M is cut in blocks B, so that the B lines of
//                       the source that a pass over N reads are still in the cache for the next element:
//                       {M/B, dst B, src B*N} {N, dst M, src 1} {B, dst 1, src N}, and a nest for M % B
#include "codegen/plan_internal.h"

#include <stdlib.h>

enum { LINE = 64, SHORT_LOOP = 4, SMALL = 32 << 10 };

// The tile transpose: bytes of a lane, and bytes moved up to which nothing is blocked, and up to which
// they stay in the last cache.
enum { LANE = 16, TWO_L1 = 64 << 10, CACHE = 24 << 20 };

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

// More than the last cache holds. A size that is not known is taken to fit.
static bool is_large(const Nest *nest) {
  int64_t bytes = volume(nest);
  return bytes > CACHE / 2 && bytes != INT64_MAX;
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

Nest nest_copy(Arena *arena, const Nest *nest) {
  Nest copy = *nest;
  copy.loop = ARENA_ARRAY(arena, Loop, nest->loop_count + 1);
  for (int i = 0; i < nest->loop_count; i++)
    copy.loop[i] = nest->loop[i];
  return copy;
}

// The innermost loop becomes blocks outside of the loop at `inside` and their elements. False: a number
// does not fit.
static bool block_nest(Arena *arena, rsh_symbols *s, const Nest *nest, int inside, int64_t block,
                       Nest *out) {
  *out = nest_copy(arena, nest);
  Loop last = nest->loop[nest->loop_count - 1];
  for (int i = out->loop_count; i > inside; i--)
    out->loop[i] = out->loop[i - 1];
  out->loop[inside].extent = rsh_int(last.extent.n / block);
  out->loop_count++;
  out->loop[out->loop_count - 1].extent = rsh_int(block);
  return rsh_mul(s, last.dst, rsh_int(block), &out->loop[inside].dst) &&
         rsh_mul(s, last.src, rsh_int(block), &out->loop[inside].src);
}

// The innermost loop from index `done` on.
static bool rest_of_nest(Arena *arena, rsh_symbols *s, const Nest *nest, int64_t done, Nest *out) {
  *out = nest_copy(arena, nest);
  Loop *last = &out->loop[out->loop_count - 1];
  rsh_num src, dst;
  last->extent.n -= done;
  out->loop_count -= last->extent.n == 1;
  return rsh_mul(s, rsh_int(done), last->src, &src) &&
         rsh_add(s, out->src_offset, src, &out->src_offset) &&
         rsh_mul(s, rsh_int(done), last->dst, &dst) &&
         rsh_add(s, out->dst_offset, dst, &out->dst_offset);
}

// Whether the innermost loop goes over a few planes that the next one interleaves, or takes apart.
static bool is_weave(const Nest *nest) {
  const Loop *w = &nest->loop[nest->loop_count - 2], *planes = w + 1;
  if (!rsh_is_known(nest->run) || nest->run.n > 8 || (nest->run.n & (nest->run.n - 1)) != 0 ||
      !rsh_is_known(w->extent) || !rsh_is_known(planes->extent) || planes->extent.n > SHORT_LOOP)
    return false;
  rsh_num pixel = rsh_int(planes->extent.n * nest->run.n);
  return (rsh_equal(planes->dst, nest->run) && rsh_equal(w->src, nest->run) &&
          rsh_equal(w->dst, pixel)) ||
         (rsh_equal(planes->src, nest->run) && rsh_equal(w->dst, nest->run) &&
          rsh_equal(w->src, pixel));
}

// Whether the two innermost loops are a transposition of elements that registers hold, large enough for
// a lane of them each way. Where that depends on symbols it is tested when it runs.
static bool is_tileable(const Nest *nest) {
  const Loop *along = &nest->loop[nest->loop_count - 2], *across = along + 1;
  if (!rsh_is_known(nest->run) || nest->run.n > LANE || (nest->run.n & (nest->run.n - 1)) != 0)
    return false;
  int64_t least = LANE / nest->run.n;
  return rsh_equal(along->src, nest->run) && rsh_equal(across->dst, nest->run) &&
         size_of(along->extent) >= least && size_of(across->extent) >= least;
}

// Rows so far apart share few places of the cache.
static bool is_crowded(const Nest *nest) {
  const Loop *along = &nest->loop[nest->loop_count - 2], *across = along + 1;
  rsh_num pitch = across->src; // of symbolic ones the factor
  if (size_of(along->extent) < LINE / nest->run.n)
    return false;
  return nest->run.n <= 2 ? pitch.n % 1024 == 0 : nest->run.n <= 4 && pitch.n % 4096 == 0;
}

// Blocks, so that the lines that a block reads and writes are in the cache until they are used up.
static Tile tile_of(const Nest *nest) {
  int64_t bytes = volume(nest);
  if (bytes <= TWO_L1 / 2)
    return (Tile){.src = TWO_L1, .dst = TWO_L1};
  Tile tile = {.src = 256, .dst = 256, .is_large = is_large(nest)};
  if (is_crowded(nest)) {
    tile.src = nest->run.n == 1 ? 256 : 512;
    tile.dst = nest->run.n == 1 ? 64 : 128;
    tile.packs = true;
  } else if (!tile.is_large &&
             size_of(nest->loop[nest->loop_count - 2].extent) <= 256 / nest->run.n) {
    tile.dst = LINE; // short rows of the source: all of some, then those of the next
  } else if (!tile.is_large) {
    tile.src = nest->run.n >= 4 ? 128 : 512;
    tile.dst = nest->run.n >= 4 ? 4096 : 128;
  }
  return tile;
}

// Whether every line of the destination is written whole, by one run or by tiles next to each other.
static bool has_whole_lines(const Nest *nest) {
  int64_t across = nest->run.n;
  int count = nest->loop_count;
  if (nest->tile.src)
    across *= nest->loop[--count].extent.n;
  for (int i = 0; i < count; i++)
    if (nest->loop[i].dst.n % LINE != 0 || rsh_is(nest->loop[i].src, 0))
      return false; // elements that are repeated are in the cache already
  return across % LINE == 0 && nest->dst_offset.n % LINE == 0;
}

// Runs that are streamed go in order of the source: lines that are not kept may come in any order.
static Nest in_order_of_source(Arena *arena, const Nest *nest) {
  Nest out = nest_copy(arena, nest);
  for (int i = 1; i < out.loop_count; i++) {
    Loop loop = out.loop[i];
    int at = i;
    for (; at > 0 && magnitude(out.loop[at - 1].src) < magnitude(loop.src); at--)
      out.loop[at] = out.loop[at - 1];
    out.loop[at] = loop;
  }
  return out;
}

int nest_schedule(Arena *arena, rsh_symbols *symbols, const Nest *nest, Nest part[2]) {
  part[0] = *nest;
  if (size_of(nest->run) >= LINE && is_large(nest) && has_whole_lines(nest)) {
    part[0] = in_order_of_source(arena, nest);
    part[0].streams = true;
  }
  if (nest->loop_count < 2 || size_of(nest->run) >= LINE)
    return 1;
  int last = nest->loop_count - 1, inner = source_loop(nest);
  const Loop *in = &nest->loop[last], *s = &nest->loop[inner];
  if (inner == last)
    return 1;
  if (size_of(s->extent) <= SHORT_LOOP && size_of(in->extent) > SHORT_LOOP &&
      (rsh_equal(in->src, (rsh_num){s->extent.n * s->src.n, s->src.poly}) ||
       rsh_equal(in->src, (rsh_num){-s->extent.n * s->src.n, s->src.poly}))) {
    part[0] = nest_copy(arena, nest);
    move_inside(&part[0], inner);
    part[0].weaves = is_weave(&part[0]);
    return 1;
  }
  if (is_weave(nest)) {
    part[0].weaves = true;
    return 1;
  }
  // The two loops of the transposition go inside all others.
  Nest ordered = nest_copy(arena, nest);
  move_inside(&ordered, inner);
  move_inside(&ordered, last - 1);
  if (is_tileable(&ordered)) {
    ordered.tile = tile_of(&ordered);
    ordered.streams = ordered.tile.is_large && has_whole_lines(&ordered);
    part[0] = ordered;
    return 1;
  }
  int64_t block = block_of(nest->run.n);
  if (magnitude(in->src) < LINE || magnitude(s->src) >= LINE || !rsh_is_known(in->extent) ||
      in->extent.n < 2 * block || volume(nest) <= SMALL)
    return 1;
  int64_t rest = in->extent.n % block;
  if (!block_nest(arena, symbols, &ordered, last - 1, block, &part[0]) ||
      (rest > 0 && !rest_of_nest(arena, symbols, &ordered, in->extent.n - rest, &part[1]))) {
    part[0] = *nest; // numbers that do not fit: as it came
    return 1;
  }
  return rest > 0 ? 2 : 1;
}
