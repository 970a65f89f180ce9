// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interleaving and deinterleaving: planes to pixels, pixels to planes. The two innermost loops of the nest are `w`,
// along the planes, and `k`, across 2, 3 or 4 planes:
//
//   interleave     w: dst 3, src 1; k: dst 1, src P     r0 r1 ..., g0 g1 ..., b0 b1 ...  ->  r0 g0 b0 r1 ...
//   deinterleave   w: dst 1, src 3; k: dst P, src 1     the other way
//
// k vectors are loaded, shuffled and stored at a time; the last ones overlap those before. Loops over single elements
// are not left to LLVM's vectorisers here, as they use gathers for them.
#include "codegen/llvm/gather.h"

enum { MOST_PLANES = 4 };

typedef struct Weave {
  Gen *g;
  int planes, count; // planes, and elements of a vector
  bool joins;        // planes to pixels
  LLVMTypeRef vector;
} Weave;

// Makes two vectors from two others:
//
//   joins        a0 a1 a2 a3, b0 b1 b2 b3   ->   a0 b0 a1 b1, a2 b2 a3 b3
//   otherwise    a0 a1 a2 a3, b0 b1 b2 b3   ->   a0 a2 b0 b2, a1 a3 b1 b3
static void weave_two(const Weave *w, LLVMValueRef a, LLVMValueRef b, LLVMValueRef out[2]) {
  int from[MOST_ELEMENTS];
  for (int n = 0; n < 2; n++) {
    for (int i = 0; i < w->count; i++)
      from[i] = w->joins ? n * w->count / 2 + i / 2 + i % 2 * w->count : 2 * i + n;
    out[n] = b_shuffle(w->g, a, b, from, w->count, "weave");
  }
}

// Vector `out` of the three made from three others. Its element i is element `at` of vector `which`.
static LLVMValueRef pick_of_three(const Weave *w, const LLVMValueRef *v, int out) {
  int first[MOST_ELEMENTS], second[MOST_ELEMENTS];
  for (int i = 0; i < w->count; i++) {
    int n = w->joins ? out * w->count + i : 3 * i + out;
    int which = w->joins ? n % 3 : n / w->count, at = w->joins ? n / 3 : n % w->count;
    first[i] = which < 2 ? which * w->count + at : -1;
    second[i] = which < 2 ? i : w->count + at;
  }
  LLVMValueRef two = b_shuffle(w->g, v[0], v[1], first, w->count, "weave");
  return b_shuffle(w->g, two, v[2], second, w->count, "weave");
}

// Planes to pixels, or pixels to planes.
static void weave_all(const Weave *w, LLVMValueRef *v) {
  LLVMValueRef out[MOST_PLANES], half[4];
  if (w->planes == 2) {
    weave_two(w, v[0], v[1], out);
  } else if (w->planes == 4) {
    weave_two(w, v[0], v[w->joins ? 2 : 1], half);
    weave_two(w, v[w->joins ? 1 : 2], v[3], half + 2);
    weave_two(w, half[0], half[2], out);
    weave_two(w, half[1], half[3], out + 2);
    if (!w->joins) { // even elements of both halves come first: planes 0 and 2, then 1 and 3
      LLVMValueRef second = out[1];
      out[1] = out[2], out[2] = second;
    }
  } else {
    for (int i = 0; i < 3; i++)
      out[i] = pick_of_three(w, v, i);
  }
  for (int i = 0; i < w->planes; i++)
    v[i] = out[i];
}

void weave_planes(Gen *g, int planes, int count, LLVMValueRef *vector) {
  const Weave weave = {.g = g, .planes = planes, .count = count, .joins = true};
  weave_all(&weave, vector);
}

LLVMValueRef weave_fits(Kernel *k, const Nest *nest) {
  return b_fits(k->g, kernel_extent(k, nest, nest->loop_count - 2),
                nest_weave_bytes(nest, &k->g->can) / nest->run.n);
}

void weave_build(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst) {
  Gen *g = k->g;
  const Loop *w = &nest->loop[nest->loop_count - 2], *planes = w + 1;
  int64_t bytes = nest_weave_bytes(nest, &g->can);
  bool joins = rsh_equal(w->src, nest->run);
  Weave weave = {g, (int)planes->extent.n, (int)(bytes / nest->run.n), joins, NULL};
  weave.vector = b_vector(g, nest->run.n * 8, weave.count);
  LLVMValueRef side_by_side = b_int(g, bytes), src_piece = side_by_side, dst_piece = side_by_side;
  *(joins ? &src_piece : &dst_piece) = kernel_number(k, joins ? planes->src : planes->dst);
  LLVMValueRef first, value[MOST_PLANES];
  Part whole = {b_int(g, 0), kernel_extent(k, nest, nest->loop_count - 2)};
  Range r = b_tiles_begin(g, whole, weave.count, "w", &first);
  src = b_at(g, src, first, kernel_number(k, w->src), "src");
  dst = b_at(g, dst, first, kernel_number(k, w->dst), "dst");
  for (int j = 0; j < weave.planes; j++)
    value[j] =
        b_load(g, weave.vector, b_at(g, src, b_int(g, j), src_piece, "piece"), nest->unit, "data");
  weave_all(&weave, value);
  for (int j = 0; j < weave.planes; j++) {
    if (nest_elements(nest).map)
      value[j] = elementwise_build_vector(k, nest, value[j]);
    b_store(g, value[j], b_at(g, dst, b_int(g, j), dst_piece, "piece"), nest->unit);
  }
  b_range_end(g, &r);
}
