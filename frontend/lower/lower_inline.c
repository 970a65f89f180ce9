// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of graphs: the nodes of an earlier graph are copied into the caller, with the caller's values
// for its inputs and the caller's sizes for the symbols, and every shape is resolved again.
//
//   graph heads(x: f16[B, S, 768]) -> y { y = reshape(x, [B, S, 12, 64]) }
//   heads(a) where a is f16[8, N, 768]:  B is 8, S is N, one node reshape(a, [8, N, 12, 64])
//
// A graph is already flat when another calls it, so nothing here recurses.
#include "frontend/lower/lower_internal.h"

#include <string.h>

typedef struct Inline {
  Lower *l;
  const Graph *callee;
  const Expr *call;
  Value **given; // per input; then the caller's value for each of the callee's, by id
  Span *span;    // of each input's expression
  rsh_num size[RSH_MAX_SYMBOLS]; // of each callee symbol, in the caller
  uint32_t sized;                // symbols that have one
  uint32_t lacking;              // edges that the caller has no room for
  rsh_num atom[RSH_MAX_SYMBOLS]; // of each of its atoms, if the caller has it
  bool has_atom[RSH_MAX_SYMBOLS];
  int guard;    // the callee's first condition that does not apply yet
  int declared; // the callee's first declaration of a value that does not apply yet
} Inline;

// --- Sizes of the callee in terms of the caller's

// The first symbol in n without a known atom in the caller, or -1.
static int missing_size(const Inline *in, rsh_num n) {
  rsh_terms t = rsh_terms_of(in->callee->symbols, n);
  while (rsh_next_term(&t))
    for (int i; (i = rsh_next_atom(&t)) >= 0;)
      if (!in->has_atom[i])
        return i;
  return -1;
}

static bool inline_number(const Inline *in, rsh_num n, rsh_num *out) {
  return missing_size(in, n) < 0 &&
         num_substitute(in->l->graph->symbols, in->callee->symbols, n, in->atom, out);
}

static void input_mismatch(Inline *in, int input, const char *kind) {
  Lower *l = in->l;
  const Value *param = value_logical(in->callee->value.item[input]);
  bool is_type = strcmp(kind, "type_mismatch") == 0;
  lower_error(l, in->span[input], kind, "'%s' takes %s for '%s'; this is %s%s%s", in->callee->name,
              type_text(l->arena, in->callee, param->dtype, &param->shape), param->name,
              value_label(l, in->given[input]), is_type ? ": cast it to " : "",
              is_type ? rsh_dtype_name(param->dtype) : "");
  diag_note(l->diag, param->span, "'%s' is declared here", param->name);
}

static bool match_lod(Inline *in, int input) {
  Lower *l = in->l;
  const Value *param = value_logical(in->callee->value.item[input]), *given = in->given[input];
  if (!param->lod || given->lod)
    return true;
  lower_error(l, in->span[input], "no_lod",
              "'%s' takes '%s' with sequence offsets, but %s has none", in->callee->name,
              param->name, value_label(l, given));
  diag_note(l->diag, param->span, "'%s' is declared lod here", param->name);
  return false;
}

// The symbol that is a size of an input, or -1; `next` symbols were introduced before it.
static int symbol_of(const Graph *graph, const Expr *dim, int next) {
  for (int i = 0; dim->kind == EXPR_NAME && i < graph->symbol.count; i++)
    if (graph->symbol.item[i].name && strcmp(graph->symbol.item[i].name, dim->name) == 0)
      return i;
  return dim->kind == EXPR_UNKNOWN ? next : -1;
}

static void inline_size(Inline *in, int symbol, rsh_num size) {
  in->size[symbol] = size;
  in->sized |= UINT32_C(1) << symbol;
}

// Substitutes caller sizes into a number over the callee's symbols. False: one of them has no size
// here, or it does not fit.
static bool substitute_raw(const Inline *in, rsh_num n, rsh_num *out) {
  const rsh_symbols *raw = in->callee->raw;
  return (rsh_atoms_of(raw, n) & ~in->sized) == 0 &&
         num_substitute(in->l->graph->symbols, raw, n, in->size, out);
}

// Brings the callee's edges to the caller, as edges of its sizes or as numbers.
static void bring_edges(Inline *in) {
  for (int i = 0; i < in->callee->symbol.count; i++) {
    const Symbol *symbol = &in->callee->symbol.item[i];
    const Edge *edge = &symbol->edge;
    Edge p = {.kind = edge->kind};
    rsh_num size = rsh_int(0);
    if (!symbol->is_edge)
      continue;
    bool fits = substitute_raw(in, edge->at, &p.at) && substitute_raw(in, edge->size, &p.size) &&
                substitute_raw(in, edge->least, &p.least);
    bool is_known = rsh_is_known(p.at) && rsh_is_known(p.size) && rsh_is_known(p.least);
    if (fits && (is_known ? rsh_edge(p.kind, p.at.n, p.size.n, p.least.n, &size.n) == RSH_ok
                          : edge_new(in->l, p, &size)))
      inline_size(in, i, size);
    else if (fits ? !is_known : (edge_symbols(in->callee->raw, edge) & in->lacking) != 0)
      in->lacking |= UINT32_C(1) << i;
  }
}

// Whether the caller has no room for one of these symbols of the callee, which is an error.
static bool has_no_room(const Inline *in, uint32_t symbols) {
  bool has_none = (symbols & in->lacking) != 0;
  if (has_none)
    lower_error(
        in->l, in->call->call.callee_span, "limit",
        "more than %d sizes known only at run time in one graph, quotients of '%s' included",
        RSH_MAX_SYMBOLS, in->callee->name);
  return has_none;
}

// Returns whether a size of an input is, or may be, the one that the callee declares.
static bool takes_size(Inline *in, int input, int axis, rsh_num declared) {
  Value *given = in->given[input];
  rsh_shape shape = {.rank = given->shape.rank};
  Never never;
  for (int i = 0; i < shape.rank; i++)
    shape.dim[i] = i == axis ? declared : (rsh_num){0, RSH_UNKNOWN};
  declare_value(in->l, given, &shape, false, in->span[input]);
  return compare_declared(in->l, given, &shape, in->span[input], &never);
}

// Matches types, ranks, and the sizes that are names. Calls pass logical values: a layout belongs to memory, and does
// not cross a call.
static bool match_input(Inline *in, int input, int *next) {
  const Value *param = value_logical(in->callee->value.item[input]);
  Value *given = in->given[input];
  const AstType *type = &in->callee->ast->input[input].type;
  if (param->dtype != given->dtype) {
    input_mismatch(in, input, "type_mismatch");
    return false;
  }
  if (param->shape.rank == RSH_RANK_UNKNOWN)
    return match_lod(in, input);
  if (!sizes_open(in->l, given, in->span[input]))
    return false;
  bool good = param->shape.rank == given->shape.rank;
  for (int i = 0; good && i < type->dim_count; i++) {
    while (*next < in->callee->symbol.count && in->callee->symbol.item[*next].is_edge)
      ++*next;
    int symbol = symbol_of(in->callee, type->dim[i], *next);
    if (symbol == *next) {
      inline_size(in, symbol, given->shape.dim[i]);
      ++*next;
    } else if (symbol >= 0) {
      good = takes_size(in, input, i, in->size[symbol]);
    }
  }
  if (!good)
    input_mismatch(in, input, "shape_mismatch");
  return good && match_lod(in, input);
}

// Matches the sizes that are expressions, after all names are known.
static bool match_sizes(Inline *in, int input) {
  const Value *param = value_logical(in->callee->value.item[input]);
  for (int i = 0; i < param->shape.rank; i++) {
    rsh_num size; // an unknown rank has none
    if (in->callee->ast->input[input].type.dim[i]->kind == EXPR_NAME ||
        in->callee->ast->input[input].type.dim[i]->kind == EXPR_UNKNOWN ||
        (inline_number(in, param->shape.dim[i], &size) && takes_size(in, input, i, size)))
      continue;
    int missing = missing_size(in, param->shape.dim[i]);
    if (missing < 0 || !has_no_room(in, UINT32_C(1) << missing))
      input_mismatch(in, input, "shape_mismatch");
    return false;
  }
  return true;
}

// Conditions of the callee apply here too: those that it checks up to this node, before this node is copied. Conditions
// of resolve are found again here, so they may be left to it.
static bool inline_guards(Inline *in, int node) {
  Lower *l = in->l;
  for (; in->guard < in->callee->guard.count; in->guard++) {
    const Guard *old = &in->callee->guard.item[in->guard];
    Guard guard = *old;
    if (old->node > node)
      break;
    guard.span = in->call->span;
    bool fits = substitute_raw(in, old->left, &guard.left) &&
                substitute_raw(in, old->right, &guard.right) &&
                substitute_raw(in, old->remainder_of, &guard.remainder_of);
    bool is_number = fits && (rsh_is(old->remainder_of, 0) ||
                              !rsh_at_most(l->graph->symbols, guard.remainder_of, rsh_int(0)));
    if (is_number ? guard_add(l, guard) : old->is_rule)
      continue;
    if (fits)
      lower_error(l, in->call->call.callee_span, rsh_status_name(old->status),
                  "a condition of '%s' does not hold here: %s", in->callee->name,
                  is_number ? condition_text(l->arena, l->graph, &guard)
                            : guard_text(l->arena, in->callee, old));
    else if (!has_no_room(in, rsh_atoms_of(in->callee->raw, old->left) |
                                  rsh_atoms_of(in->callee->raw, old->right) |
                                  rsh_atoms_of(in->callee->raw, old->remainder_of)))
      lower_error(l, in->call->call.callee_span, "overflow",
                  "a number of a condition of '%s' does not fit 64 bits here", in->callee->name);
    diag_note(l->diag, old->span, "the condition is %s", guard_text(l->arena, in->callee, old));
    return false;
  }
  return true;
}

// W / 16 for a W that the callee divides by 16. The caller may be unable to prove that it is divisible; that matters
// only if the callee's arguments use it. A graph for the runtime takes no facts from the callee's conditions, but it
// checks that W is divisible, so a quotient is the same.
static void set_atom(Inline *in, int i) {
  rsh_num size = in->size[i], divisor = rsh_int(in->callee->symbol.item[i].divisor);
  bool takes_no_facts = in->l->known->finds_nothing || in->l->is_undecided;
  in->has_atom[i] = rsh_div(in->l->graph->symbols, size, divisor, &in->atom[i]) ||
                    (takes_no_facts && edge_quotient(in->l, size, divisor, &in->atom[i]));
}

// --- Nodes

static bool node_fault(Inline *in, const Node *old, rsh_status status) {
  Lower *l = in->l;
  lower_error(l, in->call->call.callee_span, rsh_status_name(status),
              "'%s' cannot be called with these sizes: %s: %s", in->callee->name,
              rsh_op_name(old->call.op), rsh_status_string(status));
  diag_note(l->diag, old->span, "this fails");
  return false;
}

// Reports the callee's symbol that the caller has no number for.
static void missing_fault(Inline *in, int symbol) {
  Lower *l = in->l;
  const Symbol *of = &in->callee->symbol.item[symbol];
  if (!has_no_room(in, UINT32_C(1) << symbol))
    lower_error(l, in->call->call.callee_span, "unknown_size",
                "'%s' divides '%s' by %lld, but %s may not be a multiple of it; add a condition "
                "after 'where'",
                in->callee->name, of->name ? of->name : "?", (long long)of->divisor,
                size_label(l, in->size[symbol]));
}

static bool argument_fault(Inline *in, const Node *old, rsh_num n) {
  int symbol = missing_size(in, n);
  if (symbol < 0)
    return node_fault(in, old, RSH_overflow);
  missing_fault(in, symbol);
  diag_note(in->l->diag, old->span, "this is where");
  return false;
}

static bool copy_arg(Inline *in, const Node *node, rsh_arg *arg) {
  bool has_symbol = false;
  if ((arg->kind != RSH_ARG_LIST && arg->kind != RSH_ARG_TENSOR) || !arg->list)
    return true;
  for (int32_t i = 0; i < arg->count; i++)
    has_symbol = has_symbol || !rsh_is_known(arg->list[i]);
  if (!has_symbol)
    return true;
  rsh_num *list = ARENA_ARRAY(in->l->arena, rsh_num, arg->count);
  for (int32_t i = 0; i < arg->count; i++)
    if (!inline_number(in, arg->list[i], &list[i]))
      return argument_fault(in, node, arg->list[i]);
  arg->list = list;
  return true;
}

static bool readable(Inline *in, const Node *old, const Value *value) {
  Lower *l = in->l;
  if (is_readable_target(value))
    return true;
  lower_error(l, in->call->call.callee_span, "unsupported",
              "'%s' takes %s that is data: it must be an input of this graph, without a layout, or "
              "be made from elements of inputs",
              in->callee->name,
              rsh_op_family(old->call.op) == RSH_RESHAPES ? "a target shape" : "a list");
  diag_note(l->diag, old->span, "it is read here");
  return false;
}

// Copies the tensors that the targets of a node are read from, as the caller's values.
static bool copy_data(Inline *in, const Node *old, rsh_call *call, const TargetData **out) {
  if (!old->data)
    return true;
  TargetData *data = ARENA_ARRAY(in->l->arena, TargetData, RSH_MAX_ARGS);
  *out = data;
  for (int i = 0; i < RSH_MAX_ARGS; i++) {
    int32_t count = old->data[i].entry ? old->call.arg[i].count : 0;
    const Value **entry = ARENA_ARRAY(in->l->arena, const Value *, count + 1);
    int64_t *at = ARENA_ARRAY(in->l->arena, int64_t, count + 1);
    if (old->data[i].tensor) {
      data_whole(in->l, call->op, in->given[old->data[i].tensor->id], &call->arg[i], &data[i]);
      if (data[i].tensor && !readable(in, old, data[i].tensor))
        return false;
      continue;
    }
    rsh_num *list = ARENA_ARRAY(in->l->arena, rsh_num, count + 1);
    for (int32_t k = 0; k < count; k++) {
      list[k] = call->arg[i].list[k];
      if (!old->data[i].entry[k])
        continue;
      entry[k] = in->given[old->data[i].entry[k]->id];
      at[k] = target_at(&old->data[i], k);
      if (!target_element(&entry[k], &at[k]) && !readable(in, old, entry[k]))
        return false;
      (void)target_constant(&entry[k], at[k], &list[k]);
    }
    if (count > 0) {
      call->arg[i].list = list;
      data[i] = (TargetData){.entry = entry, .at = at};
    }
  }
  return true;
}

// f(x, x), if f gives its first input away and then reads the second.
static bool check_places(Inline *in, Value *const *operand, int32_t count) {
  Lower *l = in->l;
  for (int32_t i = 0; i < count; i++) {
    const Span *given_away = place_given_away(operand[i]);
    if (!given_away)
      continue;
    lower_error(l, in->call->call.callee_span, "inplace_reuse",
                "'%s' reads %s after 'inplace' overwrote it", in->callee->name,
                value_label(l, operand[i]));
    diag_note(l->diag, *given_away, "'inplace' overwrites it here");
    return false;
  }
  return true;
}

// Sets the callee's symbols that are sizes of this value.
static bool inline_sizes(Inline *in, const Value *from, Value *value) {
  for (int i = 0; i < in->callee->symbol.count; i++) {
    const Symbol *symbol = &in->callee->symbol.item[i];
    if (symbol->of != from)
      continue;
    rsh_num size;
    if (!size_of_axis(in->l, value, symbol->axis, in->call->span, &size))
      return false;
    inline_size(in, i, size);
    set_atom(in, i);
  }
  return true;
}

static bool copy_node(Inline *in, const Node *old) {
  Lower *l = in->l;
  rsh_call call = old->call;
  Value **operand = ARENA_ARRAY(l->arena, Value *, call.in_count);
  const rsh_shape **shape = ARENA_ARRAY(l->arena, const rsh_shape *, call.in_count);
  for (int32_t i = 0; i < call.in_count; i++) {
    operand[i] = apply_row_major(l, &call, in->given[old->in[i]->id], in->call->span);
    if (!operand[i])
      return false;
    shape[i] = &operand[i]->shape;
  }
  if (!check_places(in, operand, call.in_count))
    return false;
  call.in = shape;
  call.symbols = l->graph->symbols;
  graph_take_constants(l->arena, l->graph, in->callee, &call);
  for (int i = 0; i < RSH_MAX_ARGS; i++)
    if (!copy_arg(in, old, &call.arg[i]))
      return false;
  const TargetData *data = NULL;
  if (!copy_data(in, old, &call, &data))
    return false;
  rsh_shape *result = ARENA_ARRAY(l->arena, rsh_shape, call.out_count);
  rsh_fault fault = {.input = -1, .arg = -1, .entry = -1};
  const char *missing;
  rsh_status status = need_resolve(l, &call, result, &fault, in->call->span, &missing);
  if (l->again)
    return false;
  if (status != RSH_ok)
    return node_fault(in, old, status);
  Node *node = node_new(l, &call, operand, result, old->span);
  node->data = data;
  node->is_undecided = l->graph->symbols && l->graph->symbols->undecided;
  node->missing = missing;
  node->restates = old->restates;
  for (int32_t i = 0; i < call.out_count; i++) {
    const Value *from = old->out[i];
    in->given[from->id] = node->out[i];
    if (!inline_sizes(in, from, node->out[i]))
      return false;
    node->out[i]->is_view = from->is_view;
    node->out[i]->view_span = from->view_span;
    if (from->original)
      place_rename(node->out[i], operand[0]);
  }
  place_give_away(l, node, in->call->span);
  return true;
}

// A shape that the callee declares, over the caller's numbers. Returns the first axis whose size the caller has no
// number for, or -1.
static int inline_shape(const Inline *in, const rsh_shape *declared, rsh_shape *out) {
  int lost = -1;
  *out = *declared;
  for (int i = 0; i < declared->rank; i++)
    if (!rsh_is_unknown(declared->dim[i]) && !inline_number(in, declared->dim[i], &out->dim[i])) {
      lost = lost < 0 ? i : lost;
      out->dim[i] = (rsh_num){0, RSH_UNKNOWN};
    }
  return lost;
}

static bool declared_fault(Inline *in, const Output *output, int axis) {
  int symbol = missing_size(in, output->declared->dim[axis]);
  if (symbol >= 0)
    missing_fault(in, symbol);
  else
    lower_error(in->l, in->call->call.callee_span, "overflow",
                "the declared size of axis %d of result '%s' of '%s' does not fit 64 bits here",
                axis, output->name, in->callee->name);
  return false;
}

// Checks a declaration of a result that only the callee's program could compare: the caller's program compares it with
// the rank and the sizes of the copied value.
static bool check_declared(Inline *in, const Output *output, Value **result) {
  Lower *l = in->l;
  Value *value = *result;
  rsh_shape shape;
  Never never;
  if (output->stated && !output->declared) {
    bool is_lost = inline_shape(in, output->stated, &shape) >= 0;
    declare_value(l, value, &shape, is_lost, in->call->span);
  }
  if (!output->declared)
    return true;
  int lost = inline_shape(in, output->declared, &shape);
  if (lost >= 0)
    return declared_fault(in, output, lost);
  value->name = value->name ? value->name : output->name;
  if (compare_declared(l, value, &shape, in->call->span, &never)) {
    *result = value_as_declared(l, value, &shape, in->call->span);
    return *result != NULL;
  }
  if (never.is_found)
    lower_error(l, in->call->call.callee_span, "shape_mismatch",
                "result '%s' of '%s' does not fit its declaration: %s%s", output->name,
                in->callee->name, never.axis == AXIS_RANK ? "rank " : "",
                condition_text(l->arena, l->graph, &never.guard));
  return false;
}

// Declarations of values in the callee stand in the caller's text too, where they are checked.
static void bring_declared(Inline *in, int node) {
  for (; in->declared < in->callee->declared.count; in->declared++) {
    const Stated *d = &in->callee->declared.item[in->declared];
    rsh_shape shape;
    if (d->node > node)
      break;
    bool is_lost = inline_shape(in, &d->shape, &shape) >= 0 || d->is_lost;
    declare_value(in->l, in->given[d->value->id], &shape, is_lost, in->call->span);
  }
}

static Values copy_nodes(Inline *in) {
  Values values = {0};
  if (in->callee->symbols) // its numbers become the caller's, unknown ones too
    graph_symbols(in->l);
  for (int i = 0; i < in->callee->input_count; i++)
    in->given[value_logical(in->callee->value.item[i])->id] = in->given[i];
  for (int i = 0; i < in->callee->node.count; i++) {
    bring_declared(in, i);
    if (!inline_guards(in, i) || in->l->again ||
        (!in->callee->node.item[i]->is_layout && !copy_node(in, in->callee->node.item[i])))
      return values;
  }
  bring_declared(in, in->callee->node.count);
  if (!inline_guards(in, in->callee->node.count) || in->l->again)
    return values;
  values.item = ARENA_ARRAY(in->l->arena, Value *, in->callee->output_count);
  for (int i = 0; i < in->callee->output_count; i++) {
    values.item[i] = in->given[value_logical(in->callee->output[i].value)->id];
    if (!check_declared(in, &in->callee->output[i], &values.item[i]))
      return values;
  }
  values.count = in->callee->output_count;
  return values;
}

// --- Arguments

static int input_find(const AstGraph *ast, const char *name) {
  for (int i = 0; i < ast->input_count; i++)
    if (strcmp(ast->input[i].name, name) == 0)
      return i;
  return -1;
}

typedef enum Given { GIVEN, POISONED, REPORTED } Given;

static Given give(Lower *l, const AstGraph *ast, int input, Value *value, Span span, bool *taken,
                  Inline *in) {
  if (input < 0 || input >= ast->input_count) {
    lower_error(l, span, "arity", "too many arguments: '%s' takes %d", ast->name, ast->input_count);
    return REPORTED;
  }
  if (taken[input]) {
    lower_error(l, span, "arity", "argument '%s' is given twice", ast->input[input].name);
    return REPORTED;
  }
  taken[input] = true;
  in->given[input] = value;
  in->span[input] = span;
  return value ? GIVEN : POISONED;
}

// Sets the caller's value for each input. False: an error was reported, here or before.
static bool gather(Inline *in, const AstGraph *ast, const Piped *piped) {
  Lower *l = in->l;
  bool *taken = ARENA_ARRAY(l->arena, bool, ast->input_count);
  int position = 0;
  bool good = true;
  if (piped)
    good = give(l, ast, position++, piped->value, piped->span, taken, in) == GIVEN;
  for (int i = 0; i < in->call->call.count; i++) {
    const Arg *arg = &in->call->call.arg[i];
    int input = arg->name ? input_find(ast, arg->name) : position++;
    if (arg->name && input < 0) {
      lower_error(l, arg->name_span, "unknown_argument", "'%s' has no input '%s'", ast->name,
                  arg->name);
      diag_note(l->diag, ast->name_span, "'%s' is defined here", ast->name);
      good = false;
      continue;
    }
    Value *value = lower_value(l, arg->value);
    Given given = give(l, ast, input, value, arg->value->span, taken, in);
    if (given == REPORTED)
      return false;
    good = given == GIVEN && good;
  }
  int missing = 0;
  for (int i = 0; i < ast->input_count; i++)
    missing += !taken[i];
  if (missing == 0 || !good)
    return good;
  lower_error(l, in->call->call.callee_span, "arity", "'%s' takes %d tensor%s, but %d given",
              ast->name, ast->input_count, ast->input_count == 1 ? "" : "s",
              ast->input_count - missing);
  diag_note(l->diag, ast->name_span, "'%s' is defined here", ast->name);
  return false;
}

static bool callee_is_ready(Lower *l, const Expr *call, const Callee *callee) {
  switch (callee->state) {
  case CALLEE_SELF:
    lower_error(l, call->call.callee_span, "recursion", "graph '%s' calls itself", callee->name);
    return false;
  case CALLEE_BELOW:
    lower_error(l, call->call.callee_span, "unknown_name",
                "graph '%s' is defined below; a graph may call only graphs above it", callee->name);
    diag_note(l->diag, callee->ast->name_span, "'%s' is defined here", callee->name);
    return false;
  case CALLEE_FAILED: // its errors have been reported
    l->failed = true;
    return false;
  case CALLEE_READY:
    break;
  }
  return true;
}

Values call_graph(Lower *l, const Expr *call, const Callee *callee, const Piped *piped) {
  if (!callee_is_ready(l, call, callee)) {
    visit_arguments(l, call);
    return (Values){0};
  }
  // Conditions and edges are found again here, for these sizes.
  const Graph *graph = callee->graph->plain ? callee->graph->plain : callee->graph;
  Inline in = {.l = l, .callee = graph, .call = call};
  in.given = ARENA_ARRAY(l->arena, Value *, graph->value.count);
  in.span = ARENA_ARRAY(l->arena, Span, graph->input_count);
  if (!gather(&in, callee->ast, piped))
    return (Values){0};
  int symbols = 0;
  for (int i = 0; i < graph->input_count; i++)
    if (!match_input(&in, i, &symbols))
      return (Values){0};
  bring_edges(&in);
  if (!inline_guards(&in, GUARD_WHERE) || l->again)
    return (Values){0};
  for (int i = 0; i < graph->symbol.count; i++)
    if ((in.sized >> i & 1) != 0)
      set_atom(&in, i);
  for (int i = 0; i < graph->input_count; i++)
    if (!match_sizes(&in, i))
      return (Values){0};
  if (!nodes_reserve(l, graph->node.count, call->call.callee_span))
    return (Values){0};
  return copy_nodes(&in);
}
