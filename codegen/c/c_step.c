// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise functions (codegen/element/element.h) as C functions. Both emitters print the same definitions, so the
// results of objects and C code are bit-identical.
//
//   %2 = f_more %1, %0                      static float relu_f32(float x) {
//   %3 = select %2, %1, %0                    const float choice = (0.0F > x) ? 0.0F : x;
//                                             return choice;
#include "codegen/c/c_internal.h"

#include <inttypes.h>
#include <string.h>

// The state of printing a function.
typedef struct Printer {
  CFile *file;
  const Element *e;
  CText out;
  NameSet names;
  const char **text; // by value; NULL: not printed yet
  int *uses;
  bool reads[2]; // parameters
} Printer;

static const char *operand(Printer *p, ElementValue value);

static const ElementNode *node_of(const Printer *p, ElementValue value) {
  return &p->e->node.item[value];
}

static const char *type_name(ElementType type) {
  if (type.is_float)
    return type.bits == 64 ? "double" : "float";
  return type.bits == 1    ? "_Bool"
         : type.bits <= 8  ? "uint8_t"
         : type.bits == 16 ? "uint16_t"
         : type.bits == 32 ? "uint32_t"
                           : "uint64_t";
}

// ---- operands ----

static const char *integer_literal(Arena *arena, uint64_t n, int bits) {
  if (bits == 1)
    return n ? "1" : "0";
  if (bits == 64)
    return arena_printf(arena, n > 9 ? "UINT64_C(0x%" PRIX64 ")" : "%" PRIX64 "U", n);
  return arena_printf(arena, n > 9 ? "0x%" PRIX64 "U" : "%" PRIX64 "U", n);
}

// The bits of an integer as a signed integer. Narrow ones are shifted left and right again, which compilers turn into
// one instruction, or into none if the bits were the upper bits of a byte.
static const char *signed_text(Printer *p, ElementValue value) {
  int bits = element_type(p->e, value).bits;
  const char *text = operand(p, value);
  if (bits >= 8)
    return arena_printf(p->file->arena, "(int%d_t)%s", bits, text);
  return arena_printf(p->file->arena, "((int8_t)(uint8_t)((uint32_t)%s << %d) >> %d)", text,
                      8 - bits, 8 - bits);
}

// ---- operators ----

// Truncates an expression to the bits of its type, if C computes it in a wider one.
static const char *truncated(Printer *p, ElementType type, const char *text) {
  if (type.is_float || type.bits >= 32)
    return text;
  if (type.bits >= 8)
    return arena_printf(p->file->arena, "(%s)(%s)", type_name(type), text);
  return arena_printf(p->file->arena, "(uint8_t)((%s) & 0x%XU)", text, (1u << type.bits) - 1);
}

static const char *infix_sign(ElementOp op) {
  static const char *const sign[ELEMENT_OP_COUNT] = {
#define ELEMENT_OP(id, kind, llvm, sign) sign,
#include "codegen/element/element_ops.def"
#undef ELEMENT_OP
  };
  return sign[op];
}

static const char *infix_text(Printer *p, const ElementNode *node) {
  ElementType type = node->type;
  const char *sign = infix_sign(node->op);
  bool is_shift = node->op == ELEMENT_SHL || node->op == ELEMENT_SHR;
  const ElementNode *by = node_of(p, node->operand[1]);
  const char *a = operand(p, node->operand[0]);
  const char *b = is_shift && by->op == ELEMENT_INTEGER
                      ? arena_printf(p->file->arena, "%" PRIu64 "U", by->n)
                      : operand(p, node->operand[1]);
  p->file->rounds = p->file->rounds || type.is_float;
  if (type.bits == 1) {
    sign = node->op == ELEMENT_AND ? "&&" : node->op == ELEMENT_OR ? "||" : "!=";
    return arena_printf(p->file->arena, "%s %s %s", a, sign, b);
  }
  bool is_short = !type.is_float && type.bits < 32; // would be promoted to int
  return truncated(
      p, type,
      arena_printf(p->file->arena, "%s%s %s %s", is_short ? "(uint32_t)" : "", a, sign, b));
}

// (uint16_t)((int16_t)x / (int16_t)3U): C computes it as an int, and the cast wraps it.
static const char *signed_infix_text(Printer *p, const ElementNode *node) {
  const ElementNode *by = node_of(p, node->operand[1]);
  const char *a = signed_text(p, node->operand[0]);
  const char *b = node->op != ELEMENT_SIGNED_SHR ? signed_text(p, node->operand[1])
                  : by->op == ELEMENT_INTEGER    ? arena_printf(p->file->arena, "%" PRIu64, by->n)
                                                 : operand(p, node->operand[1]);
  return arena_printf(p->file->arena, "(%s)(%s %s %s)", type_name(node->type), a,
                      infix_sign(node->op), b);
}

static const char *compared_text(Printer *p, const ElementNode *node, bool is_signed) {
  ElementValue a = node->operand[0], b = node->operand[1];
  const char *left = is_signed ? signed_text(p, a) : operand(p, a);
  const char *right = is_signed ? signed_text(p, b) : operand(p, b);
  return arena_printf(p->file->arena, "%s %s %s", left, infix_sign(node->op), right);
}

static const char *select_text(Printer *p, const ElementNode *node) {
  const char *test = operand(p, node->operand[0]);
  const char *one = operand(p, node->operand[1]), *other = operand(p, node->operand[2]);
  return truncated(p, node->type, arena_printf(p->file->arena, "%s ? %s : %s", test, one, other));
}

static const char *trunc_text(Printer *p, const ElementNode *node) {
  const char *from = operand(p, node->operand[0]);
  if (node->type.bits == 1)
    return arena_printf(p->file->arena, "(%s & 1U) != 0U", from);
  return node->type.bits < 8 ? truncated(p, node->type, from)
                             : arena_printf(p->file->arena, "(%s)%s", type_name(node->type), from);
}

static const char *cast_text(Printer *p, const ElementNode *node, const char *from) {
  return arena_printf(p->file->arena, "(%s)%s", type_name(node->type), from);
}

// Omits conversions of a number to bits and back.
static const char *bits_text(Printer *p, const ElementNode *node) {
  const ElementNode *from = node_of(p, node->operand[0]);
  if (from->op == ELEMENT_BITS &&
      element_type(p->e, from->operand[0]).is_float == node->type.is_float)
    return operand(p, from->operand[0]);
  bool is_double = node->type.bits == 64;
  const char *function = node->type.is_float ? c_float_of_bits(p->file, is_double)
                                             : c_bits_of_float(p->file, is_double);
  return arena_printf(p->file->arena, "%s(%s)", function, operand(p, node->operand[0]));
}

// ---- calls ----

// The function that converts a float to an integer: toward zero, clamped to the range, NaN to 0.
static const char *saturating(CFile *file, ElementType to, ElementType from, bool is_signed) {
  int bits = to.bits;
  const char *number = type_name(from);
  const char *name = arena_printf(file->arena, "%s%d_of_%s", is_signed ? "i" : "u", bits, number);
  const char *have = c_helper(file, name), *type = is_signed ? "int" : "uint";
  const char *limit = is_signed ? "INT" : "UINT";
  double most = 1;
  for (int i = 0; i < bits - is_signed; i++)
    most *= 2;
  bool is_double = from.bits == 64;
  if (have)
    return have;
  have = c_helper_add(file, name, name);
  const char *least = is_signed ? arena_printf(file->arena, "INT%d_MIN", bits) : "0";
  c_put(&file->helpers,
        "\n/* Rounds toward zero and saturates; NaN becomes 0. */\n"
        "static %s%d_t %s(%s x) {\n  %s%d_t n = 0;\n"
        "  if (x >= %s) {\n    n = %s%d_MAX;\n  } else if (x <= %s) {\n    n = %s;\n"
        "  } else if (x > %s) {\n    n = (%s%d_t)x;\n  } else {\n    n = 0;\n  }\n  return n;\n}\n",
        type, bits, have, number, type, bits, c_float(file->arena, most, is_double), limit, bits,
        c_float(file->arena, is_signed ? -most : 0, is_double), least,
        c_float(file->arena, is_signed ? -most : 0, is_double), type, bits);
  return have;
}

// The function that gives x the sign of another number, by its bits, without a library.
static const char *with_sign(CFile *file, bool is_double) {
  const char *number = is_double ? "double" : "float";
  const char *key = arena_printf(file->arena, "with_sign_%s", number);
  const char *name = c_helper(file, key);
  if (name)
    return name;
  const char *bits = c_bits_of_float(file, is_double), *of_bits = c_float_of_bits(file, is_double);
  const char *mask = is_double ? "UINT64_C(0x7FFFFFFFFFFFFFFF)" : "0x7FFFFFFFU";
  name = c_helper_add(file, key, key);
  c_put(&file->helpers,
        "\nstatic %s %s(%s x, %s sign) {\n  return %s((%s(x) & %s) | (%s(sign) & ~%s));\n}\n",
        number, name, number, number, of_bits, bits, mask, bits, mask);
  return name;
}

static const char *magnitude_text(Printer *p, const ElementNode *node) {
  bool is_double = node->type.bits == 64;
  const char *x = operand(p, node->operand[0]), *function = with_sign(p->file, is_double);
  return arena_printf(p->file->arena, "%s(%s, %s)", function, x, is_double ? "0.0" : "0.0F");
}

static const char *defined_function(CFile *file, const Element *e);

static const char *call_text(Printer *p, const ElementNode *node, const char *function) {
  const char *text = function;
  for (int i = 0; i < ELEMENT_OPERANDS && node->operand[i] != ELEMENT_NONE; i++)
    text =
        arena_printf(p->file->arena, "%s%s%s", text, i ? ", " : "(", operand(p, node->operand[i]));
  return arena_printf(p->file->arena, "%s)", text);
}

static const char *libm_text(Printer *p, const ElementNode *node, const char *name) {
  p->file->needs_math = true;
  return call_text(p, node,
                   arena_printf(p->file->arena, "%s%s", name, node->type.bits == 64 ? "" : "f"));
}

static const char *clamped_text(Printer *p, const ElementNode *node, bool is_signed) {
  ElementType from = element_type(p->e, node->operand[0]);
  const char *function = saturating(p->file, node->type, from, is_signed);
  return call_text(p, node, is_signed ? cast_text(p, node, function) : function);
}

// The table of an ENTRY; integers of less than a byte take one each.
static const char *table_of(CFile *file, const ElementNode *node) {
  int bytes = node->type.bits < 8 ? 1 : node->type.bits / 8;
  int64_t size = (int64_t)node->n * bytes;
  uint8_t *data = arena_alloc(file->arena, (size_t)size);
  for (int64_t i = 0; i < size; i++)
    data[i] = (uint8_t)(node->entry[i / bytes] >> (8 * (i % bytes)));
  rsh_dtype type = !node->type.is_float ? plan_integer_type(8 * bytes)
                   : bytes == 8         ? RSH_F64
                                        : RSH_F32;
  return c_put_numbers(file, name_unique(&file->names, "constants"), type, data, (int64_t)node->n);
}

static const char *entry_text(Printer *p, const ElementNode *node) {
  const char *at = operand(p, node->operand[0]);
  return arena_printf(p->file->arena, "%s[%s]", table_of(p->file, node), at);
}

// ---- print_<kind> of element_ops.def ----

#define PRINT(kind, text)                                                                          \
  static const char *print_##kind(Printer *p, const ElementNode *node) { return text; }

#define OPERAND(k) operand(p, node->operand[k])
#define IS_DOUBLE (node->type.bits == 64)
PRINT(PARAMETER, ((void)p, node->name)) // its text is set already
PRINT(INTEGER, integer_literal(p->file->arena, node->n, node->type.bits))
PRINT(NUMBER, c_float_literal(p->file, node->number, IS_DOUBLE))
PRINT(ENTRY, entry_text(p, node))
PRINT(INFIX, infix_text(p, node))
PRINT(SIGNED_INFIX, signed_infix_text(p, node))
PRINT(ZEROS, ((void)p, (void)node, NULL)) // never used: C has no such operation
PRINT(COMPARED, compared_text(p, node, false))
PRINT(SIGNED_COMPARED, compared_text(p, node, true))
#define print_FLOAT_COMPARED print_COMPARED
PRINT(NEGATED, arena_printf(p->file->arena, "-%s", OPERAND(0)))
PRINT(MAGNITUDE, magnitude_text(p, node))
PRINT(WITH_SIGN, call_text(p, node, with_sign(p->file, IS_DOUBLE)))
PRINT(ROOT, libm_text(p, node, "sqrt"))
PRINT(LIBM, libm_text(p, node, node->name))
PRINT(SELECT, select_text(p, node))
PRINT(TRUNC, trunc_text(p, node))
PRINT(ZEXT, element_type(p->e, node->operand[0]).bits == 1
                ? arena_printf(p->file->arena, "%s ? 1U : 0U", OPERAND(0))
                : cast_text(p, node, OPERAND(0)))
PRINT(OF_SIGNED, truncated(p, node->type, cast_text(p, node, signed_text(p, node->operand[0]))))
PRINT(CAST, cast_text(p, node, OPERAND(0)))
PRINT(TO_SIGNED, arena_printf(p->file->arena, "(%s)(int%d_t)%s", type_name(node->type),
                              node->type.bits, OPERAND(0)))
PRINT(SIGNED_CLAMPED, clamped_text(p, node, true))
PRINT(UNSIGNED_CLAMPED, clamped_text(p, node, false))
PRINT(BITS, bits_text(p, node))
PRINT(CALL, call_text(p, node, defined_function(p->file, node->called)))

static const char *node_text(Printer *p, const ElementNode *node) {
  static const char *(*const print[ELEMENT_OP_COUNT])(Printer *, const ElementNode *) = {
#define ELEMENT_OP(id, kind, llvm, sign) [ELEMENT_##id] = print_##kind,
#include "codegen/element/element_ops.def"
#undef ELEMENT_OP
  };
  return print[node->op](p, node);
}

// The expression of a value. Prints only the values that are needed, each before its first use.
static const char *operand(Printer *p, ElementValue value) {
  const ElementNode *node = node_of(p, value);
  if (node->op == ELEMENT_PARAMETER)
    p->reads[node->n] = true;
  if (p->text[value])
    return p->text[value];
  const char *text = node_text(p, node);
  if (element_is_constant(p->e, value))
    return text;
  bool is_condition = node->type.bits == 1 && p->uses[value] == 1;
  if (is_condition) {
    text = arena_printf(p->file->arena, "(%s)", text);
  } else if (node->op != ELEMENT_BITS || strchr(text, '(')) {
    const char *name = name_unique(&p->names, c_identifier(p->file->arena, node->name));
    c_put(&p->out, "  const %s %s = %s;\n", type_name(node->type), name, text);
    text = name;
  }
  p->text[value] = text;
  return text;
}

// ---- functions ----

// `first`: the expression of the first parameter; NULL: its name.
static Printer element_printer(CFile *file, const Element *e, const char *first) {
  Arena *arena = file->arena;
  Printer p = {.file = file, .e = e, .out = {.arena = arena}, .names = {.arena = arena}};
  p.text = ARENA_ARRAY(arena, const char *, e->node.count);
  p.uses = ARENA_ARRAY(arena, int, e->node.count);
  p.uses[e->result]++;
  for (int i = 0; i < e->node.count; i++) {
    const ElementNode *node = &e->node.item[i];
    for (int k = 0; k < ELEMENT_OPERANDS; k++)
      if (node->operand[k] != ELEMENT_NONE)
        p.uses[node->operand[k]]++;
    if (node->op == ELEMENT_PARAMETER) {
      const char *name = name_unique(&p.names, c_identifier(arena, node->name));
      p.text[i] = node->n == 0 && first ? first : name;
    }
  }
  return p;
}

static const char *printed_lines(const Printer *p) {
  return arena_printf(p->file->arena, "%.*s", p->out.letter.count,
                      p->out.letter.item ? p->out.letter.item : "");
}

// "float x, float most"
static const char *parameters_text(CFile *file, const Element *e) {
  const char *text = "";
  for (int i = 0; i < e->node.count; i++)
    if (e->node.item[i].op == ELEMENT_PARAMETER)
      text = arena_printf(file->arena, "%s%s%s %s", text, *text ? ", " : "",
                          type_name(e->node.item[i].type), e->node.item[i].name);
  return text;
}

static const char *put_function(CFile *file, const Element *e, const char *key) {
  Printer p = element_printer(file, e, NULL);
  const char *result = operand(&p, e->result);
  const char *name = c_helper_add(file, key, c_identifier(file->arena, key));
  c_put(&file->helpers, "\nstatic %s %s(%s) {\n%s  return %s;\n}\n",
        type_name(element_type(e, e->result)), name, parameters_text(file, e), printed_lines(&p),
        result);
  return name;
}

// The C function of a called element-wise function.
static const char *defined_function(CFile *file, const Element *e) {
  const char *name = c_helper(file, e->name);
  return name ? name : put_function(file, e, e->name);
}

// "f32_to_u8", "relu_f32"; the rule of a cast is only part of the key.
static const char *step_name(Arena *arena, const rsh_step *step) {
  if (step->op != RSH_OP_CAST)
    return arena_printf(arena, "%s_%s", rsh_op_name(step->op), rsh_dtype_name(step->to));
  return arena_printf(arena, "%s_to_%s", rsh_dtype_name(step->from), rsh_dtype_name(step->to));
}

// Elements have their C types; narrow floats and packed elements are passed as bits.
static bool is_signed_type(rsh_dtype type) {
  return rsh_dtype_is_signed(type) && plan_element_bits(type) >= 8;
}

const char *c_step(CFile *file, const Graph *graph, const rsh_step *step, int64_t repeat) {
  Arena *arena = file->arena;
  const char *wanted = step_name(arena, step);
  const char *key = arena_printf(arena, "%s of %s %d %d", wanted, rsh_dtype_name(step->from),
                                 step->rule.saturate, step->rule.round);
  for (int i = 0; i < RSH_CONSTANTS; i++)
    key = step->tables >> i & 1 // tables of a graph; called graphs share theirs with the caller
              ? arena_printf(arena, "%s %p", key,
                             (const void *)graph->table.item[step->constant[i]].bits)
              : arena_printf(arena, "%s %" PRIX64, key, step->constant[i]);
  for (int32_t i = 0; i < step->entries; i++)
    key = arena_printf(arena, "%s %" PRIX64, key, (uint64_t)step->table[i].n);
  if (step->tables && repeat > 1)
    key = arena_printf(arena, "%s %" PRId64, key, repeat);
  const char *name = c_helper(file, key);
  if (name)
    return name;
  const Element *e =
      element_of_step(arena, &file->machine, graph ? graph->table.item : NULL, repeat, step, true);
  const char *from = rsh_dtype_ctype(step->from), *to = rsh_dtype_ctype(step->to);
  bool gives_signed = is_signed_type(step->to);
  Printer p = element_printer(
      file, e, is_signed_type(step->from) ? arena_printf(arena, "(u%s)x", from) : NULL);
  const char *made = operand(&p, e->result);
  name = c_helper_add(file, key, wanted);
  if (!p.reads[0]) // such as a cast of f8e8m0 to bool, which is always true
    c_put(&p.out, "  (void)x;\n");
  if (step->tables && !p.reads[1]) // all entries are equal
    c_put(&p.out, "  (void)entry;\n");
  c_put(&file->helpers, "\nstatic %s %s(%s x%s) {\n%s  return %s%s%s%s;\n}\n", to, name, from,
        step->tables ? ", size_t entry" : "", printed_lines(&p), gives_signed ? "(" : "",
        gives_signed ? to : "", gives_signed ? ")" : "", made);
  return name;
}

const char *c_power(CFile *file, bool is_double) {
  const char *key = is_double ? "power_f64" : "power_f32", *name = c_helper(file, key);
  return name ? name
              : put_function(file, element_power(file->arena, &file->machine, is_double), key);
}
