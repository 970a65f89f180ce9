// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of a nest around its runs: plain, unrolled, or the innermost two as tiles or weaves.
#include "codegen/llvm/llvm_module.h"
#include "codegen/plan/tile_shape.h"

enum { UNROLLED_BLOCKS = 8 }; // most blocks of unrolled loops

// A short run of open length has the loops for the largest of these numbers of bytes that it reaches.
enum { LENGTHS = 7, ANY_LENGTH = -1 }; // the latter as Kernel.run_least: the run is not short
static const int64_t lengths[LENGTHS + 1] = {4, 8, 16, 32, 64, 128, 192, 256};

// A run of a length in lengths[]: its first bytes, and the last of them, which may overlap those.
static void build_short_run(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst) {
  Gen *g = k->g;
  LLVMValueRef bytes = kernel_number(k, nest->run);
  int64_t width = k->run_least < LARGEST_PIECE ? k->run_least : LARGEST_PIECE;
  for (int64_t i = 0; i < k->run_least; i += width)
    piece_build(g, dst, (Cursor){.at = src}, i, width, nest->unit);
  LLVMValueRef last = LLVMBuildSub(g->builder, bytes, b_int(g, width), "last");
  const Cursor from = {.at = b_step(g, src, last, "src")};
  piece_build(g, b_step(g, dst, last, "dst"), from, 0, width, nest->unit);
}

static void build_block(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst) {
  if (src.stage)
    src = (Cursor){.at = kernel_call_stage(k, src.stage, src.at, NULL)};
  if (nest_elements(nest).map)
    iteration_build(k, nest, src.at, dst, false);
  else if (!k->g->wide)
    run_build_narrow(k, nest, dst, src);
  else if (rsh_is_known(nest->run))
    run_build(k->g, dst, src, nest->run.n, nest->unit);
  else if (k->run_least > 0)
    build_short_run(k, nest, src.at, dst);
  else
    kernel_copy(k, dst, src.at, kernel_number(k, nest->run), nest->unit);
}

static bool is_unrolled(Kernel *k, const Nest *nest, int depth) {
  int64_t blocks = 1;
  if (k->portion && k->portion->depth >= depth)
    return false;
  for (int i = depth; i < nest->loop_count; i++)
    if (!rsh_is_known(nest->loop[i].extent) ||
        __builtin_mul_overflow(blocks, nest->loop[i].extent.n, &blocks))
      return false;
  return blocks <= (k->g->optimizes_size ? 2 : UNROLLED_BLOCKS) && rsh_is_known(nest->run) &&
         nest->run.n <= LARGEST_PIECE;
}

// Whether LLVM should neither vectorize nor unroll this loop. A loop around unrolled blocks counts as innermost, and so
// does a loop around a weave for which the target has no vectors.
static bool is_around_vectors(Kernel *k, const Nest *nest, int depth) {
  bool is_inner = depth == nest->loop_count - 1 || is_unrolled(k, nest, depth + 1);
  NestStrategy strategy = nest_strategy_inside(nest, &k->g->can);
  return nest->kind == NEST_TILES || strategy == STRATEGY_WEAVE || strategy == STRATEGY_SHUFFLE ||
         !is_inner || !rsh_is_known(nest->run) || nest->run.n >= LARGEST_PIECE;
}

static LLVMValueRef multiple(Kernel *k, rsh_num n, int64_t factor) {
  return factor == 0 ? b_int(k->g, 0) : kernel_number(k, (rsh_num){n.n * factor, n.poly});
}

// Loops of open extent that are shorter than a vector are tried with narrower ones, unless code is to be small. False:
// there are none of at least `least` bytes.
static bool narrow_vectors(Kernel *k, int64_t least) {
  int64_t bytes = k->g->can.vector > TILE_LANE ? TILE_LANE : k->g->can.vector / 2;
  bool is_narrower = !k->target->small && bytes >= least;
  k->g->can.vector = is_narrower ? (int)bytes : k->target->can.vector;
  return is_narrower;
}

// The loops of tiles, from `depth` on. That these fit is tested before all loops; smaller ones have narrower tiles, or
// are copied by element.
static void loop_tiles(Kernel *k, const Nest *nest, int depth, Cursor src, LLVMValueRef dst) {
  Gen *g = k->g;
  Fork fork = b_fork(g, tile_fits(k, nest), "tiles", "small", "done");
  k->fits = true;
  kernel_build_loops(k, nest, depth, src, dst);
  k->fits = false;
  if (b_fork_else(g, &fork)) {
    const Machine wide = g->can;
    Nest small = *nest;
    if (!nest->tiles.tile.is_short && narrow_vectors(k, TILE_LANE))
      small.tiles.tile = (Tile){.src = CACHE_LINE, .dst = CACHE_LINE, .is_short = true};
    else
      nest_drop_tiles(&small);
    kernel_build_loops(k, &small, depth, src, dst);
    g->can = wide;
  }
  b_fork_end(g, &fork);
}

// A loop over single elements, for a target on which LLVM keeps the emitted induction variable.
//
//   i8, src 1, dst 3     for (i = -n; i != 0; i++, dst += 3) *dst = src_end[i];
static void loop_to_zero(Kernel *k, const Nest *nest, int depth, Cursor src, LLVMValueRef dst) {
  Gen *g = k->g;
  const Loop *loop = &nest->loop[depth];
  LLVMValueRef extent = kernel_extent(k, nest, depth);
  Along from = b_along_before(g, src.at, kernel_number(k, loop->src), extent);
  Along to = b_along_before(g, dst, kernel_number(k, loop->dst), extent);
  Repeat r = b_repeat_to_zero(g, extent, "i");
  b_along_begin(g, &from, r.before, "src");
  b_along_begin(g, &to, r.before, "dst");
  src.at = b_along_at(g, &from, r.index, "src");
  dst = b_along_at(g, &to, r.index, "dst");
  kernel_build_loops(k, nest, depth + 1, src, dst);
  b_along_end(g, &from);
  b_along_end(g, &to);
  b_repeat_end(g, &r);
}

// Whether innermost loops are built as vectors of the result, from shuffle->depth on.
static bool is_shuffled(Kernel *k, const Nest *nest, Cursor src, NestShuffle *shuffle) {
  if (k->is_short || src.stage || !nest_shuffle(nest, &k->g->can, shuffle))
    return false;
  return shuffle->is_split || !k->portion || k->portion->depth < shuffle->depth;
}

// Loops of vectors, from `depth` on. Whether they are at least as long as a vector (`fits`; NULL: always) is tested
// before all loops; shorter ones have narrower vectors, or are copied by element.
static void loop_vectors(Kernel *k, const Nest *nest, int depth, LLVMValueRef fits, Cursor src,
                         LLVMValueRef dst) {
  enum { LEAST = 4 }; // elements of a vector
  Fork fork = b_fork(k->g, fits, "vectors", "small", "done");
  k->is_long = true;
  kernel_build_loops(k, nest, depth, src, dst);
  k->is_long = false;
  if (b_fork_else(k->g, &fork)) {
    const Machine wide = k->g->can;
    bool streams = k->g->streaming;
    k->is_short = !narrow_vectors(k, LEAST * nest->run.n);
    k->g->streaming = false;
    kernel_build_loops(k, nest, depth, src, dst);
    k->g->streaming = streams;
    k->is_short = false;
    k->g->can = wide;
  }
  b_fork_end(k->g, &fork);
}

// Builds a run of a constant, or the innermost loop as such a run, if non-temporal stores are active.
static bool build_filled(Kernel *k, const Nest *nest, int depth, Cursor src, LLVMValueRef dst) {
  enum { LEAST = 4 }; // lines
  Gen *g = k->g;
  bool is_loop = depth == nest->loop_count - 1 && rsh_equal(nest->loop[depth].dst, nest->run);
  if (!g->streaming || !src.period || (depth < nest->loop_count && !is_loop))
    return false;
  LLVMValueRef bytes = kernel_number(k, nest->run);
  if (is_loop)
    bytes = LLVMBuildMul(g->builder, bytes, kernel_extent(k, nest, depth), "bytes");
  LLVMValueRef least = b_int(g, LEAST * LARGEST_PIECE);
  LLVMValueRef is_long = LLVMBuildICmp(g->builder, LLVMIntSGE, bytes, least, "long");
  Fork fork = b_fork(g, is_long, "lines", "short", "done");
  fill_lines(k, dst, src, bytes, nest->unit);
  b_fork_else(g, &fork);
  g->streaming = false;
  kernel_build_loops(k, nest, depth, src, dst);
  g->streaming = true;
  b_fork_end(g, &fork);
  return true;
}

// Builds the loops around runs of a length from lengths[from] to lengths[to], each in loops of its own, so that none
// tests the length of its run.
static void loop_lengths(Kernel *k, const Nest *nest, int depth, int from, int to, Cursor src,
                         LLVMValueRef dst) {
  Gen *g = k->g;
  if (to == from + 1) {
    k->run_least = lengths[from];
    kernel_build_loops(k, nest, depth, src, dst);
    k->run_least = 0;
    return;
  }
  int middle = (from + to) / 2;
  LLVMValueRef is_longer = b_fits(g, kernel_number(k, nest->run), lengths[middle]);
  Fork fork = b_fork(g, is_longer, "longer", "shorter", "done");
  loop_lengths(k, nest, depth, middle, to, src, dst);
  b_fork_else(g, &fork);
  loop_lengths(k, nest, depth, from, middle, src, dst);
  b_fork_end(g, &fork);
}

// Loops around runs of open length, of which short ones are inline.
static bool build_lengths(Kernel *k, const Nest *nest, int depth, Cursor src, LLVMValueRef dst) {
  Gen *g = k->g;
  if (k->run_least != 0 || rsh_is_known(nest->run) || depth == nest->loop_count || !g->wide ||
      g->streaming || g->optimizes_size || src.stage || nest_elements(nest).map)
    return false;
  LLVMValueRef least = b_int(g, lengths[0]), most = b_int(g, lengths[LENGTHS] - lengths[0]);
  LLVMValueRef above = LLVMBuildSub(g->builder, kernel_number(k, nest->run), least, "above");
  LLVMValueRef is_short = LLVMBuildICmp(g->builder, LLVMIntULT, above, most, "is_short");
  Fork fork = b_fork(g, is_short, "short", "any", "done");
  loop_lengths(k, nest, depth, 0, LENGTHS, src, dst);
  b_fork_else(g, &fork);
  k->run_least = ANY_LENGTH;
  kernel_build_loops(k, nest, depth, src, dst);
  k->run_least = 0;
  b_fork_end(g, &fork);
  return true;
}

// Copies `bytes`, a multiple of the run and not 0. A few elements are copied without a call.
static void copy_part(Kernel *k, const Nest *nest, Cursor from, LLVMValueRef to,
                      LLVMValueRef bytes) {
  enum { FEW = 4 };
  Gen *g = k->g;
  LLVMValueRef few = b_int(g, FEW * nest->run.n);
  LLVMValueRef is_few = LLVMBuildICmp(g->builder, LLVMIntULE, bytes, few, "is_few");
  Fork fork = b_fork(g, is_few, "few", "part", "copied");
  Repeat r = b_repeat_begin(g, bytes, nest->run.n, "element");
  r.is_left = true;
  LLVMValueRef dst = b_step(g, to, r.index, "dst");
  run_build(g, dst, cursor_step(g, from, r.index), nest->run.n, nest->unit);
  b_repeat_end(g, &r);
  b_fork_else(g, &fork);
  kernel_copy(k, to, from.at, bytes, nest->unit);
  b_fork_end(g, &fork);
}

// The innermost loop of a nest in parts: each lookup finds how much from its address on is contiguous.
//
//   for (done = 0; done < bytes; done += left)
//     from, left = stage(src + done); left = least(left, bytes - done); copy left bytes
static void loop_parts(Kernel *k, const Nest *nest, int depth, Cursor src, LLVMValueRef dst) {
  Gen *g = k->g;
  LLVMValueRef extent = kernel_extent(k, nest, depth);
  LLVMValueRef bytes = b_scale(g, extent, b_int(g, nest->run.n), "bytes");
  LLVMValueRef left, done;
  LLVMBasicBlockRef body = b_loop(g, b_int(g, 0), "done", &done);
  LLVMValueRef at = LLVMBuildNSWAdd(g->builder, src.at, done, "at");
  Cursor from = {.at = kernel_call_stage(k, src.stage, at, &left)};
  left = b_least(g, left, LLVMBuildNSWSub(g->builder, bytes, done, "rest"));
  copy_part(k, nest, from, b_step(g, dst, done, "dst"), left);
  LLVMValueRef next = LLVMBuildNSWAdd(g->builder, done, left, "next");
  b_carry_on(g, done, next);
  LLVMBasicBlockRef after = b_block(g, "after");
  LLVMValueRef more = LLVMBuildICmp(g->builder, LLVMIntULT, next, bytes, "more");
  b_leave_loop(g, LLVMBuildCondBr(g->builder, more, body, after));
  b_position(g, after);
}

// The recursion is bounded by the number of axes of a move.
void kernel_build_loops(Kernel *k, const Nest *nest, int depth, Cursor src, LLVMValueRef dst) {
  if (build_filled(k, nest, depth, src, dst) || build_lengths(k, nest, depth, src, dst))
    return;
  if (depth == nest->loop_count) {
    build_block(k, nest, src, dst);
    return;
  }
  int part = k->portion ? k->portion->depth : WHOLE_NEST;
  if (depth == nest->loop_count - 1 && nest_is_in_parts(k->plan, nest, part)) {
    loop_parts(k, nest, depth, src, dst);
    return;
  }
  Gen *g = k->g;
  const Loop *loop = &nest->loop[depth];
  bool is_inside = depth == nest->loop_count - 2;
  NestStrategy strategy =
      depth <= nest->loop_count - 2 ? nest_strategy_inside(nest, &g->can) : STRATEGY_RUNS;
  NestShuffle shuffle;
  bool is_woven = strategy == STRATEGY_WEAVE && !k->is_short;
  bool shuffles = !is_woven && strategy != STRATEGY_TILES && is_shuffled(k, nest, src, &shuffle) &&
                  depth <= shuffle.depth;
  if (strategy == STRATEGY_TILES && !k->fits) {
    loop_tiles(k, nest, depth, src, dst);
    return;
  }
  if (strategy == STRATEGY_TILES && depth == nest->loop_count - nest_tile_loops(nest)) {
    tile_build(k, nest, src.at, dst, src.around);
    return;
  }
  if ((is_woven || shuffles) && !k->is_long) {
    LLVMValueRef fits = is_woven ? weave_fits(k, nest) : shuffle_fits(k, nest, &shuffle);
    loop_vectors(k, nest, depth, fits, src, dst);
    return;
  }
  if (is_woven && is_inside) {
    weave_build(k, nest, src.at, dst);
    return;
  }
  if (shuffles && depth == shuffle.depth) {
    shuffle_build(k, nest, &shuffle, src.at, dst);
    return;
  }
  if (!src.stage && is_unrolled(k, nest, depth)) {
    for (int64_t i = 0; i < loop->extent.n; i++) {
      Cursor from = cursor_step(g, src, multiple(k, loop->src, i));
      kernel_build_loops(k, nest, depth + 1, from,
                         b_step(g, dst, multiple(k, loop->dst, i), "dst"));
    }
    return;
  }
  bool is_left = is_around_vectors(k, nest, depth) || (src.stage && k->target->can.walks);
  if (k->target->keeps_loops && !is_left && !src.stage) {
    loop_to_zero(k, nest, depth, src, dst);
    return;
  }
  LLVMValueRef src_stride = kernel_number(k, loop->src), dst_stride = kernel_number(k, loop->dst);
  LLVMValueRef extent = kernel_extent(k, nest, depth);
  Repeat r = b_repeat_begin(g, extent, 1, "i");
  r.is_left = is_left;
  Cursor from = cursor_step(g, src, b_scale(g, r.index, src_stride, "src_step"));
  LLVMValueRef to = b_step(g, dst, b_scale(g, r.index, dst_stride, "dst_step"), "dst");
  Round round = {src.around, r.index, extent, src_stride};
  if (nest->kind == NEST_TILES && nest->tiles.tile.prefetches)
    from.around = &round;
  kernel_build_loops(k, nest, depth + 1, from, to);
  b_repeat_end(g, &r);
}
