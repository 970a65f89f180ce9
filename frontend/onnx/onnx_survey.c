// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All nodes of a model that move data, each lowered if possible, regardless of the computation in between. The shapes
// of computed values are inferred (onnx_infer.c); data-dependent sizes stay open.
#include "frontend/onnx/onnx_internal.h"

#include <string.h>

enum { OPEN_FOR_MOVES = RSH_MAX_SYMBOLS - 4 }; // the others are reserved for arithmetic on shapes

// A size that became a symbol, identified so that the next pass finds it.
typedef struct Opened {
  int visit;
  const char *name;
  int axis;
} Opened;

typedef struct SurveyOf {
  const OnnxFile *file;
  Surveyor surveyor;
  VEC(Opened) opened;
  Diag quiet;
} SurveyOf;

static Survey *survey_of(const Visit *v) { return v->r->surveyor->survey; }

static SurveyOf *state_of(const Visit *v) {
  return (SurveyOf *)(uintptr_t)((const char *)v->r->surveyor - offsetof(SurveyOf, surveyor));
}

static bool survey_is_movement(const Visit *v) {
  int op = onnx_operator(v->op);
  if (*node_domain(v->node->domain))
    return false;
  bool computes = op >= 0 && op != RSH_OP_CAST &&
                  (rsh_is_elementwise((rsh_op)op) || rsh_is_rowwise((rsh_op)op));
  return op >= 0 && !computes;
}

// Returns whether it is Shape or Size, or computes only with results of these and constants. For operators that move
// elements, only the first input counts: Reshape of data is data with any target.
static bool survey_is_of_sizes(const Visit *v) {
  if (strcmp(v->op, "Shape") == 0 || strcmp(v->op, "Size") == 0)
    return true;
  bool any = false;
  bool is_one = survey_is_movement(v) && strcmp(v->op, "Concat") != 0;
  size_t count = is_one && v->node->n_input > 0 ? 1 : v->node->n_input;
  for (size_t i = 0; i < count; i++) {
    const Item *item = v->in[i];
    if (item && !item->is_of_sizes && !item->tensor && !item->known)
      return false;
    any = any || (item && item->is_of_sizes);
  }
  return any;
}

static bool is_part_of(const Moved *moved, const Value *value) {
  for (int i = 0; i < moved->part_count; i++)
    for (int32_t k = 0; k < moved->part[i]->call.out_count; k++)
      if (moved->part[i]->out[k] == value)
        return true;
  return false;
}

void moved_reads(Arena *arena, const Moved *moved, ReadValues *reads) {
  for (int i = 0; i < moved->part_count; i++)
    for (int32_t k = 0; k < moved->part[i]->call.in_count; k++)
      if (!is_part_of(moved, moved->part[i]->in[k]))
        VEC_PUSH(arena, *reads, moved->part[i]->in[k]);
}

// The values that a node reads: for one that moves data, only the tensors, not known lists.
static void survey_use(Visit *v, const Moved *moved) {
  Survey *survey = survey_of(v);
  ReadValues reads = {0};
  if (moved->made)
    moved_reads(v->r->arena, moved, &reads);
  for (int i = 0; i < reads.count; i++)
    VEC_PUSH(v->r->arena, survey->use, ((Use){reads.item[i], survey->moved.count}));
  for (size_t i = 0; !moved->made && i < v->node->n_input; i++)
    if (v->in[i] && v->in[i]->value)
      VEC_PUSH(v->r->arena, survey->use, ((Use){v->in[i]->value, -1}));
}

// ---- Open sizes

static bool is_opened(const Visit *v, const Value *value, int axis) {
  const SurveyOf *state = state_of(v);
  for (int i = 0; i < state->opened.count; i++) {
    const Opened *o = &state->opened.item[i];
    if (o->visit == v->r->visits && o->axis == axis && strcmp(o->name, value->name) == 0)
      return true;
  }
  return false;
}

// Replaces an open size everywhere.
static void replace_size(const Graph *graph, rsh_num open, rsh_num symbol) {
  for (int i = 0; i < graph->value.count; i++) {
    rsh_shape *shape = &graph->value.item[i]->shape;
    for (int32_t k = 0; k < shape->rank; k++)
      if (rsh_equal(shape->dim[k], open))
        shape->dim[k] = symbol;
  }
}

// Symbols are identified by their indices, which must be the same in every pass: a size that one pass makes a symbol
// becomes one in all later passes; a newly open size becomes one only after all existing symbols.
static void open_sizes(Visit *v, Value *value, int room) {
  Lower *l = &v->r->data;
  for (int32_t i = 0; value->name && i < value->shape.rank; i++) {
    rsh_num size = value->shape.dim[i], symbol;
    bool was_open = is_opened(v, value, i);
    bool has_room =
        l->graph->symbol.count >= l->known->symbol_count && l->graph->symbol.count < room;
    if (!was_open && (!rsh_is_unknown(size) || !has_room))
      continue;
    if (!symbol_of_axis(l, value, i, v->span, &symbol))
      return;
    if (rsh_is_unknown(size))
      replace_size(l->graph, size, symbol);
    if (!was_open)
      VEC_PUSH(v->r->arena, state_of(v)->opened, ((Opened){v->r->visits, value->name, i}));
  }
  share_symbols(v->r);
}

// A size that stays open is a number that arithmetic can pass on.
static bool survey_open(Visit *v, Value *value) {
  open_sizes(v, value, RSH_MAX_SYMBOLS);
  return true;
}

// ---- Where shapes become unknown

static void remark(Visit *v, const char *text, bool is_warning) {
  VEC_PUSH(v->r->arena, survey_of(v)->remark, ((Remark){v->span, text, is_warning}));
}

// The input that leaves a result without a shape; -1: the operator itself.
static int cause_of(const Visit *v) {
  for (size_t i = 0; i < v->node->n_input; i++)
    if (v->in[i] &&
        (v->in[i]->absent || (v->in[i]->value && v->in[i]->value->shape.rank == RSH_RANK_UNKNOWN)))
      return (int)i;
  return -1;
}

static const char *place_text(const Visit *v) {
  return arena_printf(v->r->arena, "%.*s", (int)(v->span.end - v->span.begin),
                      v->r->places.item + v->span.begin);
}

// A model declares no shapes inside its functions, but those of the call: the body of the one that is called outside of
// all functions, or NULL.
static const Frame *outermost_body(const Visit *v) {
  const Frame *body = NULL;
  for (const Frame *frame = v->frame; frame->function; frame = frame->caller) {
    while (frame->outer)
      frame = frame->outer;
    body = frame;
  }
  return body;
}

static bool declares_results(const Visit *v, const Frame *body) {
  const Onnx__NodeProto *call = body->call;
  for (size_t i = 0; i < call->n_output; i++)
    if (*call->output[i] && !declared_has_shape(v->r, body->caller, call->output[i]))
      return false;
  return true;
}

// "; declare the shape of 'y'", or "" if the model already declares all that it can. `name`: the first
// of `count` results.
static const char *remedy(const Visit *v, const char *name, int count) {
  static const char begin[] = "; declare the shape";
  Arena *arena = v->r->arena;
  const Frame *body = outermost_body(v);
  if (body && declares_results(v, body))
    return "";
  if (body)
    return arena_printf(arena, "%ss of the results of '%s'", begin, body->call->op_type);
  const char *others = count > 1 ? arena_printf(arena, " and %d more", count - 1) : "";
  return arena_printf(arena, "%s of '%s'%s", begin, name, others);
}

static const char a_sequence[] = "a sequence of tensors";

// The reason why results have no shape, for all their readers; reported once, at the node where the shape is lost.
// `name`: the first of `count`. `misfit`: what is wrong with the sizes of inputs, or NULL.
static const char *end_of_shapes(Visit *v, const char *name, int count, bool has_rule,
                                 const char *misfit) {
  Arena *arena = v->r->arena;
  const char *domain = node_domain(v->node->domain), *why;
  int cause = cause_of(v);
  if (!*domain &&
      sequence_is_made(
          v->op)) // it has no shape to declare; a tensor that is taken out of it has one
    return a_sequence;
  if (cause >= 0 && v->in[cause]->absent && v->in[cause]->absent != a_sequence)
    return v->in[cause]->absent;
  if (*domain)
    why = arena_printf(arena, "there is no shape rule for operators of domain '%s'", domain);
  else if (!has_rule)
    why = arena_printf(arena, "there is no shape rule for '%s' of opset %lld", v->op,
                       (long long)v->frame->opset);
  else if (cause >= 0 && v->in[cause]->absent)
    why = arena_printf(arena, "%s is %s", input_label(v, (size_t)cause), a_sequence);
  else if (cause >= 0)
    why = arena_printf(arena, "%s is declared without a rank", input_label(v, (size_t)cause));
  else
    why = misfit ? misfit
                 : arena_printf(arena, "the rank of the result of '%s' depends on data", v->op);
  why = arena_printf(arena, "%s%s", why, misfit ? "" : remedy(v, name, count));
  remark(v, why, false);
  return arena_printf(arena, "its shape is unknown: %s: %s", place_text(v), why);
}

// ---- Nodes

// The result of another operator is a tensor that chains can start from, if its type is known.
static void survey_outputs_of(Visit *v, const BodyTypes *body) {
  TensorType *type = ARENA_ARRAY(v->r->arena, TensorType, v->node->n_output);
  const char *misfit;
  bool has_rule = infer_outputs(v, body, type, &misfit);
  const char *first = NULL;
  VEC(Item *) without = {0};
  for (size_t i = 0; i < v->node->n_output; i++) {
    const char *other = declared_refine(v, i, &type[i]);
    Item *item = output_item(v, i);
    if (other)
      remark(v, other, true);
    if (!item)
      continue;
    item->is_of_sizes = survey_is_of_sizes(v);
    if (type[i].dtype == RSH_DTYPE_NONE || type[i].shape.rank == RSH_RANK_UNKNOWN) {
      first = first ? first : item->name;
      item->has_dtype = type[i].dtype != RSH_DTYPE_NONE;
      item->dtype = type[i].dtype;
      VEC_PUSH(v->r->arena, without, item);
      continue;
    }
    item->value = value_new(&v->r->data, type[i].dtype, &type[i].shape, v->span);
    item->value->name = item->name;
  }
  const char *why = first ? end_of_shapes(v, first, without.count, has_rule, misfit) : NULL;
  for (int i = 0; i < without.count; i++)
    without.item[i]->absent = why;
}

// For a node that was made, or is numbers: its types are certain, so a declaration that differs is only reported.
static void check_declared(Visit *v) {
  for (size_t i = 0; i < v->node->n_output; i++) {
    const Item *item = *v->node->output[i] ? item_find(v->frame, v->node->output[i]) : NULL;
    if (!item || (!item->value && !item->known))
      continue;
    TensorType type = item->value ? (TensorType){item->value->dtype, item->value->shape}
                                  : (TensorType){item->known->dtype, item->known->shape};
    const char *other = declared_refine(v, i, &type);
    if (other)
      remark(v, other, true);
  }
}

// Gives the open sizes of a result, and the same sizes of other values, the sizes that the model declares.
static void fill_sizes(const Visit *v, size_t output, const Value *value) {
  TensorType type = {value->dtype, value->shape};
  if (declared_refine(v, output, &type))
    return;
  for (int32_t i = 0; i < value->shape.rank; i++)
    if (rsh_is_unknown(value->shape.dim[i]) && !rsh_is_unknown(type.shape.dim[i]))
      replace_size(v->r->data.graph, value->shape.dim[i], type.shape.dim[i]);
}

// For a call of a function, or a known branch: what is not known of its results is as the model declares it.
static void refine_results(Visit *v) {
  check_declared(v);
  for (size_t i = 0; i < v->node->n_output; i++) {
    Item *item = *v->node->output[i] ? item_find(v->frame, v->node->output[i]) : NULL;
    TensorType type = {RSH_DTYPE_NONE, {.rank = RSH_RANK_UNKNOWN}};
    if (item && item->value)
      fill_sizes(v, i, item->value);
    if (!item || !item->absent)
      continue;
    if (item->has_dtype)
      type.dtype = item->dtype;
    const char *other = declared_refine(v, i, &type);
    if (other)
      remark(v, other, true);
    item->has_dtype = type.dtype != RSH_DTYPE_NONE;
    item->dtype = type.dtype;
    if (item->has_dtype && type.shape.rank != RSH_RANK_UNKNOWN) {
      item->absent = NULL;
      item->value = value_new(&v->r->data, type.dtype, &type.shape, v->span);
      item->value->name = item->name;
    }
  }
}

// The mask of a Dropout, which the language lacks.
static void infer_absent(Visit *v) {
  TensorType *type = ARENA_ARRAY(v->r->arena, TensorType, v->node->n_output);
  for (size_t i = 0; i < v->node->n_output; i++) {
    Item *item = *v->node->output[i] ? item_find(v->frame, v->node->output[i]) : NULL;
    if (!item || !item->absent || !infer_outputs(v, NULL, type, NULL) ||
        type[i].dtype == RSH_DTYPE_NONE || type[i].shape.rank == RSH_RANK_UNKNOWN)
      continue;
    item->absent = NULL;
    item->value = value_new(&v->r->data, type[i].dtype, &type[i].shape, v->span);
    item->value->name = item->name;
  }
}

static bool has_open_size(const Visit *v) {
  for (size_t i = 0; i < v->node->n_output; i++) {
    const Item *item = *v->node->output[i] ? item_find(v->frame, v->node->output[i]) : NULL;
    for (int32_t k = 0; item && item->value && k < item->value->shape.rank; k++)
      if (rsh_is_unknown(item->value->shape.dim[k]))
        return true;
  }
  return false;
}

// The sizes that lowering leaves open, because it would have to check that sizes fit: the shape rules assume that.
//   Expand of [1, min(S, 512)] to [B, S]     [B, S], not [B, ?]
static void infer_open_sizes(const Visit *v, const TensorType *type) {
  for (size_t i = 0; i < v->node->n_output; i++) {
    const Item *item = *v->node->output[i] ? item_find(v->frame, v->node->output[i]) : NULL;
    rsh_shape *shape = item && item->value ? &item->value->shape : NULL;
    for (int32_t k = 0; shape && shape->rank == type[i].shape.rank && k < shape->rank; k++)
      if (rsh_is_unknown(shape->dim[k]) && !rsh_is_unknown(type[i].shape.dim[k]))
        replace_size(v->r->data.graph, shape->dim[k], type[i].shape.dim[k]);
  }
}

// Lowers the node to one of the graph. False: `why` gives the reason.
static bool survey_move(Visit *v, Moved *moved) {
  Lower *l = &v->r->data;
  int op = onnx_operator(v->op), messages = l->diag->list.count, nodes = l->graph->node.count;
  const char *refusal = layer_refusal(v);
  moved->why = refusal ? refusal : "a list of integers is read at run time";
  l->is_undecided = false; // each node is lowered again in the graph of its own chain
  bool good = !refusal && (op >= 0 ? visit_move(v, (rsh_op)op) : visit_pick(v)), is_data = false;
  for (int i = nodes; i < l->graph->node.count; i++)
    is_data = is_data || l->graph->node.item[i]->data;
  moved->part_count = l->graph->node.count - nodes;
  if (good && !is_data) {
    moved->part = ARENA_ARRAY(l->arena, Node *, moved->part_count);
    for (int i = 0; i < moved->part_count; i++)
      moved->part[i] = l->graph->node.item[nodes + i];
    moved->made = moved->part[moved->part_count - 1];
    moved->is_one = op >= 0 && moved->part_count == 1;
    return true;
  }
  if (l->diag->list.count > messages)
    moved->why = l->diag->list.item[messages].message;
  return good;
}

// ---- Subgraphs

// The shapes that Scan passes to its body, if the body does not declare them: carried values as they are, one element
// of scanned ones.
static void set_body_input(const Visit *v, Item *item, size_t i) {
  size_t scanned = (size_t)attribute_int(v, "num_scan_inputs", 0), inputs = v->node->n_input;
  const Item *given = i < inputs ? v->in[i] : NULL;
  if (strcmp(v->op, "Scan") != 0 || v->frame->opset < 9 || !item->value || !given ||
      !given->value || item->value->shape.rank != RSH_RANK_UNKNOWN ||
      given->value->shape.rank < 1 || scanned > inputs)
    return;
  const Onnx__AttributeProto *axes = attribute_of(v, "scan_input_axes");
  size_t carried = inputs - scanned;
  rsh_shape shape = given->value->shape;
  int32_t axis;
  if (i >= carried) {
    int64_t written = axes && i - carried < axes->n_ints ? axes->ints[i - carried] : 0;
    if (!rsh_axis_index(written, shape.rank, &axis))
      return;
    for (int32_t k = axis; k + 1 < shape.rank; k++)
      shape.dim[k] = shape.dim[k + 1];
    shape.rank--;
  }
  item->value->shape = shape;
}

static BodyTypes body_types(Visit *v, const Frame *body, const Onnx__GraphProto *graph) {
  BodyTypes types = {ARENA_ARRAY(v->r->arena, TensorType, graph->n_output), graph->n_output};
  for (size_t i = 0; i < graph->n_output; i++) {
    const Item *item = item_find(body, graph->output[i]->name);
    const char *why = NULL;
    TensorType *type = &types.out[i];
    *type = (TensorType){RSH_DTYPE_NONE, {.rank = RSH_RANK_UNKNOWN}};
    if (item && item->value)
      *type = (TensorType){item->value->dtype, item->value->shape};
    else if (item && item->known)
      *type = (TensorType){item->known->dtype, item->known->shape};
    else if (item && item->has_dtype)
      type->dtype = item->dtype;
    else if (item && item->tensor)
      (void)onnx_tensor_type(item->tensor, v->r->arena, &type->dtype, &type->shape, &why);
    else
      onnx_declared_type(v->r, graph->output[i]->type, type);
  }
  return types;
}

static void survey_results(Reader *r, const Frame *frame, const Onnx__GraphProto *graph) {
  for (size_t i = 0; i < graph->n_output; i++) {
    Item *item = item_find(frame, graph->output[i]->name);
    if (item && item->value)
      VEC_PUSH(r->arena, r->surveyor->survey->use, ((Use){item->value, -1}));
  }
}

// If, Loop, Scan: the body sees outer names; its inputs are known by their declarations.
static BodyTypes survey_body(Visit *v, const Onnx__GraphProto *graph) {
  Reader *r = v->r;
  Frame body = body_frame(v);
  read_initializers(r, &body, graph);
  declared_read(r, &body, graph);
  for (size_t i = 0; i < graph->n_input; i++) {
    read_input(r, &body, graph->input[i]);
    Item *item = item_find(&body, graph->input[i]->name);
    if (item)
      set_body_input(v, item, i);
  }
  bool found_nothing = r->data.known->finds_nothing;
  r->data.known->finds_nothing =
      true; // conditions in a body need not hold outside: it may never run
  visit_nodes(r, &body, graph->node, graph->n_node);
  r->data.known->finds_nothing = found_nothing;
  survey_results(r, &body, graph);
  BodyTypes types = body_types(v, &body, graph);
  HASH_CLEAR(hh, body.items);
  declared_forget(&body);
  return types;
}

// The result types of subgraphs, in the order of the attributes; at least two, which may be unknown.
static const BodyTypes *survey_bodies(Visit *v) {
  VEC(BodyTypes) types = {0};
  const Onnx__GraphProto *body;
  for (BodyPlace at = {0}; (body = onnx_next_body(v->node, &at));)
    VEC_PUSH(v->r->arena, types, survey_body(v, body));
  for (int i = 0; i < 2; i++)
    VEC_PUSH(v->r->arena, types, ((BodyTypes){0}));
  return types.item;
}

// ---- Any node

// Handles a node that is inlined or becomes numbers. False: it is an operator.
static bool survey_without_node(Visit *v, bool has_inputs) {
  const OnnxFunction *f = visit_function(v);
  const Onnx__GraphProto *branch = visit_known_branch(v);
  bool is_default = !*node_domain(v->node->domain);
  if (f && has_inputs && visit_call(v, f)) {
    refine_results(v);
    return true;
  }
  if (branch) {
    visit_branch(v, branch);
    refine_results(v);
    return true;
  }
  if (is_default && strcmp(v->op, "Constant") == 0) {
    visit_constant(v);
    return true;
  }
  if (!has_inputs || !is_default || strcmp(v->op, "Dropout") == 0 || !visit_sizes(v))
    return false;
  for (size_t i = 0; i < v->node->n_output; i++) {
    Item *item = item_find(v->frame, v->node->output[i]);
    if (item)
      item->is_of_sizes = survey_is_of_sizes(v);
  }
  check_declared(v);
  return true;
}

// The reason why an input prevents the node from being made.
static const char *lacking(const Visit *v) {
  for (size_t i = 0; i < v->node->n_input; i++)
    if (v->in[i] && v->in[i]->absent)
      return arena_printf(v->r->arena, "%s: %s", input_label(v, i), v->in[i]->absent);
  for (size_t i = 0; i < v->node->n_input; i++)
    if (v->in[i] && v->in[i]->is_poisoned)
      return arena_printf(v->r->arena, "%s is not a tensor of a supported type", input_label(v, i));
  return "an input is not known";
}

static void open_operands(Visit *v) {
  bool is_many = strcmp(v->op, "Concat") == 0 || pick_is_one(v);
  for (size_t i = 0; i < v->node->n_input && (i == 0 || is_many); i++)
    if (v->in[i] && v->in[i]->value)
      open_sizes(v, v->in[i]->value, OPEN_FOR_MOVES);
}

// A node that scatters to places that count up, or chooses by a mask of these, moves elements without an index.
static bool reads_positions(const Visit *v) {
  return pick_is_named(v) && (masks_are_read(v) || positions_are_read(v));
}

static void survey_operator(Visit *v, bool has_inputs) {
  Reader *r = v->r;
  Survey *survey = survey_of(v);
  bool is_pick =
      has_inputs && !*node_domain(v->node->domain) && (pick_is_one(v) || reads_positions(v));
  bool is_counted =
      (survey_is_movement(v) || layer_refusal(v) || is_pick) && !survey_is_of_sizes(v);
  Moved moved = {.node = v->node, .index = v->index, .span = v->span, .place = v->frame->place};
  if (is_counted && has_inputs)
    open_operands(v);
  bool good = is_counted && has_inputs && survey_move(v, &moved);
  is_counted = is_counted && (good || !is_pick); // otherwise it computes
  if (!has_inputs)
    moved.why = lacking(v);
  if (reader_is_again(r))
    return;
  survey_use(v, &moved);
  if (is_counted)
    VEC_PUSH(r->arena, survey->moved, moved);
  const BodyTypes *body = survey_bodies(v);
  if (!good) {
    survey_outputs_of(v, body);
    return;
  }
  infer_absent(v);
  TensorType *type = ARENA_ARRAY(r->arena, TensorType, v->node->n_output);
  if (has_open_size(v) && infer_outputs(v, NULL, type, NULL))
    infer_open_sizes(v, type);
  check_declared(v);
}

// Returns whether numbers may differ from the elements in bits. In floating point they are exact only if nothing is
// computed, since no known number is -0.
static bool is_rounded(const Visit *v, const Numbers *known) {
  bool computes = !survey_is_movement(v) && strcmp(v->op, "ConstantOfShape") != 0;
  if (!rsh_dtype_is_float(known->dtype))
    return false;
  for (size_t i = 0; i < v->node->n_input; i++)
    computes = computes || (v->in[i] && v->in[i]->is_rounded);
  return computes || strcmp(v->op, "Cast") == 0;
}

static void keep_tensor(const Visit *v, Item *item) {
  Tensor tensor = {
      .name = item->name, .place = v->frame->place, .value = item->value, .node = v->node};
  if (item->value &&
      item->value->name == item->name) // not a value that the function only passes on
    item->value->place = v->frame->place;
  if (!item->value && !item->known && !item->has_dtype)
    return;
  tensor.dtype = item->value ? item->value->dtype : item->known ? item->known->dtype : item->dtype;
  if (!item->value)
    tensor.shape = item->known ? item->known->shape : (rsh_shape){.rank = RSH_RANK_UNKNOWN};
  item->is_rounded = item->known && is_rounded(v, item->known);
  tensor.known = item->value || item->is_rounded ? NULL : item->known;
  VEC_PUSH(v->r->arena, survey_of(v)->tensor, tensor);
}

static void keep_tensors(Visit *v) {
  for (size_t i = 0; i < v->node->n_output; i++) {
    Item *item = *v->node->output[i] ? item_find(v->frame, v->node->output[i]) : NULL;
    if (item)
      keep_tensor(v, item);
  }
}

// A fraction has a value, as data has: a node may round it, another may scale a tensor by it.
static void keep_fraction(Visit *v, bool has_inputs) {
  bool is_one = has_inputs && !*node_domain(v->node->domain) && v->node->n_output == 1;
  Item *item = is_one ? item_find(v->frame, v->node->output[0]) : NULL;
  if (item && !item->known && !item->tensor)
    item->fraction = fractions_visit(v);
}

// Indices that count up, and masks of these, have values as well.
static void keep_positions(Visit *v, bool has_inputs) {
  bool is_one = has_inputs && !*node_domain(v->node->domain) && v->node->n_output == 1;
  Item *item = is_one && *v->node->output[0] ? item_find(v->frame, v->node->output[0]) : NULL;
  if (!item || !item->value || reader_is_again(v->r))
    return;
  const Positions *made = masks_visit(v);
  item->positions = made ? made : positions_visit(v);
}

// An unsupported operator is not an error here: such messages are kept only with the node.
static void survey_node(Visit *v, bool has_inputs) {
  const DiagMark mark = diag_mark(v->r->data.diag);
  if (!survey_without_node(v, has_inputs))
    survey_operator(v, has_inputs);
  keep_fraction(v, has_inputs);
  keep_positions(v, has_inputs);
  keep_tensors(v);
  diag_rewind(v->r->data.diag, mark);
}

// ---- Whole models

static void survey_pass(Lower *l, const void *of) {
  SurveyOf *given = (SurveyOf *)(uintptr_t)of;
  given->quiet = (Diag){.arena = l->arena, .file = l->diag->file};
  Reader *r = reader_new(l, given->file);
  *given->surveyor.survey = (Survey){.graph = l->graph};
  r->surveyor = &given->surveyor;
  r->data.is_survey = true;
  r->data.diag = r->sizes.diag = &given->quiet;
  read_graph(r);
  set_source(r);
  l->again = reader_is_again(r);
  l->failed = l->diag->errors > 0;
}

Survey *onnx_survey(Arena *arena, const OnnxFile *file, Diag *diag) {
  Library library;
  Known *known = ARENA_NEW(arena, Known);
  Survey *survey = ARENA_NEW(arena, Survey);
  SurveyOf *of = ARENA_NEW(arena, SurveyOf);
  *of = (SurveyOf){.file = file, .surveyor = {survey, survey_node, survey_results, survey_open}};
  library_start(arena, &library);
  known_start(arena, known, true);
  Graph *graph =
      lower_known(arena, &library, &(Origin){.pass = survey_pass, .of = of}, diag, known);
  library_free(&library);
  survey->facts = &known->facts;
  for (int i = 0; graph && i < survey->remark.count; i++)
    if (survey->remark.item[i].is_warning)
      diag_warning(diag, survey->remark.item[i].span, "shape_mismatch", "%s",
                   survey->remark.item[i].text);
  return graph ? survey : NULL;
}
