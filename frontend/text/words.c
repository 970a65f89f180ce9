// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/text/words.h"

#include <string.h>

bool begins(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool has_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ')
    if (strcspn(at, " ") == length && strncmp(at, word, length) == 0)
      return true;
  return false;
}

bool begins_with_word(const char *text, const char *words) {
  for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ')
    if (strncmp(text, at, strcspn(at, " ")) == 0)
      return true;
  return false;
}
