// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// print and assert: values as text, and how two of them differ.
#include "driver/script/array_text.h"
#include "driver/script/script_call.h"
#include "frontend/text/text_out.h"

#include <inttypes.h>
#include <string.h>

// The part of a long axis that is shown: its first and last entries.
static Value *edges(const ScriptCall *c, Value *value, int axis) {
  Script *s = c->script;
  Expr *item[2 * ARRAY_TEXT_EDGE];
  int64_t size = value->shape.dim[axis].n;
  for (int i = 0; i < ARRAY_TEXT_EDGE; i++) {
    item[i] = script_integer(s, i, c->span);
    item[i + ARRAY_TEXT_EDGE] = script_integer(s, size - ARRAY_TEXT_EDGE + i, c->span);
  }
  return script_apply(c, "gather", value, script_list(s, item, 2 * ARRAY_TEXT_EDGE, c->span),
                      script_integer(s, axis, c->span));
}

// Converts a value to a type that array_print supports.
static Value *printable(const ScriptCall *c, Value *value) {
  int bits = rsh_dtype_bits(value->dtype);
  switch (rsh_dtype_kind_of(value->dtype)) {
  case RSH_KIND_FLOAT:
    return bits < 16 || value->dtype == RSH_BF16 ? script_convert(c, value, RSH_F32) : value;
  case RSH_KIND_SIGNED:
    return bits < 8 ? script_convert(c, value, RSH_I8) : value;
  case RSH_KIND_UNSIGNED:
    return bits < 8 ? script_convert(c, value, RSH_U8) : value;
  case RSH_KIND_NONE:
  case RSH_KIND_BOOL:
  case RSH_KIND_COMPLEX:
  case RSH_KIND_STRING:
    break;
  }
  return value;
}

const char *script_type(Script *s, const Value *value) {
  int64_t dim[RSH_MAX_RANK];
  for (int i = 0; i < value->shape.rank; i++)
    dim[i] = value->shape.dim[i].n;
  return array_type_text(arena_alloc(s->arena, ARRAY_TEXT_TYPE), value->dtype, value->shape.rank,
                         dim);
}

enum { MOST_SHOWN = 1 << 20 };

// Computes only the values that are printed.
static bool print_tensor(const ScriptCall *c, Value *value) {
  Script *s = c->script;
  const int rank = value->shape.rank;
  int64_t dim[RSH_MAX_RANK], count = 1;
  for (int i = 0; i < rank; i++) {
    dim[i] = value->shape.dim[i].n;
    if (__builtin_mul_overflow(count, dim[i], &count))
      count = INT64_MAX;
  }
  Value *shown = value;
  bool is_whole = count <= ARRAY_TEXT_WHOLE;
  count = 1;
  for (int i = 0; i < rank; i++) { // at most 6^16
    bool is_long = !is_whole && dim[i] > 2 * ARRAY_TEXT_EDGE;
    count *= is_long ? 2 * ARRAY_TEXT_EDGE : dim[i];
    shown = shown && is_long ? edges(c, shown, i) : shown;
  }
  if (count > MOST_SHOWN) {
    diag_error(s->diag, c->span, "limit",
               "'print' shows at most %d elements; of %s, it would show %" PRId64
               ": print a part, as in x[0]",
               MOST_SHOWN, script_type(s, value), count);
    return false;
  }
  shown = shown ? printable(c, shown) : NULL;
  Npy array;
  if (!shown || !script_compute(s, &shown, 1, c->span, &array))
    return false;
  puts(script_type(s, value));
  array_print(&array, dim, stdout);
  script_release(s, &array, 1);
  return true;
}

static Expr *truth_value(const ScriptCall *c, const Expr *e, char why[256]);

Expr *script_show(const ScriptCall *c) {
  Script *s = c->script;
  char why[256];
  if (!script_flush(s) || !script_take_stdout(c, &s->has_printed, s->has_written))
    return NULL;
  bool begins = true;
  for (int i = 0; i < c->count; i++) {
    Expr *e = c->arg[i]->kind == EXPR_COMPARE ? truth_value(c, c->arg[i], why) : c->arg[i];
    if (!e)
      return NULL;
    if (!begins)
      putchar(' ');
    if (script_is_tensor(s, e)) {
      Value *value = script_tensor(c, e);
      if (!value || !print_tensor(c, value))
        return NULL;
    } else {
      script_write(e, stdout);
    }
    begins = script_is_tensor(s, e); // its last line has ended
  }
  if (!begins)
    putchar('\n');
  return script_nothing;
}

// ---- assert ----

// The index of element i: "[0, 2]".
static const char *element_index(Script *s, const Npy *array, int64_t i) {
  const char *text = "";
  for (int k = array->rank - 1; k >= 0; k--) {
    text =
        arena_printf(s->arena, "%lld%s%s", (long long)(i % array->dim[k]), *text ? ", " : "", text);
    i /= array->dim[k];
  }
  return arena_printf(s->arena, "[%s]", text);
}

// One element in the form that `print` shows.
static const char *shown_element(const ScriptCall *c, Value *value, const Npy *array, int64_t i) {
  Script *s = c->script;
  for (int k = 0; k < array->rank && value; k++) {
    int64_t below = 1;
    for (int m = k + 1; m < array->rank; m++)
      below *= array->dim[m];
    value = script_apply(c, "gather", value, script_integer(s, i / below, c->span),
                         script_integer(s, 0, c->span));
    i %= below;
  }
  value = value ? printable(c, value) : NULL;
  Npy element;
  if (!value || !script_compute(s, &value, 1, c->span, &element))
    return "?";
  TextOut text;
  array_print(&element, NULL, text_out_begin(&text));
  char *line = text_out_end(&text, s->arena, NULL);
  line[strcspn(line, "\n")] = '\0';
  script_release(s, &element, 1);
  return line;
}

static bool elements_differ(const Npy *a, const Npy *b, int64_t i) {
  size_t bits = (size_t)rsh_dtype_bits(a->dtype), size = bits / 8;
  const unsigned char *x = a->data, *y = b->data;
  if (a->dtype == RSH_STRING)
    return strcmp(((const char *const *)a->data)[i], ((const char *const *)b->data)[i]) != 0;
  if (bits >= 8)
    return memcmp(x + (size_t)i * size, y + (size_t)i * size, size) != 0;
  size_t at = (size_t)i * bits;
  return ((x[at / 8] ^ y[at / 8]) >> at % 8 & ((1u << bits) - 1)) != 0;
}

static const char *difference(const ScriptCall *c, Value *const value[2], const Npy array[2]) {
  int64_t count = npy_volume(&array[0]), differ = 0, first = 0;
  if (memcmp(array[0].data, array[1].data, array[0].bytes) == 0)
    return NULL;
  for (int64_t i = count - 1; i >= 0; i--)
    if (elements_differ(&array[0], &array[1], i)) {
      differ++;
      first = i;
    }
  if (differ == 0)
    return NULL;
  Script *s = c->script;
  return arena_printf(
      s->arena, "element %s is %s on the left, %s on the right; %lld of %lld differ",
      element_index(s, &array[0], first), shown_element(c, value[0], &array[0], first),
      shown_element(c, value[1], &array[1], first), (long long)differ, (long long)count);
}

// Sets *text to how two tensors differ, NULL if they are equal. False: reported.
static bool compare_tensors(const ScriptCall *c, const Expr *a, const Expr *b, Span span,
                            const char **text) {
  Script *s = c->script;
  Value *value[2] = {script_tensor(c, a), NULL};
  value[1] = value[0] ? script_tensor(c, b) : NULL;
  if (!value[1])
    return false;
  if (strcmp(script_type(s, value[0]), script_type(s, value[1])) != 0) {
    *text = arena_printf(s->arena, "the left is %s, the right is %s", script_type(s, value[0]),
                         script_type(s, value[1]));
  } else if (value[0] != value[1]) {
    Npy array[2];
    if (!script_compute(s, value, 2, span, array))
      return false;
    *text = difference(c, value, array);
    script_release(s, array, 2);
  }
  return true;
}

// The same for any two values: lists of tensors are compared entry by entry.
static bool compare_values(const ScriptCall *c, const Expr *a, const Expr *b, Span span,
                           const char **text) {
  Script *s = c->script;
  *text = NULL;
  if (script_is_tensor(s, a) && script_is_tensor(s, b))
    return compare_tensors(c, a, b, span, text);
  if (expr_is_list(a) && expr_is_list(b) && a->list.count == b->list.count) {
    for (int i = 0; i < a->list.count && !*text; i++) {
      if (!compare_values(c, a->list.item[i], b->list.item[i], span, text))
        return false;
      if (*text)
        *text = arena_printf(s->arena, "entry %d: %s", i, *text);
    }
    return true;
  }
  bool is_equal;
  if (!script_compare(s, WHERE_EQ, a, b, &is_equal))
    return false;
  if (!is_equal)
    *text = arena_printf(s->arena, "the left is %s, the right is %s", script_text(s, a),
                         script_text(s, b));
  return true;
}

static bool has_tensor(const Script *s, const Expr *e) {
  bool found = script_is_tensor(s, e);
  for (int i = 0; expr_is_list(e) && i < e->list.count && !found; i++)
    found = has_tensor(s, e->list.item[i]);
  return found;
}

// A tensor is not equal to a value of another kind, whatever its elements are.
static bool is_mixed(const Script *s, const Expr *a, const Expr *b) {
  bool found = script_is_tensor(s, a) != script_is_tensor(s, b);
  if (expr_is_list(a) && expr_is_list(b) && a->list.count == b->list.count)
    for (int i = 0; i < a->list.count && !found; i++)
      found = is_mixed(s, a->list.item[i], b->list.item[i]);
  return found;
}

// true or false, and the message for false. NULL: reported.
static Expr *truth_value(const ScriptCall *c, const Expr *e, char why[256]) {
  Script *s = c->script;
  if (e->kind == EXPR_COMPARE) {
    const Expr *a = e->compare.left, *b = e->compare.right;
    bool holds, is_equality = e->compare.kind == WHERE_EQ || e->compare.kind == WHERE_NE;
    if (!is_equality && script_is_tensor(s, a) && script_is_tensor(s, b)) {
      diag_error(s->diag, e->span, "bad_arg", "tensors are compared with == and != only");
      return NULL;
    }
    if (is_equality && is_mixed(s, a, b)) {
      diag_error(s->diag, e->span, "bad_arg",
                 "tensors are compared with tensors; 'ints(x)' is the list of a tensor's integers");
      return NULL;
    }
    if (is_equality && has_tensor(s, a) && has_tensor(s, b)) {
      const char *text;
      if (!compare_values(c, a, b, e->span, &text))
        return NULL;
      snprintf(why, 256, "%s", text ? text : "they are equal");
      return script_truth(s, (e->compare.kind == WHERE_EQ) == !text, e->span);
    }
    if (!script_compare(s, e->compare.kind, a, b, &holds))
      return NULL;
    snprintf(why, 256, "%s %s %s", script_text(s, a), comparison_text(e->compare.kind),
             script_text(s, b));
    return script_truth(s, holds, e->span);
  }
  bool is_true = e->kind == EXPR_NAME && strcmp(e->name, "true") == 0;
  if (!is_true && !(e->kind == EXPR_NAME && strcmp(e->name, "false") == 0))
    return script_refuse(c, e, "a comparison");
  snprintf(why, 256, "this is false");
  return script_truth(s, is_true, e->span);
}

Expr *script_assert(const ScriptCall *c) {
  Script *s = c->script;
  char why[256];
  if (c->count == 2 && c->arg[1]->kind != EXPR_STRING)
    return script_refuse(c, c->arg[1], "a string");
  if (!script_flush(s))
    return NULL;
  Expr *result = truth_value(c, c->arg[0], why);
  if (!result || strcmp(result->name, "true") == 0)
    return result ? script_nothing : NULL;
  diag_error(s->diag, c->arg[0]->span, "assertion", "assertion failed: %s%s%s",
             c->count == 2 ? c->arg[1]->string.text : "", c->count == 2 ? ": " : "", why);
  return NULL;
}
