// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nests of outputs and passes: dispatches each by its strategy, and tests that it has elements and that the output
// is not already in place.
#include "codegen/llvm/llvm_module.h"

// A table of places (code_places).
typedef struct PlaceTable {
  LLVMTypeRef entry;
  LLVMValueRef data,
      index; // the current row is at `data`, plus this index if it is not NULL
  CodePlaces places;
  uint32_t bytes; // of an entry
  bool is_signed;
} PlaceTable;

// Entries are as narrow as possible, but of at least 32 bits where vectors of places may be loaded.
static PlaceTable build_table(Kernel *k, const NestPlaces *places) {
  enum { LEAST_OF_VECTORS = 32 };
  PlaceTable t = {.places = code_places(k->arena, places, 1, 1)};
  int64_t count = (int64_t)t.places.width * places->count;
  int bits = code_entry_bits(t.places.number, count, &t.is_signed);
  if (!k->g->can.walks && bits < LEAST_OF_VECTORS)
    bits = LEAST_OF_VECTORS;
  t.bytes = (uint32_t)bits / 8;
  t.entry = LLVMIntTypeInContext(k->g->context, (unsigned)bits);
  const char *name = arena_printf(k->arena, "%s.%s", k->name, places->loop ? "laps" : "places");
  t.data = b_data(k->g, b_numbers(k->arena, t.entry, t.places.number, count), name, t.bytes);
  return t;
}

static LLVMValueRef load_entry(Gen *g, const PlaceTable *t, int column) {
  LLVMValueRef at = t->index && column == 0 ? t->index : b_int(g, column);
  if (t->index && column > 0)
    at = LLVMBuildNUWAdd(g->builder, t->index, at, "at");
  LLVMValueRef slot = LLVMBuildInBoundsGEP2(g->builder, t->entry, t->data, &at, 1, "slot");
  LLVMValueRef number = b_load(g, t->entry, slot, t->bytes, "number");
  return LLVMBuildIntCast2(g->builder, number, g->index, t->is_signed, "number");
}

// The offset of the current place in the destination.
static LLVMValueRef build_place(Gen *g, const PlaceTable *t) {
  if (t->places.step == 0)
    return load_entry(g, t, 1);
  LLVMValueRef by = b_scale(g, t->index, b_int(g, t->places.step), "step");
  return LLVMBuildNUWAdd(g->builder, by, b_int(g, t->places.dst), "to");
}

static NestStrategy strategy_of(const Kernel *k, const Nest *nest) {
  return nest_strategy(k->plan, nest, &k->g->can, k->portion ? k->portion->depth : WHOLE_NEST);
}

// A nest by element as tiles, from offset `src` of the source to `dst` of `out`.
static void build_tiled(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                        LLVMValueRef out) {
  const Nest *tiled = nest->elements.tiled;
  Cursor from = {.at = b_step(k->g, kernel_source(k, nest->source), src, "src")};
  LLVMValueRef to = b_step(k->g, out, dst, "dst");
  if (nest_lines(tiled).streams && k->g->can.streams)
    stream_build(k, tiled, from, to);
  else
    kernel_build_loops(k, tiled, 0, from, to);
}

// The innermost loop in vectors.
static void build_inside(Kernel *k, const CodeLeaves *leaves, LLVMValueRef dst, LLVMValueRef src) {
  Gen *g = k->g;
  const Nest *nest = leaves->loops;
  LLVMValueRef to = b_packed_step(g, leaves->buffer, dst, plan_element_bits(nest->to));
  LLVMValueRef from = b_packed_step(g, leaves->from, src, plan_element_bits(nest->from));
  FieldLanes lanes;
  if (nest_lanes(nest, &g->can, &lanes))
    fields_build_lanes(k, nest, &lanes, from, to);
  else
    vectors_build(k, nest, from, to, kernel_extent(k, nest, nest->loop_count - 1));
}

// The address that a nest by element reads, if its source is in memory.
static LLVMValueRef memory_read(Kernel *k, const Nest *nest) {
  if (k->over || rsh_is_fill(nest->source) || !graph_is_source(k->plan->graph, nest->source))
    return k->over;
  return kernel_source(k, nest->source);
}

// Loops around single elements, or around vectors, from offset `src` of the source to `dst` of `out`.
static void build_elements(Kernel *k, const Nest *nest, bool in_vectors, LLVMValueRef src,
                           LLVMValueRef dst, LLVMValueRef out) {
  LLVMValueRef at = kernel_number(k, nest_elements(nest).at_offset);
  if (k->portion && !rsh_is(nest->loop[k->portion->depth].at, 0))
    at = kernel_past_begin(k, at, nest->loop[k->portion->depth].at);
  FieldLanes lanes;
  bool is_left = in_vectors || nest_lanes(nest, &k->g->can, &lanes);
  const CodeLoops loops = {0, nest->loop_count - is_left, 1, 1, false, false, 0};
  kernel_build_code(k, code_loops(k->arena, k->plan, nest, loops),
                    (CodeLeaves){.loops = nest,
                                 .is_left = is_left,
                                 .from = memory_read(k, nest),
                                 .buffer = out,
                                 .start = {dst, src, at},
                                 .align = nest->unit,
                                 .inside = build_inside});
}

// A nest by element with pointers that step through all loops, in groups of whole bytes if one side is packed.
static void build_walked(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                         LLVMValueRef out) {
  LLVMValueRef base = memory_read(k, nest);
  Cursor from = {.at = base ? b_packed_step(k->g, base, src, plan_element_bits(nest->from)) : NULL};
  LLVMValueRef to = b_packed_step(k->g, out, dst, plan_element_bits(nest->to));
  walk_build(k, nest, from, &to);
}

// A nest by element, from offset `src` of its source to offset `dst` of the output. In-place computation is never
// tiled.
static void build_by_element(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                             LLVMValueRef out) {
  NestStrategy strategy = strategy_of(k, nest);
  if (strategy == STRATEGY_WALK)
    build_walked(k, nest, src, dst, out);
  else if (strategy == STRATEGY_TILED && !k->over)
    build_tiled(k, nest, src, dst, out);
  else
    build_elements(k, nest, strategy == STRATEGY_VECTORS, src, dst, out);
}

// A nest, from the start addresses of its loops. Returns how far it advances *dst.
static int64_t build_from(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef *dst) {
  if (strategy_of(k, nest) == STRATEGY_WALK)
    return walk_build(k, nest, src, dst);
  kernel_build_loops(k, nest, 0, src, *dst);
  return 0;
}

// The nest once for each of its places, within the loops of that place.
static void build_at_places(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef out) {
  Gen *g = k->g;
  const NestPlaces *places = nest->places;
  PlaceTable t = build_table(k, places);
  Repeat *repeat = ARENA_ARRAY(k->arena, Repeat, places->loop_count + 1);
  int width = t.places.width;
  bool has_loops = places->loop != NULL;
  repeat[0] = b_repeat_begin(g, b_int(g, (int64_t)width * places->count), width, "place");
  repeat[0].is_left = has_loops;
  if (has_loops)
    t.data = LLVMBuildInBoundsGEP2(g->builder, t.entry, t.data, &repeat[0].index, 1, "row");
  else
    t.index = repeat[0].index;
  LLVMValueRef from = load_entry(g, &t, 0), to = build_place(g, &t);
  for (int i = 0; i < places->loop_count; i++) {
    LLVMValueRef extent = load_entry(g, &t, 2 + 3 * i);
    LLVMValueRef dst = load_entry(g, &t, 3 + 3 * i);
    LLVMValueRef step = load_entry(g, &t, 4 + 3 * i);
    repeat[i + 1] = b_repeat_begin(g, extent, 1, "lap");
    repeat[i + 1].is_left = true;
    from = LLVMBuildNSWAdd(g->builder, from, b_scale(g, repeat[i + 1].index, step, "step"), "from");
    to = LLVMBuildNSWAdd(g->builder, to, b_scale(g, repeat[i + 1].index, dst, "step"), "to");
  }
  if (nest_is_by_element(nest)) {
    build_by_element(k, nest, from, to, out);
  } else {
    // The order of these two steps determines LLVM's register allocation.
    LLVMValueRef dst = has_loops ? b_step(g, out, to, "dst") : NULL;
    src = cursor_step(g, src, from);
    dst = dst ? dst : b_step(g, out, to, "dst");
    build_from(k, nest, src, &dst);
  }
  for (int i = places->loop_count; i >= 0; i--)
    b_repeat_end(g, &repeat[i]);
}

// Whether a nest begins where the one before it ended, so that the start of the output need not stay in a register.
static bool follows(const Kernel *k, const Nest *nest, LLVMValueRef out) {
  return k->end.at && k->end.out == out && !k->portion && rsh_is(nest->dst_offset, k->end.offset) &&
         k->end.block == LLVMGetInsertBlock(k->g->builder);
}

static void keep_end(Kernel *k, const Nest *nest, LLVMValueRef out, int64_t passed,
                     LLVMValueRef dst) {
  k->end.at = passed > 0 && rsh_is_known(nest->dst_offset) ? dst : NULL;
  k->end.out = out;
  k->end.block = LLVMGetInsertBlock(k->g->builder);
  k->end.offset = nest->dst_offset.n + passed;
}

static void build_nest(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef src_offset,
                       LLVMValueRef out) {
  Gen *g = k->g;
  int64_t passed = 0;
  LLVMValueRef dst_offset = kernel_number(k, nest->dst_offset);
  if (k->portion) {
    src_offset = kernel_past_begin(k, src_offset, nest->loop[k->portion->depth].src);
    dst_offset = kernel_past_begin(k, dst_offset, nest->loop[k->portion->depth].dst);
  }
  LLVMValueRef dst = follows(k, nest, out) ? k->end.at : b_step(g, out, dst_offset, "dst");
  if (k->over)
    src_offset = dst_offset;
  src.shift = nest_shift(nest);
  src = cursor_step(g, src, src_offset);
  if (nest->places && (nest->places->loop || nest_is_by_element(nest)))
    build_at_places(k, nest, src, out);
  else if (nest_is_by_element(nest))
    build_by_element(k, nest, src_offset, dst_offset, out);
  else if (nest->places)
    build_at_places(k, nest, src, dst);
  else if (strategy_of(k, nest) == STRATEGY_STREAM)
    stream_build(k, nest, src, dst);
  else
    passed = build_from(k, nest, src, &dst);
  keep_end(k, nest, out, passed, dst);
}

static void move_one(Kernel *k, const CodeNode *node, const Nest *nest, const CodeLeaves *leaves) {
  Gen *g = k->g;
  LLVMValueRef first = leaves->first;
  Cursor src = !first ? kernel_cursor(k, nest->source) : (Cursor){.at = first};
  if (leaves->shared) {
    LLVMValueRef arg[2] = {b_step(g, src.at, b_int(g, nest->src_offset.n), "first"),
                           leaves->buffer};
    b_call(g, leaves->shared, arg, 2, "");
    return;
  }
  LLVMValueRef at = first ? b_int(g, nest->src_offset.n - leaves->given->src_offset.n)
                          : kernel_number(k, nest->src_offset);
  ZipPiece piece;
  if (strategy_of(k, nest) == STRATEGY_ZIP && !node->index) {
    if (nest_leads(nest) && nest_zip(nest, &g->can, &piece))
      zip_build(k, nest->zip, &piece, leaves->buffer);
    return;
  }
  k->over = node->index ? leaves->buffer : NULL;
  build_nest(k, nest, src, at, leaves->buffer);
  k->over = NULL;
}

// One loop for several nests, if all walk.
static bool move_joined(Kernel *k, const Nest *const *nest, int count, const CodeLeaves *leaves) {
  Cursor *src = ARENA_ARRAY(k->arena, Cursor, count);
  for (int i = 0; i < count; i++) {
    if (strategy_of(k, nest[i]) != STRATEGY_WALK || nest_shift(nest[i]) != 0)
      return false;
    rsh_num offset = nest[i]->src_offset;
    Cursor from = kernel_cursor(k, nest[i]->source);
    src[i] = cursor_step(k->g, from, kernel_number(k, offset));
  }
  LLVMValueRef offset = kernel_number(k, (*nest)->dst_offset);
  return walk_join(k, nest, count, src, b_step(k->g, leaves->buffer, offset, "dst"));
}

// Joins at most `most` nests: the pointers of more would not fit the registers.
static void move(Kernel *k, const CodeNode *node, const CodeLeaves *leaves) {
  const int most = k->target->adds_compare ? 3 : 4, all = (int)node->n;
  for (int i = 0, count; i < all; i += count) {
    count = all - i < most ? all - i : most;
    if (count == 1 || !move_joined(k, node->nest + i, count, leaves))
      for (int one = i; one < i + count; one++)
        move_one(k, node, node->nest[one], leaves);
  }
}

void kernel_build_portion(Kernel *k, const Share *share, const Portion *portion, LLVMValueRef out) {
  k->portion = portion;
  kernel_build_code(k, code_nests(k->arena, k->plan, share->nest, share->nest_count),
                    (CodeLeaves){.buffer = out, .move = move});
  k->portion = NULL;
}

// An in-place permutation, in the widest words that divide a piece and that the alignment allows.
static void permute(Kernel *k, const CodeLeaves *leaves) {
  const Cycles *c = leaves->cycles;
  int64_t width = 8, align = leaves->given->unit;
  while (c->piece.n % width != 0 || (!k->g->wide && width > align))
    width /= 2;
  CodeLeaves words = {.buffer = leaves->permuted,
                      .list = arena_printf(k->arena, "%s.leaders", k->name),
                      .word = b_integer(k->g, width * 8),
                      .align = (uint32_t)(align < width ? align : width)};
  kernel_build_code(k, code_cycles(k->arena, k->plan, c, width, 1, leaves->passed, k->g->divides),
                    words);
}

// The copy routine also compares the addresses, and returns the end, so that `out` is not live across the call.
static void permute_copied(Kernel *k, const Nest *whole, CodeLeaves *leaves) {
  LLVMValueRef offset = kernel_number(k, whole->src_offset);
  Position at = {cursor_step(k->g, kernel_cursor(k, whole->source), offset), leaves->buffer};
  leaves->passed = whole->run.n;
  leaves->permuted = run_call_apart(k, at, whole->run.n);
  permute(k, leaves);
}

// Moves within the memory of an input. One pointer reads and writes, unless the input has a larger alignment.
static void slide(Kernel *k, const CodeLeaves *leaves) {
  const Slides *slides = leaves->slides;
  uint32_t align = UINT32_MAX; // of elements
  bool is_less = false;
  for (int i = 0; i < slides->count; i++) {
    const Nest *nest = &slides->slide[i].nest;
    align = nest->unit < align ? nest->unit : align;
    is_less = is_less || plan_element_align(nest->from) > plan_element_align(nest->to);
  }
  kernel_build_code(k, code_slides(k->arena, k->plan, slides, 1, false),
                    (CodeLeaves){.buffer = leaves->buffer,
                                 .from = is_less ? NULL : leaves->buffer,
                                 .source = kernel_source,
                                 .shift = run_shift,
                                 .align = align});
}

void kernel_build_shared(Kernel *k, int index, LLVMValueRef function) {
  Kernel shared = *k;
  kernel_begin(&shared, function, NULL);
  const OutputPlan *output = &k->plan->output[index];
  kernel_build_code(&shared, code_nests(k->arena, k->plan, output->nest, output->nest_count),
                    (CodeLeaves){.buffer = LLVMGetParam(function, 1),
                                 .first = LLVMGetParam(function, 0),
                                 .given = output->nest,
                                 .move = move});
  LLVMBuildRetVoid(k->g->builder);
}

void kernel_build_part(Kernel *k, int index, int begin, int end) {
  const CodePart part = {begin, end, .small = k->target->small, .joins = k->target->small};
  kernel_build_code(k, code_part(k->arena, k->plan, &k->plan->output[index], part),
                    (CodeLeaves){.buffer = kernel_parameter(k, PARAMETER_OUTPUT, index),
                                 .move = move,
                                 .word = k->g->i8,
                                 .align = 1});
}

void kernel_build_pass(Kernel *k, const Pass *pass, int begin, int end) {
  rsh_dtype type = pass->value->dtype;
  CodeLeaves leaves = {.buffer = pass->nest_count > 0 ? kernel_source(k, pass->value->id) : NULL,
                       .move = move,
                       .source = kernel_source,
                       .run = pass->picks ? &pass->picks->run : NULL,
                       .copy = kernel_build_loops,
                       .word = b_integer(k->g, plan_element_bits(type)),
                       .align = plan_element_align(type)};
  kernel_build_code(k, code_pass(k->arena, k->plan, pass, 1, begin, end), leaves);
}

void kernel_build_output(Kernel *k, int index, LLVMValueRef shared) {
  const OutputPlan *output = &k->plan->output[index];
  if (output->nest_count == 0)
    return;
  bool is_small = k->target->small && !shared;
  const CodePart part = {0, shared ? 1 : output->nest_count, .small = is_small, .joins = is_small,
                         .overs = true};
  LLVMValueRef out = kernel_parameter(k, PARAMETER_OUTPUT, index);
  const Nest *whole = part.small ? plan_whole(k->arena, output) : NULL;
  CodeLeaves leaves = {.buffer = out,
                       .permuted = out,
                       .source = kernel_source,
                       .shared = shared,
                       .move = move,
                       .given = output->nest,
                       .cycles = output->cycles,
                       .permute = permute,
                       .slides = output->slides,
                       .slide = slide,
                       .word = k->g->i8,
                       .align = 1};
  if (whole && nest_run_strategy(k->plan, whole, &k->g->can) == RUN_CALL) {
    permute_copied(k, whole, &leaves);
    return;
  }
  if (whole)
    leaves.permuted = b_held(k->g, out, NULL, NULL);
  kernel_build_code(k, code_output(k->arena, k->plan, output, part, 1), leaves);
}
