// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides for every value and node of a model's graph whether it stays.
//
//   x -> Transpose -> a -> Reshape -> b -> Conv      b is a reorder of x, through a
//
// A value stays if anything other than a single such node reads it. Each value that stays is recomputed from the
// nearest earlier value that stays, or from the first of its run, if that takes fewer nodes than before. Then unused
// nodes are removed.
#include "frontend/onnx/onnx_optimize_internal.h"

#include <string.h>

// ---- Names

static Var *var_add(Optimizer *o, const char *name) {
  Var *var = optimize_var(o, name);
  if (var || !*name)
    return var;
  var = ARENA_NEW(o->arena, Var);
  *var = (Var){.name = name, .maker = -1, .initializer = -1, .dtype = RSH_DTYPE_NONE};
  HASH_ADD_KEYPTR(hh, o->vars, var->name, strlen(var->name), var);
  return var;
}

static void mark_outer(Optimizer *o, const char *name) {
  Var *var = var_add(o, name);
  if (var)
    var->is_outer = var->is_seen = true;
}

// Names in a body refer to outer values, or are new; either way they keep their meaning.
static void mark_body(Optimizer *o, const Onnx__GraphProto *graph);

static void mark_bodies(Optimizer *o, const Onnx__NodeProto *node) {
  const Onnx__GraphProto *body;
  for (BodyPlace at = {0}; (body = onnx_next_body(node, &at));)
    mark_body(o, body);
}

static void mark_body(Optimizer *o, const Onnx__GraphProto *graph) {
  for (size_t i = 0; i < graph->n_initializer; i++)
    mark_outer(o, graph->initializer[i]->name);
  for (size_t i = 0; i < graph->n_input; i++)
    mark_outer(o, graph->input[i]->name);
  for (size_t i = 0; i < graph->n_output; i++)
    mark_outer(o, graph->output[i]->name);
  for (size_t i = 0; i < graph->n_node; i++) {
    const Onnx__NodeProto *node = graph->node[i];
    for (size_t k = 0; k < node->n_input; k++)
      mark_outer(o, node->input[k]);
    for (size_t k = 0; k < node->n_output; k++)
      mark_outer(o, node->output[k]);
    mark_bodies(o, node);
  }
}

static bool has_bodies(const Onnx__NodeProto *node) {
  return onnx_next_body(node, &(BodyPlace){0});
}

static const Onnx__TensorProto *constant_of(const Onnx__NodeProto *node) {
  if (strcmp(node->op_type, "Constant") != 0 || node->n_attribute != 1 ||
      strcmp(node->attribute[0]->name, "value") != 0)
    return NULL;
  return node->attribute[0]->t;
}

static bool is_sparse(const Onnx__NodeProto *node) {
  return strcmp(node->op_type, "Constant") == 0 && node->n_attribute == 1 &&
         node->attribute[0]->sparse_tensor;
}

// The declared shape of an input; open sizes are not comparable.
static const rsh_shape *declared_shape(Arena *arena, const Onnx__TensorShapeProto *given) {
  if (!given || given->n_dim > RSH_MAX_RANK)
    return NULL;
  rsh_shape *shape = ARENA_NEW(arena, rsh_shape);
  shape->rank = (int32_t)given->n_dim;
  for (int32_t i = 0; i < shape->rank; i++) {
    const Onnx__TensorShapeProto__Dimension *dim = given->dim[i];
    shape->dim[i] =
        onnx_size_is_number(dim) ? rsh_int(dim->dim_value) : (rsh_num){.poly = RSH_UNKNOWN};
  }
  return shape;
}

static void collect_vars(Optimizer *o) {
  const Onnx__GraphProto *graph = o->graph;
  bool is_open = o->file->model->ir_version >= ONNX_OPEN_DEFAULTS;
  for (size_t i = 0; i < graph->n_initializer; i++) {
    Var *var = var_add(o, graph->initializer[i]->name);
    if (!var)
      continue;
    var->initializer = (int)i;
    var->tensor = graph->initializer[i];
  }
  for (size_t i = 0; i < graph->n_input; i++) {
    const Onnx__TypeProto *type = graph->input[i]->type;
    Var *var = var_add(o, graph->input[i]->name);
    if (var && type && type->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE) {
      var->dtype = onnx_dtype(type->tensor_type->elem_type);
      var->shape = declared_shape(o->arena, type->tensor_type->shape);
    }
    if (var)
      var->is_input = true;
    if (var && is_open) { // an input with a default
      var->initializer = -1;
      var->tensor = NULL;
    }
  }
  for (size_t i = 0; i < graph->n_output; i++) {
    Var *var = var_add(o, graph->output[i]->name);
    if (var)
      var->is_outer = var->is_result = true;
  }
  for (size_t i = 0; i < graph->n_quantization_annotation; i++) {
    const Onnx__TensorAnnotation *a = graph->quantization_annotation[i];
    mark_outer(o, a->tensor_name);
    for (size_t k = 0; k < a->n_quant_parameter_tensor_names; k++)
      mark_outer(o, a->quant_parameter_tensor_names[k]->value);
  }
  for (size_t i = 0; i < graph->n_node; i++) {
    const Onnx__NodeProto *node = graph->node[i];
    for (size_t k = 0; k < node->n_output; k++) {
      Var *var = var_add(o, node->output[k]);
      if (!var)
        continue;
      var->maker = (int)i;
      var->tensor = constant_of(node);
      var->is_sparse = is_sparse(node);
    }
    for (size_t k = 0; k < node->n_input; k++) {
      Var *var = var_add(o, node->input[k]);
      if (!var)
        continue;
      var->readers++;
      var->was_read = true;
    }
  }
}

// Engines pre-pack constant weights, and then add products in another order, so results would differ in bits. Computed
// weights therefore stay computed.
static bool is_weight(const Onnx__NodeProto *node, size_t input) {
  return optimize_is_op(node, "LSTM GRU RNN") ||
         (input == 1 && optimize_is_op(node, "MatMul Gemm"));
}

static void find_weights(Optimizer *o, const Onnx__GraphProto *graph) {
  for (size_t i = 0; i < graph->n_node; i++) {
    const Onnx__NodeProto *node = graph->node[i];
    for (size_t k = 0; k < node->n_input; k++) {
      Var *var = is_weight(node, k) ? optimize_var(o, node->input[k]) : NULL;
      if (var)
        var->is_weight = true;
    }
    const Onnx__GraphProto *body;
    for (BodyPlace at = {0}; (body = onnx_next_body(node, &at));)
      find_weights(o, body);
  }
}

// For a body: the outer value found after skipping nodes that pass it on unchanged; the body reads that one instead.
static Var *passed_from(const Optimizer *up, const Var *found) {
  const Onnx__NodeProto *node = found->maker < 0 ? NULL : up->graph->node[found->maker];
  bool is_only = node && node->n_output == 1 && !found->constant;
  Var *from = is_only ? optimize_passed(up, (size_t)found->maker) : NULL;
  if (from && found->is_weight && optimize_is_fixed(from))
    return NULL;
  return from && optimize_is_unique(up, from->name) ? from : NULL;
}

// The same result of the first node equal to the one that computes it. That one is unused then, and the next round
// removes it.
static Var *equal_to(const Optimizer *up, const Var *found) {
  const Onnx__NodeProto *node = found->maker < 0 ? NULL : up->graph->node[found->maker];
  if (!node || found->constant || up->twin[found->maker] == (size_t)found->maker)
    return NULL;
  const Onnx__NodeProto *first = up->graph->node[up->twin[found->maker]];
  size_t k = 0;
  while (strcmp(node->output[k], found->name) != 0)
    k++;
  return optimize_is_unique(up, first->output[k]) ? optimize_var(up, first->output[k]) : NULL;
}

static Var *read_in_body(const Optimizer *up, const Var *found) {
  Var *from = passed_from(up, found);
  return from ? from : equal_to(up, found);
}

// Resolves the names that a body takes from outer graphs.
static void find_outer(Optimizer *o) {
  Var *var, *next;
  HASH_ITER(hh, o->vars, var, next)
  for (const Optimizer *up = o->outer; up && !var->outer; up = up->outer) {
    Var *found = optimize_var(up, var->name);
    if (var->maker >= 0 || var->initializer >= 0 || var->is_input || !found ||
        (found->maker < 0 && found->initializer < 0 && !found->is_input))
      continue;
    for (Var *from = found; from; from = read_in_body(up, from))
      found = from;
    if (strcmp(found->name, var->name) != 0) {
      var->renamed = found->name;
      found->is_outer = found->is_seen = true; // the body reads it from now on
    }
    var->outer = found;
    var->dtype = found->dtype;
    var->shape = found->shape;
  }
}

static void find_branches(Optimizer *o) {
  for (size_t i = 0; i < o->graph->n_node; i++) {
    o->node[i].branch = optimize_known_branch(o, o->graph->node[i]);
    if (o->node[i].branch)
      optimize_drop_input(o, i, 0);
  }
}

// An If whose results are constants is removed; then its branches read nothing.
static void collect_inner_names(Optimizer *o) {
  for (size_t i = 0; i < o->graph->n_node; i++) {
    const Onnx__NodeProto *node = o->graph->node[i];
    bool is_constant = node->n_output > 0;
    for (size_t k = 0; k < node->n_output; k++) {
      const Var *var = optimize_var(o, node->output[k]);
      is_constant = is_constant && (!var || var->constant);
    }
    if (!is_constant)
      mark_bodies(o, node);
  }
}

// ---- Reorders: values with all elements of another one, in a different order

static rsh_moves *identity_of(Optimizer *o, const Value *value) {
  rsh_moves *m = ARENA_NEW(o->arena, rsh_moves);
  rsh_num volume;
  *m = (rsh_moves){ARENA_NEW(o->arena, rsh_move), ARENA_NEW(o->arena, rsh_axis), 0, 1, 0, 1, 0};
  bool good = rsh_volume(o->symbols, &value->shape, &volume) == RSH_ok && !rsh_is(volume, 0) &&
              !rsh_is_unknown(volume) && rsh_moves_identity(m, value->id, volume) == RSH_ok;
  return good ? m : NULL;
}

// The moves of a node's result if its operand has these moves; NULL: it is not a reorder of their source.
static rsh_moves *fold_on(Optimizer *o, const Node *node, const rsh_moves *in) {
  rsh_num volume, given;
  if (!in)
    return NULL;
  if (node->call.op == RSH_OP_CAST) { // to its own type
    rsh_moves *same = ARENA_NEW(o->arena, rsh_moves);
    *same = *in;
    return same;
  }
  if (rsh_volume(o->symbols, &node->in[0]->shape, &given) != RSH_ok ||
      rsh_volume(o->symbols, &node->out[0]->shape, &volume) != RSH_ok ||
      !rsh_equal(given, volume) || // a part is not a reorder
      rsh_fold(&node->call, 0, &node->out[0]->shape, &in, &o->out, &o->work) != RSH_ok ||
      !reorder_is(o->symbols, &o->out))
    return NULL;
  rsh_moves *kept = ARENA_NEW(o->arena, rsh_moves);
  *kept = (rsh_moves){ARENA_NEW(o->arena, rsh_move),
                      ARENA_ARRAY(o->arena, rsh_axis, o->out.axis_count),
                      0,
                      1,
                      0,
                      o->out.axis_count,
                      o->out.parts};
  (void)rsh_moves_copy(kept, &o->out);
  return kept;
}

// Before opset 7, Dropout may run in training mode unless it says otherwise.
static bool is_sure(const Optimizer *o, const Onnx__NodeProto *node) {
  return strcmp(node->op_type, "Dropout") != 0 || o->opset >= 7;
}

// Returns whether a target entry may be 0, and copy a size that is not 0, for a tensor without elements:
//   [1, K, -1] of [B, K] turned to [K, B] is [1, K, B], but [1, B, 0] if K is 0
//   [-1, B*K] of [B, K] is [1, B*K], but [B, K] if B is 0
// Guards of a kernel (K >= 1) do not apply to the model, so proofs that use them, such as signs, are not used.
static bool may_copy(Optimizer *o, const Node *node) {
  const rsh_arg *target = &node->call.arg[0];
  const rsh_shape *in = &node->in[0]->shape;
  bool copies = false;
  int open = 0; // -1, or may be 0
  if (node->call.op != RSH_OP_ONNX_RESHAPE || !rsh_reshape_copies(&node->call))
    return false;
  for (int32_t i = 0; i < target->count; i++) {
    rsh_num entry = target->list[i], times;
    open += !rsh_is_known(entry) || rsh_is(entry, -1);
    if (rsh_is_known(entry) || i >= in->rank)
      continue;
    bool is_multiple = rsh_div(o->symbols, entry, in->dim[i], &times) && rsh_is_known(times);
    copies = copies || (!is_multiple && !rsh_div(o->symbols, in->dim[i], entry, &times));
  }
  return copies && open > 1;
}

// Returns whether a node outputs all elements of its first input, and none of its other outputs is read.
static bool is_reorder(Optimizer *o, const Onnx__NodeProto *proto, const Node *node) {
  if (node->is_undecided || node->data || node->call.in_count != 1 || node->call.out_count != 1 ||
      node->in[0]->dtype != node->out[0]->dtype || proto->n_output == 0 || !is_sure(o, proto) ||
      !optimize_var(o, proto->output[0]) || optimize_var(o, proto->output[0])->constant ||
      may_copy(o, node))
    return false;
  for (size_t i = 1; i < proto->n_output; i++) { // the mask of a Dropout
    const Var *more = optimize_var(o, proto->output[i]);
    if (more && (more->is_outer || more->readers > 0))
      return false;
  }
  return fold_on(o, node, identity_of(o, node->in[0])) != NULL;
}

static void find_moved(Optimizer *o) {
  for (int i = 0; i < o->survey->moved.count; i++) {
    const Moved *moved = &o->survey->moved.item[i];
    if (moved->index < o->graph->n_node && o->graph->node[moved->index] == moved->node)
      o->node[moved->index].moved = moved;
  }
}

static void find_reorders(Optimizer *o) {
  for (size_t i = 0; i < o->graph->n_node; i++) {
    const Onnx__NodeProto *proto = o->graph->node[i];
    const Moved *moved = o->node[i].moved;
    if (!moved || !moved->is_one || o->node[i].is_left_out || !is_reorder(o, proto, moved->made))
      continue;
    o->node[i].is_reorder = true;
    Var *var = optimize_var(o, proto->output[0]);
    Var *before = optimize_origin(optimize_var(o, proto->input[0]));
    var->before = before;
    var->value = moved->made->out[0];
    before->value = before->value ? before->value : moved->made->in[0];
  }
}

// A value inside a run: its only reader is one node that is a reorder as well.
static void find_staying(Optimizer *o) {
  Var *var, *next;
  HASH_ITER(hh, o->vars, var, next) var->stays = true;
  for (size_t i = 0; i < o->graph->n_node; i++) {
    Var *before =
        o->node[i].is_reorder ? optimize_var(o, o->graph->node[i]->output[0])->before : NULL;
    if (before && before->before && !before->is_outer && before->readers == 1)
      before->stays = false;
  }
}

static bool is_computed(const Optimizer *o, const Onnx__NodeProto *node) {
  for (size_t i = 1; i < node->n_input; i++) {
    const Var *var = optimize_var(o, node->input[i]);
    if (var && var->maker >= 0 && !var->tensor)
      return true;
  }
  return false;
}

// `before` and a node on it.
static Form form_extend(const Optimizer *o, size_t node, const Form *before,
                        const rsh_moves *moves) {
  const Onnx__NodeProto *proto = o->graph->node[node];
  Form form = *before;
  form.moves = moves;
  form.nodes++;
  form.transposes += strcmp(proto->op_type, "Transpose") == 0;
  form.is_computed = form.is_computed || is_computed(o, proto);
  return form;
}

static void find_forms(Optimizer *o) {
  for (size_t k = 0; k < o->graph->n_node; k++) {
    size_t i = o->order[k];
    if (!o->node[i].is_reorder)
      continue;
    const Node *node = o->node[i].moved->made;
    Var *var = optimize_var(o, o->graph->node[i]->output[0]), *before = var->before;
    const Form start = {.from = before};
    var->near = form_extend(o, i, &start, fold_on(o, node, identity_of(o, node->in[0])));
    var->far = var->near;
    const rsh_moves *whole = before->before ? fold_on(o, node, before->far.moves) : NULL;
    if (whole)
      var->far = form_extend(o, i, &before->far, whole);
    if (before->stays)
      continue;
    const rsh_moves *further = fold_on(o, node, before->near.moves);
    if (further)
      var->near = form_extend(o, i, &before->near, further);
    else
      before->stays = true; // combined they are not a reorder
  }
}

// ---- Sizes that are never 0

// Returns whether a target entry is 0 exactly when the size that it then copies is 0.
static bool copies_alike(Optimizer *o, rsh_num entry, rsh_num size) {
  rsh_num times;
  return rsh_is(entry, 0) || (!rsh_is_known(entry) &&
                              ((rsh_div(o->symbols, entry, size, &times) && rsh_is_known(times)) ||
                               (rsh_div(o->symbols, size, entry, &times) && rsh_is_known(times))));
}

// A target with -1 is rejected if another of its sizes is 0, so such a model has no result:
//   [-1, 0, 8] of [B, T, 16]      T is 1 or more
static void find_positive(Optimizer *o) {
  for (size_t i = 0; i < o->graph->n_node; i++) {
    const Node *node = o->node[i].is_reorder ? o->node[i].moved->made : NULL;
    const rsh_arg *target = node ? &node->call.arg[0] : NULL;
    bool infers = false;
    if (!node || node->call.op != RSH_OP_ONNX_RESHAPE || !rsh_reshape_copies(&node->call))
      continue;
    for (int32_t k = 0; k < target->count; k++)
      infers = infers || rsh_is(target->list[k], -1);
    for (int32_t k = 0; infers && k < target->count && k < node->in[0]->shape.rank; k++) {
      rsh_num size = node->in[0]->shape.dim[k];
      if (!rsh_is_known(size) && copies_alike(o, target->list[k], size))
        VEC_PUSH(o->arena, o->positive, size);
    }
  }
}

// ---- Replacements

static bool steps_of(Optimizer *o, const Var *var, const Form *form, Reorder *out) {
  return reorder_steps(o->symbols, form->moves, &form->from->value->shape, &var->value->shape,
                       &o->positive, out);
}

static void decide(Optimizer *o, Var *var) {
  Form form = var->near;
  Reorder best, other;
  bool found = steps_of(o, var, &form, &best);
  if (steps_of(o, var, &var->far, &other) && (!found || other.count < best.count)) {
    form = var->far;
    best = other;
    found = true;
  }
  if (!found || (best.count == 0 && optimize_unite(var, form.from)))
    return;
  int before = var->near.nodes, after = best.count > 0 ? best.count : 1; // an Identity, then
  bool is_better = best.transposes < var->near.transposes || var->near.is_computed;
  if (after > before || (after == before && !is_better))
    return;
  Swap *swap = ARENA_NEW(o->arena, Swap);
  *swap = (Swap){.var = var, .from = form.from, .steps = best};
  o->node[var->maker].swap = swap;
}

// ---- What remains

static bool is_wanted(const Optimizer *o, const Onnx__NodeProto *node) {
  for (size_t i = 0; i < node->n_output; i++) {
    const Var *var = optimize_var(o, node->output[i]);
    if (var && !var->same && (var->is_wanted || var->is_outer))
      return true;
  }
  return false;
}

// True if a tensor of the model equals the target.
static bool is_target(const Optimizer *o, const Onnx__TensorProto *t, const ReorderStep *step) {
  if (!t || t->data_type != ONNX__TENSOR_PROTO__DATA_TYPE__INT64 || t->n_dims != 1 ||
      t->dims[0] != step->count || t->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
    return false;
  OnnxBytes raw = onnx_bytes_in_file(o->file, t);
  size_t count = t->has_raw_data ? raw.size / sizeof(int64_t) : t->n_int64_data;
  bool same = count == (size_t)step->count;
  for (size_t i = 0; same && i < count; i++) {
    uint64_t entry = 0;
    for (size_t k = 0; t->has_raw_data && k < sizeof entry; k++)
      entry |= (uint64_t)raw.data[i * sizeof entry + k] << 8 * k;
    same = (t->has_raw_data ? (int64_t)entry : t->int64_data[i]) == step->list[i];
  }
  return same;
}

// Reuses targets of replaced nodes.
static void want_targets(Optimizer *o, Swap *swap) {
  for (int i = 0; i < swap->steps.count && o->opset >= ONNX_RESHAPE_WITH_INPUT; i++)
    for (const Var *var = swap->var; var != swap->var->near.from && !swap->given[i];
         var = var->before) {
      const Onnx__NodeProto *node = o->graph->node[var->maker];
      Var *given = node->n_input > 1 ? optimize_var(o, node->input[1]) : NULL;
      if (swap->steps.step[i].is_transpose || !given ||
          !is_target(o, given->tensor, &swap->steps.step[i]))
        continue;
      given->is_wanted = true;
      swap->given[i] = given;
    }
}

static void find_wanted(Optimizer *o) {
  for (size_t k = o->graph->n_node; k-- > 0;) {
    size_t i = o->order[k];
    const Onnx__NodeProto *node = o->graph->node[i];
    NodeFate *fate = &o->node[i];
    fate->is_gone =
        !fate->is_rewritten && (fate->is_left_out || (node->n_output > 0 && !is_wanted(o, node)));
    if (fate->is_gone || fate->is_rewritten)
      continue;
    if (fate->swap) {
      optimize_origin(fate->swap->from)->is_wanted = true;
      want_targets(o, fate->swap);
    }
    for (size_t input = 0; !fate->swap && input < node->n_input; input++) {
      Var *var = optimize_var(o, node->input[input]);
      if (var && !optimize_is_dropped(fate, input))
        optimize_origin(var)->is_wanted = true;
    }
  }
}

// ---- The report

static void report_chain(Optimizer *o, const Chain *chain, OptimizedChain *out) {
  out->chain = chain;
  for (int i = 0; i < chain->moved.count; i++) {
    const Moved *moved = chain->moved.item[i];
    const NodeFate *fate = moved->index < o->graph->n_node ? &o->node[moved->index] : NULL;
    bool is_gone = fate && fate->moved == moved && fate->is_gone;
    const Swap *swap = fate && fate->moved == moved ? fate->swap : NULL;
    int steps = is_gone ? 0 : swap ? swap_nodes(swap) : 1;
    out->is_changed = out->is_changed || is_gone || swap;
    for (int32_t k = 0; moved->made && k < moved->made->call.out_count; k++)
      VEC_PUSH(o->arena, out->before, moved->made->out[k]);
    for (int step = 0; step < steps; step++) {
      VEC_PUSH(o->arena, out->operators, swap ? swap_operator(swap, step) : moved->node->op_type);
      for (int32_t k = 0; moved->made && k < moved->made->call.out_count; k++)
        VEC_PUSH(o->arena, out->after, moved->made->out[k]);
    }
  }
}

static int count_nodes(const Onnx__GraphProto *graph) {
  size_t count = graph->n_node;
  const Onnx__GraphProto *body;
  for (size_t i = 0; i < graph->n_node; i++)
    for (BodyPlace at = {0}; (body = onnx_next_body(graph->node[i], &at));)
      count += (size_t)count_nodes(body);
  return (int)count;
}

static bool has_node(const Optimizer *o, const Moved *moved) {
  return moved->index < o->graph->n_node && o->graph->node[moved->index] == moved->node;
}

static void report(const OptimizerList *all, const Chains *chains, Optimized *out) {
  out->graph = chains->survey->graph;
  for (int i = 0; i < chains->chain.count; i++) {
    int at = 0;
    while (at < all->item.count &&
           !has_node(all->item.item[at], chains->chain.item[i].moved.item[0]))
      at++;
    if (at == all->item.count) {
      out->elsewhere++;
      continue;
    }
    OptimizedChain chain = {0};
    report_chain(all->item.item[at], &chains->chain.item[i], &chain);
    VEC_PUSH(all->item.item[at]->arena, out->chain, chain);
  }
}

// ---- Whole models

static rsh_moves scratch(Arena *arena) {
  enum { MOVES = 64, AXES = 16 * MOVES };
  return (rsh_moves){ARENA_ARRAY(arena, rsh_move, MOVES),
                     ARENA_ARRAY(arena, rsh_axis, AXES),
                     0,
                     MOVES,
                     0,
                     AXES,
                     0};
}

static void rewrite(Optimizer *o) {
  find_reorders(o);
  find_positive(o);
  find_staying(o);
  find_forms(o);
  for (size_t k = 0; k < o->graph->n_node; k++) {
    size_t i = o->order[k];
    Var *var = o->node[i].is_reorder ? optimize_var(o, o->graph->node[i]->output[0]) : NULL;
    if (var && var->stays)
      decide(o, var);
  }
}

static void as_it_is(Arena *arena, const WireField *from, GraphParts *out) {
  graph_parts_put(arena, out, from->body, (size_t)(from->end - from->body));
}

static void optimize_body(Optimizer *outer, const Onnx__GraphProto *graph, const WireField *from,
                          GraphParts *out);

static void want_names(Optimizer *o, const WireField *node) {
  WireField field;
  for (const uint8_t *at = node->body; wire_next(&at, node->end, &field);) {
    size_t length = (size_t)(field.end - field.body);
    if (field.number != NODE_INPUT && field.number != NODE_OUTPUT)
      continue;
    Var *var = optimize_var(o, arena_text(o->arena, (const char *)field.body, length));
    if (var && field.number == NODE_INPUT)
      var->is_wanted = true;
    else if (var)
      var->is_made = true;
  }
}

static void want_rewritten(Optimizer *o) {
  WireField field;
  for (size_t i = 0; i < o->graph->n_node; i++) {
    const WireBytes *made = &o->node[i].before;
    const uint8_t *at = made->item, *end = made->count > 0 ? at + made->count : at;
    while (at && wire_next(&at, end, &field))
      want_names(o, &field);
  }
}

static void optimize_graph(Optimizer *o, const WireField *from, GraphParts *out) {
  const OnnxFile *file = o->file;
  bool is_closed = file->model->n_training_info == 0; // else training graphs see these names
  VEC_PUSH(o->arena, o->all->item, o);
  o->wire = onnx_node_fields(o->arena, o->graph, from);
  o->node = ARENA_ARRAY(o->arena, NodeFate, o->graph->n_node);
  for (size_t k = 0; k < o->graph->n_node; k++)
    o->node[o->order[k]].place = k;
  collect_vars(o);
  find_weights(o, o->graph);
  find_outer(o);
  find_moved(o);
  if (is_closed) {
    optimize_find_constants(o);
    if (file->model->ir_version >= ONNX_OPEN_DEFAULTS)
      find_branches(o);
  }
  for (size_t i = 0; i < o->graph->n_node && is_closed; i++) {
    if (o->node[i].branch || !has_bodies(o->graph->node[i]))
      continue;
    if (!o->twin)
      optimize_find_twins(o);
    o->wire[i] = optimize_bodies(o, i, optimize_body);
  }
  collect_inner_names(o);
  if (is_closed && o->sinks) {
    optimize_find_readers(o);
    optimize_sink(o);
    optimize_pairs(o);
    optimize_many(o);
    want_rewritten(o);
  } else if (is_closed) {
    optimize_fold(o);
    rewrite(o);
  }
  find_wanted(o);
  optimize_write(o, from, out);
}

// Before opset 9 an initializer must also be an input, which is impossible in a body.
static void optimize_body(Optimizer *outer, const Onnx__GraphProto *graph, const WireField *from,
                          GraphParts *out) {
  OnnxCycle cycle;
  Optimizer *o = ARENA_NEW(outer->arena, Optimizer);
  *o = *outer;
  o->outer = outer;
  o->graph = graph;
  o->vars = NULL;
  o->twin = NULL;
  o->late = (WireBytes){0};
  o->order = onnx_order(o->arena, graph->node, graph->n_node, &cycle);
  if (o->order && o->file->model->ir_version >= ONNX_OPEN_DEFAULTS)
    optimize_graph(o, from, out);
  else
    as_it_is(o->arena, from, out);
}

static bool is_as_before(const Optimized *made, const OnnxFile *before) {
  size_t at = 0;
  for (int i = 0; i < made->part.count; i++) {
    OutputPart part = made->part.item[i];
    if (part.size > before->size - at || memcmp(part.bytes, before->bytes + at, part.size) != 0)
      return false;
    at += part.size;
  }
  return at == before->size;
}

// Memory for the whole output file of a round.
typedef struct Room {
  uint8_t *bytes;
  size_t size;
} Room;

static size_t join(Arena *arena, const Optimized *made, Room *room) {
  size_t size = 0, at = 0;
  for (int i = 0; i < made->part.count; i++)
    size += made->part.item[i].size;
  if (size >= room->size) {
    room->size = size + size / 16 + 1; // later rounds may add names
    room->bytes = arena_alloc(arena, room->size);
  }
  for (int i = 0; i < made->part.count; i++) {
    memcpy(room->bytes + at, made->part.item[i].bytes, made->part.item[i].size);
    at += made->part.item[i].size;
  }
  return size;
}

static const Chains *chains_of(Arena *arena, const OnnxFile *file, Diag *diag) {
  OnnxFile open = *file;
  open.has_open_defaults = file->model->ir_version >= ONNX_OPEN_DEFAULTS;
  return onnx_chains(arena, &open, false, diag);
}

// NULL: an error was reported.
static Optimized *optimize_once(Arena *arena, const OnnxFile *file, const Chains *chains,
                                bool sinks, Diag *diag) {
  WireField graph = {0};
  OnnxCycle cycle;
  if (!onnx_find_graph(file, diag, &graph))
    return NULL;
  GivenName *names = NULL;
  OptimizerList all = {0};
  Optimizer *o = ARENA_NEW(arena, Optimizer);
  *o = (Optimizer){.arena = arena,
                   .names = &names,
                   .all = &all,
                   .sinks = sinks,
                   .file = file,
                   .graph = file->model->graph,
                   .survey = chains->survey,
                   .symbols = chains->survey->graph->symbols,
                   .opset = onnx_model_opset(file->model),
                   .out = scratch(arena),
                   .work = scratch(arena)};
  // The survey has verified that there is an order.
  o->order = onnx_order(arena, o->graph->node, o->graph->n_node, &cycle);
  optimize_collect_names(arena, &names, o->graph);
  GraphParts made = {0};
  optimize_graph(o, &graph, &made);
  Optimized *out = ARENA_NEW(arena, Optimized);
  report(&all, chains, out);
  out->part = onnx_with_graph(arena, file, &graph, &made);
  for (int i = 0; i < all.item.count; i++)
    HASH_CLEAR(hh, all.item.item[i]->vars);
  HASH_CLEAR(hh, names);
  return out;
}

enum { MOST_ROUNDS = 16 };

// Runs rounds until one changes nothing: the next round removes nodes that a branch or a body no longer reads.
Optimized *onnx_optimize(Arena *arena, const OnnxFile *file, Diag *diag) {
  const Chains *chains = chains_of(arena, file, diag);
  Optimized *first = chains ? optimize_once(arena, file, chains, false, diag) : NULL;
  const OnnxFile *before = file;
  Diag quiet = {.arena = arena, .source = diag->source, .file = diag->file};
  if (!first)
    return NULL;
  first->last = first;
  first->nodes_before = first->nodes_after = count_nodes(file->model->graph);
  bool sinks = false;
  Room room[2] = {{0}}; // alternate: a round's output refers to the file of the round before
  int at = 0;
  for (int round = 1; round < MOST_ROUNDS; round++) {
    bool is_same = is_as_before(first->last, before);
    if (is_same && sinks)
      break;
    sinks = is_same;
    if (!is_same) {
      size_t size = join(arena, first->last, &room[at]);
      const OnnxFile *parsed = onnx_file_parse(arena, file->path, room[at].bytes, size, &quiet);
      at = 1 - at;
      OnnxFile *after = ARENA_NEW(arena, OnnxFile);
      if (!parsed)
        break;
      *after = *parsed;
      after->reads_external = file->reads_external;
      before = after;
      chains = chains_of(arena, before, &quiet);
    }
    first->nodes_after = count_nodes(before->model->graph);
    const Optimized *next = chains ? optimize_once(arena, before, chains, sinks, &quiet) : NULL;
    if (!next)
      break;
    first->last = next;
  }
  return first;
}
