// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scanner and a walk over one side at a time.
#include "frontend/pattern.h"

#include <string.h>

typedef struct Scan {
  Arena *arena;
  const char *text;
  uint32_t at, end;
  int bracket; // where the open '(' is, or -1
  PatternSide *side;
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

static bool begin_group(Scan *s, bool in_brackets) {
  if (s->side->group_count >= PATTERN_MAX_ITEMS)
    return fail_kind(s, s->at, s->at + 1, "rank_limit", "too many axes in this pattern");
  int group = s->side->group_count++;
  s->side->group[group].in_brackets = in_brackets;
  s->side->group[group].begin = s->side->group[group].end = s->at;
  return true;
}

static bool add_item(Scan *s, PatternItem item) {
  if (s->bracket < 0 && !begin_group(s, false))
    return false;
  if (s->side->count >= PATTERN_MAX_ITEMS)
    return fail_kind(s, item.begin, item.end, "rank_limit", "too many axes in this pattern");
  item.group = s->side->group_count - 1;
  if (s->bracket < 0)
    s->side->group[item.group].end = item.end;
  s->side->item[s->side->count++] = item;
  s->at = item.end;
  return true;
}

static bool scan_name(Scan *s) {
  PatternItem item = {.kind = PATTERN_AXIS, .begin = s->at, .end = s->at};
  while (item.end < s->end && (is_letter(s->text[item.end]) || is_digit(s->text[item.end])))
    item.end++;
  item.name = arena_text(s->arena, s->text + item.begin, item.end - item.begin);
  for (int i = 0; i < s->side->count; i++) {
    const PatternItem *other = &s->side->item[i];
    if (other->kind == PATTERN_AXIS && strcmp(other->name, item.name) == 0)
      return fail(s, item.begin, item.end,
                  arena_printf(s->arena, "axis '%s' stands twice on one side", item.name));
  }
  return add_item(s, item);
}

static bool scan_number(Scan *s) {
  PatternItem item = {.kind = PATTERN_NUMBER, .begin = s->at, .end = s->at};
  for (; item.end < s->end && is_digit(s->text[item.end]); item.end++)
    if (__builtin_mul_overflow(item.number, 10, &item.number) ||
        __builtin_add_overflow(item.number, s->text[item.end] - '0', &item.number))
      return fail_kind(s, item.begin, item.end + 1, "overflow", "this does not fit 64 bits");
  if (item.end < s->end && is_letter(s->text[item.end]))
    return fail(s, item.begin, item.end + 1, "the name of an axis begins with a letter");
  return add_item(s, item);
}

static bool scan_ellipsis(Scan *s) {
  PatternItem item = {.kind = PATTERN_ELLIPSIS, .begin = s->at, .end = s->at + 3};
  if (s->end - s->at < 3 || memcmp(s->text + s->at, "...", 3) != 0)
    return fail(s, s->at, s->at + 1, "a lone '.'; '...' stands for any number of axes");
  if (s->side->ellipsis >= 0)
    return fail(s, item.begin, item.end, "a second '...' on one side");
  s->side->ellipsis = s->side->count;
  return add_item(s, item);
}

static bool scan_bracket(Scan *s) {
  if (s->text[s->at] == '(') {
    if (s->bracket >= 0)
      return fail(s, s->at, s->at + 1, "brackets do not nest");
    if (!begin_group(s, true))
      return false;
    s->bracket = (int)s->at;
  } else {
    if (s->bracket < 0)
      return fail(s, s->at, s->at + 1, "')' without '('");
    s->side->group[s->side->group_count - 1].end = s->at + 1;
    s->bracket = -1;
  }
  s->at++;
  return true;
}

static bool scan_one(Scan *s) {
  char c = s->text[s->at];
  if (c == ' ' || c == '\t' || c == '\n') {
    s->at++;
    return true;
  }
  if (is_letter(c))
    return scan_name(s);
  if (is_digit(c))
    return scan_number(s);
  if (c == '.')
    return scan_ellipsis(s);
  if (c == '(' || c == ')')
    return scan_bracket(s);
  if (c == '+' || c == ',')
    return fail_kind(s, s->at, s->at + 1, "unsupported",
                     c == '+' ? "'(q + k)' for split and concat is not supported yet"
                              : "several tensors in one pattern are not supported yet");
  return fail(s, s->at, s->at + 1, "a pattern has axes, numbers, brackets and '...' alone");
}

static bool scan_side(Scan *s, PatternSide *side, uint32_t begin, uint32_t end) {
  s->side = side;
  s->at = begin;
  s->end = end;
  s->bracket = -1;
  side->ellipsis = -1;
  while (begin < end && s->text[begin] == ' ')
    begin++;
  while (end > begin && s->text[end - 1] == ' ')
    end--;
  side->begin = begin;
  side->end = end;
  while (s->at < s->end)
    if (!scan_one(s))
      return false;
  if (s->bracket >= 0)
    return fail(s, (uint32_t)s->bracket, (uint32_t)s->bracket + 1, "'(' without ')'");
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
