// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs before nodes are moved: merges equal nodes, folds constants, removes unused nodes.
//
//   Shape(x: f32[2, 3]) -> s, Gather(s, 1) -> n     n is the initializer 3; also for [B, 3]
//   Cast(i, to=i64) -> a, Cast(i, to=i64) -> b      readers of b read a
#include "frontend/onnx/onnx_optimize_internal.h"

#include <string.h>

enum {
  FOLDED_COUNT = 1024, // numbers of a constant that replaces nodes
  TWIN_BYTES = 4096,   // elements of constants that serve as their key
};

// ---- Equal nodes

typedef struct Twin {
  const char *key;
  int node;    // or
  Var *tensor; // a constant
  UT_hash_handle hh;
} Twin;

static void key_text(Arena *arena, WireBytes *key, const char *text) {
  wire_put_raw(arena, key, text, strlen(text) + 1);
}

// Appends the fields of a message to a key, except those in `without`: bit i is field number i.
static void key_fields(Arena *arena, WireBytes *key, const WireField *message, uint64_t without) {
  WireField field;
  for (const uint8_t *at = message->body; wire_next(&at, message->end, &field);)
    if (field.number > 63 || !(without >> field.number & 1))
      wire_put_raw(arena, key, field.begin, (size_t)(field.end - field.begin));
}

// Returns the entry with this key; NULL: there was none, and `made` is added.
static Twin *twin_find(Twin **twins, const WireBytes *key, Twin *made) {
  Twin *found;
  HASH_FIND(hh, *twins, key->item, (size_t)key->count, found);
  if (found)
    return found;
  made->key = (const char *)key->item;
  HASH_ADD_KEYPTR(hh, *twins, made->key, (size_t)key->count, made);
  return NULL;
}

static bool is_needed(const Optimizer *o, const Onnx__NodeProto *node) {
  bool has_result = false;
  for (size_t i = 0; i < node->n_output; i++) {
    const Var *var = optimize_var(o, node->output[i]);
    has_result = has_result || var;
    if (var && !var->same && !var->constant && !var->is_lifted &&
        (var->readers > 0 || var->is_outer))
      return true;
  }
  return !has_result;
}

// Returns whether nothing outside refers to the results of a node by name.
static bool can_be_replaced(const Optimizer *o, const Onnx__NodeProto *node) {
  for (size_t i = 0; i < node->n_output; i++) {
    const Var *var = optimize_var(o, node->output[i]);
    if (*node->output[i] && (!var || var->is_outer))
      return false;
  }
  return true;
}

static WireBytes node_key(const Optimizer *o, size_t index) {
  enum { INPUT = 1, OUTPUT = 2, NAME = 3, TEXT = 6, METADATA = 9 };
  const Onnx__NodeProto *node = o->graph->node[index];
  WireBytes key = {0};
  for (size_t i = 0; i < node->n_input; i++) {
    Var *var = optimize_is_dropped(&o->node[index], i) ? NULL : optimize_var(o, node->input[i]);
    key_text(o->arena, &key, var ? optimize_origin(var)->name : "");
  }
  for (size_t i = 0; i < node->n_output; i++)
    key_text(o->arena, &key, *node->output[i] ? "+" : "-");
  key_fields(o->arena, &key, &o->wire[index],
             UINT64_C(1) << INPUT | UINT64_C(1) << OUTPUT | UINT64_C(1) << NAME |
                 UINT64_C(1) << TEXT | UINT64_C(1) << METADATA);
  return key;
}

// The first node that equals this one and can replace it. NULL: there is none.
static const Twin *first_equal(const Optimizer *o, Twin **twins, size_t index) {
  const Onnx__NodeProto *node = o->graph->node[index];
  if (!onnx_is_function(node) || node->n_output == 0) // not deterministic, or without a result
    return NULL;
  WireBytes key = node_key(o, index);
  Twin *made = ARENA_NEW(o->arena, Twin);
  made->node = (int)index;
  const Twin *first = twin_find(twins, &key, made);
  return can_be_replaced(o, node) ? first : NULL;
}

void optimize_find_twins(Optimizer *o) {
  Twin *twins = NULL;
  size_t *twin = ARENA_ARRAY(o->arena, size_t, o->graph->n_node);
  for (size_t i = 0; i < o->graph->n_node; i++) {
    const Twin *first = first_equal(o, &twins, o->order[i]);
    twin[o->order[i]] = first ? (size_t)first->node : o->order[i];
  }
  HASH_CLEAR(hh, twins);
  o->twin = twin;
}

static void read_instead(Var *var, Var *by) {
  by->readers += var->readers;
  var->readers = 0;
  var->same = by;
}

static void release_inputs(const Optimizer *o, size_t index) {
  const Onnx__NodeProto *node = o->graph->node[index];
  for (size_t i = 0; i < node->n_input; i++) {
    Var *var = optimize_var(o, node->input[i]);
    if (var && !optimize_is_dropped(&o->node[index], i))
      optimize_origin(var)->readers--;
  }
}

static void unite_nodes(Optimizer *o) {
  Twin *twins = NULL;
  for (size_t i = 0; i < o->graph->n_node; i++) {
    size_t index = o->order[i];
    const Onnx__NodeProto *node = o->graph->node[index];
    bool stays = !o->node[index].is_left_out && is_needed(o, node);
    const Twin *first = stays ? first_equal(o, &twins, index) : NULL;
    if (!first)
      continue;
    for (size_t k = 0; k < node->n_output; k++)
      if (*node->output[k])
        read_instead(optimize_var(o, node->output[k]),
                     optimize_var(o, o->graph->node[first->node]->output[k]));
    release_inputs(o, index);
    o->node[index].is_left_out = true;
  }
  HASH_CLEAR(hh, twins);
}

// An earlier tensor with the same key, or NULL.
static Var *find_twin(Optimizer *o, Twin **twins, const WireBytes *key, Var *var) {
  Twin *made = ARENA_NEW(o->arena, Twin);
  made->tensor = var;
  const Twin *first = twin_find(twins, key, made);
  return first ? first->tensor : NULL;
}

// ---- Constants

static bool is_all_known(const Numbers *numbers) {
  for (int32_t i = 0; i < numbers->count; i++)
    if (!rsh_is_known(numbers->item[i]))
      return false;
  return true;
}

// A node that stays computes all of its results.
static void keep_whole(Optimizer *o, const Onnx__NodeProto *node) {
  bool is_whole = true;
  for (size_t i = 0; i < node->n_output; i++) {
    const Var *var = optimize_var(o, node->output[i]);
    is_whole = is_whole && (!var || var->constant);
  }
  for (size_t i = 0; i < node->n_output && !is_whole; i++) {
    Var *var = optimize_var(o, node->output[i]);
    if (var)
      var->constant = NULL;
  }
}

// Turns results that a survey computed as numbers into constants, if all of the numbers are known.
static void find_numbers(Optimizer *o) {
  for (int i = 0; i < o->survey->tensor.count; i++) {
    const Tensor *tensor = &o->survey->tensor.item[i];
    Var *var = optimize_var(o, tensor->name);
    if (!var || var->maker < 0 || o->graph->node[var->maker] != tensor->node)
      continue;
    const rsh_shape *shape = tensor->value ? &tensor->value->shape : &tensor->shape;
    var->shape = shape->rank == RSH_RANK_UNKNOWN ? NULL : shape;
    var->dtype = tensor->dtype;
    var->known = tensor->known;
    if (!tensor->known || tensor->known->count > FOLDED_COUNT || !is_all_known(tensor->known) ||
        var->is_result || var->same || var->tensor || var->is_weight)
      continue;
    Constant *made = ARENA_NEW(o->arena, Constant);
    *made = (Constant){tensor->known->dtype, tensor->known->shape,
                       onnx_numbers_bytes(o->arena, tensor->known)};
    var->constant = made->bytes ? made : NULL;
  }
}

// Constant nodes become initializers.
static void find_lifted(Optimizer *o) {
  Var *var, *next;
  HASH_ITER(hh, o->vars, var, next)
  var->is_lifted = var->maker >= 0 && var->tensor && !var->is_result && !var->same;
}

// Merges constants with the same elements. The key has the elements of a constant, wherever they are stored; for large
// ones, which the file has as bytes, the first and the last ones. False: they cannot be read.
static bool constant_key(Optimizer *o, const Var *var, Constant *out, WireBytes *key) {
  bool is_raw = var->tensor && var->tensor->has_raw_data && !var->outer;
  if (!optimize_constant(o, var, is_raw ? SIZE_MAX : TWIN_BYTES, out))
    return false;
  Constant c = *out;
  size_t size = optimize_constant_bytes(&c), part = size <= TWIN_BYTES ? size : TWIN_BYTES / 2;
  wire_put_varint(o->arena, key, (uint64_t)c.dtype);
  wire_put_varint(o->arena, key, (uint64_t)c.shape.rank);
  for (int32_t i = 0; i < c.shape.rank; i++)
    wire_put_varint(o->arena, key, (uint64_t)c.shape.dim[i].n);
  wire_put_raw(o->arena, key, c.bytes, part);
  if (part < size)
    wire_put_raw(o->arena, key, c.bytes + (size - part), part);
  return true;
}

static void unite_constants(Optimizer *o) {
  Twin *twins = NULL;
  Var *var, *next;
  HASH_ITER(hh, o->vars, var, next) {
    WireBytes key = {0};
    Constant c, other;
    if (var->is_outer || !constant_key(o, var, &c, &key))
      continue;
    Var *first = find_twin(o, &twins, &key, var);
    size_t size = optimize_constant_bytes(&c);
    if (first && (size <= TWIN_BYTES || (optimize_constant(o, first, SIZE_MAX, &other) &&
                                         memcmp(c.bytes, other.bytes, size) == 0)))
      read_instead(var, first);
  }
  HASH_CLEAR(hh, twins);
}

// ---- Sizes

static bool numbers_key(Optimizer *o, const Numbers *numbers, WireBytes *key) {
  wire_put_varint(o->arena, key, (uint64_t)numbers->dtype);
  wire_put_varint(o->arena, key, (uint64_t)numbers->shape.rank);
  for (int32_t i = 0; i < numbers->shape.rank; i++)
    wire_put_varint(o->arena, key, (uint64_t)numbers->shape.dim[i].n);
  for (int32_t i = 0; i < numbers->count; i++) {
    if (rsh_is_unknown(numbers->item[i]))
      return false;
    wire_put_varint(o->arena, key, (uint64_t)numbers->item[i].poly);
    wire_put_varint(o->arena, key, (uint64_t)numbers->item[i].n);
  }
  return true;
}

// Values computed from sizes with the same numbers are read from the first of them.
//   x: [B, T, 16]: Shape(x) -> s, Shape(Relu(x)) -> r, Concat(s[0:1], s[1:2], [16]) -> t      readers of r or t read s
static void unite_sizes(Optimizer *o) {
  Twin *twins = NULL;
  for (size_t i = 0; i < o->graph->n_node; i++) {
    const Onnx__NodeProto *node = o->graph->node[o->order[i]];
    for (size_t k = 0; k < node->n_output; k++) {
      Var *var = optimize_var(o, node->output[k]);
      WireBytes key = {0};
      if (!var || !var->known || var->constant || var->same || var->is_outer || var->tensor ||
          (var->dtype != RSH_I64 && var->dtype != RSH_I32) || !numbers_key(o, var->known, &key))
        continue;
      Var *first = find_twin(o, &twins, &key, var);
      if (first)
        read_instead(var, first);
    }
  }
  HASH_CLEAR(hh, twins);
}

// ---- Nodes without effect

static rsh_dtype dtype_of(const Var *var) {
  return var->dtype == RSH_DTYPE_NONE && var->tensor ? onnx_dtype(var->tensor->data_type)
                                                     : var->dtype;
}

// Also applies to values that the language lacks: sequences, tensors of open size.
static bool does_nothing(const Optimizer *o, const Onnx__NodeProto *node, const Var *from) {
  if (optimize_is_op(node, "Identity Concat Sum Max Min"))
    return true;
  int64_t to = optimize_is_op(node, "Cast") && o->opset >= 6 ? optimize_int(node, "to", 0) : 0;
  return to > 0 && to <= INT32_MAX && onnx_dtype((int32_t)to) != RSH_DTYPE_NONE &&
         onnx_dtype((int32_t)to) == dtype_of(from);
}

Var *optimize_passed(const Optimizer *o, size_t index) {
  const Onnx__NodeProto *node = o->graph->node[index];
  int neutral = optimize_passed_operand(o, node), left = 0;
  size_t only = 0;
  for (size_t i = 0; i < node->n_input; i++)
    if (!optimize_is_dropped(&o->node[index], i) && left++ == 0)
      only = i;
  Var *from = neutral >= 0 ? optimize_var(o, node->input[neutral])
              : left == 1  ? optimize_var(o, node->input[only])
                           : NULL;
  from = from ? optimize_origin(from) : NULL;
  bool passes =
      from && !from->constant && !from->is_lifted && (neutral >= 0 || does_nothing(o, node, from));
  return passes ? from : NULL;
}

static void pass_on(Optimizer *o) {
  for (size_t i = 0; i < o->graph->n_node; i++) {
    size_t index = o->order[i];
    const Onnx__NodeProto *node = o->graph->node[index];
    Var *var = node->n_output == 1 ? optimize_var(o, node->output[0]) : NULL;
    Var *from = var && !var->same && !var->constant ? optimize_passed(o, index) : NULL;
    if (!from || !optimize_unite(var, from))
      continue;
    from->readers += var->readers;
    var->readers = 0;
    o->node[index].is_left_out = true;
    release_inputs(o, index);
  }
}

// ---- Unused nodes

static void leave_out(Optimizer *o) {
  for (size_t i = o->graph->n_node; i-- > 0;) {
    size_t index = o->order[i];
    if (o->node[index].is_left_out || is_needed(o, o->graph->node[index]))
      continue;
    o->node[index].is_left_out = true;
    release_inputs(o, index);
  }
}

void optimize_find_constants(Optimizer *o) {
  find_numbers(o);
  find_lifted(o);
  optimize_constants(o);
  for (size_t i = 0; i < o->graph->n_node; i++)
    keep_whole(o, o->graph->node[i]);
}

void optimize_fold(Optimizer *o) {
  unite_constants(o);
  unite_sizes(o);
  optimize_drop(o);
  pass_on(o);
  unite_nodes(o);
  leave_out(o);
}
