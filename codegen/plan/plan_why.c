// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One sentence for people: why an output is an alias, or which operators make it a copy, and what is copied.
//
//   all 3 operators cancel: element i of y is element i of x
//   a contiguous slice of x, from element 768
//   transpose moves axes 1 and 2: 8 x 12 x 384 runs of 128 bytes
//   x and y are joined: 8 runs of 64 bytes from x, 8 runs of 128 bytes from y
#include "codegen/plan/plan_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The operators between a value and the inputs and kept values that it is computed from.
typedef struct Path {
  const Node **node; // in order of execution
  int count;
  int after_stages; // how many of them work on staged values
} Path;

// "gather by i: 12 runs of 256 bytes"
static const char *picks_text(Arena *arena, const Graph *graph, const Picks *picks,
                              const char *name) {
  const Value *by = graph->value.item[picks->by.source];
  rsh_num runs = rsh_int(1);
  for (int i = 0; i < picks->loop_count; i++)
    if (!rsh_mul(graph->symbols, runs, picks->loop[i].extent, &runs))
      return name;
  return arena_printf(arena, "%s by %s: %s run%s of %s bytes", name,
                      by->name ? by->name : rsh_op_name(by->node->call.op),
                      num_text(arena, graph, runs), rsh_is(runs, 1) ? "" : "s",
                      num_text(arena, graph, picks->run.run));
}

const char *plan_pass_text(Arena *arena, const Graph *graph, const Pass *pass) {
  const rsh_shape *shape = &pass->value->shape;
  const char *name = rsh_op_name(pass->value->node->call.op);
  if (pass->picks)
    return picks_text(arena, graph, pass->picks, name);
  if (!pass_is_rowwise(pass))
    return arena_printf(arena, "%s kept in memory", name);
  if (!rsh_is(pass->length, 0))
    return arena_printf(arena, "%s of %s row%s of %s", name, num_text(arena, graph, pass->rows),
                        rsh_is(pass->rows, 1) ? "" : "s", num_text(arena, graph, pass->length));
  return arena_printf(arena, "%s of rows of %s", name,
                      num_text(arena, graph, shape->dim[shape->rank - 1]));
}

// Whether it is a copy that is kept only to pick elements from it or by it.
static bool is_copy(const Value *value) {
  return value->feed && !rsh_is_rowwise(value->node->call.op);
}

static Path path_of(Arena *arena, const Graph *graph, const Value *end) {
  bool *wanted = ARENA_ARRAY(arena, bool, graph->value.count + 1);
  bool *folded = ARENA_ARRAY(arena, bool, graph->value.count + 1);
  Path path = {.node = ARENA_ARRAY(arena, const Node *, graph->node.count + 1)};
  wanted[end->id] = folded[end->id] = true;
  for (int i = graph->node.count - 1; i >= 0; i--) {
    const Node *node = graph->node.item[i];
    bool is_wanted = false, is_folded = false;
    for (int k = 0; k < node->call.out_count; k++) {
      is_wanted =
          is_wanted || (wanted[node->out[k]->id] &&
                        (!value_is_kept(node->out[k]) || (node->out[k] == end && is_copy(end))));
      is_folded = is_folded ||
                  (folded[node->out[k]->id] && (!node->out[k]->is_staged || node->out[k] == end));
    }
    if (!is_wanted)
      continue;
    path.node[path.count++] = node;
    path.after_stages += is_folded;
    for (int k = 0; k < node->call.in_count; k++) {
      wanted[node->in[k]->id] = true;
      folded[node->in[k]->id] = folded[node->in[k]->id] || is_folded;
    }
  }
  for (int i = 0; i < path.count / 2; i++) {
    const Node *node = path.node[i];
    path.node[i] = path.node[path.count - 1 - i];
    path.node[path.count - 1 - i] = node;
  }
  return path;
}

// Whether two values read the same elements in the same order.
static bool same_moves(const rsh_moves *a, const rsh_moves *b) {
  if (a->count != b->count || a->axis_count != b->axis_count)
    return false;
  for (int32_t i = 0; i < a->count; i++) {
    const rsh_move *m = &a->move[i], *n = &b->move[i];
    if (m->source != n->source || m->axis_count != n->axis_count ||
        !rsh_equal(m->src_offset, n->src_offset) || !rsh_equal(m->dst_offset, n->dst_offset))
      return false;
    for (int32_t k = 0; k < m->axis_count; k++)
      if (!rsh_same_axis(&a->axis[m->first + k], &b->axis[n->first + k]))
        return false;
  }
  return true;
}

static bool is_alias(const Graph *graph, const rsh_moves *moves) {
  int32_t source;
  rsh_num offset;
  return rsh_moves_is_alias(graph->symbols, moves, &source, &offset);
}

// A transpose that only moves axes of size 1 has no effect either.
const char *plan_effect(const Graph *graph, const Node *node) {
  const rsh_moves *in = node->call.in_count == 1 ? node->in[0]->moves : NULL;
  const rsh_moves *out = node->call.out_count == 1 ? node->out[0]->moves : NULL;
  if (in && out && (same_moves(in, out) || (is_alias(graph, in) && is_alias(graph, out))))
    return NULL;
  return op_effect(node->call.op);
}

// " 1 and 2" for perm [0, 2, 1, 3]; axes of size 1 do not count.
static const char *axes_text(Arena *arena, const rsh_call *call) {
  const rsh_arg *perm = &call->arg[0];
  int32_t rank = call->in[0]->rank;
  const char *text = "";
  int32_t last = -1;
  for (int32_t i = 0; i <= rank; i++) {
    int64_t from = i == rank                    ? i
                   : perm->kind != RSH_ARG_LIST ? rank - 1 - i
                   : i < perm->count            ? perm->list[i].n
                                                : i;
    from += from < 0 ? rank : 0;
    if (i < rank && (from == i || rsh_is(call->in[0]->dim[i], 1)))
      continue;
    if (last >= 0)
      text = arena_printf(arena, "%s%s%d", text,
                          !*text      ? " "
                          : i == rank ? " and "
                                      : ", ",
                          (int)last);
    last = i;
  }
  return text;
}

static bool joins(rsh_op op) { return rsh_op_max_operands(op) > 1; }

// "transpose moves axes 1 and 2", "slice, flip and transpose change the order"; "" if no operator
// moves anything. Without `with_joins`, concat and stack are left out. `has_layout`: a layout moves, too.
static const char *cause_of_calls(Arena *arena, const Path *path, bool with_joins,
                                  bool has_layout) {
  const char *layout = "the layout changes the order";
  const rsh_call *mover[RSH_OP_COUNT]; // the first call of each operator
  int count = 0, calls = 0;
  for (int i = 0; i < path->count; i++) {
    const rsh_call *call = &path->node[i]->call;
    if (!op_effect(call->op) || path->node[i]->is_layout || (joins(call->op) && !with_joins))
      continue;
    calls++;
    bool have = false;
    for (int k = 0; k < count; k++)
      have = have || mover[k]->op == call->op;
    if (!have)
      mover[count++] = call;
  }
  if (count == 0)
    return has_layout ? layout : "";
  const char *text = rsh_op_name(mover[0]->op);
  if (calls == 1) {
    const char *axes = mover[0]->op == RSH_OP_TRANSPOSE ? axes_text(arena, mover[0]) : "";
    return arena_printf(arena, "%s %s%s%s%s", text, op_effect(mover[0]->op), axes,
                        has_layout ? ", " : "", has_layout ? layout : "");
  }
  if (count == 1)
    return arena_printf(arena, "%d calls of %s%s change the order", calls, text,
                        has_layout ? " and the layout" : "");
  for (int i = 1; i < count; i++)
    text = arena_printf(arena, "%s%s%s", text, i == count - 1 && !has_layout ? " and " : ", ",
                        rsh_op_name(mover[i]->op));
  return arena_printf(arena, "%s%s change the order", text, has_layout ? " and the layout" : "");
}

// The same including layouts: "transpose, flip and the layout change the order".
static const char *cause(Arena *arena, const Path *path, bool with_joins) {
  bool has_layout = false;
  for (int i = 0; i < path->count; i++)
    has_layout = has_layout || (path->node[i]->is_layout && op_effect(path->node[i]->call.op));
  return cause_of_calls(arena, path, with_joins, has_layout);
}

// "x and y are joined", "a, b and 6 others are joined, flip reverses axes".
static const char *joined(Arena *arena, const char *const *name, int n, const Path *path) {
  const char *a = name[0], *b = name[1];
  const char *others = n == 2   ? ""
                       : n == 3 ? arena_printf(arena, " and %s", name[2])
                                : arena_printf(arena, " and %d others", n - 2);
  const char *more = cause(arena, path, false);
  return arena_printf(arena, "%s%s%s%s are joined%s%s", a, n == 2 ? " and " : ", ", b, others,
                      *more ? ", " : "", more);
}

// "cast to f32, relu": the functions of the first move that has any.
static const char *functions(Arena *arena, const Graph *graph, const rsh_moves *moves) {
  enum { SHOWN = 4 };
  int32_t map = 0;
  int count;
  const char *text = "";
  for (int32_t i = 0; i < moves->count && map == 0; i++)
    map = moves->move[i].map;
  const rsh_step *step = graph_map_steps(arena, graph, map, &count);
  for (int i = 0; i < count && i < SHOWN; i++)
    text = arena_printf(
        arena, "%s%s%s%s", text, i ? ", " : "", rsh_op_name(step[i].op),
        step[i].op != RSH_OP_CAST ? "" : arena_printf(arena, " to %s", rsh_dtype_name(step[i].to)));
  return count > SHOWN ? arena_printf(arena, "%s and %d more", text, count - SHOWN) : text;
}

// "256 bytes", "3 elements" if these are not whole bytes.
static const char *extent(Arena *arena, int64_t elements, int bits) {
  int64_t bytes; // they may overflow for a tensor that is too large
  if (elements % 8 * bits % 8 != 0 || __builtin_mul_overflow(elements / 8, bits, &bytes) ||
      __builtin_add_overflow(bytes, elements % 8 * bits / 8, &bytes))
    return arena_printf(arena, "%" PRId64 " %s", elements, bits == 1 ? "bits" : "elements");
  return arena_printf(arena, "%" PRId64 " bytes", bytes);
}

// "8 x 12 runs of 256 bytes", "3 x 2 elements", "one run of 24 bytes".
static const char *move_amount(Arena *arena, const rsh_moves *moves, const rsh_move *move,
                               int bits) {
  const rsh_axis *axis = &moves->axis[move->first];
  int count = move->axis_count;
  int64_t run = 1;
  while (count > 0 && move->map == 0 && rsh_is(axis[count - 1].dst, run) &&
         rsh_is(axis[count - 1].src, run))
    run *= axis[--count].extent.n;
  const char *text = "";
  for (int i = 0; i < count; i++)
    text = arena_printf(arena, "%s%s%" PRId64, text, i ? " x " : "", axis[i].extent.n);
  if (count == 0 && move->map != 0)
    return "one element";
  if (count == 0)
    return arena_printf(arena, "one run of %s", extent(arena, run, bits));
  if (run == 1)
    return arena_printf(arena, "%s elements", text);
  return arena_printf(arena, "%s runs of %s", text, extent(arena, run, bits));
}

static const char *source_name(const Graph *graph, int source) {
  const char *name = graph->value.item[source]->name;
  const Node *node = graph->value.item[source]->node;
  return name ? name : node ? rsh_op_name(node->call.op) : "a constant";
}

static int64_t move_volume(const rsh_moves *moves, const rsh_move *move) {
  int64_t volume = 1;
  for (int i = 0; i < move->axis_count; i++)
    volume *= moves->axis[move->first + i].extent.n;
  return volume;
}

// The amount of each move if there are few, "32 runs of 512 bytes from past, one run of 4 bytes from new";
// else their number, "6 pieces"; then the amount filled with constants, "24 bytes filled".
static const char *amount(Arena *arena, const Graph *graph, const Value *value,
                          const rsh_moves *moves, bool is_joined) {
  enum { SHOWN = 4 };
  int bits = plan_element_bits(plan_moved_type(moves, value->dtype)), copies = 0;
  int64_t filled = 0;
  const char *text = "";
  for (int i = 0; i < moves->count; i++) {
    const rsh_move *move = &moves->move[i];
    if (rsh_is_fill(move->source)) {
      filled += move_volume(moves, move);
    } else if (copies++ < SHOWN) {
      text = arena_printf(arena, "%s%s%s", text, copies > 1 ? ", " : "",
                          move_amount(arena, moves, move, bits));
      if (is_joined)
        text = arena_printf(arena, "%s from %s", text, source_name(graph, move->source));
    }
  }
  if (copies > SHOWN)
    text = arena_printf(arena, "%d pieces", copies);
  if (filled == 0)
    return text;
  return arena_printf(arena, "%s%s%s filled", text, copies ? ", " : "",
                      extent(arena, filled, bits));
}

// The first operator that is not a step of a layout.
static const char *path_name(const Path *path) {
  int i = 0;
  while (i + 1 < path->count && path->node[i]->is_layout)
    i++;
  return rsh_op_name(path->node[i]->call.op);
}

static const char *why_alias(Arena *arena, const Graph *graph, const OutputPlan *out,
                             const Path *path) {
  const char *y = out->output->name;
  if (!out->source)
    return arena_printf(arena, "%s has no elements", y);
  const char *x = out->source->name;
  if (rsh_dtype_bits(out->source->dtype) != rsh_dtype_bits(out->output->value->dtype))
    return arena_printf(arena, "the bits of %s are those of %s, from element %s on", y, x,
                        num_text(arena, graph, out->offset));
  if (!rsh_shape_equal(&out->source->shape, &out->output->value->shape) || path->count > 0) {
    const rsh_move *move = &out->moves->move[0];
    rsh_num all, part;
    bool whole = rsh_volume(graph->symbols, &out->source->shape, &all) == RSH_ok &&
                 rsh_volume(graph->symbols, &out->output->value->shape, &part) == RSH_ok &&
                 rsh_at_most(graph->symbols, all, part);
    if (!whole)
      return arena_printf(arena, "a contiguous slice of %s, from element %s", x,
                          num_text(arena, graph, move->src_offset));
  }
  bool moves = false;
  int calls = 0, steps = 0; // steps of layouts
  for (int i = 0; i < path->count; i++) {
    moves =
        moves || op_effect(path->node[i]->call.op) || rsh_is_elementwise(path->node[i]->call.op);
    calls += !path->node[i]->is_layout;
    steps += path->node[i]->is_layout && op_effect(path->node[i]->call.op);
  }
  if (steps > 0)
    return arena_printf(arena, "%sthe layouts cancel: element i of %s in memory is element i of %s",
                        calls == 0   ? ""
                        : calls == 1 ? arena_printf(arena, "%s and ", path_name(path))
                                     : arena_printf(arena, "all %d operators and ", calls),
                        y, x);
  if (path->count == 1)
    return arena_printf(arena, "%s keeps the order: element i of %s is element i of %s",
                        rsh_op_name(path->node[0]->call.op), y, x);
  if (path->count > 1)
    return arena_printf(arena, "%s operators %s: element i of %s is element i of %s",
                        path->count == 2 ? "both" : arena_printf(arena, "all %d", path->count),
                        moves ? "cancel" : "keep the order", y, x);
  return arena_printf(arena, "element i of %s is element i of %s", y, x);
}

// "element", or "run of 96 elements" if the first nest that looks elements up copies as many at once, or "contiguous
// part" if it copies as many as are.
static const char *looked_up(const Planner *p, const Nest *nest, int count) {
  Arena *arena = p->arena;
  const Graph *graph = p->graph;
  int i = 0;
  while (i < count && !plan_is_staged(graph, nest[i].source))
    i++;
  if (i == count || nest_is_by_element(&nest[i]))
    return "element";
  if (stage_of(p, nest[i].source)->finds_parts)
    return "contiguous part";
  rsh_num elements = nest[i].run;
  elements.n /= plan_element_bits(nest[i].to) / 8;
  return rsh_is(elements, 1)
             ? "element"
             : arena_printf(arena, "run of %s elements", num_text(arena, graph, elements));
}

// The result has too many pieces for loops, or ones that differ between sizes: it is written in order, and each element
// is looked up by tracing it back through the last operators.
static const char *why_stages(Arena *arena, const Value *value, const Value *staged,
                              const char *each, const Path *path) {
  int last = path->after_stages;
  const char *count = last == 1 ? "" : arena_printf(arena, " %d", last);
  const char *why = rsh_moves_parts(staged->moves) > 1 ? "elements are assembled from parts first"
                    : plan_is_known(staged)            ? "too many pieces for loops"
                                                       : "no small set of loops fits all sizes";
  return arena_printf(arena,
                      "%s: each %s of %s is looked up through the "
                      "last%s of %d operators, one by one; a graph of only the last%s has loops",
                      why, each, value->name ? value->name : "the value", count, path->count,
                      count);
}

// The names of the inputs and kept values that moves read, the latter by their operators if they have no names.
static int read_names(Arena *arena, const Graph *graph, const rsh_moves *moves, const char **name) {
  bool *seen = ARENA_ARRAY(arena, bool, graph->value.count + 1);
  int count = 0;
  mark_reads(graph, moves, seen);
  for (int i = 0; i < graph->value.count; i++) {
    const Value *v = graph->value.item[i];
    if (seen[i] && (i < graph->input_count || value_is_kept(v)))
      name[count++] = v->name ? v->name : rsh_op_name(v->node->call.op);
  }
  return count;
}

// `done`: the functions that are applied in the same pass.
static const char *why_loops(Arena *arena, const Graph *graph, const Value *value,
                             const rsh_moves *moves, const Path *path, const char *done) {
  bool is_known = moves_are_known(moves);
  const char **name = ARENA_ARRAY(arena, const char *, graph->value.count + 1);
  int names = read_names(arena, graph, moves, name);
  const char *what = names > 1 ? joined(arena, name, names, path) : cause(arena, path, true);
  if (*what && *done)
    what = arena_printf(arena, "%s, %s in the same pass", what, done);
  else if (!*what)
    what = *done ? done : "elements are copied";
  if (!is_known || !plan_is_known(value))
    return arena_printf(arena, "%s, with sizes known only at run time", what);
  return arena_printf(arena, "%s: %s", what, amount(arena, graph, value, moves, names > 1));
}

const char *plan_why_nests(const Planner *p, const Value *value, const rsh_moves *moves,
                           const Nest *nest, int count) {
  Arena *arena = p->arena;
  const Graph *graph = p->graph;
  bool is_assembled = count == 1 && nest->kind == NEST_FIELDS && moves->count == 1 &&
                      plan_is_staged(graph, moves->move->source);
  if (is_assembled) {
    value = graph->value.item[moves->move->source];
    Path path = path_of(arena, graph, value);
    return why_loops(arena, graph, value, value->moves, &path, functions(arena, graph, moves));
  }
  Path path = path_of(arena, graph, value);
  for (int32_t i = 0; i < moves->count; i++) {
    int id = moves->move[i].source;
    if (plan_is_staged(graph, id))
      return why_stages(arena, value, graph->value.item[id], looked_up(p, nest, count), &path);
  }
  return why_loops(arena, graph, value, moves, &path, functions(arena, graph, moves));
}

// ", then softmax of 6 rows of 4 in place" if passes compute the output, else ", after softmax of 6 rows of 4".
static const char *with_passes(const Planner *p, const OutputPlan *out) {
  Arena *arena = p->arena;
  const Graph *graph = p->graph;
  const char *text = plan_why_nests(p, out->output->value, out->moves, out->nest, out->nest_count);
  bool is_own = false, is_in_place = false;
  if (out->own)
    text = out->own->why;
  for (int i = 0; i < out->via_count; i++) {
    is_own = is_own || out->via[i] == out->own;
    if (is_own && !pass_is_rowwise(out->via[i]))
      continue; // already part of the text
    is_in_place = is_own;
    if (is_own || !out->own)
      text = arena_printf(arena, "%s, %s %s", text, is_own ? "then" : "after",
                          plan_pass_text(arena, graph, out->via[i]));
  }
  return is_in_place ? arena_printf(arena, "%s in place", text) : text;
}

// "starts": the first argument that is data.
static const char *data_argument(Arena *arena, const Node *node) {
  const char *spec = rsh_op_arguments(node->call.op);
  for (int i = 0; node->call.arg[i].kind != RSH_ARG_TENSOR; i++) {
    spec += strcspn(spec, " ");
    spec += strspn(spec, " ");
  }
  return arena_text(arena, spec, strcspn(spec, "|:"));
}

// "slice depends on sizes known only at run time; `where S >= 4` would help"
static const char *why_undecided(Arena *arena, const Node *node) {
  const char *name = rsh_op_name(node->call.op);
  if (node->data && rsh_op_family(node->call.op) == RSH_RESHAPES)
    return arena_printf(arena, "the target shape of %s is data", name);
  if (node->data)
    return arena_printf(arena, "'%s' of %s is data", data_argument(arena, node), name);
  if (node->missing)
    return arena_printf(arena, "%s depends on sizes known only at run time; `where %s` would help",
                        name, node->missing);
  for (int32_t i = 0; i < node->call.in_count; i++)
    if (node->call.in[i]->rank == RSH_RANK_UNKNOWN)
      return arena_printf(arena, "%s has an operand of a rank known only at run time", name);
  return arena_printf(arena, "%s depends on sizes known only at run time", name);
}

// Explains the first operator that depends on run-time data, or whose moves have no structure.
static const char *why_dynamic(Arena *arena, const Graph *graph, const OutputPlan *out) {
  Path path = path_of(arena, graph, out->output->value);
  for (int i = 0; i < path.count; i++)
    if (path.node[i]->is_undecided)
      return why_undecided(arena, path.node[i]);
  for (int i = 0; i < path.count; i++)
    for (int32_t k = 0; k < path.node[i]->call.out_count; k++)
      if (!path.node[i]->out[k]->moves && path.node[i]->out[k]->shape.rank != RSH_RANK_UNKNOWN)
        return arena_printf(arena, "%s moves pieces whose number depends on sizes",
                            rsh_op_name(path.node[i]->call.op));
  return arena_printf(arena, "the shape of %s is known only at run time", out->output->name);
}

// "b is copied: ...; a is already in place"
static const char *with_placed(Arena *arena, const OutputPlan *out, const char *why) {
  const char *names = "";
  for (int i = 0; i < out->placed_count; i++)
    names = arena_printf(arena, "%s%s%s", names,
                         i == 0                       ? ""
                         : i + 1 == out->placed_count ? " and "
                                                      : ", ",
                         out->placed[i].input->name);
  if (out->placed_count == 0)
    return why;
  return arena_printf(arena, "%s%s%s %s already in place", out->moves->count > 0 ? why : "",
                      out->moves->count > 0 ? "; " : "", names,
                      out->placed_count == 1 ? "is" : "are");
}

const char *plan_why(const Planner *p, const OutputPlan *out) {
  Arena *arena = p->arena;
  const Graph *graph = p->graph;
  const Value *value = out->output->value;
  if (out->tier == TIER_DYNAMIC)
    return why_dynamic(arena, graph, out);
  if (out->tier == TIER_ALIAS) {
    Path path = path_of(arena, graph, value);
    return why_alias(arena, graph, out, &path);
  }
  return with_placed(arena, out, with_passes(p, out));
}
