// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes operators and attributes of nodes.
#include "frontend/onnx/onnx_optimize_internal.h"
#include "frontend/text/words.h"

#include <string.h>

// ---- Reading

bool optimize_is_op(const Onnx__NodeProto *node, const char *ops) {
  return has_word(ops, node->op_type) && !*node_domain(node->domain);
}

const Onnx__AttributeProto *optimize_attribute(const Onnx__NodeProto *node, const char *name) {
  for (size_t i = 0; i < node->n_attribute; i++)
    if (strcmp(node->attribute[i]->name, name) == 0)
      return node->attribute[i];
  return NULL;
}

int64_t optimize_int(const Onnx__NodeProto *node, const char *name, int64_t fallback) {
  const Onnx__AttributeProto *a = optimize_attribute(node, name);
  return a ? a->i : fallback;
}

// Without `perm`, the axes are reversed. Checks everything: a model may contain anything.
bool optimize_perm(const Optimizer *o, const Onnx__NodeProto *node, int64_t *perm, int32_t *rank) {
  if (!optimize_is_op(node, "Transpose") || node->n_input != 1 || node->n_output != 1)
    return false;
  const Onnx__AttributeProto *a = optimize_attribute(node, "perm");
  const rsh_shape *shape = optimize_shape(o, node->input[0]);
  size_t count = a ? a->n_ints : shape ? (size_t)shape->rank : 0;
  uint32_t seen = 0;
  if (count < 2 || count > RSH_MAX_RANK)
    return false;
  *rank = (int32_t)count;
  for (int32_t i = 0; i < *rank; i++) {
    perm[i] = a ? a->ints[i] : *rank - 1 - i;
    if (perm[i] < 0 || perm[i] >= *rank)
      return false;
    seen |= (uint32_t)1 << perm[i];
  }
  return seen == ((uint32_t)1 << *rank) - 1;
}

// ---- Writing

void optimize_put_int(Arena *arena, WireBytes *node, const char *name, int64_t value) {
  WireBytes a = {0};
  wire_put_text(arena, &a, ATTRIBUTE_NAME, name);
  wire_put_number(arena, &a, ATTRIBUTE_INT, (uint64_t)value);
  wire_put_number(arena, &a, ATTRIBUTE_TYPE, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT);
  wire_put_bytes(arena, node, NODE_ATTRIBUTE, a.item, (size_t)a.count);
}

void optimize_put_ints(Arena *arena, WireBytes *node, const char *name, const int64_t *list,
                       int32_t count) {
  WireBytes a = {0};
  wire_put_text(arena, &a, ATTRIBUTE_NAME, name);
  for (int32_t i = 0; i < count; i++)
    wire_put_number(arena, &a, ATTRIBUTE_INTS, (uint64_t)list[i]);
  wire_put_number(arena, &a, ATTRIBUTE_TYPE, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
  wire_put_bytes(arena, node, NODE_ATTRIBUTE, a.item, (size_t)a.count);
}

void optimize_copy_attributes(Optimizer *o, size_t index, const char *without, WireBytes *to) {
  const Onnx__NodeProto *node = o->graph->node[index];
  WireField field;
  size_t given = 0;
  for (const uint8_t *at = o->wire[index].body; wire_next(&at, o->wire[index].end, &field);) {
    if (field.number != NODE_ATTRIBUTE)
      continue;
    const char *name = node->attribute[given++]->name;
    if (!without || strcmp(name, without) != 0)
      wire_put_raw(o->arena, to, field.begin, (size_t)(field.end - field.begin));
  }
}
