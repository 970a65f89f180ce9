// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which characters names of a pattern's axes are made of: those of Python's identifiers.
#ifndef FRONTEND_LETTERS_H
#define FRONTEND_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

// Bytes of the character at `at`, if it can stand in a name, at its start or behind that; else 0.
uint32_t letter_length(const char *at, const char *end, bool is_first);

#endif
