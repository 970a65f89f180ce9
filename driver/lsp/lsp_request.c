// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of replies.
#include "driver/lsp/lsp.h"

#include <stdarg.h>
#include <string.h>

json_t *lsp_refuse(Request *r, int error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *message = arena_vprintf(r->arena, format, arguments);
  va_end(arguments);
  r->error = error;
  r->message = message;
  return NULL;
}

json_t *text_json(const char *text) {
  json_t *plain = json_string(text);
  if (plain)
    return plain;
  const char *end = text + strlen(text);
  json_t *whole = json_string("");
  for (const char *at = text; at < end;) {
    int bytes = utf8_length(at, end);
    json_t *more = json_sprintf("%s%.*s", json_string_value(whole), bytes ? bytes : 3,
                                bytes ? at : "\xEF\xBF\xBD");
    json_decref(whole);
    whole = more;
    at += bytes ? bytes : 1;
  }
  return whole;
}

json_t *edit_of(const Lines *lines, Span span, const char *text) {
  return json_pack("{s:o, s:s}", "range", lines_range(lines, span), "newText", text);
}
