// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tile transpose: the two innermost loops of a nest, one contiguous in the destination (`across`, dst == run) and
// one contiguous in the source (`along`, src == run), as tiles in registers.
//
// A register consists of lanes of 16 bytes. Lane l of register k holds 16 bytes of the source, e = 16 / run elements,
// from row e*l + k. Rounds of interleaving, first single elements of two rows, then pairs of elements of four rows, and
// so on, transpose the e x e elements of each lane. Then each register is contiguous in the destination:
//
//   f32, 2 lanes    0: a0 a1 a2 a3 | e0 e1 e2 e3        0: a0 b0 c0 d0 | e0 f0 g0 h0
//                   1: b0 b1 b2 b3 | f0 f1 f2 f3   ->   1: a1 b1 c1 d1 | e1 f1 g1 h1
//                   2: c0 c1 c2 c3 | g0 g1 g2 g3        2: a2 b2 c2 d2 | e2 f2 g2 h2
//                   3: d0 d1 d2 d3 | h0 h1 h2 h3        3: a3 b3 c3 d3 | e3 f3 g3 h3
//
// Rows are loaded when a round needs them, and a register is stored as soon as it is complete, so that few registers
// are live at a time: 16 rows of bytes would otherwise fill all registers of AVX2 and SSE2.
//
// No shuffle crosses lanes, so one plan serves SSE2, NEON, AVX2 and AVX-512. With four lanes and elements of 4 bytes or
// more, whole cache lines of the source fit the registers: a square tile, whose lanes are transposed at the end; or
// half lines, if only few rows of the destination should be written alternately. The last tile of a row or column
// overlaps the one before it, or is narrower.
//
// Elements whose size is no power of two are padded: a load spreads them, and a store packs them again.
//
//   pixels of 3 bytes    r0 g0 b0 r1 g1 b1 r2 g2 b2 r3 g3 b3    r0 g0 b0 -- r1 g1 b1 -- r2 g2 b2 -- r3 g3 b3 --
//
// If one side has pixels and the other has planes (TileForm), padded pixels are transposed by element. Registers of
// padding are not stored, or not loaded.
//
//   u8[16, 4, 3] to [3, 4, 16]    registers 0: r0 of 16 rows, 1: g0, 2: b0, 3: padding, 4: r1 ...
#include "codegen/llvm/emit_ahead.h"
#include "codegen/llvm/llvm_module.h"
#include "codegen/plan/tile_shape.h"
#include "codegen/plan/processor.h"

enum { LANE = TILE_LANE, MOST_LANES = MOST_TILE_LANES, MOST_ELEMENTS = 16 };

// Element (row, column) is at base + row * across + column * along, in bytes. Rows are iterations of the loop that is
// contiguous in the destination, columns of the one contiguous in the source.
typedef struct Side {
  LLVMValueRef base, along, across;
} Side;

// A transposition and its tiles. Counts are elements.
typedef struct Tiling {
  Gen *g;
  Kernel *k;
  const Nest *nest;           // its chain of functions is applied to the elements, if it has one
  LLVMValueRef along, across; // extents
  Side src, dst;
  int64_t element;        // bytes, in registers: of the narrower side, or padded
  int64_t read, written;  // bytes of an element on either side
  int64_t padded, dense;  // bytes of a padded element or pixel: in registers, and without padding
  bool spreads, squeezes; // padding is inserted after loads, and removed before stores
  int64_t planes;         // 1: none
  LLVMValueRef plane;     // their distance, on the side that has them
  int64_t apart, joined;  // elements of a pixel of the source, and of the result; 1: no pixels
  bool narrows;    // the chain of functions is applied to rows of the source, not of the result
  bool in_vectors; // else a register is one element
  uint32_t align, read_align; // of the result and of the source
  int elements, lanes;        // of a register; `elements` is per lane
  bool is_square, is_half;    // a tile reads whole lines of the source, or half lines
  int64_t tile_along, tile_across;
  int64_t strip; // rows of the destination that are written alternately
  int skipped;   // rows of a tile that another tile writes
  int64_t block_along, block_across;
  LLVMValueRef
      buffer; // for the rows of a block, `buffer_pitch` apart; NULL: they are read in place
  int64_t buffer_pitch;
  bool reads_ahead, reads_near;
  const Round *around; // the enclosing loops, if it prefetches
} Tiling;

// A block of a transposition, and its position among all blocks.
typedef struct Block {
  Part along, across;
  Round column, row;
} Block;

// Within each lane, interleaves the first or the second halves of a and b, `unit` elements at a time: for 2, a0 a1 b0
// b1.
static LLVMValueRef interleave(const Tiling *t, LLVMValueRef a, LLVMValueRef b, int unit,
                               bool second) {
  int from[MOST_LANES * LANE], count = t->elements * t->lanes;
  for (int i = 0; i < count; i++) {
    int lane = i / t->elements, at = i % t->elements, unit_index = at / unit;
    int half = lane * t->elements + (second ? t->elements / 2 : 0);
    from[i] = half + unit_index / 2 * unit + at % unit + unit_index % 2 * count;
  }
  return b_shuffle(t->g, a, b, from, count, "mix");
}

// base + index * stride; the stride may be symbolic.
static LLVMValueRef far(Gen *g, LLVMValueRef base, int64_t index, LLVMValueRef stride) {
  return index == 0 ? base : b_at(g, base, b_int(g, index), stride, "far");
}

// The next row. Stepping from row to row needs only one register if the stride is symbolic.
static LLVMValueRef next_row(Gen *g, LLVMValueRef row, LLVMValueRef stride) {
  return b_step(g, row, stride, "row");
}

// Rows 0, apart, 2 * apart ..., counted from `base`.
static void first_rows(const Tiling *t, LLVMValueRef base, LLVMValueRef stride, int apart,
                       int count, LLVMValueRef row[MOST_LANES]) {
  LLVMValueRef step = b_scale(t->g, b_int(t->g, apart), stride, "far");
  row[0] = base;
  for (int i = 1; i < count; i++)
    row[i] = next_row(t->g, row[i - 1], step);
}

// Rows of the source as registers of one or several pieces each.
typedef struct Rows {
  int elements;                  // of a piece
  LLVMValueRef next[MOST_LANES]; // addresses of the pieces of the next register, or of its pixels
  LLVMValueRef pitch;
  int pieces, loaded; // pieces of a register; registers so far
} Rows;

// The buffer has elements of the narrower side.
static uint32_t buffer_align(const Tiling *t) { return t->narrows ? t->align : t->read_align; }

// Bytes of a lane that are no padding.
static int64_t dense_in_lane(const Tiling *t) { return LANE / t->padded * t->dense; }

// `count` elements of the source, or of the buffer; a lane of them if they are spread.
static LLVMTypeRef elements_type(const Tiling *t, int64_t count, bool is_source) {
  if (!t->in_vectors)
    return b_integer(t->g, 8 * t->read);
  if (is_source && t->narrows)
    return b_vector(t->g, 8 * t->read, t->spreads ? dense_in_lane(t) / t->element : count);
  return b_vector(t->g, 8 * t->element, count);
}

static LLVMValueRef as_bytes(const Tiling *t, LLVMValueRef value, int64_t count) {
  return LLVMBuildBitCast(t->g->builder, value, b_vector(t->g, 8, count), "bytes");
}

static LLVMValueRef as_elements(const Tiling *t, LLVMValueRef bytes, int64_t count) {
  LLVMTypeRef type = b_vector(t->g, 8 * t->element, count / t->element);
  return LLVMBuildBitCast(t->g->builder, bytes, type, "elements");
}

// The elements of one lane with their padding; `bytes` are all of them, or two halves of 8 bytes that overlap.
static LLVMValueRef spread(const Tiling *t, LLVMValueRef bytes, bool are_halves) {
  int from[LANE], dense = (int)dense_in_lane(t);
  for (int i = 0; i < LANE; i++) {
    int64_t at = i % t->padded, place = i / t->padded * t->dense + at;
    bool is_second = are_halves && place >= LANE / 2;
    from[i] = at < t->dense ? (int)place + (is_second ? LANE - dense : 0) : -1;
  }
  bytes = b_shuffle(t->g, bytes, LLVMGetPoison(LLVMTypeOf(bytes)), from, LANE, "spread");
  return as_elements(t, bytes, LANE);
}

// Loads the elements of a lane, of which there are more than half a lane, and at most a lane.
static LLVMValueRef load_spread(const Tiling *t, LLVMValueRef from, uint32_t align) {
  Gen *g = t->g;
  LLVMTypeRef half = b_vector(g, 8, LANE / 2);
  LLVMValueRef second = b_step(g, from, b_int(g, dense_in_lane(t) - LANE / 2), "second");
  LLVMValueRef a = b_load(g, half, from, align, "half"), b;
  b = b_load(g, half, second, align, "half");
  return spread(t, b_join(g, a, b, "halves"), true);
}

// The elements of a register without their padding: first within each lane, then of all lanes.
static LLVMValueRef squeeze(const Tiling *t, LLVMValueRef value) {
  int in_lane[MOST_LANES * LANE], joined[MOST_LANES * LANE];
  int all = t->lanes * LANE, kept = (int)dense_in_lane(t);
  for (int i = 0; i < all; i++) {
    int64_t at = i % LANE, from = at / t->dense * t->padded + at % t->dense;
    in_lane[i] = at < kept ? (int)(i / LANE * LANE + from) : -1;
  }
  for (int i = 0; i < t->lanes * kept; i++)
    joined[i] = i / kept * LANE + i % kept;
  LLVMValueRef bytes = as_bytes(t, value, all);
  bytes = b_shuffle(t->g, bytes, LLVMGetPoison(LLVMTypeOf(bytes)), in_lane, all, "dense");
  return b_shuffle(t->g, bytes, LLVMGetPoison(LLVMTypeOf(bytes)), joined, t->lanes * kept, "dense");
}

// `count` elements of the source, as they are in registers.
static LLVMValueRef load_elements(const Tiling *t, int64_t count, LLVMValueRef from) {
  if (t->spreads && !t->narrows)
    return load_spread(t, from, t->read_align);
  LLVMValueRef data = b_load(t->g, elements_type(t, count, true), from, t->read_align, "piece");
  if (!t->narrows)
    return data;
  data = elementwise_build_vector(t->k, t->nest, data);
  return t->spreads ? spread(t, as_bytes(t, data, dense_in_lane(t)), false) : data;
}

// Pieces of `elements` each, from rows that are `apart` rows apart.
static Rows rows_begin(const Tiling *t, LLVMValueRef src, LLVMValueRef pitch, int elements,
                       int pieces, int apart) {
  Rows rows = {.elements = elements, .pitch = pitch, .pieces = pieces};
  first_rows(t, src, pitch, apart, pieces, rows.next);
  return rows;
}

// Loads the next register; padding of pixels has no rows.
static LLVMValueRef load_register(const Tiling *t, Rows *rows) {
  LLVMValueRef part[MOST_LANES];
  int64_t plane = rows->loaded++ % t->joined;
  bool is_last = plane == t->joined - 1;
  for (int i = 0; i < rows->pieces; i++) {
    if (plane < t->planes) {
      LLVMValueRef at = far(t->g, rows->next[i], plane, t->plane);
      part[i] = t->buffer ? b_load(t->g, elements_type(t, rows->elements, false), at,
                                   buffer_align(t), "piece")
                          : load_elements(t, rows->elements, at);
    } else {
      part[i] = LLVMGetPoison(elements_type(t, t->elements, false));
    }
    if (is_last)
      rows->next[i] = next_row(t->g, rows->next[i], rows->pitch);
  }
  return b_join_all(t->g, part, rows->pieces, "lanes");
}

static void store_register(const Tiling *t, LLVMValueRef value, LLVMValueRef to) {
  bool has_map = t->nest->tiles.map;
  int64_t bytes = (int64_t)t->lanes * t->elements * t->written;
  if (t->squeezes) {
    int64_t kept = t->lanes * dense_in_lane(t);
    value = squeeze(t, value);
    value = has_map ? as_elements(t, value, kept) : value;
    bytes = has_map ? kept / t->element * t->written : kept;
  }
  if (has_map && !t->narrows)
    value = elementwise_build_vector(t->k, t->nest, value);
  b_put(t->g, value, to, bytes, t->align);
}

// The line of the result that register `k` of a part writes, given the first line of its pixel; NULL: none.
static LLVMValueRef line_of(const Tiling *t, int k, LLVMValueRef *pixel) {
  int64_t plane = k % t->apart;
  bool is_written = k >= t->skipped && plane < t->planes;
  LLVMValueRef line = is_written ? far(t->g, *pixel, plane, t->plane) : NULL;
  if (plane == t->apart - 1)
    *pixel = next_row(t->g, *pixel, t->dst.along);
  return line;
}

// Register k of `count`, a power of two, after the last round; each half of `row` is transposed.
static LLVMValueRef last_round(const Tiling *t, const LLVMValueRef *row, int count, int k) {
  int half = count / 2;
  return half == 0 ? row[k] : interleave(t, row[k / 2], row[k / 2 + half], half, k % 2);
}

static void load_transposed(const Tiling *t, Rows *rows, LLVMValueRef *row, int count);

// Loads the next registers and does all rounds but the last.
static void load_halves(const Tiling *t, Rows *rows, LLVMValueRef *row, int count) {
  if (count == 1) {
    row[0] = load_register(t, rows);
    return;
  }
  load_transposed(t, rows, row, count / 2);
  load_transposed(t, rows, row + count / 2, count / 2);
}

// Loads the next registers and transposes each of their lanes.
static void load_transposed(const Tiling *t, Rows *rows, LLVMValueRef *row, int count) {
  LLVMValueRef mixed[MOST_ELEMENTS];
  load_halves(t, rows, row, count);
  for (int k = 0; k < count; k++)
    mixed[k] = last_round(t, row, count, k);
  for (int k = 0; k < count; k++)
    row[k] = mixed[k];
}

// Four of the eight lanes of two registers.
static LLVMValueRef take_lanes(const Tiling *t, LLVMValueRef a, LLVMValueRef b,
                               const int lane[MOST_LANES]) {
  int from[MOST_LANES * LANE], count = t->elements * MOST_LANES;
  for (int i = 0; i < count; i++)
    from[i] = lane[i / t->elements] * t->elements + i % t->elements;
  return b_shuffle(t->g, a, b, from, count, "lanes");
}

// Every other lane, starting with lane `first`: a0 a2 b0 b2.
static LLVMValueRef pick_lanes(const Tiling *t, LLVMValueRef a, LLVMValueRef b, int first) {
  return take_lanes(t, a, b, (int[]){first, first + 2, first + 4, first + 6});
}

// Lines of the source as registers: first each lane is transposed within its group of e rows, then the lanes of four
// groups are transposed.
static void build_square_tile(const Tiling *t, LLVMValueRef src, LLVMValueRef pitch,
                              LLVMValueRef dst) {
  Gen *g = t->g;
  int e = t->elements;
  LLVMValueRef row[MOST_ELEMENTS], to[MOST_LANES];
  Rows lines = rows_begin(t, src, pitch, e * MOST_LANES, 1, 0);
  for (int group = 0; group < MOST_LANES; group++)
    load_transposed(t, &lines, row + group * e, e);
  first_rows(t, dst, t->dst.along, e, MOST_LANES, to);
  for (int k = 0; k < e; k++) {
    LLVMValueRef even[2], odd[2];
    for (int half = 0; half < 2; half++) {
      LLVMValueRef a = row[2 * half * e + k], b = row[(2 * half + 1) * e + k];
      even[half] = pick_lanes(t, a, b, 0);
      odd[half] = pick_lanes(t, a, b, 1);
    }
    for (int lane = 0; lane < MOST_LANES; lane++) {
      const LLVMValueRef *from = lane % 2 ? odd : even;
      LLVMValueRef picked = pick_lanes(t, from[0], from[1], lane / 2);
      store_register(t, picked, to[lane]);
      to[lane] = next_row(g, to[lane], t->dst.along);
    }
  }
}

// Half lines of the source, two per register: rows r and r + 2e. So e registers hold rows 0 to e and 2e to 3e, and the
// other e hold the rest. Adjacent lanes of the destination are every other lane of two registers.
//
//   f32   0: a0 ... d0 | a4 ... d4 | i0 ... l0 | i4 ... l4        a0 ... d0 | e0 ... h0 | i0 ... l0 | m0 ... p0
//         4: e0 ... h0 | e4 ... h4 | m0 ... p0 | m4 ... p4   ->   a4 ... d4 | e4 ... h4 | i4 ... l4 | m4 ... p4
static void build_half_tile(const Tiling *t, LLVMValueRef src, LLVMValueRef pitch,
                            LLVMValueRef dst) {
  Gen *g = t->g;
  int e = t->elements;
  LLVMValueRef row[MOST_ELEMENTS], to[MOST_LANES];
  Rows halves = rows_begin(t, src, pitch, 2 * e, 2, 2 * e);
  load_transposed(t, &halves, row, e);
  load_transposed(t, &halves, row + e, e);
  first_rows(t, dst, t->dst.along, e, 2, to);
  for (int k = 0; k < e; k++)
    for (int i = 0; i < 2; i++) {
      // a0 b0 a2 b2
      store_register(t, take_lanes(t, row[k], row[e + k], (int[]){i, i + 4, i + 2, i + 6}), to[i]);
      to[i] = next_row(g, to[i], t->dst.along);
    }
}

// The registers of some rows of a tile: a part of each of its destination lines.
typedef struct TilePart {
  LLVMValueRef row[MOST_ELEMENTS]; // before the last round
} TilePart;

static TilePart load_part(const Tiling *t, LLVMValueRef src, LLVMValueRef pitch, int64_t first) {
  TilePart part;
  int apart = (int)(t->elements / t->joined);
  Rows lanes = rows_begin(t, far(t->g, src, first, pitch), pitch, t->elements, t->lanes, apart);
  load_halves(t, &lanes, part.row, t->elements);
  return part;
}

static void store_part(const Tiling *t, const TilePart *part, int k, LLVMValueRef to) {
  store_register(t, last_round(t, part->row, t->elements, k), to);
}

// Rows, or pixels of the result, of a part.
static int part_rows(const Tiling *t) { return (int)(t->elements * t->lanes / t->joined); }

// Whether the registers of the target hold all parts of a tile.
static bool registers_hold_lines(const Tiling *t) {
  // AVX-512 has 32 registers; other targets have 16, half of which are needed for the rounds.
  enum { MOST = 32, FEW = 8 };
  int64_t count = t->tile_across / t->lanes;
  return count <= (t->g->can.vector == CACHE_LINE ? MOST : FEW);
}

// Writes all parts of a line consecutively. Writing other lines in between is slower if rows are not aligned to cache
// lines; with non-temporal stores, write-combining buffers would be flushed before they are full. So all parts of a
// tile are loaded before the first is stored; if there are too few registers, most are spilled to the stack.
static void build_whole_lines(const Tiling *t, LLVMValueRef src, LLVMValueRef pitch,
                              LLVMValueRef dst) {
  Gen *g = t->g;
  int rows = part_rows(t), count = (int)(t->tile_across / rows);
  TilePart part[MOST_LANES];
  for (int i = 0; i < count; i++)
    part[i] = load_part(t, src, pitch, (int64_t)i * rows);
  for (int k = 0; k < t->elements; k++) {
    LLVMValueRef line = line_of(t, k, &dst);
    for (int i = 0; i < count && line; i++)
      store_part(t, &part[i], k, far(g, line, (int64_t)i * rows, t->dst.across));
  }
}

// `src` and `dst` are the first element of the tile. If a line of the destination takes several registers, they are
// built one after the other.
static void build_tile(const Tiling *t, LLVMValueRef src, LLVMValueRef pitch, LLVMValueRef dst) {
  Gen *g = t->g;
  if (t->is_square) {
    (t->is_half ? build_half_tile : build_square_tile)(t, src, pitch, dst);
    return;
  }
  if (g->streaming || registers_hold_lines(t)) {
    build_whole_lines(t, src, pitch, dst);
    return;
  }
  for (int64_t first = 0; first < t->tile_across; first += part_rows(t)) {
    TilePart part = load_part(t, src, pitch, first);
    LLVMValueRef pixel = far(g, dst, first, t->dst.across);
    for (int k = 0; k < t->elements; k++) {
      LLVMValueRef line = line_of(t, k, &pixel);
      if (line)
        store_part(t, &part, k, line);
    }
  }
}

static LLVMValueRef place(Gen *g, const Side *side, LLVMValueRef row, LLVMValueRef column) {
  return b_at(g, b_at(g, side->base, row, side->across, "row"), column, side->along, "place");
}

// Prefetching during the tiles of a block, column by column.
typedef struct Steps {
  const Block *block;
  int64_t along, across;    // elements of a step
  LLVMValueRef of_a_column; // steps
  Ahead ahead;
} Steps;

static LLVMValueRef steps_to(Gen *g, Part part, LLVMValueRef end, int64_t step) {
  LLVMValueRef way = LLVMBuildNUWSub(g->builder, end, part.begin, "way");
  way = LLVMBuildNUWAdd(g->builder, way, b_int(g, step - 1), "way");
  return LLVMBuildUDiv(g->builder, way, b_int(g, step), "steps");
}

static Steps steps_begin(const Tiling *t, const Block *b, int64_t along) {
  Gen *g = t->g;
  Steps s = {.block = b, .along = along, .across = t->tile_across};
  if (!t->reads_ahead)
    return s;
  bool is_known = LLVMIsConstant(t->along);
  const Processor *cpu = t->k->plan->processor;
  Reading reading = {.rows = t->block_across,
                     .bytes = t->block_along * t->read,
                     .all_rows = t->across,
                     .all_bytes = is_known ? LLVMConstIntGetSExtValue(t->along) * t->read : 0,
                     .pitch = t->src.across,
                     .distance = t->reads_near ? cpu->near : cpu->far,
                     .is_near = t->reads_near};
  LLVMValueRef columns = steps_to(g, b->along, b->along.end, along);
  s.of_a_column = steps_to(g, b->across, b->across.end, t->tile_across);
  LLVMValueRef steps = LLVMBuildNUWMul(g->builder, columns, s.of_a_column, "steps");
  LLVMValueRef here = place(g, &t->src, b->across.begin, b->along.begin);
  s.ahead = ahead_begin(g, &reading, here, &b->row, steps);
  return s;
}

static void steps_go(const Tiling *t, const Steps *s, LLVMValueRef x, LLVMValueRef y) {
  Gen *g = t->g;
  if (!t->reads_ahead)
    return;
  LLVMValueRef done = LLVMBuildNUWMul(g->builder, steps_to(g, s->block->along, x, s->along),
                                      s->of_a_column, "done");
  done = LLVMBuildNUWAdd(g->builder, done, steps_to(g, s->block->across, y, s->across), "done");
  ahead_step(&s->ahead, done);
}

// The tiles of a block, one line (or strip) of the source at a time, and along the destination within it, so that each
// line is read completely while it is in the cache.
static void build_in_place(const Tiling *t, const Block *b) {
  Gen *g = t->g;
  Part along = b->along, across = b->across;
  Steps steps = steps_begin(t, b, t->strip);
  Range line = b_range_begin(g, along.begin, along.end, t->strip, "line");
  LLVMValueRef line_end = LLVMBuildNUWAdd(g->builder, line.index, b_int(g, t->strip), "end"), row;
  Range y = b_tiles_begin(g, across, t->tile_across, "y", &row);
  steps_go(t, &steps, line.index, y.index);
  Range x = b_range_begin(g, line.index, b_smaller(g, line_end, along.end), t->tile_along, "x");
  LLVMValueRef last = LLVMBuildSub(g->builder, along.end, b_int(g, t->tile_along), "last");
  bool is_even = b_count(along.begin, along.end) % t->tile_along == 0;
  LLVMValueRef column = is_even ? x.index : b_smaller(g, x.index, last);
  LLVMValueRef src = place(g, &t->src, row, column);
  build_tile(t, src, t->src.across, place(g, &t->dst, row, column));
  b_range_end(g, &x);
  b_range_end(g, &y);
  b_range_end(g, &line);
}

// Copies the rows of a block to the buffer, in lines or, if they are padded, in lanes. The last overlaps the one
// before it.
static void build_packing(const Tiling *t, Part along, Part across, const Side *buffer) {
  Gen *g = t->g;
  int at_once = t->spreads ? t->elements : (int)(CACHE_LINE / t->element);
  LLVMValueRef column;
  Range row = b_range_begin(g, across.begin, across.end, 1, "row");
  Range c = b_tiles_begin(g, along, at_once, "c", &column);
  LLVMValueRef data = load_elements(t, at_once, place(g, &t->src, row.index, column));
  LLVMValueRef row_in = LLVMBuildNUWSub(g->builder, row.index, across.begin, "row_in");
  LLVMValueRef column_in = LLVMBuildNUWSub(g->builder, column, along.begin, "column_in");
  b_store(g, data, place(g, buffer, row_in, column_in), buffer_align(t));
  b_range_end(g, &c);
  b_range_end(g, &row);
}

// Rows of the source that are a power of two apart map to few sets of the cache. So the rows of a block are first
// copied to a buffer with another pitch.
static void packed_block(const Tiling *t, const Block *b) {
  Gen *g = t->g;
  Part along = b->along, across = b->across;
  Side buffer = {t->buffer, b_int(g, t->element), b_int(g, t->buffer_pitch)};
  Steps steps = steps_begin(t, b, t->tile_along);
  build_packing(t, along, across, &buffer);
  LLVMValueRef row, column;
  Range x = b_tiles_begin(g, along, t->tile_along, "x", &column);
  Range y = b_tiles_begin(g, across, t->tile_across, "y", &row);
  steps_go(t, &steps, x.index, y.index);
  LLVMValueRef row_in = LLVMBuildNUWSub(g->builder, row, across.begin, "row_in");
  LLVMValueRef column_in = LLVMBuildNUWSub(g->builder, column, along.begin, "column_in");
  LLVMValueRef src = place(g, &buffer, row_in, column_in);
  build_tile(t, src, buffer.across, place(g, &t->dst, row, column));
  b_range_end(g, &y);
  b_range_end(g, &x);
}

// Blocks of `size`. The last may be shorter; if it would be below `least`, it overlaps the one before it.
static Range blocks_begin(Gen *g, LLVMValueRef extent, int64_t size, int64_t least,
                          const char *name, Part *part) {
  int64_t rest = LLVMIsConstant(extent) ? LLVMConstIntGetSExtValue(extent) % size : 1;
  Range r = b_range_begin(g, b_int(g, 0), extent, size, name);
  *part = (Part){r.index, LLVMBuildNUWAdd(g->builder, r.index, b_int(g, size), "end")};
  if (rest != 0)
    part->end = b_smaller(g, part->end, extent);
  if (rest != 0 && rest < least)
    part->begin = b_smaller(g, r.index, LLVMBuildSub(g->builder, extent, b_int(g, least), "least"));
  return r;
}

// The loop over blocks as a round; `begin` is the start of the current block.
static Round round_of(Gen *g, const Round *outer, LLVMValueRef begin, LLVMValueRef extent,
                      int64_t block, LLVMValueRef stride) {
  LLVMValueRef size = b_int(g, block), padded = b_int(g, block - 1);
  padded = LLVMBuildNUWAdd(g->builder, extent, padded, "padded");
  return (Round){outer, LLVMBuildUDiv(g->builder, begin, size, "index"),
                 LLVMBuildUDiv(g->builder, padded, size, "count"),
                 LLVMBuildMul(g->builder, stride, size, "step")};
}

static void build_blocks(const Tiling *t) {
  Gen *g = t->g;
  Block b;
  int64_t least = t->buffer ? CACHE_LINE / t->element : t->tile_along;
  Range columns = blocks_begin(g, t->along, t->block_along, least, "columns", &b.along);
  Range rows = blocks_begin(g, t->across, t->block_across, t->tile_across, "rows", &b.across);
  if (t->reads_ahead) {
    b.column = round_of(g, t->around, columns.index, t->along, t->block_along, t->src.along);
    b.row = round_of(g, &b.column, rows.index, t->across, t->block_across, t->src.across);
  }
  (t->buffer ? packed_block : build_in_place)(t, &b);
  b_range_end(g, &rows);
  b_range_end(g, &columns);
}

// The number of elements in this many bytes, a multiple of `of`.
static int64_t block_elements(int64_t bytes, int64_t element, int64_t of) {
  int64_t count = bytes / element / of * of;
  return count < of ? of : count;
}

// Nearly equal blocks of the loop, if its extent is known.
static int64_t even_block(rsh_num extent, int64_t most, int64_t of) {
  return rsh_is_known(extent) ? plan_even_block(extent.n, most, of) : most;
}

static Side side_of(Kernel *k, LLVMValueRef base, rsh_num along, rsh_num across) {
  LLVMValueRef step = kernel_number(k, along);
  return (Side){base, step, kernel_number(k, across)};
}

// Columns in the order of the source, if the loop runs against it: both sides then begin at the last column.
//
//   u8[2, 3] rotated, {3, dst 2, src -1}    from x+2 to 0    ->    {3, dst -2, src 1}    from x+0 to 4
static void follow_source(Tiling *t, const Loop *along) {
  Gen *g = t->g;
  if (along->src.n > 0 || !t->src.base)
    return;
  LLVMValueRef last = LLVMBuildSub(g->builder, t->along, b_int(g, 1), "last");
  Side *side[] = {&t->src, &t->dst};
  for (int i = 0; i < 2; i++) {
    side[i]->base = b_at(g, side[i]->base, last, side[i]->along, "end");
    side[i]->along = LLVMBuildNeg(g->builder, side[i]->along, "back");
  }
}

// Pixels on one side, planes on the other.
static void set_planes(Tiling *t) {
  TileForm form = nest_tile_form(t->nest);
  int64_t pixel = nest_tile_pixel(t->nest);
  bool is_apart = form == TILE_APART, is_joined = form == TILE_JOINED;
  t->planes = t->apart = t->joined = 1;
  t->padded = t->element;
  t->dense = t->nest->run.n;
  if (is_apart || is_joined) {
    const Loop *planes = &t->nest->loop[t->nest->loop_count - 3];
    t->planes = planes->extent.n;
    t->plane = kernel_number(t->k, is_apart ? planes->dst : planes->src);
    *(is_apart ? &t->apart : &t->joined) = pixel;
    t->padded = t->element * pixel;
    t->dense = t->element * t->planes;
  }
  bool is_padded = t->in_vectors && t->padded != t->dense;
  t->spreads = is_padded && !is_joined;
  t->squeezes = is_padded && !is_apart;
}

// Rows of the destination that are written alternately: as many as a line of the source has elements, or a strip.
static int64_t strip_of(const TileShape *shape, int64_t in_line, bool strips) {
  if (!strips || in_line <= TILE_STRIP)
    return in_line;
  return shape->along > TILE_STRIP ? shape->along : TILE_STRIP;
}

static Tiling tiling_of(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst) {
  const Loop *along = &nest->loop[nest->loop_count - 2], *across = along + 1;
  const Tile *tile = &nest->tiles.tile;
  Gen *g = k->g;
  TileShape shape = nest_tile_shape(k->plan, nest, &g->can);
  Tiling t = {.g = g,
              .k = k,
              .nest = nest,
              .element = nest_tile_element(nest),
              .read = nest_read_bytes(nest),
              .written = nest_written_bytes(nest),
              .narrows = nest_read_bytes(nest) > nest->run.n,
              .in_vectors = shape.in_vectors,
              .align = nest->unit,
              .read_align = nest->tiles.map ? kernel_source_align(k, nest) : nest->unit,
              .elements = shape.elements,
              .lanes = shape.lanes,
              .is_square = shape.is_square,
              .is_half = shape.is_half,
              .tile_along = shape.along,
              .tile_across = shape.across};
  t.along = kernel_extent(k, nest, nest->loop_count - 2);
  t.across = kernel_extent(k, nest, nest->loop_count - 1);
  t.src = side_of(k, src, along->src, across->src);
  t.dst = side_of(k, dst, along->dst, across->dst);
  set_planes(&t);
  follow_source(&t, along);
  int64_t of_source = t.element * t.apart, of_result = t.element * t.joined;
  int64_t in_line = CACHE_LINE / of_source;
  t.strip = strip_of(&shape, in_line, tile->strips);
  t.block_along = block_elements(tile->src, of_source, in_line);
  t.block_across = block_elements(tile->dst, of_result, t.tile_across);
  t.reads_ahead = tile->prefetches && shape.in_vectors;
  t.reads_near = tile->near;
  if (t.reads_ahead) {
    t.block_along = even_block(along->extent, t.block_along, in_line);
    t.block_across = even_block(across->extent, t.block_across, t.tile_across);
  }
  return t;
}

// The buffer of a packed block, on the stack.
static void add_buffer(Kernel *k, Tiling *t) {
  Gen *g = k->g;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(g->builder);
  t->buffer_pitch = t->block_along * t->element + CACHE_LINE;
  LLVMTypeRef type = LLVMArrayType2(g->i8, (uint64_t)(t->block_across * t->buffer_pitch));
  LLVMPositionBuilder(g->builder, k->entry, LLVMGetFirstInstruction(k->entry));
  t->buffer = LLVMBuildAlloca(g->builder, type, "buffer");
  LLVMSetAlignment(t->buffer, CACHE_LINE);
  b_position(g, here);
}

LLVMValueRef tile_fits(Kernel *k, const Nest *nest) {
  const Loop *along = &nest->loop[nest->loop_count - 2], *across = along + 1;
  Gen *g = k->g;
  if (rsh_is_known(along->extent) && rsh_is_known(across->extent))
    return NULL;
  Tiling t = tiling_of(k, nest, NULL, NULL);
  int64_t least = nest->tiles.tile.packs ? CACHE_LINE / t.element : t.tile_along;
  LLVMValueRef a = LLVMBuildICmp(g->builder, LLVMIntUGE, t.along, b_int(g, least), "fits"),
               b = LLVMBuildICmp(g->builder, LLVMIntUGE, t.across, b_int(g, t.tile_across), "fits");
  return LLVMBuildAnd(g->builder, a, b, "fits");
}

enum { NEAR = 256 << 10 }; // bytes of a matrix whose lines stay cached until they are complete

// The size of the end of an extent that narrower tiles transpose, if tiles of full width leave at most `most_rest`; a
// multiple of the width of a lane. 0: there is none, or the matrix has more than `most` bytes.
//
//   49 columns, tiles of 16, narrow ones of 4     0 to 48, and 45 to 49
static int64_t narrow_part(const Tiling *t, LLVMValueRef extent, int64_t tile, int64_t most_rest,
                           int64_t most) {
  if (!LLVMIsConstant(t->along) || !LLVMIsConstant(t->across) || t->buffer || t->reads_ahead ||
      !t->in_vectors || t->planes > 1)
    return 0;
  int64_t n = LLVMConstIntGetSExtValue(extent), rest = n % tile;
  int64_t bytes = t->element * LLVMConstIntGetSExtValue(t->along);
  if (n < tile || rest > most_rest || LLVMConstIntGetSExtValue(t->across) > most / bytes)
    return 0;
  return (rest + t->elements - 1) / t->elements * t->elements;
}

// `part` rows (columns if `is_along`) from `first` on, as tiles of one lane's columns.
static Tiling narrow_tiling(const Tiling *t, bool is_along, int64_t first, int64_t part) {
  Tiling narrow = *t;
  LLVMValueRef zero = b_int(t->g, 0), at = b_int(t->g, first);
  narrow.src.base = place(t->g, &t->src, is_along ? zero : at, is_along ? at : zero);
  narrow.dst.base = place(t->g, &t->dst, is_along ? zero : at, is_along ? at : zero);
  *(is_along ? &narrow.along : &narrow.across) = b_int(t->g, part);
  narrow.is_square = false;
  narrow.tile_along = t->elements;
  return narrow;
}

// Tiles of fewer lanes transpose the rows that whole tiles leave: 36 rows of bytes take a tile of 32 and one of 16.
static void build_rows(const Tiling *t) {
  Tiling wide = *t;
  int64_t part = narrow_part(t, t->across, t->tile_across, t->tile_across - t->elements, NEAR);
  if (part > 0) {
    int64_t rows = LLVMConstIntGetSExtValue(t->across);
    wide.across = b_int(t->g, rows - rows % t->tile_across);
    Tiling narrow = narrow_tiling(t, false, rows - part, part);
    while ((int64_t)narrow.elements * narrow.lanes > part)
      narrow.lanes /= 2;
    narrow.tile_across = (int64_t)narrow.elements * narrow.lanes;
    build_rows(&narrow);
  }
  build_blocks(&wide);
}

// Remaining columns are a separate pass, in which a lane writes only the columns that the other tiles left.
static void build_tiling(const Tiling *t) {
  Tiling wide = *t;
  int64_t most = t->is_square ? NEAR : t->k->plan->processor->l1;
  int64_t part = narrow_part(t, t->along, t->tile_along, t->tile_along / 2, most);
  if (part > 0) {
    int64_t columns = LLVMConstIntGetSExtValue(t->along);
    wide.along = b_int(t->g, columns - columns % t->tile_along);
    Tiling narrow = narrow_tiling(t, true, columns - part, part);
    narrow.skipped = part == t->elements ? (int)(part - columns % t->tile_along) : 0;
    build_rows(&narrow);
  }
  build_rows(&wide);
}

void tile_build(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                const Round *around) {
  Tiling t = tiling_of(k, nest, src, dst);
  t.around = around;
  if (nest->tiles.tile.packs && t.in_vectors)
    add_buffer(k, &t);
  build_tiling(&t);
}
