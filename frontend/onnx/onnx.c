// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts a model's graph to a Graph: looks up names, evaluates every node that an output needs as numbers
// (onnx_sizes.c) or lowers it to a node of the graph (onnx_node.c), and inlines functions.
#include "frontend/onnx/onnx_internal.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_READS = 1 << 23,      // outputs of a graph times its values: plans are made per output
  INITIAL_OPSET_VERSION = 3 // the first version of the file format that states its opset
};

// "node 3 'r' (Reshape)", "layer 3 'r' (Reshape), line 20"
static Span node_place(Reader *r, const Frame *frame, const Onnx__NodeProto *node, size_t index) {
  const char *name = *node->name ? arena_printf(r->arena, " '%s'", node->name) : "";
  if (r->file->is_openvino)
    return place_add(r, text_or(node->doc_string, "layer"));
  return place_add(r, arena_printf(r->arena, "%snode %zu%s (%s)", frame->place, index, name,
                                   text_or(node->op_type, "no operator")));
}

// ---- Nodes

bool reader_is_again(const Reader *r) { return r->data.again || r->sizes.again; }

Item *output_item(Visit *v, size_t i) {
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

static bool has_one_output(Visit *v) {
  return v->node->n_output == 1 ||
         onnx_error(v, "arity", "%zu outputs; '%s' has 1", v->node->n_output, v->op);
}

// Constant: the attribute that is present, as a tensor.
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
  bool is_list = attribute_of(v, "value_ints") || attribute_of(v, "value_floats");
  if ((a = attribute_of(v, "value_int")) || (a = attribute_of(v, "value_ints"))) {
    made->data_type = ONNX__TENSOR_PROTO__DATA_TYPE__INT64;
    made->int64_data = is_list ? a->ints : (int64_t *)(uintptr_t)&a->i;
    made->n_int64_data = is_list ? a->n_ints : 1;
  } else if ((a = attribute_of(v, "value_float")) || (a = attribute_of(v, "value_floats"))) {
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

void visit_constant(Visit *v) {
  const Onnx__TensorProto *tensor;
  if (!has_one_output(v)) {
    poison_outputs(v);
    return;
  }
  Item *item = output_item(v, 0);
  if (!item)
    return;
  item->is_poisoned = !constant_tensor(v, &tensor);
  if (item->is_poisoned)
    return;
  item->tensor = tensor;
  item->known = onnx_tensor_known(v->r, tensor);
}

bool visit_sizes(Visit *v) {
  const Numbers **out = ARENA_ARRAY(v->r->arena, const Numbers *, v->node->n_output);
  int errors = v->r->data.diag->errors;
  bool is_made = sizes_visit(v, out);
  const Numbers *made = !is_made && v->node->n_output == 1 ? fractions_visit(v) : NULL;
  if (made && made->over && !v->r->surveyor) {
    Item *item = output_item(v, 0);
    if (item)
      item->fraction = made;
    return true;
  }
  if (made && !made->over)
    out[0] = made;
  else if (!is_made) {
    if (v->r->data.diag->errors == errors || v->r->surveyor)
      return false;
    poison_outputs(v); // an error in its value has been reported
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

// Lowers a node to a node of the graph. False: an error was reported.
bool visit_move(Visit *v, rsh_op op) {
  if (pick_is_one(v)) // in this form
    return visit_pick(v);
  Reader *r = v->r;
  bool is_many = rsh_op_max_operands(op) == INT32_MAX;
  bool is_indexed = false; // gather by a tensor
  int count = is_many ? (int)v->node->n_input : v->node->n_input > 0;
  Value **operand = ARENA_ARRAY(r->arena, Value *, count + 1);
  for (int i = 0; i < count; i++) {
    if (!v->in[i])
      return onnx_error(v, "arity", "input %d is left out", i);
    operand[i] = item_value(r, v->in[i], v->span);
    if (!operand[i])
      return false;
    if (i == 0 && indices_are_operand(v, op, operand[0])) {
      is_indexed = true;
      count++;
    }
  }
  if (count == 0)
    return onnx_error(v, "arity", "'%s' needs an input", v->op);
  if (gather_is_of_several_axes(v->op) && is_indexed && !gather_require(v, operand[0]))
    return false;
  if (gather_is_of_several_axes(v->op) && !is_indexed) {
    if (!gather_prepare(v, &r->data, &operand[0]))
      return false;
    op = RSH_OP_GATHER;
  }
  Binding *b = node_bind(v, &r->data, op, operand, count);
  if (b && is_indexed && op != RSH_OP_GATHER)
    binding_int(&r->data, b, 0,
                attribute_int(v, op == RSH_OP_GATHER_ND ? "batch_dims" : "axis", 0));
  Values values = b ? binding_apply(&r->data, b) : (Values){0};
  bool is_dropout = strcmp(v->op, "Dropout") == 0; // its mask is not produced
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

// Sets the result of a node that became several operators. NULL: an error was reported.
static bool visit_made(Visit *v, Value *made) {
  if (!has_one_output(v))
    return false;
  Item *item = made ? output_item(v, 0) : NULL;
  if (!item)
    return made != NULL;
  item->value = made;
  made->name = item->name;
  return true;
}

bool visit_pick(Visit *v) { return visit_made(v, pick_apply(v)); }

// ConstantOfShape as data: one element, repeated.
static bool visit_filled(Visit *v) {
  static const uint8_t zero[8] = {0};
  Reader *r = v->r;
  const Onnx__AttributeProto *a = attribute_of(v, "value");
  rsh_dtype dtype = RSH_F32;
  rsh_shape shape, scalar = {0};
  rsh_num volume = rsh_int(1);
  const uint8_t *bytes = zero;
  const char *why = NULL;
  if (v->node->n_input != 1 || !v->in[0])
    return onnx_error(v, "arity", "%zu inputs; '%s' has 1", v->node->n_input, v->op);
  if (a && a->t) {
    bytes = onnx_tensor_bytes(r, a->t, &why);
    if (!bytes || !onnx_tensor_type(a->t, r->arena, &dtype, &shape, &why))
      return onnx_error(v, "bad_file", "attribute 'value': %s", why);
    (void)rsh_volume(NULL, &shape, &volume);
  }
  if (!rsh_is(volume, 1))
    return onnx_error(v, "bad_attr", "attribute 'value' must be one element");
  if (!has_one_output(v))
    return false;
  Item *item = output_item(v, 0);
  if (!item)
    return true;
  Binding *b = binding_new(&r->data, RSH_OP_EXPAND, "ConstantOfShape", v->span);
  binding_operand(&r->data, b, constant_new(r, item, dtype, &scalar, bytes), v->span);
  Values values = {0};
  if (node_bind_input(v, &r->data, b, 0, PARAM_DATA, 0))
    values = binding_apply(&r->data, b);
  item->is_poisoned = values.count != 1;
  if (values.count == 1) {
    item->value = values.item[0];
    item->value->name = item->name;
  }
  return true;
}

// ---- Functions of the model

static int64_t opset_in(Onnx__OperatorSetIdProto *const *imports, size_t count) {
  int64_t opset = 0;
  for (size_t i = 0; i < count; i++)
    if (!*node_domain(imports[i]->domain))
      opset = imports[i]->version;
  return opset;
}

const OnnxFunction *visit_function(const Visit *v) {
  const OnnxFile *file = v->r->file;
  for (size_t i = 0; i < file->model->n_functions; i++) {
    const OnnxFunction *function = &file->function[i];
    const Onnx__FunctionProto *f = function->proto;
    if (strcmp(f->name, v->op) == 0 &&
        strcmp(node_domain(f->domain), node_domain(v->node->domain)) == 0 &&
        strcmp(function->overload, onnx_text_field(v->r->arena, &v->node->base, NODE_OVERLOAD)) ==
            0)
      return function;
  }
  return NULL;
}

// "node 3 'c' (F): "
static const char *inner_place(const Visit *v) {
  return arena_printf(v->r->arena, "%.*s: ", (int)(v->span.end - v->span.begin),
                      v->r->places.item + v->span.begin);
}

void visit_result(Visit *v, size_t output, const Item *made, int first) {
  Item *item = output_item(v, output);
  if (!item)
    return;
  item->is_poisoned = true;
  if (!made)
    return;
  Item own = *item;
  *item = *made;
  item->name = own.name;
  item->span = own.span;
  item->hh = own.hh;
  if (v->r->surveyor && item->value && item->value->id >= first)
    item->value->name = item->name;
}

// Makes an item an input of a body.
static void pass_item(Visit *v, Frame *body, const char *name, Item *from) {
  Item *item = item_add(v->r, body, name, v->span);
  if (!item)
    return;
  UT_hash_handle own = item->hh;
  *item = *from;
  item->name = name;
  item->hh = own;
  if (!item->value && !item->known && item->tensor) // one constant for all its uses
    item->value = item_value(v->r, from, v->span);
}

// The body sees only its inputs, and its outputs get the names given by the call.
bool visit_call(Visit *v, const OnnxFunction *function) {
  Reader *r = v->r;
  const Onnx__FunctionProto *f = function->proto;
  for (const Frame *at = v->frame; at; at = at->caller)
    if (at->function == function)
      return onnx_error(v, "recursion", "function '%s' calls itself", v->op);
  if (v->node->n_input > f->n_input || v->node->n_output > f->n_output)
    return onnx_error(v, "arity", "function '%s' has %zu inputs and %zu outputs, not %zu and %zu",
                      v->op, f->n_input, f->n_output, v->node->n_input, v->node->n_output);
  Frame body = {.function = function, .caller = v->frame, .call = v->node, .place = inner_place(v)};
  body.opset = opset_in(f->opset_import, f->n_opset_import);
  for (size_t i = 0; i < v->node->n_input; i++)
    if (v->in[i])
      pass_item(v, &body, f->input[i], v->in[i]);
  int first = r->data.graph->value.count;
  visit_nodes(r, &body, f->node, f->n_node);
  for (size_t i = 0; i < v->node->n_output; i++) {
    const Item *made = item_find(&body, f->output[i]);
    if (!made && *v->node->output[i])
      onnx_error(v, "undefined_result", "function '%s' never computes its output '%s'", v->op,
                 f->output[i]);
    visit_result(v, i, made, first);
  }
  HASH_CLEAR(hh, body.items);
  return true;
}

static bool visit_sequence(Visit *v) {
  Item made = {0};
  if (!has_one_output(v))
    return false;
  if (!sequence_apply(v, &made))
    return false;
  if (made.value)
    return visit_made(v, made.value);
  visit_result(v, 0, &made, INT_MAX);
  return true;
}

// ---- Subgraphs

Frame body_frame(Visit *v) {
  return (Frame){.outer = v->frame,
                 .caller = v->frame->caller,
                 .opset = v->frame->opset,
                 .function = v->frame->function,
                 .place = inner_place(v)};
}

const Onnx__GraphProto *visit_known_branch(const Visit *v) {
  const Numbers *condition = v->node->n_input == 1 && v->in[0] ? v->in[0]->known : NULL;
  if (*node_domain(v->node->domain) || strcmp(v->op, "If") != 0 || !condition ||
      condition->count != 1 || !rsh_is_known(condition->item[0]))
    return NULL;
  const Onnx__AttributeProto *a =
      attribute_of(v, condition->item[0].n != 0 ? "then_branch" : "else_branch");
  return a ? a->g : NULL;
}

void visit_body(Visit *v, const Onnx__GraphProto *graph, Item *given, Item *made) {
  Frame body = body_frame(v);
  read_initializers(v->r, &body, graph);
  declared_read(v->r, &body, graph);
  for (size_t i = 0; given && i < graph->n_input; i++)
    pass_item(v, &body, graph->input[i]->name, &given[i]);
  visit_nodes(v->r, &body, graph->node, graph->n_node);
  for (size_t i = 0; i < graph->n_output; i++) {
    const Item *item = item_find(&body, graph->output[i]->name);
    if (!item && !reader_is_again(v->r))
      onnx_error(v, "undefined_result", "the %s never computes its output '%s'",
                 repeat_is_op(v) ? "body" : "branch", graph->output[i]->name);
    made[i] = item ? *item : (Item){.is_poisoned = true};
  }
  HASH_CLEAR(hh, body.items);
  declared_forget(&body);
}

void visit_branch(Visit *v, const Onnx__GraphProto *branch) {
  Item *made = ARENA_ARRAY(v->r->arena, Item, branch->n_output);
  int first = v->r->data.graph->value.count;
  visit_body(v, branch, NULL, made);
  for (size_t i = 0; i < v->node->n_output; i++) {
    if (i >= branch->n_output && *v->node->output[i])
      onnx_error(v, "undefined_result", "the branch has no output %zu", i);
    visit_result(v, i, i < branch->n_output ? &made[i] : NULL, first);
  }
}

// ---- One node

enum { NUMBERS_SHOWN = 4 };

// "[L, 2]", "L", for an input computed from sizes.
static const char *numbers_text(const Visit *v, const Numbers *known) {
  Arena *arena = v->r->arena;
  const char *text = "";
  for (int32_t i = 0; i < known->count && i < NUMBERS_SHOWN; i++)
    text =
        arena_printf(arena, "%s%s%s", text, i ? ", " : "", size_label(&v->r->data, known->item[i]));
  return arena_printf(arena, known->shape.rank ? "[%s%s]" : "%s%s", text,
                      known->count > NUMBERS_SHOWN ? ", ..." : "");
}

// Reports a number needed for sizes that is not known before run time.
static bool refuse_numbers(Visit *v) {
  const char *text = "";
  for (size_t i = 0; i < v->node->n_input; i++)
    if (v->in[i])
      text = arena_printf(v->r->arena, "%s%s%s", text, *text ? ", " : "",
                          numbers_text(v, v->in[i]->known));
  int64_t divisor;
  if (sizes_divides_by(v, &divisor))
    return onnx_error(v, "unsupported", "'%s' of %s divides sizes by %" PRId64 ": %s",
                      onnx_op_word(v->op), text, divisor,
                      divisor == 0 ? "there is no such quotient"
                                   : "only numbers above 0 divide sizes known only at run time");
  return onnx_error(v, "unsupported", "'%s' of %s depends on sizes known only at run time",
                    onnx_op_word(v->op), text);
}

static bool reads_open_numbers(const Visit *v) {
  bool is_open = false;
  for (size_t i = 0; i < v->node->n_input; i++)
    for (int32_t k = 0; v->in[i] && v->in[i]->known && k < v->in[i]->known->count; k++)
      is_open = is_open || !rsh_is_known(v->in[i]->known->item[k]);
  return is_open;
}

// Reports an If whose branch is known only at run time: a graph would also check the conditions of the other branch.
static bool refuse_branch(Visit *v) {
  return onnx_error(v, "unsupported",
                    "the branch depends on '%s', which depends on sizes known only at run time: "
                    "%s; with numbers for these, the branch is known",
                    v->in[0]->name, numbers_text(v, v->in[0]->known));
}

static bool visit_operator(Visit *v) {
  int op = onnx_operator(v->op);
  const char *refusal = layer_refusal(v);
  if (refusal)
    return onnx_error(v, "unsupported", "%s", refusal);
  if (*node_domain(v->node->domain) && !v->r->file->is_openvino)
    return onnx_error(v, "unsupported", "operators of domain '%s' are not supported",
                      v->node->domain);
  if (strcmp(v->op, "ConstantOfShape") == 0)
    return visit_filled(v);
  if (!*node_domain(v->node->domain) && sizes_would_count(v) && reads_open_numbers(v))
    return refuse_numbers(v);
  if (!*node_domain(v->node->domain) && strcmp(v->op, "If") == 0 && reads_open_numbers(v))
    return refuse_branch(v);
  if (op >= 0 && !*node_domain(v->node->domain))
    return op == RSH_OP_SOFTMAX ? visit_made(v, softmax_apply(v))
                                : node_arrange_constant(v, &op) && visit_move(v, (rsh_op)op);
  if (!*node_domain(v->node->domain) && pick_is_one(v))
    return visit_pick(v);
  if (!*node_domain(v->node->domain) && sizes_would_count(v))
    return refuse_numbers(v);
  int selector = *node_domain(v->node->domain) ? -1 : pick_by_data(v);
  if (selector >= 0 && onnx_is_unread(v, (size_t)selector))
    return onnx_refuse_unknown(v, (size_t)selector);
  if (selector >= 0)
    return onnx_error(
        v, "unsupported",
        "%s selects elements, and is not known when the model is compiled; 'reshapec chains' "
        "finds the operators that only move elements",
        input_label(v, (size_t)selector));
  if (v->r->file->is_openvino) // the operator may have another name there
    return onnx_error(v, "unsupported",
                      "the layer does more than move elements; 'reshapec chains' finds the "
                      "operators that only move them");
  const char *unknown = standard_refusal(v->r->arena, v->op, v->frame->opset);
  if (unknown)
    return onnx_error(v, "unsupported", "%s", unknown);
  return onnx_error(v, "unsupported",
                    "'%s' does more than move elements; 'reshapec chains' finds the operators that "
                    "only move them",
                    v->op);
}

static bool takes_sequence(const Visit *v) {
  return !*node_domain(v->node->domain) && sequence_is_op(v->op);
}

// Returns whether a name without a meaning is an input of the function that the call leaves out.
static bool is_left_out(const Frame *frame, const char *name) {
  while (frame && !frame->function)
    frame = frame->outer;
  for (size_t i = 0; frame && i < frame->function->proto->n_input; i++)
    if (strcmp(frame->function->proto->input[i], name) == 0)
      return true;
  return false;
}

// False: an input is poisoned, or missing, which is reported.
static bool find_inputs(Visit *v) {
  bool good = true;
  v->in = ARENA_ARRAY(v->r->arena, Item *, v->node->n_input);
  for (size_t i = 0; i < v->node->n_input; i++) {
    if (!*v->node->input[i])
      continue;
    v->in[i] = item_find(v->frame, v->node->input[i]);
    if (!v->in[i] && is_left_out(v->frame, v->node->input[i]))
      continue;
    if (!v->in[i])
      structure_error(v->r, v->span, "unknown_name",
                      "%s: no node computes it, and no input or initializer has this name",
                      input_label(v, i));
    bool is_absent = v->in[i] && v->in[i]->absent &&
                     !(v->in[i]->sequence && (takes_sequence(v) || repeat_is_op(v)));
    if (is_absent)
      onnx_error(v, "unsupported", "%s: %s", input_label(v, i), v->in[i]->absent);
    good = good && v->in[i] && !v->in[i]->is_poisoned && !is_absent;
  }
  return good;
}

static bool has_no_tensor(const Item *item) {
  return item && item->positions && !item->value && !item->tensor;
}

static bool makes_elements(const Visit *v) {
  bool makes_any = false;
  for (size_t i = 0; i < v->node->n_output; i++) {
    const Item *item = *v->node->output[i] ? item_find(v->frame, v->node->output[i]) : NULL;
    makes_any = makes_any || !item || !item->known || item->known->count > 0;
  }
  return makes_any;
}

// Masks become tensors, from an input on. False: an error was reported.
static bool give_tensors(Visit *v, size_t from) {
  bool good = true;
  for (size_t i = from; good && i < v->node->n_input; i++)
    good = !v->in[i] || masks_value(v, v->in[i]);
  return good;
}

// The same for an operator that does not read indices that count up.
static bool give_operands(Visit *v) {
  bool good = give_tensors(v, 0);
  for (size_t i = 0; good && i < v->node->n_input; i++)
    if (has_no_tensor(v->in[i]) && !v->in[i]->known)
      good = item_value(v->r, v->in[i], v->span) != NULL; // reports it
  return good;
}

// A node of ONNX's own domain. Indices that count up have no tensor if they come from a Range, or from others without
// one. False: an error was reported.
static bool visit_own(Visit *v) {
  bool chooses = masks_are_read(v);
  const Positions *made = chooses ? masks_visit(v) : NULL;
  if (positions_are_read(v) || (chooses && !made))
    return give_tensors(v, chooses) &&
           (pick_is_named(v) ? visit_pick(v) : visit_made(v, positions_gather(v)));
  bool is_known = visit_sizes(v);
  if (is_known && makes_elements(v))
    return true;
  int errors = v->r->data.diag->errors;
  made = made ? made : masks_visit(v);
  made = made ? made : positions_visit(v);
  if (v->r->data.diag->errors > errors || reader_is_again(v->r))
    return false;
  bool is_apart =
      made && (strcmp(v->op, "Range") == 0 ||
               (positions_are_mask(made) && !positions_move((rsh_op)onnx_operator(v->op))));
  for (size_t i = 0; i < v->node->n_input; i++)
    is_apart = is_apart || (made && has_no_tensor(v->in[i]));
  if (!is_known && !made && masks_are_applied(v))
    return visit_made(v, masks_apply(v));
  if (!is_known && (is_apart ? v->node->n_output != 1 || !output_item(v, 0)
                             : !give_operands(v) || !visit_operator(v)))
    return false;
  Item *item = made && *v->node->output[0] ? item_find(v->frame, v->node->output[0]) : NULL;
  if (item)
    item->positions = made;
  return true;
}

static void visit_node(Reader *r, Frame *frame, const Onnx__NodeProto *node, size_t index) {
  Visit v = {.r = r, .frame = frame, .node = node, .op = node->op_type};
  v.span = node_place(r, frame, node, index);
  v.index = index;
  r->data.has_conditions = false;
  bool has_inputs = find_inputs(&v) && standard_allows(&v, visit_function(&v));
  if (r->surveyor) {
    r->surveyor->node(&v, has_inputs);
    return;
  }
  if (!has_inputs) {
    r->data.lacks_conditions = true;
    poison_outputs(&v);
    return;
  }
  const OnnxFunction *f = visit_function(&v);
  const Onnx__GraphProto *branch = visit_known_branch(&v);
  bool is_default = !*node_domain(node->domain);
  bool good = true;
  if (f)
    good = visit_call(&v, f);
  else if (is_default && frame->opset == 0)
    good = onnx_error(&v, "bad_attr", "the model does not name the opset of '%s'", v.op);
  else if (is_default && strcmp(v.op, "Constant") == 0)
    visit_constant(&v);
  else if (branch)
    visit_branch(&v, branch);
  else if (repeat_is_op(&v))
    good = give_tensors(&v, 0) && repeat_visit(&v);
  else if (takes_sequence(&v))
    good = give_tensors(&v, 0) && visit_sequence(&v);
  else
    good = is_default ? visit_own(&v) : visit_operator(&v);
  if (!good)
    poison_outputs(&v);
  for (size_t i = 0; good && r->file->is_openvino && i < node->n_output; i++) {
    Item *result = item_find(frame, node->output[i]);
    if (result)
      declared_check(&v, result);
  }
}

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

// Marks what a node reads, including its subgraphs; marking their own names is harmless.
static void want_inputs(Reader *r, Wanted **wanted, const Onnx__NodeProto *node) {
  for (size_t i = 0; i < node->n_input; i++)
    want(r, wanted, node->input[i]);
  const Onnx__GraphProto *body;
  for (BodyPlace at = {0}; (body = onnx_next_body(node, &at));) {
    for (size_t n = 0; n < body->n_node; n++)
      want_inputs(r, wanted, body->node[n]);
    for (size_t n = 0; n < body->n_output; n++)
      want(r, wanted, body->output[n]->name);
  }
}

// The nodes that outputs need; other nodes of a model are ignored.
static const bool *needed_nodes(Reader *r, const Onnx__GraphProto *graph, const size_t *order) {
  Wanted *wanted = NULL, *found;
  bool *needed = ARENA_ARRAY(r->arena, bool, graph->n_node);
  for (size_t i = 0; i < graph->n_output; i++)
    want(r, &wanted, graph->output[i]->name);
  for (size_t i = graph->n_node; i-- > 0;) {
    const Onnx__NodeProto *node = graph->node[order[i]];
    for (size_t k = 0; k < node->n_output; k++) {
      HASH_FIND_STR(wanted, node->output[k], found);
      needed[order[i]] = needed[order[i]] || found;
    }
    if (needed[order[i]])
      want_inputs(r, &wanted, node);
  }
  HASH_CLEAR(hh, wanted);
  return needed;
}

// A topological order of the nodes. NULL: an error was reported.
static const size_t *order_nodes(Reader *r, const Frame *frame, Onnx__NodeProto *const *node,
                                 size_t count) {
  OnnxCycle cycle;
  const size_t *order = onnx_order(r->arena, node, count, &cycle);
  if (!order)
    structure_error(r, node_place(r, frame, node[cycle.node], cycle.node), "unknown_name",
                    "it reads its own result, in a cycle: %s", cycle.text);
  return order;
}

static void visit_in_order(Reader *r, Frame *frame, Onnx__NodeProto *const *node, size_t count,
                           const size_t *order, const bool *needed) {
  for (size_t i = 0; i < count && !reader_is_again(r); i++) {
    if (needed && !needed[order[i]])
      continue;
    if (r->visits >= MAX_VISITS) {
      if (r->visits++ == MAX_VISITS)
        structure_error(r, place_add(r, "graph"), "limit", "more than %s nodes",
                        arena_printf(r->arena, "%d", MAX_VISITS));
      return;
    }
    r->visits++;
    visit_node(r, frame, node[order[i]], order[i]);
  }
}

void visit_nodes(Reader *r, Frame *frame, Onnx__NodeProto *const *node, size_t count) {
  const size_t *order = order_nodes(r, frame, node, count);
  if (order)
    visit_in_order(r, frame, node, count, order, NULL);
}

// ---- The graph

// Checks the sizes of an output that the model declares as numbers; declared names may differ from the inputs'.
static bool has_stated_sizes(Reader *r, const Onnx__TensorShapeProto *shape, Output *output) {
  const Value *value = output->value;
  bool same = !shape || check_result_rank(&r->data, value, output, (int64_t)shape->n_dim);
  for (size_t i = 0; shape && same && i < shape->n_dim; i++) {
    const Onnx__TensorShapeProto__Dimension *dim = shape->dim[i];
    same = !onnx_size_is_number(dim) || check_result_size(&r->data, value, output, (int)i,
                                                          rsh_int(dim->dim_value), output->span);
  }
  return same;
}

// The declared type and shape of an output must match the inferred ones; if sizes decide, a guard checks it.
static void check_output(Reader *r, const Onnx__ValueInfoProto *info, Output *output) {
  const Onnx__TypeProto *type = info->type;
  const Value *value = output->value;
  if (!type || type->value_case == ONNX__TYPE_PROTO__VALUE__NOT_SET)
    return;
  if (type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE) {
    lower_error(&r->data, output->span, "type_mismatch",
                "the model declares no tensor, but %s is computed",
                type_text(r->arena, r->data.graph, value->dtype, &value->shape));
    return;
  }
  const Onnx__TypeProto__Tensor *tensor = type->tensor_type;
  bool same = tensor->elem_type == 0 || onnx_dtype(tensor->elem_type) == value->dtype;
  if (same && has_stated_sizes(r, tensor->shape, output))
    return;
  TensorType declared;
  onnx_declared_type(r, type, &declared);
  rsh_dtype dtype = tensor->elem_type == 0 ? value->dtype : declared.dtype;
  lower_error(&r->data, output->span, same ? "shape_mismatch" : "type_mismatch",
              "the model declares %s, but %s is computed",
              type_text(r->arena, r->data.graph, dtype, &declared.shape),
              type_text(r->arena, r->data.graph, value->dtype, &value->shape));
}

static void read_output(Reader *r, Frame *frame, const Onnx__ValueInfoProto *info, Output *output) {
  const char *name = info->name;
  Span span = place_add(r, arena_printf(r->arena, "output '%s'", name));
  Item *item = item_find(frame, name);
  *output = (Output){.name = name, .span = span};
  if (!item) {
    lower_error(&r->data, span, "undefined_result", "no node computes it");
    return;
  }
  if (item->absent)
    lower_error(&r->data, span, "unsupported", "%s", item->absent);
  Visit v = {.r = r, .frame = frame, .span = span, .op = "a mask"};
  bool is_given = !item->is_poisoned && !item->absent && masks_value(&v, item);
  Value *value = is_given ? item_value(r, item, span) : NULL;
  if (!value)
    return;
  for (int i = 0; i < r->data.graph->output_count; i++)
    if (r->data.graph->output[i].value == value)
      lower_error(&r->data, span, "redefined", "two outputs have this name");
  output->value = value->node ? value : apply_identity(&r->data, value, span);
  if (!output->value)
    return;
  output->value->name = name;
  check_output(r, info, output);
}

static void read_outputs(Reader *r, Frame *frame, const Onnx__GraphProto *graph) {
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
    lower_error(&r->data, place_add(r, "graph"), "undefined_result", "it has no outputs");
}

// "a/model.v2.onnx" is "model.v2".
static const char *graph_name(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  return arena_text(arena, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

// A reader for a graph that `l` lowers.
Reader *reader_new(Lower *l, const OnnxFile *file) {
  Reader *r = ARENA_NEW(l->arena, Reader);
  *r = (Reader){.arena = l->arena, .diag = l->diag, .file = file, .known_left = KNOWN_BUDGET};
  l->graph->name = graph_name(l->arena, file->path);
  known_apply(l);
  r->data = r->sizes = *l;
  r->sizes.has_no_edges = true; // its graph has no symbols
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
  if (opset >= 0 && opset <= ONNX_NEWEST_OPSET)
    return true;
  lower_error(&r->data, place_add(r, "model"), "unsupported",
              "opset %" PRId64 "; those from 1 to %d are supported", opset, ONNX_NEWEST_OPSET);
  return false;
}

// One condition on the size of an input. It has a place of its own, which distinguishes it from the others.
static void read_bound(Reader *r, const OnnxBound *bound, rsh_num size, ConditionKind kind,
                       int64_t limit) {
  const char *place = arena_printf(r->arena, "axis %d of input '%s', at %s %" PRId64, bound->axis,
                                   bound->input, kind == WHERE_GE ? "least" : "most", limit);
  Guard guard = {.kind = kind,
                 .status = RSH_guard_failed,
                 .left = size,
                 .right = rsh_int(limit),
                 .span = place_add(r, place)};
  if (!guard_where(&r->data, guard))
    lower_error(&r->data, guard.span, "guard_failed", "this condition is never true: %s",
                condition_text(r->arena, r->data.graph, &guard));
}

// The bounds of sizes in OpenVINO IR. A survey does not assume them, because its chains are called separately.
static void read_bounds(Reader *r, const Frame *frame) {
  r->data.stage = GUARD_WHERE;
  for (int i = 0; i < r->file->bound_count && !r->surveyor; i++) {
    const OnnxBound *bound = &r->file->bound[i];
    const Value *value = item_find(frame, bound->input)->value;
    if (!value)
      continue;
    read_bound(r, bound, value->shape.dim[bound->axis], WHERE_GE, bound->least);
    if (bound->most < INT64_MAX)
      read_bound(r, bound, value->shape.dim[bound->axis], WHERE_LE, bound->most);
  }
  r->data.stage = 0;
}

void read_graph(Reader *r) {
  const OnnxFile *file = r->file;
  const Onnx__GraphProto *graph = file->model->graph;
  Frame frame = {.opset = onnx_model_opset(file->model), .place = ""};
  r->data.graph->span = place_add(r, "graph");
  const size_t *order = order_nodes(r, &frame, graph->node, graph->n_node);
  if (check_opset(r, frame.opset) && order) {
    read_initializers(r, &frame, graph);
    declared_read(r, &frame, graph);
    r->data.stage = GUARD_SIZE;
    for (size_t i = 0; i < graph->n_input; i++)
      read_input(r, &frame, graph->input[i]);
    r->data.graph->input_count = r->data.graph->value.count;
    read_bounds(r, &frame);
    share_symbols(r);
    visit_in_order(r, &frame, graph->node, graph->n_node, order,
                   r->surveyor ? NULL : needed_nodes(r, graph, order));
    if (r->surveyor)
      r->surveyor->outputs(r, &frame, graph);
    else if (!reader_is_again(r))
      read_outputs(r, &frame, graph);
  }
  HASH_CLEAR(hh, frame.items);
  declared_forget(&frame);
}

static void whole_pass(Lower *l, const void *file) {
  Reader *r = reader_new(l, file);
  read_graph(r);
  set_source(r);
  *l = r->data;
  l->again = reader_is_again(r);
  l->failed = r->data.failed || r->sizes.failed;
}

Module *onnx_lower(Arena *arena, const OnnxFile *file, Diag *diag) {
  Library library;
  library_start(arena, &library);
  Module *module = ARENA_NEW(arena, Module);
  module->graph = ARENA_NEW(arena, Graph *);
  Graph *graph =
      lower_origin(arena, &library, &(Origin){.pass = whole_pass, .of = file}, true, diag);
  library_free(&library);
  if (graph)
    module->graph[module->graph_count++] = graph;
  return module;
}
