// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interleaving and deinterleaving: planes to pixels, pixels to planes. The two innermost loops of the nest are `w`,
// along the planes, and `k`, across 2, 3 or 4 planes:
//
//   interleave     w: dst 3, src 1; k: dst 1, src P     r0 r1 ..., g0 g1 ..., b0 b1 ...  ->  r0 g0 b0 r1 ...
//   deinterleave   w: dst 1, src 3; k: dst P, src 1     the reverse
//
// k vectors are loaded, shuffled and stored at a time; the last ones overlap those before. LLVM's vectorizers would use
// gathers for loops over single elements.
#include "codegen/llvm/gather.h"

enum { MOST_PLANES = 4 };

typedef struct Weave {
  Gen *g;
  int planes, count; // planes, and elements of a vector
  bool joins;        // planes to pixels
  bool in_rounds;    // see weaves_in_rounds
  LLVMTypeRef vector;
} Weave;

// Combines two vectors into two others:
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

// Result vector `out` of three, from three others. Its element i is element `at` of vector `which`.
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

// Half of the bytes of a vector, each in the lower byte of an element of two.
static LLVMValueRef half_of(const Weave *w, LLVMValueRef v, bool is_upper) {
  int half = w->count / 2;
  LLVMValueRef bytes = b_resize(w->g, v, is_upper ? half : 0, half, half, "half");
  return LLVMBuildZExt(w->g->builder, bytes, b_vector(w->g, 16, half), "wide");
}

// Interleaves the elements of half a vector with those of the other half of another vector.
static LLVMValueRef merge_wide(const Weave *w, LLVMValueRef a, LLVMValueRef b, bool is_upper) {
  int from[MOST_ELEMENTS], half = w->count / 2;
  for (int i = 0; i < w->count; i++)
    from[i] = i / 2 + (i % 2 == 0 ? 0 : w->count) + ((i % 2 == 0) == is_upper ? half : 0);
  return b_shuffle(w->g, a, b, from, w->count, "weave");
}

// The same for bytes. For a shuffle, LLVM emits twice as many instructions.
static LLVMValueRef merge_bytes(const Weave *w, LLVMValueRef a, LLVMValueRef b, bool is_upper) {
  LLVMBuilderRef builder = w->g->builder;
  LLVMValueRef even = half_of(w, a, is_upper), odd = half_of(w, b, !is_upper);
  LLVMValueRef upper = LLVMBuildShl(
      builder, odd, b_splat(LLVMInt16TypeInContext(w->g->context), 8, w->count / 2), "upper");
  LLVMValueRef both = LLVMBuildOr(builder, even, upper, "both");
  return LLVMBuildBitCast(builder, both, b_vector(w->g, 8, w->count), "weave");
}

// Vector `o` of all pixels, with every other byte from two of them: first those at even places.
static LLVMValueRef split(const Weave *w, const LLVMValueRef *v, int o) {
  int from[MOST_ELEMENTS], half = 3 * w->count / 2, first = o == 1 ? 2 : o / 2;
  for (int i = 0; i < w->count; i++) {
    int n = o * w->count + i, src = n % half * 2 + n / half;
    from[i] = src % w->count + (src / w->count == first ? 0 : w->count);
  }
  return b_shuffle(w->g, v[first], v[o == 1 ? 0 : o / 2 + 1], from, w->count, "weave");
}

// Three planes to pixels, or the reverse, by instructions that merge two vectors: each round interleaves the two halves
// of all elements, or reverses that.
//
//   pixels to planes, 4 of 3     r0 g0 b0 r1 g1 b1 | r2 g2 b2 r3 g3 b3   ->   r0 r2 g0 g2 b0 b2 | r1 r3 g1 g3 b1 b3
//                                                                        ->   r0 r1 r2 r3 g0 g1 | g2 g3 b0 b1 b2 b3
static void weave_in_rounds(const Weave *w, LLVMValueRef *v) {
  enum { BYTES = 16 }; // of a vector
  LLVMValueRef (*merge)(const Weave *, LLVMValueRef, LLVMValueRef, bool) =
      w->count == BYTES ? merge_bytes : merge_wide;
  for (int left = w->count; left > 1; left /= 2) {
    LLVMValueRef out[3];
    for (int o = 0; o < 3; o++)
      out[o] = w->joins ? split(w, v, o) : merge(w, v[o / 2], v[(o + 3) / 2], o == 1);
    for (int o = 0; o < 3; o++)
      v[o] = out[o];
  }
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
  } else if (w->in_rounds) {
    weave_in_rounds(w, v);
    return;
  } else {
    for (int i = 0; i < 3; i++)
      out[i] = pick_of_three(w, v, i);
  }
  for (int i = 0; i < w->planes; i++)
    v[i] = out[i];
}

void weave_planes(Gen *g, int planes, int count, int64_t element, bool joins,
                  LLVMValueRef *vector) {
  const Weave weave = {.g = g,
                       .planes = planes,
                       .count = count,
                       .joins = joins,
                       .in_rounds = weaves_in_rounds(&g->can, element, joins)};
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
  bool joins = nest_joins(nest);
  Weave weave = {.g = g,
                 .planes = (int)planes->extent.n,
                 .count = (int)(bytes / nest->run.n),
                 .joins = joins,
                 .in_rounds = weaves_in_rounds(&g->can, nest->run.n, joins)};
  weave.vector = b_vector(g, nest->run.n * 8, weave.count);
  int64_t read = nest_read_bytes(nest);
  bool narrows = read > nest->run.n;
  uint32_t align = nest->woven ? kernel_source_align(k, nest) : nest->unit;
  LLVMTypeRef loaded = b_vector(g, read * 8, weave.count);
  LLVMValueRef src_piece = b_int(g, weave.count * read), dst_piece = b_int(g, bytes);
  *(joins ? &src_piece : &dst_piece) = kernel_number(k, joins ? planes->src : planes->dst);
  LLVMValueRef first, value[MOST_PLANES];
  Part whole = {b_int(g, 0), kernel_extent(k, nest, nest->loop_count - 2)};
  Range r = b_tiles_begin(g, whole, weave.count, "w", &first);
  src = b_at(g, src, first, kernel_number(k, w->src), "src");
  dst = b_at(g, dst, first, kernel_number(k, w->dst), "dst");
  for (int j = 0; j < weave.planes; j++) {
    LLVMValueRef from = b_at(g, src, b_int(g, j), src_piece, "piece");
    value[j] = b_load(g, loaded, from, align, "data");
    if (narrows)
      value[j] = elementwise_build_vector(k, nest, value[j]);
  }
  weave_all(&weave, value);
  for (int j = 0; j < weave.planes; j++) {
    if (nest_elements(nest).map && !narrows)
      value[j] = elementwise_build_vector(k, nest, value[j]);
    b_store(g, value[j], b_at(g, dst, b_int(g, j), dst_piece, "piece"), nest->unit);
  }
  b_range_end(g, &r);
}
