// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler as a module of WebAssembly, for playground.js:
//
//   p = play_room(n)         memory for a text of n bytes
//   status = play_read(n, 0, 0) compiles it for the first row of targets.def, a reshapec_status
//   q = play_part(PLAY_C)    an output for it, of play_size() bytes; empty if the text has errors
//
// Each text replaces the previous one and frees its memory.
#include "frontend/text/text_out.h"
#include "grammar/format.h"
#include "include/reshapec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name), used)) name

typedef enum PlayPart {
  PLAY_MESSAGES,
  PLAY_EXPLAIN,
  PLAY_PICTURE,
  PLAY_C,
  PLAY_HEADER,
  PLAY_FORMATTED,
  PLAY_VERSION,
} PlayPart;

#define RSH_TARGET(triple, options, text, normal, family, bits, order, unit) {triple, options},
static const struct {
  const char *triple, *options; // "-mcpu=cortex-m4", "-mattr=+v", or none
} targets[] = {
#include "codegen/machine/targets.def"
};
#undef RSH_TARGET
enum { TARGETS = sizeof targets / sizeof *targets };

static char *text;
static size_t text_size;
static reshapec *handle;
static Arena *arena; // of the formatted text
static reshapec_bytes code, header, part;

char *EXPORT(play_room)(size_t size);
int EXPORT(play_read)(size_t size, int target, bool is_small);
const char *EXPORT(play_part)(PlayPart which);
size_t EXPORT(play_size)(void);

char *play_room(size_t size) {
  free(text);
  return text = malloc(size + 1);
}

// The value of the option, if it has this name; else NULL.
static const char *value_of(const char *options, const char *name) {
  size_t length = strlen(name);
  return strncmp(options, name, length) == 0 ? options + length : NULL;
}

int play_read(size_t size, int target, bool is_small) {
  if (target < 0 || target >= TARGETS)
    return RESHAPEC_USAGE;
  const char *more = targets[target].options;
  const reshapec_options options = {.target = targets[target].triple,
                                    .cpu = value_of(more, "-mcpu="),
                                    .features = value_of(more, "-mattr="),
                                    .level = is_small ? 's' : '2'};
  reshapec_close(handle);
  arena_free(arena);
  arena = NULL;
  text_size = size;
  code = header = part = (reshapec_bytes){"", 0};
  reshapec_status status = reshapec_open(&options, NULL, &handle);
  if (status == RESHAPEC_OK)
    status = reshapec_read_text(handle, "chain.rsh", text, size);
  if (status == RESHAPEC_OK)
    status = reshapec_emit(handle, RESHAPEC_EMIT_C, "chain.h", &code, &header);
  return status;
}

// The formatted text, or the text itself if it has syntax errors.
static reshapec_bytes formatted(void) {
  Diag diag = {.arena = arena = arena_new()};
  Source *source = source_from_text(arena, "chain.rsh", text, text_size);
  size_t size;
  diag.source = source;
  const char *all = format_source(arena, source, &size, &diag);
  return all ? (reshapec_bytes){all, size} : (reshapec_bytes){text, text_size};
}

static reshapec_bytes of_text(const char *all) { return (reshapec_bytes){all, strlen(all)}; }

static reshapec_bytes view(reshapec_view view) {
  reshapec_bytes bytes = {"", 0};
  if (reshapec_graph_count(handle) > 0)
    reshapec_explain(handle, view, &bytes);
  return bytes;
}

static reshapec_bytes bytes_of(PlayPart which) {
  switch (which) {
  case PLAY_MESSAGES:
    return of_text(reshapec_messages_text(handle));
  case PLAY_EXPLAIN:
    return view(RESHAPEC_VIEW_TEXT);
  case PLAY_PICTURE:
    return view(RESHAPEC_VIEW_SVG);
  case PLAY_C:
    return code;
  case PLAY_HEADER:
    return header;
  case PLAY_FORMATTED:
    return formatted();
  case PLAY_VERSION:
    return of_text(reshapec_version());
  }
  return of_text("");
}

const char *play_part(PlayPart which) {
  part = bytes_of(which);
  return part.data;
}

size_t play_size(void) { return part.size; }
