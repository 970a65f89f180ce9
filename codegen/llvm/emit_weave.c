// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interleaving and taking apart again: planes to pixels, pixels to planes. The two innermost loops of the
// nest are `w`, along the planes, and `k`, from plane to plane, of 2, 3 or 4:
//
//   interleave     w: dst 3, src 1; k: dst 1, src P     r0 r1 ..., g0 g1 ..., b0 b1 ...  ->  r0 g0 b0 r1 ...
//   deinterleave   w: dst 1, src 3; k: dst P, src 1     the other way
//
// k vectors are loaded, shuffled and stored at a time; the last ones overlap those before. Loops over single
// elements are not left to LLVM's vectorisers here: they take gathers for them.
#include "codegen/llvm/llvm_module.h"

enum { MOST_PLANES = 4, MOST_ELEMENTS = 64 };

typedef struct Weave {
  Gen *g;
  int planes, count; // planes, and elements of a vector
  LLVMTypeRef vector;
} Weave;

// A vector of elements of two others, each by its number in both; -1: any.
static LLVMValueRef shuffle(const Weave *w, LLVMValueRef a, LLVMValueRef b, const int *from) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(w->g->context);
  LLVMValueRef mask[MOST_ELEMENTS];
  for (int i = 0; i < w->count; i++)
    mask[i] = from[i] < 0 ? LLVMGetPoison(i32) : LLVMConstInt(i32, (unsigned)from[i], false);
  LLVMValueRef list = LLVMConstVector(mask, (unsigned)w->count);
  return LLVMBuildShuffleVector(w->g->builder, a, b, list, "weave");
}

// a0 b0 a1 b1 ...: the first and the second vector of it.
static void interleave_two(const Weave *w, LLVMValueRef a, LLVMValueRef b, LLVMValueRef out[2]) {
  int from[MOST_ELEMENTS];
  for (int half = 0; half < 2; half++) {
    for (int i = 0; i < w->count; i++)
      from[i] = half * w->count / 2 + i / 2 + i % 2 * w->count;
    out[half] = shuffle(w, a, b, from);
  }
}

static void deinterleave_two(const Weave *w, LLVMValueRef a, LLVMValueRef b, LLVMValueRef out[2]) {
  int from[MOST_ELEMENTS];
  for (int odd = 0; odd < 2; odd++) {
    for (int i = 0; i < w->count; i++)
      from[i] = 2 * i + odd;
    out[odd] = shuffle(w, a, b, from);
  }
}

// One vector out of three: element i is element at[i] of vector which[i].
static LLVMValueRef pick_of_three(const Weave *w, const LLVMValueRef *v, const int *which,
                                  const int *at) {
  int first[MOST_ELEMENTS], second[MOST_ELEMENTS];
  for (int i = 0; i < w->count; i++) {
    first[i] = which[i] < 2 ? which[i] * w->count + at[i] : -1;
    second[i] = which[i] < 2 ? i : w->count + at[i];
  }
  return shuffle(w, shuffle(w, v[0], v[1], first), v[2], second);
}

static void interleave(const Weave *w, LLVMValueRef *v) {
  LLVMValueRef out[MOST_PLANES], even[2], odd[2];
  int which[MOST_ELEMENTS], at[MOST_ELEMENTS];
  if (w->planes == 2) {
    interleave_two(w, v[0], v[1], out);
  } else if (w->planes == 4) {
    interleave_two(w, v[0], v[2], even);
    interleave_two(w, v[1], v[3], odd);
    interleave_two(w, even[0], odd[0], out);
    interleave_two(w, even[1], odd[1], out + 2);
  } else {
    for (int j = 0; j < 3; j++) {
      for (int i = 0; i < w->count; i++) {
        which[i] = (j * w->count + i) % 3;
        at[i] = (j * w->count + i) / 3;
      }
      out[j] = pick_of_three(w, v, which, at);
    }
  }
  for (int j = 0; j < w->planes; j++)
    v[j] = out[j];
}

static void deinterleave(const Weave *w, LLVMValueRef *v) {
  LLVMValueRef out[MOST_PLANES], low[2], high[2], even[2], odd[2];
  int which[MOST_ELEMENTS], at[MOST_ELEMENTS];
  if (w->planes == 2) {
    deinterleave_two(w, v[0], v[1], out);
  } else if (w->planes == 4) {
    deinterleave_two(w, v[0], v[1], low);
    deinterleave_two(w, v[2], v[3], high);
    deinterleave_two(w, low[0], high[0], even);
    deinterleave_two(w, low[1], high[1], odd);
    out[0] = even[0], out[1] = odd[0], out[2] = even[1], out[3] = odd[1];
  } else {
    for (int p = 0; p < 3; p++) {
      for (int i = 0; i < w->count; i++) {
        which[i] = (3 * i + p) / w->count;
        at[i] = (3 * i + p) % w->count;
      }
      out[p] = pick_of_three(w, v, which, at);
    }
  }
  for (int j = 0; j < w->planes; j++)
    v[j] = out[j];
}

static const Loop *along_planes(const Nest *nest) { return &nest->loop[nest->loop_count - 2]; }

// Vector j of the interleaved result.
static LLVMValueRef piece(Gen *g, LLVMValueRef base, int j, LLVMValueRef stride) {
  return b_step(g, base, b_scale(g, b_int(g, j), stride, "piece"), "piece");
}

LLVMValueRef weave_fits(Kernel *k, const Nest *nest) {
  Gen *g = k->g;
  int depth = nest->loop_count - 2;
  LLVMValueRef count = kernel_extent(k, nest, depth);
  if (LLVMIsConstant(count))
    return NULL;
  LLVMValueRef least = b_int(g, nest_weave_bytes(nest, &g->can) / nest->run.n);
  return LLVMBuildICmp(g->builder, LLVMIntUGE, count, least, "fits");
}

void weave_build(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst) {
  Gen *g = k->g;
  const Loop *w = along_planes(nest), *planes = w + 1;
  int64_t bytes = nest_weave_bytes(nest, &g->can);
  Weave weave = {.g = g, .planes = (int)planes->extent.n, .count = (int)(bytes / nest->run.n)};
  weave.vector = LLVMVectorType(LLVMIntTypeInContext(g->context, (unsigned)nest->run.n * 8),
                                (unsigned)weave.count);
  bool joins = rsh_equal(w->src, nest->run);
  LLVMValueRef side_by_side = b_int(g, bytes), src_piece = side_by_side, dst_piece = side_by_side;
  *(joins ? &src_piece : &dst_piece) = kernel_number(k, joins ? planes->src : planes->dst);
  LLVMValueRef first, value[MOST_PLANES];
  Part whole = {b_int(g, 0), kernel_extent(k, nest, nest->loop_count - 2)};
  Range r = b_tiles_begin(g, whole, weave.count, "w", &first);
  src = b_step(g, src, b_scale(g, first, kernel_number(k, w->src), "src_step"), "src");
  dst = b_step(g, dst, b_scale(g, first, kernel_number(k, w->dst), "dst_step"), "dst");
  for (int j = 0; j < weave.planes; j++)
    value[j] = b_load(g, weave.vector, piece(g, src, j, src_piece), nest->unit, "data");
  (joins ? interleave : deinterleave)(&weave, value);
  for (int j = 0; j < weave.planes; j++)
    b_store(g, value[j], piece(g, dst, j, dst_piece), nest->unit);
  b_range_end(g, &r);
}
