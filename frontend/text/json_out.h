// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes JSON directly, with two columns of indentation per level. It allocates nothing, so nothing is lost when memory
// runs out.
//
//   JsonOut json = {.out = out};
//   json_begin(&json, NULL, '{');
//   json_put_text(&json, "name", "x");
//   json_end(&json, '}');
#ifndef FRONTEND_JSON_OUT_H
#define FRONTEND_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct JsonOut {
  FILE *out;
  int depth;
  bool has_entry; // the open list or object has an entry
} JsonOut;

// `key`: ASCII for an entry of an object, NULL for an entry of a list.
void json_begin(JsonOut *json, const char *key, char bracket);
void json_end(JsonOut *json, char bracket);
// Bytes that are not UTF-8 become '?'.
void json_put_text(JsonOut *json, const char *key, const char *text);
void json_put_int(JsonOut *json, const char *key, int64_t number);
void json_put_bool(JsonOut *json, const char *key, bool value);
void json_put_null(JsonOut *json, const char *key);

#endif
