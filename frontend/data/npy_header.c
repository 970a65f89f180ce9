// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A strict tokenizer and a parser of three rules, not a Python evaluator. Nothing nests,
// so nothing recurses.
#include "frontend/data/npy_header.h"

#include "frontend/text/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Parser {
  const char *begin, *at, *end;
  NpyHeader *header;
  NpyError *error;
} Parser;

__attribute__((format(printf, 3, 4))) static void report(Parser *p, const char *kind,
                                                         const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(p->error->text, sizeof p->error->text, format, args);
  va_end(args);
  p->error->kind = kind;
}

// An expression, so that 'return fail(...)' ends a rule.
#define fail(p, ...) (report(p, __VA_ARGS__), false)

// Copies user text for a message: at most 40 bytes, without anything that could disturb a terminal.
static void quote(char *out, size_t size, const char *text, size_t length) {
  size_t n = 0;
  for (; n < length && n < 40 && n + 4 < size; n++)
    out[n] = text[n] >= ' ' && text[n] <= '~' ? text[n] : '?';
  snprintf(out + n, size - n, "%s", n < length ? "..." : "");
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void skip_blanks(Parser *p) {
  while (p->at < p->end && is_space(*p->at))
    p->at++;
}

static bool take_char(Parser *p, char c) {
  skip_blanks(p);
  if (p->at == p->end || *p->at != c)
    return false;
  p->at++;
  return true;
}

static bool expected(Parser *p, const char *what) {
  if (p->at == p->end)
    return fail(p, "bad_file", "the header ends where %s is expected", what);
  char c = *p->at >= ' ' && *p->at <= '~' ? *p->at : '?';
  return fail(p, "bad_file", "byte %d of the header: expected %s, found '%c'",
              (int)(p->at - p->begin), what, c);
}

// 'text' or "text". Escapes are rejected: no known key or descr needs one.
static bool parse_string(Parser *p, const char *what, const char **text, size_t *length) {
  skip_blanks(p);
  if (p->at == p->end || (*p->at != '\'' && *p->at != '"'))
    return expected(p, what);
  char close = *p->at++;
  *text = p->at;
  while (p->at < p->end && *p->at != close && *p->at != '\\' && *p->at != '\n')
    p->at++;
  if (p->at == p->end || *p->at != close)
    return expected(p, "the end of a string");
  *length = (size_t)(p->at++ - *text);
  return true;
}

// "<f4" becomes order '<', kind 'f', size 4.
static bool parse_descr(Parser *p) {
  NpyHeader *h = p->header;
  skip_blanks(p);
  if (p->at < p->end && (*p->at == '[' || *p->at == '(' || *p->at == '{')) {
    quote(h->descr, sizeof h->descr, p->at, (size_t)(p->end - p->at));
    return fail(p, "bad_type", "descr %s is a record of several fields, not an element type",
                h->descr);
  }
  const char *text;
  size_t length;
  if (!parse_string(p, "a string for 'descr'", &text, &length))
    return false;
  quote(h->descr, sizeof h->descr, text, length);

  const char *end = text + length;
  h->order = '=';
  if (text < end && memchr("<>|=", *text, 4))
    h->order = *text++;
  h->kind = text < end ? *text++ : '\0';
  if (h->kind == 'O')
    return fail(p, "bad_type", "descr '%s' contains Python objects", h->descr);
  if (h->kind == 'T')
    return fail(p, "bad_type", "descr '%s' contains text of no fixed width", h->descr);
  if (h->kind == 'a') // from NumPy before 2
    h->kind = 'S';
  if (h->kind == 'M' || h->kind == 'm')
    return fail(p, "bad_type", "descr '%s' contains dates or time spans", h->descr);
  h->size = 0;
  int most = npy_header_is_text(h) ? 10000000 : 1000;
  for (; text < end && is_digit(*text) && h->size < most; text++)
    h->size = h->size * 10 + (*text - '0');
  if (text != end || h->size == 0)
    return fail(p, "bad_type", "descr '%s' is not an element type", h->descr);
  return true;
}

static bool accept_word(Parser *p, const char *word) {
  size_t n = strlen(word);
  if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n) != 0)
    return false;
  p->at += n;
  return true;
}

static bool parse_fortran_order(Parser *p) {
  skip_blanks(p);
  p->header->fortran = accept_word(p, "True");
  if (!p->header->fortran && !accept_word(p, "False"))
    return expected(p, "True or False for 'fortran_order'");
  return true;
}

// A size; Python 2 wrote long ones as 3L. As in Python, no leading zeros.
static bool parse_size(Parser *p, int64_t *size) {
  const char *begin = p->at;
  bool negative = take_char(p, '-');
  if (p->at == p->end || !is_digit(*p->at))
    return expected(p, "a size or ')'");
  bool fits = true;
  *size = 0;
  do {
    int digit = *p->at++ - '0';
    if (*size > (INT64_MAX - digit) / 10)
      fits = false;
    else
      *size = *size * 10 + digit;
  } while (p->at < p->end && is_digit(*p->at) && (*size != 0 || !fits));
  char text[48];
  quote(text, sizeof text, begin, (size_t)(p->at - begin));
  if (negative)
    return fail(p, "bad_file", "size %s in the shape is negative", text);
  if (!fits)
    return fail(p, "overflow", "size %s in the shape does not fit 64 bits", text);
  if (p->at < p->end && *p->at == 'L')
    p->at++;
  return true;
}

// () (3,) (2, 3) (2, 3,)
static bool parse_shape(Parser *p) {
  NpyHeader *h = p->header;
  h->rank = 0;
  if (!take_char(p, '('))
    return expected(p, "a tuple for 'shape'");
  bool comma = true;
  while (!take_char(p, ')')) {
    if (!comma)
      return expected(p, "',' or ')'");
    int64_t size = 0;
    if (!parse_size(p, &size))
      return false;
    if (h->rank < NPY_HEADER_RANK)
      h->dim[h->rank] = size;
    h->rank++;
    comma = take_char(p, ',');
  }
  if (h->rank == 1 && !comma) // (3) is the number 3
    return fail(p, "bad_file", "the shape is not a tuple: one size needs a ',' after it");
  return true;
}

static bool parse_dict(Parser *p) {
  static const struct {
    const char *name;
    bool (*parse)(Parser *);
  } keys[] = {
      {"descr", parse_descr}, {"fortran_order", parse_fortran_order}, {"shape", parse_shape}};
  enum { key_count = sizeof keys / sizeof keys[0] };
  bool seen[key_count] = {false};

  if (!take_char(p, '{'))
    return expected(p, "'{'");
  bool comma = true;
  while (!take_char(p, '}')) {
    if (!comma)
      return expected(p, "',' or '}'");
    const char *text;
    size_t length;
    if (!parse_string(p, "a key", &text, &length))
      return false;
    char shown[48];
    quote(shown, sizeof shown, text, length);
    size_t k = 0;
    while (k < key_count &&
           (strlen(keys[k].name) != length || memcmp(keys[k].name, text, length) != 0))
      k++;
    if (k == key_count)
      return fail(p, "bad_file", "the header has an unknown key '%s'", shown);
    if (seen[k])
      return fail(p, "bad_file", "the header has the key '%s' twice", shown);
    seen[k] = true;
    if (!take_char(p, ':'))
      return expected(p, "':'");
    if (!keys[k].parse(p))
      return false;
    comma = take_char(p, ',');
  }
  skip_blanks(p);
  if (p->at != p->end)
    return expected(p, "the end of the header after '}'");
  for (size_t k = 0; k < key_count; k++)
    if (!seen[k])
      return fail(p, "bad_file", "the header has no key '%s'", keys[k].name);
  return true;
}

bool npy_header_parse(const char *text, size_t length, NpyHeader *header, NpyError *error) {
  Parser p = {.begin = text, .at = text, .end = text + length, .header = header, .error = error};
  *header = (NpyHeader){.order = '='};
  return parse_dict(&p);
}
