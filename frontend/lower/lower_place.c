// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paddle's inplace=True: the result is the operand's variable with another shape, so any later read
// of the operand, under any name, would see that shape.
//
//   a = x
//   y = paddle.reshape(x, [6], inplace=True)      x is given away, and a is x
//   z = transpose(a)                              an error, even if it comes before y
#include "frontend/lower/lower_internal.h"

#include <string.h>

static Value *variable(Value *value) { return value->original ? value->original : value; }

void place_rename(Value *value, Value *original) { value->original = variable(original); }

static bool is_in_place(const Lower *l, const rsh_call *call) {
  const OpEntry *op = op_entry(l, call->op);
  for (int i = 0; i < op->param_count; i++)
    if (strcmp(op->param[i].name, "inplace") == 0)
      return call->arg[i].kind == RSH_ARG_LIST && rsh_is(call->arg[i].list[0], 1);
  return false;
}

static bool stands_for(const Value *value, const Value *given) {
  return value && (value == given || value->original == given);
}

// Returns whether a target of the node is the variable, or has it as an entry.
static bool is_target_of(const Value *given, const Node *node) {
  for (int a = 0; node->data && a < RSH_MAX_ARGS; a++) {
    const TargetData *data = &node->data[a];
    bool reads = stands_for(data->tensor, given);
    for (int32_t i = 0; data->entry && i < node->call.arg[a].count; i++)
      reads = reads || stands_for(data->entry[i], given);
    if (reads)
      return true;
  }
  return false;
}

// Another node that reads the variable; nodes that only rename it do not count.
static const Node *other_reader(const Lower *l, Value *given, const Node *node) {
  for (int i = 0; i < l->graph->node.count; i++) {
    const Node *other = l->graph->node.item[i];
    if (other != node && is_target_of(given, other))
      return other;
    for (int32_t k = 0; other != node && k < other->call.in_count; k++)
      if (variable(other->in[k]) == given && variable(other->out[0]) != given)
        return other;
  }
  return NULL;
}

void place_give_away(Lower *l, const Node *node, Span span) {
  if (!is_in_place(l, &node->call))
    return;
  Value *given = variable(node->in[0]);
  const Node *reader = other_reader(l, given, node);
  if (reader) {
    lower_error(l, span, "inplace_reuse",
                "%s cannot be overwritten, because another operator reads it",
                value_label(l, given));
    diag_note(l->diag, reader->span, "it is read here");
  }
  given->is_given_away = true;
  given->given_away_at = span;
  node->out[0]->is_in_place = true;
}

const Span *place_given_away(const Value *value) {
  const Value *of = value->original ? value->original : value;
  return of->is_given_away ? &of->given_away_at : NULL;
}
