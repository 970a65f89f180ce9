// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec explain-error [NAME]: the meaning of an error and its remedy, from
// driver/base/errors.def.
#include "driver/base/commands.h"
#include "driver/base/pipeline.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct Explanation {
  const char *name, *summary, *meaning, *wrong, *remedy, *right;
} Explanation;

typedef enum ErrorId {
#define STATUS(name, meaning, wrong, remedy, right) ERROR_##name,
#define KIND(name, summary, meaning, wrong, remedy, right) ERROR_##name,
#include "driver/base/errors.def"
#undef STATUS
#undef KIND
  ERROR_COUNT
} ErrorId;

// Fails to compile if a status of the runtime lacks a row.
enum {
#define RSH_STATUS(name, text) EXPLAINED_##name = ERROR_##name,
#include "runtime/statuses.def"
#undef RSH_STATUS
};

static void fill(Explanation all[ERROR_COUNT]) {
  Explanation rows[] = {
#define STATUS(name, meaning, wrong, remedy, right)                                                \
  {#name, rsh_status_string(RSH_##name), meaning, wrong, remedy, right},
#define KIND(name, summary, meaning, wrong, remedy, right)                                         \
  {#name, summary, meaning, wrong, remedy, right},
#include "driver/base/errors.def"
#undef STATUS
#undef KIND
  };
  memcpy(all, rows, sizeof rows);
}

// Breaks a paragraph into lines.
static void print_paragraph(const char *text) {
  enum { WIDTH = 96 };
  while (*text) {
    size_t length = strlen(text);
    if (length > WIDTH)
      for (length = WIDTH; length > 0 && text[length] != ' ';)
        length--;
    printf("%.*s\n", (int)length, text);
    text += length + (text[length] == ' ');
  }
}

static void print_code(const char *text) {
  for (const char *end; *text; text = end + 1) {
    end = strchr(text, '\n');
    printf("%s%.*s\n", end > text ? "    " : "", (int)(end - text), text);
  }
}

static void print_explanation(const Explanation *e) {
  printf("%s: %s\n\n", e->name, e->summary);
  print_paragraph(e->meaning);
  if (*e->wrong) {
    printf("\n");
    print_code(e->wrong);
  }
  if (*e->remedy) {
    printf("\n");
    print_paragraph(e->remedy);
  }
  if (*e->right) {
    printf("\n");
    print_code(e->right);
  }
}

static json_t *to_json(const Explanation *e) {
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", e->name, "summary", e->summary,
                   "meaning", e->meaning, "wrong", e->wrong, "remedy", e->remedy, "right",
                   e->right);
}

static void print_json(const Explanation *e, int count) {
  json_t *list = json_array();
  for (int i = 0; i < count; i++)
    json_array_append_new(list, to_json(&e[i]));
  json_print(json_pack("{s:o}", "errors", list));
}

static void list_errors(const Explanation *all) {
  int width = 0;
  for (int i = 0; i < ERROR_COUNT; i++)
    width = (int)strlen(all[i].name) > width ? (int)strlen(all[i].name) : width;
  for (int i = 0; i < ERROR_COUNT; i++)
    printf("%-*s  %s\n", width, all[i].name, all[i].summary);
}

static Exit unknown_error(const char *name, const Explanation *all) {
  const char *names[ERROR_COUNT];
  for (int i = 0; i < ERROR_COUNT; i++)
    names[i] = all[i].name;
  const char *nearest = diag_nearest(name, names, ERROR_COUNT);
  if (nearest)
    return usage_error(COMMAND_EXPLAIN_ERROR, "no error is called '%s'; did you mean '%s'?", name,
                       nearest);
  return usage_error(COMMAND_EXPLAIN_ERROR,
                     "no error is called '%s'; 'reshapec explain-error' lists all", name);
}

Exit command_explain_error(const Options *options) {
  Explanation all[ERROR_COUNT];
  fill(all);
  const char *name = options->error;
  if (!name) {
    if (options->json)
      print_json(all, ERROR_COUNT);
    else
      list_errors(all);
    return EXIT_DONE;
  }
  // In C, bad_axis is RSH_bad_axis, and 16 if a program prints it.
  const char *short_name = strncmp(name, "RSH_", 4) == 0 ? name + 4 : name;
  bool is_number = strspn(name, "0123456789") == strlen(name) && strlen(name) < 4;
  int number = is_number ? atoi(name) : RSH_STATUS_COUNT;
  if (number < RSH_STATUS_COUNT)
    short_name = rsh_status_name((rsh_status)number);
  for (int i = 0; i < ERROR_COUNT; i++)
    if (strcmp(all[i].name, short_name) == 0) {
      if (options->json)
        print_json(&all[i], 1);
      else
        print_explanation(&all[i]);
      return EXIT_DONE;
    }
  return unknown_error(name, all);
}
