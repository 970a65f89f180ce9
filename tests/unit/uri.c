// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// File names as references of RFC 3986, and back, as Python's urllib has them; paths without dots, as os.path.normpath.
// RUN: rm -rf %t.dir && mkdir %t.dir && %{cc} %{cflags} %s -o %t %{libs} && cd %t.dir && %t
#define _XOPEN_SOURCE 700
#include "frontend/text/uri.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef const char *Function(Arena *arena, const char *text);

typedef struct Row {
  Function *function;
  const char *text, *expected; // NULL: there is none
} Row;

static const Row rows[] = {
    {uri_of_path, "/a/b-c_d.~9", "file:///a/b-c_d.~9"},
    {uri_of_path, "a b/c#?%.rsh", "a%20b/c%23%3F%25.rsh"},
    {uri_of_path, "/\xc3\xa9", "file:///%C3%A9"},
    {path_of_uri, "file:///a/b", "/a/b"},
    {path_of_uri, "FILE://LocalHost/a", "/a"},
    {path_of_uri, "file://elsewhere/a", NULL},
    {path_of_uri, "file://localhost", NULL},
    {path_of_uri, "http://localhost/a", NULL},
    {path_of_uri, "untitled:1", NULL},
    {path_of_uri, "file:///a%20b%2fc%C3%a9", "/a b/c\xc3\xa9"},
    {path_of_uri, "file:///a%2", "/a%2"},
    {path_of_uri, "file:///a%", "/a%"},
    {path_of_uri, "file:///a%g0%0g", "/a%g0%0g"},
    {path_of_uri, "file:///a%00b", NULL},
    {path_of_uri, "file:///a%01%10", "/a\x01\x10"},
    {path_of_uri, "file:///a?line=3", "/a"},
    {path_of_uri, "file:///a#part", "/a"},
    {path_plain, "/a/./b/../c", "/a/c"},
    {path_plain, "/a//b/", "/a/b"},
    {path_plain, "/../a", "/a"},
    {path_plain, "/a/..", "/"},
    {path_plain, "/", "/"},
    {path_plain, "/.a/..b/.../x.", "/.a/..b/.../x."},
    {path_plain, "/ab/xy/abc", "/ab/xy/abc"},
    {path_plain, "c/../d", "/d"}, // in the folder /
};

static int wrong;

static void check(Arena *arena, const Row *row) {
  const char *found = row->function(arena, row->text);
  bool same = found && row->expected ? strcmp(found, row->expected) == 0 : found == row->expected;
  if (!same) {
    printf("%s: %s, expected %s\n", row->text, found ? found : "none",
           row->expected ? row->expected : "none");
    wrong++;
  }
}

int main(void) {
  static const Row nowhere = {path_plain, "c/../d", "c/../d"}; // the current folder is gone
  char folder[4096];
  Arena *arena = arena_new();
  bool good = getcwd(folder, sizeof folder) && chdir("/") == 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check(arena, &rows[i]);
  good = good && chdir(folder) == 0 && mkdir("gone", 0755) == 0 && chdir("gone") == 0 &&
         rmdir("../gone") == 0;
  check(arena, &nowhere);
  arena_free(arena);
  return wrong == 0 && good ? 0 : 1;
}
