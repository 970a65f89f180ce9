// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests on targets that only move aligned elements: one pointer per side steps through all loops, and each loop has a
// counter. A run is an additional loop; innermost loops of few elements are unrolled.
//
//   {8, dst 8, src 1} {8, dst 1, src 8}, run 1
//
//     8 times:
//       8 times: *dst = *src, dst += 1, src += 8
//       src -= 63                                      the next row of the result is 1 byte further in the source
//
// Thumb has loads and stores that step their pointers, and subtracts and compares in one instruction. LLVM would
// increment one index instead, and compute both addresses from it. launder.invariant.group, which emits no instruction,
// hides the origin of pointers.
#include "codegen/llvm/llvm_module.h"

#include <stdlib.h>

enum {
  DEEP = 3,       // more loops leave no register for their start addresses
  MOST_FAR = 4,   // low registers of Thumb-1 that loops and distances share
  IN_CACHE = 8192 // bytes that fit any cache, so loops may be reordered
};

// A loop. Only loops of known extent are unrolled or split.
typedef struct CopyLoop {
  rsh_num extent, dst, src;
} CopyLoop;

// A distance that loads and stores cannot encode, in a register.
typedef struct Far {
  int64_t distance;
  LLVMValueRef held;
} Far;

typedef struct Walk {
  Kernel *k;
  const Nest *nest;
  CopyLoop *loop;
  int count, looped; // number of loops, and of those that are not unrolled
  RunStrategy strategy;
  int64_t group; // see nest_group
  int64_t body;  // bytes of a block in pieces
  int64_t piece;
  int run_loop; // the loop over the run; -1: none,
  int64_t rest; // and the bytes after it
  Far far[MOST_FAR];
  int far_count;
} Walk;

// Whether a function copies the runs.
static bool is_called(const Walk *w) {
  return w->strategy == RUN_CALL || w->strategy == RUN_LIBRARY;
}

// The most pieces to unroll. LLVM may load all words before it stores the first, and would spill if there were more.
static int64_t most_pieces(const Walk *w) {
  char level = w->k->target->level;
  if (level == 'z' || level == 's')
    return level == 'z' ? 2 : 4;
  return w->piece < 4 ? 16 : w->piece * 8 > w->k->target->pointer ? 4 : 8;
}

static bool is_open(const CopyLoop *r) {
  return !rsh_is_known(r->extent) || !rsh_is_known(r->dst) || !rsh_is_known(r->src);
}

// A run of more than a few pieces becomes the innermost loop, one or several at a time; the rest is unrolled after it.
//
//   26 bytes by words    -Os   6 times a word, and the last word
//   100 bytes            -O2   3 times 8 words, and one
static void add_run(Walk *w, int64_t period) {
  Machine can = w->k->g->can;
  if (is_called(w))
    return;
  int64_t run = w->nest->run.n;
  w->piece = nest_run_piece(w->k->plan, w->nest, &can);
  w->body = run;
  bool has_words = w->strategy == RUN_WORDS, is_few = has_words && run <= most_pieces(w) * w->piece;
  int64_t step = period > w->piece ? period : w->piece;
  if (run <= step || is_few)
    return;
  if (has_words && !can.small)
    step = most_pieces(w) * w->piece;
  if (run < 2 * step)
    return;
  w->body = step;
  w->rest = run % step;
  w->run_loop = w->count;
  w->loop[w->count++] = (CopyLoop){rsh_int(run / step), rsh_int(step), rsh_int(period ? 0 : step)};
}

static int64_t pieces_of(const Walk *w, int64_t bytes) { return plan_divide_up(bytes, w->piece); }

// Splits the innermost remaining loop in two, the inner one unrolled: 49 are 7 times 7.
static void split_last(Walk *w, int64_t most) {
  CopyLoop *last = &w->loop[w->looped - 1];
  int64_t part = most;
  while (part > 1 && last->extent.n % part != 0)
    part--;
  if (part <= 1 || is_open(last))
    return;
  for (int i = w->count++; i > w->looped; i--)
    w->loop[i] = w->loop[i - 1];
  w->loop[w->looped] = (CopyLoop){rsh_int(part), last->dst, last->src};
  last->extent.n /= part;
  last->dst.n *= part;
  last->src.n *= part;
}

// Unrolls loops from the innermost outward while there are few pieces; element-wise functions are long, so two are
// enough at -O2, and one in small code.
static void write_out(Walk *w) {
  bool is_element = nest_is_by_element(w->nest), is_small = w->k->target->small;
  int64_t most = most_pieces(w), pieces = most;
  if (is_element && !is_small)
    pieces = most / 2;
  else if (!is_element && !is_called(w))
    pieces = pieces_of(w, w->body);
  if (w->group > 0)
    pieces = 2 * w->group;
  w->looped = w->count;
  if (w->rest > 0) // it comes after the loop
    return;
  while (w->looped > 0 && !is_open(&w->loop[w->looped - 1]) &&
         w->loop[w->looped - 1].extent.n * pieces <= most)
    pieces *= w->loop[--w->looped].extent.n;
  if (w->looped > 0 && !is_small)
    split_last(w, most / pieces);
}

// Whether a block ends at the addresses that the object's routine returns.
static bool ends_behind(const Walk *w) { return w->strategy == RUN_CALL && w->looped == w->count; }

// Whether a loop has one index for both sides, which counts down to 0, instead of stepping pointers. Loads and stores
// of Thumb-1 can add an index register, but cannot increment pointers.
//
//   8 bytes    ldrb r6, [r0, r3]   strb r6, [r1, r3]   subs r3, #1   bpl
static bool has_index(const Walk *w, int depth) {
  const CopyLoop *r = &w->loop[depth];
  bool is_fill = rsh_is_fill(w->nest->source);
  return w->k->target->adds_compare && depth == w->run_loop && depth == w->count - 1 &&
         w->looped == w->count && w->body == w->piece && (is_fill || r->src.n == r->dst.n);
}

// The distance by which the loops from `depth` inward advance a pointer. An unknown distance is only compared: the plan
// may not have this polynomial, and one that overflows equals no other.
static rsh_num taken(const Walk *w, int depth, bool is_src) {
  if (depth < w->looped && has_index(w, depth))
    return rsh_int(0);
  if (depth >= w->looped)
    return ends_behind(w) && !(is_src && rsh_is_fill(w->nest->source)) ? w->nest->run : rsh_int(0);
  const CopyLoop *r = &w->loop[depth];
  rsh_num way, step = is_src ? r->src : r->dst;
  bool fits = rsh_mul(w->k->plan->graph->symbols, r->extent, step, &way);
  return fits ? way : (rsh_num){.poly = RSH_UNKNOWN};
}

// One step of the loop at `depth`: from the start of this iteration, or, if one instruction suffices, from the end of
// the inner loops.
static LLVMValueRef stepped(const Walk *w, int depth, bool is_src, LLVMValueRef began,
                            LLVMValueRef ended) {
  const CopyLoop *r = &w->loop[depth];
  rsh_num step = is_src ? r->src : r->dst, way = taken(w, depth + 1, is_src);
  Gen *g = w->k->g;
  const char *name = is_src ? "src" : "dst";
  if (rsh_equal(step, way))
    return ended;
  if (!rsh_is_known(step) || !rsh_is_known(way)) {
    // After the load: before it, the sum would need an additional register.
    began = w->k->target->adds_compare ? b_held(g, began, NULL, NULL) : began;
    return b_move_by(g, began, kernel_number(w->k, step), name);
  }
  int64_t rest = step.n - way.n;
  bool is_near = llabs(rest) <= w->k->target->reach || w->looped > DEEP;
  return is_near ? b_move(g, ended, rest, name) : b_move(g, began, step.n, name);
}

static LLVMValueRef moved(const Walk *w, LLVMValueRef from, int64_t distance, const char *name) {
  for (int i = 0; i < w->far_count; i++)
    if (w->far[i].distance == distance)
      return b_step(w->k->g, from, w->far[i].held, name);
  return b_move(w->k->g, from, distance, name);
}

// Leaves the end in *at if ends_behind.
static void walk_block(const Walk *w, Position *at, int64_t dst, int64_t src) {
  Gen *g = w->k->g;
  Position to = *at;
  if (to.src.at)
    to.src.at = moved(w, to.src.at, src, "src");
  to.dst = moved(w, to.dst, dst, "dst");
  if (nest_is_by_element(w->nest))
    iteration_build(w->k, w->nest, to.src.at, to.dst, w->group > 0);
  else if (is_called(w))
    to = run_call(w->k, w->strategy, to, kernel_number(w->k, w->nest->run));
  else
    run_build_pieces(g, to, w->body, w->piece, w->nest->unit);
  if (ends_behind(w))
    *at = to;
}

// The unrolled loops, which are few and short.
static void unroll_loops(const Walk *w, int depth, Position *at, int64_t dst, int64_t src) {
  if (depth == w->count) {
    walk_block(w, at, dst, src);
    return;
  }
  const CopyLoop *r = &w->loop[depth];
  for (int64_t i = 0; i < r->extent.n; i++)
    unroll_loops(w, depth + 1, at, dst + i * r->dst.n, src + i * r->src.n);
}

// The tail of a run after its loop: few pieces; the last may overlap bytes already copied.
static void build_rest(const Walk *w, Position at) {
  Gen *g = w->k->g;
  int64_t back = w->rest < w->piece ? w->piece - w->rest : 0;
  if (w->rest == 0)
    return;
  if (at.src.at)
    at.src.at = b_move(g, at.src.at, -back, "src");
  at.dst = b_move(g, at.dst, -back, "dst");
  run_build_pieces(g, at, w->rest + back, w->piece, w->nest->unit);
}

// Whether a loop has a count instead of an end pointer. On Thumb-1 the shortest loops have none.
static bool has_count(const Walk *w, int depth) {
  const Target *target = w->k->target;
  bool is_short =
      depth == w->looped - 1 && !is_called(w) && (target->small || w->looped == w->count);
  return target->counts_down && !(target->adds_compare && is_short);
}

static void build_indexed(const Walk *w, const CopyLoop *r, Position at) {
  Gen *g = w->k->g;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), body = b_block(g, "walk"),
                    after = b_block(g, "after");
  LLVMValueRef last = hidden_number(g, b_int(g, (r->extent.n - 1) * r->dst.n));
  LLVMBuildBr(g->builder, body);
  b_position(g, body);
  LLVMValueRef index = b_carry(g, before, last, "index");
  at.src = cursor_step(g, at.src, index);
  at.dst = b_step(g, at.dst, index, "dst");
  walk_block(w, &at, 0, 0);
  LLVMValueRef next = LLVMBuildSub(g->builder, index, b_int(g, r->dst.n), "next");
  LLVMValueRef more = LLVMBuildICmp(g->builder, LLVMIntSGE, next, b_int(g, 0), "more");
  b_carry_on(g, index, hidden_number(g, next));
  b_leave_loop(g, LLVMBuildCondBr(g->builder, more, body, after));
  b_position(g, after);
}

// The loops from `depth` inward; the recursion is bounded by the axes of a move. Leaves their end in *at.
static void build_loops(const Walk *w, int depth, Position *at) {
  if (depth == w->looped) {
    unroll_loops(w, depth, at, 0, 0);
    return;
  }
  Gen *g = w->k->g;
  const CopyLoop *r = &w->loop[depth];
  if (has_index(w, depth)) {
    build_indexed(w, r, *at);
    return;
  }
  bool counts = has_count(w, depth);
  bool steps = at->src.at && !(rsh_is(r->src, 0) && rsh_is(taken(w, depth + 1, true), 0));
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), body = b_block(g, "walk");
  LLVMValueRef zero = LLVMConstNull(g->ptr);
  LLVMValueRef count = kernel_number(w->k, r->extent), end = NULL, left = NULL;
  if (counts)
    count = LLVMBuildIntToPtr(g->builder, b_as(g, g->word, count), g->ptr, "count");
  else
    end = b_move_by(g, at->dst, b_scale(g, count, kernel_number(w->k, r->dst), "way"), "end");
  LLVMBuildBr(g->builder, body);
  b_position(g, body);
  Position began = *at;
  began.dst = b_carry(g, before, at->dst, "dst");
  if (steps)
    began.src.at = b_carry(g, before, at->src.at, "src");
  if (counts)
    left = b_carry(g, before, count, "left");
  Position ended = began;
  build_loops(w, depth + 1, &ended);
  LLVMValueRef dst = stepped(w, depth, false, began.dst, ended.dst);
  at->dst = hidden_pointer(g, dst);
  b_carry_on(g, began.dst, at->dst);
  if (steps) {
    at->src.at = hidden_pointer(g, stepped(w, depth, true, began.src.at, ended.src.at));
    b_carry_on(g, began.src.at, at->src.at);
  }
  LLVMValueRef less = NULL;
  if (counts) {
    less = b_one_less(g, left, at->dst, steps ? at->src.at : NULL);
    b_carry_on(g, left, less);
  }
  LLVMValueRef more = counts ? LLVMBuildICmp(g->builder, LLVMIntNE, less, zero, "more")
                             : LLVMBuildICmp(g->builder, LLVMIntNE, dst, end, "more");
  LLVMBasicBlockRef after = b_block(g, "after");
  b_leave_loop(g, LLVMBuildCondBr(g->builder, more, body, after));
  b_position(g, after);
  if (depth == w->run_loop)
    build_rest(w, *at);
}

// Converts the loops to bytes on both sides if elements of one side share bytes; the innermost iterates over those
// bytes.
static void group_loops(Walk *w) {
  bool is_src = plan_element_bits(w->nest->from) < 8;
  CopyLoop *last = &w->loop[w->count - 1];
  for (int i = 0; i < w->count - 1; i++) {
    rsh_num *stride = is_src ? &w->loop[i].src : &w->loop[i].dst;
    stride->n /= w->group;
  }
  last->extent.n /= w->group;
  (is_src ? &last->dst : &last->src)->n *= w->group;
}

// Entering a short loop often costs more than its body, so longer loops become inner loops. Unrolled loops stay in
// place, and large nests keep the order that suits caches; a nest of open size counts as small.
//
//   {16, dst 8, src 32} {4, dst 128, src 8}    4 times 16: 13 instead of 61 instructions of loop overhead
static void order_loops(Walk *w) {
  enum { FEW = 4 };
  int64_t bytes = w->nest->run.n;
  for (int i = 0; i < w->count; i++) {
    int64_t extent = rsh_is_known(w->loop[i].extent) ? w->loop[i].extent.n : 1;
    bytes = bytes > IN_CACHE / extent ? IN_CACHE + 1 : bytes * extent;
  }
  if (w->looped < 2 || w->run_loop == w->looped - 1 ||
      likely_size(w->loop[w->looped - 1].extent) > FEW || bytes > IN_CACHE)
    return;
  for (int i = 1; i < w->looped; i++) {
    CopyLoop loop = w->loop[i];
    int at = i;
    for (; at > 0 && likely_size(w->loop[at - 1].extent) > likely_size(loop.extent); at--)
      w->loop[at] = w->loop[at - 1];
    w->loop[at] = loop;
  }
}

// Whether loads and stores of Thumb-1 need a register for this distance.
static bool is_far(const Walk *w, int64_t distance) {
  enum { REACHED = 31 };
  int64_t unit = w->piece > 0 ? w->piece : 1; // of elements, which may be bytes
  return w->k->target->adds_compare && (distance < 0 || distance > REACHED * unit);
}

// Holds the distances of unrolled pieces in registers across all loops: all of them, or none if they are too many.
static void hold_far(Walk *w) {
  for (int side = 0; side < 2; side++)
    for (int64_t i = 0, all = w->looped < w->count ? w->loop[w->looped].extent.n : 0; i < all;
         i++) {
      const CopyLoop *loop = &w->loop[w->looped];
      int64_t distance = i * (side == 0 ? loop->dst.n : loop->src.n);
      if (!is_far(w, distance))
        continue;
      if (w->far_count + w->looped >= MOST_FAR || w->count - w->looped > 1) {
        w->far_count = 0;
        return;
      }
      w->far[w->far_count++] = (Far){distance, NULL};
    }
  for (int i = 0; i < w->far_count; i++)
    w->far[i].held = b_held(w->k->g, b_const(w->k->g->word, w->far[i].distance), NULL, NULL);
}

static Walk walk_of(Kernel *k, const Nest *nest, int period) {
  Walk w = {.k = k,
            .nest = nest,
            .loop = ARENA_ARRAY(k->arena, CopyLoop, nest->loop_count + 2),
            .strategy = nest_run_strategy(k->plan, nest, &k->g->can),
            .group = nest_group(nest),
            .run_loop = -1};
  for (; w.count < nest->loop_count; w.count++) {
    const Loop *loop = &nest->loop[w.count];
    w.loop[w.count] = (CopyLoop){loop->extent, loop->dst, loop->src};
  }
  if (w.group > 0)
    group_loops(&w);
  if (!nest_is_by_element(nest))
    add_run(&w, period);
  write_out(&w);
  return w;
}

int64_t walk_build(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef *dst) {
  Walk w = walk_of(k, nest, src.period);
  if ((k->target->small || !plan_nest_is_known(nest)) && !is_called(&w))
    order_loops(&w);
  hold_far(&w);
  Position at = {src, *dst};
  build_loops(&w, 0, &at);
  *dst = at.dst;
  rsh_num way = taken(&w, 0, false);
  return rsh_is_known(way) ? way.n : 0;
}

// ---- nests that share an outermost loop

// A nest of known numbers in one iteration of that loop, from *dst on. Advances the address in *src, if it has one, to
// the next iteration. Leaves the end of its inner loops in *dst, and returns how far they advanced it.
static int64_t build_share(const Walk *w, Cursor *src, LLVMValueRef *dst) {
  Position at = {*src, *dst};
  build_loops(w, 1, &at);
  if (src->at)
    src->at = hidden_pointer(w->k->g, stepped(w, 0, true, src->at, at.src.at));
  *dst = at.dst;
  return taken(w, 1, false).n;
}

bool walk_join(Kernel *k, const Nest *const *nest, int count, const Cursor *src, LLVMValueRef dst) {
  Gen *g = k->g;
  Walk *w = ARENA_ARRAY(k->arena, Walk, count);
  for (int i = 0; i < count; i++) {
    w[i] = walk_of(k, nest[i], src[i].period);
    if (!plan_nest_is_known(nest[i]) || w[i].looped == 0 || nest_is_by_element(nest[i]) ||
        has_index(&w[i], 0))
      return false;
  }
  const CopyLoop *r = &w->loop[0];
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), body = b_block(g, "walk");
  LLVMValueRef rounds = LLVMConstIntToPtr(b_const(g->word, r->extent.n), g->ptr);
  LLVMBuildBr(g->builder, body);
  b_position(g, body);
  LLVMValueRef began = b_carry(g, before, dst, "dst"), left = b_carry(g, before, rounds, "left");
  Cursor *from = ARENA_ARRAY(k->arena, Cursor, count), *to = ARENA_ARRAY(k->arena, Cursor, count);
  for (int i = 0; i < count; i++) {
    from[i] = src[i];
    if (src[i].at)
      from[i].at = b_carry(g, before, src[i].at, "src");
  }
  int64_t place = nest[0]->dst_offset.n;
  dst = began;
  for (int i = 0; i < count; i++) {
    to[i] = from[i];
    dst = b_move(g, dst, nest[i]->dst_offset.n - place, "dst");
    place = nest[i]->dst_offset.n + build_share(&w[i], &to[i], &dst);
  }
  for (int i = 0; i < count; i++)
    if (to[i].at)
      b_carry_on(g, from[i].at, to[i].at);
  dst = hidden_pointer(g, b_move(g, dst, nest[0]->dst_offset.n + r->dst.n - place, "dst"));
  b_carry_on(g, began, dst);
  LLVMValueRef less = left;
  for (int i = 1; i < count && !g->has_loops; i++)
    less = b_held(g, less, to[i].at, NULL);
  less = b_one_less(g, less, dst, to[0].at);
  b_carry_on(g, left, less);
  LLVMBasicBlockRef after = b_block(g, "after");
  LLVMValueRef more = LLVMBuildICmp(g->builder, LLVMIntNE, less, LLVMConstNull(g->ptr), "more");
  b_leave_loop(g, LLVMBuildCondBr(g->builder, more, body, after));
  b_position(g, after);
  return true;
}
