// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scanner, and a walk over the tensors of a side, one at a time.
#include "frontend/text/pattern.h"

#include "frontend/text/letters.h"
#include "frontend/text/words.h"

#include <string.h>

typedef struct Scan {
  Arena *arena;
  const char *text;
  uint32_t at, end;
  int bracket;          // where the open '(' is, or -1
  int inner;            // where the one inside it is, as in (q + (k v)), or -1
  bool is_whole;        // the term is such a bracket: nothing may follow it
  uint32_t first_inner; // where the first inner bracket of this one is
  bool has_inner;
  bool in_repeated; // inside (s ds)...
  int in_term;      // items of the term so far, inside brackets
  uint32_t plus;    // where the last '+' is
  PatternTensor *tensor;
  VEC(const char *) repeated; // names in (s ds)...
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

// Returns whether this byte belongs to a name, or to a non-ASCII character that no name contains.
static bool is_of_name(char c) { return is_word_byte(c) || (unsigned char)c >= 0x80; }

// The end of the name that begins at `at`; `at` if there is none.
static uint32_t name_end(const Scan *s, uint32_t at, uint32_t end) {
  uint32_t begin = at, length;
  while (at < end && (length = letter_length(s->text + at, s->text + end, at == begin)) > 0)
    at += length;
  return at;
}

// As in einops: neither tabs nor line ends.
static bool is_blank(char c) { return c == ' '; }

static bool is_dots(const Scan *s, uint32_t at, uint32_t end) {
  return at < end && end - at >= 3 && memcmp(s->text + at, "...", 3) == 0;
}

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

static bool is_repeated(const Scan *s, const char *name) {
  for (int i = 0; i < s->repeated.count; i++)
    if (strcmp(s->repeated.item[i], name) == 0)
      return true;
  return false;
}

static bool add_item(Scan *s, PatternItem item) {
  if (s->is_whole)
    return fail(s, s->first_inner, s->first_inner + 1, "brackets cannot be nested");
  if (s->bracket < 0 && !begin_group(s, false))
    return false;
  if (s->tensor->item.count >= PATTERN_MAX_ITEMS)
    return fail_kind(s, item.begin, item.end, "rank_limit", "too many axes in this pattern");
  item.group = s->tensor->group.count - 1;
  item.term = last_group(s)->terms - 1;
  if (s->bracket < 0) {
    last_group(s)->is_repeated = item.is_repeated;
    last_group(s)->begin = item.begin;
    last_group(s)->end = item.end;
  }
  VEC_PUSH(s->arena, s->tensor->item, item);
  s->in_term++;
  s->at = item.end;
  return true;
}

// --- Names of several axes

// Returns whether `name...` occurs.
static bool is_dotted_name(const Scan *s, uint32_t length, const char *name, uint32_t size) {
  for (uint32_t i = 0; i + size + 3 <= length; i++) {
    bool begins = i == 0 || !is_of_name(s->text[i - 1]);
    if (begins && memcmp(s->text + i, name, size) == 0 && is_dots(s, i + size, length))
      return true;
  }
  return false;
}

// The position of the bracket that closes those opened before `at`, or `end`.
static uint32_t close_of(const Scan *s, uint32_t at, uint32_t end) {
  while (at < end && s->text[at] != ')')
    at++;
  return at;
}

// The end of the name that begins at or after *at, before `end`. False: there is none.
static bool next_name(const Scan *s, uint32_t *at, uint32_t end, uint32_t *stop) {
  for (; *at < end; ++*at)
    if ((*stop = name_end(s, *at, end)) > *at)
      return true;
  return false;
}

// (s ds)... with s... elsewhere is einx notation: as many axes (s ds) as s... has. Otherwise the dots are
// a plain ellipsis: (a b)... is (a b) ... in einops.
static void find_repeated(Scan *s, uint32_t length) {
  for (uint32_t at = 0; at < length; at++) {
    if (s->text[at] != '(')
      continue;
    uint32_t close = close_of(s, at, length), stop = 0;
    bool is_many = false;
    bool is_nested = memchr(s->text + at + 1, '(', close - at - 1) != NULL; // reported later
    if (is_nested || !is_dots(s, close + 1, length))
      continue;
    for (uint32_t i = at; next_name(s, &i, close, &stop); i = stop)
      is_many = is_many || is_dotted_name(s, length, s->text + i, stop - i);
    for (uint32_t i = at; is_many && next_name(s, &i, close, &stop); i = stop)
      VEC_PUSH(s->arena, s->repeated, arena_text(s->arena, s->text + i, stop - i));
  }
}

// Returns whether the brackets that open at `at` are repeated: all names in them are.
static bool repeats(const Scan *s, uint32_t at, uint32_t end) {
  uint32_t close = close_of(s, at, end), stop = 0;
  if (!is_dots(s, close + 1, end) || !next_name(s, &at, close, &stop))
    return false;
  return is_repeated(s, arena_text(s->arena, s->text + at, stop - at));
}

// Copies an item of one tensor, once per repetition: s... with three axes is s.0 s.1 s.2.
static void repeat_item(Arena *arena, PatternTensor *to, PatternItem item, int group, int i) {
  item.group = group;
  if (item.is_repeated)
    item.name = arena_printf(arena, "%s.%d", item.name, i);
  if (item.kind == PATTERN_ELLIPSIS)
    to->ellipsis = to->item.count;
  VEC_PUSH(arena, to->item, item);
}

static void repeat_tensor(Arena *arena, PatternTensor *tensor, int times) {
  PatternTensor to = {.begin = tensor->begin, .end = tensor->end, .ellipsis = -1};
  for (int g = 0; g < tensor->group.count; g++) {
    PatternGroup group = tensor->group.item[g];
    int groups = group.is_repeated ? times : 1;
    for (int i = 0; i < groups; i++) {
      VEC_PUSH(arena, to.group, group);
      for (int k = 0; k < tensor->item.count; k++) {
        const PatternItem *item = &tensor->item.item[k];
        int items = item->is_repeated && !group.is_repeated ? times : 1;
        for (int n = 0; n < items && item->group == g; n++)
          repeat_item(arena, &to, *item, to.group.count - 1, group.is_repeated ? i : n);
      }
    }
  }
  *tensor = to;
}

bool pattern_repeats(const Pattern *pattern, const char *name) {
  for (int i = 0; i < pattern->repeated.count; i++)
    if (strcmp(pattern->repeated.item[i], name) == 0)
      return true;
  return false;
}

bool pattern_repeat(Arena *arena, Pattern *pattern, int times, PatternError *error) {
  PatternSide *const side[] = {&pattern->left, &pattern->right};
  for (int s = 0; s < 2; s++)
    for (int t = 0; t < side[s]->count; t++) {
      PatternTensor *tensor = &side[s]->tensor[t];
      repeat_tensor(arena, tensor, times);
      if (tensor->item.count > PATTERN_MAX_ITEMS || tensor->group.count > PATTERN_MAX_ITEMS) {
        *error = (PatternError){"rank_limit", "too many axes in this pattern", tensor->begin,
                                tensor->end};
        return false;
      }
    }
  return true;
}

// --- Items

// Scans digits from *end on.
static bool scan_digits(Scan *s, uint32_t *end, int64_t *number) {
  uint32_t begin = *end;
  *number = 0;
  for (; *end < s->end && is_digit(s->text[*end]); ++*end)
    if (__builtin_mul_overflow(*number, 10, number) ||
        __builtin_add_overflow(*number, s->text[*end] - '0', number))
      return fail_kind(s, begin, *end + 1, "overflow", "this does not fit 64 bits");
  if (*end < s->end && is_of_name(s->text[*end]))
    return fail(s, begin, *end + 1, "the name of an axis must begin with a letter");
  if (*end < s->end && s->text[*end] == '.')
    return fail(s, begin, *end + 1, "a number is one axis, so '...' cannot follow it");
  return true;
}

static bool scan_number(Scan *s) {
  PatternItem item = {.kind = PATTERN_NUMBER, .name = "", .has_number = true, .begin = s->at};
  item.end = s->at;
  return scan_digits(s, &item.end, &item.number) && add_item(s, item);
}

static bool scan_dots(Scan *s, const char *name, uint32_t begin) {
  PatternItem item = {.kind = PATTERN_ELLIPSIS, .name = name, .begin = begin, .end = s->at + 3};
  if (!is_dots(s, s->at, s->end))
    return fail(s, s->at, s->at + 1, "a single '.'; '...' stands for any number of axes");
  if (s->tensor->ellipsis >= 0)
    return fail(s, item.begin, item.end, "a tensor can have only one '...'");
  if (item.end < s->end && is_of_name(s->text[item.end]))
    return fail(s, item.begin, item.end + 1, "a space is missing after '...'");
  s->tensor->ellipsis = s->tensor->item.count;
  return add_item(s, item);
}

// An axis appears once in a tensor, except in terms of one sum: (a + a) is two parts of equal size.
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
  PatternItem item = {.kind = PATTERN_AXIS, .begin = s->at, .end = name_end(s, s->at, s->end)};
  item.name = arena_text(s->arena, s->text + item.begin, item.end - item.begin);
  if (item.name[0] == '_' || s->text[item.end - 1] == '_')
    return fail(s, item.begin, item.end, "the name of an axis cannot begin or end with '_'");
  bool is_many = is_repeated(s, item.name), is_dotted = is_dots(s, item.end, s->end);
  if (item.end < s->end && s->text[item.end] == '.' && (!is_many || !is_dotted)) {
    s->at = item.end;
    return scan_dots(s, item.name, item.begin);
  }
  if (is_many && is_dotted)
    item.end += 3;
  else if (is_many && !s->in_repeated)
    return fail(
        s, item.begin, item.end,
        arena_printf(s->arena, "'%s' stands for several axes: write %s...", item.name, item.name));
  item.is_repeated = is_many;
  if (!is_free(s, &item))
    return fail(s, item.begin, item.end,
                arena_printf(s->arena, "axis '%s' appears twice in one tensor", item.name));
  uint32_t at = item.end;
  while (at < s->end && is_blank(s->text[at]))
    at++;
  if (at < s->end && s->text[at] == '=') {
    uint32_t sign = at++;
    while (at < s->end && is_blank(s->text[at]))
      at++;
    if (at == s->end || !is_digit(s->text[at]))
      return fail(s, sign, sign + 1, "'=' needs a number after it, such as h=2");
    item.has_number = true;
    item.end = at;
    if (!scan_digits(s, &item.end, &item.number))
      return false;
  }
  return add_item(s, item);
}

// (q + (k v)): a term of a sum in its own brackets, which have no effect.
static bool open_inner(Scan *s) {
  if (s->inner >= 0 || s->in_term > 0)
    return fail(s, s->at, s->at + 1, "brackets cannot be nested");
  if (!s->has_inner)
    s->first_inner = s->at;
  s->has_inner = true;
  s->inner = (int)s->at++;
  return true;
}

static bool close_inner(Scan *s) {
  if (s->in_term == 0)
    return fail(s, (uint32_t)s->inner, s->at + 1, "these brackets are empty");
  s->inner = -1;
  s->is_whole = true;
  s->at++;
  return true;
}

static bool open_bracket(Scan *s) {
  if (!begin_group(s, true))
    return false;
  s->bracket = (int)s->at++;
  s->in_term = 0;
  s->has_inner = s->is_whole = false;
  return true;
}

static bool close_bracket(Scan *s) {
  if (s->bracket < 0)
    return fail(s, s->at, s->at + 1, "')' without '('");
  if (last_group(s)->terms > 1 && s->in_term == 0)
    return fail(s, s->plus, s->plus + 1, "'+' belongs between two axes, as in (q + k)");
  if (last_group(s)->terms == 1 && s->has_inner)
    return fail(s, s->first_inner, s->first_inner + 1, "brackets cannot be nested");
  s->bracket = -1;
  s->is_whole = s->in_repeated = false;
  s->at++;
  if (last_group(s)->is_repeated)
    s->at += 3;
  last_group(s)->end = s->at;
  return true;
}

static bool scan_bracket(Scan *s) {
  if (s->text[s->at] == ')')
    return s->inner >= 0 ? close_inner(s) : close_bracket(s);
  if (s->bracket >= 0)
    return open_inner(s);
  bool is_many = repeats(s, s->at, s->end);
  if (!open_bracket(s))
    return false;
  last_group(s)->is_repeated = s->in_repeated = is_many;
  return true;
}

static bool scan_plus(Scan *s) {
  if (s->bracket < 0 || s->in_repeated)
    return fail(s, s->at, s->at + 1, "a sum belongs in brackets: (q + k)");
  if (s->inner >= 0)
    return fail(s, s->at, s->at + 1, "a sum belongs in one pair of brackets: (q + k + v)");
  s->is_whole = false;
  if (s->in_term == 0)
    return fail(s, s->at, s->at + 1, "'+' belongs between two axes, as in (q + k)");
  last_group(s)->terms++;
  s->in_term = 0;
  s->plus = s->at++;
  return true;
}

static bool scan_one(Scan *s) {
  char c = s->text[s->at];
  if (is_blank(c)) {
    s->at++;
    return true;
  }
  if (name_end(s, s->at, s->end) > s->at)
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
              "a pattern consists of axes, numbers, brackets, '+', '...' and ','");
}

static bool scan_tensor(Scan *s, PatternTensor *tensor, uint32_t begin, uint32_t end) {
  s->tensor = tensor;
  s->at = begin;
  s->end = end;
  s->bracket = s->inner = -1;
  tensor->ellipsis = -1;
  while (begin < end && is_blank(s->text[begin]))
    begin++;
  while (end > begin && is_blank(s->text[end - 1]))
    end--;
  tensor->begin = begin;
  tensor->end = end;
  while (s->at < s->end)
    if (!scan_one(s))
      return false;
  int open = s->inner >= 0 ? s->inner : s->bracket;
  if (open >= 0)
    return fail(s, (uint32_t)open, (uint32_t)open + 1, "'(' without ')'");
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
  if (length > PATTERN_MAX_BYTES)
    return fail_kind(&s, PATTERN_MAX_BYTES, length, "limit",
                     arena_printf(arena, "a pattern has at most %d bytes; this has %u",
                                  PATTERN_MAX_BYTES, (unsigned)length));
  while (arrow + 1 < length && memcmp(text + arrow, "->", 2) != 0)
    arrow++;
  if (arrow + 1 >= length)
    return fail(&s, 0, length, "a pattern needs '->', as in \"h w -> w h\"");
  for (uint32_t i = arrow + 2; i + 1 < length; i++)
    if (memcmp(text + i, "->", 2) == 0)
      return fail(&s, i, i + 2, "a second '->'");
  find_repeated(&s, length);
  for (int i = 0; i < s.repeated.count; i++)
    VEC_PUSH(arena, out->repeated, s.repeated.item[i]);
  return scan_side(&s, &out->left, 0, arrow) && scan_side(&s, &out->right, arrow + 2, length);
}
