// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the moves of graphs with open sizes, for ctypes. A text is read, lowered and folded once. Then each call checks
// the conditions and moves one element after another. A dynamic graph runs its tape with the runtime. No code is
// emitted, so a call takes microseconds.
#include "../../support/program.h"
#include "codegen/emit.h"
#include "library/pipeline.h"
#include "runtime/move.h"

#include <stdlib.h>

// Results of folded_call other than statuses.
enum {
  NO_GRAPH = -1, // the compiler refused it
  BEYOND = -2,   // element-wise functions and gathers, which need code
  OUTSIDE = -3,  // a move reads or writes outside of a tensor
  TWICE = -4,    // an element is written twice, or never
};

typedef struct Folded {
  Pipeline pipeline;
} Folded;

// Memory of a value, of `bits` bits.
typedef struct Memory {
  const uint8_t *bytes;
  int64_t bits;
} Memory;

typedef struct Call {
  Arena *arena;
  const Graph *graph;
  int64_t symbol[RSH_MAX_SYMBOLS], atom[RSH_MAX_SYMBOLS];
  Memory *memory; // by value
} Call;

static Source *read_nothing(void *user, Arena *arena, const char *path, const char **why) {
  (void)user, (void)arena, (void)path;
  *why = "no file is there";
  return NULL;
}

Folded *folded_open(const char *text); // for as long as the process runs

Folded *folded_open(const char *text) {
  static const EmitOptions options = {.triple = "x86_64-linux-gnu"};
  static const SourceReader reader = {.read = read_nothing};
  Arena *arena = arena_new();
  Folded *f = ARENA_NEW(arena, Folded);
  f->pipeline = (Pipeline){.arena = arena, .diag = {.arena = arena}, .reader = &reader};
  f->pipeline.processor = emit_cost(arena, &options);
  if (pipeline_read_text(&f->pipeline, source_from_text(arena, "folded.rsh", text, strlen(text)))) {
    pipeline_lower(&f->pipeline);
    pipeline_fold(&f->pipeline);
  }
  return f;
}

// ---- conditions ----

static bool compares(const Guard *guard, int64_t left, int64_t right) {
  switch (guard->kind) {
  case WHERE_EQ:
    return left == right;
  case WHERE_NE:
    return left != right;
  case WHERE_LT:
    return left < right;
  case WHERE_LE:
    return left <= right;
  case WHERE_GT:
    return left > right;
  case WHERE_GE:
    return left >= right;
  case WHERE_IN:
    for (int i = 0; i < guard->choice_count; i++)
      if (left == guard->choice[i])
        return true;
    return false;
  }
  return false;
}

static int check_guard(const Call *c, const Guard *guard) {
  int64_t left, right = 0, by;
  if (!rsh_eval(c->graph->raw, guard->left, c->symbol, &left) ||
      !rsh_eval(c->graph->raw, guard->right, c->symbol, &right))
    return RSH_overflow;
  if (!rsh_is(guard->remainder_of, 0)) {
    if (!rsh_eval(c->graph->raw, guard->remainder_of, c->symbol, &by))
      return RSH_overflow;
    if (by < 1)
      return guard->status;
    left = left % by + (left % by < 0 ? by : 0);
  }
  return compares(guard, left, right) ? RSH_ok : guard->status;
}

static int check_guards(Call *c) {
  int status = RSH_ok;
  for (int i = 0; i < c->graph->guard.count && status == RSH_ok; i++)
    status = check_guard(c, &c->graph->guard.item[i]);
  return status;
}

// ---- sizes ----

static bool number_of(const Call *c, rsh_num n, int64_t *out) {
  return rsh_eval(c->graph->symbols, n, c->atom, out);
}

static bool volume_of(const Call *c, const Value *v, int64_t *out) {
  *out = 1;
  for (int32_t i = 0; i < v->shape.rank; i++) {
    int64_t n;
    if (!number_of(c, v->shape.dim[i], &n) || n < 0 || __builtin_mul_overflow(*out, n, out))
      return false;
  }
  return true;
}

// ---- moves ----

// Computes all numbers of the moves. Returns false if one of them does not fit.
static bool settle(const Call *c, const rsh_moves *m, rsh_moves *out) {
  *out = *m;
  out->move = ARENA_ARRAY(c->arena, rsh_move, m->count + 1);
  out->axis = ARENA_ARRAY(c->arena, rsh_axis, m->axis_count + 1);
  for (int32_t i = 0; i < m->count; i++) {
    rsh_move *move = &out->move[i];
    int64_t src, dst;
    *move = m->move[i];
    if (!number_of(c, move->src_offset, &src) || !number_of(c, move->dst_offset, &dst))
      return false;
    move->src_offset = rsh_int(src), move->dst_offset = rsh_int(dst);
    for (int32_t k = move->first; k < move->first + move->axis_count; k++) {
      int64_t extent;
      if (!number_of(c, m->axis[k].extent, &extent) || !number_of(c, m->axis[k].dst, &dst) ||
          !number_of(c, m->axis[k].src, &src))
        return false;
      out->axis[k] = (rsh_axis){rsh_int(extent), rsh_int(dst), rsh_int(src), rsh_int(0)};
    }
  }
  return true;
}

static bool bit_of(const uint8_t *bytes, int64_t at) { return bytes[at / 8] >> at % 8 & 1; }

static void copy_bits(uint8_t *to, int64_t at, const uint8_t *from, int64_t of, int64_t bits) {
  if (bits % 8 == 0) {
    memcpy(to + at / 8, from + of / 8, (size_t)bits / 8);
    return;
  }
  for (int64_t i = 0; i < bits; i++) {
    uint8_t mask = (uint8_t)(1u << (at + i) % 8);
    to[(at + i) / 8] = (uint8_t)((to[(at + i) / 8] & ~mask) | (bit_of(from, of + i) ? mask : 0));
  }
}

// One element of a result, or a part of one, and its source.
typedef struct Step {
  int64_t dst, src, bits; // `bits` of the result's element
  const Memory *from;
  const rsh_maps *maps;
  int32_t map;
} Step;

typedef struct Target {
  uint8_t *bytes, *is_written; // is_written has a byte for each element, or part
  int64_t elements;            // or parts
} Target;

static int copy_element(const Step *s, const Target *to) {
  if (s->dst < 0 || s->dst >= to->elements)
    return OUTSIDE;
  if (to->is_written[s->dst]++)
    return TWICE;
  int64_t bits = s->map ? rsh_dtype_bits(rsh_map_takes(s->maps, s->map)) : s->bits;
  if (s->src < 0 || (s->src + 1) * bits > s->from->bits)
    return OUTSIDE;
  if (s->map == 0) {
    copy_bits(to->bytes, s->dst * bits, s->from->bytes, s->src * bits, bits);
    return RSH_ok;
  }
  if (bits < 8 || s->bits < 8)
    return BEYOND;
  bool fits = rsh_map_element(s->maps, s->map, s->from->bytes + s->src * bits / 8,
                              to->bytes + s->dst * s->bits / 8) == RSH_ok;
  return fits ? RSH_ok : BEYOND;
}

// Moves all elements of a move.
static int walk(const rsh_axis *axis, int32_t count, Step step, const Target *to) {
  if (count == 0)
    return copy_element(&step, to);
  int status = RSH_ok;
  for (int64_t i = 0; i < axis->extent.n && status == RSH_ok; i++) {
    status = walk(axis + 1, count - 1, step, to);
    step.dst += axis->dst.n;
    step.src += axis->src.n;
  }
  return status;
}

static int run_moves(const Call *c, const rsh_moves *moves, int64_t bits, const Target *to) {
  rsh_moves m;
  if (!settle(c, moves, &m))
    return RSH_overflow;
  int status = RSH_ok;
  for (int32_t i = 0; i < m.count && status == RSH_ok; i++) {
    const rsh_move *move = &m.move[i];
    Memory fill = {0};
    if (rsh_is_fill(move->source)) {
      const Fill *of = &c->graph->fill.item[-1 - move->source];
      fill = (Memory){of->bits, 8 * (int64_t)sizeof of->bits};
    }
    const Memory *from = rsh_is_fill(move->source) ? &fill : &c->memory[move->source];
    status = walk(
        m.axis + move->first, move->axis_count,
        (Step){move->dst_offset.n, move->src_offset.n, bits, from, &c->graph->maps, move->map}, to);
  }
  return status;
}

// Writes the elements of a value to its own memory or to a result. `is_dense`: all elements must be written.
static int make_value(Call *c, const Value *v, uint8_t *bytes, int64_t room, bool is_dense) {
  int64_t parts = v->moves ? rsh_moves_parts(v->moves) : 1, bits = rsh_dtype_bits(v->dtype) / parts;
  Target to = {.bytes = bytes, .elements = room / bits};
  to.is_written = ARENA_ARRAY(c->arena, uint8_t, to.elements + 1);
  int status = RSH_ok;
  if (v->table) {
    int64_t volume;
    bool fits = volume_of(c, v, &volume);
    for (int64_t i = 0; fits && i < volume && status == RSH_ok; i++)
      status = copy_element(&(Step){i, v->table[i], bits, &c->memory[v->table_source->id], NULL, 0},
                            &to);
    return status;
  }
  status = run_moves(c, v->moves, bits, &to);
  for (int64_t i = 0; is_dense && i < to.elements && status == RSH_ok; i++)
    status = to.is_written[i] ? RSH_ok : TWICE;
  return status;
}

static int stage(Call *c, const Value *v) {
  int64_t volume, bits = rsh_dtype_bits(v->dtype);
  if (!volume_of(c, v, &volume) || volume > INT64_C(1) << 24)
    return RSH_overflow;
  uint8_t *bytes = ARENA_ARRAY(c->arena, uint8_t, volume *bits / 8 + 1);
  c->memory[v->id] = (Memory){bytes, volume * bits};
  return make_value(c, v, bytes, volume * bits, true);
}

// ---- calls ----

static bool has_functions_of_rows(const Graph *g) {
  for (int i = 0; i < g->node.count; i++)
    if (rsh_is_rowwise(g->node.item[i]->call.op))
      return true;
  return false;
}

// Whether a graph that is not dynamic consists only of moves.
static bool has_only_moves(const Graph *g) {
  for (int i = 0; i < g->symbol.count; i++)
    if (g->symbol.item[i].of)
      return false;
  for (int i = 0; i < g->value.count; i++)
    if (value_is_kept(g->value.item[i]) || g->value.item[i]->dtype == RSH_STRING)
      return false;
  for (int k = 0; k < g->output_count; k++)
    if (!g->output[k].value->moves && !g->output[k].value->table)
      return false;
  return true;
}

static const Graph *find(const Folded *f, const char *name) {
  const Module *m = f->pipeline.module;
  for (int i = 0; m && i < m->graph_count; i++)
    if (strcmp(m->graph[i]->name, name) == 0)
      return m->graph[i];
  return NULL;
}

// The index of a parameter among the names; for a `?`, its own index.
static int place_of(const char *const *names, int count, const Symbol *symbol, int at) {
  for (int i = 0; symbol->name && i < count; i++)
    if (strcmp(names[i], symbol->name) == 0)
      return i;
  return at < count ? at : 0;
}

// The arguments of a call: sizes and inputs by name; for each result its memory and the number of bits in it. `dims`
// receives RSH_MAX_RANK sizes for each result.
typedef struct Given {
  int32_t sizes, inputs;
  const char *const *size_name;
  const int64_t *size;
  const char *const *input_name;
  const uint8_t *const *input;
  const int64_t *input_bytes;
  uint8_t *const *output;
  const int64_t *output_bits;
  int64_t *dims;
} Given;

// The index of an input, or -1 if it is not given.
static int input_of(const Given *given, const char *name) {
  for (int k = 0; k < given->inputs; k++)
    if (strcmp(name, given->input_name[k]) == 0)
      return k;
  return -1;
}

static void set_sizes(const Given *given, const Graph *g, int64_t *symbol) {
  for (int i = 0, at = 0; i < g->symbol.count; i++)
    if (symbol_is_parameter(&g->symbol.item[i]))
      symbol[i] = given->size[place_of(given->size_name, given->sizes, &g->symbol.item[i], at++)];
}

static int call_moves(Arena *arena, const Graph *g, const Given *given) {
  Call c = {.arena = arena, .graph = g, .memory = ARENA_ARRAY(arena, Memory, g->value.count + 1)};
  set_sizes(given, g, c.symbol);
  int status = graph_edges(g, c.symbol) ? check_guards(&c) : RSH_overflow;
  graph_atoms(g, c.symbol, c.atom);
  for (int i = 0; i < g->value.count && status == RSH_ok; i++) {
    const Value *v = g->value.item[i];
    int64_t volume = 0;
    int k = i < g->input_count ? input_of(given, v->name) : -1;
    if (v->data && volume_of(&c, v, &volume))
      c.memory[i] = (Memory){v->data, volume * rsh_dtype_bits(v->dtype)};
    if (k >= 0)
      c.memory[i] = (Memory){given->input[k], 8 * given->input_bytes[k]};
    if (v->is_staged)
      status = stage(&c, v);
  }
  for (int k = 0; k < g->output_count && status == RSH_ok; k++) {
    const Value *v = g->output[k].value;
    const Value *said = v->storage && v->storage->logical ? v->storage->logical : v;
    int64_t *dims = given->dims + k * RSH_MAX_RANK;
    for (int32_t i = 0; i < said->shape.rank && status == RSH_ok; i++)
      status = number_of(&c, said->shape.dim[i], &dims[i]) ? RSH_ok : RSH_overflow;
    if (status == RSH_ok && given->output)
      status = make_value(&c, v, given->output[k], given->output_bits[k], !value_is_strided(v));
  }
  return status;
}

static int call_program(Arena *arena, const Graph *g, const Given *given) {
  const Tape *tape = tape_of(arena, g);
  if (tape->tensors || tape->function.count > 0)
    return BEYOND;
  const rsh_program_parts parts = program_parts_of(arena, tape);
  rsh_program_parts for_shapes = parts; // needs fewer parts than a run
  for_shapes.mover = NULL, for_shapes.picks = NULL;
  const void **inputs = ARENA_ARRAY(arena, const void *, g->input_count + tape->constant.count + 1);
  int64_t **dims = ARENA_ARRAY(arena, int64_t *, g->output_count + 1);
  int64_t symbol[RSH_MAX_SYMBOLS] = {0};
  set_sizes(given, g, symbol);
  for (int i = 0; i < g->input_count; i++) {
    int k = input_of(given, g->value.item[i]->name);
    inputs[i] = k >= 0 ? given->input[k] : NULL;
  }
  for (int i = 0; i < tape->constant.count; i++)
    inputs[g->input_count + i] = tape->constant.item[i]->data;
  for (int k = 0; k < g->output_count; k++)
    dims[k] = given->dims + k * RSH_MAX_RANK;
  rsh_program_call call = {.sizes = symbol,
                           .inputs = inputs,
                           .outputs = (void *const *)given->output,
                           .dims = dims,
                           .parts = &for_shapes};
  call.memory = ARENA_ARRAY(arena, int64_t, tape->shape_bytes / 8 + 2);
  int status = (int)rsh_program_shape(tape->word.item, &call);
  if (status != RSH_ok || !given->output)
    return status;
  call.memory = ARENA_ARRAY(arena, int64_t, tape->plan_bytes / 8 + 2);
  call.dims = NULL, call.parts = &parts;
  for (int run = 0; run < 2 && status == RSH_ok; run++)
    status = (int)rsh_program_run(tape->word.item, &call);
  return status;
}

int folded_call(const Folded *f, const char *name, const Given *given);

int folded_call(const Folded *f, const char *name, const Given *given) {
  const Graph *g = find(f, name);
  if (!g)
    return NO_GRAPH;
  if (has_functions_of_rows(g) || (!graph_is_dynamic(g) && !has_only_moves(g)))
    return BEYOND;
  Arena *arena = arena_new();
  int status = graph_is_dynamic(g) ? call_program(arena, g, given) : call_moves(arena, g, given);
  arena_free(arena);
  return status;
}
