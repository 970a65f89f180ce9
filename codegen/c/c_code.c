// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code (codegen/code/code.h) as C. What several need is a constant; all else stands where it is needed.
//
//   const uint64_t count = (uint64_t)B * (uint64_t)S;
//   if (past_times((uint64_t)B, (uint64_t)S) || count > (uint64_t)INT64_MAX) {
//     return RSH_overflow;
//   }
#include "codegen/c/c_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// How tightly an operator binds its operands, from loose to tight.
typedef enum Binding { CHOICE, EITHER, BOTH, COMPARED, ADDED, MULTIPLIED, CAST } Binding;

static const char *text_of(CPrinter *p, CodeValue value, Binding around);

static const CodeNode *node_of(const CPrinter *p, CodeValue value) {
  return &p->code->node.item[value];
}

// Whether a count is a number of its own that is not below 0, so that no difference of two overflows.
static bool is_number(const CPrinter *p, CodeValue count) {
  const CodeNode *node = node_of(p, count);
  return node->op == CODE_MAGNITUDE || (node->op == CODE_LITERAL && node->n >= 0);
}

// Whether it is written as a difference of signed numbers.
static bool is_difference(const CPrinter *p, const CodeNode *node) {
  return node->op == CODE_MINUS && is_number(p, node->operand[0]) && is_number(p, node->operand[1]);
}

// Operand k as the text has it: `past` is a function of what its operand is made of.
static CodeValue written_operand(const CPrinter *p, const CodeNode *node, int k) {
  if (node->op == CODE_PAST)
    node = node_of(p, node->operand[0]);
  CodeValue operand = node->operand[k];
  bool is_cast = operand != CODE_NONE && node_of(p, operand)->op == CODE_MAGNITUDE;
  return is_cast && is_difference(p, node) ? node_of(p, operand)->operand[0] : operand;
}

CPrinter c_code_begin(CKernel *k, const Code *code, bool keeps_sizes) {
  CPrinter p = {.k = k, .code = code};
  p.uses = ARENA_ARRAY(k->file->arena, int, code->node.count + 1);
  p.name = ARENA_ARRAY(k->file->arena, const char *, code->node.count + 1);
  for (int i = 0; i < code->symbol_count && keeps_sizes; i++)
    p.uses[code->symbol[i]] += k->plan->graph->symbol.item[i].is_edge;
  for (int i = code->node.count - 1; i >= 0; i--) {
    const CodeNode *node = node_of(&p, i);
    bool is_written = p.uses[i] > 0 || code_type(node->op) == CODE_NOTHING;
    for (int o = 0; o < 3 && is_written; o++) {
      CodeValue operand = written_operand(&p, node, o);
      if (operand != CODE_NONE)
        p.uses[operand]++;
    }
  }
  return p;
}

// ---- helpers of the file ----

// Whether a * b, a + b, or a - b as a signed number is past 64 bits; and that difference, which has a value also where
// it is past them: constants are worked out before it is asked.
static const char *helper(CFile *file, const char *name) {
  static const struct {
    const char *name, *text;
  } all[] = {
      {"past_times",
       "_Bool %s(uint64_t a, uint64_t b) {\n  return b != 0U && a > UINT64_MAX / b;\n}\n"},
      {"past_plus", "_Bool %s(uint64_t a, uint64_t b) {\n  return a > UINT64_MAX - b;\n}\n"},
      {"past_minus",
       "_Bool %s(uint64_t a, uint64_t b) {\n"
       "  return a < b ? b - a - 1U > (uint64_t)INT64_MAX : a - b > (uint64_t)INT64_MAX;\n}\n"},
      {"minus", "int64_t %s(uint64_t a, uint64_t b) {\n"
                "  return a < b ? -(int64_t)((b - a - 1U) & (uint64_t)INT64_MAX) - 1\n"
                "               : (int64_t)((a - b) & (uint64_t)INT64_MAX);\n}\n"},
  };
  const char *made = c_helper(file, name);
  for (size_t i = 0; !made && i < sizeof all / sizeof *all; i++) {
    if (strcmp(all[i].name, name) != 0)
      continue;
    made = c_helper_add(file, name, name);
    c_put(&file->helpers, "\nstatic ");
    c_put(&file->helpers, all[i].text, made);
  }
  return made;
}

static const char *quotient(CFile *file, const char *word, const char *rounding) {
  const char *name = c_helper(file, word);
  if (name)
    return name;
  name = c_helper_add(file, word, word);
  c_put(&file->helpers,
        "\nstatic int64_t %s(int64_t n, int64_t by) {\n  return by < 1 ? 0 : n / by%s;\n}\n", name,
        rounding);
  return name;
}

static const char *either(CFile *file) {
  const char *name = c_helper(file, "either");
  if (name)
    return name;
  name = c_helper_add(file, "either", "either");
  c_put(&file->helpers,
        "\nstatic int64_t %s(int64_t at, int64_t size) {\n  return at != 0 ? at : size;\n}\n",
        name);
  return name;
}

static const char *place(CFile *file) {
  const char *name = c_helper(file, "edge");
  if (name)
    return name;
  name = c_helper_add(file, "edge", "edge");
  c_put_edge(&file->helpers);
  c_put(&file->helpers,
        "\nstatic int64_t %s(int64_t at, int64_t size, int64_t least) {\n"
        "  return RSH_EDGE(at, size, least);\n}\n",
        name);
  return name;
}

static const char *edge_text(CFile *file, rsh_edge_kind kind, const char *at, const char *size,
                             const char *least) {
  switch (kind) {
  case RSH_EDGE_PLACE:
    return arena_printf(file->arena, "%s(%s, %s, %s)", place(file), at, size, least);
  case RSH_EDGE_FLOOR:
    return arena_printf(file->arena, "%s(%s, %s)", quotient(file, "quotient", ""), at, size);
  case RSH_EDGE_CEILING:
    return arena_printf(file->arena, "%s(%s, %s)", quotient(file, "ceiling", " + (n % by > 0)"), at,
                        size);
  case RSH_EDGE_EITHER:
    return arena_printf(file->arena, "%s(%s, %s)", either(file), at, size);
  }
  abort();
}

static const char *call(CPrinter *p, const char *function, const CodeNode *node) {
  return arena_printf(p->k->file->arena, "%s(%s, %s)", helper(p->k->file, function),
                      text_of(p, node->operand[0], CHOICE), text_of(p, node->operand[1], CHOICE));
}

// ---- expressions ----

static const char *infix(CPrinter *p, const CodeNode *node, const char *op, Binding left,
                         Binding right) {
  return arena_printf(p->k->file->arena, "%s %s %s", text_of(p, node->operand[0], left), op,
                      text_of(p, node->operand[1], right));
}

static const char *number_text(CPrinter *p, CodeValue count, Binding around) {
  const CodeNode *node = node_of(p, count);
  return node->op == CODE_LITERAL ? c_int(p->k->file->arena, node->n)
                                  : text_of(p, node->operand[0], around);
}

static const char *literal(Arena *arena, int64_t n) {
  if (n == INT64_MAX)
    return "(uint64_t)INT64_MAX";
  return n >= 0 && n <= UINT16_MAX ? arena_printf(arena, "%" PRId64 "U", n)
                                   : arena_printf(arena, "UINT64_C(%" PRIu64 ")", (uint64_t)n);
}

static const char *past(CPrinter *p, const CodeNode *of) {
  return call(p,
              of->op == CODE_TIMES  ? "past_times"
              : of->op == CODE_PLUS ? "past_plus"
                                    : "past_minus",
              of);
}

static const char *cast(CPrinter *p, const char *type, const CodeNode *node) {
  return arena_printf(p->k->file->arena, "(%s)%s", type, text_of(p, node->operand[0], CAST));
}

static Binding binding_of(const CPrinter *p, const CodeNode *node) {
  switch (node->op) {
  case CODE_SELECT:
    return CHOICE;
  case CODE_OR:
    return EITHER;
  case CODE_AND:
    return BOTH;
  case CODE_EQUAL:
  case CODE_UNEQUAL:
  case CODE_LESS:
  case CODE_AT_MOST:
  case CODE_MORE:
  case CODE_AT_LEAST:
  case CODE_ABOVE:
  case CODE_MISSING:
    return COMPARED;
  case CODE_PLUS:
    return ADDED;
  case CODE_MINUS:
    return is_difference(p, node) ? ADDED : CAST;
  case CODE_TIMES:
  case CODE_QUOTIENT:
  case CODE_REMAINDER:
    return MULTIPLIED;
  case CODE_INTEGER:
    return node->n < 0 ? CHOICE : CAST;
  case CODE_LITERAL:
  case CODE_TRUTH:
  case CODE_SIZE:
  case CODE_MAGNITUDE:
  case CODE_FITTED:
  case CODE_PAST:
  case CODE_EDGE:
  case CODE_NOT:
  case CODE_FAIL:
  case CODE_STORE:
  case CODE_LEAVE:
  case CODE_OP_COUNT:
    break;
  }
  return CAST;
}

// One operator, with its operands in the parentheses that they need.
static const char *expression(CPrinter *p, const CodeNode *node) {
  CKernel *k = p->k;
  Arena *arena = k->file->arena;
  switch (node->op) {
  case CODE_INTEGER:
    return c_int(arena, node->n);
  case CODE_LITERAL:
    return literal(arena, node->n);
  case CODE_TRUTH:
    return node->n != 0 ? "1" : "0";
  case CODE_SIZE:
    return c_parameter(k, PARAMETER_SIZE, (int)node->n);
  case CODE_MISSING:
    k->is_used[node->n] = true;
    return arena_printf(arena, "%s == NULL", k->parameter[node->n]);
  case CODE_MAGNITUDE:
    return cast(p, "uint64_t", node);
  case CODE_FITTED:
    return cast(p, "int64_t", node);
  case CODE_TIMES:
    return infix(p, node, "*", MULTIPLIED, MULTIPLIED);
  case CODE_PLUS:
    return infix(p, node, "+", ADDED, ADDED);
  case CODE_MINUS:
    if (!is_difference(p, node))
      return call(p, "minus", node);
    return arena_printf(arena, "%s - %s", number_text(p, node->operand[0], ADDED),
                        number_text(p, node->operand[1], MULTIPLIED));
  case CODE_PAST:
    return past(p, node_of(p, node->operand[0]));
  case CODE_QUOTIENT:
    return infix(p, node, "/", MULTIPLIED, CAST);
  case CODE_REMAINDER:
    return infix(p, node, "%", MULTIPLIED, CAST);
  case CODE_EDGE:
    return edge_text(k->file, (rsh_edge_kind)node->n, text_of(p, node->operand[0], CHOICE),
                     text_of(p, node->operand[1], CHOICE), text_of(p, node->operand[2], CHOICE));
  case CODE_EQUAL:
    return infix(p, node, "==", ADDED, ADDED);
  case CODE_UNEQUAL:
    return infix(p, node, "!=", ADDED, ADDED);
  case CODE_LESS:
    return infix(p, node, "<", ADDED, ADDED);
  case CODE_AT_MOST:
    return infix(p, node, "<=", ADDED, ADDED);
  case CODE_MORE:
  case CODE_ABOVE:
    return infix(p, node, ">", ADDED, ADDED);
  case CODE_AT_LEAST:
    return infix(p, node, ">=", ADDED, ADDED);
  case CODE_SELECT:
    return arena_printf(arena, "%s ? %s : %s", text_of(p, node->operand[0], EITHER),
                        text_of(p, node->operand[1], CHOICE), text_of(p, node->operand[2], CHOICE));
  case CODE_NOT:
    return arena_printf(arena, "!%s", text_of(p, node->operand[0], CAST));
  case CODE_AND:
    return infix(p, node, "&&", BOTH, BOTH);
  case CODE_OR:
    return infix(p, node, "||", EITHER, EITHER);
  case CODE_FAIL:
  case CODE_STORE:
  case CODE_LEAVE:
  case CODE_OP_COUNT:
    break;
  }
  abort(); // a statement
}

static const char *text_of(CPrinter *p, CodeValue value, Binding around) {
  if (p->name[value])
    return p->name[value];
  const char *text = expression(p, node_of(p, value));
  Binding own = binding_of(p, node_of(p, value));
  bool is_mixed = around == EITHER && own == BOTH; // a && b within ||, which compilers warn of
  return own < around || is_mixed ? arena_printf(p->k->file->arena, "(%s)", text) : text;
}

const char *c_code_text(CPrinter *p, CodeValue value) { return text_of(p, value, CHOICE); }

// ---- statements ----

// "a ||" and the next line: its alternatives, each on a line of its own.
static const char *lines_of(CPrinter *p, CodeValue bad) {
  const CodeNode *node = node_of(p, bad);
  if (node->op != CODE_OR)
    return text_of(p, bad, EITHER);
  const char *left = lines_of(p, node->operand[0]);
  return arena_printf(p->k->file->arena, "%s ||\n      %s", left, lines_of(p, node->operand[1]));
}

static const char *condition(CPrinter *p, CodeValue bad) {
  enum { LONG_LINE = 88 };
  const char *text = text_of(p, bad, CHOICE);
  return strlen(text) > LONG_LINE ? lines_of(p, bad) : text;
}

static void put_fail(CPrinter *p, const CodeNode *node) {
  CKernel *k = p->k;
  if (node->text)
    c_line(k, "/* %s */", c_comment(k->file->arena, node->text));
  c_line(k, "if (%s) {", condition(p, node->operand[0]));
  c_line(k, "  return RSH_%s;", rsh_status_name((rsh_status)node->n));
  c_line(k, "}");
}

// Whether it is as short as its name would be.
static bool is_short(const CPrinter *p, const CodeNode *node) {
  bool is_leaf = node->operand[0] == CODE_NONE;
  return is_leaf || (node->op == CODE_MAGNITUDE && node_of(p, node->operand[0])->op == CODE_SIZE);
}

void c_code_put(CPrinter *p, int i) {
  CKernel *k = p->k;
  const CodeNode *node = node_of(p, i);
  CodeType type = code_type(node->op);
  if (node->op == CODE_FAIL) {
    put_fail(p, node);
  } else if (node->op == CODE_STORE) {
    c_line(k, "%s[%d] = %s;", c_parameter(k, PARAMETER_DIMS, (int)node->n), node->index,
           text_of(p, node->operand[0], CHOICE));
  } else if (p->uses[i] > 1 && (type == CODE_NUMBER || type == CODE_COUNT) && !is_short(p, node)) {
    const char *wanted = node->text ? node->text : type == CODE_COUNT ? "count" : "size";
    const char *name = name_unique(&k->locals, wanted), *text = text_of(p, i, CHOICE);
    c_line(k, "const %s %s = %s;", type == CODE_COUNT ? "uint64_t" : "int64_t", name, text);
    p->name[i] = name;
  }
}

// ---- sizes of kernels ----

const char *c_code_places(CPrinter *p) {
  const Graph *graph = p->k->plan->graph;
  const char *text = "";
  for (int i = 0; i < graph->symbol.count; i++)
    if (graph->symbol.item[i].is_edge)
      text = arena_printf(p->k->file->arena, "%s, (size_t)%s", text,
                          text_of(p, p->code->symbol[i], CAST));
  return text;
}
