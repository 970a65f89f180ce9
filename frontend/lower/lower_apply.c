// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a bound call into a node whose shapes the runtime resolves, or into one message: of all errors in a
// call, the first in statuses.def.
#include "frontend/lower/lower_internal.h"

#include <string.h>

bool nodes_reserve(Lower *l, int count, Span span) {
  Library *library = l->library;
  if (!library->is_full && count <= MAX_NODES - library->nodes) {
    library->nodes += count;
    return true;
  }
  if (!library->is_full) // reported once
    lower_error(l, span, "limit",
                "more than %d operators in one file, counting those of called graphs at each call",
                MAX_NODES);
  library->is_full = true;
  l->failed = true;
  return false;
}

Node *node_new(Lower *l, const rsh_call *call, Value **in, const rsh_shape *shape, Span span) {
  Node *node = ARENA_NEW(l->arena, Node);
  node->call = *call;
  node->in = in;
  node->out = ARENA_ARRAY(l->arena, Value *, call->out_count);
  node->span = span;
  rsh_dtype dtype = rsh_out_type(call);
  for (int32_t i = 0; i < call->out_count; i++) {
    node->out[i] = value_new(l, dtype, &shape[i], span);
    node->out[i]->node = node;
    node->out[i]->result = i;
    lod_pass_on(l, node, node->out[i]);
  }
  VEC_PUSH(l->arena, l->graph->node, node);
  return node;
}

// Kinds that are not a status rank with the status nearest in meaning.
static int kind_rank(const char *kind) {
  for (int i = 0; i < RSH_STATUS_COUNT; i++)
    if (strcmp(kind, rsh_status_name((rsh_status)i)) == 0)
      return i;
  bool of_call = strcmp(kind, "arity") == 0 || strcmp(kind, "unknown_argument") == 0;
  return of_call ? RSH_bad_attr : RSH_bad_arg;
}

// The target is read before anything is computed.
static bool check_tensor(Lower *l, const Binding *b, int arg, int entry, const Value *value,
                         Problem *p) {
  if (is_readable_target(value))
    return true;
  Span span = entry < 0 ? b->arg[arg].span : b->arg[arg].entry[entry];
  const char *name = value->name ? arena_printf(l->arena, "'%s'", value->name) : "this";
  problem_set(l, p, span, "unsupported",
              "%s that is data must be an input of the graph, without a layout, or be made from "
              "elements of inputs; %s is %s",
              data_words(l, b, arg), name,
              value->node                ? "computed"
              : value_is_constant(value) ? "a constant"
                                         : "stored otherwise");
  return false;
}

// The tensors of a call's targets, by argument; NULL if there are none or they cannot be used.
static const TargetData *target_data(Lower *l, Binding *b, Problem *p) {
  TargetData *data = NULL;
  for (int i = 0; i < RSH_MAX_ARGS; i++) {
    const rsh_arg *arg = &b->call.arg[i];
    if (arg->kind != RSH_ARG_TENSOR)
      continue;
    if (!data)
      data = ARENA_ARRAY(l->arena, TargetData, RSH_MAX_ARGS);
    data[i] = b->arg[i].data;
    if (data[i].tensor)
      check_tensor(l, b, i, -1, data[i].tensor, p);
    for (int k = 0; data[i].entry && k < arg->count; k++)
      if (data[i].entry[k] && !check_tensor(l, b, i, k, data[i].entry[k], p))
        break;
  }
  return data;
}

// The empty string is a pointer, which a kernel without its own data does not have.
static void check_fill(Lower *l, const Binding *b, Problem *p) {
  rsh_pad_mode mode;
  bool is_pad = b->call.op == RSH_OP_PAD;
  if (rsh_op_family(b->call.op) != RSH_FILLS || b->call.in_type[0] != RSH_STRING ||
      (is_pad && (!rsh_pad_mode_of(&b->call, &mode) || mode != RSH_PAD_CONSTANT)))
    return;
  bool has_list = b->call.arg[0].count >= 0; // otherwise its length is data, too
  for (int32_t i = 0; i < b->call.in[0]->rank; i++) {
    rsh_padding padding;
    if (has_list && rsh_pad_axis(&b->call, i, &padding, NULL) == RSH_ok &&
        rsh_is(padding.before, 0) && rsh_is(padding.after, 0))
      continue;
    problem_set(l, p, b->callee_span, "unsupported",
                is_pad ? "there is no value to fill strings with; use mode \"edge\", \"reflect\", "
                         "\"symmetric\" or \"wrap\""
                       : "there is no value to fill strings with");
  }
}

// concat(x, paddle.reshape(x, ..., inplace=True), axis=0): x is read after both operands are evaluated.
static void check_places(Lower *l, const Binding *b, Problem *p) {
  for (int32_t i = 0; i < b->call.in_count && !p->kind; i++) {
    const Span *given_away = b->in[i] ? place_given_away(b->in[i]) : NULL;
    if (!given_away)
      continue;
    problem_set(l, p, b->in_span[i], "inplace_reuse", "%s is read after 'inplace' overwrote it",
                value_label(l, b->in[i]));
    problem_note(l, p, *given_away, "'inplace' overwrites it here");
  }
}

static rsh_status resolve(Lower *l, Binding *b, rsh_shape **shape, rsh_fault *fault,
                          const char **missing) {
  int32_t count = 0;
  rsh_status status = rsh_out_count(&b->call, &count, fault);
  if (status != RSH_ok)
    return status;
  b->call.out_count = count;
  if (b->call.out_count > MAX_RESULTS) {
    problem_set(l, &b->problem, b->span, "limit", "%d results of one call; at most %d",
                b->call.out_count, MAX_RESULTS);
    return RSH_ok;
  }
  *shape = ARENA_ARRAY(l->arena, rsh_shape, b->call.out_count);
  return need_resolve(l, &b->call, *shape, fault, b->span, missing);
}

// Turns an unknown size of a value into a symbol, which a program can compute with. False: it cannot, and an
// error was reported.
static bool open_size(Lower *l, rsh_num *size, Span span) {
  for (int i = 0; rsh_is_unknown(*size) && i < l->graph->value.count; i++) {
    Value *value = l->graph->value.item[i];
    for (int k = 0; k < value->shape.rank; k++) {
      if (!rsh_equal(value->shape.dim[k], *size))
        continue;
      if (!sizes_open(l, value, span))
        return false;
      *size = value->shape.dim[k];
    }
  }
  return true;
}

// Steps derive arguments from shapes that may be unknown; an entry that is data is read when the program runs.
static bool open_arguments(Lower *l, Binding *b) {
  bool is_open = true;
  for (int i = 0; i < RSH_MAX_ARGS; i++) {
    rsh_arg *arg = &b->call.arg[i];
    bool has_unknown = false,
         is_tensor = b->arg[i].data.tensor != NULL; // all its entries are data
    for (int k = 0; arg->list && !is_tensor && k < arg->count; k++)
      has_unknown = has_unknown || rsh_is_unknown(arg->list[k]);
    if (!has_unknown)
      continue;
    rsh_num *list = ARENA_ARRAY(l->arena, rsh_num, arg->count);
    memcpy(list, arg->list, (size_t)arg->count * sizeof *list);
    for (int k = 0; k < arg->count; k++)
      if (!b->arg[i].data.entry || !b->arg[i].data.entry[k])
        is_open = is_open && open_size(l, &list[k], b->span);
    arg->list = list;
  }
  return is_open;
}

// The operands of a pick reside in memory in row-major order.
Value *apply_row_major(Lower *l, const rsh_call *pick, Value *operand, Span span) {
  return rsh_takes_indices(pick) && pick->in_count == 2 && value_is_strided(operand)
             ? apply_identity(l, operand, span)
             : operand;
}

static void lay_operands(Lower *l, Binding *b) {
  Value *in[2];
  bool is_stored = false;
  if (b->call.in_count != 2 || b->poisoned)
    return;
  for (int i = 0; i < 2; i++) {
    in[i] = apply_row_major(l, &b->call, b->in[i], b->in_span[i]);
    is_stored = is_stored || in[i] != b->in[i];
  }
  if (is_stored)
    binding_operands(l, b, in, b->in_span, 2);
}

Values binding_resolve(Lower *l, Binding *b) {
  lay_operands(l, b);
  rsh_fault fault = {.input = -1, .arg = -1, .entry = -1};
  rsh_shape *shape = NULL;
  const TargetData *data = NULL;
  const char *missing = NULL;
  b->poisoned = b->poisoned || !open_arguments(l, b);
  b->call.symbols = l->graph->symbols; // operands may have created it
  if (!b->poisoned && b->call.in_count > 0) {
    rsh_status status = resolve(l, b, &shape, &fault, &missing);
    if (l->again)
      return (Values){0};
    // A given argument that is invalid is not a missing one.
    bool is_of_unbound = fault.arg >= 0 && b->arg[fault.arg].unbound;
    if (status != RSH_ok && !is_of_unbound &&
        (!b->problem.kind || (int)status < kind_rank(b->problem.kind))) {
      b->problem = (Problem){0};
      fault_problem(l, b, status, &fault, &b->problem);
    }
    check_places(l, b, &b->problem);
    data = target_data(l, b, &b->problem);
    if (status == RSH_ok && !b->problem.kind)
      check_fill(l, b, &b->problem);
  }
  if (b->problem.kind)
    problem_report(l, &b->problem);
  if (b->problem.kind || b->poisoned || !nodes_reserve(l, 1, b->callee_span))
    return (Values){0};
  edges_of_parts(l, &b->call, b->in, &shape[0]);
  edge_of_bytes(l, &b->call, &shape[0]);
  Node *node = node_new(l, &b->call, b->in, shape, b->span);
  node->data = data;
  node->is_undecided = l->graph->symbols && l->graph->symbols->undecided;
  node->missing = missing;
  return (Values){node->out, node->call.out_count};
}

Value *apply_identity(Lower *l, Value *value, Span span) {
  Binding *b = binding_new(l, RSH_OP_IDENTITY, "identity", span);
  binding_operand(l, b, value, span);
  Values values = binding_resolve(l, b);
  return values.count == 1 ? values.item[0] : NULL;
}
