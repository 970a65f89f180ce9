// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Not open_memstream: when memory runs out, glibc's drops output without an error.
#define _GNU_SOURCE // fopencookie
#include "frontend/text/text_out.h"

#include "frontend/text/rescue.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

struct TextStream {
  FILE *file; // NULL: closed
  char *bytes;
  size_t size, room;
  bool is_truncated; // truncated, because memory ran out
};

static ssize_t keep(void *stream, const char *bytes, size_t count) {
  TextStream *s = stream;
  if (count > s->room - s->size) {
    size_t room = 2 * (s->size + count);
    char *grown = realloc(s->bytes, room);
    s->is_truncated = s->is_truncated || !grown;
    if (!grown)
      return 0;
    s->bytes = grown;
    s->room = room;
  }
  memcpy(s->bytes + s->size, bytes, count);
  s->size += count;
  return (ssize_t)count;
}

static void close_stream(void *stream) {
  TextStream *s = stream;
  if (s->file)
    (void)fclose(s->file);
  free(s->bytes);
}

FILE *text_out_begin(TextOut *text) {
  TextStream *s = text->stream = rescue_open(sizeof *s, close_stream);
  return s->file = memory_of(fopencookie(s, "w", (cookie_io_functions_t){.write = keep}));
}

char *text_out_end(TextOut *text, Arena *arena, size_t *size) {
  TextStream *s = text->stream;
  bool failed = fclose(s->file) != 0;
  s->file = NULL;
  if (failed || s->is_truncated)
    out_of_memory();
  char *copy = arena_text(arena, s->bytes, s->size);
  if (size)
    *size = s->size;
  rescue_free(s);
  return copy;
}
