// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics: storing them, and printing them as text or JSON.
//
// Text from users (names in messages, lines, file names) is shown with control bytes and broken
// UTF-8 escaped, so that no input can control the terminal or break the JSON.
#include "frontend/text/diag.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
  MESSAGE_BYTES = 1000, // longer messages are truncated: they quote something huge
  LINE_CHARS = 200,     // longer lines are shown in part:
  WINDOW_BEFORE = 60,   // this many characters before the caret
  WINDOW_CHARS = 160,   // this many characters in all
};

static bool is_control(const char *text) {
  unsigned char first = (unsigned char)text[0];
  return first < 0x20 || first == 0x7F || (first == 0xC2 && (unsigned char)text[1] < 0xA0);
}

// Replaces control bytes and invalid UTF-8 by \xNN; truncates more than `limit` bytes with "...".
static const char *clean_text(Arena *arena, const char *text, size_t limit) {
  size_t length = strlen(text);
  const char *end = text + length;
  char *result = arena_alloc(arena, 4 * (length < limit ? length : limit) + 8), *out = result;
  for (const char *at = text; at < end;) {
    int bytes = utf8_length(at, end);
    if ((size_t)(at - text) + (bytes ? (size_t)bytes : 1) > limit) {
      memcpy(out, "...", 3);
      break;
    }
    if (bytes == 0 || is_control(at)) {
      static const char digits[] = "0123456789abcdef";
      unsigned char byte = (unsigned char)*at++;
      *out++ = '\\', *out++ = 'x', *out++ = digits[byte >> 4], *out++ = digits[byte & 15];
    } else {
      memcpy(out, at, (size_t)bytes);
      at += bytes;
      out += bytes;
    }
  }
  return result;
}

const char *diag_file_text(const Diag *diag, const char *name) {
  return clean_text(diag->arena, name ? name : "reshapec", 4096);
}

static const char *file_name(const Diag *diag, const Source *source) {
  return diag_file_text(diag, source ? source->name : diag->file);
}

static bool is_repeat(const Diag *diag, const Diagnostic *d) {
  for (int i = 0; i < diag->list.count; i++) {
    const Diagnostic *old = &diag->list.item[i];
    if (old->severity == d->severity && old->has_span == d->has_span &&
        old->span.begin == d->span.begin && old->span.end == d->span.end &&
        strcmp(old->kind, d->kind) == 0 && strcmp(old->message, d->message) == 0)
      return true;
  }
  return false;
}

static void add(Diag *diag, Severity severity, const Span *span, const char *kind,
                const char *format, va_list arguments) {
  if (severity == SEVERITY_WARNING && diag->warnings_are_errors)
    severity = SEVERITY_ERROR;
  if (severity == SEVERITY_NOTE && diag->dropped)
    return;
  int *number = severity == SEVERITY_ERROR ? &diag->errors : &diag->warnings;
  if (severity != SEVERITY_NOTE && *number >= DIAG_LIMIT) {
    ++*number;
    diag->dropped = true;
    return;
  }
  const char *message = arena_vprintf(diag->arena, format, arguments);
  Diagnostic d = {.severity = severity, .kind = kind, .has_span = span != NULL};
  d.message = clean_text(diag->arena, message, MESSAGE_BYTES);
  if (span)
    d.span = *span;
  if (severity != SEVERITY_NOTE) {
    diag->dropped = is_repeat(diag, &d);
    if (diag->dropped)
      return;
    ++*number;
  }
  VEC_PUSH(diag->arena, diag->list, d);
}

void diag_error(Diag *diag, Span span, const char *kind, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(diag, SEVERITY_ERROR, &span, kind, format, arguments);
  va_end(arguments);
}

void diag_warning(Diag *diag, Span span, const char *kind, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(diag, SEVERITY_WARNING, &span, kind, format, arguments);
  va_end(arguments);
}

void diag_note(Diag *diag, Span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(diag, SEVERITY_NOTE, &span, "note", format, arguments);
  va_end(arguments);
}

void diag_error_file(Diag *diag, const char *kind, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(diag, SEVERITY_ERROR, NULL, kind, format, arguments);
  va_end(arguments);
}

void diag_warning_file(Diag *diag, const char *kind, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(diag, SEVERITY_WARNING, NULL, kind, format, arguments);
  va_end(arguments);
}

void diag_remark_file(Diag *diag, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  diag->dropped = false; // the previous one has its own notes
  add(diag, SEVERITY_NOTE, NULL, "note", format, arguments);
  va_end(arguments);
}

DiagMark diag_mark(const Diag *diag) {
  return (DiagMark){diag->list.count, diag->errors, diag->warnings, diag->dropped};
}

void diag_rewind(Diag *diag, DiagMark mark) {
  diag->list.count = mark.count;
  diag->errors = mark.errors;
  diag->warnings = mark.warnings;
  diag->dropped = mark.dropped;
}

const char *diag_severity_name(Severity severity) {
  switch (severity) {
  case SEVERITY_ERROR:
    return "error";
  case SEVERITY_WARNING:
    return "warning";
  case SEVERITY_NOTE:
    return "note";
  }
  return "error";
}

// Clang's colors: red, magenta, cyan; empty without color.
static const char *severity_color(Severity severity) {
  switch (severity) {
  case SEVERITY_ERROR:
    return "\033[1;31m";
  case SEVERITY_WARNING:
    return "\033[1;35m";
  case SEVERITY_NOTE:
    return "\033[1;36m";
  }
  return "";
}

// The character after the one at `at`; a byte that is not UTF-8 counts as a character.
static const char *next_char(const char *at, const char *end) {
  int bytes = utf8_length(at, end);
  return at + (bytes ? bytes : 1);
}

// The character before `at`, not before `begin`.
static const char *previous_char(const char *begin, const char *at, const char *end) {
  for (int back = 4; back > 1; back--)
    if (at - begin >= back && utf8_length(at - back, end) == back)
      return at - back;
  return at - 1;
}

static void print_line(const char *begin, const char *end, FILE *out) {
  for (const char *at = begin, *next; at < end; at = next) {
    next = next_char(at, end);
    if (utf8_length(at, end) == 0)
      fputs("\xEF\xBF\xBD", out);
    else if (*at != '\t' && is_control(at))
      putc(' ', out);
    else
      fwrite(at, 1, (size_t)(next - at), out);
  }
}

// The line, with a caret under the place:
//       y = transpose(x, perm=[0,1,2])
//                             ^~~~~~~
static void print_excerpt(const Source *source, Span span, FILE *out, bool color) {
  const char *text = source->text, *text_end = text + source->length;
  uint32_t first = span.begin - source->begin, last = span.end - source->begin;
  const char *at = text + (first < source->length ? first : source->length);
  const char *begin = at, *end = at;
  while (begin > text && begin[-1] != '\n')
    begin--;
  while (end < text_end && *end != '\n')
    end++;
  while (end > at && end[-1] == '\r')
    end--;

  int length = 0;
  for (const char *p = begin; p < end && length <= LINE_CHARS; p = next_char(p, end))
    length++;
  const char *before = "", *after = "";
  if (length > LINE_CHARS) {
    const char *from = at, *to = at;
    for (int i = 0; i < WINDOW_BEFORE && from > begin; i++)
      from = previous_char(begin, from, end);
    for (int i = 0; i < WINDOW_CHARS - WINDOW_BEFORE && to < end; i++)
      to = next_char(to, end);
    before = from > begin ? "..." : "";
    after = to < end ? "..." : "";
    begin = from;
    end = to;
  }
  fputs(before, out);
  print_line(begin, end, out);
  fprintf(out, "%s\n%*s", after, (int)strlen(before), "");
  // Tabs stay tabs under tabs, so that the caret is aligned at any tab width.
  for (const char *p = begin; p < at; p = next_char(p, end))
    putc(*p == '\t' ? '\t' : ' ', out);
  fprintf(out, "%s^", color ? "\033[1;32m" : "");
  const char *span_end = text + (last < source->length ? last : source->length);
  if (span_end > end)
    span_end = end;
  for (const char *p = at < end ? next_char(at, end) : at; p < span_end; p = next_char(p, end))
    putc('~', out);
  fprintf(out, "%s\n", color ? "\033[0m" : "");
}

// A message, prefixed with the part of the model that it concerns: "node 3 'r' (Reshape): ...".
static const char *message_of(const Diag *diag, const Diagnostic *d) {
  const Source *source = diag->source ? source_at(diag->source, d->span.begin) : NULL;
  if (!source || !source->is_model || !d->has_span || d->span.end <= d->span.begin)
    return d->message;
  const char *part =
      arena_text(diag->arena, source->text + d->span.begin, d->span.end - d->span.begin);
  return arena_printf(diag->arena, "%s: %s", clean_text(diag->arena, part, MESSAGE_BYTES),
                      d->message);
}

// The text that a diagnostic refers to; NULL: it has no position in a text.
static const Source *source_of(const Diag *diag, const Diagnostic *d) {
  const Source *source =
      d->has_span && diag->source ? source_at(diag->source, d->span.begin) : NULL;
  return source && !source->is_model ? source : NULL;
}

DiagShown diag_shown(const Diag *diag, const Diagnostic *d) {
  const Source *source = source_of(diag, d), *from = source ? source : diag->source;
  DiagShown shown = {.file = from ? from->name : diag->file, .message = message_of(diag, d)};
  shown.has_place = source != NULL;
  if (source) {
    shown.begin = source_place(source, d->span.begin);
    shown.end = source_place(source, d->span.end);
  }
  return shown;
}

void diag_print(const Diag *diag, FILE *out, bool color) {
  const char *bold = color ? "\033[1m" : "", *plain = color ? "\033[0m" : "";
  for (int i = 0; i < diag->list.count; i++) {
    const Diagnostic *d = &diag->list.item[i];
    const Source *source = source_of(diag, d);
    fprintf(out, "%s%s:", bold, file_name(diag, source ? source : diag->source));
    if (source) {
      Place place = source_place(source, d->span.begin);
      fprintf(out, "%u:%u:", (unsigned)place.line, (unsigned)place.column);
    }
    fprintf(out, " %s%s:%s%s %s%s\n", color ? severity_color(d->severity) : "",
            diag_severity_name(d->severity), plain, d->severity == SEVERITY_NOTE ? "" : bold,
            message_of(diag, d), plain);
    if (source)
      print_excerpt(source, d->span, out, color);
  }
  if (diag->errors > DIAG_LIMIT)
    fprintf(out, "%s: and %d more error%s\n", file_name(diag, diag->source),
            diag->errors - DIAG_LIMIT, diag->errors == DIAG_LIMIT + 1 ? "" : "s");
}

enum { NEAREST_CHARS = 64 };

static bool is_same_letter(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

// The edit distance of two names: insertions, deletions, replacements and swaps of adjacent letters, in any case.
static int edit_distance(const char *a, int a_length, const char *b, int b_length) {
  int row[3][NEAREST_CHARS + 1]; // for the prefixes of a of i-2, i-1 and i characters
  int *older = row[0], *old = row[1], *now = row[2];
  for (int j = 0; j <= b_length; j++)
    old[j] = older[j] = j;
  for (int i = 1; i <= a_length; i++) {
    now[0] = i;
    for (int j = 1; j <= b_length; j++) {
      int best = old[j - 1] + !is_same_letter(a[i - 1], b[j - 1]);
      if (old[j] + 1 < best)
        best = old[j] + 1;
      if (now[j - 1] + 1 < best)
        best = now[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && older[j - 2] + 1 < best)
        best = older[j - 2] + 1;
      now[j] = best;
    }
    int *spare = older;
    older = old;
    old = now;
    now = spare;
  }
  return old[b_length];
}

const char *diag_nearest(const char *name, const char *const *candidates, int count) {
  const char *nearest = NULL;
  size_t length = strlen(name);
  if (length > NEAREST_CHARS)
    return NULL;
  int best = (int)length / 3 + 1;
  for (int i = 0; i < count; i++) {
    size_t other = strlen(candidates[i]);
    if (other > NEAREST_CHARS)
      continue;
    int distance = edit_distance(name, (int)length, candidates[i], (int)other);
    if (distance < best) {
      best = distance;
      nearest = candidates[i];
    }
  }
  return nearest;
}
