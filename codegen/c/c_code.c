// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints code (codegen/code/code.h) as C. A value with several users becomes a constant; any other is written where it
// is used.
//
//   const uint64_t count = (uint64_t)B * (uint64_t)S;
//   if (past_times((uint64_t)B, (uint64_t)S) || count > (uint64_t)INT64_MAX) {
//     return RSH_overflow;
//   }
#include "codegen/c/c_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Precedence of C operators, from loose to tight.
typedef enum Binding { CHOICE, EITHER, BOTH, COMPARED, ADDED, MULTIPLIED, CAST } Binding;

static const char *text_of(CPrinter *p, CodeValue value, Binding around);

static const CodeNode *node_of(const CPrinter *p, CodeValue value) {
  return &p->code->node.item[value];
}

// Whether a count is at most INT64_MAX, so that the difference of two such fits an int64_t.
static bool is_number(const CPrinter *p, CodeValue count) {
  const CodeNode *node = node_of(p, count);
  return node->op == CODE_MAGNITUDE || (node->op == CODE_LITERAL && node->n >= 0);
}

// Whether it is written as "a - b" of signed numbers, not as a call of minus().
static bool is_difference(const CPrinter *p, const CodeNode *node) {
  return node->op == CODE_MINUS && is_number(p, node->operand[0]) && is_number(p, node->operand[1]);
}

// Whether it is an ADVANCE or STEP by a stride of 0, whose index is not printed.
static bool is_stop(const CPrinter *p, const CodeNode *node) {
  bool is_sum = node->op == CODE_ADVANCE || node->op == CODE_STEP;
  return is_sum && rsh_is(code_number_of(node_of(p, node->operand[2])), 0);
}

// Operand k as it is written, or CODE_NONE: "past_times(a, b)" has the operands of the product that it checks.
static CodeValue written_operand(const CPrinter *p, const CodeNode *node, int k) {
  if (node->op == CODE_PAST)
    node = node_of(p, node->operand[0]);
  CodeValue operand = node->operand[k];
  if (operand == CODE_NONE || (k == 1 && is_stop(p, node)))
    return CODE_NONE;
  bool is_cast = node_of(p, operand)->op == CODE_MAGNITUDE;
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
    bool is_written = p.uses[i] > 0 || code_is_statement(node->op);
    for (int o = 0; o < 3 && is_written; o++) {
      CodeValue operand = written_operand(&p, node, o);
      if (operand != CODE_NONE)
        p.uses[operand]++;
    }
  }
  return p;
}

// ---- helpers of the file ----

// past_*: whether a * b, a + b, or a - b as a signed number does not fit 64 bits. minus: that difference, wrapped where it
// does not fit, as it may be computed before the check.
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
      {"is_outside", "_Bool %s(int64_t at, size_t size) {\n"
                     "  return (uint64_t)((at < 0) ? -(at + 1) : at) >= size;\n}\n"},
      {"place_of", "size_t %s(int64_t at, size_t size) {\n"
                   "  return (at < 0) ? size - (size_t)-(at + 1) - 1U : (size_t)at;\n}\n"},
      {"minimum", "size_t %s(size_t a, size_t b) {\n  return (a < b) ? a : b;\n}\n"},
      {"maximum", "size_t %s(size_t a, size_t b) {\n  return (a > b) ? a : b;\n}\n"},
      {"part_of", "size_t %s(size_t units, size_t task, size_t tasks) {\n"
                  "  return (size_t)(((uint64_t)units * task) / tasks);\n}\n"},
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

// ---- expressions ----

// An expression, and how tightly its operator binds.
typedef struct Text {
  const char *text;
  Binding own;
} Text;

static Text atom(const char *text) { return (Text){text, CAST}; }

static Text infix(CPrinter *p, const CodeNode *node, const char *op, Binding own, Binding left,
                  Binding right) {
  return (Text){arena_printf(p->k->file->arena, "%s %s %s", text_of(p, node->operand[0], left), op,
                             text_of(p, node->operand[1], right)),
                own};
}

static Text compared(CPrinter *p, const CodeNode *node, const char *op) {
  return infix(p, node, op, COMPARED, ADDED, ADDED);
}

// "test ? good : other"
static Text choice(CPrinter *p, const char *test, CodeValue good, const char *other) {
  return (Text){
      arena_printf(p->k->file->arena, "%s ? %s : %s", test, text_of(p, good, CHOICE), other),
      CHOICE};
}

static Text call_helper(CPrinter *p, const char *function, const CodeNode *node) {
  return atom(arena_printf(p->k->file->arena, "%s(%s, %s)", helper(p->k->file, function),
                           text_of(p, node->operand[0], CHOICE),
                           text_of(p, node->operand[1], CHOICE)));
}

// "part_of(units, task, 5U)"
static Text part(CPrinter *p, const CodeNode *node) {
  return atom(arena_printf(p->k->file->arena, "%s(%s, %s, %s)", helper(p->k->file, "part_of"),
                           text_of(p, node->operand[0], CHOICE),
                           text_of(p, node->operand[1], CHOICE),
                           text_of(p, node->operand[2], CHOICE)));
}

// "(B + 7U) / 8U"
static Text units(CPrinter *p, const CodeNode *node) {
  const char *n = text_of(p, node->operand[0], node->n == 1 ? CHOICE : ADDED);
  return node->n == 1 ? (Text){n, CHOICE}
                      : (Text){arena_printf(p->k->file->arena, "(%s + %" PRId64 "U) / %" PRId64 "U",
                                            n, node->n - 1, node->n),
                               MULTIPLIED};
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

static Text past(CPrinter *p, const CodeNode *of) {
  return call_helper(p,
                     of->op == CODE_TIMES  ? "past_times"
                     : of->op == CODE_PLUS ? "past_plus"
                                           : "past_minus",
                     of);
}

static Text prefixed(CPrinter *p, const char *prefix, const CodeNode *node) {
  return atom(arena_printf(p->k->file->arena, "%s%s", prefix, text_of(p, node->operand[0], CAST)));
}

// "y == NULL"
static Text missing(CPrinter *p, const CodeNode *node, const char *op) {
  CKernel *k = p->k;
  k->is_used[node->n] = true;
  return (Text){arena_printf(k->file->arena, "%s %s NULL", k->parameter[node->n], op), COMPARED};
}

// ---- indexes and addresses ----

// Adds the terms of an index, or of the offset of an address: base + index * stride + ...
static void add_terms(CPrinter *p, CSum *sum, CodeValue value) {
  const CodeNode *node = node_of(p, value);
  if (p->name[value]) {
    c_add(p->k, sum, rsh_int(1), p->name[value]);
  } else if (node->op == CODE_ADVANCE || node->op == CODE_STEP) {
    add_terms(p, sum, node->operand[0]);
    if (!is_stop(p, node))
      c_add(p->k, sum, code_number_of(node_of(p, node->operand[2])),
            text_of(p, node->operand[1], CAST));
  } else if (node->op == CODE_EXTENT) {
    c_add(p->k, sum, code_number_of(node), NULL);
  } else if (code_type(node->op) == CODE_INDEX) {
    c_add(p->k, sum, rsh_int(1), text_of(p, value, ADDED));
  }
}

static const char *sum_text(CPrinter *p, CodeValue value) {
  CSum sum = {0};
  add_terms(p, &sum, value);
  return c_sum(p->k, &sum);
}

// What an address is in: the tensor that the function works on, or a source.
static const char *array_of(CPrinter *p, CodeValue address) {
  while (node_of(p, address)->op == CODE_STEP)
    address = node_of(p, address)->operand[0];
  const CodeNode *node = node_of(p, address);
  return node->op == CODE_SOURCE ? c_source(p->k, (int)node->n) : p->leaves.buffer;
}

// "y[4U * place + word]"
static const char *memory_text(CPrinter *p, CodeValue address) {
  return arena_printf(p->k->file->arena, "%s[%s]", array_of(p, address), sum_text(p, address));
}

// Entry %b of a list of indices. Those of a source of another type of this size lie there as its bits.
static const char *index_text(CPrinter *p, const CodeNode *node) {
  Arena *arena = p->k->file->arena;
  rsh_dtype type = (rsh_dtype)node->n;
  const CodeNode *list = node_of(p, node->operand[0]);
  const char *array = c_source(p->k, (int)list->n);
  if (plan_source_type(p->k->plan->graph, (int)list->n) != type)
    array = arena_printf(arena, "((%s*)%s)", c_element(arena, type, true), array);
  return arena_printf(arena, "%s[%s]", array, sum_text(p, node->operand[1]));
}

static const char *entry_text(CPrinter *p, const CodeNode *node) {
  const char *table = c_table(p->k, node->list, (int)node->n, 1,
                              arena_printf(p->k->file->arena, "%ss", node->text));
  return arena_printf(p->k->file->arena, "%s[%s]", table, text_of(p, node->operand[0], CHOICE));
}

static Text extent_text(CPrinter *p, rsh_num n) {
  bool is_sum = n.n < 0 || rsh_term_count(p->k->plan->graph->symbols, n) > 1;
  return (Text){c_number(p->k, n, false), is_sum ? ADDED : rsh_is_known(n) ? CAST : MULTIPLIED};
}

// A node as an expression, its operands in parentheses where they need them.
static Text expression(CPrinter *p, const CodeNode *node) {
  CKernel *k = p->k;
  Arena *arena = k->file->arena;
  switch (node->op) {
  case CODE_INTEGER:
    return (Text){c_int(arena, node->n), node->n < 0 ? CHOICE : CAST};
  case CODE_LITERAL:
    return atom(literal(arena, node->n));
  case CODE_TRUTH:
    return atom(node->n != 0 ? "1" : "0");
  case CODE_SIZE:
    return atom(c_parameter(k, PARAMETER_SIZE, (int)node->n));
  case CODE_MISSING:
    return missing(p, node, "==");
  case CODE_MAGNITUDE:
    return prefixed(p, "(uint64_t)", node);
  case CODE_FITTED:
    return prefixed(p, "(int64_t)", node);
  case CODE_TIMES:
    return infix(p, node, "*", MULTIPLIED, MULTIPLIED, MULTIPLIED);
  case CODE_PLUS:
    return infix(p, node, "+", ADDED, ADDED, ADDED);
  case CODE_MINUS:
    if (!is_difference(p, node))
      return call_helper(p, "minus", node);
    return (Text){arena_printf(arena, "%s - %s", number_text(p, node->operand[0], ADDED),
                               number_text(p, node->operand[1], MULTIPLIED)),
                  ADDED};
  case CODE_PAST:
    return past(p, node_of(p, node->operand[0]));
  case CODE_QUOTIENT:
    return infix(p, node, "/", MULTIPLIED, MULTIPLIED, CAST);
  case CODE_REMAINDER:
  case CODE_MOD:
    return infix(p, node, "%", MULTIPLIED, MULTIPLIED, CAST);
  case CODE_EDGE:
    return atom(edge_text(k->file, (rsh_edge_kind)node->n, text_of(p, node->operand[0], CHOICE),
                          text_of(p, node->operand[1], CHOICE),
                          text_of(p, node->operand[2], CHOICE)));
  case CODE_EQUAL:
    return compared(p, node, "==");
  case CODE_UNEQUAL:
    return compared(p, node, "!=");
  case CODE_LESS:
    return compared(p, node, "<");
  case CODE_AT_MOST:
    return compared(p, node, "<=");
  case CODE_MORE:
    return compared(p, node, ">");
  case CODE_AT_LEAST:
    return compared(p, node, ">=");
  case CODE_SELECT:
    return choice(p, text_of(p, node->operand[0], EITHER), node->operand[1],
                  text_of(p, node->operand[2], CHOICE));
  case CODE_NOT:
    if (node_of(p, node->operand[0])->op == CODE_MISSING)
      return missing(p, node_of(p, node->operand[0]), "!=");
    return prefixed(p, "!", node);
  case CODE_AND:
    return infix(p, node, "&&", BOTH, BOTH, BOTH);
  case CODE_OR:
    return infix(p, node, "||", EITHER, EITHER, EITHER);
  case CODE_EXTENT:
    return extent_text(p, code_number_of(node));
  case CODE_ARGUMENT:
    if (node->text) {
      return atom(node->text);
    }
    k->is_index_used = true;
    return atom("at");
  case CODE_ENTRY:
    return atom(entry_text(p, node));
  case CODE_SUB:
    return infix(p, node, "-", ADDED, ADDED, MULTIPLIED);
  case CODE_MUL:
    return infix(p, node, "*", MULTIPLIED, MULTIPLIED, CAST);
  case CODE_DIV:
    return infix(p, node, "/", MULTIPLIED, MULTIPLIED, CAST);
  case CODE_MINIMUM:
    return call_helper(p, "minimum", node);
  case CODE_MAXIMUM:
    return call_helper(p, "maximum", node);
  case CODE_UNITS:
    return units(p, node);
  case CODE_PART:
    return part(p, node);
  case CODE_DIVISOR:
    return choice(p, arena_printf(arena, "%s > 1", prefixed(p, "(ptrdiff_t)", node).text),
                  node->operand[0], "1U");
  case CODE_ADVANCE:
    return (Text){sum_text(p, (CodeValue)(node - p->code->node.item)), ADDED};
  case CODE_LOAD:
    return atom(memory_text(p, node->operand[0]));
  case CODE_READ:
    return atom(index_text(p, node));
  case CODE_OUTSIDE:
    return call_helper(p, "is_outside", node);
  case CODE_PLACE:
    return call_helper(p, "place_of", node);
  case CODE_AMOUNT:
    return prefixed(p, "(size_t)", node);
  case CODE_SOURCE:
  case CODE_COPY:
  case CODE_BUFFER:
  case CODE_STEP:
  case CODE_STORE:
  case CODE_IF:
  case CODE_FOR:
  case CODE_END:
  case CODE_LOOP:
  case CODE_BREAK:
  case CODE_NEXT:
  case CODE_RETURN:
  case CODE_RETURN_FOUND:
  case CODE_RETURN_COUNT:
  case CODE_DO_OUTPUT:
  case CODE_DO_NEST:
  case CODE_DO_PART:
  case CODE_FAIL:
  case CODE_STORE_SIZE:
  case CODE_LEAVE:
  case CODE_GIVE:
  case CODE_RETURN_PROGRAM:
  case CODE_OP_COUNT:
    break;
  }
  abort(); // a statement, or an address
}

static const char *text_of(CPrinter *p, CodeValue value, Binding around) {
  if (p->name[value])
    return p->name[value];
  Text of = expression(p, node_of(p, value));
  bool is_mixed = around == EITHER && of.own == BOTH; // a && b within ||, which compilers warn of
  return of.own < around || is_mixed ? arena_printf(p->k->file->arena, "(%s)", of.text) : of.text;
}

const char *c_code_text(CPrinter *p, CodeValue value) { return text_of(p, value, CHOICE); }

// ---- statements ----

// A long condition, broken after each "||".
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

static void put_if(CPrinter *p, const CodeNode *node) {
  c_open(p->k, "if (%s)", condition(p, node->operand[0]));
}

static void put_fail(CPrinter *p, const CodeNode *node) {
  CKernel *k = p->k;
  if (node->text)
    c_line(k, "/* %s */", c_comment(k->file->arena, node->text));
  put_if(p, node);
  c_line(k, "return RSH_%s;", rsh_status_name((rsh_status)node->n));
  c_close(k);
}

// "for (size_t i = 0; i < 8U; i += 2U) {"
static void put_for(CPrinter *p, const CodeNode *node, const char *name) {
  Arena *arena = p->k->file->arena;
  const char *next = node->n == 1 ? arena_printf(arena, "%s++", name)
                                  : arena_printf(arena, "%s += %" PRId64 "U", name, node->n);
  c_open(p->k, "for (size_t %s = 0; %s < %s; %s)", name, name, text_of(p, node->operand[0], ADDED),
         next);
}

// Gives a value a name, its own or `otherwise`: from here on it is written as that.
static const char *name_value(CPrinter *p, int i, const char *otherwise) {
  const char *text = p->code->node.item[i].text;
  return p->name[i] = name_unique(&p->k->locals, text ? text : otherwise);
}

static void put_constant(CPrinter *p, int i, const char *type, const char *otherwise) {
  const char *text = text_of(p, i, CHOICE);
  c_line(p->k, "const %s%s = %s;", type, name_value(p, i, otherwise), text);
}

// Whether its text is no longer than a name: a leaf, or "(uint64_t)B".
static bool is_short(const CPrinter *p, const CodeNode *node) {
  bool is_leaf = node->operand[0] == CODE_NONE;
  return is_leaf || (node->op == CODE_MAGNITUDE && node_of(p, node->operand[0])->op == CODE_SIZE);
}

// Whether the next statement stores what this load reads, which is then written "y[place] = y[from];".
static bool is_moved(const CPrinter *p, int load) {
  int i = load + 1;
  while (!code_is_statement(node_of(p, i)->op))
    i++;
  return node_of(p, i)->op == CODE_STORE && node_of(p, i)->operand[1] == load && p->uses[load] == 1;
}

static void put_value(CPrinter *p, int i) {
  const CodeNode *node = node_of(p, i);
  CodeType type = code_type(node->op);
  if (node->op == CODE_LOAD && !is_moved(p, i))
    put_constant(p, i, p->leaves.word, "word");
  else if (p->uses[i] < 2 || is_short(p, node))
    return;
  else if (type == CODE_COUNT)
    put_constant(p, i, "uint64_t ", "count");
  else if (type == CODE_NUMBER)
    put_constant(p, i, "int64_t ", "size");
  else if (type == CODE_INDEX)
    put_constant(p, i, "size_t ", "index");
}

static const char *given_text(CPrinter *p, const CodeNode *node, int k) {
  return node->operand[k] == CODE_NONE ? NULL : text_of(p, node->operand[k], CHOICE);
}

void c_code_put(CPrinter *p, int i) {
  CKernel *k = p->k;
  const CodeNode *node = node_of(p, i);
  switch ((int)node->op) {
  case CODE_FAIL:
    put_fail(p, node);
    return;
  case CODE_STORE_SIZE:
    c_line(k, "%s[%d] = %s;", c_parameter(k, PARAMETER_DIMS, (int)node->n), node->index,
           text_of(p, node->operand[0], CHOICE));
    return;
  case CODE_STORE:
    c_line(k, "%s = %s;", memory_text(p, node->operand[0]), text_of(p, node->operand[1], CHOICE));
    return;
  case CODE_COPY:
    p->leaves.copy(k, p->leaves.picks, p->leaves.type, array_of(p, node->operand[0]),
                   sum_text(p, node->operand[0]), array_of(p, node->operand[1]),
                   sum_text(p, node->operand[1]));
    return;
  case CODE_IF:
    put_if(p, node);
    return;
  case CODE_FOR:
    put_for(p, node, name_value(p, i, "i"));
    return;
  case CODE_LOOP: {
    const char *start = text_of(p, node->operand[0], CHOICE);
    c_line(k, "size_t %s = %s;", name_value(p, i, "i"), start);
    c_open(k, "for (;;)");
    VEC_PUSH(k->file->arena, p->loop, i);
    return;
  }
  case CODE_BREAK:
    put_if(p, node);
    c_line(k, "break;");
    c_close(k);
    return;
  case CODE_NEXT:
    c_line(k, "%s = %s;", p->name[p->loop.item[--p->loop.count]],
           text_of(p, node->operand[0], CHOICE));
    c_close(k);
    return;
  case CODE_END:
    c_close(k);
    return;
  case CODE_RETURN:
    c_line(k, "return %s&%s;", p->leaves.cast, memory_text(p, node->operand[0]));
    return;
  case CODE_RETURN_FOUND:
    c_line(k, "return %s;",
           p->leaves.found(k, p->leaves.stage, (int)node->n, sum_text(p, node->operand[0]),
                           sum_text(p, node->operand[1])));
    return;
  case CODE_RETURN_COUNT:
    c_line(k, "return %s;", text_of(p, node->operand[0], CHOICE));
    return;
  case CODE_DO_OUTPUT:
  case CODE_DO_NEST:
  case CODE_DO_PART:
    p->leaves.work(k, p->leaves.split, node, given_text(p, node, 0), given_text(p, node, 1));
    return;
  case CODE_GIVE:
  case CODE_RETURN_PROGRAM:
    p->leaves.program(k, p->leaves.fields, node);
    return;
  }
  put_value(p, i);
}

void c_put_code(CKernel *k, const Code *code, CLeaves leaves) {
  CPrinter p = c_code_begin(k, code, false);
  p.leaves = leaves;
  for (int i = 0; i < code->node.count; i++)
    c_code_put(&p, i);
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
