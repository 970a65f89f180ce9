// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/lsp/lsp_place.h"

Lines lines_of(Arena *arena, const Source *source) {
  VEC(uint32_t) begin = {0};
  const char *text = source->text;
  VEC_PUSH(arena, begin, 0);
  for (uint32_t i = 0; i < source->length; i++)
    if (text[i] == '\n' || (text[i] == '\r' && text[i + 1] != '\n')) // NULs follow the text
      VEC_PUSH(arena, begin, i + 1);
  return (Lines){source, begin.item, begin.count};
}

// Bytes and UTF-16 code units of the character at an offset: two units beyond U+FFFF. An invalid byte is a character.
static uint32_t step(const Lines *lines, uint32_t at, uint32_t *units) {
  const char *text = lines->source->text;
  int bytes = utf8_length(text + at, text + lines->source->length);
  *units = bytes == 4 ? 2 : 1;
  return bytes ? (uint32_t)bytes : 1;
}

static bool ends_line(char c) { return c == '\n' || c == '\r'; }

json_t *lines_position(const Lines *lines, uint32_t byte) {
  int low = 0, high = lines->count; // the line is in [low, high)
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    *(lines->begin[middle] <= byte ? &low : &high) = middle;
  }
  uint32_t character = 0, units;
  for (uint32_t at = lines->begin[low]; at < byte && at < lines->source->length;) {
    at += step(lines, at, &units);
    character += at <= byte ? units : 0;
  }
  return json_pack("{s:i, s:I}", "line", low, "character", (json_int_t)character);
}

static bool read_number(const json_t *position, const char *name, json_int_t *out) {
  const json_t *number = json_object_get(position, name);
  *out = json_integer_value(number);
  return json_is_integer(number) && *out >= 0;
}

bool lines_byte(const Lines *lines, const json_t *position, uint32_t *out) {
  json_int_t line, character;
  if (!read_number(position, "line", &line) || !read_number(position, "character", &character))
    return false;
  if (line >= lines->count) {
    *out = lines->source->length;
    return true;
  }
  uint32_t at = lines->begin[line], units;
  while (at < lines->source->length && !ends_line(lines->source->text[at]) && character > 0) {
    uint32_t bytes = step(lines, at, &units);
    character -= units;
    if (character < 0)
      break;
    at += bytes;
  }
  *out = at;
  return true;
}

json_t *lines_range(const Lines *lines, Span span) {
  uint32_t begin = lines->source->begin;
  return json_pack("{s:o, s:o}", "start", lines_position(lines, span.begin - begin), "end",
                   lines_position(lines, span.end - begin));
}
