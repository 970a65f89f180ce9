// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a script that is run, or as lines of a prompt, which continues after a mistake: each ends, and errors
// have a message. Files are in an empty folder.
//
// RUN: %{python} -B %S/Inputs/script_seeds.py %t.seeds %S/../script/*.test %S/../script/*.rsh
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:500} %t.seeds/*
#define _XOPEN_SOURCE 700
#include "Inputs/fuzz.h"

#include "driver/script/script.h"

#include <string.h>

static void begin(void) {
  REQUIRE(chdir(fuzz_folder()) == 0);
  REQUIRE(freopen("/dev/null", "r", stdin) && freopen("/dev/null", "w", stdout));
}

// Whether a line may name a file elsewhere: a text with a slash, or an escape that may be one.
static bool leaves_folder(const char *text, size_t size) {
  bool has_text = false, has_slash = false;
  for (size_t i = 0; i < size; i++) {
    has_text = text[i] != '\n' && (has_text || text[i] == '"');
    has_slash = text[i] != '\n' && (has_slash || text[i] == '/' || text[i] == '\\');
    if (has_text && has_slash)
      return true;
  }
  return false;
}

static Source *read_nothing(void *user, Arena *arena, const char *path, const char **why) {
  (void)user, (void)arena, (void)path;
  *why = "no file is there";
  return NULL;
}

// Like `:` lines and the terminal of driver/script/repl.c, without them.
static void type_lines(Pipeline *p) {
  Script s;
  Expr *rest;
  script_start(&s, p->options, &p->diag);
  session_add_graphs(s.session, p->ast);
  for (int i = 0; i < p->ast->statement_count; i++)
    if (script_statement(&s, &p->ast->statement[i], &rest) && rest)
      script_print(&s, rest);
  script_flush(&s);
  script_end(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static char program[] = "reshapec", command[] = "run", name[] = "fuzz.rsh", flag[] = "-O0";
  static char *words[] = {program, command, flag, name, NULL};
  static const SourceReader reader = {.read = read_nothing};
  const char *text = (const char *)bytes;
  if (fuzz_place[0] == '\0')
    begin();
  if (leaves_folder(text, size))
    return 0;
  Arena *arena = arena_new();
  Options options;
  Pipeline p;
  FILE *out = fopen("/dev/null", "w");
  REQUIRE(out && options_parse(&options, arena, 4, words));
  pipeline_start(&p, &options);
  p.reader = &reader;
  p.watch = NULL;
  if (pipeline_read_text(&p, source_from_text(arena, name, text, size))) {
    if (size % 2)
      type_lines(&p);
    else
      run_script(&p);
  }
  diag_print(&p.diag, out, false);
  fclose(out);
  fuzz_clear();
  arena_free(arena);
  return 0;
}
