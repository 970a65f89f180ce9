// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/verify/verify_macro.h"
#include "frontend/text/words.h"
#include "runtime/resolve.h"

#include <stdlib.h>
#include <string.h>

bool macro_takes(MacroReader *r, const char *token) {
  r->at += strspn(r->at, " ");
  if (strncmp(r->at, token, strlen(token)) != 0)
    return false;
  r->at += strlen(token);
  return true;
}

size_t macro_word(const char *text) {
  size_t n = 0;
  while (is_word_byte(text[n]))
    n++;
  return n;
}

static int64_t read_name(MacroReader *r) {
  size_t length = macro_word(r->at);
  const char *p = r->parameters;
  for (int i = 0; p && *p && *p != ')'; i++) {
    p += strspn(p, "(, ");
    if (macro_word(p) == length && strncmp(p, r->at, length) == 0) {
      r->at += length;
      return r->value[i];
    }
    p += macro_word(p);
  }
  r->good = false;
  return 0;
}

// RSH_EDGE(at, size, least): a position on an axis, counted from its end if negative, clamped to least ... size.
static int64_t macro_edge(MacroReader *r) {
  int64_t at = macro_read(r);
  r->good = macro_takes(r, ",") && r->good;
  int64_t size = macro_read(r);
  r->good = macro_takes(r, ",") && r->good;
  int64_t least = macro_read(r);
  r->good = macro_takes(r, ")") && r->good;
  r->good = rsh_edge(RSH_EDGE_PLACE, at, size, least, &at) == RSH_ok && r->good;
  return at;
}

static int64_t read_unary(MacroReader *r) {
  int64_t n;
  if (macro_takes(r, "RSH_EDGE("))
    return macro_edge(r);
  if (macro_takes(r, "(int64_t)"))
    return read_unary(r);
  if (macro_takes(r, "-"))
    return -read_unary(r);
  if (macro_takes(r, "(")) {
    n = macro_read(r);
    r->good = macro_takes(r, ")") && r->good;
    return n;
  }
  if (!is_digit(*r->at))
    return read_name(r);
  char *end;
  n = (int64_t)strtoull(r->at, &end, 10);
  r->at = end + strspn(end, "uUlL");
  return n;
}

static int64_t read_product(MacroReader *r) {
  int64_t n = read_unary(r), m;
  for (;;) {
    char op = macro_takes(r, "*") ? '*' : macro_takes(r, "/") ? '/' : macro_takes(r, "%") ? '%' : 0;
    if (!op)
      return n;
    m = read_unary(r);
    r->good = r->good && (op == '*' || m != 0);
    n = !r->good ? 0 : op == '*' ? n * m : op == '/' ? n / m : n % m;
  }
}

static int64_t read_sum(MacroReader *r) {
  int64_t n = read_product(r);
  for (;;) {
    if (macro_takes(r, "+"))
      n += read_product(r);
    else if (macro_takes(r, "-"))
      n -= read_product(r);
    else
      return n;
  }
}

static int64_t read_comparison(MacroReader *r) {
  int64_t n = read_sum(r);
  if (macro_takes(r, "=="))
    return n == read_sum(r);
  if (macro_takes(r, "!="))
    return n != read_sum(r);
  if (macro_takes(r, "<="))
    return n <= read_sum(r);
  if (macro_takes(r, ">="))
    return n >= read_sum(r);
  if (macro_takes(r, "<"))
    return n < read_sum(r);
  if (macro_takes(r, ">"))
    return n > read_sum(r);
  return n;
}

static int64_t read_logic(MacroReader *r) {
  int64_t n = read_comparison(r), m;
  for (;;) {
    bool is_and = macro_takes(r, "&&");
    if (!is_and && !macro_takes(r, "||"))
      return n;
    m = read_comparison(r);
    n = is_and ? n && m : n || m;
  }
}

int64_t macro_read(MacroReader *r) {
  int64_t n = read_logic(r);
  if (!macro_takes(r, "?"))
    return n;
  int64_t a = macro_read(r);
  r->good = macro_takes(r, ":") && r->good;
  int64_t b = macro_read(r);
  return n ? a : b;
}
