// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "frontend/text/text_out.h"

#include "frontend/text/rescue.h"

#include <stdbool.h>
#include <stdlib.h>

struct TextStream {
  FILE *file; // NULL: it is closed
  char *bytes;
  size_t size;
};

static void close_stream(void *stream) {
  TextStream *s = stream;
  if (s->file)
    (void)fclose(s->file);
  free(s->bytes);
}

FILE *text_out_begin(TextOut *text) {
  TextStream *s = text->stream = rescue_open(sizeof *s, close_stream);
  return s->file = memory_of(open_memstream(&s->bytes, &s->size));
}

char *text_out_end(TextOut *text, Arena *arena, size_t *size) {
  TextStream *s = text->stream;
  bool failed = ferror(s->file) != 0;
  failed =
      fclose(s->file) != 0 || !s->bytes || failed; // fclose may shrink the buffer, even to nothing
  s->file = NULL;
  if (failed)
    out_of_memory();
  char *copy = arena_text(arena, s->bytes, s->size);
  if (size)
    *size = s->size;
  rescue_free(s);
  return copy;
}
