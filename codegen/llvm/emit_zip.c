// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests that fill each other's gaps (codegen/plan/zip.h): they have the same loops, which are built once, around pieces
// of pixels; the last piece overlaps the one before.
#include "codegen/llvm/gather.h"

typedef struct Zip {
  Kernel *k;
  const NestZip *zip;
  const ZipPiece *piece;
  Cursor src[MOST_ZIPPED];
  LLVMValueRef dst;
} Zip;

static LLVMTypeRef vector_type(const Zip *z, int64_t bytes) {
  int64_t grain = z->piece->grain;
  return LLVMVectorType(b_integer(z->k->g, grain * 8), (unsigned)(bytes / grain));
}

// Elements of a constant. In a plane all are equal, since a plane contains whole elements.
static LLVMValueRef fill_vector(const Zip *z, const Cursor *src) {
  LLVMValueRef byte[MOST_ELEMENTS];
  for (int64_t i = 0; i < z->piece->result; i++)
    byte[i] = b_const(z->k->g->i8, src->fill[i % src->period]);
  LLVMValueRef bytes = LLVMConstVector(byte, (unsigned)z->piece->result);
  return LLVMConstBitCast(bytes, vector_type(z, z->piece->result));
}

// The vector of a source that begins at `start`, widened to the width of the result.
static LLVMValueRef source_vector(const Zip *z, int part, int64_t start) {
  Gen *g = z->k->g;
  const ZipPiece *piece = z->piece;
  const ZipPart *p = &piece->part[part];
  int width = (int)(piece->result / piece->grain), count = (int)(p->vector / piece->grain);
  if (p->is_fill)
    return fill_vector(z, &z->src[part]);
  LLVMValueRef at = b_step(g, z->src[part].at, b_int(g, p->first + start), "src");
  LLVMValueRef data = b_load(g, vector_type(z, p->vector), at, z->zip->nest[part].unit, "data");
  return count < width ? b_resize(g, data, 0, count, width, "data") : data;
}

static void store(const Zip *z, LLVMValueRef vector, int64_t at) {
  Gen *g = z->k->g;
  LLVMValueRef to = b_step(g, z->dst, b_int(g, at), "dst");
  b_put(g, vector, to, z->piece->result, z->zip->nest->unit);
}

static LLVMValueRef gathered(const Zip *z, int64_t begin) {
  const ZipPiece *piece = z->piece;
  Gather gather = {.width = (int)(piece->result / piece->grain)};
  int part[MOST_SHUFFLE_VECTORS];
  int64_t start[MOST_SHUFFLE_VECTORS];
  for (int i = 0; i < gather.width; i++) {
    int from, v = 0;
    int64_t src = zip_source(piece, begin + i * piece->grain, &from);
    bool is_fill = piece->part[from].is_fill;
    if (is_fill)
      src %= z->src[from].period;
    int64_t place = is_fill ? 0 : zip_load(piece, begin, from, src);
    while (v < gather.count && (part[v] != from || start[v] != place))
      v++;
    if (v == gather.count) {
      part[v] = from, start[v] = place;
      gather.vector[gather.count++] = source_vector(z, from, place);
    }
    gather.which[i] = v;
    gather.place[i] = (int)((src - place) / piece->grain);
  }
  return gather_build(z->k->g, &gather);
}

// Loads the plane of a vector that begins at `at`, or the three planes of a part with pixels. Returns their number.
static int load_planes(const Zip *z, int64_t at, LLVMValueRef *plane) {
  const ZipPiece *piece = z->piece;
  int part;
  (void)zip_source(piece, at, &part);
  int count = zip_is_pixels(piece, &piece->part[part]) ? 3 : 1;
  for (int i = 0; i < count; i++)
    plane[i] = source_vector(z, part, i * piece->result);
  if (count > 1)
    weave_planes(z->k->g, count, (int)piece->count, piece->grain, false, plane);
  return count;
}

static void build_piece(const Zip *z) {
  const ZipPiece *piece = z->piece;
  LLVMValueRef plane[4];
  for (int64_t at = 0; piece->planes == 0 && at < piece->count * piece->pixel; at += piece->result)
    store(z, gathered(z, at), at);
  for (int i = 0; i < piece->planes;)
    i += load_planes(z, i * piece->grain, &plane[i]);
  if (piece->planes > 0)
    weave_planes(z->k->g, piece->planes, (int)piece->count, piece->grain, true, plane);
  for (int i = 0; i < piece->planes; i++)
    store(z, plane[i], i * piece->result);
}

static void step(Zip *z, int depth, LLVMValueRef index) {
  Gen *g = z->k->g;
  z->dst = b_at(g, z->dst, index, kernel_number(z->k, z->zip->nest->loop[depth].dst), "dst");
  for (int i = 0; i < z->zip->count; i++) {
    rsh_num stride = z->zip->nest[i].loop[depth].src;
    if (!z->piece->part[i].is_fill)
      z->src[i] = cursor_step(g, z->src[i], b_scale(g, index, kernel_number(z->k, stride), "step"));
  }
}

static void build_at(void *of, LLVMValueRef index) {
  Zip inside = *(Zip *)of;
  step(&inside, inside.zip->nest->loop_count - 1, index);
  build_piece(&inside);
}

static void build_loops(Zip *z, int depth) {
  Gen *g = z->k->g;
  LLVMValueRef extent = kernel_extent(z->k, z->zip->nest, depth), first;
  Zip inside = *z;
  if (depth + 1 < z->zip->nest->loop_count) {
    Repeat r = b_repeat_begin(g, extent, 1, "i");
    r.is_left = true;
    step(&inside, depth, r.index);
    build_loops(&inside, depth + 1);
    b_repeat_end(g, &r);
    return;
  }
  if (g->streaming) {
    stream_row(g, extent, z->piece->count, build_at, z);
    return;
  }
  Part whole = {b_int(g, 0), extent};
  Range r = b_tiles_begin(g, whole, z->piece->count, "pixels", &first);
  step(&inside, depth, first);
  build_piece(&inside);
  b_range_end(g, &r);
}

// Uses non-temporal stores, if that is possible and faster.
static void build_large(Zip *z) {
  Gen *g = z->k->g;
  const Nest *nest = z->zip->nest;
  LLVMValueRef good = is_stream_profitable(z->k, nest, nest->loop_count - 1, z->piece->pixel,
                                           z->piece->result, z->zip->past, z->dst);
  Fork fork = b_fork(g, good, "stream", "plain", "end");
  g->streaming = true;
  build_loops(z, 0);
  g->streaming = false;
  b_intrinsic(g, "llvm.x86.sse.sfence", NULL, 0, NULL, 0, "");
  b_fork_else(g, &fork);
  build_loops(z, 0);
  b_fork_end(g, &fork);
}

// Whether rows are at least as long as a piece; NULL: they are.
static LLVMValueRef fits(Kernel *k, const NestZip *zip, const ZipPiece *piece) {
  LLVMValueRef extent = kernel_extent(k, zip->nest, zip->nest->loop_count - 1);
  if (LLVMIsConstant(extent))
    return NULL;
  return LLVMBuildICmp(k->g->builder, LLVMIntUGE, extent, b_int(k->g, piece->count), "fits");
}

// The start of a nest's loops in the result.
static LLVMValueRef start_of(Kernel *k, const Nest *nest, LLVMValueRef out) {
  LLVMValueRef offset = kernel_number(k, nest->dst_offset);
  if (k->portion)
    offset = kernel_past_begin(k, offset, nest->loop[k->portion->depth].dst);
  return b_step(k->g, out, offset, "dst");
}

static Cursor source_of(Kernel *k, const Nest *nest) {
  LLVMValueRef offset = kernel_number(k, nest->src_offset);
  if (k->portion)
    offset = kernel_past_begin(k, offset, nest->loop[k->portion->depth].src);
  return cursor_step(k->g, kernel_cursor(k, nest->source), offset);
}

void zip_build(Kernel *k, const NestZip *zip, const ZipPiece *piece, LLVMValueRef out) {
  Gen *g = k->g;
  Zip z = {.k = k, .zip = zip, .piece = piece};
  z.dst = start_of(k, zip->nest, out);
  for (int i = 0; i < zip->count; i++)
    z.src[i] = source_of(k, &zip->nest[i]);
  Fork fork = b_fork(g, fits(k, zip, piece), "vectors", "small", "done");
  if (piece->streams)
    build_large(&z);
  else
    build_loops(&z, 0);
  if (b_fork_else(g, &fork))
    for (int i = 0; i < zip->count; i++)
      kernel_build_loops(k, &zip->nest[i], 0, z.src[i], start_of(k, &zip->nest[i], out));
  b_fork_end(g, &fork);
}
