// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for reading models: messages, operators by name, attributes, storage for numbers.
#include "frontend/onnx/onnx_internal.h"

#include "frontend/text/words.h"

#include <stdarg.h>
#include <string.h>

bool onnx_error(Visit *v, const char *kind, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *text = arena_vprintf(v->r->arena, format, arguments);
  va_end(arguments);
  lower_error(&v->r->data, v->span, kind, "%s", text);
  return false;
}

bool onnx_rank_error(Visit *v, size_t input) {
  return onnx_error(v, "unknown_size", "'%s' needs to know the rank of %s", v->op,
                    input_label(v, input));
}

const char *input_label(const Visit *v, size_t i) {
  return arena_printf(v->r->arena, "input %zu '%s'", i, v->node->input[i]);
}

// ---- Operators and attributes

static const struct {
  const char *onnx;
  rsh_op op;
} also[] = {
#define ONNX_OP(op, since, inputs, attributes)
#define ONNX_ALSO(op, id) {op, RSH_OP_##id},
#include "frontend/onnx/onnx_ops.def"
#undef ONNX_OP
#undef ONNX_ALSO
};

bool onnx_size_is_number(const Onnx__TensorShapeProto__Dimension *dim) {
  return dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE &&
         dim->dim_value >= 0;
}

const char *onnx_op_word(const char *op) {
  static const char rules[] = "openvino.";
  return op + (strncmp(op, rules, strlen(rules)) == 0 ? strlen(rules) : 0);
}

const char *onnx_size_name(const Onnx__TensorShapeProto__Dimension *dim) {
  bool is_name = dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM;
  const char *name = is_name ? dim->dim_param : "";
  bool has_letter = false;
  for (const char *at = name; *at; at++)
    has_letter = has_letter || is_letter(*at) || (unsigned char)*at >= 0x80;
  return has_letter && strcmp(name, "None") != 0 ? name : NULL;
}

int onnx_operator(const char *op) {
  if (!*op)
    return -1;
  for (int i = 0; i < RSH_OP_COUNT; i++)
    if (strcmp(rsh_op_onnx_name((rsh_op)i), op) == 0)
      return i;
  for (size_t i = 0; i < sizeof also / sizeof *also; i++)
    if (strcmp(also[i].onnx, op) == 0)
      return (int)also[i].op;
  return -1;
}

static const Onnx__AttributeProto *attribute_named(Onnx__AttributeProto *const *list, size_t count,
                                                   const char *name) {
  const Onnx__AttributeProto *found = NULL;
  for (size_t i = 0; i < count; i++)
    if (strcmp(list[i]->name, name) == 0)
      found = list[i];
  return found;
}

// In a function's body: the call's value for the attribute that is referred to, or the function's default.
static const Onnx__AttributeProto *attribute_in(const Onnx__NodeProto *node, const Frame *frame,
                                                const char *name) {
  const OnnxFunction *called = NULL;
  while (node) {
    const Onnx__AttributeProto *found = attribute_named(node->attribute, node->n_attribute, name);
    if (!found && called)
      return attribute_named(called->attribute, called->n_attribute, name);
    if (!found || !*found->ref_attr_name)
      return found;
    while (frame && !frame->call)
      frame = frame->outer;
    if (!frame)
      return NULL;
    name = found->ref_attr_name;
    node = frame->call;
    called = frame->function;
    frame = frame->caller;
  }
  return NULL;
}

const Onnx__AttributeProto *attribute_of(const Visit *v, const char *name) {
  return attribute_in(v->node, v->frame, name);
}

int64_t attribute_int(const Visit *v, const char *name, int64_t fallback) {
  const Onnx__AttributeProto *a = attribute_of(v, name);
  return a ? a->i : fallback; // 0 if a writer omits zeros
}

// ---- Numbers

Numbers *numbers_new(Reader *r, rsh_dtype dtype, const rsh_shape *shape) {
  rsh_num volume;
  if (rsh_volume(NULL, shape, &volume) != RSH_ok || volume.n > KNOWN_LIMIT ||
      volume.n > r->known_left)
    return NULL;
  r->known_left -= volume.n + 1;
  Numbers *known = ARENA_NEW(r->arena, Numbers);
  *known = (Numbers){.dtype = dtype, .shape = *shape, .count = (int32_t)volume.n};
  known->item = ARENA_ARRAY(r->arena, rsh_num, known->count);
  return known;
}

Numbers *numbers_vector(Reader *r, int32_t count) {
  rsh_shape shape = {.rank = 1, .dim = {rsh_int(count)}};
  return numbers_new(r, RSH_I64, &shape);
}

void graph_parts_put(Arena *arena, GraphParts *to, const void *bytes, size_t size) {
  OutputPart *last = to->part.count > 0 ? &to->part.item[to->part.count - 1] : NULL;
  to->size += size;
  if (last && (const uint8_t *)last->bytes + last->size == bytes)
    last->size += size;
  else if (size > 0)
    VEC_PUSH(arena, to->part, ((OutputPart){bytes, size}));
}

OutputParts onnx_with_graph(Arena *arena, const OnnxFile *file, const WireField *from,
                            const GraphParts *graph) {
  OutputParts out = {0};
  WireBytes head = {0};
  const uint8_t *end = file->bytes + file->size;
  wire_put_varint(arena, &head, MODEL_GRAPH << 3 | WIRE_LENGTH);
  wire_put_varint(arena, &head, graph->size);
  VEC_PUSH(arena, out, ((OutputPart){file->bytes, (size_t)(from->begin - file->bytes)}));
  VEC_PUSH(arena, out, ((OutputPart){head.item, (size_t)head.count}));
  for (int i = 0; i < graph->part.count; i++)
    VEC_PUSH(arena, out, graph->part.item[i]);
  VEC_PUSH(arena, out, ((OutputPart){from->end, (size_t)(end - from->end)}));
  return out;
}

bool onnx_find_graph(const OnnxFile *file, Diag *diag, WireField *out) {
  const uint8_t *at = file->bytes, *end = file->bytes + file->size;
  WireField field;
  int count = 0;
  while (wire_next(&at, end, &field))
    if (field.number == MODEL_GRAPH) {
      *out = field;
      count++;
    }
  if (count != 1)
    diag_error_file(diag, "unsupported", "its graph is written in several pieces");
  return count == 1;
}

WireField *onnx_node_fields(Arena *arena, const Onnx__GraphProto *graph, const WireField *from) {
  WireField *node = ARENA_ARRAY(arena, WireField, graph->n_node), field;
  size_t count = 0;
  for (const uint8_t *at = from->body; wire_next(&at, from->end, &field);)
    if (field.number == GRAPH_NODE && count < graph->n_node)
      node[count++] = field;
  return node;
}

const char *node_domain(const char *domain) { return strcmp(domain, "ai.onnx") != 0 ? domain : ""; }

const Onnx__GraphProto *onnx_next_body(const Onnx__NodeProto *node, BodyPlace *at) {
  for (; at->attribute < node->n_attribute; at->attribute++, at->graph = 0) {
    const Onnx__AttributeProto *a = node->attribute[at->attribute];
    size_t i = at->graph++;
    if (i < a->n_graphs || (i == a->n_graphs && a->g))
      return i < a->n_graphs ? a->graphs[i] : a->g;
  }
  return NULL;
}

bool onnx_is_function(const Onnx__NodeProto *node) {
  static const char random[] = "RandomNormal RandomNormalLike RandomUniform RandomUniformLike "
                               "Bernoulli Multinomial Dropout";
  return !has_word(random, node->op_type) && !*node_domain(node->domain) &&
         !onnx_next_body(node, &(BodyPlace){0});
}
