// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what macros of a header stand for: 1 + 2*(int64_t)(B), a < b ? c : d, &&.
#ifndef DRIVER_VERIFY_MACRO_H
#define DRIVER_VERIFY_MACRO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MacroReader {
  const char *at;
  const char *parameters; // of the macro: "(B, S)"; NULL: none
  const int64_t *value;   // of these, in order
  bool good;
} MacroReader;

// The value of an expression; `good` becomes false where there is none.
int64_t macro_read(MacroReader *r);
// Whether this comes next, which is then read.
bool macro_takes(MacroReader *r, const char *token);
// Letters of the name that the text begins with.
size_t macro_word(const char *text);

#endif
