// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model's graph becomes a Graph: names are looked up, every node that an output needs is worked out as
// numbers (onnx_sizes.c) or lowered to a node of the graph (onnx_node.c), functions are inlined.
#include "frontend/onnx/onnx_internal.h"
#include "runtime/convert.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
  NEWEST_OPSET = 28,
  MAX_VISITS = 1 << 16,     // nodes, those of functions counted at each call
  MAX_READS = 1 << 23,      // outputs of a graph times values: plans are made for each output
  INITIAL_OPSET_VERSION = 3 // of the file format, the first that says which opset it means
};

// ---- Parts of the model, for messages

static Span place_add(Reader *r, const char *text) {
  Span span = {(uint32_t)r->places.count, 0};
  for (; *text && r->places.count < INT32_MAX / 4; text++)
    VEC_PUSH(r->arena, r->places, *text);
  span.end = (uint32_t)r->places.count;
  return span;
}

static void set_source(Reader *r) {
  Source *source = ARENA_NEW(r->arena, Source);
  VEC_PUSH(r->arena, r->places, '\0');
  *source = (Source){.name = r->file->path,
                     .text = r->places.item,
                     .length = (uint32_t)r->places.count - 1,
                     .is_model = true};
  r->diag->source = source;
}

static const char *text_or(const char *text, const char *other) {
  return text && *text ? text : other;
}

// "node 3 'r' (Reshape)", "layer 3 'r' (Reshape), line 20"
static Span node_place(Reader *r, const Frame *frame, const Onnx__NodeProto *node, size_t index) {
  const char *name = node->name && *node->name ? arena_printf(r->arena, " '%s'", node->name) : "";
  if (r->file->is_openvino)
    return place_add(r, text_or(node->doc_string, "layer"));
  return place_add(r, arena_printf(r->arena, "%snode %zu%s (%s)", frame->place, index, name,
                                   text_or(node->op_type, "no operator")));
}

// What makes a file no model, whatever is done with it.
static void structure_error(Reader *r, Span span, const char *kind, const char *format,
                            const char *a) {
  diag_error(r->diag, span, kind, format, a);
  r->data.failed = true;
}

// ---- Names

static Item *item_find(const Frame *frame, const char *name) {
  for (; frame; frame = frame->outer) {
    Item *item;
    HASH_FIND_STR(frame->items, name, item);
    if (item)
      return item;
  }
  return NULL;
}

// NULL: the name is taken, which is reported.
static Item *item_add(Reader *r, Frame *frame, const char *name, Span span) {
  Item *item;
  HASH_FIND_STR(frame->items, name, item);
  if (item) {
    structure_error(r, span, "redefined", "there is a value '%s' already", name);
    diag_note(r->diag, item->span, "it is defined here");
    return NULL;
  }
  item = ARENA_NEW(r->arena, Item);
  item->name = name;
  item->span = span;
  HASH_ADD_KEYPTR(hh, frame->items, item->name, strlen(item->name), item);
  return item;
}

// ---- Types of inputs

static bool symbol_add(Reader *r, const char *name, Span span, rsh_num *out) {
  Graph *graph = r->data.graph;
  for (int i = 0; i < graph->symbol.count; i++)
    if (graph->symbol.item[i].name && strcmp(graph->symbol.item[i].name, name) == 0) {
      *out = graph->symbol.item[i].num;
      return true;
    }
  return symbol_new(&r->data, name, span, out);
}

// A size without a name, or below 0 as some writers have it, is named after its input: "x_1".
static bool read_dim(Reader *r, const Onnx__TensorShapeProto__Dimension *dim, const char *input,
                     size_t axis, Span span, rsh_num *out) {
  bool is_number = dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
  bool is_name = dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
  if (is_number && dim->dim_value >= 0) {
    *out = rsh_int(dim->dim_value);
    return true;
  }
  const char *name = is_name && dim->dim_param && *dim->dim_param
                         ? dim->dim_param
                         : arena_printf(r->arena, "%s_%zu", input, axis);
  return symbol_add(r, graph_text_word(r->arena, name), span, out);
}

static bool read_type(Reader *r, const Onnx__ValueInfoProto *info, Span span, rsh_dtype *dtype,
                      rsh_shape *shape) {
  const Onnx__TypeProto *type = info->type;
  Lower *l = &r->data;
  *shape = (rsh_shape){.rank = RSH_RANK_UNKNOWN};
  if (!type || type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE) {
    lower_error(l, span, "unsupported", "only tensors are supported");
    return false;
  }
  const Onnx__TypeProto__Tensor *tensor = type->tensor_type;
  *dtype = onnx_dtype(tensor->elem_type);
  if (*dtype == RSH_DTYPE_NONE) {
    lower_error(l, span, "unknown_type", "%s", onnx_dtype_words(r->arena, tensor->elem_type));
    return false;
  }
  if (!tensor->shape)
    return true;
  if (tensor->shape->n_dim > RSH_MAX_RANK) {
    lower_error(l, span, "rank_limit", "%zu dimensions; at most %d can be held",
                tensor->shape->n_dim, RSH_MAX_RANK);
    return false;
  }
  shape->rank = (int32_t)tensor->shape->n_dim;
  for (size_t i = 0; i < tensor->shape->n_dim; i++)
    if (!read_dim(r, tensor->shape->dim[i], text_or(info->name, "x"), i, span, &shape->dim[i]))
      return false;
  rsh_num volume;
  if (shape->rank == RSH_RANK_UNKNOWN ||
      rsh_volume(r->data.graph->symbols, shape, &volume) == RSH_ok)
    return true;
  lower_error(l, span, "overflow", "%s", overflow_text(r->arena, r->data.graph, shape));
  return false;
}

// An initializer of the name of an input is its default: the model is compiled with it, unless defaults
// are open.
static void read_input(Reader *r, Frame *frame, const Onnx__ValueInfoProto *info) {
  const char *name = text_or(info->name, "");
  Item *item = item_find(frame, name);
  if (item && item->tensor && !r->file->has_open_defaults)
    return;
  Span span = place_add(r, arena_printf(r->arena, "input '%s'", name));
  if (item && item->tensor)
    item->known = NULL, item->tensor = NULL;
  else
    item = item_add(r, frame, name, span);
  rsh_dtype dtype;
  rsh_shape shape;
  if (!item)
    return;
  item->is_poisoned = true;
  if (!read_type(r, info, span, &dtype, &shape))
    return;
  item->is_poisoned = false;
  item->value = value_new(&r->data, dtype, &shape, span);
  item->value->name = name;
}

static void read_initializers(Reader *r, Frame *frame, const Onnx__GraphProto *graph) {
  for (size_t i = 0; i < graph->n_initializer; i++) {
    const Onnx__TensorProto *tensor = graph->initializer[i];
    const char *name = text_or(tensor->name, "");
    Span span = place_add(r, r->file->is_openvino
                                 ? text_or(tensor->doc_string, "layer")
                                 : arena_printf(r->arena, "initializer %zu '%s'", i, name));
    Item *item = item_add(r, frame, name, span);
    if (!item)
      continue;
    item->tensor = tensor;
    item->known = onnx_tensor_known(r, tensor);
  }
}

// ---- Nodes

static bool is_again(const Reader *r) { return r->data.again || r->sizes.again; }

static void visit_nodes(Reader *r, Frame *frame, Onnx__NodeProto *const *node, size_t count,
                        const bool *needed);
static void survey_body(Visit *v, const Onnx__GraphProto *graph);

static Item *output_item(Visit *v, size_t i) {
  const char *name = v->node->output[i];
  return *name ? item_add(v->r, v->frame, name, v->span) : NULL;
}

static void poison_outputs(Visit *v) {
  for (size_t i = 0; i < v->node->n_output; i++) {
    Item *item = output_item(v, i);
    if (item)
      item->is_poisoned = true;
  }
}

// Constant: the attribute that is given, as a tensor.
static bool constant_tensor(Visit *v, const Onnx__TensorProto **out) {
  const Onnx__AttributeProto *a;
  Onnx__TensorProto *made = ARENA_NEW(v->r->arena, Onnx__TensorProto);
  onnx__tensor_proto__init(made);
  made->has_data_type = true;
  *out = made;
  if ((a = attribute_of(v, "value")) && a->t) {
    *out = a->t;
    return true;
  }
  bool is_list = false;
  if ((a = attribute_of(v, "value_int")) || (a = attribute_of(v, "value_ints"))) {
    is_list = strcmp(a->name, "value_ints") == 0;
    made->data_type = ONNX__TENSOR_PROTO__DATA_TYPE__INT64;
    made->int64_data = is_list ? a->ints : (int64_t *)(uintptr_t)&a->i;
    made->n_int64_data = is_list ? a->n_ints : 1;
  } else if ((a = attribute_of(v, "value_float")) || (a = attribute_of(v, "value_floats"))) {
    is_list = strcmp(a->name, "value_floats") == 0;
    made->data_type = ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT;
    made->float_data = is_list ? a->floats : (float *)(uintptr_t)&a->f;
    made->n_float_data = is_list ? a->n_floats : 1;
  } else {
    return onnx_error(v, "unsupported",
                      "only constants that are a tensor of numbers are supported");
  }
  if (is_list) {
    made->dims = ARENA_NEW(v->r->arena, int64_t);
    made->dims[0] = (int64_t)(made->n_int64_data + made->n_float_data);
    made->n_dims = 1;
  }
  return true;
}

static void visit_constant(Visit *v) {
  const Onnx__TensorProto *tensor;
  Item *item = v->node->n_output == 1 ? output_item(v, 0) : NULL;
  if (!item)
    return;
  item->is_poisoned = !constant_tensor(v, &tensor);
  if (item->is_poisoned)
    return;
  item->tensor = tensor;
  item->known = onnx_tensor_known(v->r, tensor);
}

static bool visit_sizes(Visit *v) {
  const Numbers **out = ARENA_ARRAY(v->r->arena, const Numbers *, v->node->n_output);
  int errors = v->r->data.diag->errors;
  if (!sizes_visit(v, out)) {
    if (v->r->data.diag->errors == errors || v->r->survey)
      return false;
    poison_outputs(v); // it was one, and what is wrong with it is reported
    return true;
  }
  for (size_t i = 0; i < v->node->n_output; i++)
    if (*v->node->output[i] && !out[i])
      return false;
  for (size_t i = 0; i < v->node->n_output; i++) {
    Item *item = output_item(v, i);
    if (item)
      item->known = out[i];
  }
  return true;
}

// A node of the graph. False: reported.
static bool visit_move(Visit *v, rsh_op op) {
  Reader *r = v->r;
  bool is_many = rsh_op_max_operands(op) == INT32_MAX;
  int count = is_many ? (int)v->node->n_input : v->node->n_input > 0;
  Value **operand = ARENA_ARRAY(r->arena, Value *, count);
  for (int i = 0; i < count; i++) {
    if (!v->in[i])
      return onnx_error(v, "arity", "input %d is left out", i);
    operand[i] = item_value(r, v->in[i], v->span);
    if (!operand[i])
      return false;
  }
  if (count == 0)
    return onnx_error(v, "arity", "'%s' needs an input", v->op);
  if (gather_is_of_several_axes(v->op) && !gather_prepare(v, &r->data, &operand[0]))
    return false;
  Binding *b = node_bind(v, &r->data, op, operand, count);
  Values values = b ? binding_apply(&r->data, b) : (Values){0};
  bool is_dropout = strcmp(v->op, "Dropout") == 0; // its mask is not made
  if (values.count == 0 || ((size_t)values.count < v->node->n_output && !is_dropout))
    return values.count > 0 && onnx_error(v, "arity", "%zu outputs; '%s' has %d", v->node->n_output,
                                          v->op, values.count);
  for (size_t i = 0; i < v->node->n_output; i++) {
    Item *item = output_item(v, i);
    if (!item)
      continue;
    if (i >= (size_t)values.count) {
      item->absent = "the mask of 'Dropout' is not supported";
      continue;
    }
    item->value = values.item[i];
    item->value->name = item->name;
  }
  return true;
}

// ConstantOfShape where it is data: one element, repeated.
static bool visit_filled(Visit *v) {
  static const uint8_t zero[8] = {0};
  Reader *r = v->r;
  const Onnx__AttributeProto *a = attribute_of(v, "value");
  rsh_dtype dtype = RSH_F32;
  rsh_shape shape, scalar = {0};
  rsh_num volume = rsh_int(1);
  const uint8_t *bytes = zero;
  const char *why = NULL;
  const Numbers *sizes = v->node->n_input == 1 && v->in[0] ? v->in[0]->known : NULL;
  if (!sizes)
    return onnx_error(v, "unsupported", "the shape is not known when the model is compiled");
  if (a && a->t) {
    bytes = onnx_tensor_bytes(r, a->t, &why);
    if (!bytes || !onnx_tensor_type(a->t, r->arena, &dtype, &shape, &why))
      return onnx_error(v, "bad_file", "attribute 'value': %s", why);
    (void)rsh_volume(NULL, &shape, &volume);
  }
  if (!rsh_is(volume, 1) || v->node->n_output != 1)
    return onnx_error(v, "bad_attr", "attribute 'value' must be one element");
  Item *item = output_item(v, 0);
  if (!item)
    return true;
  Binding *b = binding_new(&r->data, RSH_OP_EXPAND, "ConstantOfShape", v->span);
  binding_operand(&r->data, b, constant_new(r, item, dtype, &scalar, bytes), v->span);
  binding_list(&r->data, b, 0, sizes->item, sizes->count);
  Values values = binding_apply(&r->data, b);
  item->is_poisoned = values.count != 1;
  if (values.count == 1) {
    item->value = values.item[0];
    item->value->name = item->name;
  }
  return true;
}

// ---- Functions of the model

static const char *domain_of(const char *domain) {
  return domain && strcmp(domain, "ai.onnx") != 0 ? domain : "";
}

static int64_t opset_in(Onnx__OperatorSetIdProto *const *imports, size_t count) {
  int64_t opset = 0;
  for (size_t i = 0; i < count; i++)
    if (!*domain_of(imports[i]->domain))
      opset = imports[i]->version;
  return opset;
}

static const Onnx__FunctionProto *function_of(const Visit *v) {
  const Onnx__ModelProto *model = v->r->file->model;
  for (size_t i = 0; i < model->n_functions; i++) {
    const Onnx__FunctionProto *f = model->functions[i];
    if (f->name && strcmp(f->name, v->op) == 0 &&
        strcmp(domain_of(f->domain), domain_of(v->node->domain)) == 0)
      return f;
  }
  return NULL;
}

// The body sees its inputs alone, and its outputs get the names that the call gives them.
static bool visit_call(Visit *v, const Onnx__FunctionProto *f) {
  Reader *r = v->r;
  for (const Frame *at = v->frame; at; at = at->caller)
    if (at->function == f)
      return onnx_error(v, "recursion", "function '%s' calls itself", v->op);
  if (v->node->n_input > f->n_input || v->node->n_output > f->n_output)
    return onnx_error(v, "arity", "function '%s' has %zu inputs and %zu outputs, not %zu and %zu",
                      v->op, f->n_input, f->n_output, v->node->n_input, v->node->n_output);
  Frame body = {.function = f, .caller = v->frame, .call = v->node};
  body.opset = opset_in(f->opset_import, f->n_opset_import);
  body.place = arena_printf(r->arena, "%.*s: ", (int)(v->span.end - v->span.begin),
                            r->places.item + v->span.begin);
  for (size_t i = 0; i < v->node->n_input; i++) {
    Item *item = v->in[i] ? item_add(r, &body, f->input[i], v->span) : NULL;
    if (!item)
      continue;
    UT_hash_handle own = item->hh;
    *item = *v->in[i];
    item->name = f->input[i];
    item->hh = own;
    if (!item->value && !item->known && item->tensor) // one constant, however often it is passed
      item->value = item_value(r, v->in[i], v->span);
  }
  visit_nodes(r, &body, f->node, f->n_node, NULL);
  for (size_t i = 0; i < v->node->n_output; i++) {
    Item *item = output_item(v, i), *made = item_find(&body, f->output[i]);
    if (!item)
      continue;
    if (!made)
      onnx_error(v, "undefined_result", "function '%s' never computes its output '%s'", v->op,
                 f->output[i]);
    item->is_poisoned = !made || made->is_poisoned;
    if (!made)
      continue;
    item->absent = made->absent;
    item->known = made->known;
    item->tensor = made->tensor;
    item->value = made->value;
  }
  HASH_CLEAR(hh, body.items);
  return true;
}

// ---- One node

enum { NUMBERS_SHOWN = 4 };

// "[L, 2]", "L", of an input that is computed from sizes.
static const char *numbers_text(const Visit *v, const Numbers *known) {
  Arena *arena = v->r->arena;
  const char *text = "";
  for (int32_t i = 0; i < known->count && i < NUMBERS_SHOWN; i++)
    text = arena_printf(arena, "%s%s%s", text, i ? ", " : "",
                        num_text(arena, v->r->data.graph, known->item[i]));
  return arena_printf(arena, known->shape.rank ? "[%s%s]" : "%s%s", text,
                      known->count > NUMBERS_SHOWN ? ", ..." : "");
}

// A number that sizes are computed with, which is not known before the program runs.
static bool refuse_numbers(Visit *v) {
  const char *text = "";
  for (size_t i = 0; i < v->node->n_input; i++)
    if (v->in[i])
      text = arena_printf(v->r->arena, "%s%s%s", text, *text ? ", " : "",
                          numbers_text(v, v->in[i]->known));
  return onnx_error(v, "unsupported", "'%s' of %s depends on sizes known only at run time", v->op,
                    text);
}

static bool visit_operator(Visit *v) {
  int op = onnx_operator(v->op);
  const char *refusal = layer_refusal(v);
  if (refusal)
    return onnx_error(v, "unsupported", "%s", refusal);
  if (*domain_of(v->node->domain) && !v->r->file->is_openvino)
    return onnx_error(v, "unsupported", "operators of domain '%s' are not supported",
                      v->node->domain);
  if (strcmp(v->op, "ConstantOfShape") == 0)
    return visit_filled(v);
  if (op >= 0 && !*domain_of(v->node->domain))
    return node_arrange_constant(v, &op) && visit_move(v, (rsh_op)op);
  if (!*domain_of(v->node->domain) && sizes_would_count(v))
    return refuse_numbers(v);
  if (v->r->file->is_openvino) // the operator may be called otherwise there
    return onnx_error(v, "unsupported",
                      "the layer does more than move elements; 'reshapec chains' finds the "
                      "operators that only move them");
  return onnx_error(v, "unsupported",
                    "'%s' does more than move elements; 'reshapec chains' finds the operators that "
                    "only move them",
                    v->op);
}

// False: an input is poisoned, or not there, which is reported.
static bool find_inputs(Visit *v) {
  bool good = true;
  v->in = ARENA_ARRAY(v->r->arena, Item *, v->node->n_input);
  for (size_t i = 0; i < v->node->n_input; i++) {
    if (!*v->node->input[i])
      continue;
    v->in[i] = item_find(v->frame, v->node->input[i]);
    if (!v->in[i])
      structure_error(v->r, v->span, "unknown_name", "%s is computed by no node before this one",
                      input_label(v, i));
    else if (v->in[i]->absent)
      onnx_error(v, "unsupported", "%s: %s", input_label(v, i), v->in[i]->absent);
    good = good && v->in[i] && !v->in[i]->is_poisoned && !v->in[i]->absent;
  }
  return good;
}

// ---- Surveys: all of a model, of which the operators that move data are wanted

static bool is_movement(const Visit *v) {
  int op = onnx_operator(v->op);
  if (*domain_of(v->node->domain))
    return false;
  bool computes = op >= 0 && op != RSH_OP_CAST &&
                  (rsh_is_elementwise((rsh_op)op) || rsh_is_rowwise((rsh_op)op));
  return op >= 0 && !computes && (op != RSH_OP_REPEAT || resize_repeats(v));
}

// Whether it is Shape or Size, or computes with nothing but what comes from them and constants. Of
// operators that move, the first input is what counts: Reshape of data is data, whatever its target is.
static bool survey_is_of_sizes(const Visit *v) {
  bool any = strcmp(v->op, "Shape") == 0 || strcmp(v->op, "Size") == 0;
  bool is_one = is_movement(v) && strcmp(v->op, "Concat") != 0;
  size_t count = is_one && v->node->n_input > 0 ? 1 : v->node->n_input;
  for (size_t i = 0; i < count; i++) {
    const Item *item = v->in[i];
    if (item && !item->is_of_sizes && !item->tensor && !item->known)
      return any;
    any = any || (item && item->is_of_sizes);
  }
  return any;
}

static void survey_use(Visit *v, size_t count, int by) {
  for (size_t i = 0; i < count; i++)
    if (v->in[i] && v->in[i]->value)
      VEC_PUSH(v->r->arena, v->r->survey->use, ((Use){v->in[i]->value, by}));
}

// What another operator computes is a tensor that chains can begin with, where its type is known.
static void survey_outputs_of(Visit *v) {
  for (size_t i = 0; i < v->node->n_output; i++) {
    rsh_dtype dtype;
    rsh_shape shape;
    Item *item = output_item(v, i);
    if (!item)
      continue;
    item->is_of_sizes = survey_is_of_sizes(v);
    item->absent = "its shape is not known";
    if (!infer_output(v, i, &dtype, &shape))
      continue;
    item->absent = NULL;
    item->value = value_new(&v->r->data, dtype, &shape, v->span);
    item->value->name = item->name;
  }
}

// The node as one of the graph. False, and why not.
static bool survey_move(Visit *v, Moved *moved) {
  Lower *l = &v->r->data;
  int op = onnx_operator(v->op), messages = l->diag->list.count, nodes = l->graph->node.count;
  const char *refusal = layer_refusal(v);
  moved->why = refusal ? refusal : "a size or an input of it is not known";
  bool good = op >= 0 && !refusal && visit_move(v, (rsh_op)op) && l->graph->node.count == nodes + 1;
  if (good && !l->graph->node.item[nodes]->data) {
    moved->made = l->graph->node.item[nodes];
    return true;
  }
  if (l->diag->list.count > messages)
    moved->why = l->diag->list.item[messages].message;
  return good;
}

static void survey_bodies(Visit *v) {
  for (size_t i = 0; i < v->node->n_attribute; i++) {
    const Onnx__AttributeProto *a = v->node->attribute[i];
    for (size_t k = 0; k < a->n_graphs + (a->g != NULL); k++)
      survey_body(v, k < a->n_graphs ? a->graphs[k] : a->g);
  }
}

static void survey_node(Visit *v, bool has_inputs) {
  Reader *r = v->r;
  const Onnx__FunctionProto *f = function_of(v);
  bool is_default = !*domain_of(v->node->domain);
  if (f && has_inputs && visit_call(v, f))
    return;
  if (is_default && strcmp(v->op, "Constant") == 0) {
    visit_constant(v);
    return;
  }
  if (has_inputs && is_default && strcmp(v->op, "Dropout") != 0 && visit_sizes(v)) {
    for (size_t i = 0; i < v->node->n_output; i++) {
      Item *item = item_find(v->frame, v->node->output[i]);
      if (item)
        item->is_of_sizes = survey_is_of_sizes(v);
    }
    return;
  }
  bool is_counted = (is_movement(v) || layer_refusal(v)) && !survey_is_of_sizes(v);
  Moved moved = {
      .node = v->node, .index = v->index, .span = v->span, .why = "an input is not known"};
  bool good = is_counted && has_inputs && survey_move(v, &moved);
  bool is_many = strcmp(v->op, "Concat") == 0;
  if (is_again(r))
    return;
  survey_use(v, moved.made && !is_many && v->node->n_input > 0 ? 1 : v->node->n_input,
             moved.made ? r->survey->moved.count : -1);
  if (is_counted)
    VEC_PUSH(r->arena, r->survey->moved, moved);
  if (!good)
    survey_outputs_of(v);
  survey_bodies(v);
}

static void survey_outputs(Reader *r, const Frame *frame, const Onnx__GraphProto *graph) {
  for (size_t i = 0; i < graph->n_output; i++) {
    Item *item = item_find(frame, text_or(graph->output[i]->name, ""));
    if (item && item->value)
      VEC_PUSH(r->arena, r->survey->use, ((Use){item->value, -1}));
  }
}

// If, Loop, Scan: the body sees the names around it; what it is given is known by its declarations.
static void survey_body(Visit *v, const Onnx__GraphProto *graph) {
  Reader *r = v->r;
  Frame body = {.outer = v->frame, .caller = v->frame->caller, .opset = v->frame->opset};
  body.function = v->frame->function;
  body.call = NULL;
  body.place = arena_printf(r->arena, "%.*s: ", (int)(v->span.end - v->span.begin),
                            r->places.item + v->span.begin);
  read_initializers(r, &body, graph);
  for (size_t i = 0; i < graph->n_input; i++)
    read_input(r, &body, graph->input[i]);
  visit_nodes(r, &body, graph->node, graph->n_node, NULL);
  survey_outputs(r, &body, graph);
  HASH_CLEAR(hh, body.items);
}

static void visit_node(Reader *r, Frame *frame, const Onnx__NodeProto *node, size_t index) {
  Visit v = {.r = r, .frame = frame, .node = node, .op = text_or(node->op_type, "")};
  v.span = node_place(r, frame, node, index);
  v.index = index;
  bool has_inputs = find_inputs(&v);
  if (r->survey) {
    survey_node(&v, has_inputs);
    return;
  }
  if (!has_inputs) {
    poison_outputs(&v);
    return;
  }
  const Onnx__FunctionProto *f = function_of(&v);
  bool is_default = !*domain_of(node->domain);
  bool good;
  if (f) {
    good = visit_call(&v, f);
  } else if (is_default && frame->opset == 0) {
    good = onnx_error(&v, "bad_attr", "the model does not say which opset '%s' is of", v.op);
  } else if (is_default && strcmp(v.op, "Constant") == 0) {
    visit_constant(&v);
    good = true;
  } else {
    good = (is_default && visit_sizes(&v)) || visit_operator(&v);
  }
  if (!good)
    poison_outputs(&v);
}

static void visit_nodes(Reader *r, Frame *frame, Onnx__NodeProto *const *node, size_t count,
                        const bool *needed) {
  for (size_t i = 0; i < count && !is_again(r); i++) {
    if (needed && !needed[i])
      continue;
    if (r->visits >= MAX_VISITS) {
      if (r->visits++ == MAX_VISITS)
        structure_error(r, place_add(r, "graph"), "limit", "more than %s nodes",
                        arena_printf(r->arena, "%d", MAX_VISITS));
      return;
    }
    r->visits++;
    visit_node(r, frame, node[i], i);
  }
}

// ---- The graph

typedef struct Wanted {
  const char *name;
  UT_hash_handle hh;
} Wanted;

static void want(Reader *r, Wanted **wanted, const char *name) {
  Wanted *found;
  HASH_FIND_STR(*wanted, name, found);
  if (found || !*name)
    return;
  found = ARENA_NEW(r->arena, Wanted);
  found->name = name;
  HASH_ADD_KEYPTR(hh, *wanted, found->name, strlen(found->name), found);
}

// The nodes that outputs need; what is left over in a model does not matter.
static const bool *needed_nodes(Reader *r, const Onnx__GraphProto *graph) {
  Wanted *wanted = NULL, *found;
  bool *needed = ARENA_ARRAY(r->arena, bool, graph->n_node);
  for (size_t i = 0; i < graph->n_output; i++)
    want(r, &wanted, text_or(graph->output[i]->name, ""));
  for (size_t i = graph->n_node; i-- > 0;) {
    const Onnx__NodeProto *node = graph->node[i];
    for (size_t k = 0; k < node->n_output; k++) {
      HASH_FIND_STR(wanted, node->output[k], found);
      needed[i] = needed[i] || found;
    }
    for (size_t k = 0; needed[i] && k < node->n_input; k++)
      want(r, &wanted, node->input[k]);
  }
  HASH_CLEAR(hh, wanted);
  return needed;
}

// What a model says of an output must not be other than what it is.
static bool check_output(Reader *r, const Onnx__ValueInfoProto *info, Span span,
                         const Value *value) {
  const Onnx__TypeProto *type = info->type;
  if (!type || type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE)
    return true;
  const Onnx__TypeProto__Tensor *tensor = type->tensor_type;
  bool same = tensor->elem_type == 0 || onnx_dtype(tensor->elem_type) == value->dtype;
  bool same_rank = !tensor->shape || (int64_t)tensor->shape->n_dim == value->shape.rank;
  for (size_t i = 0; tensor->shape && same_rank && i < tensor->shape->n_dim; i++) {
    const Onnx__TensorShapeProto__Dimension *dim = tensor->shape->dim[i];
    bool is_number = dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
    rsh_num size = value->shape.dim[i];
    same_rank = !is_number || dim->dim_value < 0 || !rsh_is_known(size) || size.n == dim->dim_value;
  }
  if (same && same_rank)
    return true;
  lower_error(&r->data, span, same ? "shape_mismatch" : "type_mismatch",
              "the model declares another type than what is computed, %s",
              type_text(r->arena, r->data.graph, value->dtype, &value->shape));
  return false;
}

static void read_output(Reader *r, const Frame *frame, const Onnx__ValueInfoProto *info,
                        Output *output) {
  const char *name = text_or(info->name, "");
  Span span = place_add(r, arena_printf(r->arena, "output '%s'", name));
  Item *item = item_find(frame, name);
  *output = (Output){.name = name, .span = span};
  if (!item) {
    lower_error(&r->data, span, "undefined_result", "no node computes it");
    return;
  }
  if (item->absent)
    lower_error(&r->data, span, "unsupported", "%s", item->absent);
  Value *value = item->is_poisoned || item->absent ? NULL : item_value(r, item, span);
  if (!value || !check_output(r, info, span, value))
    return;
  for (int i = 0; i < r->data.graph->output_count; i++)
    if (r->data.graph->output[i].value == value)
      lower_error(&r->data, span, "redefined", "two outputs have this name");
  output->value = value->node ? value : apply_identity(&r->data, value, span);
  if (output->value)
    output->value->name = name;
}

static void read_outputs(Reader *r, const Frame *frame, const Onnx__GraphProto *graph) {
  Graph *to = r->data.graph;
  to->output = ARENA_ARRAY(r->arena, Output, graph->n_output);
  if (graph->n_output > (size_t)(MAX_READS / (to->value.count + 1))) {
    lower_error(&r->data, place_add(r, "graph"), "limit", "%zu outputs of %d values are too many",
                graph->n_output, to->value.count);
    return;
  }
  for (size_t i = 0; i < graph->n_output; i++) {
    Output output;
    read_output(r, frame, graph->output[i], &output);
    to->output[to->output_count++] = output;
  }
  if (graph->n_output == 0)
    lower_error(&r->data, place_add(r, "graph"), "undefined_result", "it has no output");
}

// "a/model.v2.onnx" is "model.v2".
static const char *graph_name(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  return arena_text(arena, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

// A reader of what `l` lowers.
static Reader *reader_new(Lower *l, const OnnxFile *file) {
  Reader *r = ARENA_NEW(l->arena, Reader);
  *r = (Reader){.arena = l->arena, .diag = l->diag, .file = file, .known_left = KNOWN_BUDGET};
  l->graph->name = graph_name(l->arena, file->path);
  known_apply(l);
  r->data = r->sizes = *l;
  r->sizes.has_no_edges = true; // its graph has no symbols of its own
  r->sizes.graph = ARENA_NEW(l->arena, Graph);
  r->sizes.graph->symbols = l->graph->symbols;
  r->sizes.graph->raw = l->graph->raw;
  return r;
}

int64_t onnx_model_opset(const Onnx__ModelProto *model) {
  int64_t opset = opset_in(model->opset_import, model->n_opset_import);
  return opset == 0 && model->ir_version < INITIAL_OPSET_VERSION ? 1 : opset;
}

static bool check_opset(Reader *r, int64_t opset) {
  if (opset >= 0 && opset <= NEWEST_OPSET)
    return true;
  lower_error(&r->data, place_add(r, "model"), "unsupported",
              "opset %" PRId64 "; those from 1 to %d are supported", opset, NEWEST_OPSET);
  return false;
}

static void read_graph(Reader *r) {
  const OnnxFile *file = r->file;
  const Onnx__GraphProto *graph = file->model->graph;
  Frame frame = {.opset = onnx_model_opset(file->model), .place = ""};
  r->data.graph->span = place_add(r, "graph");
  if (check_opset(r, frame.opset)) {
    read_initializers(r, &frame, graph);
    r->data.stage = GUARD_SIZE;
    for (size_t i = 0; i < graph->n_input; i++)
      read_input(r, &frame, graph->input[i]);
    r->data.stage = 0;
    r->data.graph->input_count = r->data.graph->value.count;
    r->sizes.graph->symbol = r->data.graph->symbol;
    visit_nodes(r, &frame, graph->node, graph->n_node, r->survey ? NULL : needed_nodes(r, graph));
    if (!is_again(r) && !r->survey)
      read_outputs(r, &frame, graph);
    if (r->survey)
      survey_outputs(r, &frame, graph);
  }
  HASH_CLEAR(hh, frame.items);
}

static void whole_pass(Lower *l, const void *file) {
  Reader *r = reader_new(l, file);
  read_graph(r);
  set_source(r);
  *l = r->data;
  l->again = is_again(r);
  l->failed = r->data.failed || r->sizes.failed;
}

Module *onnx_lower(Arena *arena, const OnnxFile *file, Diag *diag) {
  Library library;
  library_start(arena, &library);
  Module *module = ARENA_NEW(arena, Module);
  module->graph = ARENA_NEW(arena, Graph *);
  Graph *graph = lower_origin(arena, &library, &(Origin){whole_pass, file}, true, diag);
  library_free(&library);
  if (graph)
    module->graph[module->graph_count++] = graph;
  return module;
}

// ---- Surveys

typedef struct SurveyOf {
  const OnnxFile *file;
  Survey *survey;
} SurveyOf;

// What is no operator of the language is no mistake here: such messages are kept with the node alone.
static void survey_pass(Lower *l, const void *of) {
  const SurveyOf *given = of;
  Diag quiet = {.arena = l->arena, .file = l->diag->file};
  Reader *r = reader_new(l, given->file);
  *given->survey = (Survey){.graph = l->graph};
  l->has_no_edges = true; // its nodes are to be lowered again, in graphs of their own
  r->survey = given->survey;
  r->data.diag = r->sizes.diag = &quiet;
  read_graph(r);
  set_source(r);
  l->again = is_again(r);
  l->failed = l->diag->errors > 0;
}

Survey *onnx_survey(Arena *arena, const OnnxFile *file, Diag *diag) {
  Library library;
  Known known;
  Survey *survey = ARENA_NEW(arena, Survey);
  const SurveyOf of = {file, survey};
  library_start(arena, &library);
  known_start(arena, &known, true);
  Graph *graph = lower_known(arena, &library, &(Origin){survey_pass, &of}, diag, &known);
  library_free(&library);
  return graph ? survey : NULL;
}
