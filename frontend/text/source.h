// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source texts and positions in them. A span is a byte range; lines and columns are computed only when a
// message is printed (columns count UTF-8 characters from 1; a tab is one column).
//
// Texts that belong together (a file and its imports) form a list with consecutive offsets, so a span
// alone identifies its text:
//
//   main.rsh 0 ... 99    heads.rsh 101 ... 350
#ifndef FRONTEND_SOURCE_H
#define FRONTEND_SOURCE_H

#include "frontend/text/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Span {
  uint32_t begin, end; // byte offsets, end excluded
} Span;

static inline Span span_join(Span a, Span b) {
  Span s = {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
  return s;
}

typedef struct Source {
  const char *name; // as given on the command line, "<stdin>" for -
  const char *text; // length bytes, then two NULs (required by flex)
  uint32_t length;
  uint32_t begin;      // offset of its first byte: 0 for the first of the list
  struct Source *next; // in the list; NULL: the last
  // A model has no lines: a span of it is not a piece of text but identifies a part of the model, such as
  // "node 3 'r' (Reshape)".
  bool is_model;
} Source;

enum { SOURCE_MAX_BYTES = 64 * 1024 * 1024 };

// Reads a whole file ("-": standard input). On failure returns NULL and sets *why (static or arena text).
// Refuses a directory, an unreadable file, more than 64 MiB.
Source *source_read(Arena *arena, const char *path, const char **why);
// Whether a path ends with `ending`, after at least one character.
bool source_has_ending(const char *path, const char *ending);
// Why a file with this ending is not a text; NULL: it may be one. Parsing it would report each stray byte.
const char *source_other_file(const char *path);
// source_read, for a text: refuses such a file unread.
Source *source_read_text(Arena *arena, const char *path, const char **why);
// The source of file texts other than the disk, such as unsaved files of an editor.
typedef struct SourceReader {
  Source *(*read)(void *user, Arena *arena, const char *path, const char **why); // as source_read
  void *user;
} SourceReader;

Source *source_from_text(Arena *arena, const char *name, const char *text, size_t length);

// Appends a source to a list. False: the texts together exceed the range of offsets.
bool source_add(Source *first, Source *added);
// The source of a list that contains an offset.
const Source *source_at(const Source *first, uint32_t offset);
// "lib/heads.rsh" imported by "models/a.rsh" is "models/lib/heads.rsh".
const char *source_path(Arena *arena, const Source *source, const char *path);
// The text at an offset of this source.
static inline const char *source_text(const Source *source, uint32_t offset) {
  return source->text + (offset - source->begin);
}

typedef struct Place {
  uint32_t line, column; // from 1
} Place;
Place source_place(const Source *source, uint32_t offset); // an offset of this source

// The length in bytes of the UTF-8 character at text[0], 1 to 4, or 0 if the bytes before `end` are not
// one (surrogates and overlong forms are not). text < end.
int utf8_length(const char *text, const char *end);

#endif
