// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Code as data: what its builder folds, what it shares, and what its verifier rejects.
#include "codegen/code/code.h"

#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(what)                                                                                \
  do {                                                                                             \
    if (!(what)) {                                                                                 \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                           \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

static CodeValue size(Code *code, int i) {
  return code_add(code, CODE_SIZE, CODE_NONE, CODE_NONE, CODE_NONE, i);
}

static void check_counts(Code *code) {
  CodeValue a = code_magnitude(code, size(code, 0)), b = code_magnitude(code, size(code, 1));
  CodeValue one = code_literal(code, 1), product = code_times(code, a, b);
  CHECK(code_times(code, one, a) == a && code_times(code, a, one) == a);
  CHECK(code_times(code, a, b) == product);
  CHECK(code_times(code, code_literal(code, 6), code_literal(code, 7)) == code_literal(code, 42));
  // The product of two sizes may overflow; a sum or difference of them does not, and neither does twice one of them.
  CHECK(code_past(code, product) != CODE_NONE);
  CHECK(code_past(code, code_plus(code, a, b)) == CODE_NONE);
  CHECK(code_past(code, code_minus(code, a, b)) == CODE_NONE);
  CHECK(code_past(code, code_times(code, a, code_literal(code, 2))) == CODE_NONE);
  CHECK(code_past(code, code_times(code, a, code_literal(code, 3))) != CODE_NONE);
  CHECK(code_fitted(code, a) == size(code, 0));
  CHECK(code_magnitude(code, code_fitted(code, product)) == product);
  CHECK(code_above(code, a, INT64_MAX) == CODE_NONE);
  CHECK(code_above(code, product, INT64_MAX) != CODE_NONE);
}

static void check_bits(Code *code) {
  CodeValue a = size(code, 0), b = size(code, 1), zero = code_integer(code, 0);
  CodeValue less = code_compare(code, CODE_LESS, a, b);
  CodeValue some = code_compare(code, CODE_UNEQUAL, a, zero);
  CHECK(code_not(code, less) == code_compare(code, CODE_AT_LEAST, a, b));
  CHECK(code_not(code, code_not(code, less)) == less);
  CHECK(code_compare(code, CODE_LESS, zero, code_integer(code, 1)) == code_not(code, CODE_NONE));
  CHECK(code_compare(code, CODE_MORE, zero, code_integer(code, 1)) == CODE_NONE);
  CHECK(code_or(code, CODE_NONE, less) == less && code_and(code, CODE_NONE, less) == CODE_NONE);
  CHECK(code_and(code, code_not(code, CODE_NONE), less) == less);
  // After a return if either holds, both are false.
  code_fail(code, code_or(code, less, some), RSH_guard_failed, NULL);
  CHECK(code_or(code, less, CODE_NONE) == CODE_NONE);
  CHECK(code_and(code, some, code_compare(code, CODE_EQUAL, a, b)) == CODE_NONE);
  int statements = code->node.count;
  code_fail(code, some, RSH_overflow, NULL);
  CHECK(code->node.count == statements);
}

// Faults that the builder never makes.
static void check_verifier(Code *code) {
  code_fail(code, code_compare(code, CODE_EQUAL, size(code, 1), code_integer(code, 7)), RSH_bad_dim,
            NULL);
  CHECK(code_verify(code) == NULL);
  CodeNode *last = &code->node.item[code->node.count - 1], kept;
  CHECK(last->op == CODE_FAIL);
  kept = *last;
  last->operand[0] = CODE_NONE;
  CHECK(code_verify(code) && strstr(code_verify(code), "the wrong number of operands"));
  last->operand[0] = code->node.count - 1;
  CHECK(code_verify(code) && strstr(code_verify(code), "does not come before it"));
  last->operand[0] = size(code, 0);
  CHECK(code_verify(code) && strstr(code_verify(code), "cannot have"));
  *last = kept;
  CHECK(code_verify(code) == NULL);
}

// for i < 4
//   place = i, then ...
//     leave where place == i
//     next place
//   end
static void build_blocks(Code *code, CodeOp end, CodeOp around_break) {
  CodeValue i = code_unary(code, CODE_FOR, code_leaf(code, CODE_EXTENT));
  CodeValue place = code_unary(code, CODE_LOOP, i);
  if (around_break == CODE_IF)
    code_unary(code, CODE_IF, code_binary(code, CODE_EQUAL, place, i));
  code_unary(code, CODE_BREAK, code_binary(code, CODE_EQUAL, place, i));
  if (around_break == CODE_IF)
    code_leaf(code, CODE_END);
  if (end == CODE_NEXT)
    code_unary(code, CODE_NEXT, place);
  else
    code_leaf(code, end);
  code_leaf(code, CODE_END);
}

static bool says(const Code *code, const char *what) {
  const char *wrong = code_verify(code);
  return wrong && strstr(wrong, what);
}

static void check_blocks(Arena *arena) {
  Code good = {.arena = arena}, wrong_end = good, in_if = good, open = good, outside = good,
       mixed = good;
  build_blocks(&good, CODE_NEXT, CODE_LOOP);
  CHECK(code_verify(&good) == NULL);
  build_blocks(&wrong_end, CODE_END, CODE_LOOP);
  CHECK(says(&wrong_end, "end cannot be in such a block"));
  build_blocks(&in_if, CODE_NEXT, CODE_IF);
  CHECK(says(&in_if, "break cannot be in such a block"));
  code_unary(&open, CODE_FOR, code_leaf(&open, CODE_EXTENT));
  CHECK(says(&open, "is not closed"));
  // An index is out of scope after its loop; the value of a LOOP is not.
  CodeValue i = code_unary(&outside, CODE_FOR, code_leaf(&outside, CODE_EXTENT));
  code_leaf(&outside, CODE_END);
  CHECK(code_verify(&outside) == NULL);
  code_binary(&outside, CODE_ADVANCE, i, i);
  outside.node.item[outside.node.count - 1].operand[2] = i;
  CHECK(says(&outside, "belongs to a block that is closed"));
  CodeValue place = code_unary(&good, CODE_LOOP, code_leaf(&good, CODE_ARGUMENT));
  code_unary(&good, CODE_NEXT, place);
  code_binary(&good, CODE_SUB, place, place);
  CHECK(code_verify(&good) == NULL);
  // Both sides of a comparison have the same type.
  code_binary(&mixed, CODE_LESS, code_leaf(&mixed, CODE_ARGUMENT), code_integer(&mixed, 1));
  CHECK(says(&mixed, "less cannot have"));
  Code *const made[] = {&good, &wrong_end, &in_if, &open, &outside, &mixed};
  for (size_t k = 0; k < sizeof made / sizeof *made; k++)
    code_free(made[k]); // code_end aborts where code is wrong
}

// A list for the runtime holds parameters of one kind, nulls, and existing constants.
static void check_list(Arena *arena) {
  static const Tape tape;
  static const int64_t good[] = {0, -1}, other_kind[] = {1, -1}, no_constant[] = {0, 2};
  const Plan plan = {.tape = &tape};
  Signature signature = {.returns_status = true};
  Parameter parameter[2] = {{PARAMETER_SIZE, 0}, {PARAMETER_INPUT, 0}};
  signature.parameter.item = parameter;
  signature.parameter.count = 2;
  Code code = {.arena = arena, .plan = &plan, .signature = &signature};
  code_leaf(&code, CODE_GIVE);
  CodeNode *give = &code.node.item[code.node.count - 1];
  give->n = PARAMETER_SIZE;
  give->index = 2;
  give->list = good;
  CHECK(code_verify(&code) == NULL);
  give->list = other_kind;
  CHECK(says(&code, "entry 0 is not a parameter of its kind"));
  give->list = no_constant;
  CHECK(says(&code, "entry 1 is not a parameter of its kind"));
  code_free(&code);
}

int main(void) {
  Arena *arena = arena_new();
  Code code = {.arena = arena};
  check_blocks(arena);
  check_list(arena);
  check_counts(&code);
  check_bits(&code);
  check_verifier(&code);
  code_end(&code);
  arena_free(arena);
  return failures != 0;
}
