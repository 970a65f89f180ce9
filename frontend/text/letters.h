// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The characters allowed in axis names of a pattern, as in Python's identifiers.
#ifndef FRONTEND_LETTERS_H
#define FRONTEND_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

// The length in bytes of the character at `at` if a name may contain it (as its first character if
// is_first); else 0.
uint32_t letter_length(const char *at, const char *end, bool is_first);

#endif
