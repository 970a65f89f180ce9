// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/code/code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A value by what it is made of.
typedef struct CodeKey {
  struct CodeParts {
    int64_t n;
    int32_t op, operand[3];
  } parts;
  CodeValue value;
  UT_hash_handle hh;
} CodeKey;

static const struct {
  CodeType result, operand[3];
  const char *text;
} ops[CODE_OP_COUNT] = {
#define CODE_OP(id, result, a, b, c, text)                                                         \
  [CODE_##id] = {CODE_##result, {CODE_##a, CODE_##b, CODE_##c}, text},
#include "codegen/code/code_ops.def"
#undef CODE_OP
};

CodeType code_type(CodeOp op) { return ops[op].result; }

// ---- values ----

static CodeValue append(Code *code, CodeNode node) {
  VEC_PUSH(code->arena, code->node, node);
  return code->node.count - 1;
}

CodeValue code_add(Code *code, CodeOp op, CodeValue a, CodeValue b, CodeValue c, int64_t n) {
  CodeNode node = {.op = op, .operand = {a, b, c}, .n = n};
  if (ops[op].result == CODE_NOTHING)
    return append(code, node);
  CodeKey *key = ARENA_NEW(code->arena, CodeKey), *found;
  key->parts = (struct CodeParts){.n = n, .op = (int32_t)op, .operand = {a, b, c}};
  HASH_FIND(hh, code->made, &key->parts, sizeof key->parts, found);
  if (found)
    return found->value;
  key->value = append(code, node);
  HASH_ADD(hh, code->made, parts, sizeof key->parts, key);
  return key->value;
}

static CodeValue leaf(Code *code, CodeOp op, int64_t n) {
  return code_add(code, op, CODE_NONE, CODE_NONE, CODE_NONE, n);
}

static const CodeNode *at(const Code *code, CodeValue value) { return &code->node.item[value]; }

static bool is(const Code *code, CodeValue value, CodeOp op) { return at(code, value)->op == op; }

CodeValue code_integer(Code *code, int64_t n) { return leaf(code, CODE_INTEGER, n); }
CodeValue code_literal(Code *code, uint64_t n) { return leaf(code, CODE_LITERAL, (int64_t)n); }

CodeValue code_named(Code *code, CodeValue value, const char *name) {
  if (!code->node.item[value].text)
    code->node.item[value].text = name;
  return value;
}

// ---- counts ----

// What a count is at most, as far as its making says.
static uint64_t most_of(const Code *code, CodeValue count) {
  const CodeNode *node = at(code, count);
  uint64_t most;
  switch ((int)node->op) {
  case CODE_LITERAL:
    return (uint64_t)node->n;
  case CODE_MAGNITUDE:
    return INT64_MAX;
  case CODE_SELECT: {
    uint64_t one = most_of(code, node->operand[1]), other = most_of(code, node->operand[2]);
    return one > other ? one : other;
  }
  case CODE_TIMES:
    return __builtin_mul_overflow(most_of(code, node->operand[0]), most_of(code, node->operand[1]),
                                  &most)
               ? UINT64_MAX
               : most;
  case CODE_PLUS:
    return __builtin_add_overflow(most_of(code, node->operand[0]), most_of(code, node->operand[1]),
                                  &most)
               ? UINT64_MAX
               : most;
  }
  return UINT64_MAX;
}

static bool is_literal(const Code *code, CodeValue count, uint64_t n) {
  return is(code, count, CODE_LITERAL) && (uint64_t)at(code, count)->n == n;
}

CodeValue code_times(Code *code, CodeValue a, CodeValue b) {
  uint64_t product;
  if (is_literal(code, a, 1))
    return b;
  if (is_literal(code, b, 1))
    return a;
  if (is(code, a, CODE_LITERAL) && is(code, b, CODE_LITERAL) &&
      !__builtin_mul_overflow((uint64_t)at(code, a)->n, (uint64_t)at(code, b)->n, &product))
    return code_literal(code, product);
  return code_add(code, CODE_TIMES, a, b, CODE_NONE, 0);
}

CodeValue code_plus(Code *code, CodeValue a, CodeValue b) {
  return code_add(code, CODE_PLUS, a, b, CODE_NONE, 0);
}

CodeValue code_minus(Code *code, CodeValue a, CodeValue b) {
  return code_add(code, CODE_MINUS, a, b, CODE_NONE, 0);
}

CodeValue code_past(Code *code, CodeValue value) {
  const CodeNode *node = at(code, value);
  uint64_t a, b, n;
  bool fits = true; // a difference of two signed numbers that are not below 0 does
  if (node->op == CODE_TIMES || node->op == CODE_PLUS || node->op == CODE_MINUS) {
    a = most_of(code, node->operand[0]);
    b = most_of(code, node->operand[1]);
    fits = node->op == CODE_TIMES  ? !__builtin_mul_overflow(a, b, &n)
           : node->op == CODE_PLUS ? !__builtin_add_overflow(a, b, &n)
                                   : a <= INT64_MAX && b <= INT64_MAX;
  }
  return fits ? CODE_NONE : code_add(code, CODE_PAST, value, CODE_NONE, CODE_NONE, 0);
}

CodeValue code_magnitude(Code *code, CodeValue number) {
  if (is(code, number, CODE_INTEGER))
    return code_literal(code, (uint64_t)at(code, number)->n);
  if (is(code, number, CODE_FITTED))
    return at(code, number)->operand[0];
  return code_add(code, CODE_MAGNITUDE, number, CODE_NONE, CODE_NONE, 0);
}

CodeValue code_fitted(Code *code, CodeValue count) {
  if (is(code, count, CODE_MAGNITUDE))
    return at(code, count)->operand[0];
  if (is(code, count, CODE_LITERAL))
    return code_integer(code, at(code, count)->n);
  return code_add(code, CODE_FITTED, count, CODE_NONE, CODE_NONE, 0);
}

CodeValue code_quotient(Code *code, CodeValue n, int64_t by) {
  return by == 1 ? n : code_add(code, CODE_QUOTIENT, n, code_integer(code, by), CODE_NONE, 0);
}

// ---- bits ----

static bool holds(CodeOp op, int64_t a, int64_t b) {
  switch ((int)op) {
  case CODE_EQUAL:
    return a == b;
  case CODE_UNEQUAL:
    return a != b;
  case CODE_LESS:
    return a < b;
  case CODE_AT_MOST:
    return a <= b;
  case CODE_MORE:
    return a > b;
  case CODE_AT_LEAST:
    return a >= b;
  }
  abort();
}

static CodeValue truth(Code *code, bool is_true) {
  return is_true ? leaf(code, CODE_TRUTH, 1) : CODE_NONE;
}

CodeValue code_compare(Code *code, CodeOp op, CodeValue a, CodeValue b) {
  if (is(code, a, CODE_INTEGER) && is(code, b, CODE_INTEGER))
    return truth(code, holds(op, at(code, a)->n, at(code, b)->n));
  return code_add(code, op, a, b, CODE_NONE, 0);
}

CodeValue code_above(Code *code, CodeValue a, int64_t limit) {
  CodeValue number = at(code, a)->operand[0];
  if (is(code, a, CODE_LITERAL))
    return truth(code, (uint64_t)at(code, a)->n > (uint64_t)limit);
  if (most_of(code, a) <= (uint64_t)limit)
    return CODE_NONE;
  if (is(code, a, CODE_MAGNITUDE))
    return code_compare(code, CODE_MORE, number, code_integer(code, limit));
  return code_add(code, CODE_ABOVE, a, code_literal(code, (uint64_t)limit), CODE_NONE, 0);
}

static bool is_false(const Code *code, CodeValue bit) {
  return bit == CODE_NONE || at(code, bit)->is_ruled_out;
}

// Of numbers; of what is no comparison of such, the op itself.
static CodeOp opposite(CodeOp op) {
  static const CodeOp pair[][2] = {
      {CODE_EQUAL, CODE_UNEQUAL}, {CODE_LESS, CODE_AT_LEAST}, {CODE_MORE, CODE_AT_MOST}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 2; k++)
      if (pair[i][k] == op)
        return pair[i][1 - k];
  return op;
}

CodeValue code_not(Code *code, CodeValue a) {
  if (is_false(code, a))
    return truth(code, true);
  if (is(code, a, CODE_TRUTH))
    return CODE_NONE;
  const CodeNode *node = at(code, a);
  CodeValue left = node->operand[0], right = node->operand[1];
  if (node->op == CODE_OR) {
    CodeValue not_left = code_not(code, left);
    return code_and(code, not_left, code_not(code, right));
  }
  CodeOp other = opposite(node->op);
  return other != node->op ? code_add(code, other, left, right, CODE_NONE, 0)
                           : code_add(code, CODE_NOT, a, CODE_NONE, CODE_NONE, 0);
}

CodeValue code_and(Code *code, CodeValue a, CodeValue b) {
  if (is_false(code, a) || is_false(code, b))
    return CODE_NONE;
  if (is(code, a, CODE_TRUTH) || is(code, b, CODE_TRUTH))
    return is(code, a, CODE_TRUTH) ? b : a;
  return code_add(code, CODE_AND, a, b, CODE_NONE, 0);
}

CodeValue code_or(Code *code, CodeValue a, CodeValue b) {
  if (is_false(code, a) || is_false(code, b))
    return is_false(code, a) ? (is_false(code, b) ? CODE_NONE : b) : a;
  if (is(code, a, CODE_TRUTH) || is(code, b, CODE_TRUTH))
    return is(code, a, CODE_TRUTH) ? a : b;
  return a == b ? a : code_add(code, CODE_OR, a, b, CODE_NONE, 0);
}

// ---- statements ----

static void rule_out(Code *code, CodeValue bit) {
  CodeNode *node = &code->node.item[bit];
  node->is_ruled_out = true;
  if (node->op == CODE_OR) {
    rule_out(code, node->operand[0]);
    rule_out(code, node->operand[1]);
  }
}

void code_fail(Code *code, CodeValue bad, rsh_status status, const char *text) {
  if (is_false(code, bad))
    return;
  code_named(code, code_add(code, CODE_FAIL, bad, CODE_NONE, CODE_NONE, status), text);
  rule_out(code, bad);
}

int *code_uses(const Code *code, bool keeps_sizes) {
  int *uses = ARENA_ARRAY(code->arena, int, code->node.count + 1);
  for (int i = 0; i < code->symbol_count && keeps_sizes; i++)
    uses[code->symbol[i]]++;
  for (int i = code->node.count - 1; i >= 0; i--)
    for (int k = 0; k < 3 && (uses[i] > 0 || code_type(at(code, i)->op) == CODE_NOTHING); k++)
      if (at(code, i)->operand[k] != CODE_NONE)
        uses[at(code, i)->operand[k]]++;
  return uses;
}

// ---- for people and tests ----

static void print_detail(const Code *code, const CodeNode *node, FILE *out) {
  const Graph *graph = code->plan->graph;
  if (node->op == CODE_SIZE)
    fprintf(out, " %s", graph->symbol.item[node->n].name);
  else if (node->op == CODE_MISSING)
    fprintf(out, " %s",
            parameter_name(code->arena, graph, code->signature->parameter.item[node->n]));
  else if (node->op == CODE_FAIL)
    fprintf(out, ", %s", rsh_status_name((rsh_status)node->n));
  else if (node->op == CODE_STORE)
    fprintf(out, ", output %" PRId64 "[%d]", node->n, node->index);
  else if (node->op == CODE_LEAVE || node->op == CODE_EDGE)
    fprintf(out, ", %" PRId64, node->n);
  else if (node->op == CODE_INTEGER || node->op == CODE_TRUTH)
    fprintf(out, " %" PRId64, node->n);
  else if (node->op == CODE_LITERAL)
    fprintf(out, " %" PRIu64, (uint64_t)node->n);
}

void code_print(const Code *code, FILE *out) {
  const int *uses = code_uses(code, false);
  for (int i = 0; i < code->node.count; i++) {
    const CodeNode *node = at(code, i);
    bool is_statement = code_type(node->op) == CODE_NOTHING;
    if (!is_statement && uses[i] == 0)
      continue;
    if (!is_statement)
      fprintf(out, "  %%%d =", i);
    else
      fprintf(out, " ");
    fprintf(out, " %s", ops[node->op].text);
    for (int k = 0; k < 3 && node->operand[k] != CODE_NONE; k++)
      fprintf(out, "%s %%%d", k ? "," : "", node->operand[k]);
    print_detail(code, node, out);
    fprintf(out, "\n");
  }
}

static bool fits(CodeType wanted, const CodeNode *operand) {
  if (wanted == CODE_CHECKED)
    return operand->op == CODE_TIMES || operand->op == CODE_PLUS || operand->op == CODE_MINUS;
  return wanted == code_type(operand->op);
}

const char *code_verify(const Code *code) {
  for (int i = 0; i < code->node.count; i++) {
    const CodeNode *node = at(code, i);
    for (int k = 0; k < 3; k++) {
      CodeValue operand = node->operand[k];
      bool has_one = ops[node->op].operand[k] != CODE_NOTHING;
      if (has_one != (operand != CODE_NONE))
        return arena_printf(code->arena, "%%%d: %s has another number of operands", i,
                            ops[node->op].text);
      if (has_one && (operand < 0 || operand >= i))
        return arena_printf(code->arena, "%%%d: operand %%%d does not stand before it", i, operand);
      if (has_one && !fits(ops[node->op].operand[k], at(code, operand)))
        return arena_printf(code->arena, "%%%d: %s cannot have %%%d as operand %d", i,
                            ops[node->op].text, operand, k + 1);
    }
  }
  return NULL;
}

void code_end(Code *code) {
  const char *wrong = code_verify(code);
  HASH_CLEAR(hh, code->made);
  if (!wrong)
    return;
  code_print(code, stderr);
  fprintf(stderr, "internal error: code is not valid: %s\n", wrong);
  abort();
}
