// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves to loop nests: which outputs are aliases, and what the kernels of the others do.
//
//   f32[2,3] transposed to f32[3,2]: one move {3, dst 2, src 1} {2, dst 1, src 3}, in elements
//     becomes loops {3, dst 8, src 4} {2, dst 4, src 12} around a run of 4 bytes
//
// Everything is checked here: an emitter never meets a size that does not fit or an unknown one.
#include "codegen/plan/plan_internal.h"

#include <inttypes.h>
#include <stdlib.h>

const char *tier_name(Tier tier) {
  switch (tier) {
  case TIER_ALIAS:
    return "alias";
  case TIER_STATIC:
    return "static";
  case TIER_SYMBOLIC:
    return "symbolic";
  case TIER_DYNAMIC:
    return "dynamic";
  }
  return "";
}

int plan_element_bits(rsh_dtype type) {
  return type == RSH_STRING ? 8 * (int)sizeof(void *) : rsh_dtype_bits(type);
}

uint32_t plan_element_align(rsh_dtype type) {
  int bits = plan_element_bits(type);
  if (type == RSH_C64 || type == RSH_C128)
    bits /= 2;
  return bits < 8 ? 1 : (uint32_t)bits / 8;
}

static uint32_t declared_align(uint32_t align, rsh_dtype type) {
  return align > plan_element_align(type) ? align : plan_element_align(type);
}

uint32_t plan_input_align(const Value *input) { return declared_align(input->align, input->dtype); }

uint32_t plan_output_align(const Output *output) {
  return declared_align(output->align, output->value->dtype);
}

// Elements below a byte fill it: 1 of i4 is 0x11.
int plan_fill(const Graph *graph, int source, uint8_t bytes[16]) {
  const Fill *fill = &graph->fill.item[-1 - source];
  int bits = plan_element_bits(fill->dtype);
  for (int i = 0; i < 16; i++)
    bytes[i] = fill->bits[i];
  for (; bits < 8; bits *= 2)
    bytes[0] = (uint8_t)(bytes[0] | bytes[0] << bits);
  return bits / 8;
}

bool plan_is_packed(const OutputPlan *out) {
  return plan_element_bits(out->output->value->dtype) < 8;
}

bool plan_is_known(const Value *value) {
  if (value->shape.rank == RSH_RANK_UNKNOWN)
    return false;
  for (int32_t i = 0; i < value->shape.rank; i++)
    if (!rsh_is_known(value->shape.dim[i]))
      return false;
  return true;
}

bool plan_nest_is_known(const Nest *nest) {
  bool known =
      rsh_is_known(nest->run) && rsh_is_known(nest->src_offset) && rsh_is_known(nest->dst_offset);
  for (int i = 0; i < nest->loop_count; i++)
    known = known && rsh_is_known(nest->loop[i].extent) && rsh_is_known(nest->loop[i].src) &&
            rsh_is_known(nest->loop[i].dst);
  return known;
}

static bool is_strided(const Value *value) { return value->storage && value->storage->stride; }

// Without the gaps between strides.
static uint64_t element_bytes(const Value *value) {
  rsh_num volume;
  if (rsh_volume(NULL, &value->shape, &volume) != RSH_ok)
    return 0; // it is written nowhere
  return ((uint64_t)volume.n * (uint64_t)plan_element_bits(value->dtype) + 7) / 8;
}

// False: more than a pointer difference of the target can hold.
static bool value_bytes(const Value *value, int64_t *elements, uint64_t *bytes) {
  rsh_num volume;
  if (rsh_volume(NULL, &value->shape, &volume) != RSH_ok)
    return false;
  if (is_strided(value))
    volume = value->storage->span;
  *elements = volume.n;
  uint64_t n = (uint64_t)volume.n, bits = (uint64_t)plan_element_bits(value->dtype);
  return !__builtin_mul_overflow(n / 8, bits, bytes) &&
         !__builtin_add_overflow(*bytes, (n % 8 * bits + 7) / 8, bytes) && *bytes <= PTRDIFF_MAX;
}

uint64_t plan_value_bytes(const Value *value) {
  int64_t elements;
  uint64_t bytes;
  return value_bytes(value, &elements, &bytes) ? bytes : 0;
}

// Remembers the first value that is too large. False for each that is.
bool check_size(Plan *plan, const Value *value, const char *name, Span span) {
  int64_t elements = 0;
  uint64_t bytes;
  if (!plan_is_known(value) || value_bytes(value, &elements, &bytes))
    return true;
  if (!plan->too_large) {
    plan->too_large = value;
    plan->too_large_name = name;
    plan->too_large_span = span;
  }
  return false;
}

static void refuse_size(const Plan *plan, Diag *diag) {
  int64_t elements = 0;
  uint64_t bytes;
  value_bytes(plan->too_large, &elements, &bytes);
  diag_error(diag, plan->too_large_span, "overflow",
             "'%s' is %" PRId64 " elements of %d bits: more than the %" PRIdMAX
             " bytes that a pointer difference can hold",
             plan->too_large_name, elements, plan_element_bits(plan->too_large->dtype),
             (intmax_t)PTRDIFF_MAX);
}

static bool refuse_value(const Value *value, const char *name, Span span, int pointer,
                         const char *machine, Diag *diag) {
  int64_t most = INT64_MAX >> (64 - pointer), elements = 0;
  uint64_t bytes = 0;
  if (value->dtype == RSH_STRING && pointer != 8 * (int)sizeof(void *)) {
    diag_error(diag, span, "unsupported",
               "'%s' is of strings, which are pointers, and those of '%s' have %d bits", name,
               machine, pointer);
    return true;
  }
  if (!plan_is_known(value) || !value_bytes(value, &elements, &bytes) || bytes <= (uint64_t)most)
    return false;
  diag_error(diag, span, "overflow",
             "'%s' is %" PRIu64 " bytes: more than the %" PRId64
             " that a pointer difference of '%s' can hold",
             name, bytes, most, machine);
  return true;
}

bool plan_refuse_sizes(const Plan *plan, int pointer, const char *machine, Diag *diag) {
  const Graph *graph = plan->graph;
  bool refused = false;
  for (int i = 0; i < graph->input_count; i++) {
    const Value *input = graph->value.item[i];
    refused = refuse_value(input, input->name, input->span, pointer, machine, diag) || refused;
  }
  for (int i = 0; i < graph->output_count; i++)
    refused = refuse_value(graph->output[i].value, graph->output[i].name, graph->output[i].span,
                           pointer, machine, diag) ||
              refused;
  for (int i = 0; i < plan->pass_count; i++) {
    const Value *kept = plan->pass[i].value;
    const char *name = kept->name ? kept->name : rsh_op_name(kept->node->call.op);
    refused = refuse_value(kept, name, kept->span, pointer, machine, diag) || refused;
  }
  for (int i = 0; i < graph->variant.count && !refused; i++)
    refused = plan->variant[i] && plan_refuse_sizes(plan->variant[i], pointer, machine, diag);
  return refused;
}

bool plan_to_bytes(rsh_num elements, rsh_dtype dtype, rsh_num *bytes) {
  int64_t bits = plan_element_bits(dtype), n;
  if (bits >= 8 ? __builtin_mul_overflow(elements.n, bits / 8, &n)
                : __builtin_mul_overflow(elements.n, bits, &n) || n % 8 != 0)
    return false;
  *bytes = (rsh_num){bits >= 8 ? n : n / 8, elements.poly};
  return true;
}

// Numbers that nests are made of: known ones, and polynomials.
static bool is_number(rsh_num n) { return n.poly >= 0; }

bool moves_are_numbers(const rsh_moves *moves) {
  for (int32_t i = 0; i < moves->count; i++)
    if (!is_number(moves->move[i].src_offset) || !is_number(moves->move[i].dst_offset))
      return false;
  for (int32_t i = 0; i < moves->axis_count; i++)
    if (!is_number(moves->axis[i].extent) || !is_number(moves->axis[i].dst) ||
        !is_number(moves->axis[i].src))
      return false;
  return true;
}

static bool move_is_known(const rsh_moves *moves, const rsh_move *move) {
  bool known = rsh_is_known(move->src_offset) && rsh_is_known(move->dst_offset);
  for (int32_t i = 0; i < move->axis_count; i++) {
    const rsh_axis *axis = &moves->axis[move->first + i];
    known =
        known && rsh_is_known(axis->extent) && rsh_is_known(axis->dst) && rsh_is_known(axis->src);
  }
  return known;
}

bool moves_are_known(const rsh_moves *moves) {
  for (int32_t i = 0; i < moves->count; i++)
    if (!move_is_known(moves, &moves->move[i]))
      return false;
  return true;
}

bool plan_is_positive(const Plan *plan, rsh_num n) {
  return rsh_sign(plan->graph->symbols, n) == 1;
}

// Elements of one side to its unit: bytes, or elements of less than a byte. It fits wherever the kernel
// runs: sizes are checked, those that are not known at entry.
static rsh_num to_units(rsh_num elements, rsh_dtype dtype) {
  uint64_t bits = (uint64_t)plan_element_bits(dtype);
  if (bits >= 8)
    elements.n = (int64_t)((uint64_t)elements.n * (bits / 8));
  return elements;
}

// One move, element by element.
static void nest_by_element(Arena *arena, const rsh_moves *moves, const rsh_move *move,
                            rsh_dtype from, rsh_dtype to, Nest *nest) {
  *nest = (Nest){.source = move->source,
                 .unit = plan_element_align(to),
                 .by_element = true,
                 .map = move->map,
                 .from = from,
                 .to = to};
  nest->run = to_units(rsh_int(1), to);
  nest->src_offset = to_units(move->src_offset, from);
  nest->dst_offset = to_units(move->dst_offset, to);
  nest->loop = ARENA_ARRAY(arena, Loop, move->axis_count);
  for (int i = 0; i < move->axis_count; i++) {
    const rsh_axis *axis = &moves->axis[move->first + i];
    if (!rsh_is(axis->extent, 1))
      nest->loop[nest->loop_count++] =
          (Loop){axis->extent, to_units(axis->dst, to), to_units(axis->src, from)};
  }
}

// One move in bytes. False: an element does not start or end at a whole byte.
static bool nest_of_move(Planner *p, const rsh_moves *moves, const rsh_move *move, rsh_dtype dtype,
                         Nest *nest) {
  *nest =
      (Nest){.source = move->source, .unit = plan_element_align(dtype), .from = dtype, .to = dtype};
  nest->loop = ARENA_ARRAY(p->arena, Loop, move->axis_count + 1);
  if (!plan_to_bytes(move->src_offset, dtype, &nest->src_offset) ||
      !plan_to_bytes(move->dst_offset, dtype, &nest->dst_offset))
    return false;
  int count = move->axis_count;
  rsh_num run = rsh_int(1); // in elements
  for (; count > 0; count--) {
    const rsh_axis *axis = &moves->axis[move->first + count - 1];
    if (!rsh_equal(axis->dst, run) || (!rsh_equal(axis->src, run) && !rsh_is_fill(move->source)) ||
        !rsh_mul(p->graph->symbols, run, axis->extent, &run))
      break;
  }
  if (!plan_to_bytes(run, dtype, &nest->run))
    return false;
  for (int i = 0; i < count; i++) {
    const rsh_axis *axis = &moves->axis[move->first + i];
    Loop *loop = &nest->loop[nest->loop_count];
    loop->extent = axis->extent;
    if (!plan_to_bytes(axis->dst, dtype, &loop->dst) ||
        !plan_to_bytes(axis->src, dtype, &loop->src))
      return false;
    nest->loop_count += !rsh_is(loop->extent, 1);
  }
  return true;
}

static rsh_dtype source_type(const Graph *graph, int source) {
  return rsh_is_fill(source) ? graph->fill.item[-1 - source].dtype
                             : graph->value.item[source]->dtype;
}

static bool is_staged(const Planner *p, int source) {
  return !rsh_is_fill(source) && !graph_is_source(p->graph, source);
}

// Whether the stage gives elements, where others give places in an input.
static bool is_computed(const Planner *p, int source) {
  for (int i = 0; i < p->stage.count; i++)
    if (p->stage.item[i].value->id == source)
      return p->stage.item[i].is_computed;
  return false;
}

// Where that depends on symbols the order of the moves stays: theirs is by destination as well.
static bool is_behind(const Nest *a, const Nest *b) {
  return rsh_is_known(a->dst_offset) && rsh_is_known(b->dst_offset) &&
         a->dst_offset.n > b->dst_offset.n;
}

// Whether a chain leaves elements as they are: it is empty, or changes no more than whether integers have a sign.
static bool keeps_bits(const Planner *p, int32_t map) {
  int count = 0;
  const rsh_step *step = map == 0 ? NULL : graph_map_steps(p->arena, p->graph, map, &count);
  for (int i = 0; i < count; i++)
    if (step[i].op != RSH_OP_CAST || !rsh_dtype_is_integer(step[i].from) ||
        !rsh_dtype_is_integer(step[i].to) ||
        rsh_dtype_bits(step[i].from) != rsh_dtype_bits(step[i].to))
      return false;
  return true;
}

// A stage in C gives a pointer to its elements, which must not be read as of another kind.
static bool is_c_float(rsh_dtype type) { return type == RSH_F32 || type == RSH_F64; }

// All moves to a value of this type, in order of destination. Stages are addressed in whole elements.
static Nest *nests_of_moves(Planner *p, const rsh_moves *moves, rsh_dtype dtype, bool is_stage,
                            int *count) {
  Nest *nest = ARENA_ARRAY(p->arena, Nest, moves->count + 1);
  for (int32_t i = 0; i < moves->count; i++) {
    Nest next;
    const rsh_move *move = &moves->move[i];
    rsh_dtype from = source_type(p->graph, move->source);
    bool is_packed = plan_element_bits(from) < 8 && (is_stage || is_staged(p, move->source));
    bool is_bitcast = is_stage && is_c_float(from) != is_c_float(dtype);
    if (!keeps_bits(p, move->map) || is_packed || is_bitcast || is_computed(p, move->source) ||
        !nest_of_move(p, moves, move, dtype, &next))
      nest_by_element(p->arena, moves, move, from, dtype, &next);
    int at = i;
    for (; at > 0 && is_behind(&nest[at - 1], &next); at--)
      nest[at] = nest[at - 1];
    nest[at] = next;
  }
  *count = moves->count;
  return nest;
}

// Digits of an address are found from the outermost loop inward, so what is inside a loop must span
// less than one step of it.
static bool nest_has_digits(const Nest *nest) {
  int64_t span = nest->run.n;
  for (int i = nest->loop_count - 1; i >= 0; i--) {
    const Loop *loop = &nest->loop[i];
    if (!rsh_is_known(loop->dst) || !rsh_is_known(loop->extent) || !rsh_is_known(nest->run))
      return true; // so moves are made (fold.h), though no numbers show it
    if (loop->dst.n < span)
      return false;
    span += (loop->extent.n - 1) * loop->dst.n;
  }
  return true;
}

// Adds the stages that `moves` read, and theirs first. False: their elements cannot be found, which is an
// error where sizes are known.
static bool plan_stages(Planner *p, const rsh_moves *moves, const Output *output) {
  for (int32_t i = 0; i < moves->count; i++) {
    int id = moves->move[i].source;
    if (!is_staged(p, id))
      continue;
    const Value *value = p->graph->value.item[id];
    bool have = false;
    for (int k = 0; k < p->stage.count; k++)
      have = have || p->stage.item[k].value == value;
    if (have)
      continue;
    if (value->table && plan_element_bits(value->dtype) >= 8) {
      VEC_PUSH(p->arena, p->stage, ((Stage){.value = value}));
      continue;
    }
    if (!plan_stages(p, value->moves, output))
      return false;
    Stage stage = {.value = value};
    stage.nest = nests_of_moves(p, value->moves, value->dtype, true, &stage.nest_count);
    bool good = true;
    for (int k = 0; k < stage.nest_count; k++) {
      good = good && nest_has_digits(&stage.nest[k]);
      stage.is_computed = stage.is_computed || stage.nest[k].by_element;
    }
    if (!good && !plan_is_known(value))
      return false;
    if (!good) {
      diag_error(p->diag, output->span, "unsupported",
                 "'%s' falls into pieces that overlap in memory order", output->name);
      return false;
    }
    VEC_PUSH(p->arena, p->stage, stage);
  }
  return true;
}

// An element of a staged value is looked up by itself: its nests go element by element.
void nest_split_run(Arena *arena, Nest *nest, int64_t element) {
  if (rsh_is(nest->run, element))
    return;
  Loop *loop = ARENA_ARRAY(arena, Loop, nest->loop_count + 1);
  for (int i = 0; i < nest->loop_count; i++)
    loop[i] = nest->loop[i];
  loop[nest->loop_count++] =
      (Loop){{nest->run.n / element, nest->run.poly}, rsh_int(element), rsh_int(element)};
  nest->loop = loop;
  nest->run = rsh_int(element);
}

bool plan_nests(Planner *p, const rsh_moves *moves, rsh_dtype dtype, const Output *output,
                Nest **out, int *out_count) {
  if (!plan_stages(p, moves, output))
    return false;
  int count;
  Nest *nest = nests_of_moves(p, moves, dtype, false, &count);
  VEC(Nest) done = {0};
  for (int i = 0; i < count; i++) {
    Nest two[2] = {nest[i]}, *part = two;
    int parts = 1;
    bool is_packed = plan_element_bits(nest[i].from) < 8 || plan_element_bits(nest[i].to) < 8;
    if (nest[i].by_element && is_staged(p, nest[i].source))
      parts = 1;
    else if (nest[i].by_element && is_packed)
      parts = nests_of_packed(p->arena, &nest[i], &part);
    else if (is_staged(p, nest[i].source))
      nest_split_run(p->arena, &part[0], plan_element_bits(dtype) / 8);
    else if (!rsh_is_fill(nest[i].source))
      parts = nest_schedule(p->arena, p->graph->symbols, p->tuning, &nest[i], part);
    else if (!rsh_is_known(nest[i].run)) // a loop that the compiler widens
      nest_split_run(p->arena, &part[0], is_packed ? 1 : plan_element_bits(nest[i].to) / 8);
    for (int k = 0; k < parts; k++)
      VEC_PUSH(p->arena, done, part[k]);
  }
  *out_count = nests_join_places(p->arena, done.item, done.count, out);
  return true;
}

static bool passes_are_known(const OutputPlan *out) {
  for (int i = 0; i < out->via_count; i++)
    if (!plan_is_known(out->via[i]->value) || !moves_are_known(out->via[i]->value->feed))
      return false;
  return true;
}

static uint64_t placed_bytes(const OutputPlan *out) {
  uint64_t bytes = 0;
  for (int i = 0; i < out->placed_count; i++)
    bytes += plan_is_known(out->placed[i].input) ? plan_value_bytes(out->placed[i].input) : 0;
  return bytes;
}

// Nothing is left to do where passes make the output.
static bool plan_copy(Planner *p, OutputPlan *out) {
  const Value *value = out->output->value;
  for (int i = 0; i < out->via_count; i++) {
    if (!out->via[i]->is_planned)
      return false;
    if (out->via[i]->nest_count > 0 && rsh_is_known(out->via[i]->bytes))
      out->bytes_moved += (uint64_t)out->via[i]->bytes.n;
  }
  if (!out->own &&
      !plan_nests(p, out->moves, value->dtype, out->output, &out->nest, &out->nest_count))
    return false;
  if (!out->own)
    out->bytes_moved += (is_strided(value) ? element_bytes(value) : out->bytes) - placed_bytes(out);
  if (out->moves->count == 1)
    out->offset = out->moves->move[0].src_offset;
  return true;
}

// The exported function of an alias copies the bytes as one run, but for gaps between strides, and for
// elements of less than a byte that may not fill the last one.
static void plan_alias(Planner *p, OutputPlan *out) {
  const Value *value = out->output->value;
  rsh_num run, start;
  if (!out->source || (plan_is_known(value) && out->bytes == 0))
    return;
  bool is_run = !is_strided(value) && plan_to_bytes(out->offset, value->dtype, &start);
  if (is_run && plan_is_known(value))
    run = rsh_int((int64_t)out->bytes);
  else if (is_run)
    is_run = rsh_volume(p->graph->symbols, &value->shape, &run) == RSH_ok &&
             plan_to_bytes(run, value->dtype, &run);
  if (!is_run) {
    out->nest = nests_of_moves(p, out->moves, value->dtype, false, &out->nest_count);
    return;
  }
  Nest *nest = ARENA_NEW(p->arena, Nest);
  nest->source = out->source->id;
  nest->unit = plan_element_align(out->source->dtype);
  nest->run = run;
  nest->src_offset = start;
  out->nest = nest;
  out->nest_count = 1;
}

void mark_reads(const Graph *graph, const rsh_moves *moves, bool *seen) {
  for (int32_t i = 0; i < moves->count; i++) {
    int id = moves->move[i].source;
    if (id < 0 || seen[id])
      continue;
    seen[id] = true;
    const Value *value = graph->value.item[id];
    if (value->table)
      seen[value->table_source->id] = true;
    else if (!graph_is_source(graph, id) && value->moves)
      mark_reads(graph, value->moves, seen);
  }
}

// An operand has a lower number than what is made of it.
void mark_sources(const Graph *graph, const rsh_moves *moves, bool *seen) {
  mark_reads(graph, moves, seen);
  for (int i = graph->value.count - 1; i >= graph->input_count; i--)
    if (seen[i] && graph->value.item[i]->feed)
      mark_reads(graph, graph->value.item[i]->feed, seen);
}

static void plan_sources(Planner *p, OutputPlan *out) {
  bool *seen = ARENA_ARRAY(p->arena, bool, p->graph->value.count + 1);
  mark_sources(p->graph, out->moves, seen);
  out->sources = ARENA_ARRAY(p->arena, const Value *, p->graph->value.count + 1);
  for (int i = 0; i < p->graph->value.count; i++)
    if (seen[i] && graph_is_source(p->graph, i) && !p->graph->value.item[i]->feed)
      out->sources[out->source_count++] = p->graph->value.item[i];
}

// An input that is an output has no moves when nothing else asked for them: it is itself.
static const rsh_moves *moves_of(Planner *p, const Value *value) {
  if (value->moves || value->node || !plan_is_known(value))
    return value->moves;
  rsh_moves *moves = ARENA_NEW(p->arena, rsh_moves);
  moves->move = ARENA_NEW(p->arena, rsh_move);
  moves->axis = ARENA_NEW(p->arena, rsh_axis);
  moves->capacity = moves->axis_capacity = 1;
  rsh_num volume;
  rsh_volume(NULL, &value->shape, &volume);
  rsh_moves_identity(moves, value->id, volume);
  return moves;
}

static bool plan_output(Planner *p, Plan *plan, const Output *output, OutputPlan *out) {
  const Value *value = output->value;
  out->output = output;
  bool fits = check_size(plan, value, output->name, output->span) && !plan->too_large;
  if (plan_is_known(value))
    out->bytes = plan_value_bytes(value);
  out->moves = moves_of(p, value);
  if (!out->moves || !moves_are_numbers(out->moves)) {
    out->tier = TIER_DYNAMIC;
    out->why = plan_why(p->arena, p->graph, out);
    return true;
  }
  place_inputs(p, out);
  plan_sources(p, out);
  int32_t source;
  rsh_num offset;
  bool is_alias = out->placed_count == 0 &&
                  rsh_moves_is_alias(p->graph->symbols, out->moves, &source, &offset) &&
                  source < p->graph->input_count;
  rsh_num start;
  if (is_alias && !plan_to_bytes(offset, value->dtype, &start))
    is_alias = false;
  bool is_empty = out->moves->count == 0;
  bool good = true;
  plan_via(p, plan, out);
  if (is_alias) {
    out->tier = TIER_ALIAS;
    out->source = is_empty ? NULL : p->graph->value.item[source];
    out->offset = offset;
    if (fits)
      plan_alias(p, out);
  } else {
    bool is_static = plan_is_known(value) && moves_are_known(out->moves) && passes_are_known(out);
    out->tier = is_static ? TIER_STATIC : TIER_SYMBOLIC;
    bool planned = !fits || plan_copy(p, out);
    out->is_unplanned = !planned;
    good = planned || !is_static;
  }
  out->why = plan_why(p->arena, p->graph, out);
  return good;
}

// The value that a reshape with inplace=True makes, on the way down from `value`; NULL: there is none.
static const Value *reshaped_in_place(const Value *value) {
  while (value->node && !value->is_in_place)
    value = value->node->in[0];
  return value->is_in_place ? value : NULL;
}

static bool reads(const OutputPlan *out, const Value *input) {
  for (int i = 0; i < out->source_count; i++)
    if (out->sources[i] == input)
      return true;
  return false;
}

// y = paddle.reshape(x, shape, act="relu", inplace=True) may be computed where x lies.
static void plan_in_place(const Plan *plan, OutputPlan *out) {
  const Graph *graph = plan->graph;
  const Value *value = out->output->value, *reshaped = reshaped_in_place(value);
  int32_t source, below;
  rsh_num offset;
  if ((!reshaped && !out->output->is_inplace) || out->nest_count != 1 || out->placed_count > 0 ||
      out->tier == TIER_ALIAS || out->moves->count != 1)
    return;
  rsh_move move = out->moves->move[0];
  move.map = 0;
  rsh_moves plain = {&move, out->moves->axis, 1, 1, out->moves->axis_count, 0};
  const rsh_moves *given = reshaped ? reshaped->node->in[0]->moves : NULL;
  if (!rsh_moves_is_alias(graph->symbols, &plain, &source, &offset) || !rsh_is_known(offset) ||
      source >= graph->input_count ||
      (given && (!rsh_moves_is_alias(graph->symbols, given, &below, &offset) || below != source)))
    return;
  const Value *input = graph->value.item[source];
  int bits = plan_element_bits(value->dtype);
  if (bits < 8 || plan_element_bits(input->dtype) != bits || input->storage || value->storage)
    return;
  for (int i = 0; i < plan->output_count; i++)
    if (&plan->output[i] != out && reads(&plan->output[i], input))
      return;
  out->in_place = input;
}

// The largest power of two up to `most` that divides a number; of one that depends on symbols, its factor.
static uint32_t unit_of(rsh_num n, uint32_t most) {
  while (n.n % most != 0)
    most /= 2;
  return most;
}

// Memory that is declared to be aligned may be moved in words, where all steps are whole ones:
//
//   x: f16[B, S, 768] align 8, y align 8, reshaped and transposed in rows of 64: 8 bytes at a time
static void widen(const Plan *plan, const Output *output, Nest *nest) {
  enum { WORD = 8 }; // no machine needs more
  const Graph *graph = plan->graph;
  bool is_input = nest->source >= 0 && nest->source < graph->input_count;
  if (nest->by_element || nest->shift || (nest->source >= 0 && !is_input))
    return;
  uint32_t unit = plan_output_align(output);
  if (is_input && plan_input_align(graph->value.item[nest->source]) < unit)
    unit = plan_input_align(graph->value.item[nest->source]);
  unit = unit_of(nest->run, unit < WORD ? unit : WORD);
  unit = unit_of(nest->dst_offset, unit);
  unit = is_input ? unit_of(nest->src_offset, unit) : unit;
  for (int i = 0; i < nest->loop_count; i++) {
    unit = unit_of(nest->loop[i].dst, unit);
    unit = is_input ? unit_of(nest->loop[i].src, unit) : unit;
  }
  for (int i = 0; i < nest->place_count; i++) {
    unit = unit_of(rsh_int(nest->place[i].dst), unit);
    unit = unit_of(rsh_int(nest->place[i].src), unit);
  }
  for (int i = 0; i < nest->place_count * nest->lap_count; i++) {
    unit = unit_of(rsh_int(nest->lap[i].dst), unit);
    unit = unit_of(rsh_int(nest->lap[i].src), unit);
  }
  nest->unit = unit > nest->unit ? unit : nest->unit;
}

static void widen_all(Plan *plan) {
  for (int i = 0; i < plan->output_count; i++)
    for (int k = 0; k < plan->output[i].nest_count; k++)
      widen(plan, plan->output[i].output, &plan->output[i].nest[k]);
}

// Why a result cannot be permuted where its input lies; NULL: it can, and is.
static const char *plan_cycles(Arena *arena, const Plan *plan, OutputPlan *out) {
  const Graph *graph = plan->graph;
  const Value *value = out->output->value;
  const char *why = NULL;
  rsh_num volume, before;
  if (out->tier == TIER_DYNAMIC || out->is_unplanned)
    return "how elements move is known only at run time";
  if (out->placed_count > 0)
    return arena_printf(arena, "'%s' is placed in it", out->placed->input->name);
  if (out->via_count > 0 || out->moves->count != 1)
    return "it is made in more than one piece";
  const rsh_move *move = out->moves->move;
  if (move->source < 0 || move->source >= graph->input_count)
    return "it is not made of an input alone";
  const Value *input = graph->value.item[move->source];
  if (move->map != 0 || input->dtype != value->dtype)
    return "elements are changed and moved at once";
  if (plan_element_bits(value->dtype) < 8)
    return "elements of less than a byte cannot change places";
  if ((input->storage && input->storage->stride) || (value->storage && value->storage->stride))
    return "elements lie at strides";
  if (rsh_volume(graph->symbols, &value->shape, &volume) != RSH_ok ||
      rsh_volume(graph->symbols, &input->shape, &before) != RSH_ok || !rsh_equal(volume, before))
    return arena_printf(arena, "'%s' has another number of bytes", input->name);
  for (int i = 0; i < plan->output_count; i++)
    if (&plan->output[i] != out && reads(&plan->output[i], input))
      return arena_printf(arena, "'%s' is made of '%s', too", plan->output[i].output->name,
                          input->name);
  out->cycles = cycles_of(arena, graph->symbols, out->moves, value->dtype, volume, &why);
  if (out->cycles) {
    out->in_place = input;
    out->offset = rsh_int(0);
  }
  return why;
}

// Results that are to lie where their input does. False: reported.
static bool plan_inplace_results(Planner *p, const Plan *plan) {
  bool good = true;
  for (int i = 0; i < plan->output_count; i++) {
    OutputPlan *out = &plan->output[i];
    if (!out->output->is_inplace || out->tier == TIER_ALIAS || out->in_place)
      continue;
    const char *why = plan_cycles(p->arena, plan, out);
    if (why)
      diag_error(p->diag, out->output->inplace_span, "not_in_place",
                 "'%s' cannot be made where an input lies: %s", out->output->name, why);
    good = good && !why;
  }
  return good;
}

static bool has_unknown_size(const Value *value) {
  for (int32_t i = 0; i < value->shape.rank; i++)
    if (rsh_is_unknown(value->shape.dim[i]))
      return true;
  return false;
}

// Whether something is left to the runtime. Then all of the graph is.
static bool needs_program(const Plan *plan) {
  bool needs = graph_is_dynamic(plan->graph);
  for (int i = 0; i < plan->output_count; i++) // of a result without elements the sizes alone
    needs = needs || has_unknown_size(plan->output[i].output->value);
  for (int i = 0; i < plan->output_count; i++)
    needs = needs || plan->output[i].tier == TIER_DYNAMIC || plan->output[i].is_unplanned;
  for (int i = 0; i < plan->graph->variant.count; i++)
    needs = needs || (plan->variant[i] && plan->variant[i]->tape);
  return needs;
}

// Functions of rows, which the runtime has not: the first one of a graph, or NULL.
static const Node *first_rowwise(const Graph *graph) {
  for (int i = 0; i < graph->node.count; i++)
    if (rsh_is_rowwise(graph->node.item[i]->call.op))
      return graph->node.item[i];
  return NULL;
}

static void plan_program(Arena *arena, Plan *plan) {
  const Graph *graph = plan->graph;
  plan->tape = tape_of(arena, graph_of_program(graph));
  plan->signature = signature_of(arena, graph, true);
  const Node *rowwise = first_rowwise(graph);
  for (int i = 0; i < plan->output_count; i++) {
    plan->output[i].tier = TIER_DYNAMIC;
    if (rowwise)
      plan->output[i].why =
          arena_printf(arena, "no code can be made, %s cannot be left to the runtime: %s",
                       rsh_op_name(rowwise->call.op), plan->output[i].why);
  }
}

Plan *plan_graph(Arena *arena, Graph *graph, Tuning *tuning, Diag *diag) {
  Plan *plan = ARENA_NEW(arena, Plan);
  Planner p = {.arena = arena, .graph = graph, .plan = plan, .diag = diag, .tuning = tuning};
  plan->graph = graph;
  plan->shape_signature = signature_of_shape(arena, graph);
  plan->output = ARENA_ARRAY(arena, OutputPlan, graph->output_count);
  plan->output_count = graph->output_count;
  bool good = true;
  for (int i = 0; i < graph->input_count; i++) {
    const Value *input = graph->value.item[i];
    check_size(plan, input, input->name, input->span);
  }
  good = plan_passes(&p, plan);
  plan->signature = signature_of(arena, graph, graph_is_dynamic(graph));
  for (int i = 0; good && i < graph->output_count; i++)
    good = plan_output(&p, plan, &graph->output[i], &plan->output[i]);
  for (int i = 0; good && i < plan->output_count; i++)
    plan_in_place(plan, &plan->output[i]);
  good = good && plan_inplace_results(&p, plan) && check_placed(&p, plan);
  widen_all(plan);
  plan->stage = p.stage.item;
  plan->stage_count = p.stage.count;
  Plan **plans = ARENA_ARRAY(arena, Plan *, graph->variant.count);
  plan->variant = ARENA_ARRAY(arena, const Plan *, graph->variant.count);
  for (int i = 0; good && i < graph->variant.count; i++) {
    Graph *variant = graph->variant.item[i].graph;
    plan->variant[i] = plans[i] = variant ? plan_graph(arena, variant, tuning, diag) : NULL;
    good = !variant ||
           (plans[i] && check_placed_variant(&p, plan, i) && check_alias_variant(&p, plan, i));
  }
  if (good)
    plan_scratch(arena, plan, plans);
  if (good && needs_program(plan))
    plan_program(arena, plan);
  return good ? plan : NULL;
}

bool plan_can_emit(const Plan *plan, Diag *diag) {
  const Graph *graph = plan->graph;
  const Node *rowwise = plan->tape ? first_rowwise(graph) : NULL;
  if (rowwise) {
    diag_error(diag, rowwise->span, "unsupported",
               "no code can be made of '%s': it is dynamic (reshapec explain says why), and '%s' "
               "cannot be left to the runtime",
               graph->name, rsh_op_name(rowwise->call.op));
    return false;
  }
  if (plan->too_large) {
    refuse_size(plan, diag);
    return false;
  }
  for (int i = 0; i < graph->variant.count; i++)
    if (plan->variant[i] && !plan_can_emit(plan->variant[i], diag))
      return false;
  return true;
}
