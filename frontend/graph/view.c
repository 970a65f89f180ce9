// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explains why a value is not a view: follows it back to the first operator whose operands were still
// contiguous, and names the axes of that operator that break contiguity.
#include "frontend/graph/view.h"

static bool is_alias(const Graph *g, const Value *v) {
  int32_t source;
  rsh_num offset;
  return v->moves != NULL && graph_is_alias(g, v, v->moves, &source, &offset) &&
         (v->moves->count == 0 || g->value.item[source]->node == NULL);
}

// The operator, on the path to v, that turns an alias into a copy.
static const Node *first_copying_node(const Graph *g, const Value *v) {
  const Node *n = v->node;
  for (;;) {
    const Value *next = NULL;
    for (int i = 0; i < n->call.in_count && next == NULL; i++)
      if (n->in[i]->node != NULL && !is_alias(g, n->in[i]))
        next = n->in[i];
    if (next == NULL)
      return n;
    n = next->node;
  }
}

static const char *list_text(Arena *arena, const int32_t *axis, int count) {
  const char *text = "";
  for (int i = 0; i < count; i++)
    text = arena_printf(arena, "%s%s%d", text,
                        i == 0           ? ""
                        : i == count - 1 ? " and "
                                         : ", ",
                        (int)axis[i]);
  return text;
}

// The axes of the operand that the call moves or changes.
static int moved_axes(const Node *n, int32_t *axis) {
  const rsh_shape *in = n->call.in[0], *out = &n->out[0]->shape;
  const rsh_arg *arg = &n->call.arg[0];
  int count = 0;
  for (int32_t i = 0; i < in->rank; i++) {
    int32_t from = in->rank - 1 - i;
    bool moved = false;
    if (n->call.op == RSH_OP_TRANSPOSE) {
      if (arg->kind == RSH_ARG_LIST && arg->count == in->rank)
        from = (int32_t)arg->list[i].n;
      moved =
          from != i && !rsh_is(in->dim[i], 1); // the moved axes are those that receive another one
    } else if (n->call.op == RSH_OP_FLIP) {
      for (int k = 0; k < arg->count; k++)
        moved = moved || (rsh_axis_index(arg->list[k].n, in->rank, &from) && from == i);
      moved = moved && !rsh_is(in->dim[i], 1);
    } else if (in->rank == out->rank) { // slice, split, expand
      moved = !rsh_equal(in->dim[i], out->dim[i]);
    }
    if (moved)
      axis[count++] = i;
  }
  return count;
}

static const char *what_it_does(Arena *arena, const Node *n) {
  const char *effect = op_effect(n->call.op);
  if (effect)
    return arena_printf(arena, "it %s", effect);
  return n->in[0]->dtype != n->out[0]->dtype ? "elements change their type"
                                             : "elements are computed";
}

// The input or result whose layout or strides the call implements, or is the first to use; NULL: none.
static const Value *laid_out(const Graph *g, const Value *value, const Node *n) {
  for (int i = 0; i < g->input_count; i++) {
    const Value *input = g->value.item[i];
    for (int k = 0; k < n->call.in_count; k++)
      if (n->in[k] == input && input->storage != NULL && !is_alias(g, input))
        return input;
    const Value *v = input->storage != NULL ? input->storage->logical : NULL;
    for (; n->is_layout && v != NULL && v->node != NULL; v = v->node->in[0])
      if (v->node == n)
        return input;
  }
  return n->is_layout ? value : NULL;
}

// "'y'". The value of a called graph has no name in its caller.
static const char *name_of(Arena *arena, const Value *value) {
  return value->name != NULL ? arena_printf(arena, "'%s'", value->name) : "the result";
}

void check_view(const Graph *graph, const Value *value, Diag *diag) {
  if (is_alias(graph, value))
    return;
  if (value->moves == NULL && graph_is_dynamic(graph)) {
    diag_error(diag, value->view_span, "not_a_view",
               "%s is declared a view, but its place in memory is known only at run time",
               name_of(diag->arena, value));
    return;
  }
  const Node *n = first_copying_node(graph, value);
  const Value *stored = laid_out(graph, value, n);
  if (stored != NULL) {
    const char *name = name_of(diag->arena, stored);
    const char *what = stored->storage->stride != NULL ? "strides" : "layout";
    const char *need = arena_printf(diag->arena, "%s need%s", name, *what == 's' ? "" : "s");
    diag_error(diag, value->view_span, "not_a_view",
               "%s is declared a view, but the %s of %s a copy", name_of(diag->arena, value), what,
               need);
    diag_note(diag, stored->span, "%s is %s", name, value_text(diag->arena, graph, stored));
    return;
  }
  const char *op = rsh_op_name(n->call.op);
  int32_t axis[RSH_MAX_RANK];
  int count = moved_axes(n, axis);
  diag_error(diag, value->view_span, "not_a_view", "%s is declared a view, but %s needs a copy",
             name_of(diag->arena, value), op);
  if (n->call.in_count > 1)
    diag_note(diag, n->span, "%s joins %d tensors that are not contiguous in memory", op,
              (int)n->call.in_count);
  else if (count > 0)
    diag_note(diag, n->span, "%s of %s causes the copy on %s %s: %s", op,
              type_text(diag->arena, graph, n->in[0]->dtype, &n->in[0]->shape),
              count > 1 ? "axes" : "axis", list_text(diag->arena, axis, count),
              what_it_does(diag->arena, n));
  else
    diag_note(diag, n->span, "%s causes the copy: %s", op, what_it_does(diag->arena, n));
}
