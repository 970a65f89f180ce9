// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates macros of a header: 1 + 2*(int64_t)(B), a < b ? c : d, &&.
#ifndef DRIVER_VERIFY_MACRO_H
#define DRIVER_VERIFY_MACRO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MacroReader {
  const char *at;
  const char *parameters; // of the macro: "(B, S)"; NULL: none
  const int64_t *value;   // of the parameters, in order
  bool good;
} MacroReader;

// The value of an expression; clears `good` if there is none.
int64_t macro_read(MacroReader *r);
// True if the token comes next; it is then consumed.
bool macro_takes(MacroReader *r, const char *token);
// The length of the name at the start of the text.
size_t macro_word(const char *text);

#endif
