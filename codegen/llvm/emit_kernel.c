// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests to LLVM IR. All data moves as integers or vectors of bytes, so no bit pattern is touched,
// and every access states the alignment of an element, which is all that a caller promises.
#include "codegen/llvm/llvm_module.h"

#include <stdlib.h>
#include <string.h>

enum {
  LINE = 64,           // bytes moved by one vector
  STRAIGHT = 256,      // a run up to this long is copied without a loop
  MOST_TESTS = 256,    // of a stage that is optimised
  UNROLLED_BLOCKS = 8, // blocks that loops of few iterations are unrolled to
};

Cursor cursor_step(Gen *g, Cursor c, LLVMValueRef offset) {
  if (c.period)
    return c;
  if (c.stage)
    c.at = LLVMBuildNSWAdd(g->builder, c.at, offset, "at");
  else
    c.at = b_step(g, c.at, offset, "src");
  return c;
}

static LLVMTypeRef piece_type(Gen *g, int64_t width) {
  return width > 8 ? LLVMVectorType(g->i8, (unsigned)width)
                   : LLVMIntTypeInContext(g->context, (unsigned)width * 8);
}

// The constant's bytes from `offset` on, as they stand in memory.
static LLVMValueRef fill_piece(Gen *g, const Cursor *src, int64_t offset, int64_t width) {
  LLVMValueRef byte[LINE];
  for (int64_t i = 0; i < width; i++)
    byte[i] = LLVMConstInt(g->i8, src->fill[(offset + i) % src->period], false);
  LLVMValueRef vector = LLVMConstVector(byte, (unsigned)width);
  return width > 8 ? vector : LLVMConstBitCast(vector, piece_type(g, width));
}

static LLVMValueRef byte_splat(Gen *g, int64_t width, int n) {
  LLVMValueRef byte[LINE];
  for (int64_t i = 0; i < width; i++)
    byte[i] = LLVMConstInt(g->i8, (unsigned long long)n, false);
  return LLVMConstVector(byte, (unsigned)width);
}

// Bytes that begin at bit `shift` of each byte: 4 of ab cd ef is da fc.  (As hexadecimal digits.)
static LLVMValueRef shifted_piece(Gen *g, const Cursor *src, int64_t offset, int64_t width) {
  LLVMTypeRef type = LLVMVectorType(g->i8, (unsigned)width);
  LLVMValueRef low = b_load(g, type, b_step(g, src->at, b_int(g, offset), "src"), 1, "low");
  LLVMValueRef high = b_load(g, type, b_step(g, src->at, b_int(g, offset + 1), "src"), 1, "high");
  low = LLVMBuildLShr(g->builder, low, byte_splat(g, width, src->shift), "low");
  high = LLVMBuildShl(g->builder, high, byte_splat(g, width, 8 - src->shift), "high");
  return LLVMBuildOr(g->builder, low, high, "data");
}

void piece_build(Gen *g, LLVMValueRef dst, Cursor src, int64_t offset, int64_t width,
                 uint32_t align) {
  LLVMValueRef at = b_int(g, offset), value;
  if (src.period)
    value = fill_piece(g, &src, offset, width);
  else if (src.shift)
    value = shifted_piece(g, &src, offset, width);
  else
    value = b_load(g, piece_type(g, width), b_step(g, src.at, at, "src"), align, "data");
  LLVMValueRef to = b_step(g, dst, at, "dst");
  if (g->streaming)
    b_stream(g, value, to, (uint32_t)width);
  else
    b_store(g, value, to, align);
}

// 100 bytes: 64, then 32 and 4; 127 bytes: 64 and, overlapping it by one byte, 64.
static void build_straight(Gen *g, LLVMValueRef dst, Cursor src, int64_t bytes, uint32_t align) {
  int64_t done = 0;
  for (int64_t width = LINE; done < bytes;) {
    int64_t left = bytes - done;
    if (left < width && done >= width &&
        left > width / 2) { // one overlapping piece instead of several
      piece_build(g, dst, src, bytes - width, width, align);
      return;
    }
    if (left < width) {
      width /= 2;
      continue;
    }
    piece_build(g, dst, src, done, width, align);
    done += width;
  }
}

// Where only aligned accesses are cheap: element by element, as the alignment allows.
static void build_narrow_run(Gen *g, LLVMValueRef dst, Cursor src, int64_t bytes, uint32_t align) {
  int64_t step =
      src.period > (int64_t)align ? src.period : (int64_t)align; // a whole element of a constant
  if (bytes <= 4 * (int64_t)align) {
    for (int64_t at = 0; at < bytes; at += align)
      piece_build(g, dst, src, at, align, align);
    return;
  }
  Repeat r = b_repeat_begin(g, b_int(g, bytes), step, "at");
  LLVMValueRef to = b_step(g, dst, r.index, "dst");
  for (int64_t at = 0; at < step; at += align)
    piece_build(g, to, cursor_step(g, src, r.index), at, align, align);
  b_repeat_end(g, &r);
}

// A contiguous run. Long ones: a loop, then what is left, the last vector overlapping what was done.
static void build_run(Gen *g, LLVMValueRef dst, Cursor src, int64_t bytes, uint32_t align) {
  if (!g->wide) {
    build_narrow_run(g, dst, src, bytes, align);
    return;
  }
  int64_t step = g->thrifty ? LINE : 4 * LINE;
  if (bytes <= (g->thrifty ? 2 * LINE : STRAIGHT)) {
    build_straight(g, dst, src, bytes, align);
    return;
  }
  int64_t looped = bytes / step * step;
  Repeat r = b_repeat_begin(g, b_int(g, looped), step, "at");
  r.is_left = true;
  Cursor from = cursor_step(g, src, r.index);
  LLVMValueRef to = b_step(g, dst, r.index, "dst");
  for (int64_t i = 0; i < step; i += LINE)
    piece_build(g, to, from, i, LINE, align);
  b_repeat_end(g, &r);
  for (int64_t left = bytes - looped; left > 0; left -= LINE) // counted down: nothing can overflow
    piece_build(g, dst, src, bytes - (left >= LINE ? left : LINE), LINE, align);
}

void kernel_begin(Kernel *k, LLVMValueRef function, const Signature *signature) {
  k->g->function = function;
  k->signature = signature;
  k->entry = b_block(k->g, "entry");
  k->number = ARENA_ARRAY(k->arena, LLVMValueRef, number_count(k->plan));
  k->symbol = ARENA_ARRAY(k->arena, LLVMValueRef, k->plan->graph->symbol.count + 1);
  b_position(k->g, k->entry);
}

LLVMValueRef kernel_parameter(const Kernel *k, ParameterKind kind, int index) {
  return LLVMGetParam(k->g->function, (unsigned)signature_find(k->signature, kind, index));
}

LLVMValueRef b_data(Gen *g, LLVMValueRef value, const char *name, uint32_t align) {
  LLVMValueRef data = LLVMAddGlobal(g->module, LLVMTypeOf(value), name);
  LLVMSetInitializer(data, value);
  LLVMSetLinkage(data, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(data, true);
  LLVMSetUnnamedAddress(data, LLVMGlobalUnnamedAddr);
  LLVMSetAlignment(data, align);
  return data;
}

// Bytes of little-endian elements as the target has them.
static const uint8_t *target_bytes(Gen *g, Arena *arena, const uint8_t *data, size_t size,
                                   rsh_dtype dtype) {
  size_t width = plan_element_align(dtype); // of pairs, one number
  if (LLVMGetDataLayoutStr(g->module)[0] != 'E' || width == 1)
    return data;
  uint8_t *swapped = arena_alloc(arena, size);
  for (size_t i = 0; i < size; i++)
    swapped[i] = data[i / width * width + (width - 1 - i % width)];
  return swapped;
}

LLVMValueRef b_constant(Gen *g, Arena *arena, const char *of, const Value *value) {
  const char *name = arena_printf(arena, "%s.constant.%d", of, value->id);
  LLVMValueRef made = LLVMGetNamedGlobal(g->module, name);
  if (made)
    return made;
  size_t size = (size_t)plan_value_bytes(value);
  const uint8_t *data = target_bytes(g, arena, value->data, size, value->dtype);
  LLVMValueRef bytes = LLVMConstStringInContext2(g->context, (const char *)data, size, true);
  return b_data(g, bytes, name, plan_element_align(value->dtype));
}

// Where a kept value lies.
static LLVMValueRef kernel_kept(Kernel *k, const Pass *pass) {
  if (pass->output >= 0)
    return kernel_parameter(k, PARAMETER_OUTPUT, pass->output);
  return b_step(k->g, kernel_parameter(k, PARAMETER_SCRATCH, 0), kernel_number(k, pass->at),
                "kept");
}

LLVMValueRef kernel_source(Kernel *k, int id) {
  const Value *value = k->plan->graph->value.item[id];
  if (value->feed)
    return kernel_kept(k, plan_pass(k->plan, id));
  return value_is_constant(value) ? b_constant(k->g, k->arena, k->name, value)
                                  : kernel_parameter(k, PARAMETER_INPUT, id);
}

// Stages have the sizes and inputs of the graph, and the address that is looked up. Where there are passes, what
// they read may lie in any parameter.
static int stage_parameters(const Plan *plan) {
  const Signature *s = &plan->signature;
  return plan->pass_count > 0 ? s->parameter.count : signature_read_count(s);
}

LLVMValueRef kernel_call_stage(Kernel *k, LLVMValueRef stage, LLVMValueRef at) {
  int read = stage_parameters(k->plan);
  LLVMValueRef *arg = ARENA_ARRAY(k->arena, LLVMValueRef, read + 1);
  for (int i = 0; i < read; i++)
    arg[i] = LLVMGetParam(k->g->function, (unsigned)i);
  arg[read] = at;
  return LLVMBuildCall2(k->g->builder, LLVMGlobalGetValueType(stage), stage, arg,
                        (unsigned)read + 1, "element");
}

static void build_block(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst) {
  if (src.stage)
    src = (Cursor){.at = kernel_call_stage(k, src.stage, src.at)};
  if (rsh_is_known(nest->run))
    build_run(k->g, dst, src, nest->run.n, nest->unit);
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
  return blocks <= (k->g->thrifty ? 2 : UNROLLED_BLOCKS) && rsh_is_known(nest->run) &&
         nest->run.n <= LINE;
}

// Whether nothing is left to join to vectors, or to unroll. The loop around one that was unrolled is an innermost
// one; so is that around a weave that this target has no vectors for.
static bool is_around_vectors(Kernel *k, const Nest *nest, int depth) {
  bool is_inner = depth == nest->loop_count - 1 || is_unrolled(k, nest, depth + 1);
  return nest->tile.src || (nest->weaves && weave_can(k->g, nest)) || !is_inner ||
         !rsh_is_known(nest->run) || nest->run.n >= LINE;
}

LLVMValueRef kernel_extent(Kernel *k, const Nest *nest, int depth) {
  if (k->across && depth == nest->loop_count - 1)
    return k->across;
  return k->portion && k->portion->depth == depth ? k->portion->count
                                                  : kernel_number(k, nest->loop[depth].extent);
}

static LLVMValueRef multiple(Kernel *k, rsh_num n, int64_t factor) {
  return factor == 0 ? b_int(k->g, 0) : kernel_number(k, (rsh_num){n.n * factor, n.poly});
}

// The two innermost loops by tiles; where the sizes may be too small for one, that is tested.
static void build_tiled(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst) {
  Gen *g = k->g;
  LLVMValueRef fits = k->fits ? NULL : tile_fits(k, nest);
  if (!fits) {
    tile_build(k, nest, src.at, dst, src.around);
    return;
  }
  LLVMBasicBlockRef tiles = b_block(g, "tiles"), small = b_block(g, "small"),
                    done = b_block(g, "done");
  LLVMBuildCondBr(g->builder, fits, tiles, small);
  b_position(g, tiles);
  tile_build(k, nest, src.at, dst, src.around);
  LLVMBuildBr(g->builder, done);
  b_position(g, small);
  Nest plain = *nest;
  plain.tile = (Tile){0};
  kernel_build_loops(k, &plain, nest->loop_count - 2, src, dst);
  LLVMBuildBr(g->builder, done);
  b_position(g, done);
}

// A loop over single elements as it stays, where LLVM does not change what loops count with.
//
//   i8, src 1, dst 3     for (i = -n; i != 0; i++, dst += 3) *dst = src_end[i];
static void build_elements(Kernel *k, const Nest *nest, int depth, Cursor src, LLVMValueRef dst) {
  Gen *g = k->g;
  const Loop *loop = &nest->loop[depth];
  LLVMValueRef extent = kernel_extent(k, nest, depth);
  Along from = b_along_before(g, src.at, kernel_number(k, loop->src), extent);
  Along to = b_along_before(g, dst, kernel_number(k, loop->dst), extent);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder);
  Repeat r = b_repeat_to_zero(g, extent, "i");
  b_along_begin(g, &from, before, "src");
  b_along_begin(g, &to, before, "dst");
  src.at = b_along_at(g, &from, r.index, "src");
  dst = b_along_at(g, &to, r.index, "dst");
  kernel_build_loops(k, nest, depth + 1, src, dst);
  b_along_end(g, &from);
  b_along_end(g, &to);
  b_repeat_end(g, &r);
}

// Planes by vectors; those that are shorter, which is tested, element by element.
static void build_woven(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst) {
  Gen *g = k->g;
  LLVMValueRef fits = weave_fits(k, nest);
  if (!fits) {
    weave_build(k, nest, src.at, dst);
    return;
  }
  LLVMBasicBlockRef vectors = b_block(g, "vectors"), small = b_block(g, "small"),
                    done = b_block(g, "done");
  LLVMBuildCondBr(g->builder, fits, vectors, small);
  b_position(g, vectors);
  weave_build(k, nest, src.at, dst);
  LLVMBuildBr(g->builder, done);
  b_position(g, small);
  k->is_short = true;
  kernel_build_loops(k, nest, nest->loop_count - 2, src, dst);
  k->is_short = false;
  LLVMBuildBr(g->builder, done);
  b_position(g, done);
}

// The depth of loops is bounded by the axes of a move.
void kernel_build_loops(Kernel *k, const Nest *nest, int depth, Cursor src, LLVMValueRef dst) {
  if (depth == nest->loop_count) {
    build_block(k, nest, src, dst);
    return;
  }
  Gen *g = k->g;
  const Loop *loop = &nest->loop[depth];
  if (nest->weaves && depth == nest->loop_count - 2 && !k->is_short && weave_can(g, nest)) {
    build_woven(k, nest, src, dst);
    return;
  }
  if (nest->tile.src && depth == nest->loop_count - 2) {
    build_tiled(k, nest, src, dst);
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
  bool is_left = is_around_vectors(k, nest, depth) || (src.stage && k->target->walks);
  if (k->target->keeps_loops && !is_left && !src.stage) {
    build_elements(k, nest, depth, src, dst);
    return;
  }
  LLVMValueRef src_stride = kernel_number(k, loop->src), dst_stride = kernel_number(k, loop->dst);
  LLVMValueRef extent = kernel_extent(k, nest, depth);
  Repeat r = b_repeat_begin(g, extent, 1, "i");
  r.is_left = is_left;
  Cursor from = cursor_step(g, src, b_scale(g, r.index, src_stride, "src_step"));
  LLVMValueRef to = b_step(g, dst, b_scale(g, r.index, dst_stride, "dst_step"), "dst");
  Round round = {src.around, r.index, extent, src_stride};
  if (nest->tile.prefetches)
    from.around = &round;
  kernel_build_loops(k, nest, depth + 1, from, to);
  b_repeat_end(g, &r);
}

// Where a nest's source starts.
static Cursor cursor_of(Kernel *k, int source) {
  Cursor cursor = {.at = NULL};
  int i = 0;
  if (source < 0) {
    uint8_t fill[sizeof cursor.fill];
    cursor.period = plan_fill(k->plan->graph, source, fill);
    memcpy(cursor.fill,
           target_bytes(k->g, k->arena, fill, sizeof fill,
                        k->plan->graph->fill.item[-1 - source].dtype),
           sizeof fill);
  } else if (graph_is_source(k->plan->graph, source)) {
    cursor.at = kernel_source(k, source);
  } else {
    while (k->plan->stage[i].value->id != source)
      i++;
    cursor.at = b_int(k->g, 0);
    cursor.stage = k->stage[i];
  }
  return cursor;
}

// The numbers of a place's loops, behind its offsets.
static int place_width(const Nest *nest) { return 2 + 3 * nest->lap_count; }

// A row for each place: its offsets, then extent, dst and src of each of its loops. Of 32 bits, with a sign, where they
// fit.
static LLVMValueRef build_laps(Kernel *k, const Nest *nest, LLVMTypeRef *entry) {
  Gen *g = k->g;
  int64_t *number = ARENA_ARRAY(k->arena, int64_t, place_width(nest) * nest->place_count),
          *to = number;
  const NestLap *lap = nest->lap;
  for (int i = 0; i < nest->place_count; i++) {
    *to++ = nest->place[i].src;
    *to++ = nest->place[i].dst;
    for (int l = 0; l < nest->lap_count; l++, lap++) {
      *to++ = lap->extent;
      *to++ = lap->dst;
      *to++ = lap->src;
    }
  }
  unsigned count = (unsigned)(to - number);
  bool is_short = true;
  for (unsigned i = 0; i < count; i++)
    is_short = is_short && number[i] >= INT32_MIN && number[i] <= INT32_MAX;
  *entry = is_short ? LLVMInt32TypeInContext(g->context) : g->i64;
  LLVMValueRef *item = ARENA_ARRAY(k->arena, LLVMValueRef, count);
  for (unsigned i = 0; i < count; i++)
    item[i] = LLVMConstInt(*entry, (unsigned long long)number[i], true);
  return b_data(k->g, LLVMConstArray2(*entry, item, count),
                arena_printf(k->arena, "%s.laps", k->name), is_short ? 4 : 8);
}

// Pairs of offsets, source and destination, as data of the object; of 32 bits where they fit.
static LLVMValueRef build_places(Kernel *k, const Nest *nest, LLVMTypeRef *entry) {
  Gen *g = k->g;
  int64_t largest = 0;
  for (int i = 0; i < nest->place_count; i++) {
    largest = nest->place[i].src > largest ? nest->place[i].src : largest;
    largest = nest->place[i].dst > largest ? nest->place[i].dst : largest;
  }
  bool is_short = largest <= UINT32_MAX;
  *entry = is_short ? LLVMInt32TypeInContext(g->context) : g->i64;
  LLVMValueRef *item = ARENA_ARRAY(k->arena, LLVMValueRef, 2 * nest->place_count);
  for (int i = 0; i < nest->place_count; i++) {
    item[2 * i] = LLVMConstInt(*entry, (unsigned long long)nest->place[i].src, false);
    item[2 * i + 1] = LLVMConstInt(*entry, (unsigned long long)nest->place[i].dst, false);
  }
  LLVMValueRef array = LLVMConstArray2(*entry, item, 2 * (uint64_t)nest->place_count);
  return b_data(k->g, array, arena_printf(k->arena, "%s.places", k->name), is_short ? 4 : 8);
}

static LLVMValueRef load_place(Gen *g, LLVMValueRef table, LLVMTypeRef entry, LLVMValueRef index) {
  LLVMValueRef slot = LLVMBuildInBoundsGEP2(g->builder, entry, table, &index, 1, "slot");
  LLVMValueRef offset = b_load(g, entry, slot, entry == g->i64 ? 8 : 4, "offset");
  return b_as(g, g->index, offset);
}

// A nest from the place where its loops begin.
static void build_from(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst) {
  if (walk_can(k, nest))
    walk_build(k, nest, src, dst);
  else
    kernel_build_loops(k, nest, 0, src, dst);
}

// A number of a row of build_laps.
static LLVMValueRef load_lap(Gen *g, LLVMValueRef row, LLVMTypeRef entry, int column) {
  LLVMValueRef at = b_int(g, column);
  LLVMValueRef slot = LLVMBuildInBoundsGEP2(g->builder, entry, row, &at, 1, "slot");
  LLVMValueRef number = b_load(g, entry, slot, entry == g->i64 ? 8 : 4, "number");
  return LLVMBuildIntCast2(g->builder, number, g->index, true, "number");
}

// The nest once for each of its places, in the loops that belong to it.
static void build_in_laps(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef out) {
  Gen *g = k->g;
  LLVMTypeRef entry;
  LLVMValueRef table = build_laps(k, nest, &entry);
  int64_t width = place_width(nest);
  Repeat *repeat = ARENA_ARRAY(k->arena, Repeat, nest->lap_count + 1);
  repeat[0] = b_repeat_begin(g, b_int(g, width * nest->place_count), width, "place");
  repeat[0].is_left = true;
  LLVMValueRef row = LLVMBuildInBoundsGEP2(g->builder, entry, table, &repeat[0].index, 1, "row");
  LLVMValueRef from = load_lap(g, row, entry, 0), to = load_lap(g, row, entry, 1);
  for (int i = 0; i < nest->lap_count; i++) {
    LLVMValueRef extent = load_lap(g, row, entry, 2 + 3 * i);
    LLVMValueRef dst = load_lap(g, row, entry, 3 + 3 * i);
    LLVMValueRef step = load_lap(g, row, entry, 4 + 3 * i);
    repeat[i + 1] = b_repeat_begin(g, extent, 1, "lap");
    repeat[i + 1].is_left = true;
    from = LLVMBuildNSWAdd(g->builder, from, b_scale(g, repeat[i + 1].index, step, "step"), "from");
    to = LLVMBuildNSWAdd(g->builder, to, b_scale(g, repeat[i + 1].index, dst, "step"), "to");
  }
  if (nest->by_element)
    elementwise_build_nest(k, nest, from, to, out);
  else
    build_from(k, nest, cursor_step(g, src, from), b_step(g, out, to, "dst"));
  for (int i = nest->lap_count; i >= 0; i--)
    b_repeat_end(g, &repeat[i]);
}

// The nest once for each of its places.
static void build_at_places(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst) {
  Gen *g = k->g;
  LLVMTypeRef entry;
  LLVMValueRef table = build_places(k, nest, &entry);
  Repeat r = b_repeat_begin(g, b_int(g, 2 * (int64_t)nest->place_count), 2, "place");
  LLVMValueRef from = load_place(g, table, entry, r.index);
  LLVMValueRef next = LLVMBuildNUWAdd(g->builder, r.index, b_int(g, 1), "second");
  LLVMValueRef to = load_place(g, table, entry, next);
  if (nest->by_element) {
    elementwise_build_nest(k, nest, from, to, dst);
  } else {
    src = cursor_step(g, src, from);
    build_from(k, nest, src, b_step(g, dst, to, "dst"));
  }
  b_repeat_end(g, &r);
}

// Whether n is above 0 too, where `some` says so of others; NULL: all are.
static LLVMValueRef also_above(Kernel *k, LLVMValueRef some, rsh_num n) {
  Gen *g = k->g;
  if (plan_is_positive(k->plan, n))
    return some;
  LLVMValueRef test =
      LLVMBuildICmp(g->builder, LLVMIntSGT, kernel_number(k, n), b_int(g, 0), "some");
  return some ? LLVMBuildAnd(g->builder, some, test, "some") : test;
}

// The rest of the function where `some` is not so: what is built next is not done. NULL: it always is.
static LLVMBasicBlockRef build_skip(Gen *g, LLVMValueRef some) {
  if (!some)
    return NULL;
  LLVMBasicBlockRef nest_block = b_block(g, "nest"), skip = b_block(g, "skip");
  LLVMBuildCondBr(g->builder, some, nest_block, skip);
  b_position(g, nest_block);
  return skip;
}

static LLVMValueRef has_work(Kernel *k, const Nest *nest) {
  LLVMValueRef some = also_above(k, NULL, nest->run);
  for (int i = 0; i < nest->loop_count; i++)
    some = also_above(k, some, nest->loop[i].extent);
  return some;
}

static void join_block(Gen *g, LLVMBasicBlockRef block) {
  if (!block)
    return;
  LLVMBuildBr(g->builder, block);
  b_position(g, block);
}

// What the last byte has beyond the last element is 0.
static void clear_spare_bits(Kernel *k, const OutputPlan *output, LLVMValueRef out) {
  Gen *g = k->g;
  const Value *value = output->output->value;
  int bits = plan_element_bits(value->dtype);
  LLVMValueRef count = kernel_elements(k, value), each = b_int(g, 8 / bits);
  LLVMValueRef rest = LLVMBuildURem(g->builder, count, each, "rest"); // elements in the last byte
  LLVMValueRef none = LLVMBuildICmp(g->builder, LLVMIntEQ, rest, b_int(g, 0), "none");
  if (LLVMIsConstant(rest) && LLVMIsNull(rest))
    return;
  LLVMBasicBlockRef last = b_block(g, "last"), after = b_block(g, "after");
  LLVMBuildCondBr(g->builder, none, after, last);
  b_position(g, last);
  LLVMValueRef at = b_step(g, out, LLVMBuildUDiv(g->builder, count, each, "at"), "last");
  LLVMValueRef used = LLVMBuildMul(g->builder, rest, b_int(g, bits), "used");
  LLVMValueRef beyond = LLVMBuildShl(g->builder, b_int(g, -1), used, "beyond");
  LLVMValueRef mask =
      LLVMBuildTrunc(g->builder, LLVMBuildNot(g->builder, beyond, "mask"), g->i8, "mask");
  LLVMValueRef byte = b_load(g, g->i8, at, 1, "byte");
  b_store(g, LLVMBuildAnd(g->builder, byte, mask, "elements"), at, 1);
  join_block(g, after);
}

// An offset, from the first index on that this task does.
static LLVMValueRef past_begin(Kernel *k, LLVMValueRef offset, rsh_num stride) {
  LLVMValueRef step = b_scale(k->g, k->portion->begin, kernel_number(k, stride), "begin_at");
  return LLVMBuildNSWAdd(k->g->builder, offset, step, "offset");
}

static void build_nest(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef src_offset,
                       LLVMValueRef out) {
  Gen *g = k->g;
  LLVMValueRef dst_offset = kernel_number(k, nest->dst_offset);
  if (k->portion) {
    src_offset = past_begin(k, src_offset, nest->loop[k->portion->depth].src);
    dst_offset = past_begin(k, dst_offset, nest->loop[k->portion->depth].dst);
  }
  LLVMValueRef dst = b_step(g, out, dst_offset, "dst");
  if (k->over)
    src_offset = dst_offset;
  src.shift = nest->shift;
  src = cursor_step(g, src, src_offset);
  if (nest->lap)
    build_in_laps(k, nest, src, out);
  else if (nest->by_element && nest->place)
    build_at_places(k, nest, src, out);
  else if (nest->by_element)
    elementwise_build_nest(k, nest, src_offset, dst_offset, out);
  else if (nest->place)
    build_at_places(k, nest, src, dst);
  else if (stream_can(k, nest))
    stream_build(k, nest, src, dst);
  else
    build_from(k, nest, src, dst);
}

static void build_from_source(Kernel *k, const Nest *nest, LLVMValueRef out) {
  Cursor src = cursor_of(k, nest->source);
  build_nest(k, nest, src, kernel_number(k, nest->src_offset), out);
}

// Nests all[begin] ... all[end-1], to a value that begins at `out`, but for those that fill as `ground` has done, where
// that is not NULL. `first`: where the source of all[0] begins (then all numbers are known), else NULL.
static void build_nests(Kernel *k, const Nest *all, int begin, int end, const Nest *ground,
                        LLVMValueRef first, LLVMValueRef out) {
  for (int i = begin; i < end; i++) {
    const Nest *nest = &all[i];
    if (ground && nest->source == ground->source)
      continue;
    LLVMBasicBlockRef skip = build_skip(k->g, has_work(k, nest));
    if (first)
      build_nest(k, nest, (Cursor){.at = first},
                 b_int(k->g, nest->src_offset.n - all->src_offset.n), out);
    else
      build_from_source(k, nest, out);
    join_block(k->g, skip);
  }
}

void kernel_build_portion(Kernel *k, const Nest *nest, const Portion *portion, LLVMValueRef out) {
  LLVMBasicBlockRef skip = build_skip(k->g, has_work(k, nest));
  k->portion = portion;
  build_from_source(k, nest, out);
  k->portion = NULL;
  join_block(k->g, skip);
}

static void build_output(Kernel *k, const OutputPlan *output, int begin, int end,
                         LLVMValueRef out) {
  const Nest *ground = k->target->small ? plan_ground(k->arena, output) : NULL;
  if (ground && begin == 0)
    build_nests(k, ground, 0, 1, NULL, NULL, out);
  build_nests(k, output->nest, begin, end, ground, NULL, out);
  if (end == output->nest_count && plan_is_packed(output))
    clear_spare_bits(k, output, out);
}

static void build_cycles(Kernel *k, const OutputPlan *output, LLVMValueRef out) {
  const Cycles *c = output->cycles;
  LLVMValueRef some = also_above(k, also_above(k, NULL, c->count), c->piece);
  for (int i = 0; i < c->batch_count; i++)
    some = also_above(k, some, c->batch[i].extent);
  LLVMBasicBlockRef skip = build_skip(k->g, some);
  cycles_build(k, c, output->nest->unit, out);
  join_block(k->g, skip);
}

// Whether elements that are computed where they lie are others then, or lie elsewhere.
static bool changes_bits(const OutputPlan *output) {
  for (int i = 0; i < output->nest_count; i++)
    if (output->nest[i].by_element)
      return true;
  return output->cycles != NULL;
}

// Where the caller may have passed the very place of the source: an alias is done then, and what is
// computed in place reads and writes through one pointer, so that nothing must be known of another.
static LLVMBasicBlockRef build_same_place(Kernel *k, const OutputPlan *output, LLVMValueRef out) {
  Gen *g = k->g;
  rsh_num start = rsh_int(0);
  plan_to_bytes(output->offset, output->output->value->dtype, &start); // these are at whole bytes
  Cursor src = cursor_of(k, output->nest->source);
  LLVMValueRef place = b_step(g, src.at, kernel_number(k, start), "place");
  LLVMValueRef same = LLVMBuildICmp(g->builder, LLVMIntEQ, place, out, "same");
  LLVMBasicBlockRef copy = b_block(g, "copy"), done = b_block(g, "done");
  bool changes = output->in_place && changes_bits(output);
  LLVMBasicBlockRef over = changes ? b_block(g, "over") : done;
  LLVMBuildCondBr(g->builder, same, over, copy);
  if (changes) {
    b_position(g, over);
    k->over = out;
    if (output->cycles)
      build_cycles(k, output, out);
    else
      build_output(k, output, 0, output->nest_count, out);
    k->over = NULL;
    LLVMBuildBr(g->builder, done);
  }
  b_position(g, copy);
  return done;
}

void kernel_build_twin(Kernel *k, int index, LLVMValueRef function) {
  Kernel twin = *k;
  kernel_begin(&twin, function, NULL);
  const OutputPlan *output = &k->plan->output[index];
  build_nests(&twin, output->nest, 0, output->nest_count, NULL, LLVMGetParam(function, 0),
              LLVMGetParam(function, 1));
  LLVMBuildRetVoid(k->g->builder);
}

void kernel_build_part(Kernel *k, int index, int begin, int end) {
  build_output(k, &k->plan->output[index], begin, end,
               kernel_parameter(k, PARAMETER_OUTPUT, index));
}

void kernel_build_pass(Kernel *k, const Pass *pass, int begin, int end) {
  build_nests(k, pass->nest, begin, end, NULL, NULL, kernel_source(k, pass->value->id));
}

void kernel_build_rows(Kernel *k, const Pass *pass) {
  LLVMValueRef some = also_above(k, also_above(k, NULL, pass->rows), pass->length);
  LLVMBasicBlockRef skip = build_skip(k->g, some);
  LLVMValueRef rows = kernel_number(k, pass->rows), length = kernel_number(k, pass->length);
  rows_build(k->g, pass->value->dtype, rows, length, kernel_source(k, pass->value->id));
  join_block(k->g, skip);
}

void kernel_build_output(Kernel *k, int index, LLVMValueRef twin) {
  Gen *g = k->g;
  const OutputPlan *output = &k->plan->output[index];
  if (output->nest_count == 0)
    return;
  LLVMValueRef out = kernel_parameter(k, PARAMETER_OUTPUT, index);
  bool may_be_there = output->tier == TIER_ALIAS || output->in_place;
  LLVMBasicBlockRef done = may_be_there ? build_same_place(k, output, out) : NULL;
  if (twin) {
    LLVMValueRef first = cursor_of(k, output->nest->source).at;
    LLVMValueRef arg[2] = {b_step(g, first, b_int(g, output->nest->src_offset.n), "first"), out};
    LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(twin), twin, arg, 2, "");
  } else {
    build_output(k, output, 0, output->nest_count, out);
  }
  join_block(g, done);
}

// A stride that is 0 belongs to a nest without elements: any digit will do.
static LLVMValueRef divisor(Kernel *k, rsh_num stride) {
  LLVMValueRef n = kernel_number(k, stride), one = b_int(k->g, 1);
  if (plan_is_positive(k->plan, stride))
    return n;
  LLVMValueRef test = LLVMBuildICmp(k->g->builder, LLVMIntSGT, n, one, "above");
  return LLVMBuildSelect(k->g->builder, test, n, one, "divisor");
}

// Does address `at` lie in the nest, and if so, at which address of its source? Digits from the
// outermost loop in; addresses before dst_offset wrap to huge ones and fail the first test. Without
// `inside`, it does. Where `at` lies elsewhere the sum is not used.
static LLVMValueRef build_lookup(Kernel *k, const Nest *nest, LLVMValueRef at,
                                 LLVMValueRef *inside) {
  Gen *g = k->g;
  LLVMValueRef rest = LLVMBuildSub(g->builder, at, kernel_number(k, nest->dst_offset), "rest");
  LLVMValueRef offset = kernel_number(k, nest->src_offset), good = NULL;
  for (int i = 0; i <= nest->loop_count; i++) {
    bool is_run = i == nest->loop_count;
    LLVMValueRef dst = is_run ? NULL : kernel_number(k, nest->loop[i].dst);
    LLVMValueRef digit = is_run ? rest : number_divide(g, rest, divisor(k, nest->loop[i].dst));
    LLVMValueRef below = kernel_number(k, is_run ? nest->run : nest->loop[i].extent);
    if (inside) {
      LLVMValueRef test = LLVMBuildICmp(g->builder, LLVMIntULT, digit, below, "below");
      good = good ? LLVMBuildAnd(g->builder, good, test, "inside") : test;
    }
    if (is_run && nest->by_element) // rest is 0
      break;
    LLVMValueRef src_stride =
        is_run ? b_int(g, nest->source >= 0) : kernel_number(k, nest->loop[i].src);
    offset = LLVMBuildAdd(g->builder, offset, LLVMBuildMul(g->builder, digit, src_stride, "step"),
                          "offset");
    if (!is_run)
      rest = LLVMBuildSub(g->builder, rest, LLVMBuildMul(g->builder, digit, dst, "taken"), "rest");
  }
  if (inside)
    *inside = good;
  return offset;
}

// What a stage gives for an address of a nest's source: the place of the element, or the element.
static LLVMValueRef build_found(Kernel *k, const Stage *stage, const Nest *nest,
                                LLVMValueRef offset) {
  Gen *g = k->g;
  if (stage->is_computed)
    return elementwise_build_load(k, nest, offset);
  Cursor src = cursor_of(k, nest->source);
  if (src.period)
    return b_data(k->g, fill_piece(g, &src, 0, src.period),
                  arena_printf(k->arena, "%s.fill.%d", k->name, -nest->source), nest->unit);
  if (src.stage)
    return kernel_call_stage(k, src.stage, offset);
  return LLVMBuildGEP2(g->builder, g->i8, src.at, &offset, 1, "src");
}

static void build_stage(Kernel *k, const Stage *stage) {
  Gen *g = k->g;
  LLVMValueRef at = LLVMGetLastParam(g->function);
  for (int i = 0; i < stage->nest_count; i++) {
    bool is_last =
        i == stage->nest_count - 1; // exactly one nest has the address, so the last needs no test
    LLVMValueRef inside = NULL;
    LLVMBasicBlockRef found = NULL, next = NULL;
    LLVMValueRef offset = build_lookup(k, &stage->nest[i], at, is_last ? NULL : &inside);
    if (!is_last) {
      found = b_block(g, "found"), next = b_block(g, "next");
      LLVMBuildCondBr(g->builder, inside, found, next);
      b_position(g, found);
    }
    LLVMBuildRet(g->builder, build_found(k, stage, &stage->nest[i], offset));
    if (next)
      b_position(g, next);
  }
}

// Element `at` of a value with a table, which becomes a constant of the object.
static void build_table(Kernel *k, const Value *value, LLVMValueRef at, const char *name) {
  Gen *g = k->g;
  LLVMTypeRef entry = LLVMInt32TypeInContext(g->context);
  rsh_num volume;
  rsh_volume(NULL, &value->shape, &volume);
  LLVMValueRef *item = ARENA_ARRAY(k->arena, LLVMValueRef, volume.n);
  for (int64_t i = 0; i < volume.n; i++)
    item[i] = LLVMConstInt(entry, value->table[i], false);
  LLVMValueRef array = LLVMConstArray2(entry, item, (uint64_t)volume.n);
  LLVMValueRef table = b_data(k->g, array, name, 4);
  int64_t element = plan_element_bits(value->dtype) / 8;
  LLVMValueRef index = LLVMBuildUDiv(g->builder, at, b_int(g, element), "index");
  LLVMValueRef slot = LLVMBuildInBoundsGEP2(g->builder, entry, table, &index, 1, "slot");
  LLVMValueRef number = b_as(g, g->index, b_load(g, entry, slot, 4, "number"));
  LLVMValueRef source = kernel_source(k, value->table_source->id);
  LLVMBuildRet(g->builder,
               b_step(g, source, b_scale(g, number, b_int(g, element), "offset"), "src"));
}

// LLVM asks of each number what all the tests before it say of it, which takes half a minute for a thousand of them.
static void leave_as_is(Gen *g, LLVMValueRef function) {
  LLVMAttributeIndex self = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  LLVMRemoveEnumAttributeAtIndex(function, self, LLVMGetEnumAttributeKindForName("optsize", 7));
  LLVMRemoveEnumAttributeAtIndex(function, self, LLVMGetEnumAttributeKindForName("minsize", 7));
  b_attribute(g, function, self, "optnone", 0);
  b_attribute(g, function, self, "noinline", 0);
}

void kernel_build_stages(Kernel *k) {
  Gen *g = k->g;
  int read = stage_parameters(k->plan);
  LLVMTypeRef *type = module_parameter_types(g, k->arena, &k->plan->signature);
  type[read] = g->index;
  k->stage = ARENA_ARRAY(k->arena, LLVMValueRef, k->plan->stage_count + 1);
  for (int i = 0; i < k->plan->stage_count; i++) {
    const Stage *stage = &k->plan->stage[i];
    unsigned bits = (unsigned)plan_element_bits(stage->value->dtype);
    LLVMTypeRef given = stage->is_computed ? LLVMIntTypeInContext(g->context, bits) : g->ptr;
    k->stage[i] = LLVMAddFunction(g->module, arena_printf(k->arena, "%s.stage.%d", k->name, i),
                                  LLVMFunctionType(given, type, (unsigned)read + 1, false));
    LLVMSetLinkage(k->stage[i], LLVMInternalLinkage);
    module_set_attributes(g, k->stage[i], k->target);
    if (stage->nest_count > MOST_TESTS)
      leave_as_is(g, k->stage[i]);
    kernel_begin(k, k->stage[i], &k->plan->signature);
    if (stage->value->table && !stage->is_computed)
      build_table(k, stage->value, LLVMGetLastParam(g->function),
                  arena_printf(k->arena, "%s.table.%d", k->name, i));
    else
      build_stage(k, stage);
  }
}
