// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefixes, lists of words in one string, as in tables, and the ASCII characters of words.
#ifndef FRONTEND_WORDS_H
#define FRONTEND_WORDS_H

#include <stdbool.h>

// Unlike those of <ctype.h>, the same in every locale, and for any char.
static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static inline bool is_word_byte(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

bool begins(const char *text, const char *prefix);
// Returns whether "znver4 znver5", words separated by one space, contains "znver4".
bool has_word(const char *words, const char *word);
// Returns whether a text begins with one of such words.
bool begins_with_word(const char *text, const char *words);

#endif
