// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading source texts, and turning byte offsets into lines and columns.
#include "frontend/text/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES = 64 * 1024 };

static Source *new_source(Arena *arena, const char *name, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 2);
  if (length)
    memcpy(copy, text, length);
  Source *source = ARENA_NEW(arena, Source);
  source->name = arena_text(arena, name, strlen(name));
  source->text = copy;
  source->length = (uint32_t)length;
  return source;
}

// Reads `file` to its end into *text (from malloc). False: *why says what went wrong. The size is
// not queried first, so pipes and growing files need no special case.
static bool read_all(int file, char **text, size_t *length, const char **why) {
  size_t capacity = FIRST_BYTES;
  *length = 0;
  *text = malloc(capacity);
  while (*text) {
    ssize_t got = read(file, *text + *length, capacity - *length);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0) {
      *why = strerror(errno);
      return false;
    }
    if (got == 0)
      return true;
    *length += (size_t)got;
    if (*length > SOURCE_MAX_BYTES) {
      *why = "larger than 64 MiB";
      return false;
    }
    if (*length == capacity) {
      capacity *= 2;
      char *grown = realloc(*text, capacity);
      if (!grown)
        break;
      *text = grown;
    }
  }
  *why = strerror(ENOMEM);
  return false;
}

bool source_has_ending(const char *path, const char *ending) {
  size_t n = strlen(path), m = strlen(ending);
  return n > m && strcmp(path + n - m, ending) == 0;
}

const char *source_other_file(const char *path) {
#define OTHER_FILE(ending, kind, instead)                                                          \
  if (source_has_ending(path, ending))                                                             \
    return "it is " kind "; " instead;
#include "frontend/text/other_files.def"
#undef OTHER_FILE
  return NULL;
}

Source *source_read(Arena *arena, const char *path, const char **why) {
  bool standard = strcmp(path, "-") == 0;
  int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    *why = arena_printf(arena, "%s", strerror(errno));
    return NULL;
  }
  Source *source = NULL;
  char *text = NULL;
  size_t length = 0;
  struct stat status;
  if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode))
    *why = strerror(EISDIR);
  else if (read_all(file, &text, &length, why))
    source = new_source(arena, standard ? "<stdin>" : path, text, length);
  if (!source)
    *why = arena_printf(arena, "%s", *why);
  free(text);
  if (!standard)
    close(file);
  return source;
}

// Says what is read as a text, but is none, under another ending or from standard input; NULL: it may be a text.
static const char *other_in(const Source *source) {
  enum { BEGINNING = 16 }; // bytes; objects, archives and pictures have a zero byte among them
  const char *text = source->text;
  size_t length = source->length < BEGINNING ? source->length : BEGINNING;
  if (strncmp(text, "\xff\xfe", 2) == 0 || strncmp(text, "\xfe\xff", 2) == 0)
    return "it is UTF-16; save it as UTF-8";
  if (strncmp(text, "\xef\xbb\xbf", 3) == 0) // a byte order mark
    text += 3;
  text += strspn(text, " \t\r\n");
  if (strncmp(text, "<?xml", 5) == 0 || strncmp(text, "<net", 4) == 0)
    return "it is XML; OpenVINO IR is read from a file whose name ends in .xml";
  if (source->text[0] == '\b') // field 1 of an ONNX model; no text begins with it
    return "it is not text; an ONNX model is read from a file whose name ends in .onnx";
  if (memchr(source->text, '\0', length))
    return "it is not text";
  return NULL;
}

Source *source_read_text(Arena *arena, const char *path, const char **why) {
  *why = source_other_file(path);
  Source *source = *why ? NULL : source_read(arena, path, why);
  if (source)
    *why = other_in(source);
  return *why ? NULL : source;
}

Source *source_from_text(Arena *arena, const char *name, const char *text, size_t length) {
  return new_source(arena, name, text, length);
}

bool source_add(Source *first, Source *added) {
  Source *last = first;
  while (last->next)
    last = last->next;
  uint64_t begin = (uint64_t)last->begin + last->length + 1; // the end of a text has an offset too
  if (begin + added->length >= UINT32_MAX)
    return false;
  added->begin = (uint32_t)begin;
  last->next = added;
  return true;
}

const Source *source_at(const Source *first, uint32_t offset) {
  while (first->next && offset >= first->next->begin)
    first = first->next;
  return first;
}

static bool is_tail(const char *text, const char *end) {
  return text < end && ((unsigned char)*text & 0xC0) == 0x80;
}

int utf8_length(const char *text, const char *end) {
  unsigned char lead = (unsigned char)text[0];
  if (lead < 0x80)
    return 1;
  if (lead < 0xC2 || lead > 0xF4 || !is_tail(text + 1, end))
    return 0;
  if (lead < 0xE0)
    return 2;
  unsigned char second = (unsigned char)text[1];
  if (!is_tail(text + 2, end) || (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F))
    return 0;
  if (lead < 0xF0)
    return 3;
  if (!is_tail(text + 3, end) || (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F))
    return 0;
  return 4;
}

Place source_place(const Source *source, uint32_t offset) {
  const char *at = source->text, *end = source->text + source->length;
  uint32_t distance = offset - source->begin;
  const char *target = distance < source->length ? source->text + distance : end;
  Place place = {1, 1};
  for (const char *newline; (newline = memchr(at, '\n', (size_t)(target - at))); at = newline + 1)
    place.line++;
  while (at < target) {
    int bytes = utf8_length(at, end);
    at += bytes ? bytes : 1;
    place.column++;
  }
  return place;
}

const char *source_path(Arena *arena, const Source *source, const char *path) {
  const char *slash = strrchr(source->name, '/');
  if (path[0] == '/' || !slash)
    return path;
  return arena_printf(arena, "%.*s%s", (int)(slash - source->name) + 1, source->name, path);
}
