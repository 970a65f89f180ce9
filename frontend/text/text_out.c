// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "frontend/text/text_out.h"

#include "frontend/text/rescue.h"

#include <stdbool.h>
#include <stdlib.h>

FILE *text_out_begin(TextOut *text) {
  *text = (TextOut){.bytes = NULL};
  return text->file = memory_of(open_memstream(&text->bytes, &text->size));
}

char *text_out_end(TextOut *text, Arena *arena, size_t *size) {
  bool failed = ferror(text->file) != 0;
  failed = fclose(text->file) != 0 || !text->bytes ||
           failed; // fclose makes it smaller, perhaps to nothing
  char *copy = failed ? NULL : arena_text(arena, text->bytes, text->size);
  if (size)
    *size = text->size;
  free(text->bytes);
  if (!copy)
    out_of_memory();
  return copy;
}
