// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of a plan as code: polynomials in the size arguments of a function, in checked arithmetic.
//
//   3*A*B - 1     %1 = size A; %2 = size B; times, times 3; minus 1; bad if one of them overflows 64 bits
#include "codegen/code/code.h"

// An atom of a term with this factor. If w is W / 16, 48*w becomes 3*W, and 5*w becomes 5 * (W / 16).
static CodeValue atom(Code *code, int index, bool is_raw, int64_t *factor) {
  int64_t divisor = is_raw ? 1 : code->plan->graph->symbol.item[index].divisor;
  bool is_part = *factor % divisor != 0;
  *factor /= is_part ? 1 : divisor;
  return code_quotient(code, code->symbol[index], is_part ? divisor : 1);
}

static CodeValue checked(Code *code, CodeValue value, CodeValue *bad) {
  *bad = code_or(code, *bad, code_past(code, value));
  return value;
}

// The magnitude of a term. A size of 0 makes it 0 even if the product of the others overflows: so the factor is
// multiplied last, and a product of three or more sizes is checked for a size of 0.
static CodeValue term_of(Code *code, rsh_terms term, bool is_raw, CodeValue *bad) {
  CodeValue product = code_literal(code, 1), is_zero = CODE_NONE, past = CODE_NONE;
  int64_t coef = term.coef < 0 ? -term.coef : term.coef;
  int degree = rsh_degree(&term);
  for (int i; (i = rsh_next_atom(&term)) >= 0;) {
    CodeValue factor = atom(code, i, is_raw, &coef);
    product = checked(code, code_times(code, product, code_magnitude(code, factor)), &past);
    if (degree > 2)
      is_zero =
          code_or(code, is_zero, code_compare(code, CODE_EQUAL, factor, code_integer(code, 0)));
  }
  product = checked(code, code_times(code, product, code_literal(code, (uint64_t)coef)), &past);
  if (is_zero != CODE_NONE && past != CODE_NONE) {
    past = code_and(code, past, code_not(code, is_zero));
    product = code_add(code, CODE_SELECT, is_zero, code_literal(code, 0), product, 0);
  }
  *bad = code_or(code, *bad, past);
  return product;
}

static void add_to(Code *code, CodeValue *side, CodeValue term, CodeValue *bad) {
  *side = *side == CODE_NONE ? term : checked(code, code_plus(code, *side, term), bad);
}

// Negative terms are summed separately: 2*A - 1 may fit in a number even if 2*A does not.
CodeValue code_number(Code *code, rsh_num n, bool is_raw, CodeValue *bad) {
  const Graph *graph = code->plan->graph;
  if (rsh_is_known(n))
    return code_integer(code, n.n);
  CodeValue plus = CODE_NONE, minus = CODE_NONE;
  rsh_terms t = rsh_terms_of(is_raw ? graph->raw : graph->symbols, n);
  while (rsh_next_term(&t)) {
    if (!t.fits || t.coef == INT64_MIN) {
      *bad = code_or(code, *bad, code_add(code, CODE_TRUTH, CODE_NONE, CODE_NONE, CODE_NONE, 1));
      return code_integer(code, 0);
    }
    CodeValue term = term_of(code, t, is_raw, bad);
    add_to(code, t.coef < 0 ? &minus : &plus, term, bad);
  }
  if (minus != CODE_NONE)
    return checked(code, code_minus(code, plus == CODE_NONE ? code_literal(code, 0) : plus, minus),
                   bad);
  *bad = code_or(code, *bad, code_above(code, plus, INT64_MAX));
  return code_fitted(code, plus);
}

CodeValue code_from_end(Code *code, CodeValue place, CodeValue size) {
  CodeValue below = code_compare(code, CODE_LESS, place, code_integer(code, 0));
  return code_choose(code, below, code_binary(code, CODE_ADD, place, size), place);
}

// n / by, rounded down or up; 0 if `by` is below 1.
static CodeValue rounded_quotient(Code *code, CodeValue n, CodeValue by, bool is_up) {
  CodeValue zero = code_integer(code, 0), one = code_integer(code, 1);
  CodeValue is_none = code_compare(code, CODE_LESS, by, one);
  CodeValue some = code_choose(code, is_none, one, by);
  CodeValue quotient = code_binary(code, CODE_QUOTIENT, n, some);
  if (is_up) {
    CodeValue rest = code_binary(code, CODE_REMAINDER, n, some);
    CodeValue more = code_choose(code, code_compare(code, CODE_MORE, rest, zero), one, zero);
    quotient = code_binary(code, CODE_ADD, quotient, more);
  }
  return code_choose(code, is_none, zero, quotient);
}

// rsh_edge() of runtime/resolve.h.
static CodeValue clamp_edge(Code *code, rsh_edge_kind kind, CodeValue place, CodeValue size,
                            CodeValue least) {
  if (kind == RSH_EDGE_EITHER)
    return code_choose(code, code_compare(code, CODE_EQUAL, place, code_integer(code, 0)), size,
                       place);
  if (kind != RSH_EDGE_PLACE)
    return rounded_quotient(code, place, size, kind == RSH_EDGE_CEILING);
  place = code_from_end(code, place, size);
  place = code_choose(code, code_compare(code, CODE_MORE, place, least), place, least);
  return code_choose(code, code_compare(code, CODE_LESS, place, size), place, size);
}

// An edge uses only earlier symbols. A negative place plus a size does not overflow.
static CodeValue edge_of(Code *code, const Edge *edge) {
  CodeValue bad = CODE_NONE;
  CodeValue place = code_number(code, edge->at, true, &bad);
  CodeValue size = code_number(code, edge->size, true, &bad);
  CodeValue least = code_number(code, edge->least, true, &bad);
  if (code->is_checked)
    code_fail(code, bad, RSH_overflow, NULL);
  return code_named(code, clamp_edge(code, edge->kind, place, size, least), "place");
}

void code_symbols(Code *code, int count) {
  for (; code->symbol_count < count; code->symbol_count++) {
    int i = code->symbol_count;
    const Symbol *symbol = &code->plan->graph->symbol.item[i];
    code->symbol[i] = symbol->is_edge
                          ? edge_of(code, &symbol->edge)
                          : code_add(code, CODE_SIZE, CODE_NONE, CODE_NONE, CODE_NONE, i);
  }
}
