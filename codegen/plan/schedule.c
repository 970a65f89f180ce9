// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model: decides how a nest is executed. Loops arrive in destination order, which is best if the source is
// read in order too. In two cases it is not:
//
//   [HW,3] to [3,HW]    {3, dst HW, src 1} {HW, dst 1, src 3}: the short loop becomes the innermost and is
//                       unrolled, so each line of the source is read once
//   [M,N] to [N,M]      {N, dst M, src 1} {M, dst 1, src N} become the innermost loops, transposed in tiles. If
//                       registers cannot hold the elements, M is split into blocks B, so that the B lines of
//                       the source that one iteration over N reads are still in the cache for the next element:
//                       {M/B, dst B, src B*N} {N, dst M, src 1} {B, dst 1, src N}, and a nest for M % B
#include "codegen/plan/choice.h"
#include "codegen/plan/plan_internal.h"
#include "codegen/plan/strategy.h"
#include "codegen/plan/processor.h"

#include <stdlib.h>

enum { WHOLE = 64 << 10 }; // a block that is not split

// The bytes that fit L1, and the lines that fit each of its sets, with room for streaming data.
static int64_t room_of(const Processor *cpu) { return cpu->l1 * 2 / 3; }

static int64_t places_of(const Processor *cpu) { return cpu->ways * 2 / 3; }

// Lines that are this far apart share a set of L1.
static int64_t way_bytes(const Processor *cpu) { return cpu->l1 / cpu->ways; }

static int64_t magnitude(rsh_num n) { return likely_size(n) < 0 ? -n.n : likely_size(n); }

// The magnitudes of a loop's strides.
static int64_t source_step(const Loop *loop) { return magnitude(loop->src); }

static int64_t destination_step(const Loop *loop) { return magnitude(loop->dst); }

static int64_t smaller_step(const Loop *loop) {
  int64_t src = magnitude(loop->src), dst = magnitude(loop->dst);
  return src < dst ? src : dst;
}

static int64_t larger_step(const Loop *loop) {
  int64_t src = magnitude(loop->src), dst = magnitude(loop->dst);
  return src > dst ? src : dst;
}

static int64_t volume(const Nest *nest) {
  int64_t n = likely_size(nest->run);
  for (int i = 0; i < nest->loop_count; i++)
    if (__builtin_mul_overflow(n, likely_size(nest->loop[i].extent), &n))
      return INT64_MAX;
  return n;
}

// Whether a nest exceeds the last cache. An unknown size counts as fitting, unless the nest says otherwise.
static bool is_large(const Processor *cpu, const Nest *nest) {
  int64_t bytes = volume(nest);
  return bytes >= cpu->past && (bytes != INT64_MAX || nest_lines(nest).is_large);
}

// How many lines at this distance from each other a cache holds: those at the same power of two share its sets.
//   8 KiB of 32 KiB    4
static int64_t lines_apart(int64_t cache, rsh_num distance) {
  uint64_t n = (uint64_t)distance.n;
  return rsh_is_known(distance) && n != 0 ? (int64_t)((uint64_t)cache / (n & (0 - n))) : INT64_MAX;
}

// A block that leaves no remainder, if one of at least half the size does.
//   256 in blocks of 48    32
static int64_t dividing_block(rsh_num extent, int64_t block) {
  for (int64_t least = block / 2, b = block; rsh_is_known(extent) && b >= least; b--)
    if (extent.n % b == 0)
      return b;
  return block;
}

// The block along the destination: one or two lines, but no more lines of the source than fit the sets of L1 that they
// share.
//
//   f32[512, 512] transposed, every second row     rows of the source are 2 KiB apart: 16 lines of them fit 32 KiB
static int64_t block_of(const Processor *cpu, const Nest *nest, const Loop *in) {
  enum { LEAST = 16 };
  int64_t run = nest->run.n, block = run <= 1 ? 64 : run <= 4 ? 32 : run <= 8 ? LEAST : 8;
  int64_t lines = lines_apart(cpu->l1, in->src);
  block = lines >= block || block < LEAST ? block : lines < LEAST ? LEAST : lines;
  return nest->kind == NEST_ELEMENTS ? dividing_block(in->extent, block) : block;
}

// The loop with the smallest stride in the source; a loop that repeats elements has none.
static int source_loop(const Nest *nest) {
  int best = nest->loop_count - 1;
  for (int i = nest->loop_count - 1; i >= 0; i--)
    if (!rsh_is(nest->loop[i].src, 0) &&
        magnitude(nest->loop[i].src) < magnitude(nest->loop[best].src))
      best = i;
  return best;
}

// Moves the loop at position `from` of the order inside all others.
static void move_inside(const Nest *nest, Choice *choice, int from) {
  int8_t loop = choice->order[from];
  for (int i = from; i + 1 < nest->loop_count; i++)
    choice->order[i] = choice->order[i + 1];
  choice->order[nest->loop_count - 1] = loop;
}

// Whether rows of the source map to few sets of the cache.
static bool is_crowded(const Processor *cpu, const Nest *nest) {
  const Loop *along = &nest->loop[nest->loop_count - 2], *across = along + 1;
  rsh_num pitch = across->src; // if symbolic, its factor
  if (likely_size(along->extent) < CACHE_LINE / nest->run.n)
    return false;
  int64_t way = way_bytes(cpu), apart = nest->run.n <= 2 ? way / 4 : way;
  return nest->run.n <= 4 && pitch.n % apart == 0;
}

// Whether they also map to so few sets of L2 that one line of each does not fit, while all of them fit the last cache.
//
//   f32[17, 128, 128] to f32[128, 128, 17], L2 of 1 MiB     rows are 64 KiB apart: 16 lines fit
static bool is_crowded_in_l2(const Processor *cpu, const Nest *nest) {
  const Loop *across = &nest->loop[nest->loop_count - 1];
  return plan_nest_is_known(nest) && !is_large(cpu, nest) &&
         across->extent.n > lines_apart(cpu->l2, across->src);
}

// The same for the destination; a tile writes a line of each row. Each store waits until another line is evicted: 3 to
// 9 ns on a processor (Zen 5) that otherwise takes 0.5 ns.
static bool is_result_crowded(const Processor *cpu, const Nest *nest) {
  const Loop *along = &nest->loop[nest->loop_count - 2];
  int64_t apart = way_bytes(cpu) / (nest->run.n == 1 ? 4 : 2);
  return likely_size(along->extent) >= CACHE_LINE / 2 / nest->run.n && along->dst.n % apart == 0;
}

// Beyond the last cache; or, for wide elements with a crowded result, beyond L2, where stalled stores cost more.
static bool streams_tiles(const Processor *cpu, const Nest *nest) {
  int64_t bytes = volume(nest);
  bool is_slow = nest->run.n >= 4 && is_result_crowded(cpu, nest);
  return is_large(cpu, nest) || (is_slow && bytes >= cpu->l2 && bytes != INT64_MAX);
}

// Nearly as many bytes of the source as of the destination: packed data should stay in L1.
static Tile packed_tile(const Processor *cpu, const Nest *nest) {
  if (is_large(cpu, nest))
    return (Tile){.src = 256,
                  .dst = 192,
                  .packs = true,
                  .prefetches = plan_nest_is_known(nest) || nest_lines(nest).is_large};
  return (Tile){
      .src = nest->run.n == 1 ? 128 : 256, .dst = nest->run.n == 4 ? 128 : 256, .packs = true};
}

// Long rows of the source, and two or three tiles of the destination: after a fourth at the same distance, a processor
// prefetches a fifth. Rows of four tiles are not split. If rows of the source are short and many, blocks contain more
// of them.
static Tile large_tile(const Processor *cpu, const Nest *nest) {
  const Loop *along = &nest->loop[nest->loop_count - 2], *across = along + 1;
  int64_t row = likely_size(across->extent), line = CACHE_LINE / nest->run.n, bytes = volume(nest);
  bool is_short = likely_size(along->extent) <= 4 * line;
  Tile tile = {.src = is_short ? 256 : 512, .dst = 192, .prefetches = true};
  if (row <= 4 * line)
    tile.dst = 256;
  else if (is_short && row > 8 * line)
    tile.dst = 512;
  else if (bytes > cpu->last / 2 && bytes != INT64_MAX)
    tile.dst = 128;
  else if (is_result_crowded(cpu, nest))
    tile.dst = 256;
  return tile;
}

// Few rows of a crowded destination, written alternately, and many lines of each; fewer lines if lines of the source
// share sets too, and would be evicted before the next rows. All these sizes were measured.
static Tile strip_tile(const Processor *cpu, const Nest *nest) {
  // Bytes of the destination for elements of 1, 2, and 4 or more bytes: if its rows share some sets, or all.
  static const int spread[][2] = {{256, 512}, {512, 512}, {512, 1024}},
                   shared[][2] = {{128, 512}, {256, 512}, {128, 512}};
  const Loop *along = &nest->loop[nest->loop_count - 2], *across = along + 1;
  int size = nest->run.n >= 4 ? 2 : (int)nest->run.n - 1,
      is_far = along->dst.n % way_bytes(cpu) == 0;
  if (across->src.n % (size == 2 ? 128 : 256) != 0)
    return (Tile){.src = 256, .dst = spread[size][is_far], .strips = true};
  return (Tile){.src = size == 2 ? 64 : 128, .dst = shared[size][is_far], .strips = true};
}

// Beyond L1, wider vectors have more loads in flight.
int64_t plan_tile_vector(const Plan *plan, const Nest *nest, int64_t widest) {
  const Processor *cpu = plan->processor;
  bool is_near = volume(nest) <= cpu->l1 / 2; // both sides fit L1
  return is_near && cpu->tile < widest ? cpu->tile : widest;
}

// Sizes blocks so that all lines of a block stay in the cache until the last access.
static Tile tile_of(const Processor *cpu, const Nest *nest) {
  const Loop *along = &nest->loop[nest->loop_count - 2];
  int64_t bytes = volume(nest), element = nest->run.n;
  // With wide elements, one tile reads all of a source line, so the line may come from memory, and rows may evict each
  // other.
  bool is_known = plan_nest_is_known(nest) || nest_lines(nest).is_large, is_wide = element >= 4;
  bool is_far = is_known && is_wide && bytes > cpu->l2;
  if (is_result_crowded(cpu, nest) && !is_crowded(cpu, nest) && !streams_tiles(cpu, nest))
    return strip_tile(cpu, nest);
  if (bytes <= (is_wide ? room_of(cpu) / 2 : room_of(cpu)))
    return (Tile){.src = WHOLE, .dst = WHOLE};
  if (is_crowded(cpu, nest) && (!is_far || is_crowded_in_l2(cpu, nest)))
    return packed_tile(cpu, nest);
  if (is_known && is_large(cpu, nest) && element > 1)
    return large_tile(cpu, nest);
  if (is_far || (is_known && is_large(cpu, nest)))
    return (Tile){.src = 256, .dst = 256, .prefetches = true};
  // Short rows of the source: some rows in full, then the next.
  if (bytes <= cpu->l2 / 2 && likely_size(along->extent) <= 256 / element &&
      along->dst.n % (way_bytes(cpu) / 8) != 0)
    return (Tile){.src = 256, .dst = CACHE_LINE};
  return is_wide ? (Tile){.src = 128, .dst = 128} : (Tile){.src = 512, .dst = 128};
}

// Sorts the first `count` loops of an order, larger steps outside.
static void order_by(const Nest *nest, Choice *choice, int count, int64_t step(const Loop *)) {
  for (int i = 1; i < count; i++) {
    int8_t loop = choice->order[i];
    int at = i;
    for (; at > 0 && step(&nest->loop[choice->order[at - 1]]) < step(&nest->loop[loop]); at--)
      choice->order[at] = choice->order[at - 1];
    choice->order[at] = loop;
  }
}

// Whether consecutive stores queue more lines on one memory channel than it holds: channels are interleaved line by
// line, and rows at this distance are all on the same channel.
static bool is_on_one_channel(const Processor *cpu, const Nest *ordered) {
  int64_t lines = 1, interleave = cpu->channels * CACHE_LINE;
  for (int i = ordered->loop_count - 2; i >= 0 && ordered->loop[i].dst.n % interleave == 0; i--)
    if (__builtin_mul_overflow(lines, likely_size(ordered->loop[i].extent), &lines))
      return true;
  return lines > cpu->queue;
}

// Lines per row of the destination, if rows are written alternately.
static int64_t alternated_lines(const Processor *cpu, const Nest *ordered) {
  enum { FEW = 4, SOME = 2 };
  int64_t row =
      likely_size(ordered->loop[ordered->loop_count - 1].extent) / (CACHE_LINE / ordered->run.n);
  return !is_on_one_channel(cpu, ordered) ? 1 : row <= FEW ? row : SOME;
}

int64_t plan_even_block(int64_t extent, int64_t most, int64_t of) {
  int64_t count = plan_divide_up(extent, most);
  return plan_divide_up(plan_divide_up(extent, count), of) * of;
}

// Columns of an outermost block, such that the last block has at least `of`; 0: they are not split.
static int64_t even_columns(int64_t columns, int64_t most, int64_t of) {
  int64_t block = plan_even_block(columns, most, of);
  while (block < columns && columns % block > 0 && columns % block < of)
    block += of;
  return block < columns ? block : 0;
}

// The loops inside blocks of rows, for loops in source order.
typedef struct Within {
  int loops;     // their number; 0: rows are not split
  int rest;      // number of loops around them
  int64_t bytes; // contiguous bytes of a row
} Within;

// Takes the innermost loops while their source strides are smaller than those of blocks and the TLB covers their
// destination pages (`columns` rows are written alternately): each page is written again in the next block.
static Within loops_within(const Processor *cpu, const Nest *ordered, int64_t rows,
                           int64_t columns) {
  const int64_t most_pages = cpu->pages * 5 / 8;
  int count = ordered->loop_count - 1;
  const Loop *along = &ordered->loop[count - 1];
  int64_t step, pages = columns, apart = destination_step(along);
  if (__builtin_mul_overflow(source_step(along + 1), rows, &step))
    return (Within){0};
  if (apart < cpu->page)
    pages = columns * apart / cpu->page + 1; // neither is large
  Within w = {.loops = 1, .bytes = columns * ordered->run.n};
  for (const Loop *loop = along - 1; w.loops < count && source_step(loop) < step;
       w.loops++, loop--) {
    bool is_near = destination_step(loop) < cpu->page; // then its iterations stay in the same pages
    if (!is_near && __builtin_mul_overflow(pages, likely_size(loop->extent), &pages))
      pages = INT64_MAX;
    if (pages > most_pages) {
      w.rest = count - w.loops;
      return w;
    }
    pages = is_near ? 0 : pages;
    if (source_step(loop) == w.bytes && rsh_is_known(loop->extent))
      w.bytes *= loop->extent.n;
  }
  return w;
}

// Whether the source exceeds the last cache, and L2 has sets for both sides.
static bool is_streaming_profitable(const Processor *cpu, const Nest *ordered) {
  const Loop *along = &ordered->loop[ordered->loop_count - 2], *across = along + 1;
  int64_t way = way_bytes(cpu);
  bool is_tight = across->src.n % way == 0 && along->dst.n % (way / 2) == 0;
  bool is_known = plan_nest_is_known(ordered) || nest_lines(ordered).is_large;
  return is_known && volume(ordered) > cpu->last && !is_tight &&
         (ordered->run.n > 2 || !is_crowded(cpu, ordered));
}

// Encloses other loops in blocks of rows, and all loops in blocks of columns.
static void go_around(const Processor *cpu, const Nest *nest, const Nest *ordered, Choice *choice,
                      int64_t rows) {
  const int64_t most_columns = cpu->pages / 4, far = cpu->page / 2;
  int64_t run = ordered->run.n, columns = ordered->loop[ordered->loop_count - 2].extent.n;
  if (plan_nest_is_known(ordered))
    choice->block = even_columns(columns, run * most_columns < far ? far / run : most_columns,
                                 CACHE_LINE / run);
  Within within = loops_within(cpu, ordered, rows, choice->block > 0 ? choice->block : columns);
  choice->around = (int8_t)within.loops;
  if (within.bytes >= far)
    choice->tile.src = CACHE_LINE;
  order_by(nest, choice, within.rest, destination_step);
}

// The bytes of a source row in a block.
static int64_t piece_of(int64_t run) { return run <= 2 ? 256 : run <= 4 ? 512 : 1024; }

// Whether a block of this many rows is prefetched into L1. Adjacent rows count as one if L1 also has room for the next
// block: tiles of narrow elements access its lines repeatedly, wide elements only once.
static bool reads_near(const Processor *cpu, const Nest *ordered, int64_t rows) {
  const Loop *along = &ordered->loop[ordered->loop_count - 2], *across = along + 1;
  int64_t run = ordered->run.n, row = source_step(across), whole;
  bool is_adjacent =
      !__builtin_mul_overflow(likely_size(along->extent), run, &whole) && whole == row;
  bool is_one = is_adjacent && row <= piece_of(run) && row * rows <= cpu->l1 / (run <= 2 ? 4 : 2);
  return (is_one ? 1 : rows) <= cpu->rows;
}

// A source that exceeds the last cache is read in source order, in long pieces of a few rows at a time. The next lines
// of all rows are prefetched alternately, or a piece of each row if rows are short, into L1 or L2. Stores may write
// lines in any order, so a block is one line wide, or more if all rows are on one memory channel.
//
//   f32[75,96,75,96] to [96,75,75,96]   {75, dst 28800, src 2764800} {6, dst 64, src 460800} {75, dst 384, src 384}
//                                       {96, dst 2160000, src 4} {16, dst 4, src 28800}, by 64 bytes of the source
static void stream_tiles(Arena *arena, const Processor *cpu, const Nest *nest, Choice *choice) {
  int count = nest->loop_count - 2;
  order_by(nest, choice, count, source_step);
  Nest ordered = nest_ordered(arena, nest, choice);
  const Loop *along = &ordered.loop[count], *across = along + 1;
  int64_t run = nest->run.n, lines = alternated_lines(cpu, &ordered),
          rows = lines * CACHE_LINE / run;
  bool is_crowded_there = across->src.n % way_bytes(cpu) == 0;
  // The many rows of narrow elements are prefetched into L2 by lines: pieces took 1.2 to 1.6 times as long on a Zen 4.
  bool is_near = reads_near(cpu, &ordered, rows);
  choice->tile = (Tile){.src = run <= 2 && !is_near ? CACHE_LINE : piece_of(run),
                        .dst = lines * CACHE_LINE,
                        .prefetches = true,
                        .near = is_near,
                        .strips = is_crowded_there};
  bool is_split = likely_size(along->extent) <= INT32_MAX && rsh_is_known(across->extent) &&
                  across->extent.n > rows && across->extent.n % rows == 0;
  if (is_split && (!is_crowded_there || rows <= places_of(cpu)))
    go_around(cpu, nest, &ordered, choice, rows);
}

// The pages of both sides that a loop touches.
static int64_t pages_of(const Processor *cpu, const Loop *loop) {
  const int64_t page = cpu->page;
  int64_t dst = magnitude(loop->dst), src = magnitude(loop->src), bytes;
  bool fits = !__builtin_mul_overflow(
      likely_size(loop->extent), (dst < page ? dst : page) + (src < page ? src : page), &bytes);
  return fits ? bytes / page : INT64_MAX;
}

// Non-temporal runs may be written in any order, so they follow the source. If the innermost loop then touches more
// pages than in destination order, or its destination is crowded, the two orders are blocked: short runs by 512 bytes
// of the destination, long ones by a page of the source.
//
//   f32[12,1024,64] to [1024,12,64]     {1024, dst 3072, src 256} {12, dst 256, src 262144}: 12 pages, not 832
//                                       {64, dst 49152, src 4096} {12, dst 256, src 262144} {16, dst 3072, src 256}
static Choice choose_streamed(const Processor *cpu, const Nest *nest) {
  enum { SHORT = 256, SHORT_BLOCK = 512 };
  int last = nest->loop_count - 1;
  Choice choice = choice_plain();
  choice.streams = true;
  if (last < 1)
    return choice;
  order_by(nest, &choice, last + 1, source_step);
  const Loop *inner = &nest->loop[choice.order[last]];
  bool is_short = nest->run.n < SHORT;
  bool is_crowded_there = is_short && likely_size(inner->extent) > 2 * places_of(cpu) &&
                          inner->dst.n % (way_bytes(cpu) / 2) == 0;
  if (pages_of(cpu, inner) <= pages_of(cpu, &nest->loop[last]) && !is_crowded_there)
    return choice;
  for (int i = 0; i < last; i++)
    if (choice.order[i] == last)
      move_inside(nest, &choice, i);
  if (!is_short) // blocks along the source inside loops along the destination
    move_inside(nest, &choice, last - 1);
  int64_t block = (is_short ? SHORT_BLOCK : cpu->page) / nest->run.n;
  rsh_num extent = nest->loop[choice.order[last]].extent;
  if (block >= 2 && rsh_is_known(extent) && extent.n / 2 >= block && !nest_lines(nest).is_large) {
    choice.kind = CHOICE_BLOCK;
    choice.block = block;
  }
  return choice;
}

// Runs that fit L2 but would crowd sets in the source: loops with large strides become outer loops, those with small
// strides inner ones, unless short runs would then crowd sets in the destination:
//
//   f32[12,128,64] to [128,12,64]       {12, dst 256, src 32768} {128, dst 3072, src 256}
static Choice choose_copy(const Processor *cpu, const Nest *nest) {
  enum { SHORT = 256, LONG = 1024 };
  Choice choice = choice_plain(), by_step = choice;
  int64_t bytes = volume(nest), run = likely_size(nest->run);
  int last = nest->loop_count - 1;
  if (is_large(cpu, nest) && nest_has_whole_lines(nest, false))
    return choose_streamed(cpu, nest);
  if (last < 1 || run < SHORT || bytes < room_of(cpu) || bytes > cpu->l2 ||
      source_step(&nest->loop[last]) % (way_bytes(cpu) / 4) != 0)
    return choice;
  order_by(nest, &by_step, nest->loop_count, larger_step);
  const Loop *inner = &nest->loop[by_step.order[last]];
  return run >= LONG || larger_step(inner) % way_bytes(cpu) != 0 ? by_step : choice;
}

// The most planes that become the innermost loop. Four or more of wide elements are tiles.
static int64_t most_planes(const Processor *cpu, int64_t element) {
  enum { FEW = 4 };
  return element <= 2 ? cpu->planes : FEW;
}

// [HW,3] to [3,HW]: the short loop covers one step of the long loop, and has at most as many iterations.
static bool is_short_inside(const Loop *in, const Loop *s, int64_t most) {
  return likely_size(s->extent) <= most && likely_size(in->extent) > most &&
         (rsh_equal(in->src, (rsh_num){s->extent.n * s->src.n, s->src.poly}) ||
          rsh_equal(in->src, (rsh_num){-s->extent.n * s->src.n, s->src.poly}));
}

static ChoiceKind weave_or_copy(const Nest *ordered) {
  return nest_is_weave(ordered) ? CHOICE_WEAVE : CHOICE_COPY;
}

// The loop with this stride on one side, either way; -1: there is none.
static int loop_with(const Nest *nest, bool is_src, int64_t stride) {
  for (int i = nest->loop_count - 1; i >= 0; i--)
    if (magnitude(is_src ? nest->loop[i].src : nest->loop[i].dst) == stride)
      return i;
  return -1;
}

// Moves the loops of a transposition between pixels and planes inside all others. False: there is none.
static bool order_planes(Arena *arena, const Processor *cpu, const Nest *nest, Choice *choice) {
  int64_t run = likely_size(nest->run);
  int inner = loop_with(nest, true, run), last = nest->loop_count - 1;
  if (inner < 0 || inner == last || run > MOST_TILE_RUN)
    return false;
  int64_t of_source = likely_size(nest->loop[inner].extent),
          of_result = likely_size(nest->loop[last].extent), most = MOST_TILE_RUN / run - 1;
  bool is_apart = of_source <= most;
  if (!is_apart && of_result > most)
    return false;
  int planes = is_apart ? inner : last;
  int along = is_apart ? loop_with(nest, true, of_source * run) : inner;
  int across = is_apart ? last : loop_with(nest, false, of_result * run);
  if (along < 0 || across < 0 || along == across || along == planes || across == planes)
    return false;
  int at = 0;
  for (int i = 0; i <= last; i++)
    if (i != planes && i != along && i != across)
      choice->order[at++] = (int8_t)i;
  choice->order[at++] = (int8_t)planes;
  choice->order[at++] = (int8_t)along;
  choice->order[at] = (int8_t)across;
  Nest ordered = nest_ordered(arena, nest, choice);
  choice->kind = CHOICE_TILE;
  choice->tile = (Tile){.src = 256, .dst = CACHE_LINE};
  return nest_tile_loops(&ordered) > 2 && nest_is_tiled_by(cpu, &ordered);
}

Choice nest_choose(Arena *arena, const Processor *cpu, const Nest *nest) {
  Choice choice = choice_plain();
  if (likely_size(nest->run) >= CACHE_LINE)
    return choose_copy(cpu, nest);
  if (nest->loop_count < 2)
    return choice;
  int last = nest->loop_count - 1, inner = source_loop(nest);
  const Loop *in = &nest->loop[last], *s = &nest->loop[inner];
  if (inner == last) {
    choice.kind = weave_or_copy(nest); // elements are in this order already, or repeated
    Choice in_planes = choice;
    bool is_copy = choice.kind == CHOICE_COPY;
    return is_copy && order_planes(arena, cpu, nest, &in_planes) ? in_planes : choice;
  }
  bool is_inside = is_short_inside(in, s, most_planes(cpu, nest->run.n));
  if (is_inside || nest_is_weave(nest)) {
    if (is_inside)
      move_inside(nest, &choice, inner);
    Nest ordered = nest_ordered(arena, nest, &choice);
    choice.kind = weave_or_copy(&ordered);
    return choice;
  }
  Choice in_planes = choice;
  if (order_planes(arena, cpu, nest, &in_planes))
    return in_planes;
  // The two loops of the transposition become the innermost.
  Choice inside = choice;
  move_inside(nest, &inside, inner);
  move_inside(nest, &inside, last - 1);
  Nest ordered = nest_ordered(arena, nest, &inside);
  if (nest_is_tiled_by(cpu, &ordered)) {
    Nest padded = ordered;
    padded.run = rsh_int(nest_tile_element(&ordered));
    inside.kind = CHOICE_TILE;
    inside.tile = tile_of(cpu, &padded);
    inside.streams = streams_tiles(cpu, &ordered) && nest_has_whole_lines(&ordered, true);
    if (inside.streams && is_streaming_profitable(cpu, &ordered))
      stream_tiles(arena, cpu, nest, &inside);
    else if (inside.tile.prefetches) // adjacent data of either side is used soon
      order_by(nest, &inside, last - 1, smaller_step);
    return inside;
  }
  inside.kind = CHOICE_BLOCK;
  inside.block = block_of(cpu, nest, in);
  bool is_profitable = magnitude(in->src) >= CACHE_LINE && magnitude(s->src) < CACHE_LINE &&
                       volume(nest) > room_of(cpu);
  return is_profitable && choice_fits(arena, nest, &inside) ? inside : choice;
}

// Sets the version of a nest of symbolic sizes for large results, if it differs.
static void choose_large(const Planner *p, NestLines *lines, const Nest *as_it_came) {
  Arena *arena = p->arena;
  Nest open = *as_it_came, part[2];
  open.runs.is_large = true;
  Choice choice = nest_choose(arena, p->plan->processor, &open);
  if (!choice.streams || choice_apply(arena, p->graph->symbols, &open, &choice, part) != 1)
    return;
  Nest *large = ARENA_NEW(arena, Nest);
  *large = part[0];
  lines->large = large;
  lines->large_from = p->plan->processor->past;
}

// A fill reads nothing, so a result that fits the last cache is written faster there.
void nest_schedule_fill(const Planner *p, Nest *nest) {
  enum { LEAST = 8 }; // lines of a run; two are written twice
  int64_t bytes = volume(nest), last = p->plan->processor->last;
  if (likely_size(nest->run) < LEAST * CACHE_LINE ||
      nest_fill_period(p->plan, nest) > (int)nest->unit)
    return;
  if (plan_nest_is_known(nest)) {
    nest->runs.streams = bytes > last;
    return;
  }
  Nest *large = ARENA_NEW(p->arena, Nest);
  *large = nest_copy(p->arena, nest);
  large->runs = (NestLines){.streams = true, .is_large = true};
  nest->runs.large = large;
  nest->runs.large_from = last;
}

// The result size in bytes from which short runs bypass the cache, as vectors; 0: it is smaller.
static int64_t past_of(const Processor *cpu, const Nest *nest) {
  return is_large(cpu, nest) || !plan_nest_is_known(nest) ? cpu->past : 0;
}

int nest_schedule(const Planner *p, const Nest *nest, Nest part[2]) {
  int parts = 0;
  if (nest->loop_count <= RSH_MAX_AXES) {
    const Choice *measured = tuning_find(p->tuning, nest);
    Choice choice = measured ? *measured : nest_choose(p->arena, p->plan->processor, nest);
    parts = choice_apply(p->arena, p->graph->symbols, nest, &choice, part);
    NestLines *lines = part[0].kind == NEST_RUNS    ? &part[0].runs
                       : part[0].kind == NEST_TILES ? &part[0].tiles.lines
                                                    : NULL;
    if (parts == 1 && lines && !plan_nest_is_known(nest) && !lines->streams)
      choose_large(p, lines, nest);
    for (int i = 0; i < parts; i++)
      if (part[i].kind == NEST_RUNS && rsh_is_known(part[i].run) && part[i].run.n < CACHE_LINE)
        part[i].runs.past = past_of(p->plan->processor, &part[i]);
  }
  if (parts > 0)
    return parts;
  part[0] = *nest; // numbers overflow: the nest stays as it is
  return 1;
}
