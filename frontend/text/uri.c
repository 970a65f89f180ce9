// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/text/uri.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const char *uri_of_path(Arena *arena, const char *path) {
  static const char digits[] = "0123456789ABCDEF";
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  char *uri = arena_alloc(arena, 3 * strlen(path) + 1), *to = uri;
  for (const char *at = path; *at; at++) {
    unsigned char byte = (unsigned char)*at;
    if (strchr(plain, byte))
      *to++ = *at;
    else
      *to++ = '%', *to++ = digits[byte >> 4], *to++ = digits[byte & 15];
  }
  return path[0] == '/' ? arena_printf(arena, "file://%s", uri) : uri;
}

static int hex_value(char c) {
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  const char *at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) % 16 : -1;
}

const char *path_of_uri(Arena *arena, const char *uri) {
  static const char scheme[] = "file://", host[] = "localhost";
  if (strncasecmp(uri, scheme, sizeof scheme - 1) != 0)
    return NULL;
  const char *at = uri + sizeof scheme - 1;
  if (strncasecmp(at, host, sizeof host - 1) == 0)
    at += sizeof host - 1;
  if (*at != '/')
    return NULL;
  char *path = arena_alloc(arena, strlen(at) + 1), *to = path;
  while (*at && *at != '?' && *at != '#') {
    int high = *at == '%' ? hex_value(at[1]) : -1, low = high >= 0 ? hex_value(at[2]) : -1;
    if (high == 0 && low == 0) // file names contain no NUL
      return NULL;
    *to++ = low >= 0 ? (char)(16 * high + low) : *at;
    at += low >= 0 ? 3 : 1;
  }
  return path;
}

const char *path_plain(Arena *arena, const char *path) {
  char folder[4096];
  if (path[0] != '/' && getcwd(folder, sizeof folder))
    path = arena_printf(arena, "%s/%s", folder, path);
  if (path[0] != '/')
    return path;
  char *plain = arena_alloc(arena, strlen(path) + 1), *to = plain;
  for (const char *at = path; *at;) {
    size_t length = strcspn(at + 1, "/") + 1;
    bool is_up = length == 3 && memcmp(at, "/..", 3) == 0;
    bool is_here = length == 1 || (length == 2 && at[1] == '.');
    while (is_up && to > plain && *--to != '/')
      ;
    if (!is_up && !is_here) {
      memcpy(to, at, length);
      to += length;
    }
    at += length;
  }
  *to = '\0';
  return to > plain ? plain : "/";
}
