// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefixes, and lists of words in one string, as in tables.
#ifndef FRONTEND_WORDS_H
#define FRONTEND_WORDS_H

#include <stdbool.h>

bool begins(const char *text, const char *prefix);
// Returns whether "znver4 znver5", words separated by one space, contains "znver4".
bool has_word(const char *words, const char *word);

#endif
