// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints code (codegen/code/code.h) as C. A value with several users becomes a constant; any other is written inline.
//
//   const uint64_t count = (uint64_t)B * (uint64_t)S;
//   if (past_times((uint64_t)B, (uint64_t)S) || count > (uint64_t)INT64_MAX) {
//     return RSH_overflow;
//   }
#include "codegen/c/c_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// The state of printing code into a function.
typedef struct Printer {
  CKernel *k;
  const Code *code;
  CLeaves leaves;
  int *uses;         // by node: its uses in the text
  const char **name; // by node, if it is a constant or variable
  VEC(int) loop;     // the nodes of open loops
} Printer;

// Precedence of C operators, from loose to tight.
typedef enum Binding { CHOICE, EITHER, BOTH, COMPARED, ADDED, MULTIPLIED, CAST } Binding;

static const char *text_of(Printer *p, CodeValue value, Binding around);

static const CodeNode *node_of(const Printer *p, CodeValue value) {
  return &p->code->node.item[value];
}

static CodeValue index_of(const Printer *p, const CodeNode *node) {
  return (CodeValue)(node - p->code->node.item);
}

// Whether a count is at most INT64_MAX, so that the difference of two such counts fits an int64_t.
static bool is_number(const Printer *p, CodeValue count) {
  const CodeNode *node = node_of(p, count);
  return node->op == CODE_MAGNITUDE || (node->op == CODE_LITERAL && node->n >= 0);
}

// Whether it is written as "a - b" of signed numbers, not as a call of minus().
static bool is_difference(const Printer *p, const CodeNode *node) {
  return node->op == CODE_MINUS && is_number(p, node->operand[0]) && is_number(p, node->operand[1]);
}

// %a + %b * %c
static bool is_sum(const CodeNode *node) {
  return node->op == CODE_ADVANCE || node->op == CODE_FURTHER || node->op == CODE_STEP ||
         node->op == CODE_GO;
}

// Whether its stride is 0, so that its index is not printed.
static bool is_stop(const Printer *p, const CodeNode *node) {
  return is_sum(node) && rsh_is(code_number_of(node_of(p, node->operand[2])), 0);
}

// Operand k as it is written, or CODE_NONE: "past_times(a, b)" has the operands of the product that it checks.
static CodeValue written_operand(const Printer *p, const CodeNode *node, int k) {
  if (node->op == CODE_PAST)
    node = node_of(p, node->operand[0]);
  CodeValue operand = node->operand[k];
  if (operand == CODE_NONE || (k == 1 && is_stop(p, node)))
    return CODE_NONE;
  bool is_cast = node_of(p, operand)->op == CODE_MAGNITUDE;
  return is_cast && is_difference(p, node) ? node_of(p, operand)->operand[0] : operand;
}

static Printer printer_open(CKernel *k, const Code *code, CLeaves leaves) {
  Printer p = {.k = k, .code = code, .leaves = leaves};
  p.uses = ARENA_ARRAY(k->file->arena, int, code->node.count + 1);
  p.name = ARENA_ARRAY(k->file->arena, const char *, code->node.count + 1);
  for (int i = 0; i < code->symbol_count && leaves.keeps_sizes; i++)
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

// past_*: whether a * b, a + b, or a - b as a signed number overflows 64 bits. minus: that difference, which wraps,
// because it may be computed before the check.
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

// ---- expressions ----

// An expression, and how tightly its operator binds.
typedef struct Text {
  const char *text;
  Binding own;
} Text;

static Text made(const Printer *p, Binding own, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static Text made(const Printer *p, Binding own, const char *format, ...) {
  va_list list;
  va_start(list, format);
  Text text = {arena_vprintf(p->k->file->arena, format, list), own};
  va_end(list);
  return text;
}

static Text atom(const char *text) { return (Text){text, CAST}; }

// The texts of operands, the last one first: texts add helpers to the file, in an order that must not depend on how a
// compiler evaluates arguments.
typedef struct Texts {
  const char *of[3];
} Texts;

static Texts texts_of(Printer *p, const CodeNode *node, int count, const Binding *around) {
  Texts texts = {{NULL}};
  for (int o = count - 1; o >= 0; o--)
    texts.of[o] = text_of(p, node->operand[o], around[o]);
  return texts;
}

static Text infix(Printer *p, const CodeNode *node, const char *op, Binding own, Binding left,
                  Binding right) {
  Texts t = texts_of(p, node, 2, (const Binding[]){left, right});
  return made(p, own, "%s %s %s", t.of[0], op, t.of[1]);
}

static Text sum_that_wraps(Printer *p, const CodeNode *node) {
  Texts t = texts_of(p, node, 2, (const Binding[]){CAST, CAST});
  return made(p, CAST, "(int64_t)((uint64_t)%s + (uint64_t)%s)", t.of[0], t.of[1]);
}

static Text selected(Printer *p, const CodeNode *node) {
  Texts t = texts_of(p, node, 3, (const Binding[]){EITHER, CHOICE, CHOICE});
  return made(p, CHOICE, "%s ? %s : %s", t.of[0], t.of[1], t.of[2]);
}

static Text both_bytes(Printer *p, const CodeNode *node) {
  Texts t = texts_of(p, node, 2, (const Binding[]){CAST, CAST});
  return made(p, CAST, "(uint8_t)(%s & %s)", t.of[0], t.of[1]);
}

static Text power(Printer *p, const CodeNode *node) {
  Texts t = texts_of(p, node, 2, (const Binding[]){CHOICE, CHOICE});
  return made(p, CAST, "%s(%s, %s)", c_power(p->k->file, p->code->is_double), t.of[0], t.of[1]);
}

static void put_set(Printer *p, const CodeNode *node) {
  Texts t = texts_of(p, node, 2, (const Binding[]){CHOICE, CHOICE});
  c_line(p->k, "%s = %s;", t.of[0], t.of[1]);
}

// "part_of(units, task, 5U)": the first `count` operands are its arguments.
static Text call_helper(Printer *p, const char *function, const CodeNode *node, int count) {
  const char *list = "";
  for (int o = count - 1; o >= 0; o--)
    list = made(p, CHOICE, "%s%s%s", text_of(p, node->operand[o], CHOICE), *list ? ", " : "", list)
               .text;
  return made(p, CAST, "%s(%s)", helper(p->k->file, function), list);
}

// "(B + 7U) / 8U"
static Text units(Printer *p, const CodeNode *node) {
  if (node->n == 1)
    return (Text){text_of(p, node->operand[0], CHOICE), CHOICE};
  return made(p, MULTIPLIED, "(%s + %" PRId64 "U) / %" PRId64 "U",
              text_of(p, node->operand[0], ADDED), node->n - 1, node->n);
}

static const char *number_text(Printer *p, CodeValue count, Binding around) {
  const CodeNode *node = node_of(p, count);
  return node->op == CODE_LITERAL ? c_int(p->k->file->arena, node->n)
                                  : text_of(p, node->operand[0], around);
}

static Text literal(const Printer *p, int64_t n) {
  if (n == INT64_MAX)
    return atom("(uint64_t)INT64_MAX");
  return made(p, CAST, n >= 0 && n <= UINT16_MAX ? "%" PRIu64 "U" : "UINT64_C(%" PRIu64 ")",
              (uint64_t)n);
}

static Text past(Printer *p, const CodeNode *of) {
  return call_helper(p,
                     of->op == CODE_TIMES  ? "past_times"
                     : of->op == CODE_PLUS ? "past_plus"
                                           : "past_minus",
                     of, 2);
}

static Text prefixed(Printer *p, const char *prefix, const CodeNode *node) {
  return made(p, CAST, "%s%s", prefix, text_of(p, node->operand[0], CAST));
}

// "y == NULL"
static Text missing(Printer *p, const CodeNode *node, const char *op) {
  p->k->is_used[node->n] = true;
  return made(p, COMPARED, "%s %s NULL", p->k->parameter[node->n], op);
}

// ---- indices and addresses ----

// A sum and the terms of an index, or of the offset of an address: base + index * stride + ...
static CSum with_terms(Printer *p, CSum sum, CodeValue value) {
  const CodeNode *node = node_of(p, value);
  rsh_num one = rsh_int(1);
  if (p->name[value])
    return c_plus(p->k, sum, one, p->name[value]);
  if (node->op == CODE_START) {
    const CSum *start = &p->leaves.spot->start[node->n];
    for (int i = 0; i < start->term.count; i++)
      sum = c_plus(p->k, sum, start->term.item[i].factor, start->term.item[i].index);
    return sum;
  }
  if (node->op == CODE_EXTENT)
    return c_plus(p->k, sum, code_number_of(node), NULL);
  if (!is_sum(node))
    return code_type(node->op) == CODE_INDEX ? c_plus(p->k, sum, one, text_of(p, value, ADDED))
                                             : sum;
  sum = with_terms(p, sum, node->operand[0]);
  rsh_num stride = code_number_of(node_of(p, node->operand[2]));
  const CodeNode *index = node_of(p, node->operand[1]);
  if (rsh_is(stride, 1))
    return with_terms(p, sum, node->operand[1]);
  if (rsh_is(stride, 0))
    return sum;
  bool is_one = index->op == CODE_EXTENT && rsh_is(code_number_of(index), 1);
  return c_plus(p->k, sum, stride, is_one ? NULL : text_of(p, node->operand[1], CAST));
}

static CSum sum_of(Printer *p, CodeValue value) { return with_terms(p, (CSum){0}, value); }

static const char *sum_text(Printer *p, CodeValue value) { return c_sum(p->k, sum_of(p, value)); }

static Text summed(Printer *p, const CodeNode *node) {
  const char *text = sum_text(p, index_of(p, node));
  return (Text){text, strchr(text, ' ') ? ADDED : CAST};
}

// The array of an address: the tensor that the function works on, or a source.
static const char *array_of(Printer *p, CodeValue address) {
  while (node_of(p, address)->op == CODE_STEP || node_of(p, address)->op == CODE_WALK)
    address = node_of(p, address)->operand[0];
  const CodeNode *node = node_of(p, address);
  return node->op == CODE_SOURCE ? c_source(p->k, (int)node->n) : p->leaves.buffer;
}

// "y[4U * place + word]"
static Text memory_text(Printer *p, CodeValue address) {
  return made(p, CAST, "%s[%s]", array_of(p, address), sum_text(p, address));
}

static Text loaded(Printer *p, const CodeNode *node) {
  Text text = memory_text(p, node->operand[0]);
  const Value *kept = p->leaves.kept;
  return kept ? atom(c_as_type(p->k, text.text, p->leaves.type, kept->dtype)) : text;
}

static void put_store(Printer *p, const CodeNode *node) {
  const char *value = text_of(p, node->operand[1], CHOICE);
  if (p->leaves.kept)
    value = c_as_type(p->k, value, p->leaves.kept->dtype, p->leaves.type);
  c_line(p->k, "%s = %s;", memory_text(p, node->operand[0]).text, value);
}

// Entry %b of a list of indices. A source of another type of this size holds their bits.
static Text index_read(Printer *p, const CodeNode *node) {
  int list = (int)node_of(p, node->operand[0])->n;
  const char *array = c_source(p->k, list),
             *entry = made(p, CAST, "%s[%s]", array, sum_text(p, node->operand[1])).text;
  return atom(c_as_type(p->k, entry, c_source_type(p->k, list), (rsh_dtype)node->n));
}

static Text listed_entry(Printer *p, const CodeNode *node) {
  const char *what = made(p, CAST, "%ss", node->text).text;
  return made(p, CAST, "%s[%s]", c_table(p->k, node->list, (int)node->n, 1, what),
              text_of(p, node->operand[0], CHOICE));
}

static Text extent_text(Printer *p, rsh_num n) {
  bool is_sum = n.n < 0 || rsh_term_count(p->k->plan->graph->symbols, n) > 1;
  return (Text){c_number(p->k, n, false), is_sum ? ADDED : rsh_is_known(n) ? CAST : MULTIPLIED};
}

// "a - b" if both are signed numbers; else a call of minus().
static Text difference(Printer *p, const CodeNode *node) {
  if (!is_difference(p, node))
    return call_helper(p, "minus", node, 2);
  return made(p, ADDED, "%s - %s", number_text(p, node->operand[0], ADDED),
              number_text(p, node->operand[1], MULTIPLIED));
}

static Text negated(Printer *p, const CodeNode *node) {
  const CodeNode *of = node_of(p, node->operand[0]);
  return of->op == CODE_MISSING ? missing(p, of, "!=") : prefixed(p, "!", node);
}

// "(const void *)y != (const void *)&x[3U]"
static Text apart(Printer *p, const CodeNode *node) {
  return made(p, COMPARED, "(const void *)%s != (const void *)%s", array_of(p, node->operand[1]),
              c_address(p->k, array_of(p, node->operand[0]), sum_of(p, node->operand[0])));
}

// The last argument of the function, by its name in the function or in the code.
static Text argument(Printer *p, const CodeNode *node) {
  if (p->leaves.argument)
    return (Text){p->leaves.argument, CAST};
  p->k->is_index_used = p->k->is_index_used || !node->text;
  return atom(node->text ? node->text : "at");
}

// An element as a number, and back; f32 and f64 are numbers already.
static Text converted(Printer *p, const CodeNode *node, bool is_up) {
  rsh_dtype type = (rsh_dtype)node->n;
  rsh_step step = {.op = RSH_OP_CAST, .from = type, .to = RSH_F32, .rule = {true, RSH_ROUND_UP}};
  const char *text = text_of(p, node->operand[0], CHOICE);
  if (type == RSH_F32 || type == RSH_F64)
    return (Text){text, CHOICE};
  if (!is_up)
    step.from = RSH_F32, step.to = type;
  return made(p, CAST, "%s(%s)", c_step(p->k->file, NULL, &step, 1), text);
}

static Text real_infix(Printer *p, const CodeNode *node, const char *op, Binding own) {
  p->k->file->rounds = true;
  return infix(p, node, op, own, own, CAST);
}

static const char *float_text(Printer *p, const CodeNode *node) {
  double number;
  memcpy(&number, &node->n, sizeof number);
  return c_float_literal(p->k->file, number, p->code->is_double);
}

static const char *real_type(const Printer *p) { return p->code->is_double ? "double " : "float "; }

// ---- words ----

static rsh_dtype word_type(const Printer *p, CodeValue word) {
  return (rsh_dtype)node_of(p, word)->index;
}

// Whether C computes it in 32 or 64 bits, regardless of its width.
static bool is_computed(const CodeNode *node) {
  return node->op == CODE_BITS || node->op == CODE_SHIFTED || node->op == CODE_DOWN_BY ||
         node->op == CODE_LOW || node->op == CODE_EITHER;
}

static bool is_long(const Printer *p, CodeValue word) {
  return plan_element_bits(word_type(p, word)) > 32;
}

// A word in a type that C computes with.
static const char *wide(Printer *p, CodeValue word) {
  const char *text = text_of(p, word, CAST);
  return is_computed(node_of(p, word))
             ? text
             : made(p, CAST, "(uint%d_t)%s", is_long(p, word) ? 64 : 32, text).text;
}

static const char *hex_text(Printer *p, CodeValue word, uint64_t bits) {
  return made(p, CAST, "0x%" PRIX64 "%s", bits, is_long(p, word) ? "ULL" : "U").text;
}

static const char *mask_text(Printer *p, CodeValue word, int64_t bits) {
  return hex_text(p, word, UINT64_MAX >> (64 - bits));
}

static Text word_of(Printer *p, const CodeNode *node) {
  CodeValue of = node->operand[0];
  rsh_dtype from = word_type(p, of), to = (rsh_dtype)node->index;
  int have = plan_element_bits(from), want = plan_element_bits(to);
  const char *text = text_of(p, of, is_computed(node_of(p, of)) ? CHOICE : CAST);
  if (want > 64)
    return atom(text);
  bool is_rest = node_of(p, of)->op == CODE_SHIFTED && have + node_of(p, of)->n <= want;
  if (want < 8 && want < have && !is_rest)
    return made(p, CAST, "(uint8_t)(%s & %s)", wide(p, of), mask_text(p, of, want));
  if (is_computed(node_of(p, of)))
    text = made(p, CAST, "(uint%d_t)(%s)", want < 8 ? 8 : want, text).text;
  else if (want < have)
    text = made(p, CAST, "(uint%d_t)%s", want, text).text;
  else // computed in the wider type
    text = c_as_type(p->k, text, from, plan_integer_type(have));
  return atom(want > have ? text : c_as_type(p->k, text, plan_integer_type(want), to));
}

// "a | b | c"
static Text word_infix(Printer *p, const CodeNode *node, const char *op, const char *right) {
  CodeValue left = node->operand[0];
  bool is_chain = node->op == CODE_EITHER && node_of(p, left)->op == CODE_EITHER;
  return made(p, CHOICE, "%s %s %s", is_chain ? text_of(p, left, CHOICE) : wide(p, left), op,
              right);
}

static const char *word_number(Printer *p, int64_t n) { return made(p, CAST, "%" PRId64, n).text; }

static Text staged(Printer *p, const CodeNode *node) {
  bool is_address = !p->k->plan->stage[node->n].is_computed;
  return made(p, CAST, "%s%s", is_address ? "*" : "",
              c_call_stage(p->k, (int)node->n, sum_text(p, node->operand[0]), NULL));
}

static Text applied(Printer *p, const CodeNode *node) {
  const rsh_step *step = node->step;
  const char *of = c_as_type(p->k, text_of(p, node->operand[0], CHOICE),
                             word_type(p, node->operand[0]), step->from);
  const char *function = c_step(p->k->file, p->k->plan->graph, step, node->n);
  return step->tables
             ? made(p, CAST, "%s(%s, %s)", function, of, text_of(p, node->operand[1], CHOICE))
             : made(p, CAST, "%s(%s)", function, of);
}

// The index of a TAKE or PUT.
static const char *place_text(Printer *p, const CodeNode *node) {
  return c_sum(p->k, with_terms(p, sum_of(p, node->operand[0]), node->operand[1]));
}

static void put_word(Printer *p, const CodeNode *node) {
  rsh_dtype type = word_type(p, node->operand[2]), to = (rsh_dtype)node->index;
  const char *word = c_as_type(p->k, text_of(p, node->operand[2], CHOICE), type, to);
  c_put_word(p->k, p->leaves.spot, to, place_text(p, node), word);
}

// ---- statements ----

// A long condition, with a line break after each "||".
static const char *lines_of(Printer *p, CodeValue bad) {
  const CodeNode *node = node_of(p, bad);
  if (node->op != CODE_OR)
    return text_of(p, bad, EITHER);
  const char *left = lines_of(p, node->operand[0]);
  return made(p, EITHER, "%s ||\n      %s", left, lines_of(p, node->operand[1])).text;
}

static const char *condition(Printer *p, CodeValue bad) {
  enum { LONG_LINE = 88 };
  const char *text = text_of(p, bad, CHOICE);
  return strlen(text) > LONG_LINE ? lines_of(p, bad) : text;
}

static void put_if(Printer *p, const CodeNode *node) {
  c_open(p->k, "if (%s)", condition(p, node->operand[0]));
}

static void put_guarded(Printer *p, const CodeNode *node, const char *leave) {
  put_if(p, node);
  c_line(p->k, "%s;", leave);
  c_close(p->k);
}

static void put_fail(Printer *p, const CodeNode *node) {
  if (node->text)
    c_line(p->k, "/* %s */", c_comment(p->k->file->arena, node->text));
  put_guarded(p, node, made(p, CHOICE, "return RSH_%s", rsh_status_name((rsh_status)node->n)).text);
}

// Gives a value a name, its own or `otherwise`; later text uses the name.
static const char *name_once(Printer *p, int i, const char *otherwise) {
  const char *text = p->code->node.item[i].text;
  return p->name[i] = name_unique(&p->k->locals, text ? text : otherwise);
}

static void put_carry(Printer *p, const CodeNode *node) {
  const char *start = text_of(p, node->operand[0], CHOICE);
  c_line(p->k, "%s%s = %s;", real_type(p), name_once(p, index_of(p, node), "carried"), start);
}

// Declares an address as an index of its array.
static void put_walk(Printer *p, const CodeNode *node) {
  const char *start = sum_text(p, node->operand[0]);
  c_line(p->k, "size_t %s = %s;", name_once(p, index_of(p, node), "at"), start);
}

static void put_for(Printer *p, const CodeNode *node) {
  const char *index = c_index(p->k->file->arena, p->k->depth - 1);
  const char *name = name_once(p, index_of(p, node), index);
  if (p->k->share && node->index == p->k->share->depth + 1)
    c_for(p->k, name, "begin", "end", node->n);
  else
    c_for(p->k, name, "0", text_of(p, node->operand[0], ADDED), node->n);
}

static void put_shift(Printer *p, const CodeNode *node) {
  CSpot at = {.nest = *node->nest, .to = p->leaves.buffer, .type = p->leaves.type};
  at.start[CODE_DST] = sum_of(p, node->operand[0]);
  at.start[CODE_SRC] = sum_of(p, node->operand[1]);
  c_put_shift(p->k, &at, node->n != 0);
}

static void put_loop(Printer *p, const CodeNode *node) {
  const char *start = text_of(p, node->operand[0], CHOICE);
  c_line(p->k, "size_t %s = %s;", name_once(p, index_of(p, node), "i"), start);
  c_open(p->k, "for (;;)");
  VEC_PUSH(p->k->file->arena, p->loop, index_of(p, node));
}

static void put_next(Printer *p, const CodeNode *node) {
  const char *next = text_of(p, node->operand[0], CHOICE);
  c_line(p->k, "%s = %s;", p->name[p->loop.item[--p->loop.count]], next);
  c_close(p->k);
}

static void put_left(Printer *p, const CodeNode *node) {
  if (p->leaves.left)
    c_line(p->k, "*%s = %s;", p->leaves.left, text_of(p, node->operand[1], CHOICE));
}

// The lookup in the source of the nest, if it is another stage, may find less.
static void put_found(Printer *p, const CodeNode *node) {
  const Stage *stage = p->leaves.stage;
  const char *at = sum_text(p, node->operand[0]);
  const char *found = p->leaves.found(p->k, stage, (int)node->n, at);
  int source = stage->nest[node->n].source;
  if (!p->leaves.left || source < 0 || !plan_is_staged(p->k->plan->graph, source)) {
    put_left(p, node);
    c_line(p->k, "return %s;", found);
    return;
  }
  const char *from = name_unique(&p->k->locals, "from");
  const char *here = name_unique(&p->k->locals, "here");
  c_line(p->k, "%s*%s = %s;",
         c_element(p->k->file->arena, plan_source_type(p->k->plan->graph, stage->value->id), true),
         from, found);
  c_line(p->k, "size_t %s = %s;", here, text_of(p, node->operand[1], CHOICE));
  c_line(p->k, "*%s = *%s < %s ? *%s : %s;", p->leaves.left, p->leaves.left, here, p->leaves.left,
         here);
  c_line(p->k, "return %s;", from);
}

static void put_return_variant(Printer *p, const CodeNode *node) {
  c_line(p->k, "return %s(%s%s);", p->leaves.variant[node->n].entry[node->index],
         node->index == ENTRY_TASK ? "task, " : "",
         c_arguments(p->k, "", node->index == ENTRY_TASK_COUNT));
}

static void put_task_work(Printer *p, const CodeNode *node) {
  const char *edge[2] = {NULL, NULL};
  for (int o = 1; o >= 0; o--)
    if (node->operand[o] != CODE_NONE)
      edge[o] = text_of(p, node->operand[o], CHOICE);
  p->leaves.work(p->k, p->leaves.split, node, edge[0], edge[1]);
}

// ---- print_<ID> of code_ops.def: an expression, with operands in parentheses where necessary; or lines ----

#define PRINT(id, ...)                                                                             \
  static Text print_##id(Printer *p, const CodeNode *node) {                                       \
    (void)p;                                                                                       \
    (void)node;                                                                                    \
    return __VA_ARGS__;                                                                            \
  }

#define PUT(id, statement)                                                                         \
  static Text print_##id(Printer *p, const CodeNode *node) {                                       \
    (void)p;                                                                                       \
    (void)node;                                                                                    \
    statement;                                                                                     \
    return (Text){.text = NULL};                                                                   \
  }

#define OPERAND(o, around) text_of(p, node->operand[o], around)

PRINT(INTEGER, (Text){c_int(p->k->file->arena, node->n), node->n < 0 ? CHOICE : CAST})
PRINT(LITERAL, literal(p, node->n))
PRINT(TRUTH, atom(node->n != 0 ? "1" : "0"))
PRINT(SIZE, atom(c_parameter(p->k, PARAMETER_SIZE, (int)node->n)))
PRINT(MISSING, missing(p, node, "=="))
PRINT(MAGNITUDE, prefixed(p, "(uint64_t)", node))
PRINT(FITTED, prefixed(p, "(int64_t)", node))
PRINT(TIMES, infix(p, node, "*", MULTIPLIED, MULTIPLIED, MULTIPLIED))
PRINT(PLUS, infix(p, node, "+", ADDED, ADDED, ADDED))
PRINT(MINUS, difference(p, node))
PRINT(PAST, past(p, node_of(p, node->operand[0])))
PRINT(QUOTIENT, infix(p, node, "/", MULTIPLIED, MULTIPLIED, CAST))
PRINT(REMAINDER, infix(p, node, "%", MULTIPLIED, MULTIPLIED, CAST))
// In unsigned arithmetic: a sum that overflows is not used, but may be computed.
PRINT(ADD, sum_that_wraps(p, node))
PRINT(EQUAL, infix(p, node, "==", COMPARED, ADDED, ADDED))
PRINT(UNEQUAL, infix(p, node, "!=", COMPARED, ADDED, ADDED))
PRINT(LESS, infix(p, node, "<", COMPARED, ADDED, ADDED))
PRINT(AT_MOST, infix(p, node, "<=", COMPARED, ADDED, ADDED))
PRINT(MORE, infix(p, node, ">", COMPARED, ADDED, ADDED))
PRINT(AT_LEAST, infix(p, node, ">=", COMPARED, ADDED, ADDED))
PRINT(SELECT, selected(p, node))
#define print_CHOOSE print_SELECT
PRINT(NOT, negated(p, node))
PRINT(AND, infix(p, node, "&&", BOTH, BOTH, BOTH))
PRINT(OR, infix(p, node, "||", EITHER, EITHER, EITHER))
PRINT(EXTENT, extent_text(p, code_number_of(node)))
PRINT(ARGUMENT, argument(p, node))
PRINT(ENTRY, listed_entry(p, node))
PRINT(SUB, infix(p, node, "-", ADDED, ADDED, MULTIPLIED))
PRINT(MUL, infix(p, node, "*", MULTIPLIED, MULTIPLIED, CAST))
PRINT(DIV, infix(p, node, "/", MULTIPLIED, MULTIPLIED, CAST))
PRINT(MOD, infix(p, node, "%", MULTIPLIED, MULTIPLIED, CAST))
PRINT(MINIMUM, call_helper(p, "minimum", node, 2))
PRINT(MAXIMUM, call_helper(p, "maximum", node, 2))
PRINT(UNITS, units(p, node))
PRINT(PART, call_helper(p, "part_of", node, 3))
PRINT(DIVISOR, made(p, CHOICE, "(ptrdiff_t)%s > 1 ? %s : 1U", OPERAND(0, CAST), OPERAND(0, CHOICE)))
PRINT(ADVANCE, summed(p, node))
#define print_FURTHER print_ADVANCE
#define print_START print_ADVANCE
PRINT(WHOLE, made(p, MULTIPLIED, "%s / %" PRId64 "U", OPERAND(0, MULTIPLIED), node->n))
PRINT(LOAD, loaded(p, node))
PRINT(APART, apart(p, node))
PRINT(POSITIVE, made(p, COMPARED, "(ptrdiff_t)%s > 0", OPERAND(0, CAST)))
PRINT(REST, made(p, MULTIPLIED, "%s %% %" PRId64 "U", OPERAND(0, MULTIPLIED), node->n))
PRINT(TAKE, atom(c_take(p->k, (int)node->n, (rsh_dtype)node->index, place_text(p, node))))
PUT(PUT, put_word(p, node))
PRINT(FILL, atom(c_literal(p->k->file, (rsh_dtype)node->index,
                           p->k->plan->graph->fill.item[-1 - node->n].bits)))
PRINT(STAGED, staged(p, node))
PRINT(GIVEN, (abort(), atom(""))) // a vector
PRINT(APPLY, applied(p, node))
PUT(RETURN_WORD,
    c_line(p->k, "return %s;",
           c_as_type(p->k, OPERAND(0, CHOICE), word_type(p, node->operand[0]), p->leaves.type)))
PRINT(BITS, atom(hex_text(p, index_of(p, node), (uint64_t)node->n)))
PRINT(WORD_OF, word_of(p, node))
PRINT(SHIFTED, word_infix(p, node, node->n > 0 ? "<<" : ">>", word_number(p, llabs(node->n))))
PRINT(DOWN_BY, word_infix(p, node, ">>", OPERAND(1, CAST)))
PRINT(LOW, word_infix(p, node, "&", mask_text(p, node->operand[0], node->n)))
PRINT(EITHER, word_infix(p, node, "|", wide(p, node->operand[1])))
PRINT(LOW_BITS, made(p, CAST, "((1U << %s) - 1U)", OPERAND(0, CAST)))
PRINT(BOTH, both_bytes(p, node))
PRINT(FLOAT, atom(float_text(p, node)))
PRINT(NUMBER_OF, converted(p, node, true))
PRINT(ELEMENT_OF, converted(p, node, false))
PRINT(F_ADD, real_infix(p, node, "+", ADDED))
PRINT(F_SUB, real_infix(p, node, "-", ADDED))
PRINT(F_DIV, real_infix(p, node, "/", MULTIPLIED))
PRINT(F_MORE, real_infix(p, node, ">", COMPARED))
#define print_F_CHOOSE print_SELECT
PRINT(POWER, power(p, node))
PUT(CARRY, put_carry(p, node))
PUT(SET, put_set(p, node))
PRINT(READ, index_read(p, node))
PRINT(LENGTH, prefixed(p, "(int64_t)", node))
PRINT(AMOUNT, prefixed(p, "(size_t)", node))
PRINT(SOURCE, (abort(), atom(""))) // loads and stores print addresses
#define print_BUFFER print_SOURCE
#define print_STEP print_SOURCE
PUT(WALK, put_walk(p, node))
PUT(GO, c_line(p->k, "%s = %s;", p->name[node->operand[0]], sum_text(p, index_of(p, node))))
PUT(MEET, (void)0) // FOR counts
PUT(STORE, put_store(p, node))
PUT(COPY, p->leaves.copy(p->k, p->leaves.picks, p->leaves.type, array_of(p, node->operand[0]),
                         sum_text(p, node->operand[0]), array_of(p, node->operand[1]),
                         sum_text(p, node->operand[1])))
PUT(MOVE, p->leaves.move(p->k, node, p->leaves.buffer, p->leaves.type))
PUT(INSIDE, p->leaves.inside(p->k, p->leaves.spot, sum_of(p, node->operand[0]),
                             sum_of(p, node->operand[1])))
PUT(IF, put_if(p, node))
PUT(ELSE, (p->k->depth--, c_open(p->k, "} else")))
PUT(PERMUTE, p->leaves.permute(p->k, p->leaves.output, &p->leaves))
PUT(SLIDE, p->leaves.slide(p->k, p->leaves.output, &p->leaves))
PUT(SHIFT, put_shift(p, node))
PUT(FOR, put_for(p, node))
PUT(END, c_close(p->k))
PUT(LOOP, put_loop(p, node))
PUT(BREAK, put_guarded(p, node, "break"))
PUT(NEXT, put_next(p, node))
PUT(RETURN, (put_left(p, node),
             c_line(p->k, "return %s&%s;", p->leaves.cast, memory_text(p, node->operand[0]).text)))
PUT(RETURN_FOUND, put_found(p, node))
PUT(RETURN_VARIANT, put_return_variant(p, node))
PUT(RETURN_COUNT, c_line(p->k, "return %s;", OPERAND(0, CHOICE)))
PUT(DO_OUTPUT, put_task_work(p, node))
#define print_DO_NEST print_DO_OUTPUT
#define print_DO_PART print_DO_OUTPUT
PUT(GIVE, p->leaves.program(p->k, p->leaves.fields, node))
#define print_RETURN_PROGRAM print_GIVE
PUT(FAIL, put_fail(p, node))
PUT(STORE_SIZE, c_line(p->k, "%s[%d] = %s;", c_parameter(p->k, PARAMETER_DIMS, (int)node->n),
                       node->index, OPERAND(0, CHOICE)))

static Text print(Printer *p, const CodeNode *node) {
  static Text (*const all[CODE_OP_COUNT])(Printer *, const CodeNode *) = {
#define CODE_OP(id, result, a, b, c, text) [CODE_##id] = print_##id,
#include "codegen/code/code_ops.def"
#undef CODE_OP
  };
  return all[node->op](p, node);
}

static const char *text_of(Printer *p, CodeValue value, Binding around) {
  if (p->name[value])
    return p->name[value];
  Text of = print(p, node_of(p, value));
  bool is_mixed = around == EITHER && of.own == BOTH; // a && b within ||: compilers warn
  return of.own < around || is_mixed ? made(p, CAST, "(%s)", of.text).text : of.text;
}

// ---- values that have names ----

static void put_constant(Printer *p, int i, const char *type, const char *otherwise) {
  const char *text = text_of(p, i, CHOICE);
  c_line(p->k, "%s%s = %s;", type, name_once(p, i, otherwise), text);
}

// Whether its text is no longer than a name: a leaf, or "(uint64_t)B".
static bool is_short(const Printer *p, const CodeNode *node) {
  bool is_leaf = node->operand[0] == CODE_NONE;
  return is_leaf || (node->op == CODE_MAGNITUDE && node_of(p, node->operand[0])->op == CODE_SIZE);
}

// Whether the next statement stores the loaded value; both are then printed as "y[place] = y[from];".
static bool is_moved(const Printer *p, int load) {
  int i = load + 1;
  while (!code_is_statement(node_of(p, i)->op))
    i++;
  return node_of(p, i)->op == CODE_STORE && node_of(p, i)->operand[1] == load && p->uses[load] == 1;
}

static void put_named(Printer *p, int i) {
  const CodeNode *node = node_of(p, i);
  CodeType type = code_type(node->op);
  if (node->op == CODE_LOAD && !is_moved(p, i))
    put_constant(p, i, p->leaves.word, "word");
  else if (p->uses[i] < 2 || is_short(p, node) || node->op == CODE_FURTHER)
    return;
  else if (type == CODE_COUNT)
    put_constant(p, i, "const uint64_t ", "count");
  else if (type == CODE_NUMBER)
    put_constant(p, i, "const int64_t ", "size");
  else if (type == CODE_INDEX)
    put_constant(p, i, "const size_t ", "index");
  else if (type == CODE_REAL)
    put_constant(p, i, p->code->is_double ? "const double " : "const float ", "number");
}

// ", (size_t)place": computed sizes, as arguments of a function that has places.
static const char *places_text(Printer *p) {
  const Graph *graph = p->k->plan->graph;
  const char *text = "";
  for (int i = 0; i < graph->symbol.count; i++)
    if (graph->symbol.item[i].is_edge)
      text = made(p, CHOICE, "%s, (size_t)%s", text, text_of(p, p->code->symbol[i], CAST)).text;
  return text;
}

const char *c_put_code(CKernel *k, const Code *code, CLeaves leaves) {
  Printer p = printer_open(k, code, leaves);
  for (int i = 0; i < code->node.count; i++)
    if (code_is_statement(node_of(&p, i)->op))
      (void)print(&p, node_of(&p, i));
    else
      put_named(&p, i);
  return leaves.keeps_sizes ? places_text(&p) : "";
}
