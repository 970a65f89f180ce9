// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a .rsh text. A text that can be read has a layout with the same tree, and formatting is idempotent.
//
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:20000} %S/../fmt/Inputs/*.rsh %S/../driver/Inputs/*.rsh %S/../grammar/*.rsh %S/../lower/*.rsh %S/../layout/*.rsh %S/../ops/*.rsh
#include "Inputs/fuzz.h"

#include "grammar/format.h"
#include "grammar/parse.h"

#include <string.h>

static char *tree_of(Arena *arena, Source *source, size_t *size) {
  Diag diag = {.arena = arena, .source = source};
  char *text = NULL;
  FILE *out = open_memstream(&text, size);
  REQUIRE(out);
  ast_print(parse_source(arena, source, &diag), out);
  fclose(out);
  REQUIRE(diag.errors == 0);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  Arena *arena = arena_new();
  Diag diag = {.arena = arena};
  diag.source = source_from_text(arena, "fuzz.rsh", (const char *)bytes, size);
  size_t length, again, before_size, after_size;
  const char *text = format_source(arena, diag.source, &length, &diag);
  REQUIRE((text == NULL) == (diag.errors > 0));
  REQUIRE(diag.errors == 0 || strcmp(diag.list.item[0].kind, "internal") != 0);
  if (text) {
    Source *laid_out = source_from_text(arena, "fuzz.rsh", text, length);
    char *before = tree_of(arena, diag.source, &before_size);
    char *after = tree_of(arena, laid_out, &after_size);
    REQUIRE(before_size == after_size && memcmp(before, after, before_size) == 0);
    free(before);
    free(after);
    const char *same = format_source(arena, laid_out, &again, &diag);
    REQUIRE(same && again == length && memcmp(same, text, length) == 0);
  }
  arena_free(arena);
  return 0;
}
