// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes sink and rise through nodes that work the same in any order of axes, if fewer bytes then move, or as many
// with fewer nodes.
//
//   Transpose(a), Transpose(b), Concat(axis 3)        Concat(axis 1), Transpose
//   Transpose(a), Relu, Add(c[64]), Transpose back    Relu, Add(c[64, 1, 1])
//
// Only operators that round each element once qualify: approximations in vectors (Exp, Tanh) give other bits at another
// position of the tensor, and reductions sum in another order.
#include "frontend/onnx/onnx_optimize_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct Region {
  Optimizer *o;
  int32_t rank;
  int64_t perm[RSH_MAX_RANK], back[RSH_MAX_RANK]; // of the transposes before it, and the inverse
  VEC(size_t) node;
  rsh_num before, after; // bytes that transposes move
  int nodes_before, nodes_after;
  bool fails;
} Region;

// ---- Operators that qualify

static bool passes(const Onnx__NodeProto *node) {
  return optimize_is_op(node, "Abs Add And Cast Ceil Clip Concat Div Equal Floor Greater "
                              "GreaterOrEqual Less LessOrEqual Max Min Mul Neg Not Or Relu Round "
                              "Sign Split Sqrt Sub Where Xor");
}

// The number of inputs that are tensors of the region's layout: bounds of Clip and lengths of Split are not.
static size_t operands(const Onnx__NodeProto *node) {
  bool is_first = optimize_is_op(node, "Clip Split");
  return is_first && node->n_input > 1 ? 1 : node->n_input;
}

static bool has_axis(const Onnx__NodeProto *node) { return optimize_is_op(node, "Concat Split"); }

static bool axis_of(const Onnx__NodeProto *node, int32_t rank, int32_t *axis) {
  const Onnx__AttributeProto *a = optimize_attribute(node, "axis");
  return (a || optimize_is_op(node, "Split")) && rsh_axis_index(a ? a->i : 0, rank, axis);
}

static bool is_transpose(const Region *r, const Onnx__NodeProto *node, const int64_t *perm) {
  int64_t own[RSH_MAX_RANK];
  int32_t count;
  return optimize_perm(r->o, node, own, &count) && count == r->rank &&
         memcmp(own, perm, sizeof *perm * (size_t)count) == 0;
}

static const Onnx__NodeProto *maker_of(const Optimizer *o, const Var *var) {
  return var->maker >= 0 ? o->graph->node[var->maker] : NULL;
}

static bool is_in(const Region *r, const Var *var) {
  return var && var->maker >= 0 && r->o->node[var->maker].region == r;
}

// Whether a transpose outside of the region makes this operand. Its own operand is then the one in the other layout,
// unless the region makes that, too: a transpose that is its own inverse can stand on both sides.
static bool is_transposed(const Region *r, const Var *var) {
  const Onnx__NodeProto *maker = maker_of(r->o, var);
  return maker && is_transpose(r, maker, r->perm) && !is_in(r, optimize_var(r->o, maker->input[0]));
}

static bool has_rank(const Var *var, int32_t rank) {
  return var && var->shape && var->shape->rank == rank && var->dtype != RSH_DTYPE_NONE;
}

// Returns whether a value is a constant, which is converted to the other layout at compile time. The converted constant
// has the region's rank and at most one size that is not 1, or all sizes.
static bool is_constant(const Region *r, const Var *var, Constant *out) {
  return optimize_constant(r->o, var, (size_t)1 << 26, out);
}

static int wide_axes(const rsh_shape *shape) {
  int count = 0;
  for (int32_t i = 0; i < shape->rank; i++)
    count += !rsh_is(shape->dim[i], 1);
  return count;
}

static bool can_join(const Region *r, size_t index) {
  const Optimizer *o = r->o;
  const Onnx__NodeProto *node = o->graph->node[index];
  int32_t axis;
  Constant c;
  if (o->node[index].region || !passes(node) || o->opset < 7 ||
      (has_axis(node) && !axis_of(node, r->rank, &axis)))
    return false;
  for (size_t i = 0; i < node->n_output; i++)
    if (!has_rank(optimize_var(o, node->output[i]), r->rank))
      return false;
  for (size_t i = 0; i < operands(node); i++) {
    const Var *var = optimize_var(o, node->input[i]);
    bool is_moved =
        var && is_constant(r, var, &c) && (c.shape.rank == r->rank || wide_axes(&c.shape) <= 1);
    if (!is_moved && !has_rank(var, r->rank))
      return false;
  }
  return true;
}

static void join(Region *r, size_t index) {
  if (!can_join(r, index))
    return;
  r->o->node[index].region = r;
  VEC_PUSH(r->o->arena, r->node, index);
}

static void leave(Region *r) {
  for (int i = 0; i < r->node.count; i++)
    r->o->node[r->node.item[i]].region = NULL;
}

// ---- Readers of values

void optimize_find_readers(Optimizer *o) {
  for (size_t i = 0; i < o->graph->n_node; i++)
    for (size_t k = 0; k < o->graph->node[i]->n_input; k++) {
      Var *var = optimize_var(o, o->graph->node[i]->input[k]);
      if (var)
        VEC_PUSH(o->arena, var->reader, i);
    }
}

static void grow(Region *r, bool rises) {
  for (int i = 0; i < r->node.count; i++) {
    const Onnx__NodeProto *node = r->o->graph->node[r->node.item[i]];
    for (size_t k = 0; k < node->n_output; k++) {
      const Var *var = optimize_var(r->o, node->output[k]);
      for (int n = 0; n < var->reader.count; n++)
        join(r, var->reader.item[n]);
    }
    for (size_t k = 0; rises && k < operands(node); k++) {
      const Var *var = optimize_var(r->o, node->input[k]);
      if (var->maker >= 0)
        join(r, (size_t)var->maker);
    }
  }
}

// ---- Costs

static void add_bytes(Region *r, rsh_num *to, const Var *var) {
  rsh_symbols *s = r->o->symbols;
  rsh_num bytes;
  if (rsh_volume(s, var->shape, &bytes) != RSH_ok || rsh_is_unknown(bytes) ||
      !rsh_mul(s, bytes, rsh_int(rsh_dtype_bits(var->dtype)), &bytes) ||
      !rsh_add(s, *to, bytes, to))
    r->fails = true;
}

// A transpose before the region without other readers is removed.
static void cost_of_input(Region *r, Var *var) {
  Constant c;
  if (is_in(r, var) || var->cost_of == r)
    return;
  var->cost_of = r;
  bool is_removed = is_transposed(r, var);
  if (!is_removed && is_constant(r, var, &c))
    return;
  if (!is_removed) {
    add_bytes(r, &r->after, var);
    r->nodes_after++;
    return;
  }
  for (int i = 0; i < var->reader.count; i++)
    if (r->o->node[var->reader.item[i]].region != r)
      return;
  if (var->is_outer)
    return;
  add_bytes(r, &r->before, var);
  r->nodes_before++;
}

static bool needs_transpose(const Region *r, const Var *var) {
  bool needs = var->is_outer;
  for (int i = 0; i < var->reader.count; i++)
    needs = needs || (r->o->node[var->reader.item[i]].region != r &&
                      !is_transpose(r, r->o->graph->node[var->reader.item[i]], r->back));
  return needs;
}

static void cost_of_output(Region *r, const Var *var) {
  for (int i = 0; i < var->reader.count; i++) {
    size_t reader = var->reader.item[i];
    if (r->o->node[reader].region == r || !is_transpose(r, r->o->graph->node[reader], r->back))
      continue;
    add_bytes(r, &r->before, var);
    r->nodes_before++;
  }
  if (needs_transpose(r, var)) {
    add_bytes(r, &r->after, var);
    r->nodes_after++;
  }
}

static bool is_better(Region *r) {
  for (int i = 0; i < r->node.count; i++) {
    const Onnx__NodeProto *node = r->o->graph->node[r->node.item[i]];
    for (size_t k = 0; k < operands(node); k++)
      cost_of_input(r, optimize_var(r->o, node->input[k]));
    for (size_t k = 0; k < node->n_output; k++)
      cost_of_output(r, optimize_var(r->o, node->output[k]));
  }
  if (r->fails || !rsh_at_most(r->o->symbols, r->after, r->before))
    return false;
  return !rsh_equal(r->after, r->before) ? r->nodes_after <= r->nodes_before
                                         : r->nodes_after < r->nodes_before;
}

// ---- Output

static void put_transpose(Optimizer *o, WireBytes *to, const char *from, const char *made,
                          const int64_t *perm, int32_t rank) {
  WireBytes node = {0};
  wire_put_text(o->arena, &node, NODE_INPUT, from);
  wire_put_text(o->arena, &node, NODE_OUTPUT, made);
  wire_put_text(o->arena, &node, NODE_OPERATOR, perm ? "Transpose" : "Identity");
  if (perm)
    optimize_put_ints(o->arena, &node, "perm", perm, rank);
  wire_put_bytes(o->arena, to, GRAPH_NODE, node.item, (size_t)node.count);
}

// [64] after perm 0, 2, 3, 1 is [1, 64, 1, 1] before it.
static void put_reshaped(const Region *r, const Constant *c, const char *name) {
  Constant transposed = {c->dtype, {.rank = r->rank}, c->bytes};
  int32_t missing = r->rank - c->shape.rank;
  for (int32_t i = 0; i < r->rank; i++)
    transposed.shape.dim[r->perm[i]] = i < missing ? rsh_int(1) : c->shape.dim[i - missing];
  optimize_put_initializer(r->o, name, &transposed);
}

// The name of an operand in the layout before the transposes.
static const char *transposed_name(const Region *r, NodeFate *fate, Var *var) {
  Constant c;
  if (is_in(r, var) || var->transposed_by == r)
    return var->transposed;
  if (is_transposed(r, var)) {
    r->o->node[var->maker].is_bypassed = true;
    return maker_of(r->o, var)->input[0];
  }
  bool is_known = is_constant(r, var, &c);
  if (is_known && wide_axes(&c.shape) == 0)
    return var->name;
  var->transposed_by = r;
  var->transposed = optimize_new_name(r->o, var->name, "turned");
  if (is_known && wide_axes(&c.shape) <= 1)
    put_reshaped(r, &c, var->transposed);
  else
    put_transpose(r->o, &fate->before, var->name, var->transposed, r->back, r->rank);
  return var->transposed;
}

static void rewrite_node(Region *r, size_t index) {
  Optimizer *o = r->o;
  const Onnx__NodeProto *proto = o->graph->node[index];
  NodeFate *fate = &o->node[index];
  WireBytes node = {0};
  WireField field;
  size_t given = 0;
  int32_t axis;
  for (size_t i = 0; i < proto->n_input; i++) {
    Var *var = i < operands(proto) ? optimize_var(o, proto->input[i]) : NULL;
    wire_put_text(o->arena, &node, NODE_INPUT,
                  var ? transposed_name(r, fate, var) : proto->input[i]);
  }
  for (size_t i = 0; i < proto->n_output; i++)
    wire_put_text(o->arena, &node, NODE_OUTPUT, optimize_var(o, proto->output[i])->transposed);
  for (const uint8_t *at = o->wire[index].body; wire_next(&at, o->wire[index].end, &field);) {
    const Onnx__AttributeProto *a =
        field.number == NODE_ATTRIBUTE ? proto->attribute[given++] : NULL;
    bool is_axis = has_axis(proto) && a && strcmp(a->name, "axis") == 0;
    if (field.number != NODE_INPUT && field.number != NODE_OUTPUT && !is_axis)
      wire_put_raw(o->arena, &node, field.begin, (size_t)(field.end - field.begin));
  }
  if (has_axis(proto) && axis_of(proto, r->rank, &axis))
    optimize_put_int(o->arena, &node, "axis", r->perm[axis]);
  wire_put_bytes(o->arena, &fate->before, GRAPH_NODE, node.item, (size_t)node.count);
  for (size_t i = 0; i < proto->n_output; i++) {
    const Var *var = optimize_var(o, proto->output[i]);
    if (needs_transpose(r, var))
      put_transpose(o, &fate->before, var->transposed, var->name, r->perm, r->rank);
    for (int k = 0; k < var->reader.count; k++) {
      const Onnx__NodeProto *reader = o->graph->node[var->reader.item[k]];
      NodeFate *other = &o->node[var->reader.item[k]];
      if (other->region != r && is_transpose(r, reader, r->back)) {
        put_transpose(o, &other->before, var->transposed, reader->output[0], NULL, 0);
        other->is_rewritten = true;
      }
    }
  }
  fate->is_rewritten = true;
}

static int by_place(const void *a, const void *b) {
  const size_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static void rewrite_region(Region *r) {
  Optimizer *o = r->o;
  size_t *place = ARENA_ARRAY(o->arena, size_t, r->node.count);
  for (int i = 0; i < r->node.count; i++) {
    const Onnx__NodeProto *proto = o->graph->node[r->node.item[i]];
    place[i] = o->node[r->node.item[i]].place;
    for (size_t k = 0; k < proto->n_output; k++) {
      Var *var = optimize_var(o, proto->output[k]);
      var->transposed = optimize_new_name(o, var->name, "turned");
    }
  }
  // Topological order: operands are made before their first reader.
  qsort(place, (size_t)r->node.count, sizeof *place, by_place);
  for (int i = 0; i < r->node.count; i++)
    rewrite_node(r, o->order[place[i]]);
}

static bool is_taken(const Optimizer *o, size_t index) {
  return o->node[index].is_rewritten || o->node[index].is_bypassed;
}

// Returns whether the region meets a node that another one rewrote or bypassed in this round: a transpose removed with
// one region must not count for another, and the operand of a bypassed one must stay.
static bool is_touched(const Region *r) {
  for (int i = 0; i < r->node.count; i++) {
    const Onnx__NodeProto *node = r->o->graph->node[r->node.item[i]];
    for (size_t k = 0; k < operands(node); k++) {
      const Var *var = optimize_var(r->o, node->input[k]);
      if (var->maker >= 0 && is_taken(r->o, (size_t)var->maker))
        return true;
    }
    for (size_t k = 0; k < node->n_output; k++) {
      const Var *var = optimize_var(r->o, node->output[k]);
      for (int n = 0; n < var->reader.count; n++)
        if (is_taken(r->o, var->reader.item[n]))
          return true;
    }
  }
  return false;
}

static bool sink(Optimizer *o, size_t transpose, bool rises) {
  Region *r = ARENA_NEW(o->arena, Region);
  const Onnx__NodeProto *node = o->graph->node[transpose];
  *r = (Region){.o = o, .before = rsh_int(0), .after = rsh_int(0)};
  const Var *var =
      optimize_perm(o, node, r->perm, &r->rank) ? optimize_var(o, node->output[0]) : NULL;
  if (!var)
    return false;
  for (int32_t i = 0; i < r->rank; i++)
    r->back[r->perm[i]] = i;
  for (int i = 0; i < var->reader.count; i++)
    join(r, var->reader.item[i]);
  grow(r, rises);
  if (r->node.count == 0 || is_touched(r) || !is_better(r)) {
    leave(r);
    return false;
  }
  rewrite_region(r);
  return true;
}

void optimize_sink(Optimizer *o) {
  for (size_t i = 0; i < o->graph->n_node; i++)
    if (optimize_is_op(o->graph->node[i], "Transpose") && !o->node[i].is_rewritten &&
        !sink(o, i, true))
      (void)sink(o, i, false);
}
