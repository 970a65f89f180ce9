// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layers of OpenVINO IR as parts of an ONNX model: Parameters become inputs, Results outputs, Constants
// initializers whose bytes stay in the .bin file, other layers nodes (openvino_layer.c).
#include "frontend/onnx/openvino_internal.h"

#include <inttypes.h>
#include <string.h>

enum { NEWEST_OPSET = 28 }; // the versions of ONNX operators used for layers

// ---- Names

// The first of "a,b"; a comma within a name is written "\,".
static const char *first_name(Ir *ir, const char *names) {
  char *text = arena_text(ir->arena, names, strlen(names)), *to = text;
  for (const char *from = text; *from && *from != ','; from++) {
    if (from[0] == '\\' && from[1] == ',')
      from++;
    *to++ = *from;
  }
  *to = '\0';
  return text;
}

// An output is named after its tensor, or after its layer; "split.1" if the layer has several.
static void name_outputs(Ir *ir, IrLayer *layer) {
  bool is_parameter = strcmp(layer->type, "Parameter") == 0;
  for (int i = 0; i < layer->out.count; i++) {
    IrPort *port = &layer->out.item[i];
    const char *name = port->names && !is_parameter ? first_name(ir, port->names) : "";
    if (!*name)
      name = layer->out.count == 1 ? layer->name : arena_printf(ir->arena, "%s.%d", layer->name, i);
    port->value = ir_name(ir, name);
  }
}

// ---- Parts of messages

// A size of -1 stays unnamed.
static Onnx__TypeProto *type_of(Ir *ir, int32_t element_type, const int64_t *dim, int rank,
                                bool has_rank) {
  Onnx__TypeProto *type = ARENA_NEW(ir->arena, Onnx__TypeProto);
  Onnx__TypeProto__Tensor *tensor = ARENA_NEW(ir->arena, Onnx__TypeProto__Tensor);
  onnx__type_proto__init(type);
  onnx__type_proto__tensor__init(tensor);
  type->value_case = ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE;
  type->tensor_type = tensor;
  tensor->has_elem_type = true;
  tensor->elem_type = element_type;
  if (!has_rank)
    return type;
  tensor->shape = ARENA_NEW(ir->arena, Onnx__TensorShapeProto);
  onnx__tensor_shape_proto__init(tensor->shape);
  tensor->shape->n_dim = (size_t)rank;
  tensor->shape->dim = ARENA_ARRAY(ir->arena, Onnx__TensorShapeProto__Dimension *, rank + 1);
  for (int i = 0; i < rank; i++) {
    Onnx__TensorShapeProto__Dimension *size =
        ARENA_NEW(ir->arena, Onnx__TensorShapeProto__Dimension);
    onnx__tensor_shape_proto__dimension__init(size);
    if (dim[i] >= 0) {
      size->value_case = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE;
      size->dim_value = dim[i];
    }
    tensor->shape->dim[i] = size;
  }
  return type;
}

static Onnx__ValueInfoProto *info_of(Ir *ir, const char *name, Onnx__TypeProto *type) {
  Onnx__ValueInfoProto *info = ARENA_NEW(ir->arena, Onnx__ValueInfoProto);
  onnx__value_info_proto__init(info);
  info->name = ir_copy(ir, name);
  info->type = type;
  return info;
}

// ---- Declared types

// "FP32[2,3]", as the file has them.
static const char *port_text(Ir *ir, const IrPort *port) {
  const char *text = arena_printf(ir->arena, "%s[", port->precision ? port->precision : "?");
  enum { MOST = 16 }; // a file may list any number
  for (int i = 0; i < port->rank && i < MOST; i++)
    text = arena_printf(ir->arena, "%s%s%" PRId64, text, i > 0 ? "," : "", port->dim[i]);
  return arena_printf(ir->arena, "%s%s]", text, port->rank > MOST ? ",..." : "");
}

// A port without sizes may have any rank.
static bool is_other_port(const IrPort *a, const IrPort *b) {
  int32_t type = a->precision ? ir_element_type(a->precision) : IR_NO_TYPE;
  int32_t other = b->precision ? ir_element_type(b->precision) : IR_NO_TYPE;
  bool differs = type != IR_NO_TYPE && other != IR_NO_TYPE && type != other;
  if (a->rank == 0 || b->rank == 0)
    return differs;
  differs = differs || a->rank != b->rank;
  for (int i = 0; i < a->rank && !differs; i++)
    differs = a->dim[i] >= 0 && b->dim[i] >= 0 && a->dim[i] != b->dim[i];
  return differs;
}

// Layers are translated by what their inputs declare.
static bool check_inputs(Ir *ir, const IrLayer *layer) {
  for (int i = 0; i < layer->in.count; i++) {
    const IrPort *in = &layer->in.item[i], *out = &in->from->out.item[in->from_port];
    if (is_other_port(in, out))
      return ir_error(ir, in->line, "bad_file",
                      "input port %" PRId64 " of %s, is %s, but it reads output port %" PRId64
                      " of %s, which is %s",
                      in->id, layer->label, port_text(ir, in), out->id, in->from->label,
                      port_text(ir, out));
  }
  return true;
}

// The port of a Parameter or Const, against its attributes.
static bool check_source(Ir *ir, const IrLayer *layer, const int64_t *dim, int rank) {
  const IrPort *port = &layer->out.item[0];
  const char *type = ir_attribute(layer, "element_type");
  IrPort stated = {.precision = type, .dim = (int64_t *)(uintptr_t)dim, .rank = rank};
  return !is_other_port(port, &stated) ||
         ir_error(ir, port->line, "bad_file",
                  "output port %" PRId64 " of %s, is %s, but its layer has 'element_type' '%s' "
                  "and 'shape' '%s'",
                  port->id, layer->label, port_text(ir, port), type, ir_attribute(layer, "shape"));
}

// The types of results, which the reader compares with those that it computes.
static void declare_outputs(Ir *ir, const IrLayer *layer) {
  for (int i = 0; i < layer->out.count; i++) {
    const IrPort *port = &layer->out.item[i];
    int32_t type = port->precision ? ir_element_type(port->precision) : IR_NO_TYPE;
    VEC_PUSH(ir->arena, ir->declared,
             info_of(ir, port->value, type_of(ir, type, port->dim, port->rank, port->rank > 0)));
  }
}

// ---- Constants

// A .bin file that the caller did not pass is opened for the first constant: a model without constants has none.
static bool find_bin(Ir *ir, const IrLayer *layer) {
  const char *why = NULL;
  size_t length = strlen(ir->path) - strlen(".xml");
  const char *path = arena_printf(ir->arena, "%.*s.bin", (int)length, ir->path);
  OnnxBytes bytes;
  if (ir->bin)
    return ir->bin->bytes.size > 0 || ir_error(ir, layer->line, "bad_file",
                                               "the weights of layer %" PRId64
                                               " are in a .bin file, which is missing or empty",
                                               layer->id);
  if (!onnx_file_map(path, &bytes, &why))
    return ir_error(ir, layer->line, "bad_file",
                    "the weights of layer %" PRId64 " cannot be read from '%s': %s", layer->id,
                    path, why);
  ir->bin = ARENA_NEW(ir->arena, OnnxWeights);
  *ir->bin = (OnnxWeights){.path = path, .bytes = bytes};
  return true;
}

static const char *needed_attribute(Ir *ir, const IrLayer *layer, const char *name) {
  const char *value = ir_attribute(layer, name);
  if (!value)
    ir_error(ir, layer->line, "bad_file", "layer %" PRId64 " (%s) has no '%s'", layer->id,
             layer->type, name);
  return value;
}

static bool needed_integer(Ir *ir, const IrLayer *layer, const char *name, int64_t *out) {
  const char *text = needed_attribute(ir, layer, name);
  return text && ((ir_integer(text, out) && *out >= 0) ||
                  ir_error(ir, layer->line, "bad_file",
                           "'%s' of layer %" PRId64 " is '%s': it must be an integer of at least 0",
                           name, layer->id, text));
}

static bool read_constant(Ir *ir, IrLayer *layer) {
  const char *type = needed_attribute(ir, layer, "element_type");
  const char *shape = type ? needed_attribute(ir, layer, "shape") : NULL;
  int64_t offset, size, *dim;
  int rank;
  if (!shape || !needed_integer(ir, layer, "offset", &offset) ||
      !needed_integer(ir, layer, "size", &size))
    return false;
  if (layer->out.count != 1)
    return ir_error(ir, layer->line, "bad_file", "layer %" PRId64 " (Const) has %d outputs",
                    layer->id, layer->out.count);
  bool are_sizes = ir_integers(ir->arena, shape, &dim, &rank);
  for (int i = 0; i < rank; i++)
    are_sizes = are_sizes && dim[i] >= 0;
  if (!are_sizes)
    return ir_error(ir, layer->line, "bad_file",
                    "'shape' of layer %" PRId64 " is '%s': sizes are written '2,3'", layer->id,
                    shape);
  if (!check_source(ir, layer, dim, rank))
    return false;
  if (ir_element_type(type) == IR_NO_TYPE) { // perhaps unused
    layer->label = arena_printf(ir->arena, "%s, of '%s'", layer->label, type);
    (void)ir_initializer(ir, layer, layer->out.item[0].value, ONNX_OTHER_TYPE, dim, rank);
    return true;
  }
  for (int i = 0; i < rank; i++)
    size = dim[i] == 0 ? 0 : size; // OpenVINO writes a byte for a tensor without elements
  if (size > 0 && !find_bin(ir, layer))
    return false;
  if (size > 0 && ((uint64_t)offset > ir->bin->bytes.size ||
                   (uint64_t)size > ir->bin->bytes.size - (size_t)offset))
    return ir_error(ir, layer->line, "bad_file",
                    "the weights of layer %" PRId64 " are %" PRId64 " bytes at %" PRId64
                    ", past the end of the .bin file, which has %zu",
                    layer->id, size, offset, ir->bin->bytes.size);
  Onnx__TensorProto *tensor =
      ir_initializer(ir, layer, layer->out.item[0].value, ir_element_type(type), dim, rank);
  tensor->has_raw_data = true;
  tensor->raw_data.len = (size_t)size;
  layer->tensor = tensor;
  if (size > 0)
    tensor->raw_data.data = (uint8_t *)(uintptr_t)(ir->bin->bytes.data + offset);
  return true;
}

// ---- Inputs and outputs

// "1..8", "1..", "..8": the sizes that an unknown one may have.
static bool read_bound(Ir *ir, const char *word, OnnxBound *out) {
  const char *dots = strstr(word, "..");
  if (!dots)
    return false;
  const char *least = arena_text(ir->arena, word, (size_t)(dots - word));
  const char *most = dots + strlen("..");
  return (!*least || ir_integer(least, &out->least)) && (!*most || ir_integer(most, &out->most)) &&
         out->least >= 0 && out->least <= out->most;
}

// "?,3,224..448": an entry that is not a number is an unknown size; "..." is any rank.
static bool read_shape(Ir *ir, const char *input, const char *text, int64_t **dim, int *rank) {
  VEC(int64_t) list = {0};
  bool good = true;
  while (good && *(text += strspn(text, " ,\t\r\n"))) {
    size_t length = strcspn(text, ", \t\r\n");
    const char *word = arena_text(ir->arena, text, length);
    int64_t size;
    OnnxBound bound = {.input = input, .axis = list.count, .most = INT64_MAX};
    bool is_number = ir_integer(word, &size), is_bound = read_bound(ir, word, &bound);
    good = is_number ? size >= -1 : strcmp(word, "?") == 0 || is_bound;
    if (is_bound)
      VEC_PUSH(ir->arena, ir->bound, bound);
    VEC_PUSH(ir->arena, list, is_number ? size : -1);
    text += length;
  }
  *dim = list.item;
  *rank = list.count;
  return good;
}

static bool read_parameter(Ir *ir, const IrLayer *layer) {
  const char *type = needed_attribute(ir, layer, "element_type");
  const char *shape = type ? needed_attribute(ir, layer, "shape") : NULL;
  int64_t *dim = NULL;
  int rank = 0;
  bool has_rank = shape && strcmp(shape, "...") != 0;
  if (!shape)
    return false;
  if (layer->out.count != 1)
    return ir_error(ir, layer->line, "bad_file", "layer %" PRId64 " (Parameter) has %d outputs",
                    layer->id, layer->out.count);
  if (ir_element_type(type) == IR_NO_TYPE)
    return ir_error(ir, layer->line, "unknown_type",
                    "element type '%s' of layer %" PRId64 " is not supported", type, layer->id);
  if (has_rank && !read_shape(ir, layer->out.item[0].value, shape, &dim, &rank))
    return ir_error(ir, layer->line, "bad_file",
                    "'shape' of layer %" PRId64
                    " is '%s': sizes are written '2,3', '?,3' or '1..8,3'",
                    layer->id, shape);
  if (!check_source(ir, layer, dim, rank))
    return false;
  VEC_PUSH(ir->arena, ir->input,
           info_of(ir, layer->out.item[0].value,
                   type_of(ir, ir_element_type(type), dim, rank, has_rank)));
  return true;
}

static bool is_output(const Ir *ir, const char *name) {
  for (int i = 0; i < ir->output.count; i++)
    if (strcmp(ir->output.item[i]->name, name) == 0)
      return true;
  return false;
}

// An output has the tensor's name; a second output of the same tensor, and a Parameter, need a copy.
static bool read_result(Ir *ir, const IrLayer *layer) {
  if (layer->in.count != 1)
    return ir_error(ir, layer->line, "bad_file", "layer %" PRId64 " (Result) has %d inputs",
                    layer->id, layer->in.count);
  const IrPort *port = &layer->in.item[0];
  const char *name = ir_input(layer, 0);
  const char *from = port->from->type;
  if (is_output(ir, name) || strcmp(from, "Parameter") == 0 || strcmp(from, "Const") == 0) {
    const char *given = first_name(ir, layer->output_names), *in[] = {name};
    name = ir_name(ir, *given ? given : layer->name);
    (void)ir_node(ir, layer, "Identity", in, 1, &name, 1);
  }
  int32_t type = port->precision ? ir_element_type(port->precision) : IR_NO_TYPE;
  VEC_PUSH(ir->arena, ir->output,
           info_of(ir, name, type_of(ir, type, port->dim, port->rank, port->rank > 0)));
  return true;
}

// ---- Ranks

// The file lists no sizes for a scalar, and none for a value of unknown rank. The rank of a result is unknown if that
// of an operand is, or if it depends on a list that is not a constant, such as a target or axes.
static void find_open_ranks(const IrLayer *layer) {
  const char *shape = ir_attribute(layer, "shape");
  bool is_open = strcmp(layer->type, "Parameter") == 0 && shape && strcmp(shape, "...") == 0;
  bool is_elementwise = ir_attribute(layer, "auto_broadcast") != NULL;
  for (int i = 0; i < layer->in.count; i++) {
    IrPort *port = &layer->in.item[i];
    port->is_open = port->from->out.item[port->from_port].is_open;
    is_open = is_open || port->is_open ||
              (i > 0 && port->rank <= 1 && !port->from->tensor && !is_elementwise);
  }
  for (int i = 0; i < layer->out.count; i++)
    layer->out.item[i].is_open = is_open && layer->out.item[i].rank == 0;
}

// ---- Nodes

// Keeps a layer without an equivalent operator: its outputs, as the file declares them, and the reason, if
// its type moves elements.
static void keep_other(Ir *ir, const IrLayer *layer, const char *why) {
  const char **in = ARENA_ARRAY(ir->arena, const char *, layer->in.count + 1);
  const char **out = ARENA_ARRAY(ir->arena, const char *, layer->out.count + 1);
  for (int i = 0; i < layer->in.count; i++)
    in[i] = ir_input(layer, i);
  for (int i = 0; i < layer->out.count; i++)
    out[i] = layer->out.item[i].value;
  Onnx__NodeProto *node =
      ir_node(ir, layer, layer->type, in, layer->in.count, out, layer->out.count);
  node->domain = ir_copy(ir, ONNX_OPENVINO_DOMAIN);
  if (*why)
    ir_text(ir, node, "why", why);
  Onnx__AttributeProto *a;
  ir_attribute_add(ir, node, &a, "outputs", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TYPE_PROTOS);
  a->n_type_protos = (size_t)layer->out.count;
  a->type_protos = ARENA_ARRAY(ir->arena, Onnx__TypeProto *, layer->out.count + 1);
  for (int i = 0; i < layer->out.count; i++) {
    const IrPort *port = &layer->out.item[i];
    int32_t type = port->precision ? ir_element_type(port->precision) : IR_NO_TYPE;
    a->type_protos[i] = type_of(ir, type, port->dim, port->rank, !port->is_open);
  }
}

static bool read_layer(Ir *ir, IrLayer *layer) {
  if (!check_inputs(ir, layer))
    return false;
  find_open_ranks(layer);
  if (strcmp(layer->type, "Parameter") == 0 || strcmp(layer->type, "Result") == 0)
    return true;
  if (strcmp(layer->type, "Const") == 0)
    return read_constant(ir, layer);
  const char *why = ir_translate(ir, layer);
  if (why)
    keep_other(ir, layer, why);
  else
    declare_outputs(ir, layer);
  return true;
}

static bool read_layers(Ir *ir) {
  for (int i = 0; i < ir->layer.count; i++)
    name_outputs(ir, ir->layer.item[i]);
  // Inputs and outputs are in the order of the file.
  for (int i = 0; i < ir->layer.count; i++)
    if (strcmp(ir->layer.item[i]->type, "Parameter") == 0 && !read_parameter(ir, ir->layer.item[i]))
      return false;
  for (int i = 0; i < ir->order.count; i++)
    if (!read_layer(ir, ir->order.item[i]))
      return false;
  for (int i = 0; i < ir->layer.count; i++)
    if (strcmp(ir->layer.item[i]->type, "Result") == 0 && !read_result(ir, ir->layer.item[i]))
      return false;
  return true;
}

// ---- The model

static const Onnx__ModelProto *model_of(Ir *ir) {
  Onnx__ModelProto *model = ARENA_NEW(ir->arena, Onnx__ModelProto);
  Onnx__GraphProto *graph = ARENA_NEW(ir->arena, Onnx__GraphProto);
  Onnx__OperatorSetIdProto *opset = ARENA_NEW(ir->arena, Onnx__OperatorSetIdProto);
  onnx__model_proto__init(model);
  onnx__graph_proto__init(graph);
  onnx__operator_set_id_proto__init(opset);
  opset->has_version = true;
  opset->version = NEWEST_OPSET;
  model->opset_import = ARENA_NEW(ir->arena, Onnx__OperatorSetIdProto *);
  model->opset_import[0] = opset;
  model->n_opset_import = 1;
  model->graph = graph;
  graph->node = ir->node.item;
  graph->n_node = (size_t)ir->node.count;
  graph->initializer = ir->initializer.item;
  graph->n_initializer = (size_t)ir->initializer.count;
  graph->value_info = ir->declared.item;
  graph->n_value_info = (size_t)ir->declared.count;
  graph->input = ir->input.item;
  graph->n_input = (size_t)ir->input.count;
  graph->output = ir->output.item;
  graph->n_output = (size_t)ir->output.count;
  onnx_give_texts(&model->base);
  return model;
}

const OnnxFile *openvino_file_read(Arena *arena, const char *path, Diag *diag) {
  const char *why = NULL;
  Source *source = source_read(arena, path, &why);
  if (source)
    return openvino_file_parse(arena, path, source, NULL, diag);
  diag_error_file(diag, "bad_file", "cannot be read: %s", why);
  return NULL;
}

const OnnxFile *openvino_file_parse(Arena *arena, const char *path, Source *source,
                                    const OnnxBytes *bin, Diag *diag) {
  Ir ir = {.arena = arena, .diag = diag, .path = path, .source = source};
  OnnxFile *file = NULL;
  if (bin) {
    ir.bin = ARENA_NEW(arena, OnnxWeights);
    *ir.bin = (OnnxWeights){.path = path, .bytes = *bin};
  }
  diag->source = source;
  if (ir_parse(&ir) && read_layers(&ir)) {
    file = ARENA_NEW(arena, OnnxFile);
    *file = (OnnxFile){.path = path,
                       .model = model_of(&ir),
                       .xml = {(const uint8_t *)source->text, source->length},
                       .weights = ARENA_NEW(arena, OnnxWeights *),
                       .bound = ir.bound.item,
                       .bound_count = ir.bound.count,
                       .is_openvino = true};
    *file->weights = ir.bin;
  }
  ir_free(&ir);
  return file;
}
