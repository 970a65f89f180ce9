// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/text/json_out.h"

#include "frontend/text/source.h"

#include <inttypes.h>
#include <string.h>

static void new_line(const JsonOut *json) { fprintf(json->out, "\n%*s", 2 * json->depth, ""); }

static void begin_entry(JsonOut *json, const char *key) {
  if (json->has_entry)
    putc(',', json->out);
  if (json->depth > 0)
    new_line(json);
  if (key)
    fprintf(json->out, "\"%s\": ", key);
  json->has_entry = true;
}

void json_begin(JsonOut *json, const char *key, char bracket) {
  begin_entry(json, key);
  putc(bracket, json->out);
  json->depth++;
  json->has_entry = false;
}

void json_end(JsonOut *json, char bracket) {
  json->depth--;
  if (json->has_entry)
    new_line(json);
  putc(bracket, json->out);
  json->has_entry = true;
}

static void put_ascii(FILE *out, unsigned char c) {
  static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
  const char *found = memchr(escaped, c, sizeof escaped - 1);
  if (found)
    fprintf(out, "\\%c", letters[found - escaped]);
  else if (c < ' ')
    fprintf(out, "\\u%04X", c);
  else
    putc(c, out);
}

void json_put_text(JsonOut *json, const char *key, const char *text) {
  begin_entry(json, key);
  const char *end = text + strlen(text);
  putc('"', json->out);
  for (int bytes; text < end; text += bytes) {
    bytes = utf8_length(text, end);
    if (bytes > 1)
      fwrite(text, 1, (size_t)bytes, json->out);
    else
      put_ascii(json->out, bytes ? (unsigned char)*text : '?');
    bytes += bytes == 0;
  }
  putc('"', json->out);
}

void json_put_int(JsonOut *json, const char *key, int64_t number) {
  begin_entry(json, key);
  fprintf(json->out, "%" PRId64, number);
}

static void put_word(JsonOut *json, const char *key, const char *word) {
  begin_entry(json, key);
  fputs(word, json->out);
}

void json_put_bool(JsonOut *json, const char *key, bool value) {
  put_word(json, key, value ? "true" : "false");
}

void json_put_null(JsonOut *json, const char *key) { put_word(json, key, "null"); }
