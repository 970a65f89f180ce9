// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A first pass over all elements finds the column width, a second one prints. Floats have the fewest digits that
// distinguish them from adjacent values, at most 8 after the point; all of an array have an exponent if their
// magnitudes differ much.
#include "driver/script/array_text.h"

#include "frontend/text/source.h"
#include "runtime/convert.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 75, DIGITS = 8, WORD_BYTES = 256 };

// The format of the real numbers of an array.
typedef struct FloatFormat {
  rsh_dtype type; // f16, f32 or f64
  bool has_plus;  // for imaginary parts
  bool is_scientific;
  int left, right; // characters before and after the point
  int exponent;    // its digits
} FloatFormat;

typedef struct Printer {
  const Npy *array;
  const int64_t *dim;
  FILE *out;
  FloatFormat real, imaginary;
  int width;  // of integers and bool
  int column; // of the current line, including
  int blanks; // blanks held back: no line ends in blanks, except the last one of a row
} Printer;

// Appends `text`, then `what` `more` times; words are far shorter than their buffer.
static void append_text(char word[WORD_BYTES], const char *text, int more, char what) {
  size_t n = strlen(word);
  while (*text && n + 1 < WORD_BYTES)
    word[n++] = *text++;
  while (more-- > 0 && n + 1 < WORD_BYTES)
    word[n++] = what;
  word[n] = '\0';
}

// ---- one number ----

static uint64_t bits_of(double x, rsh_dtype type) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return type == RSH_F64
             ? bits
             : rsh_convert_bits(bits, RSH_F64, type, (rsh_cast_rule){true, RSH_ROUND_UP});
}

static double double_of(const void *element, rsh_dtype type) {
  double x;
  (void)rsh_convert(element, type, &x, RSH_F64, (rsh_cast_rule){true, RSH_ROUND_UP});
  return x;
}

// The fewest digits in scientific notation that yield the same number of this type when read back.
static int shortest(double x, rsh_dtype type) {
  char text[40];
  for (int digits = 1; digits < 17; digits++) {
    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    if (bits_of(strtod(text, NULL), type) == bits_of(x, type))
      return digits;
  }
  return 17;
}

// "1.25e+10", "-3.e-05": without trailing zeros, but with at least `least` digits after the point.
static void scientific(const FloatFormat *f, double x, int least, char text[WORD_BYTES]) {
  int digits = shortest(x, f->type) - 1;
  digits = digits > DIGITS ? DIGITS : digits < least ? least : digits;
  char raw[64];
  snprintf(raw, sizeof raw, f->has_plus ? "%+.*e" : "%.*e", digits, x);
  char *e = strchr(raw, 'e'), *point = memchr(raw, '.', (size_t)(e - raw)), *end = e;
  while (point && end > point + 1 && end[-1] == '0')
    end--;
  int behind = point ? (int)(end - point) - 1 : 0;
  char sign[3] = {'e', e[1], '\0'}, *exponent = e + 2; // at least two digits
  *text = *end = '\0';
  append_text(text, raw, 0, 0);
  append_text(text, point ? "" : ".", least - behind, '0');
  append_text(text, sign, f->exponent - (int)strlen(exponent), '0');
  append_text(text, exponent, 0, 0);
}

// "12.5", "3."
static void positional(const FloatFormat *f, double x, char text[WORD_BYTES]) {
  char raw[40];
  int digits = shortest(x, f->type);
  snprintf(raw, sizeof raw, "%.*e", digits - 1, x);
  int behind = digits - 1 - atoi(strchr(raw, 'e') + 1);
  behind = behind < 0 ? 0 : behind > DIGITS ? DIGITS : behind;
  int n = snprintf(text, WORD_BYTES, f->has_plus ? "%+.*f" : "%.*f", behind, x);
  if (behind == 0)
    text[n++] = '.';
  while (behind > 0 && text[n - 1] == '0')
    n--;
  text[n] = '\0';
}

static void special(const FloatFormat *f, double x, char text[WORD_BYTES]) {
  const char *sign = !isnan(x) && x < 0 ? "-" : f->has_plus ? "+" : "";
  snprintf(text, WORD_BYTES, "%s%s", sign, isnan(x) ? "nan" : "inf");
}

// Appends a number padded to its column, aligned at the point, if it has one.
static void append_float(const FloatFormat *f, double x, char out[WORD_BYTES]) {
  char text[WORD_BYTES];
  if (!isfinite(x)) {
    special(f, x, text);
    append_text(out, "", f->left + f->right + 1 - (int)strlen(text), ' ');
    append_text(out, text, 0, 0);
    return;
  }
  if (f->is_scientific)
    scientific(f, x, f->right - f->exponent - 2, text);
  else
    positional(f, x, text);
  int before = (int)(strchr(text, '.') - text), behind = (int)strlen(text) - before - 1;
  append_text(out, "", f->left - before, ' ');
  append_text(out, text, f->is_scientific ? 0 : f->right - behind, ' ');
}

// ---- the widths of columns ----

static double part_of(const Npy *a, int64_t index, rsh_dtype type, int part) {
  size_t size = (size_t)rsh_dtype_bits(type) / 8;
  size_t parts = rsh_dtype_is_complex(a->dtype) ? 2 : 1;
  return double_of((const unsigned char *)a->data + ((size_t)index * parts + (size_t)part) * size,
                   type);
}

static int at_least(int a, int b) { return a > b ? a : b; }

static void widen(FloatFormat *f, double x) {
  char text[WORD_BYTES];
  if (!isfinite(x))
    return;
  if (f->is_scientific)
    scientific(f, x, 0, text);
  else
    positional(f, x, text);
  const char *point = strchr(text, '.'), *e = strchr(text, 'e');
  int behind = (int)((e ? (size_t)(e - point) : strlen(point)) - 1);
  f->left = at_least(f->left, (int)(point - text));
  f->right = at_least(f->right, behind);
  f->exponent = at_least(f->exponent, e ? (int)strlen(e + 2) : 0);
}

static FloatFormat float_format(const Npy *a, rsh_dtype type, int part) {
  FloatFormat f = {.type = type, .has_plus = part == 1};
  double largest = 0, smallest = INFINITY;
  bool has_special = false, has_minus = f.has_plus;
  int64_t n = npy_volume(a);
  for (int64_t i = 0; i < n; i++) {
    double x = part_of(a, i, type, part), size = fabs(x);
    has_special = has_special || !isfinite(x);
    has_minus = has_minus || (isinf(x) && x < 0);
    if (!isfinite(x) || size == 0)
      continue;
    largest = size > largest ? size : largest;
    smallest = size < smallest ? size : smallest;
  }
  f.is_scientific =
      largest > 0 && (largest >= 1e8 || smallest < 0.0001 || largest / smallest > 1000);
  for (int64_t i = 0; i < n; i++)
    widen(&f, part_of(a, i, type, part));
  if (f.is_scientific)
    f.right += f.exponent + 2;
  if (has_special) {
    f.left = at_least(f.left, 3 - f.right - 1);
    f.left = at_least(f.left, 3 + has_minus - f.right - 1);
  }
  return f;
}

static void format_integer(const Npy *a, int64_t index, char text[WORD_BYTES]) {
  int64_t value = 0;
  size_t size = (size_t)rsh_dtype_bits(a->dtype) / 8;
  const unsigned char *at = (const unsigned char *)a->data + (size_t)index * size;
  (void)rsh_convert(at, a->dtype, &value, rsh_dtype_is_signed(a->dtype) ? RSH_I64 : RSH_U64,
                    (rsh_cast_rule){true, RSH_ROUND_UP});
  if (rsh_dtype_is_signed(a->dtype))
    snprintf(text, WORD_BYTES, "%" PRId64, value);
  else
    snprintf(text, WORD_BYTES, "%" PRIu64, (uint64_t)value);
}

// As in NumPy, quoted except in a scalar; control characters are escaped, as \x1b, and long strings are truncated.
static void format_string(const Npy *a, int64_t index, char word[WORD_BYTES]) {
  enum { LONGEST = WORD_BYTES - 12 }; // leaves room for what follows the last character
  const char *at = ((const char *const *)a->data)[index], *end = at + strlen(at);
  append_text(word, "", a->rank > 0, '\'');
  while (at < end && strlen(word) < LONGEST) {
    int bytes = utf8_length(at, end);
    unsigned char c = (unsigned char)*at;
    char text[8];
    if (c < ' ' || c == 0x7F)
      snprintf(text, sizeof text, "\\x%02x", c);
    else
      snprintf(text, sizeof text, "%.*s", bytes, at);
    append_text(word, text, 0, 0);
    at += bytes;
  }
  append_text(word, at < end ? "..." : "", a->rank > 0, '\'');
}

static void measure(Printer *p) {
  const Npy *a = p->array;
  char text[WORD_BYTES];
  switch (rsh_dtype_kind_of(a->dtype)) {
  case RSH_KIND_COMPLEX:
    p->real = float_format(a, a->dtype == RSH_C64 ? RSH_F32 : RSH_F64, 0);
    p->imaginary = float_format(a, p->real.type, 1);
    break;
  case RSH_KIND_FLOAT:
    p->real = float_format(a, a->dtype, 0);
    break;
  case RSH_KIND_BOOL:
    p->width = a->rank > 0 ? 5 : 0;
    break;
  case RSH_KIND_SIGNED:
  case RSH_KIND_UNSIGNED:
    for (int64_t i = 0, n = npy_volume(a); i < n; i++) {
      format_integer(a, i, text);
      p->width = at_least(p->width, (int)strlen(text));
    }
    break;
  case RSH_KIND_STRING: // words follow each other
  case RSH_KIND_NONE:
    break;
  }
}

// ---- printing ----

static void format_element(const Printer *p, int64_t index, char word[WORD_BYTES]) {
  const Npy *a = p->array;
  char text[WORD_BYTES] = "";
  word[0] = '\0';
  switch (rsh_dtype_kind_of(a->dtype)) {
  case RSH_KIND_COMPLEX: {
    append_float(&p->real, part_of(a, index, p->real.type, 0), word);
    append_float(&p->imaginary, part_of(a, index, p->real.type, 1), text);
    int length = (int)strlen(text), blanks = 0; // after the number
    while (blanks < length && text[length - blanks - 1] == ' ')
      blanks++;
    text[length - blanks] = '\0';
    append_text(word, text, 1, 'j');
    append_text(word, "", blanks, ' ');
    return;
  }
  case RSH_KIND_FLOAT:
    append_float(&p->real, part_of(a, index, a->dtype, 0), word);
    return;
  case RSH_KIND_BOOL:
    append_text(text, ((const unsigned char *)a->data)[index] ? "True" : "False", 0, 0);
    break;
  case RSH_KIND_STRING:
    format_string(a, index, word);
    return;
  case RSH_KIND_SIGNED:
  case RSH_KIND_UNSIGNED:
    format_integer(a, index, text);
    break;
  case RSH_KIND_NONE:
    return;
  }
  append_text(word, "", p->width - (int)strlen(text), ' ');
  append_text(word, text, 0, 0);
}

// Prints a word of a row, on the next line if it does not fit on this one.
static void put_word(Printer *p, const char *word, int room, int indent, bool is_last) {
  int length = (int)strlen(word), ink = length;
  if (p->column + length > room && p->column > indent) {
    fprintf(p->out, "\n%*s", indent, "");
    p->column = indent;
    p->blanks = 0;
  }
  while (ink > 0 && word[ink - 1] == ' ')
    ink--;
  fprintf(p->out, "%*s%.*s", p->blanks, "", ink, word);
  p->blanks = length - ink + !is_last;
  p->column += length + !is_last;
  if (is_last)
    fprintf(p->out, "%*s", p->blanks, "");
}

static bool is_abridged(const Printer *p, int axis) { return p->dim[axis] != p->array->dim[axis]; }

// Prints the innermost axis, whose first element is `at`. Lines start at column `indent`, inside the brackets.
static void put_row(Printer *p, int64_t at, int axis, int indent) {
  char word[WORD_BYTES];
  int room = LINE_WIDTH - axis - 1; // for the closing brackets
  p->column = indent;
  p->blanks = 0;
  for (int64_t i = 0; i < p->array->dim[axis]; i++) {
    if (is_abridged(p, axis) && i == ARRAY_TEXT_EDGE)
      put_word(p, "...", room, indent, false);
    format_element(p, at + i, word);
    put_word(p, word, room, indent, i + 1 == p->array->dim[axis]);
  }
}

static void put_axis(Printer *p, int64_t at, int axis) {
  const Npy *a = p->array;
  int64_t stride = 1;
  int indent = axis + 1;
  for (int i = axis + 1; i < a->rank; i++)
    stride *= a->dim[i];
  putc('[', p->out);
  if (axis == a->rank - 1)
    put_row(p, at, axis, indent);
  for (int64_t i = 0; axis < a->rank - 1 && i < a->dim[axis]; i++) {
    for (int k = axis; i > 0 && k < a->rank - 1; k++) // one empty line per axis in between
      putc('\n', p->out);
    if (is_abridged(p, axis) && i == ARRAY_TEXT_EDGE) {
      fprintf(p->out, "%*s...", indent, "");
      for (int k = axis; k < a->rank - 1; k++)
        putc('\n', p->out);
    }
    if (i > 0)
      fprintf(p->out, "%*s", indent, "");
    put_axis(p, at + i * stride, axis + 1);
  }
  putc(']', p->out);
}

const char *array_type_text(char text[ARRAY_TEXT_TYPE], rsh_dtype dtype, int rank,
                            const int64_t *dim) {
  int n = snprintf(text, ARRAY_TEXT_TYPE, "%s%s", rsh_dtype_name(dtype), rank > 0 ? "[" : "");
  for (int i = 0; i < rank; i++)
    n += snprintf(text + n, (size_t)(ARRAY_TEXT_TYPE - n), "%s%lld%s", i ? ", " : "",
                  (long long)dim[i], i + 1 < rank ? "" : "]");
  return text;
}

void array_print(const Npy *shown, const int64_t *dim, FILE *out) {
  Printer p = {.array = shown, .dim = dim, .out = out};
  char word[WORD_BYTES];
  measure(&p);
  if (npy_volume(shown) == 0) {
    fputs("[]", out);
  } else if (shown->rank == 0) {
    format_element(&p, 0, word);
    fputs(word, out);
  } else {
    put_axis(&p, 0, 0);
  }
  putc('\n', out);
}
