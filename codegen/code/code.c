// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/code/code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The key of a node: its op, operands and number.
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

bool code_is_statement(CodeOp op) {
  return code_type(op) == CODE_NOTHING || op == CODE_FOR || op == CODE_LOOP || op == CODE_CARRY ||
         op == CODE_WALK;
}

Code *code_new(Arena *arena, const Plan *plan) {
  Code *code = ARENA_NEW(arena, Code);
  *code = (Code){.arena = arena, .plan = plan};
  return code;
}

// ---- values ----

static CodeValue append(Code *code, CodeNode node) {
  VEC_PUSH(code->arena, code->node, node);
  return code->node.count - 1;
}

CodeValue code_add(Code *code, CodeOp op, CodeValue a, CodeValue b, CodeValue c, int64_t n) {
  CodeNode node = {.op = op, .operand = {a, b, c}, .n = n};
  if (ops[op].result == CODE_NOTHING || ops[op].result >= CODE_INDEX)
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

// An upper bound of a count, from its operands.
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
  bool fits = true; // a difference of two non-negative signed numbers fits
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
  return code_add(code, CODE_MORE, a, code_literal(code, (uint64_t)limit), CODE_NONE, 0);
}

static bool is_false(const Code *code, CodeValue bit) {
  return bit == CODE_NONE || at(code, bit)->is_ruled_out;
}

// LESS becomes AT_LEAST, and so on; an op that is not a comparison stays.
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

CodeValue code_choose(Code *code, CodeValue test, CodeValue yes, CodeValue no) {
  if (is_false(code, test))
    return no;
  return is(code, test, CODE_TRUTH) ? yes : code_add(code, CODE_CHOOSE, test, yes, no, 0);
}

// ---- indices and addresses ----

rsh_num code_divided(rsh_num n, int64_t unit) { return (rsh_num){n.n / unit, n.poly}; }

CodeValue code_extent(Code *code, rsh_num n) {
  CodeValue extent = leaf(code, CODE_EXTENT, n.n);
  code->node.item[extent].index = n.poly;
  return extent;
}

CodeValue code_index(Code *code, int64_t n) { return code_extent(code, rsh_int(n)); }

CodeValue code_source(Code *code, int id) { return leaf(code, CODE_SOURCE, id); }

CodeValue code_for(Code *code, CodeValue count) {
  return code_add(code, CODE_FOR, count, CODE_NONE, CODE_NONE, 1);
}

CodeValue code_leaf(Code *code, CodeOp op) { return leaf(code, op, 0); }

CodeValue code_unary(Code *code, CodeOp op, CodeValue a) {
  return code_add(code, op, a, CODE_NONE, CODE_NONE, 0);
}

CodeValue code_binary(Code *code, CodeOp op, CodeValue a, CodeValue b) {
  return code_add(code, op, a, b, CODE_NONE, 0);
}

CodeValue code_advance(Code *code, CodeOp op, CodeValue from, CodeValue index, rsh_num stride) {
  return code_add(code, op, from, index, code_extent(code, stride), 0);
}

CodeValue code_further(Code *code, CodeValue from, CodeValue index, rsh_num stride) {
  return rsh_is(stride, 0) ? from : code_advance(code, CODE_FURTHER, from, index, stride);
}

CodeValue code_also_some(Code *code, CodeValue any, rsh_num n) {
  if (plan_is_positive(code->plan, n))
    return any;
  CodeValue some = code_unary(code, CODE_POSITIVE, code_extent(code, n));
  return any == CODE_NONE ? some : code_and(code, any, some);
}

CodeValue code_entry_of(Code *code, const int64_t *list, int64_t count, CodeValue index,
                        const char *name) {
  CodeValue entry = code_add(code, CODE_ENTRY, index, CODE_NONE, CODE_NONE, count);
  code->node.item[entry].list = list;
  return code_named(code, entry, name);
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
    for (int k = 0; k < 3 && (uses[i] > 0 || code_is_statement(at(code, i)->op)); k++)
      if (at(code, i)->operand[k] != CODE_NONE)
        uses[at(code, i)->operand[k]]++;
  return uses;
}

// ---- for people and tests ----

static bool opens(CodeOp op) {
  return op == CODE_IF || op == CODE_ELSE || op == CODE_FOR || op == CODE_LOOP;
}

static bool closes(CodeOp op) { return op == CODE_END || op == CODE_NEXT || op == CODE_ELSE; }

// " inputs: x, constant 0"
static void print_list(const Code *code, const CodeNode *give, FILE *out) {
  int count = code->signature->parameter.count;
  fprintf(out, " %s:%s", give->text, give->index == 0 ? " none" : "");
  for (int i = 0; i < give->index; i++) {
    int entry = (int)give->list[i];
    fprintf(out, "%s ", i ? "," : "");
    if (entry >= count)
      fprintf(out, "constant %d", entry - count);
    else
      fprintf(out, "%s",
              entry < 0 ? "null"
                        : parameter_name(code->arena, code->plan->graph,
                                         code->signature->parameter.item[entry]));
  }
}

static void print_detail(const Code *code, const CodeNode *node, FILE *out) {
  const Graph *graph = code->plan->graph;
  if (node->op == CODE_SIZE)
    fprintf(out, " %s", graph->symbol.item[node->n].name);
  else if (node->op == CODE_MISSING)
    fprintf(out, " %s",
            parameter_name(code->arena, graph, code->signature->parameter.item[node->n]));
  else if (node->op == CODE_FAIL)
    fprintf(out, ", %s", rsh_status_name((rsh_status)node->n));
  else if (node->op == CODE_GIVE)
    print_list(code, node, out);
  else if (node->op == CODE_RETURN_PROGRAM && node->n > 0)
    fprintf(out, " shape in %" PRId64 " bytes", node->n);
  else if (node->op == CODE_STORE_SIZE)
    fprintf(out, ", output %" PRId64 "[%d]", node->n, node->index);
  else if (node->op == CODE_RETURN_VARIANT || node->op == CODE_RETURN_FOUND)
    fprintf(out, ", %" PRId64, node->n);
  else if (node->op == CODE_DO_OUTPUT)
    fprintf(out, " %d", node->index);
  else if (node->op == CODE_DO_NEST || node->op == CODE_DO_PART)
    fprintf(out, "%s share %" PRId64 " of output %d", node->op == CODE_DO_PART ? "," : "", node->n,
            node->index);
  else if (node->op == CODE_MOVE)
    fprintf(out, " %" PRId64 " of source %d%s", node->n, (*node->nest)->source,
            node->index ? " in place" : "");
  else if (node->op == CODE_SHIFT)
    fprintf(out, ", %s bytes %sward", num_text(code->arena, graph, (*node->nest)->run),
            node->n ? "up" : "down");
  else if (node->op == CODE_UNITS || node->op == CODE_WHOLE || node->op == CODE_REST)
    fprintf(out, " of %" PRId64, node->n);
  else if (node->op == CODE_FOR || node->op == CODE_SHIFTED || node->op == CODE_LOW)
    fprintf(out, " by %" PRId64, node->n);
  else if (node->op == CODE_ENTRY)
    fprintf(out, " of %" PRId64 " %s", node->n, node->text);
  else if (node->op == CODE_EXTENT)
    fprintf(out, " %s", num_text(code->arena, graph, code_number_of(node)));
  else if (node->op == CODE_FLOAT)
    fprintf(out, " 0x%" PRIX64, (uint64_t)node->n);
  else if (node->op == CODE_NUMBER_OF || node->op == CODE_ELEMENT_OF)
    fprintf(out, ", %s", rsh_dtype_name((rsh_dtype)node->n));
  else if (node->op == CODE_APPLY)
    fprintf(out, " by %s to %s", rsh_op_name(node->step->op), rsh_dtype_name(node->step->to));
  else if (node->op == CODE_TAKE || node->op == CODE_PUT || node->op == CODE_WORD_OF)
    fprintf(out, " as %s", rsh_dtype_name((rsh_dtype)node->index));
  else if (node->op == CODE_INTEGER || node->op == CODE_TRUTH || node->op == CODE_BITS ||
           node->op == CODE_FILL || node->op == CODE_STAGED)
    fprintf(out, " %" PRId64, node->n);
  else if (node->op == CODE_LITERAL)
    fprintf(out, " %" PRIu64, (uint64_t)node->n);
}

void code_print(const Code *code, FILE *out) {
  const int *uses = code_uses(code, false);
  int depth = 1;
  for (int i = 0; i < code->node.count; i++) {
    const CodeNode *node = at(code, i);
    if (!code_is_statement(node->op) && uses[i] == 0)
      continue;
    depth -= closes(node->op);
    fprintf(out, "%*s", 2 * depth, "");
    if (code_type(node->op) != CODE_NOTHING)
      fprintf(out, "%%%d = ", i);
    fprintf(out, "%s", ops[node->op].text);
    for (int k = 0; k < 3 && node->operand[k] != CODE_NONE; k++)
      fprintf(out, "%s %%%d", k ? "," : "", node->operand[k]);
    print_detail(code, node, out);
    fprintf(out, "\n");
    depth += opens(node->op);
  }
}

// ---- invariants ----

static bool operand_fits(const Code *code, CodeType wanted, const CodeNode *user,
                         const CodeNode *operand) {
  CodeType type = code_type(operand->op);
  if (wanted == CODE_CHECKED)
    return operand->op == CODE_TIMES || operand->op == CODE_PLUS || operand->op == CODE_MINUS;
  if (wanted == CODE_ALIKE)
    return (type == CODE_NUMBER || type == CODE_COUNT || type == CODE_INDEX) &&
           type == code_type(at(code, user->operand[0])->op);
  return wanted == type;
}

// The block of each node: its IF, FOR or LOOP, or CODE_NONE. The index of a FOR is inside the FOR; the value of a LOOP
// is outside, because it is used after the loop.
typedef struct Blocks {
  const CodeValue *of, *outer; // by node; by the node that opens a block: the enclosing block
} Blocks;

static const char *find_blocks(const Code *code, Blocks *blocks) {
  CodeValue *of = ARENA_ARRAY(code->arena, CodeValue, code->node.count + 1),
            *outer = ARENA_ARRAY(code->arena, CodeValue, code->node.count + 1), open = CODE_NONE;
  *blocks = (Blocks){of, outer};
  for (int i = 0; i < code->node.count; i++) {
    CodeOp op = at(code, i)->op, around = open == CODE_NONE ? CODE_OP_COUNT : at(code, open)->op;
    bool is_in_loop = around == CODE_LOOP;
    if ((closes(op) && (open == CODE_NONE || is_in_loop != (op == CODE_NEXT))) ||
        (op == CODE_BREAK && !is_in_loop) || (op == CODE_ELSE && around != CODE_IF))
      return arena_printf(code->arena, "%%%d: %s cannot be in such a block", i, ops[op].text);
    of[i] = open;
    if (closes(op))
      open = outer[open];
    if (opens(op)) {
      outer[i] = open;
      open = i;
    }
    if (op == CODE_FOR)
      of[i] = i;
  }
  return open == CODE_NONE ? NULL : arena_printf(code->arena, "%%%d is not closed", open);
}

static bool is_in_block(const Blocks *blocks, CodeValue block, CodeValue wanted) {
  while (block != wanted && block != CODE_NONE)
    block = blocks->outer[block];
  return block == wanted;
}

// Checks that the entries of a GIVE are parameters of its kind, or constants.
static const char *verify_list(const Code *code, int i) {
  const CodeNode *node = at(code, i);
  for (int k = 0; node->op == CODE_GIVE && k < node->index; k++) {
    int64_t entry = node->list[k], constant = entry - code->signature->parameter.count;
    if (constant >= 0
            ? constant >= code->plan->tape->constant.count
            : entry >= 0 && (int64_t)code->signature->parameter.item[entry].kind != node->n)
      return arena_printf(code->arena, "%%%d: entry %d is not a parameter of its kind", i, k);
  }
  return NULL;
}

const char *code_verify(const Code *code) {
  Blocks blocks;
  const char *wrong = find_blocks(code, &blocks);
  for (int i = 0; i < code->node.count && !wrong; i++) {
    const CodeNode *node = at(code, i);
    wrong = verify_list(code, i);
    for (int k = 0; k < 3 && !wrong; k++) {
      CodeValue operand = node->operand[k];
      bool has_one = ops[node->op].operand[k] != CODE_NOTHING;
      if (has_one != (operand != CODE_NONE))
        wrong = arena_printf(code->arena, "%%%d: %s has the wrong number of operands", i,
                             ops[node->op].text);
      else if (has_one && (operand < 0 || operand >= i))
        wrong = arena_printf(code->arena, "%%%d: operand %%%d does not come before it", i, operand);
      else if (has_one && !operand_fits(code, ops[node->op].operand[k], node, at(code, operand)))
        wrong = arena_printf(code->arena, "%%%d: %s cannot have %%%d as operand %d", i,
                             ops[node->op].text, operand, k + 1);
      else if (has_one && !is_in_block(&blocks, blocks.of[i], blocks.of[operand]))
        wrong =
            arena_printf(code->arena, "%%%d: %%%d belongs to a block that is closed", i, operand);
    }
  }
  return wrong;
}

void code_free(Code *code) { HASH_CLEAR(hh, code->made); }

void code_end(Code *code) {
  const char *wrong = code_verify(code);
  code_free(code);
  if (!wrong)
    return;
  code_print(code, stderr);
  fprintf(stderr, "internal error: code is not valid: %s\n", wrong);
  abort();
}
