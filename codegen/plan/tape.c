// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the tape of a graph. runtime/program.h explains its words.
#include "codegen/plan/tape.h"

#include "runtime/fold_rules.h" // for NAME_OF: some names are macros
#include "runtime/picks.h"
#include "runtime/program.h"
#include "runtime/resolve.h"

#include <stdlib.h>
#include <string.h>

// Moves that a result may have in addition to those that its operator needs. Each is small; with more,
// operands are looked up element by element.
enum { FREE_ROOM = 16, MOST_ROOM = 1 << 12 };

// Axes that one pad or roll may split; with more, it is executed axis by axis, since the pieces multiply.
enum { MOST_CUT_AXES = 3 };

// Entries of a list of pads.
enum { MOST_PADS = 2 * RSH_MAX_RANK };

typedef struct Writer {
  Arena *arena;
  const Graph *graph;
  Tape *tape;
  int64_t *id;   // by value of the graph: its number on the tape
  int64_t *slot; // by value: its slot if it is read as an argument, or -1
  bool *live;    // by value
  bool copies;   // each result is a copy of an input's memory
  int64_t head[RSH_TAPE_HEAD];
} Writer;

static void put(Writer *w, int64_t word) { VEC_PUSH(w->arena, w->tape->word, word); }

static void raise_to(int64_t *most, int64_t n) { *most = n > *most ? n : *most; }

// ---- numbers ----

// `is_raw`: over parameters, not atoms.
static void put_number(Writer *w, rsh_num n, bool is_raw) {
  if (rsh_is_unknown(n))
    abort(); // arguments have none (lower_apply.c), and declared dims are checked before
  if (rsh_is_known(n)) {
    put(w, RSH_NUMBER_INT);
    put(w, n.n);
    return;
  }
  rsh_terms t = rsh_terms_of(is_raw ? w->graph->raw : w->graph->symbols, n);
  put(w, t.left);
  while (rsh_next_term(&t)) {
    put(w, t.coef);
    put(w, rsh_degree(&t));
    for (int i; (i = rsh_next_atom(&t)) >= 0;)
      put(w, is_raw ? -1 - i : i);
  }
}

// ---- sections ----

// Whether the type of an input names this symbol as its size i: conditions may make other sizes equal to it.
static bool has_name(const Graph *graph, int input, int i, const char *name) {
  const AstType *type =
      graph->ast && !graph->value.item[input]->storage ? &graph->ast->input[input].type : NULL;
  return type && name && i < type->dim_count && type->dim[i]->kind == EXPR_NAME &&
         strcmp(type->dim[i]->name, name) == 0;
}

// Finds a dim of an input that equals a symbol, preferably one that names it.
static void find_size(const Graph *graph, const Symbol *symbol, int64_t *input, int64_t *axis) {
  bool is_found = false;
  for (int k = 0; k < graph->input_count; k++) {
    const rsh_shape *shape = &graph->value.item[k]->shape;
    for (int i = 0; i < shape->rank; i++) {
      bool is_named = has_name(graph, k, i, symbol->name);
      if (!is_named && (is_found || !rsh_equal(shape->dim[i], symbol->num)))
        continue;
      *input = k;
      *axis = i;
      if (is_named)
        return;
      is_found = true;
    }
  }
}

static void put_edge(Writer *w, const Edge *edge) {
  put_number(w, edge->at, true);
  put_number(w, edge->size, true);
  put_number(w, edge->least, true);
}

// Edges come after the table.
static void put_sizes(Writer *w) {
  const Graph *g = w->graph;
  int first = w->tape->word.count;
  w->head[RSH_TAPE_AT_SIZES] = first;
  w->head[RSH_TAPE_SIZES] = g->symbol.count;
  for (int i = 0; i < g->symbol.count; i++) {
    const Symbol *symbol = &g->symbol.item[i];
    int64_t value = symbol->is_edge ? RSH_SIZE_EDGE - (int64_t)symbol->edge.kind : RSH_SIZE_GIVEN,
            axis = 0;
    if (symbol->of) {
      value = w->id[symbol->of->id];
      axis = symbol->axis == AXIS_RANK ? RSH_SIZE_RANK : symbol->axis;
    } else if (w->head[RSH_TAPE_DLPACK] && !symbol->is_edge) {
      find_size(g, symbol, &value, &axis);
    }
    put(w, symbol->divisor);
    put(w, value);
    put(w, axis);
  }
  for (int i = 0; i < g->symbol.count; i++) {
    if (!g->symbol.item[i].is_edge)
      continue;
    w->tape->word.item[first + 3 * i + 2] = w->tape->word.count;
    put_edge(w, &g->symbol.item[i].edge);
  }
}

static void put_dims(Writer *w, const rsh_shape *shape) {
  for (int i = 0; i < shape->rank; i++)
    put_number(w, shape->dim[i], false);
}

static void put_strides(Writer *w, const Value *value) {
  if (!value_is_strided(value))
    return;
  for (int i = 0; i < value->shape.rank; i++)
    put_number(w, value->storage->stride[i], false);
  put_number(w, value->storage->offset, false);
}

// Reserves room for the dims of a value.
static void put_rank(Writer *w, int32_t rank) {
  w->head[RSH_TAPE_DIMS] += rank == RSH_RANK_UNKNOWN ? RSH_MAX_RANK : rank;
}

static void put_input(Writer *w, const Value *value) {
  put(w, value->dtype);
  put(w, value->shape.rank);
  put(w, w->slot[value->id]);
  put(w, value_is_strided(value));
  put(w, shape_symbols(w->graph, &value->shape));
  put_rank(w, value->shape.rank);
  put_dims(w, &value->shape);
  put_strides(w, value);
  w->head[RSH_TAPE_INPUTS]++;
  w->head[RSH_TAPE_ROOM_ALL]++;
}

// Constants are inputs that the emitted function passes itself.
static void put_inputs(Writer *w) {
  w->head[RSH_TAPE_AT_INPUTS] = w->tape->word.count;
  for (int k = 0; k < w->graph->input_count; k++)
    put_input(w, w->graph->value.item[k]);
  for (int k = 0; k < w->tape->constant.count; k++)
    put_input(w, w->tape->constant.item[k]);
}

// ---- nodes ----

static bool is_pad_at(const rsh_arg *pads, int32_t axis) {
  return !rsh_is(pads->list[axis], 0) || !rsh_is(pads->list[pads->count / 2 + axis], 0);
}

// The number of axes that a roll, or a pad with elements of the operand, splits; 0 for all other calls, and for lists
// whose lengths do not match, which the rule reports.
static int32_t slice_axes(const rsh_call *call) {
  const rsh_arg *first = &call->arg[0], *axes = &call->arg[call->op == RSH_OP_PAD ? 3 : 1];
  bool has_axes = axes->kind != RSH_ARG_ABSENT;
  rsh_pad_mode mode;
  int32_t count = 0;
  if (call->op == RSH_OP_PAD && rsh_pad_mode_of(call, &mode) && mode != RSH_PAD_CONSTANT &&
      (!has_axes || first->count == 2 * axes->count))
    for (int32_t i = 0; i < first->count / 2; i++)
      count += is_pad_at(first, i);
  if (call->op == RSH_OP_ROLL && has_axes &&
      (first->count == axes->count || first->count == 1 || axes->count == 1))
    count = first->count > axes->count ? first->count : axes->count;
  return count;
}

// The number of calls, one per axis, that execute such an operator; 0: one call executes it.
static int32_t step_count(const rsh_call *call) {
  int32_t axes = slice_axes(call);
  return axes > MOST_CUT_AXES ? axes : 0;
}

// One of these calls, with the memory of its arguments.
typedef struct Step {
  rsh_call call;
  rsh_num number[3];
  const Value *tensor[3]; // of data
  int64_t at[3];
  TargetData data[RSH_MAX_ARGS];
} Step;

// Copies entry `from` of a list of a node to entry `to` of the step's list.
static void take_entry(Step *step, const Node *node, int arg, int32_t to, int32_t from) {
  const TargetData *data = node->data ? &node->data[arg] : NULL;
  step->number[to] = node->call.arg[arg].list[from];
  if (!data || node->call.arg[arg].kind != RSH_ARG_TENSOR)
    return;
  step->tensor[to] = data->tensor ? data->tensor : data->entry[from];
  step->at[to] = data->tensor ? from : target_at(data, from);
}

// Makes the k-th of these calls.
//   pad [1,0,2, 1,0,3] "edge"   ->   pad [1,1] axes [0], pad [2,3] axes [2]
static void step_of(const Node *node, int32_t k, Step *step) {
  const rsh_call *call = &node->call;
  const rsh_arg *first = &call->arg[0];
  int32_t axes_at = call->op == RSH_OP_PAD ? 3 : 1, at = k;
  const rsh_arg *axes = &call->arg[axes_at];
  *step = (Step){.call = *call};
  if (call->op == RSH_OP_PAD) {
    for (at = 0; !is_pad_at(first, at) || k-- > 0;)
      at++;
    take_entry(step, node, 0, 1, first->count / 2 + at);
  }
  take_entry(step, node, 0, 0, first->count == 1 ? 0 : at);
  step->number[2] = rsh_int(at);
  if (axes->kind != RSH_ARG_ABSENT)
    take_entry(step, node, axes_at, 2, axes->count == 1 ? 0 : at);
  rsh_arg *pads = &step->call.arg[0], *axis = &step->call.arg[axes_at];
  *pads = (rsh_arg){.kind = first->kind, .rank = 1, .list = step->number};
  pads->count = call->op == RSH_OP_PAD ? 2 : 1;
  bool is_late = axes->kind == RSH_ARG_TENSOR;
  *axis = (rsh_arg){.kind = is_late ? RSH_ARG_TENSOR : RSH_ARG_LIST,
                    .rank = 1,
                    .count = 1,
                    .list = &step->number[2]};
  step->data[0] = (TargetData){.entry = step->tensor, .at = step->at};
  step->data[axes_at] = (TargetData){.entry = step->tensor + 2, .at = step->at + 2};
}

// For data of unknown length: the length of a valid list.
static int64_t entries_at_most(const rsh_arg *list, int64_t most) {
  return list->count < 0 || list->count > most ? most : list->count;
}

// The most moves that an operator by itself splits one move into: room_<pieces> of ops.def.
static int64_t room_one(const rsh_call *call) {
  (void)call;
  return 1;
}
static int64_t room_operands(const rsh_call *call) { return call->in_count; }
static int64_t room_indices(const rsh_call *call) { return call->arg[0].count; }
static int64_t room_lengths(const rsh_call *call) { return 2 * (int64_t)call->arg[0].count; }
static int64_t room_center(const rsh_call *call) {
  return 1 + 2 * entries_at_most(&call->arg[0], RSH_MAX_RANK);
}

// `base` to the power of the number of split axes; `otherwise` if there are none.
static int64_t room_of_axes(const rsh_call *call, int base, int64_t otherwise) {
  int64_t pieces = 1;
  for (int32_t axes = slice_axes(call); axes > 0; axes--)
    pieces *= base;
  return pieces > 1 ? pieces : otherwise;
}
static int64_t room_borders(const rsh_call *call) {
  return room_of_axes(call, 6, 1 + entries_at_most(&call->arg[0], MOST_PADS));
}
static int64_t room_turns(const rsh_call *call) { return room_of_axes(call, 3, 3); }

static int64_t pieces_of(const rsh_call *call) {
  switch (call->op) {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  case RSH_OP_##id:                                                                                \
    return room_##pieces(call);
#include "runtime/ops.def"
#undef RSH_OP
  case RSH_OP_COUNT:
    break;
  }
  return 1;
}

// The index of a node on the tape.
static int64_t place_of(const Graph *g, int node) {
  int64_t place = node < 0 ? -1 : node;
  for (int i = 0; i < node; i++)
    place += step_count(&g->node.item[i]->call);
  return place;
}

// Conditions of nodes are guards only if the graph has no other form (Graph.plain), since its sizes follow from them.
// A guard is checked before its node, when the sizes of the nodes before it are known.
static void put_guards(Writer *w) {
  static const rsh_guard_kind kinds[] = {
      [WHERE_EQ] = RSH_GUARD_EQ, [WHERE_NE] = RSH_GUARD_NE, [WHERE_LT] = RSH_GUARD_LT,
      [WHERE_LE] = RSH_GUARD_LE, [WHERE_GT] = RSH_GUARD_GT, [WHERE_GE] = RSH_GUARD_GE,
      [WHERE_IN] = RSH_GUARD_IN};
  const Graph *g = w->graph;
  w->head[RSH_TAPE_AT_GUARDS] = w->tape->word.count;
  for (int i = 0; i < g->guard.count; i++) {
    const Guard *guard = &g->guard.item[i];
    put(w, place_of(g, guard->node));
    put(w, kinds[guard->kind]);
    put(w, guard->status);
    put(w, guard_symbols(g, guard));
    put_number(w, guard->left, true);
    put_number(w, guard->right, true);
    put_number(w, guard->remainder_of, true);
    put(w, guard->choice_count);
    for (int k = 0; k < guard->choice_count; k++)
      put(w, guard->choice[k]);
    w->head[RSH_TAPE_GUARDS]++;
  }
}

static int64_t room_of(const rsh_call *call) {
  int64_t pieces = pieces_of(call);
  return FREE_ROOM + (pieces < MOST_ROOM ? pieces : MOST_ROOM);
}

static void put_argument_head(Writer *w, rsh_arg_kind kind, const rsh_arg *arg, int64_t listed) {
  put(w, kind);
  put(w, arg->rank);
  put(w, arg->count);
  put(w, arg->sizes);
  put(w, listed);
}

static int64_t put_list(Writer *w, const rsh_arg *arg, const TargetData *data) {
  int64_t entries = arg->list && !rsh_arg_is_table(arg) ? arg->count : 0, room = entries;
  put_argument_head(w, arg->kind == RSH_ARG_VALUE ? arg->kind : RSH_ARG_LIST, arg, entries);
  if (arg->rank > 1 || rsh_arg_is_table(arg)) {
    for (int32_t i = 0; i < arg->rank; i++)
      put(w, arg->dims ? arg->dims[i] : 0);
    room += (arg->rank + 3) / 4;
  }
  for (int64_t i = 0; i < entries; i++) {
    const Value *tensor = data && data->entry ? data->entry[i] : NULL;
    if (!tensor) {
      put_number(w, arg->list[i], false);
      continue;
    }
    put(w, RSH_NUMBER_DATA);
    put(w, w->slot[tensor->id]);
    put(w, target_at(data, (int)i));
  }
  return room;
}

// Returns the number of entries that the argument takes.
static int64_t put_argument(Writer *w, const rsh_arg *arg, const TargetData *data) {
  switch (arg->kind) {
  case RSH_ARG_LIST:
  case RSH_ARG_VALUE:
    return put_list(w, arg, NULL);
  case RSH_ARG_TEXT:
    put_argument_head(w, arg->kind, arg, 0);
    put(w, rsh_tape_text(arg->text));
    return 0;
  case RSH_ARG_TENSOR:
    if (!data->tensor)
      return put_list(w, arg, data);
    put_argument_head(w, arg->kind, arg, 0);
    put(w, w->slot[data->tensor->id]);
    return w->head[RSH_TAPE_SLOT_ROOM];
  case RSH_ARG_ABSENT:
    break;
  }
  put_argument_head(w, arg->kind, arg, 0);
  return 0;
}

// In Paddle, a shape that is or contains tensors overrides actual_shape, which is then ignored.
static bool is_outranked(const rsh_call *call, int arg) {
  return call->op == RSH_OP_PADDLE_RESHAPE && arg == 1 && call->arg[0].kind == RSH_ARG_TENSOR;
}

// Returns its index among the functions, which also identifies a table.
static int put_function(Writer *w, const rsh_call *call) {
  rsh_step step;
  if (call->op == RSH_OP_CAST || !rsh_step_of_call(call, &step))
    return 0;
  for (int i = 0; i < w->tape->function.count; i++) {
    step.constant[0] = step.table ? (uint64_t)i : step.constant[0];
    if (rsh_same_step(&w->tape->function.item[i], &step))
      return i;
  }
  step.constant[0] = step.table ? (uint64_t)w->tape->function.count : step.constant[0];
  VEC_PUSH(w->arena, w->tape->function, step);
  return w->tape->function.count - 1;
}

// The number of arguments without trailing absent ones.
static int arguments_of(const rsh_call *call) {
  int count = RSH_MAX_ARGS;
  while (count > 0 && call->arg[count - 1].kind == RSH_ARG_ABSENT)
    count--;
  return count;
}

static void put_result(Writer *w, const rsh_call *call, bool live) {
  int64_t room = room_of(call);
  put(w, room);
  put(w, live);
  if (!live)
    return;
  put_function(w, call);
  w->head[RSH_TAPE_ROOM_ALL] += room;
  w->head[RSH_TAPE_MAPS] += rsh_is_elementwise(call->op) ? room : 0;
  raise_to(&w->head[RSH_TAPE_ROOM], room);
  if (rsh_takes_indices(call)) {
    int32_t rank = call->in[0]->rank;
    w->head[RSH_TAPE_PICKS]++;
    w->head[RSH_TAPE_PICK_AXES] += rsh_picks_room(rank == RSH_RANK_UNKNOWN ? RSH_MAX_RANK : rank);
  }
}

// Adds each operator once, with its fold function even if no result is needed: that is rare.
static void put_operator(Writer *w, rsh_op op) {
#define NAME_OF(function) NAME_AS_IT_IS(function)
#define NAME_AS_IT_IS(function) #function
  static const char *const rule[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  NAME_OF(rsh_rule_##rule),
#include "runtime/ops.def"
#undef RSH_OP
  };
  static const char *const fold[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  NAME_OF(rsh_fold_##rule),
#include "runtime/ops.def"
#undef RSH_OP
  };
#undef NAME_OF
#undef NAME_AS_IT_IS
  for (int i = 0; i < w->tape->operator.count; i++)
    if (w->tape->operator.item[i].op == op)
      return;
  TapeOperator operator= {
    op,
    rule[op],
    w->copies ? NULL : fold[op],
    !w->copies && op == RSH_OP_CAST ? "rsh_program_cast" : NULL
  };
  VEC_PUSH(w->arena, w->tape->operator, operator);
}

// `in`: the operands by their number on the tape; `live`: which results are needed.
static void put_call(Writer *w, const rsh_call *call, const TargetData *data, const int64_t *in,
                     const Value *const *out, const bool *live) {
  int64_t entries = 0;
  int arguments = arguments_of(call);
  put_operator(w, call->op);
  put(w, call->op);
  put(w, call->in_count);
  put(w, call->out_count);
  put(w, rsh_op_family(call->op) == RSH_FILLS ? call->fill : 0);
  put(w, arguments);
  for (int32_t i = 0; i < call->in_count; i++)
    put(w, in[i]);
  for (int32_t i = 0; i < call->out_count; i++) {
    put_rank(w, out[i]->shape.rank);
    put_result(w, call, live[i]);
  }
  static const rsh_arg absent = {.kind = RSH_ARG_ABSENT};
  rsh_num function = rsh_int(call->op == RSH_OP_LOOKUP ? put_function(w, call) : 0);
  const rsh_arg number = {.kind = RSH_ARG_VALUE, .count = 1, .dtype = RSH_I64, .list = &function};
  for (int i = 0; i < arguments; i++)
    entries += put_argument(w,
                            is_outranked(call, i)                 ? &absent
                            : call->op == RSH_OP_LOOKUP && i == 0 ? &number
                                                                  : &call->arg[i],
                            data ? &data[i] : NULL);
  raise_to(&w->head[RSH_TAPE_OPERANDS], call->in_count);
  raise_to(&w->head[RSH_TAPE_RESULTS], call->out_count > 1 ? call->out_count : 0);
  raise_to(&w->head[RSH_TAPE_ENTRIES], entries);
  w->head[RSH_TAPE_NODES]++;
}

// An operator that is executed axis by axis also comes first as a whole, to report its faults; its moves are not
// needed.
static void put_node(Writer *w, const Node *node) {
  const rsh_call *call = &node->call;
  int32_t steps = step_count(call);
  int64_t *in = ARENA_ARRAY(w->arena, int64_t, call->in_count + 1);
  bool *live = ARENA_ARRAY(w->arena, bool, call->out_count + 1);
  for (int32_t i = 0; i < call->in_count; i++)
    in[i] = w->id[node->in[i]->id];
  for (int32_t i = 0; i < call->out_count; i++)
    live[i] = steps == 0 && w->live[node->out[i]->id];
  const Value *const *out = (const Value *const *)node->out;
  put_call(w, call, node->data, in, out, live);
  for (int32_t k = 0; k < steps; k++) {
    Step step;
    step_of(node, k, &step);
    put_call(w, &step.call, step.data, in, out, &w->live[node->out[0]->id]);
    in[0] = w->id[node->out[0]->id] - steps + 1 + k;
  }
}

static void put_nodes(Writer *w) {
  w->head[RSH_TAPE_AT_NODES] = w->tape->word.count;
  for (int i = 0; i < w->graph->node.count; i++)
    put_node(w, w->graph->node.item[i]);
}

// ---- results and constants ----

static void put_declared(Writer *w, const rsh_shape *declared) {
  for (int i = 0; declared && i < declared->rank; i++)
    if (rsh_is_unknown(declared->dim[i]))
      put(w, RSH_NUMBER_NONE);
    else
      put_number(w, declared->dim[i], false);
}

// The input, by its number on the tape, whose memory can be copied unchanged to a value; -1: there is none. A bitcast
// also keeps bits, but needs folding, which handles the byte order.
static int64_t copied_input(const Writer *w, const Value *value) {
  while (value->node) {
    rsh_family family = rsh_op_family(value->node->call.op);
    if ((family != RSH_RESHAPES && family != RSH_KEEPS) || value->node->call.op == RSH_OP_BITCAST)
      return -1;
    value = value->node->in[0];
  }
  return value_is_strided(value) ? -1 : w->id[value->id];
}

static void put_outputs(Writer *w) {
  const Graph *g = w->graph;
  w->head[RSH_TAPE_AT_OUTPUTS] = w->tape->word.count;
  for (int k = 0; k < g->output_count; k++) {
    const Value *value = g->output[k].value;
    put(w, w->id[value->id]);
    put(w, w->id[value_logical(value)->id]);
    put(w, g->output[k].declared ? g->output[k].declared->rank : -2);
    put(w, value_is_strided(value));
    put(w, w->copies ? copied_input(w, value) : -1);
    put_declared(w, g->output[k].declared);
    put_strides(w, value);
    if (value_is_strided(value) || w->head[RSH_TAPE_DLPACK])
      w->head[RSH_TAPE_ROOM_ALL] += w->head[RSH_TAPE_ROOM];
  }
  w->head[RSH_TAPE_OUTPUTS] = g->output_count;
}

// Whether nothing needs folding. DLTensors may have strides.
static bool are_copies(const Writer *w) {
  const Graph *g = w->graph;
  bool all = !graph_takes_tensors(g);
  for (int k = 0; k < g->output_count && all; k++)
    all = !value_is_strided(g->output[k].value) && copied_input(w, g->output[k].value) >= 0;
  return all;
}

static void put_fills(Writer *w) {
  const Graph *g = w->graph;
  w->head[RSH_TAPE_AT_FILLS] = w->tape->word.count;
  for (int i = 0; i < g->fill.count; i++) {
    uint64_t word[2] = {0, 0};
    for (int b = 0; b < 16; b++)
      word[b / 8] |= (uint64_t)g->fill.item[i].bits[b] << (8 * (b % 8));
    put(w, g->fill.item[i].dtype);
    put(w, (int64_t)word[0]);
    put(w, (int64_t)word[1]);
  }
  w->head[RSH_TAPE_FILLS] = g->fill.count;
}

// ---- before the sections ----

// Nodes that no result needs are on the tape to report their faults, together with their operands.
static bool *find_read(const Writer *w) {
  const Graph *g = w->graph;
  bool *is_read = ARENA_ARRAY(w->arena, bool, g->value.count + 1);
  for (int i = 0; i < g->output_count; i++)
    is_read[g->output[i].value->id] = true;
  for (int i = 0; i < g->node.count; i++)
    for (int32_t k = 0; k < g->node.item[i]->call.in_count; k++)
      is_read[g->node.item[i]->in[k]->id] = true;
  return is_read;
}

static void number_values(Writer *w) {
  const Graph *g = w->graph;
  const bool *is_read = find_read(w);
  int64_t next = 0;
  for (; next < g->input_count; next++)
    w->id[next] = next;
  for (int i = g->input_count; i < g->value.count; i++)
    if (is_read[i] && value_is_constant(g->value.item[i])) {
      VEC_PUSH(w->arena, w->tape->constant, g->value.item[i]);
      w->id[i] = next++;
    }
  for (int i = 0; i < g->node.count; i++) {
    const Node *n = g->node.item[i];
    next += step_count(&n->call); // the result of the last step is the node's
    for (int32_t k = 0; k < n->call.out_count; k++)
      w->id[n->out[k]->id] = next++;
  }
  w->head[RSH_TAPE_VALUES] = next;
}

static void mark_used(Writer *w) {
  const Graph *g = w->graph;
  for (int i = 0; i < g->output_count; i++)
    w->live[g->output[i].value->id] = true;
  graph_mark_operands(g, w->live);
}

static void give_slot(Writer *w, const Value *tensor) {
  if (tensor && w->slot[tensor->id] < 0)
    w->slot[tensor->id] = w->head[RSH_TAPE_SLOTS]++;
}

// The entries that a rule may read before it detects that there are too many: all of a list of known length; else one
// for each axis, or two for pads. Axes of a slice are read up to the first repeated one.
static int64_t entries_looked_at(const rsh_call *call, const rsh_arg *list, bool is_whole) {
  return is_whole && list->list     ? list->count
         : call->op == RSH_OP_SLICE ? RSH_MAX_RANK + 1
         : call->op == RSH_OP_PAD   ? MOST_PADS
                                    : RSH_MAX_RANK;
}

static void give_slots(Writer *w) {
  const Graph *g = w->graph;
  for (int i = 0; i < g->value.count; i++)
    w->slot[i] = -1;
  for (int i = 0; i < g->node.count; i++) {
    const Node *n = g->node.item[i];
    for (int a = 0; n->data && a < RSH_MAX_ARGS; a++) {
      if (is_outranked(&n->call, a))
        continue;
      give_slot(w, n->data[a].tensor);
      if (n->data[a].tensor || n->data[a].entry)
        raise_to(&w->head[RSH_TAPE_SLOT_ROOM],
                 entries_looked_at(&n->call, &n->call.arg[a], n->data[a].tensor));
      for (int32_t k = 0; n->data[a].entry && k < n->call.arg[a].count; k++)
        give_slot(w, n->data[a].entry[k]);
    }
  }
}

// Bytes that suffice for all targets. The runtime in the compiler counts with the host's pointers; with 64-bit pointers
// no struct takes more than twice its bytes with 32-bit ones.
static int64_t most_bytes(int64_t bytes) { return bytes * 8 / (int64_t)sizeof(void *); }

const Tape *tape_of(Arena *arena, const Graph *graph) {
  Tape *tape = ARENA_NEW(arena, Tape);
  Writer w = {.arena = arena, .graph = graph, .tape = tape};
  w.id = ARENA_ARRAY(arena, int64_t, graph->value.count + 1);
  w.slot = ARENA_ARRAY(arena, int64_t, graph->value.count + 1);
  w.live = ARENA_ARRAY(arena, bool, graph->value.count + 1);
  for (int i = 0; i < RSH_TAPE_HEAD; i++)
    put(&w, 0);
  w.head[RSH_TAPE_MAGIC] = RSH_TAPE_VERSION;
  w.head[RSH_TAPE_DLPACK] = graph_takes_tensors(graph);
  w.head[RSH_TAPE_ROOM] = FREE_ROOM;
  w.head[RSH_TAPE_OPERANDS] = w.head[RSH_TAPE_MAPS] = 1;
  mark_used(&w);
  number_values(&w);
  w.copies = are_copies(&w);
  tape->mover = w.copies ? "rsh_program_copies" : "rsh_program_moves";
  tape->tensors = w.head[RSH_TAPE_DLPACK] ? "rsh_program_dlpack" : NULL;
  give_slots(&w);
  put_sizes(&w);
  put_inputs(&w);
  put_guards(&w);
  put_nodes(&w);
  put_outputs(&w);
  put_fills(&w);
  w.head[RSH_TAPE_LENGTH] = tape->word.count;
  tape->edges = graph_has_edges(graph) ? "rsh_program_edges" : NULL;
  tape->picks = w.head[RSH_TAPE_PICKS] > 0 ? "rsh_program_picks" : NULL;
  tape->guards = w.head[RSH_TAPE_GUARDS] > 0 ? "rsh_program_guards" : NULL;
  memcpy(tape->word.item, w.head, sizeof w.head);
  tape->plan_bytes = most_bytes(
      rsh_program_plan_bytes(tape->word.item, w.copies ? &rsh_program_copies : &rsh_program_moves));
  tape->shape_bytes = most_bytes(rsh_program_shape_bytes(tape->word.item));
  return tape;
}
