// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds the part of a graph that outputs and `view` contracts need, in node order. A value whose moves would split
// into too many pieces is staged: it becomes a source for later values. So does a kept value, which an operator on rows
// computes in memory.
#include "frontend/graph/fold_graph.h"

#include "frontend/graph/graph_verify.h"
#include "frontend/graph/view.h"
#include "frontend/text/rescue.h"
#include "runtime/move.h"

#include <stdlib.h>
#include <string.h>

// Moves that a value may have, in addition to twice those of its operands, before it is staged. Each becomes a loop
// nest of the kernel.
enum { FREE_PIECES = 64 };

// Limits on elements of explicit maps: for one value, and in total (well under a second). A staged value of up to
// TABLE_LIMIT elements keeps its map as a table. A larger one does so only on top of another staged value, since then
// a table is cheaper to compile and to run than decoding addresses twice.
enum {
  MAP_BUDGET = 1 << 25,
  MAP_LIMIT = 1 << 24,
  TABLE_LIMIT = 1 << 16,
  DEEP_TABLE_LIMIT = 1 << 20
};

// A staged value of fills after a function of its elements.
typedef struct Copy {
  const Value *of;
  rsh_step step;
  Value *value;
} Copy;

typedef struct Folder {
  Arena *arena;
  Graph *graph;
  bool *live;          // by value id
  rsh_moves out, work; // grow as needed
  int64_t map_budget;
  VEC(Copy) copy;
} Folder;

static void *allocate(int64_t count, size_t size) { return rescue_malloc((size_t)count * size); }

static void list_resize(rsh_moves *m, int32_t moves) {
  if (m->capacity >= moves)
    return;
  rescue_free(m->move);
  rescue_free(m->axis);
  m->capacity = moves;
  m->axis_capacity = (int32_t)rsh_axes_of_moves(moves);
  m->move = allocate(m->capacity, sizeof *m->move);
  m->axis = allocate(m->axis_capacity, sizeof *m->axis);
}

static void list_free(rsh_moves *m) {
  rescue_free(m->move);
  rescue_free(m->axis);
}

// A copy in the arena, of exact size.
static rsh_moves *keep_list(Arena *arena, const rsh_moves *m) {
  rsh_moves *kept = ARENA_NEW(arena, rsh_moves);
  kept->capacity = m->count;
  kept->axis_capacity = m->axis_count;
  kept->move = ARENA_ARRAY(arena, rsh_move, m->count);
  kept->axis = ARENA_ARRAY(arena, rsh_axis, m->axis_count);
  (void)rsh_moves_copy(kept, m);
  return kept;
}

static int64_t known_volume(const Folder *f, const Value *v) {
  rsh_num volume;
  if (rsh_volume(f->graph->symbols, &v->shape, &volume) != RSH_ok || !rsh_is_known(volume))
    return -1;
  return volume.n;
}

static bool equal_moves(const rsh_moves *a, const rsh_moves *b) {
  if (a->count != b->count || rsh_moves_parts(a) != rsh_moves_parts(b) ||
      a->axis_count != b->axis_count)
    return false;
  for (int32_t i = 0; i < a->count; i++)
    if (a->move[i].source != b->move[i].source || a->move[i].map != b->move[i].map ||
        a->move[i].first != b->move[i].first || a->move[i].axis_count != b->move[i].axis_count ||
        !rsh_equal(a->move[i].src_offset, b->move[i].src_offset) ||
        !rsh_equal(a->move[i].dst_offset, b->move[i].dst_offset) ||
        !rsh_equal(a->move[i].at_offset, b->move[i].at_offset))
      return false;
  for (int32_t i = 0; i < a->axis_count; i++)
    if (!rsh_same_axis(&a->axis[i], &b->axis[i]))
      return false;
  return true;
}

static void mark_live(Folder *f) {
  const Graph *g = f->graph;
  for (int i = 0; i < g->output_count; i++)
    f->live[g->output[i].value->id] = true;
  for (int i = 0; i < g->value.count; i++)
    f->live[i] = f->live[i] || g->value.item[i]->is_view;
  graph_mark_operands(g, f->live);
}

// The moves of a value that is `source` itself, an input or a fill.
static const rsh_moves *whole(Folder *f, const Value *v, int source) {
  rsh_move move;
  rsh_axis axis;
  rsh_moves one = {&move, &axis, 0, 1, 0, 1, 0};
  rsh_num volume;
  if (rsh_volume(f->graph->symbols, &v->shape, &volume) != RSH_ok ||
      rsh_moves_identity(&one, source, volume) != RSH_ok)
    return NULL;
  if (rsh_is_fill(source) && one.axis_count > 0)
    axis.src = rsh_int(0);
  return keep_list(f->arena, &one);
}

static const rsh_moves *identity(Folder *f, const Value *v) { return whole(f, v, v->id); }

// The bits of element i of packed little-endian elements, from the lowest bit of `bits` on.
static void element_bits(const uint8_t *data, int64_t i, int64_t width, uint8_t bits[16]) {
  for (int64_t k = 0; k < width; k++)
    bits[k / 8] |= (uint8_t)((data[(i * width + k) / 8] >> (i * width + k) % 8 & 1) << k % 8);
}

static bool are_all_equal(const uint8_t *data, int64_t count, int64_t width) {
  if (width % 8 == 0)
    return memcmp(data, data + width / 8, (size_t)((count - 1) * width / 8)) == 0;
  bool same = true;
  uint8_t first[16] = {0};
  element_bits(data, 0, width, first);
  for (int64_t i = 1; same && i < count; i++) {
    uint8_t next[16] = {0};
    element_bits(data, i, width, next);
    same = memcmp(first, next, sizeof first) == 0;
  }
  return same;
}

// The moves of a constant: a fill if all its elements are equal, so that they need no memory.
static const rsh_moves *constant_moves(Folder *f, const Value *v) {
  int64_t volume = known_volume(f, v), width = rsh_dtype_bits(v->dtype);
  Fill fill = {.dtype = v->dtype};
  if (volume <= 0 || width == 0 || !are_all_equal(v->data, volume, width))
    return identity(f, v);
  element_bits(v->data, 0, width, fill.bits);
  return whole(f, v, -1 - graph_fill(f->arena, f->graph, &fill));
}

// The moves of an input itself, with its strides if it has them.
static const rsh_moves *input_moves(Folder *f, const Value *v) {
  const Storage *storage = v->storage;
  if (!value_is_strided(v))
    return identity(f, v);
  rsh_move move;
  rsh_axis axis[RSH_MAX_RANK];
  rsh_moves one = {&move, axis, 0, 1, 0, RSH_MAX_RANK, 0};
  if (rsh_moves_strided(f->graph->symbols, &one, v->id, &v->shape, storage->stride,
                        storage->offset) != RSH_ok)
    return NULL;
  return keep_list(f->arena, &one);
}

// For a result with strides: maps row-major addresses to positions in its memory.
static void place_result(Folder *f, Value *v) {
  const Storage *storage = v->storage;
  if (!value_is_strided(v) || v->moves == NULL)
    return;
  rsh_status status = RSH_too_small;
  for (int32_t size = v->moves->count + FREE_PIECES; status == RSH_too_small; size *= 2) {
    list_resize(&f->out, size);
    list_resize(&f->work, size);
    status = rsh_moves_place(f->graph->symbols, &v->shape, v->moves, storage->stride,
                             storage->offset, &f->out, &f->work);
  }
  v->moves = status == RSH_ok ? keep_list(f->arena, &f->out) : NULL;
}

// The single source of all moves other than constant fills, if its elements have the same size; or NULL.
static const Value *only_source(const Folder *f, const Value *v) {
  const rsh_moves *m = v->moves;
  const rsh_move *first = NULL;
  for (int32_t i = 0; i < m->count; i++) {
    const rsh_move *move = &m->move[i];
    if (move->map != 0 || (first && move->source >= 0 && move->source != first->source))
      return NULL;
    if (!rsh_is_fill(move->source))
      first = move;
  }
  const Value *source = first && m->parts <= 1 ? f->graph->value.item[first->source] : NULL;
  return source && rsh_dtype_bits(source->dtype) == rsh_dtype_bits(v->dtype) ? source : NULL;
}

// Walks down from v through staged values, each the only source of the one before, to an input, a kept value or one
// with a table. Returns the number of values on the way, v included; 0 if a value has several sources or the maps cost
// too much.
static int stages_below(Folder *f, const Value *v, const Value **end) {
  int count = 0;
  int64_t cost = 0;
  for (; v->node != NULL && !value_is_kept(v) && v->table == NULL; count++) {
    int64_t volume = known_volume(f, v);
    cost += volume;
    if (volume < 0 || !rsh_moves_are_known(v->moves) || volume > MAP_LIMIT || cost > f->map_budget)
      return 0;
    v = only_source(f, v);
    if (v == NULL)
      return 0;
  }
  f->map_budget -= cost;
  *end = v;
  return count;
}

// For each element of v, the index of the input's element that it is; -1 for constants. Maps the deepest value first.
static int64_t *element_map(const Folder *f, const Value *v, int stages) {
  const Value **chain = allocate(stages, sizeof *chain);
  for (int i = 0; i < stages; i++) {
    chain[i] = v;
    v = only_source(f, v);
  }
  int64_t *below = NULL;
  for (int i = stages - 1; i >= 0; i--) {
    int64_t volume = known_volume(f, chain[i]);
    int64_t *map = allocate(volume, sizeof *map);
    (void)rsh_map_moves(chain[i]->moves, map, NULL);
    for (int64_t k = 0; k < volume; k++) {
      if (map[k] < 0)
        continue;
      if (below != NULL)
        map[k] = below[map[k]];
      else if (v->table != NULL)
        map[k] = v->table[map[k]];
    }
    rescue_free(below);
    below = map;
  }
  rescue_free(chain);
  return below;
}

static bool has_constants(const int64_t *map, int64_t volume) {
  for (int64_t i = 0; i < volume; i++)
    if (map[i] < 0)
      return true;
  return false;
}

static void keep_table(Folder *f, Value *v, const Value *source, const int64_t *map,
                       int64_t volume) {
  uint32_t *table = ARENA_ARRAY(f->arena, uint32_t, volume);
  for (int64_t i = 0; i < volume; i++) {
    if (map[i] > UINT32_MAX)
      return;
    table[i] = (uint32_t)map[i];
  }
  v->table = table;
  v->table_source = source;
}

// Constants are not elements of the source, at any depth, so no map needs to be computed.
static bool fills(const rsh_moves *m) {
  for (int32_t i = 0; i < m->count; i++)
    if (rsh_is_fill(m->move[i].source))
      return true;
  return false;
}

// Several moves, or a path through staged values, may still be a single nest, as the element map shows. False: v keeps
// its moves, but may have a table if `keep` is set and the table is small enough.
static bool recognize(Folder *f, Value *v, bool keep) {
  const Value *end = NULL, *source = v->moves != NULL ? only_source(f, v) : NULL;
  if (source == NULL || (v->moves->count == 1 && !source->is_staged) || v->table != NULL ||
      fills(v->moves))
    return false;
  int stages = stages_below(f, v, &end);
  if (stages == 0)
    return false;
  const Value *input = end->table != NULL ? end->table_source : end;
  int64_t *map = element_map(f, v, stages), volume = known_volume(f, v);
  list_resize(&f->out, 1);
  bool is_filled = has_constants(map, volume);
  bool is_nest = !is_filled && rsh_moves_from_map(&f->out, input->id, map, volume);
  if (is_nest)
    v->moves = keep_list(f->arena, &f->out);
  else if (keep && !is_filled && volume <= (source->is_staged ? DEEP_TABLE_LIMIT : TABLE_LIMIT))
    keep_table(f, v, input, map, volume);
  rescue_free(map);
  return is_nest;
}

// A node being folded, and the moves of its operands.
typedef struct NodeWalk {
  rsh_walk walk;
  Folder *f;
  const Node *n;
  const rsh_moves **in;
  int64_t pieces; // capacity of the lists
} NodeWalk;

static bool is_of_fills(const Folder *f, const Value *v) {
  bool is = v->table == NULL;
  for (int32_t i = 0; is && i < v->moves->count; i++) {
    int32_t source = v->moves->move[i].source;
    is = rsh_is_fill(source) || f->graph->value.item[source]->is_of_fills;
  }
  return is;
}

static bool stage_operand(rsh_walk *walk, int32_t i) {
  NodeWalk *w = (NodeWalk *)walk;
  Value *v = w->n->in[i];
  if (v->node == NULL || value_is_kept(v))
    return false;
  if (!rsh_moves_are_known(v->moves) && !rsh_moves_have_digits(w->f->graph->symbols, v->moves))
    return false; // neither a table nor digits could look it up
  const rsh_moves *whole = identity(w->f, v);
  if (whole == NULL)
    return false;
  v->is_staged = v->is_staged || !recognize(w->f, v, true);
  v->is_of_fills = v->is_staged && is_of_fills(w->f, v);
  w->in[i] = v->is_staged ? whole : v->moves;
  return true;
}

// Grows by four, so that failed attempts add at most a third to the cost.
static bool grow_lists(rsh_walk *walk) {
  NodeWalk *w = (NodeWalk *)walk;
  w->pieces *= 4;
  list_resize(&w->f->out, (int32_t)w->pieces);
  list_resize(&w->f->work, (int32_t)w->pieces);
  return true;
}

// Reserves room in the table for a node that extends every existing chain.
static void reserve_maps(Folder *f, const Node *n) {
  rsh_maps *maps = &f->graph->maps;
  int32_t wanted = 2 * maps->count + 1;
  if (!rsh_is_elementwise(n->call.op) || maps->capacity >= wanted)
    return;
  rsh_map *map = ARENA_ARRAY(f->arena, rsh_map, 2 * wanted);
  memcpy(map, maps->map, (size_t)maps->count * sizeof *map);
  maps->map = map;
  maps->capacity = 2 * wanted;
}

static Value *find_copy(const Folder *f, const Value *v, const rsh_step *step) {
  for (int i = 0; i < f->copy.count; i++)
    if (f->copy.item[i].of == v && rsh_same_step(&f->copy.item[i].step, step))
      return f->copy.item[i].value;
  return NULL;
}

static Value *apply_to_fills(Folder *f, const Value *v, const rsh_step *step);

static bool apply_to_move(Folder *f, rsh_move *move, const rsh_step *step) {
  if (rsh_is_fill(move->source))
    return rsh_map_add(&f->graph->maps, move->map, step, &move->map) == RSH_ok;
  const Value *source = f->graph->value.item[move->source];
  const Value *made = move->map == 0 ? apply_to_fills(f, source, step) : NULL;
  if (made != NULL)
    move->source = made->id;
  return made != NULL;
}

// A copy of a staged value of fills, with a function of each fill, which then costs nothing at run time: functions of
// the value itself would be computed for each element that is looked up. NULL: they must be, as those of a value whose
// bits are read as another type.
static Value *apply_to_fills(Folder *f, const Value *v, const rsh_step *step) {
  Value *copy = find_copy(f, v, step);
  if (copy != NULL || v->dtype != step->from || rsh_moves_parts(v->moves) > 1)
    return copy;
  rsh_moves *moves = keep_list(f->arena, v->moves);
  for (int32_t i = 0; i < moves->count; i++)
    if (!apply_to_move(f, &moves->move[i], step))
      return NULL;
  copy = ARENA_NEW(f->arena, Value);
  *copy = *v;
  copy->id = f->graph->value.count;
  copy->dtype = step->to;
  copy->moves = moves;
  VEC_PUSH(f->arena, f->graph->value, copy);
  const Copy made = {v, *step, copy};
  VEC_PUSH(f->arena, f->copy, made);
  return copy;
}

// Applies functions of staged fills to the fills.
static void apply_to_staged(Folder *f, rsh_moves *moves) {
  const rsh_map *maps = f->graph->maps.map;
  for (int32_t i = 0; i < moves->count; i++) {
    rsh_move *move = &moves->move[i];
    const rsh_map *map = &maps[move->map];
    if (rsh_is_fill(move->source) || move->map == 0 || map->before != 0 || map->step.tables != 0)
      continue;
    const Value *source = f->graph->value.item[move->source];
    const Value *made = source->is_of_fills ? apply_to_fills(f, source, &map->step) : NULL;
    if (made != NULL) {
      move->source = made->id;
      move->map = 0;
    }
  }
}

// The moves of an operand that are tried first. A staged value with too many pieces has them for each node; one whose
// pieces a node could not cut for all sizes may be folded further by another.
static const rsh_moves *first_moves(Folder *f, const Value *v) {
  return v->is_staged && rsh_moves_are_known(v->moves) ? identity(f, v) : v->moves;
}

// The moves of result k; NULL if the structure depends on symbols.
static const rsh_moves *fold_result(Folder *f, Node *n, int k) {
  if (n->is_undecided)
    return NULL;
  NodeWalk w = {{rsh_fold_rule_of(n->call.op), stage_operand, grow_lists},
                f,
                n,
                NULL,
                FREE_PIECES + rsh_fold_pieces(&n->call)};
  const rsh_moves *folded = NULL;
  bool known = true;
  w.in = allocate(n->call.in_count, sizeof *w.in);
  reserve_maps(f, n);
  n->call.maps = &f->graph->maps;
  for (int i = 0; i < n->call.in_count; i++) {
    w.in[i] = first_moves(f, n->in[i]);
    known = known && w.in[i] != NULL;
    w.pieces += w.in[i] != NULL ? 2 * w.in[i]->count : 0;
  }
  list_resize(&f->out, (int32_t)w.pieces);
  list_resize(&f->work, (int32_t)w.pieces);
  if (known &&
      rsh_fold_staged(&n->call, k, &n->out[k]->shape, w.in, &f->out, &f->work, &w.walk) == RSH_ok) {
    if (rsh_is_elementwise(n->call.op))
      apply_to_staged(f, &f->out);
    folded = n->call.in_count == 1 && equal_moves(w.in[0], &f->out) ? w.in[0]
                                                                    : keep_list(f->arena, &f->out);
  }
  rescue_free(w.in);
  return folded;
}

// ---- picks by index tensors ----

// Returns whether stored values, unconverted, are valid indices, and the type to read them as: i32 for a cast to i64.
// A cast that makes bits signed, as of u32 to i32, is read as signed: 2^32 - 1 is the last element.
static bool reads_as(const Folder *f, int32_t map, rsh_dtype *type) {
  if (map == 0)
    return true;
  int count = 0;
  const rsh_step *step = graph_map_steps(f->arena, f->graph, map, &count);
  if (count != 1 || step->op != RSH_OP_CAST || !rsh_dtype_is_integer(step->from) ||
      rsh_dtype_bits(step->from) < 8 || !rsh_is_lossless(step->from, step->to))
    return false;
  *type = rsh_dtype_bits(step->from) == rsh_dtype_bits(step->to) ? step->to : step->from;
  return true;
}

// Finds the memory that contains a value unchanged. Indices may be narrower there.
static bool find_location(const Folder *f, const Value *v, bool are_indices, Location *out) {
  *out = (Location){v->id, rsh_int(0), v->dtype};
  if (v->node == NULL || value_is_kept(v))
    return true;
  if (v->is_staged || v->moves->count != 1)
    return false;
  rsh_move move = v->moves->move[0];
  rsh_moves one = *v->moves;
  one.move = &move;
  if (are_indices && !reads_as(f, move.map, &out->dtype))
    return false;
  move.map = are_indices ? 0 : move.map;
  if (!rsh_moves_is_alias(f->graph->symbols, &one, &out->source, &out->offset))
    return false;
  const Value *source = f->graph->value.item[out->source];
  return graph_is_source(f->graph, out->source) &&
         rsh_dtype_bits(source->dtype) == rsh_dtype_bits(out->dtype);
}

// An operand of a pick: the memory that contains it, or in which it is kept from here on.
static const Location *place_operand(Folder *f, Value *v, bool are_indices) {
  Location *location = ARENA_NEW(f->arena, Location);
  if (find_location(f, v, are_indices, location))
    return location;
  const rsh_moves *whole = identity(f, v);
  if (whole == NULL)
    return NULL;
  recognize(f, v, false);
  v->feed = v->moves;
  v->moves = whole;
  v->is_staged = false;
  v->table = NULL;
  *location = (Location){v->id, rsh_int(0), v->dtype};
  return location;
}

static void fold_picked(Folder *f, Node *n) {
  Value *v = n->out[0], *data = n->in[0], *indices = n->in[1];
  if (n->is_undecided || !f->live[v->id] || !data->moves || !indices->moves)
    return;
  const Location *from = place_operand(f, data, false), *by = place_operand(f, indices, true);
  v->moves = identity(f, v);
  v->picked_from = v->moves && from && by ? from : NULL;
  v->picked_by = by;
  v->moves = v->picked_from ? v->moves : NULL;
}

static void fold_node(Folder *f, Node *n) {
  if (rsh_takes_indices(&n->call)) {
    fold_picked(f, n);
    return;
  }
  for (int k = 0; k < n->call.out_count; k++) {
    Value *v = n->out[k];
    if (!f->live[v->id])
      continue;
    v->moves = fold_result(f, n, k);
    if (!rsh_is_rowwise(n->call.op) || v->moves == NULL)
      continue;
    recognize(f, v, false);
    v->feed = v->moves;
    v->moves = identity(f, v);
  }
}

static bool fold_one(Arena *arena, Graph *graph, Diag *diag) {
  Folder f = {.arena = arena, .graph = graph, .map_budget = MAP_BUDGET};
  f.live = ARENA_ARRAY(arena, bool, graph->value.count + 1);
  int errors = diag->errors;
  graph->maps.map = ARENA_NEW(arena, rsh_map);
  graph->maps.count = graph->maps.capacity = 1;
  mark_live(&f);
  for (int i = 0; i < graph->input_count; i++)
    graph->value.item[i]->moves = input_moves(&f, graph->value.item[i]);
  for (int i = graph->input_count; i < graph->value.count; i++)
    if (f.live[i] && value_is_constant(graph->value.item[i]))
      graph->value.item[i]->moves = constant_moves(&f, graph->value.item[i]);
  for (int i = 0; i < graph->node.count; i++)
    fold_node(&f, graph->node.item[i]);
  for (int i = 0; i < graph->output_count; i++) {
    recognize(&f, graph->output[i].value, false);
    place_result(&f, graph->output[i].value);
  }
  for (int i = 0; i < graph->value.count; i++) {
    if (!graph->value.item[i]->is_view)
      continue;
    if (graph->value.item[i]->storage == NULL) // else it is an output, or already placed
      recognize(&f, graph->value.item[i], false);
    check_view(graph, graph->value.item[i], diag);
  }
  list_free(&f.out);
  list_free(&f.work);
  return diag->errors == errors;
}

// Contracts belong to the graph; nothing is reported for a variant.
static void fold_variants(Arena *arena, Graph *graph, const Diag *diag) {
  for (int i = 0; i < graph->variant.count; i++) {
    Diag quiet = {.arena = arena, .source = diag->source, .file = diag->file};
    fold_one(arena, graph->variant.item[i].graph, &quiet);
  }
}

static int count_staged(const Graph *graph) {
  int count = 0;
  for (int i = 0; i < graph->value.count; i++)
    count += graph->value.item[i]->is_staged;
  return count;
}

// Drops a variant for tensors without empty dims, which is the last, unless fewer of its values are staged.
static void drop_equal(Graph *graph) {
  int last = graph->variant.count - 1;
  if (last >= 0 && graph->variant.item[last].least > 0 &&
      count_staged(graph->variant.item[last].graph) >= count_staged(graph))
    graph->variant.count--;
}

static bool is_sound(const Graph *graph, const char *wrong, Diag *diag) {
  if (wrong)
    diag_error(diag, graph->span, "internal", "the graph '%s' is wrong: it has %s", graph->name,
               wrong);
  return !wrong;
}

bool fold_graph(Arena *arena, Graph *graph, Diag *diag) {
  if (!is_sound(graph, graph_verify(graph), diag))
    return false;
  fold_variants(arena, graph, diag);
  bool good = fold_one(arena, graph, diag) && is_sound(graph, graph_verify_moves(graph), diag);
  drop_equal(graph);
  for (int i = 0; good && i < graph->variant.count; i++)
    good = is_sound(graph, graph_verify_moves(graph->variant.item[i].graph), diag);
  return good;
}
