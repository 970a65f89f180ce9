// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formatting: the output of `reshapec fmt`, as one edit of the lines that change.
#include "driver/lsp/lsp.h"

#include "grammar/format.h"

#include <string.h>

// The beginning of the line.
static uint32_t line_begin(const char *text, uint32_t at) {
  while (at > 0 && text[at - 1] != '\n')
    at--;
  return at;
}

// A text with errors is not formatted; the errors are among its diagnostics.
json_t *lsp_formatting(Request *r) {
  const Source *old = r->analysis->source;
  Diag quiet = {.arena = r->arena, .file = old->name};
  size_t length = 0;
  Source *source = source_from_text(r->arena, old->name, old->text, old->length);
  quiet.source = source;
  const char *text = format_source(r->arena, source, &length, &quiet);
  if (!text)
    return json_null();
  uint32_t same = 0, tail = 0, most = old->length < length ? old->length : (uint32_t)length;
  while (same < most && old->text[same] == text[same])
    same++;
  if (same == old->length && same == length)
    return json_array();
  same = line_begin(text, same);
  while (tail < most - same && old->text[old->length - 1 - tail] == text[length - 1 - tail])
    tail++;
  while (tail > 0 && (text[length - tail - 1] != '\n' || old->text[old->length - tail - 1] != '\n'))
    tail--; // whole lines
  Span span = {same, old->length - tail};
  const char *now = arena_text(r->arena, text + same, length - tail - same);
  return json_pack("[o]", edit_of(&r->analysis->lines, span, now));
}
