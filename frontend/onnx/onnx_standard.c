// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ONNX states of all its operators, whether or not they can be read.
#include "frontend/onnx/onnx_internal.h"
#include "frontend/text/words.h"

#include <inttypes.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

// ---- Operators

static const char *const names[] = {
#define ONNX_STANDARD(op, since) op,
#define ONNX_REMOVED(op, until, instead)
#include "frontend/onnx/onnx_standard.def"
#undef ONNX_STANDARD
#undef ONNX_REMOVED
};
static const int first_opset[] = {
#define ONNX_STANDARD(op, since) since,
#define ONNX_REMOVED(op, until, instead)
#include "frontend/onnx/onnx_standard.def"
#undef ONNX_STANDARD
#undef ONNX_REMOVED
};

static const struct {
  const char *op;
  int until;
  const char *instead;
} removed[] = {
#define ONNX_STANDARD(op, since)
#define ONNX_REMOVED(op, until, instead) {op, until, instead},
#include "frontend/onnx/onnx_standard.def"
#undef ONNX_STANDARD
#undef ONNX_REMOVED
};

// Below 0: ONNX does not have it.
static int standard_of(const char *op) {
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (strcmp(names[i], op) == 0)
      return (int)i;
  return -1;
}

const char *standard_refusal(Arena *arena, const char *op, int64_t opset) {
  int i = standard_of(op);
  if (i >= 0)
    return first_opset[i] > opset
               ? arena_printf(arena,
                              "'%s' is an operator of opset %d and later; the model has opset "
                              "%" PRId64,
                              op, first_opset[i], opset)
               : NULL;
  const char *nearest = diag_nearest(op, names, COUNT_OF(names));
  return arena_printf(arena, "'%s' is not an operator of ONNX, up to opset %d%s", op,
                      ONNX_NEWEST_OPSET,
                      nearest ? arena_printf(arena, "; did you mean '%s'?", nearest) : "");
}

static bool is_not_removed(Visit *v) {
  for (size_t i = 0; i < COUNT_OF(removed); i++) {
    if (strcmp(removed[i].op, v->op) != 0 || v->frame->opset < removed[i].until)
      continue;
    structure_error(v->r, v->span, "unsupported", "%s",
                    arena_printf(v->r->arena,
                                 "'%s' was removed in opset %d, in favor of '%s'; the model has "
                                 "opset %" PRId64,
                                 v->op, removed[i].until, removed[i].instead, v->frame->opset));
    return false;
  }
  return true;
}

// ---- Attributes

static const struct {
  const char *op;
  int since;
  Onnx__AttributeProto__AttributeType type;
  const char *names;
} attributes[] = {
#define ONNX_ATTRIBUTES(op, since, type, names)                                                    \
  {op, since, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__##type, names},
#include "frontend/onnx/onnx_attributes.def"
#undef ONNX_ATTRIBUTES
};

static const char *type_words(Onnx__AttributeProto__AttributeType type) {
  static const char *const words[] = {
      [ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT] = "a number",
      [ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT] = "an integer",
      [ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING] = "a string",
      [ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR] = "a tensor",
      [ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH] = "a graph",
      [ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS] = "a list of numbers",
      [ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS] = "a list of integers",
      [ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS] = "a list of strings",
      [ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__SPARSE_TENSOR] = "a sparse tensor",
      [ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TYPE_PROTO] = "a type",
  };
  return words[type];
}

// UNDEFINED: ONNX has no such operator or attribute.
static Onnx__AttributeProto__AttributeType type_of(const Visit *v, const char *name) {
  Onnx__AttributeProto__AttributeType type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED;
  size_t count = standard_of(v->op) >= 0 ? COUNT_OF(attributes) : 0;
  for (size_t i = 0; i < count; i++) {
    bool is_of = !*attributes[i].op || strcmp(attributes[i].op, v->op) == 0;
    if (is_of && attributes[i].since <= v->frame->opset && has_word(attributes[i].names, name))
      type = attributes[i].type;
  }
  return type;
}

// In old files, attributes may have only values.
static bool is_of_type(const Onnx__AttributeProto *a, Onnx__AttributeProto__AttributeType type) {
  if (a->has_type && a->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED)
    return a->type == type;
  return type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT      ? a->has_i
         : type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT  ? a->has_f
         : type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING ? a->has_s
                                                                 : true;
}

static bool has_type(Visit *v, const Onnx__AttributeProto *a) {
  const Onnx__AttributeProto *given = attribute_of(v, a->name);
  Onnx__AttributeProto__AttributeType type = type_of(v, a->name);
  if (!given || type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED || is_of_type(given, type))
    return true;
  structure_error(v->r, v->span, "bad_attr", "attribute %s",
                  arena_printf(v->r->arena, "'%s' must be %s", a->name, type_words(type)));
  return false;
}

// Outside of functions, there is no call to refer to.
static bool has_origin(Visit *v, const Onnx__AttributeProto *a) {
  if (!*a->ref_attr_name || v->frame->function)
    return true;
  structure_error(
      v->r, v->span, "bad_attr", "attribute %s of a call, but the node is not in a function",
      arena_printf(v->r->arena, "'%s' refers to attribute '%s'", a->name, a->ref_attr_name));
  return false;
}

bool standard_allows(Visit *v, const OnnxFunction *called) {
  bool is_own = !*node_domain(v->node->domain) && !v->r->file->is_openvino && !called;
  bool good = !is_own || is_not_removed(v);
  for (size_t i = 0; good && i < v->node->n_attribute; i++)
    good = has_origin(v, v->node->attribute[i]) && (!is_own || has_type(v, v->node->attribute[i]));
  return good;
}
