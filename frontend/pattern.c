// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scanner and a walk over one tensor of a side at a time.
#include "frontend/pattern.h"

#include <string.h>

typedef struct Scan {
  Arena *arena;
  const char *text;
  uint32_t at, end;
  int bracket;   // where the open '(' is, or -1
  int in_term;   // items of the term so far, inside brackets
  uint32_t plus; // where the last '+' is
  PatternTensor *tensor;
  PatternError *error;
} Scan;

static bool fail_kind(Scan *s, uint32_t begin, uint32_t end, const char *kind,
                      const char *message) {
  *s->error = (PatternError){kind, message, begin, end > begin ? end : begin + 1};
  return false;
}

static bool fail(Scan *s, uint32_t begin, uint32_t end, const char *message) {
  return fail_kind(s, begin, end, "bad_pattern", message);
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

static bool begin_group(Scan *s, bool in_brackets) {
  PatternGroup group = {.in_brackets = in_brackets, .terms = 1, .begin = s->at, .end = s->at};
  if (s->tensor->group.count >= PATTERN_MAX_ITEMS)
    return fail_kind(s, s->at, s->at + 1, "rank_limit", "too many axes in this pattern");
  VEC_PUSH(s->arena, s->tensor->group, group);
  return true;
}

static PatternGroup *last_group(Scan *s) {
  return &s->tensor->group.item[s->tensor->group.count - 1];
}

static bool add_item(Scan *s, PatternItem item) {
  if (s->bracket < 0 && !begin_group(s, false))
    return false;
  if (s->tensor->item.count >= PATTERN_MAX_ITEMS)
    return fail_kind(s, item.begin, item.end, "rank_limit", "too many axes in this pattern");
  item.group = s->tensor->group.count - 1;
  item.term = last_group(s)->terms - 1;
  if (s->bracket < 0) {
    last_group(s)->begin = item.begin;
    last_group(s)->end = item.end;
  }
  VEC_PUSH(s->arena, s->tensor->item, item);
  s->in_term++;
  s->at = item.end;
  return true;
}

// Digits from *end on.
static bool scan_digits(Scan *s, uint32_t *end, int64_t *number) {
  uint32_t begin = *end;
  *number = 0;
  for (; *end < s->end && is_digit(s->text[*end]); ++*end)
    if (__builtin_mul_overflow(*number, 10, number) ||
        __builtin_add_overflow(*number, s->text[*end] - '0', number))
      return fail_kind(s, begin, *end + 1, "overflow", "this does not fit 64 bits");
  if (*end < s->end && is_letter(s->text[*end]))
    return fail(s, begin, *end + 1, "the name of an axis begins with a letter");
  return true;
}

static bool scan_number(Scan *s) {
  PatternItem item = {.kind = PATTERN_NUMBER, .name = "", .has_number = true, .begin = s->at};
  item.end = s->at;
  return scan_digits(s, &item.end, &item.number) && add_item(s, item);
}

static bool scan_dots(Scan *s, const char *name, uint32_t begin) {
  PatternItem item = {.kind = PATTERN_ELLIPSIS, .name = name, .begin = begin, .end = s->at + 3};
  if (s->end - s->at < 3 || memcmp(s->text + s->at, "...", 3) != 0)
    return fail(s, s->at, s->at + 1, "a lone '.'; '...' stands for any number of axes");
  if (s->tensor->ellipsis >= 0)
    return fail(s, item.begin, item.end, "a second '...' in one tensor");
  s->tensor->ellipsis = s->tensor->item.count;
  return add_item(s, item);
}

// An axis stands once in a tensor, but for terms of one sum: (a + a) is two parts of one size.
static bool is_free(const Scan *s, const PatternItem *item) {
  int group = s->tensor->group.count - (s->bracket >= 0), term = 0;
  if (s->bracket >= 0)
    term = s->tensor->group.item[group].terms - 1;
  for (int i = 0; i < s->tensor->item.count; i++) {
    const PatternItem *other = &s->tensor->item.item[i];
    if (other->kind == PATTERN_AXIS && strcmp(other->name, item->name) == 0 &&
        (other->group != group || other->term == term))
      return false;
  }
  return true;
}

// h, h=2, h...
static bool scan_name(Scan *s) {
  PatternItem item = {.kind = PATTERN_AXIS, .begin = s->at, .end = s->at};
  while (item.end < s->end && (is_letter(s->text[item.end]) || is_digit(s->text[item.end])))
    item.end++;
  item.name = arena_text(s->arena, s->text + item.begin, item.end - item.begin);
  if (item.end < s->end && s->text[item.end] == '.') {
    s->at = item.end;
    return scan_dots(s, item.name, item.begin);
  }
  if (!is_free(s, &item))
    return fail(s, item.begin, item.end,
                arena_printf(s->arena, "axis '%s' stands twice in one tensor", item.name));
  uint32_t at = item.end;
  while (at < s->end && is_space(s->text[at]))
    at++;
  if (at < s->end && s->text[at] == '=') {
    uint32_t sign = at++;
    while (at < s->end && is_space(s->text[at]))
      at++;
    if (at == s->end || !is_digit(s->text[at]))
      return fail(s, sign, sign + 1, "a number follows '=' in a pattern, such as h=2");
    item.has_number = true;
    item.end = at;
    if (!scan_digits(s, &item.end, &item.number))
      return false;
  }
  return add_item(s, item);
}

static bool scan_bracket(Scan *s) {
  if (s->text[s->at] == '(') {
    if (s->bracket >= 0)
      return fail(s, s->at, s->at + 1, "brackets do not nest");
    if (!begin_group(s, true))
      return false;
    s->bracket = (int)s->at;
    s->in_term = 0;
  } else {
    if (s->bracket < 0)
      return fail(s, s->at, s->at + 1, "')' without '('");
    if (last_group(s)->terms > 1 && s->in_term == 0)
      return fail(s, s->plus, s->plus + 1, "'+' stands between two axes, as in (q + k)");
    last_group(s)->end = s->at + 1;
    s->bracket = -1;
  }
  s->at++;
  return true;
}

static bool scan_plus(Scan *s) {
  if (s->bracket < 0)
    return fail(s, s->at, s->at + 1, "'+' stands in brackets: (q + k)");
  if (s->in_term == 0)
    return fail(s, s->at, s->at + 1, "'+' stands between two axes, as in (q + k)");
  last_group(s)->terms++;
  s->in_term = 0;
  s->plus = s->at++;
  return true;
}

static bool scan_one(Scan *s) {
  char c = s->text[s->at];
  if (is_space(c)) {
    s->at++;
    return true;
  }
  if (is_letter(c))
    return scan_name(s);
  if (is_digit(c))
    return scan_number(s);
  if (c == '.')
    return scan_dots(s, "", s->at);
  if (c == '(' || c == ')')
    return scan_bracket(s);
  if (c == '+')
    return scan_plus(s);
  return fail(s, s->at, s->at + 1,
              "a pattern has axes, numbers, brackets, '+', '...' and ',' alone");
}

static bool scan_tensor(Scan *s, PatternTensor *tensor, uint32_t begin, uint32_t end) {
  s->tensor = tensor;
  s->at = begin;
  s->end = end;
  s->bracket = -1;
  tensor->ellipsis = -1;
  while (begin < end && is_space(s->text[begin]))
    begin++;
  while (end > begin && is_space(s->text[end - 1]))
    end--;
  tensor->begin = begin;
  tensor->end = end;
  while (s->at < s->end)
    if (!scan_one(s))
      return false;
  if (s->bracket >= 0)
    return fail(s, (uint32_t)s->bracket, (uint32_t)s->bracket + 1, "'(' without ')'");
  return true;
}

static bool scan_side(Scan *s, PatternSide *side, uint32_t begin, uint32_t end) {
  int tensors = 1;
  for (uint32_t i = begin; i < end; i++)
    if (s->text[i] == ',' && ++tensors > PATTERN_MAX_ITEMS)
      return fail_kind(s, i, i + 1, "limit", "too many tensors in this pattern");
  side->tensor = ARENA_ARRAY(s->arena, PatternTensor, tensors);
  for (uint32_t at = begin; side->count < tensors; at++) {
    uint32_t stop = at;
    while (stop < end && s->text[stop] != ',')
      stop++;
    if (!scan_tensor(s, &side->tensor[side->count++], at, stop))
      return false;
    at = stop;
  }
  return true;
}

bool pattern_parse(Arena *arena, const char *text, uint32_t length, Pattern *out,
                   PatternError *error) {
  Scan s = {.arena = arena, .text = text, .error = error};
  uint32_t arrow = 0;
  while (arrow + 1 < length && memcmp(text + arrow, "->", 2) != 0)
    arrow++;
  if (arrow + 1 >= length)
    return fail(&s, 0, length, "a pattern needs '->' between what is and what is wanted");
  for (uint32_t i = arrow + 2; i + 1 < length; i++)
    if (memcmp(text + i, "->", 2) == 0)
      return fail(&s, i, i + 2, "a second '->'");
  return scan_side(&s, &out->left, 0, arrow) && scan_side(&s, &out->right, arrow + 2, length);
}
