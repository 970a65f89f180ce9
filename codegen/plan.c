// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves to loop nests: which outputs are aliases, and what the kernels of the others do.
//
//   f32[2,3] transposed to f32[3,2]: one move {3, dst 2, src 1} {2, dst 1, src 3}, in elements
//     becomes loops {3, dst 8, src 4} {2, dst 4, src 12} around a run of 4 bytes
//
// Everything is checked here: an emitter never meets a size that does not fit or an unknown one.
#include "codegen/plan_internal.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct Planner {
  Arena *arena;
  Graph *graph;
  Diag *diag;
  VEC(Stage) stage;
} Planner;

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

static bool has_known_shape(const Value *value) {
  if (value->shape.rank == RSH_RANK_UNKNOWN)
    return false;
  for (int32_t i = 0; i < value->shape.rank; i++)
    if (!rsh_is_known(value->shape.dim[i]))
      return false;
  return true;
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
static bool check_size(Plan *plan, const Value *value, const char *name, Span span) {
  int64_t elements = 0;
  uint64_t bytes;
  if (!has_known_shape(value) || value_bytes(value, &elements, &bytes))
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

// Elements to bytes; false when that is no whole number of bytes, or does not fit.
static bool to_bytes(int64_t elements, int bits, int64_t *bytes) {
  int64_t n;
  if (bits >= 8)
    return !__builtin_mul_overflow(elements, (int64_t)(bits / 8), bytes);
  if (__builtin_mul_overflow(elements, (int64_t)bits, &n) || n % 8 != 0)
    return false;
  *bytes = n / 8;
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

static bool moves_are_known(const rsh_moves *moves) {
  for (int32_t i = 0; i < moves->count; i++)
    if (!move_is_known(moves, &moves->move[i]))
      return false;
  return true;
}

// One move in bytes. False: an element does not start or end at a whole byte.
static bool nest_of_move(Arena *arena, const rsh_moves *moves, const rsh_move *move,
                         rsh_dtype dtype, Nest *nest) {
  int bits = plan_element_bits(dtype);
  *nest = (Nest){.source = move->source, .unit = plan_element_align(dtype)};
  nest->loop = ARENA_ARRAY(arena, Loop, move->axis_count);
  if (!to_bytes(move->src_offset.n, bits, &nest->src_offset) ||
      !to_bytes(move->dst_offset.n, bits, &nest->dst_offset))
    return false;
  int count = move->axis_count;
  int64_t run = 1; // in elements
  for (; count > 0; count--) {
    const rsh_axis *axis = &moves->axis[move->first + count - 1];
    if (axis->dst.n != run || (axis->src.n != run && !rsh_is_fill(move->source)))
      break;
    run *= axis->extent.n;
  }
  if (!to_bytes(run, bits, &nest->run))
    return false;
  for (int i = 0; i < count; i++) {
    const rsh_axis *axis = &moves->axis[move->first + i];
    Loop *loop = &nest->loop[nest->loop_count];
    loop->extent = axis->extent.n;
    if (!to_bytes(axis->dst.n, bits, &loop->dst) || !to_bytes(axis->src.n, bits, &loop->src))
      return false;
    nest->loop_count += loop->extent > 1;
  }
  return true;
}

// All moves of a value, in order of destination. NULL: nest_of_move failed.
static Nest *nests_of_value(Planner *p, const Value *value, int *count) {
  const rsh_moves *moves = value->moves;
  Nest *nest = ARENA_ARRAY(p->arena, Nest, moves->count + 1);
  for (int32_t i = 0; i < moves->count; i++) {
    Nest next;
    if (!nest_of_move(p->arena, moves, &moves->move[i], value->dtype, &next))
      return NULL;
    int at = i;
    for (; at > 0 && nest[at - 1].dst_offset > next.dst_offset; at--)
      nest[at] = nest[at - 1];
    nest[at] = next;
  }
  *count = moves->count;
  return nest;
}

static bool refuse_sub_byte(Planner *p, const char *name, const Value *value, Span span) {
  diag_error(p->diag, span, "unsupported",
             "'%s' needs a copy that moves single %s elements; copies of %d-bit "
             "elements are supported where they move whole bytes",
             name, rsh_dtype_name(value->dtype), plan_element_bits(value->dtype));
  return false;
}

// Digits of an address are found from the outermost loop inward, so what is inside a loop must span
// less than one step of it.
static bool nest_has_digits(const Nest *nest) {
  int64_t span = nest->run;
  for (int i = nest->loop_count - 1; i >= 0; i--) {
    if (nest->loop[i].dst < span)
      return false;
    span += (nest->loop[i].extent - 1) * nest->loop[i].dst;
  }
  return true;
}

// Nests move elements and fill with constants; they do not change elements.
static bool check_moves(Planner *p, const rsh_moves *moves, const Output *output) {
  for (int32_t i = 0; i < moves->count; i++)
    if (moves->move[i].map != 0) {
      diag_error(p->diag, output->span, "unsupported",
                 "'%s' has elements that are computed; kernels only move elements", output->name);
      return false;
    }
  return true;
}

// Adds the stages that `moves` read, and theirs first.
static bool plan_stages(Planner *p, const rsh_moves *moves, const Output *output) {
  for (int32_t i = 0; i < moves->count; i++) {
    int id = moves->move[i].source;
    if (id < p->graph->input_count)
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
    if (!check_moves(p, value->moves, output) || !plan_stages(p, value->moves, output))
      return false;
    Stage stage = {.value = value};
    stage.nest = nests_of_value(p, value, &stage.nest_count);
    bool good = stage.nest && plan_element_bits(value->dtype) >= 8;
    for (int k = 0; good && k < stage.nest_count; k++)
      good = nest_has_digits(&stage.nest[k]);
    if (!good && plan_element_bits(value->dtype) < 8)
      return refuse_sub_byte(p, output->name, value, output->span);
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
static void split_run(Arena *arena, Nest *nest, int64_t element) {
  if (nest->run == element)
    return;
  Loop *loop = ARENA_ARRAY(arena, Loop, nest->loop_count + 1);
  for (int i = 0; i < nest->loop_count; i++)
    loop[i] = nest->loop[i];
  loop[nest->loop_count++] = (Loop){nest->run / element, element, element};
  nest->loop = loop;
  nest->run = element;
}

static bool plan_copy(Planner *p, OutputPlan *out) {
  const Value *value = out->output->value;
  const char *name = out->output->name;
  if (!check_moves(p, value->moves, out->output) || !plan_stages(p, value->moves, out->output))
    return false;
  int count;
  Nest *nest = nests_of_value(p, value, &count);
  if (!nest)
    return refuse_sub_byte(p, name, value, out->output->span);
  VEC(Nest) done = {0};
  for (int i = 0; i < count; i++) {
    Nest part[2];
    int parts = 1;
    part[0] = nest[i];
    if (nest[i].source >= p->graph->input_count)
      split_run(p->arena, &part[0], plan_element_bits(value->dtype) / 8);
    else if (!rsh_is_fill(nest[i].source))
      parts = nest_schedule(p->arena, &nest[i], part);
    for (int k = 0; k < parts; k++)
      VEC_PUSH(p->arena, done, part[k]);
  }
  out->nest_count = nests_join_places(p->arena, done.item, done.count, &out->nest);
  out->bytes_moved = out->bytes;
  if (value->moves->count == 1)
    out->offset = value->moves->move[0].src_offset.n;
  return true;
}

// The exported function of an alias copies the bytes as one run, but for gaps between strides.
static bool plan_alias(Planner *p, OutputPlan *out) {
  const Value *value = out->output->value;
  if (!out->source || out->bytes == 0)
    return true;
  if (is_strided(value)) {
    out->nest = nests_of_value(p, value, &out->nest_count);
    return out->nest || refuse_sub_byte(p, out->output->name, value, out->output->span);
  }
  Nest *nest = ARENA_NEW(p->arena, Nest);
  nest->source = out->source->id;
  nest->unit = plan_element_align(out->source->dtype);
  nest->run = (int64_t)out->bytes;
  to_bytes(out->offset, plan_element_bits(out->source->dtype), &nest->src_offset);
  out->nest = nest;
  out->nest_count = 1;
  return true;
}

// Inputs that moves read, through the stages.
static void mark_sources(const Graph *graph, const rsh_moves *moves, bool *seen) {
  for (int32_t i = 0; i < moves->count; i++) {
    int id = moves->move[i].source;
    if (id < 0 || seen[id])
      continue;
    seen[id] = true;
    const Value *value = graph->value.item[id];
    if (value->table)
      seen[value->table_source->id] = true;
    else if (id >= graph->input_count && value->moves)
      mark_sources(graph, value->moves, seen);
  }
}

static void plan_sources(Planner *p, OutputPlan *out) {
  bool *seen = ARENA_ARRAY(p->arena, bool, p->graph->value.count + 1);
  mark_sources(p->graph, out->moves, seen);
  out->sources = ARENA_ARRAY(p->arena, const Value *, p->graph->input_count + 1);
  for (int i = 0; i < p->graph->input_count; i++)
    if (seen[i])
      out->sources[out->source_count++] = p->graph->value.item[i];
}

// An input that is an output has no moves when nothing else asked for them: it is itself.
static const rsh_moves *moves_of(Planner *p, const Value *value) {
  if (value->moves || value->node || !has_known_shape(value))
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
  if (has_known_shape(value))
    out->bytes = plan_value_bytes(value);
  out->moves = moves_of(p, value);
  if (!out->moves) {
    out->tier = TIER_DYNAMIC;
    out->why = plan_why(p->arena, p->graph, out);
    return true;
  }
  plan_sources(p, out);
  int32_t source;
  rsh_num offset;
  bool is_alias = rsh_moves_is_alias(p->graph->symbols, out->moves, &source, &offset) &&
                  source < p->graph->input_count;
  int64_t start;
  if (is_alias && rsh_is_known(offset) &&
      !to_bytes(offset.n, plan_element_bits(value->dtype), &start))
    is_alias = false;
  bool is_empty = out->moves->count == 0;
  bool good = true;
  if (is_alias) {
    out->tier = TIER_ALIAS;
    out->source = is_empty ? NULL : p->graph->value.item[source];
    out->offset = rsh_is_known(offset) ? offset.n : 0;
    good = !fits || plan_alias(p, out);
  } else if (has_known_shape(value) && moves_are_known(out->moves)) {
    out->tier = TIER_STATIC;
    good = !fits || plan_copy(p, out);
    if (is_strided(value))
      out->bytes_moved = element_bytes(value);
  } else {
    out->tier = TIER_SYMBOLIC;
  }
  out->why = plan_why(p->arena, p->graph, out);
  return good;
}

Plan *plan_graph(Arena *arena, Graph *graph, Diag *diag) {
  Planner p = {.arena = arena, .graph = graph, .diag = diag};
  Plan *plan = ARENA_NEW(arena, Plan);
  plan->graph = graph;
  plan->output = ARENA_ARRAY(arena, OutputPlan, graph->output_count);
  plan->output_count = graph->output_count;
  bool good = true;
  for (int i = 0; i < graph->input_count; i++) {
    const Value *input = graph->value.item[i];
    check_size(plan, input, input->name, input->span);
  }
  for (int i = 0; good && i < graph->output_count; i++)
    good = plan_output(&p, plan, &graph->output[i], &plan->output[i]);
  plan->stage = p.stage.item;
  plan->stage_count = p.stage.count;
  return good ? plan : NULL;
}

bool plan_can_emit(const Plan *plan, Diag *diag) {
  const Graph *graph = plan->graph;
  bool is_static = graph_is_static(graph);
  for (int i = 0; i < plan->output_count; i++)
    is_static =
        is_static && (plan->output[i].tier == TIER_ALIAS || plan->output[i].tier == TIER_STATIC);
  if (is_static && plan->too_large)
    refuse_size(plan, diag);
  if (is_static)
    return !plan->too_large;
  const char *names = "";
  for (int i = 0; i < graph->symbol.count; i++) {
    const char *name = graph->symbol.item[i].name;
    names = arena_printf(diag->arena, "%s%s%s", names, *names ? ", " : "", name ? name : "?");
  }
  diag_error(diag, graph->span, "unsupported",
             "no code can be made of '%s': sizes are known only at run time%s%s%s", graph->name,
             *names ? " (" : "", names, *names ? ")" : "");
  return false;
}
