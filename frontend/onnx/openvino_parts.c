// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of the messages that layers become: names, nodes and their attributes, initializers; also reads constants.
#include "frontend/onnx/openvino_internal.h"
#include "frontend/text/words.h"

#include <string.h>

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
      // May be newer than the schema.
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

// "x", then "x#2": two layers may have the same name.
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

const char *ir_input(const IrLayer *layer, int port) {
  if (port >= layer->in.count)
    return "";
  const IrPort *in = &layer->in.item[port];
  return in->from->out.item[in->from_port].value;
}

// The schema's strings are not const, though nobody writes them.
char *ir_copy(Ir *ir, const char *text) { return arena_text(ir->arena, text, strlen(text)); }

void ir_attribute_add(Ir *ir, Onnx__NodeProto *node, Onnx__AttributeProto **out, const char *name,
                      Onnx__AttributeProto__AttributeType type) {
  Onnx__AttributeProto *a = ARENA_NEW(ir->arena, Onnx__AttributeProto);
  Onnx__AttributeProto **list =
      ARENA_ARRAY(ir->arena, Onnx__AttributeProto *, node->n_attribute + 1);
  onnx__attribute_proto__init(a);
  a->name = ir_copy(ir, name);
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
  ir_attribute_add(ir, node, &a, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
  a->has_i = true;
  a->i = value;
}

void ir_ints(Ir *ir, Onnx__NodeProto *node, const char *name, const int64_t *item, int count) {
  Onnx__AttributeProto *a;
  ir_attribute_add(ir, node, &a, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
  a->n_ints = (size_t)count;
  a->ints = ARENA_ARRAY(ir->arena, int64_t, count + 1);
  for (int i = 0; i < count; i++)
    a->ints[i] = item[i];
}

void ir_float(Ir *ir, Onnx__NodeProto *node, const char *name, float value) {
  Onnx__AttributeProto *a;
  ir_attribute_add(ir, node, &a, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT);
  a->has_f = true;
  a->f = value;
}

void ir_text(Ir *ir, Onnx__NodeProto *node, const char *name, const char *text) {
  Onnx__AttributeProto *a;
  ir_attribute_add(ir, node, &a, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING);
  a->has_s = true;
  a->s = (ProtobufCBinaryData){strlen(text), (uint8_t *)ir_copy(ir, text)};
}

static char **names_copy(Ir *ir, const char *const *name, int count) {
  char **copy = ARENA_ARRAY(ir->arena, char *, count + 1);
  for (int i = 0; i < count; i++)
    copy[i] = ir_copy(ir, name[i]);
  return copy;
}

Onnx__NodeProto *ir_node(Ir *ir, const IrLayer *layer, const char *op, const char *const *in,
                         int in_count, const char *const *out, int out_count) {
  Onnx__NodeProto *node = ARENA_NEW(ir->arena, Onnx__NodeProto);
  onnx__node_proto__init(node);
  node->op_type = ir_copy(ir, op);
  node->name = ir_copy(ir, layer->name);
  node->doc_string = ir_copy(ir, layer->label);
  while (in_count > 0 && !*in[in_count - 1]) // omitted at the end
    in_count--;
  node->input = names_copy(ir, in, in_count);
  node->n_input = (size_t)in_count;
  node->output = names_copy(ir, out, out_count);
  node->n_output = (size_t)out_count;
  VEC_PUSH(ir->arena, ir->node, node);
  return node;
}

Onnx__TensorProto *ir_initializer(Ir *ir, const IrLayer *layer, const char *name, int32_t type,
                                  const int64_t *dim, int rank) {
  Onnx__TensorProto *tensor = ARENA_NEW(ir->arena, Onnx__TensorProto);
  onnx__tensor_proto__init(tensor);
  tensor->name = ir_copy(ir, name);
  tensor->doc_string = ir_copy(ir, layer->label);
  tensor->has_data_type = true;
  tensor->data_type = type;
  tensor->dims = ARENA_ARRAY(ir->arena, int64_t, rank + 1);
  tensor->n_dims = (size_t)rank;
  for (int i = 0; i < rank; i++)
    tensor->dims[i] = dim[i];
  VEC_PUSH(ir->arena, ir->initializer, tensor);
  return tensor;
}

// One integer of a constant, of `bytes` bytes, little-endian.
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

static Onnx__TensorProto *list_of(Ir *ir, const IrLayer *layer, int32_t type, int count) {
  const char *name = ir_name(ir, arena_printf(ir->arena, "%s.list", layer->name));
  const int64_t dim[] = {count};
  return ir_initializer(ir, layer, name, type, dim, 1);
}

const char *ir_list(Ir *ir, const IrLayer *layer, const int64_t *item, int count) {
  Onnx__TensorProto *tensor = list_of(ir, layer, ONNX__TENSOR_PROTO__DATA_TYPE__INT64, count);
  tensor->n_int64_data = (size_t)count;
  tensor->int64_data = ARENA_ARRAY(ir->arena, int64_t, count + 1);
  for (int i = 0; i < count; i++)
    tensor->int64_data[i] = item[i];
  return tensor->name;
}

const char *ir_list_like(Ir *ir, const IrLayer *layer, int port, const int64_t *item, int count) {
  const char *type = layer->in.item[port].precision;
  int32_t number = type ? ir_element_type(type) : IR_NO_TYPE;
  bool is_signed;
  int bytes = integer_bytes(number, &is_signed);
  if (bytes == 0)
    return ir_list(ir, layer, item, count);
  Onnx__TensorProto *tensor = list_of(ir, layer, number, count);
  tensor->has_raw_data = true;
  tensor->raw_data.len = (size_t)count * (size_t)bytes;
  tensor->raw_data.data = ARENA_ARRAY(ir->arena, uint8_t, count *bytes + 1);
  for (int i = 0; i < count * bytes; i++)
    tensor->raw_data.data[i] = (uint8_t)((uint64_t)item[i / bytes] >> 8 * (i % bytes));
  return tensor->name;
}

const char *ir_indices(Ir *ir, const IrLayer *layer, int port) {
  const char *type = layer->in.item[port].precision, *value = ir_input(layer, port);
  int32_t number = type ? ir_element_type(type) : IR_NO_TYPE;
  bool is_signed;
  if (integer_bytes(number, &is_signed) == 0 || number == ONNX__TENSOR_PROTO__DATA_TYPE__INT32 ||
      number == ONNX__TENSOR_PROTO__DATA_TYPE__INT64)
    return value;
  Onnx__NodeProto *node;
  const char *cast = ir_inner_node(ir, layer, "Cast", &value, 1, &node);
  ir_int(ir, node, "to", ONNX__TENSOR_PROTO__DATA_TYPE__INT64);
  return cast;
}

int ir_length(Ir *ir, const IrLayer *layer, int port) {
  enum { MOST = 64 }; // more than any tensor has axes
  int64_t *item;
  int count;
  if (port >= layer->in.count)
    return -1;
  if (ir_constant(ir, layer, port, &item, &count))
    return count;
  const IrPort *list = &layer->in.item[port];
  return list->rank == 1 && list->dim[0] >= 0 && list->dim[0] <= MOST ? (int)list->dim[0] : -1;
}

// ---- Steps that layers share

const char *ir_attribute_or(const IrLayer *layer, const char *name, const char *fallback) {
  const char *given = ir_attribute(layer, name);
  return given ? given : fallback;
}

bool ir_is_word(const char *text, const char *word) {
  for (; *text && *word; text++, word++)
    if ((*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text) != *word)
      return false;
  return *text == *word;
}

const char *ir_word_of(Ir *ir, const char *words, const char *text) {
  while (*words) {
    size_t length = strcspn(words, " ");
    const char *word = arena_text(ir->arena, words, length);
    if (ir_is_word(text, word))
      return word;
    words += length + (words[length] == ' ');
  }
  return NULL;
}

bool ir_has(const IrLayer *layer, const char *name, const char *value, const char *fallback) {
  return ir_is_word(ir_attribute_or(layer, name, fallback), value);
}

bool ir_integer_or(const IrLayer *layer, const char *name, int64_t fallback, int64_t *out) {
  const char *given = ir_attribute(layer, name);
  *out = fallback;
  return !given || ir_integer(given, out);
}

const char *ir_bad_value(Ir *ir, const IrLayer *layer, const char *name) {
  static const char integers[] = "axis num_splits batch_dims batch_axis seq_axis block_size group";
  const char *given = ir_attribute(layer, name);
  int64_t number;
  if (!given)
    return arena_printf(ir->arena, "'%s' needs '%s'", layer->type, name);
  if (has_word(integers, name) && !ir_integer(given, &number))
    return arena_printf(ir->arena, "'%s' of '%s' is '%s'; it must be an integer", name, layer->type,
                        given);
  return arena_printf(ir->arena, "'%s' with '%s' set to '%s' is not supported", layer->type, name,
                      given);
}

const char *ir_bad_word(Ir *ir, const IrLayer *layer, const char *name, const char *words) {
  return arena_printf(ir->arena, "%s; supported: %s", ir_bad_value(ir, layer, name), words);
}

Onnx__NodeProto *ir_whole_node(Ir *ir, const IrLayer *layer, const char *op, const char *const *in,
                               int count) {
  const char **out = ARENA_ARRAY(ir->arena, const char *, layer->out.count + 1);
  for (int i = 0; i < layer->out.count; i++)
    out[i] = layer->out.item[i].value;
  return ir_node(ir, layer, op, in, count, out, layer->out.count);
}

Onnx__NodeProto *ir_unary(Ir *ir, const IrLayer *layer, const char *op) {
  const char *in[] = {ir_input(layer, 0)};
  return ir_whole_node(ir, layer, op, in, 1);
}

const char *ir_inner_node(Ir *ir, const IrLayer *layer, const char *op, const char *const *in,
                          int count, Onnx__NodeProto **node) {
  const char *name = ir_name(ir, arena_printf(ir->arena, "%s.%s", layer->name, op));
  Onnx__NodeProto *made = ir_node(ir, layer, op, in, count, &name, 1);
  if (node)
    *node = made;
  return name;
}

const char *ir_transposed(Ir *ir, const IrLayer *layer, const char *data, const int64_t *order,
                          int rank) {
  Onnx__NodeProto *node;
  const char *name = ir_inner_node(ir, layer, "Transpose", &data, 1, &node);
  ir_ints(ir, node, "perm", order, rank);
  return name;
}

bool ir_axis(Ir *ir, const IrLayer *layer, int port, int64_t *axis) {
  int64_t *item;
  int count;
  if (!ir_constant(ir, layer, port, &item, &count) || count != 1)
    return false;
  *axis = item[0];
  return true;
}

int64_t ir_size(const IrLayer *layer, int64_t axis) {
  const IrPort *in = &layer->in.item[0];
  axis += axis < 0 ? in->rank : 0;
  return axis >= 0 && axis < in->rank ? in->dim[axis] : -1;
}

const char *ir_open_rank(Ir *ir, const IrLayer *layer) {
  return layer->in.item[0].is_open
             ? arena_printf(ir->arena, "'%s' of data of unknown rank is not supported", layer->type)
             : NULL;
}

const char *ir_not_known(Ir *ir, const IrLayer *layer, int port, const char *what) {
  int64_t *item;
  int count;
  if (port >= layer->in.count)
    return arena_printf(ir->arena, "'%s' needs input %d, %s", layer->type, port, what);
  if (ir_constant(ir, layer, port, &item, &count))
    return arena_printf(ir->arena, "input %d, %s, has %d entries; %s", port, what, count,
                        strcmp(what, "the axis") == 0 ? "it must be one integer"
                                                      : "at least one is needed");
  return arena_printf(ir->arena, "input %d, %s, must be a constant of integers; it comes from %s",
                      port, what, layer->in.item[port].from->label);
}
