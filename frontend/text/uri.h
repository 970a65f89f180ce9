// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// File names as references of RFC 3986, and back: "a b/c.rsh" is "a%20b/c.rsh", "/a" is "file:///a".
#ifndef FRONTEND_URI_H
#define FRONTEND_URI_H

#include "frontend/text/arena.h"

const char *uri_of_path(Arena *arena, const char *path);
// NULL: it does not name a file of this machine.
const char *path_of_uri(Arena *arena, const char *uri);
// "/a/./b/../c" is "/a/c"; "c" is in the current directory of the process.
const char *path_plain(Arena *arena, const char *path);

#endif
