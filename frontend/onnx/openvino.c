// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layers of OpenVINO IR as parts of an ONNX model: Parameters are inputs, Results outputs, Constants
// initializers whose bytes stay in the .bin file, other layers nodes (openvino_layer.c).
#include "frontend/onnx/openvino_internal.h"

#include <inttypes.h>
#include <string.h>

enum { NEWEST_OPSET = 28 }; // the versions of ONNX's operators that layers are said in

// ---- Names and types

int32_t ir_element_type(const char *name) {
  static const struct {
    const char *name;
    int32_t number;
  } types[] = {
      {"f32", ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT},
      {"FP32", ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT},
      {"u8", ONNX__TENSOR_PROTO__DATA_TYPE__UINT8},
      {"i8", ONNX__TENSOR_PROTO__DATA_TYPE__INT8},
      {"u16", ONNX__TENSOR_PROTO__DATA_TYPE__UINT16},
      {"i16", ONNX__TENSOR_PROTO__DATA_TYPE__INT16},
      {"i32", ONNX__TENSOR_PROTO__DATA_TYPE__INT32},
      {"i64", ONNX__TENSOR_PROTO__DATA_TYPE__INT64},
      {"string", ONNX__TENSOR_PROTO__DATA_TYPE__STRING},
      {"boolean", ONNX__TENSOR_PROTO__DATA_TYPE__BOOL},
      {"BOOL", ONNX__TENSOR_PROTO__DATA_TYPE__BOOL},
      {"f16", ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16},
      {"FP16", ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16},
      {"f64", ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE},
      {"FP64", ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE},
      {"u32", ONNX__TENSOR_PROTO__DATA_TYPE__UINT32},
      {"u64", ONNX__TENSOR_PROTO__DATA_TYPE__UINT64},
      {"bf16", ONNX__TENSOR_PROTO__DATA_TYPE__BFLOAT16},
      // Younger than the schema may be.
      {"f8e4m3", 17},
      {"f8e5m2", 19},
      {"u4", 21},
      {"i4", 22},
      {"f4e2m1", 23},
      {"f8e8m0", 24},
  };
  char lower[16];
  size_t length = strlen(name);
  if (length >= sizeof lower)
    return IR_NO_TYPE;
  for (size_t i = 0; i <= length; i++)
    lower[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, name) == 0 || strcmp(types[i].name, lower) == 0)
      return types[i].number;
  return IR_NO_TYPE;
}

// "x", then "x#2": two layers may have one name.
const char *ir_name(Ir *ir, const char *wanted) {
  const char *text = *wanted ? wanted : "value";
  IrName *name;
  for (int number = 2;; number++) {
    HASH_FIND_STR(ir->names, text, name);
    if (!name)
      break;
    text = arena_printf(ir->arena, "%s#%d", *wanted ? wanted : "value", number);
  }
  name = ARENA_NEW(ir->arena, IrName);
  name->text = text;
  HASH_ADD_KEYPTR(hh, ir->names, name->text, strlen(name->text), name);
  return text;
}

// The first of "a,b"; a comma of a name itself is written "\,".
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

// An output is named as its tensor is, else as its layer; "split.1" where that has several.
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

const char *ir_input(const IrLayer *layer, int port) {
  if (port >= layer->in.count)
    return "";
  const IrPort *in = &layer->in.item[port];
  return in->from->out.item[in->from_port].value;
}

// ---- Parts of messages

// The schema's strings are not const, though nobody writes them.
static char *text_copy(Ir *ir, const char *text) {
  return arena_text(ir->arena, text, strlen(text));
}

static void attribute_add(Ir *ir, Onnx__NodeProto *node, Onnx__AttributeProto **out,
                          const char *name, Onnx__AttributeProto__AttributeType type) {
  Onnx__AttributeProto *a = ARENA_NEW(ir->arena, Onnx__AttributeProto);
  Onnx__AttributeProto **list =
      ARENA_ARRAY(ir->arena, Onnx__AttributeProto *, node->n_attribute + 1);
  onnx__attribute_proto__init(a);
  a->name = text_copy(ir, name);
  a->has_type = true;
  a->type = type;
  for (size_t i = 0; i < node->n_attribute; i++)
    list[i] = node->attribute[i];
  list[node->n_attribute++] = a;
  node->attribute = list;
  *out = a;
}

void ir_int(Ir *ir, Onnx__NodeProto *node, const char *name, int64_t value) {
  Onnx__AttributeProto *a;
  attribute_add(ir, node, &a, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
  a->has_i = true;
  a->i = value;
}

void ir_ints(Ir *ir, Onnx__NodeProto *node, const char *name, const int64_t *item, int count) {
  Onnx__AttributeProto *a;
  attribute_add(ir, node, &a, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
  a->n_ints = (size_t)count;
  a->ints = ARENA_ARRAY(ir->arena, int64_t, count + 1);
  for (int i = 0; i < count; i++)
    a->ints[i] = item[i];
}

void ir_float(Ir *ir, Onnx__NodeProto *node, const char *name, float value) {
  Onnx__AttributeProto *a;
  attribute_add(ir, node, &a, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT);
  a->has_f = true;
  a->f = value;
}

void ir_text(Ir *ir, Onnx__NodeProto *node, const char *name, const char *text) {
  Onnx__AttributeProto *a;
  attribute_add(ir, node, &a, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING);
  a->has_s = true;
  a->s = (ProtobufCBinaryData){strlen(text), (uint8_t *)text_copy(ir, text)};
}

static char **names_copy(Ir *ir, const char *const *name, int count) {
  char **copy = ARENA_ARRAY(ir->arena, char *, count + 1);
  for (int i = 0; i < count; i++)
    copy[i] = text_copy(ir, name[i]);
  return copy;
}

Onnx__NodeProto *ir_node(Ir *ir, const IrLayer *layer, const char *op, const char *const *in,
                         int in_count, const char *const *out, int out_count) {
  Onnx__NodeProto *node = ARENA_NEW(ir->arena, Onnx__NodeProto);
  onnx__node_proto__init(node);
  node->op_type = text_copy(ir, op);
  node->name = text_copy(ir, layer->name);
  node->doc_string = text_copy(ir, layer->label);
  while (in_count > 0 && !*in[in_count - 1]) // left out at the end
    in_count--;
  node->input = names_copy(ir, in, in_count);
  node->n_input = (size_t)in_count;
  node->output = names_copy(ir, out, out_count);
  node->n_output = (size_t)out_count;
  VEC_PUSH(ir->arena, ir->node, node);
  return node;
}

// A size of -1 is left without a name.
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
  info->name = text_copy(ir, name);
  info->type = type;
  return info;
}

// ---- Constants

// The .bin file is opened when the first constant asks for it: a model without any has none.
static bool find_bin(Ir *ir, const IrLayer *layer) {
  const char *why = NULL;
  size_t length = strlen(ir->path) - strlen(".xml");
  const char *path = arena_printf(ir->arena, "%.*s.bin", (int)length, ir->path);
  if (ir->has_bin)
    return true;
  ir->has_bin = onnx_file_map(path, &ir->bin, &why);
  return ir->has_bin || ir_error(ir, layer->line, "bad_file",
                                 "the weights of layer %" PRId64 " cannot be read from '%s': %s",
                                 layer->id, path, why);
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
                  ir_error(ir, layer->line, "bad_file", "'%s' of layer %" PRId64 " is '%s'", name,
                           layer->id, text));
}

static Onnx__TensorProto *initializer_add(Ir *ir, const IrLayer *layer, const char *name,
                                          int32_t type, const int64_t *dim, int rank) {
  Onnx__TensorProto *tensor = ARENA_NEW(ir->arena, Onnx__TensorProto);
  onnx__tensor_proto__init(tensor);
  tensor->name = text_copy(ir, name);
  tensor->doc_string = text_copy(ir, layer->label);
  tensor->has_data_type = true;
  tensor->data_type = type;
  tensor->dims = ARENA_ARRAY(ir->arena, int64_t, rank + 1);
  tensor->n_dims = (size_t)rank;
  for (int i = 0; i < rank; i++)
    tensor->dims[i] = dim[i];
  VEC_PUSH(ir->arena, ir->initializer, tensor);
  return tensor;
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
  if (!ir_integers(ir->arena, shape, &dim, &rank))
    return ir_error(ir, layer->line, "bad_file", "'shape' of layer %" PRId64 " is '%s'", layer->id,
                    shape);
  if (ir_element_type(type) == IR_NO_TYPE) // wanted by nobody, perhaps
    return true;
  if (size > 0 && !find_bin(ir, layer))
    return false;
  if (size > 0 &&
      ((uint64_t)offset > ir->bin.size || (uint64_t)size > ir->bin.size - (size_t)offset))
    return ir_error(ir, layer->line, "bad_file",
                    "the weights of layer %" PRId64 " are %" PRId64 " bytes at %" PRId64
                    ", past the end of the .bin file, which has %zu",
                    layer->id, size, offset, ir->bin.size);
  Onnx__TensorProto *tensor =
      initializer_add(ir, layer, layer->out.item[0].value, ir_element_type(type), dim, rank);
  tensor->has_raw_data = true;
  tensor->raw_data.len = (size_t)size;
  layer->tensor = tensor;
  if (size > 0)
    tensor->raw_data.data = (uint8_t *)(uintptr_t)(ir->bin.data + offset);
  return true;
}

// One integer of a constant, of `bytes` bytes, the lowest first.
static int64_t integer_at(const uint8_t *from, int bytes, bool is_signed) {
  uint64_t bits = 0, sign = (uint64_t)1 << (8 * bytes - 1);
  for (int k = 0; k < bytes; k++)
    bits |= (uint64_t)from[k] << 8 * k;
  return (int64_t)(is_signed ? (bits ^ sign) - sign : bits);
}

static int integer_bytes(int32_t type, bool *is_signed) {
  *is_signed = true;
  switch (type) {
  case ONNX__TENSOR_PROTO__DATA_TYPE__INT8:
    return 1;
  case ONNX__TENSOR_PROTO__DATA_TYPE__INT16:
    return 2;
  case ONNX__TENSOR_PROTO__DATA_TYPE__INT32:
    return 4;
  case ONNX__TENSOR_PROTO__DATA_TYPE__INT64:
    return 8;
  default:
    break;
  }
  *is_signed = false;
  return type == ONNX__TENSOR_PROTO__DATA_TYPE__UINT8    ? 1
         : type == ONNX__TENSOR_PROTO__DATA_TYPE__UINT16 ? 2
         : type == ONNX__TENSOR_PROTO__DATA_TYPE__UINT32 ? 4
         : type == ONNX__TENSOR_PROTO__DATA_TYPE__UINT64 ? 8
                                                         : 0;
}

bool ir_constant(Ir *ir, const IrLayer *layer, int port, int64_t **item, int *count) {
  enum { MOST = 1 << 16 };
  if (port >= layer->in.count)
    return false;
  const Onnx__TensorProto *tensor = layer->in.item[port].from->tensor;
  bool is_signed;
  int bytes = tensor ? integer_bytes(tensor->data_type, &is_signed) : 0;
  if (bytes == 0 || tensor->raw_data.len > (size_t)(MOST * bytes))
    return false;
  size_t volume = tensor->raw_data.len / (size_t)bytes;
  uint64_t wanted = 1;
  for (size_t i = 0; i < tensor->n_dims && wanted <= MOST; i++)
    wanted = tensor->dims[i] > MOST ? MOST + 1 : wanted * (uint64_t)tensor->dims[i];
  if (tensor->raw_data.len % (size_t)bytes != 0 || wanted != volume)
    return false;
  *item = ARENA_ARRAY(ir->arena, int64_t, volume + 1);
  for (size_t i = 0; i < volume; i++)
    (*item)[i] = integer_at(tensor->raw_data.data + i * (size_t)bytes, bytes, is_signed);
  *count = (int)volume;
  return true;
}

const char *ir_list(Ir *ir, const IrLayer *layer, const int64_t *item, int count) {
  const char *name = ir_name(ir, arena_printf(ir->arena, "%s.list", layer->name));
  const int64_t dim[] = {count};
  Onnx__TensorProto *tensor =
      initializer_add(ir, layer, name, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, dim, 1);
  tensor->n_int64_data = (size_t)count;
  tensor->int64_data = ARENA_ARRAY(ir->arena, int64_t, count + 1);
  for (int i = 0; i < count; i++)
    tensor->int64_data[i] = item[i];
  return name;
}

// ---- Inputs and outputs

// "?,3,224..448": what is no number is a size that is not known; "..." is any rank.
static bool read_shape(Ir *ir, const char *text, int64_t **dim, int *rank) {
  VEC(int64_t) list = {0};
  bool good = true;
  while (good && *(text += strspn(text, " ,\t\r\n"))) {
    size_t length = strcspn(text, ", \t\r\n");
    const char *word = arena_text(ir->arena, text, length);
    int64_t size;
    bool is_number = ir_integer(word, &size);
    good = is_number ? size >= -1 : strcmp(word, "?") == 0 || strstr(word, "..") != NULL;
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
                    "element type '%s' of layer %" PRId64 " has no counterpart here", type,
                    layer->id);
  if (has_rank && !read_shape(ir, shape, &dim, &rank))
    return ir_error(ir, layer->line, "bad_file", "'shape' of layer %" PRId64 " is '%s'", layer->id,
                    shape);
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

// An output has the name of the tensor, which a second output of it and a Parameter need a copy for.
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

// ---- Nodes

// A layer that no operator says: its outputs, as the file declares them, and why it was not said, if its type
// is one that moves elements.
static void keep_other(Ir *ir, const IrLayer *layer, const char *why) {
  const char **in = ARENA_ARRAY(ir->arena, const char *, layer->in.count + 1);
  const char **out = ARENA_ARRAY(ir->arena, const char *, layer->out.count + 1);
  for (int i = 0; i < layer->in.count; i++)
    in[i] = ir_input(layer, i);
  for (int i = 0; i < layer->out.count; i++)
    out[i] = layer->out.item[i].value;
  Onnx__NodeProto *node =
      ir_node(ir, layer, layer->type, in, layer->in.count, out, layer->out.count);
  node->domain = text_copy(ir, ONNX_OPENVINO_DOMAIN);
  if (*why)
    ir_text(ir, node, "why", why);
  Onnx__AttributeProto *a;
  attribute_add(ir, node, &a, "outputs", ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TYPE_PROTOS);
  a->n_type_protos = (size_t)layer->out.count;
  a->type_protos = ARENA_ARRAY(ir->arena, Onnx__TypeProto *, layer->out.count + 1);
  for (int i = 0; i < layer->out.count; i++) {
    const IrPort *port = &layer->out.item[i];
    int32_t type = port->precision ? ir_element_type(port->precision) : IR_NO_TYPE;
    a->type_protos[i] = type_of(ir, type, port->dim, port->rank, true);
  }
}

static bool read_layer(Ir *ir, IrLayer *layer) {
  if (strcmp(layer->type, "Parameter") == 0 || strcmp(layer->type, "Result") == 0)
    return true;
  if (strcmp(layer->type, "Const") == 0)
    return read_constant(ir, layer);
  const char *why = ir_translate(ir, layer);
  if (why)
    keep_other(ir, layer, why);
  return true;
}

static bool read_layers(Ir *ir) {
  for (int i = 0; i < ir->layer.count; i++)
    name_outputs(ir, ir->layer.item[i]);
  // Inputs and outputs stand in the order of the file.
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
  graph->input = ir->input.item;
  graph->n_input = (size_t)ir->input.count;
  graph->output = ir->output.item;
  graph->n_output = (size_t)ir->output.count;
  return model;
}

const OnnxFile *openvino_file_read(Arena *arena, const char *path, Diag *diag) {
  const char *why = NULL;
  Source *source = source_read(arena, path, &why);
  if (!source) {
    diag_error_file(diag, "bad_file", "cannot be read: %s", why);
    return NULL;
  }
  Ir ir = {.arena = arena, .diag = diag, .path = path, .source = source};
  OnnxFile *file = NULL;
  diag->source = source;
  if (ir_parse(&ir) && read_layers(&ir)) {
    file = ARENA_NEW(arena, OnnxFile);
    *file = (OnnxFile){.path = path, .model = model_of(&ir), .is_openvino = true};
  }
  ir_free(&ir);
  return file;
}
