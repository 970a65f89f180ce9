// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building blocks of harnesses. prove.py gives these functions their meaning: they have no bodies.
#ifndef TESTS_PROVE_H
#define TESTS_PROVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Any value of the type.
int64_t any_int64(void);
int32_t any_int32(void);
uint8_t any_byte(void);
// A number from 0 to count - 1, known on each path.
uint8_t any_choice(uint8_t count);
// Values for which this is false are excluded.
void assume(bool holds);
// To be shown for all remaining values.
void prove(bool holds);

static inline int64_t any_between(int64_t least, int64_t most) {
  int64_t n = any_int64();
  assume(least <= n && n <= most);
  return n;
}

#endif
