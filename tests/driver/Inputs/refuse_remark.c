// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preloaded: no memory for a copy of LLVM's remarks, such as "11 instructions in function".
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *strdup(const char *text) {
  char *copy = strstr(text, " in function") ? NULL : malloc(strlen(text) + 1);
  if (!copy)
    errno = ENOMEM;
  return copy ? strcpy(copy, text) : NULL;
}
