// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A store that traps on a Cortex-M0.
#include "board.h"

static uint32_t words[2];

int main(void) {
  *(volatile uint32_t *)((unsigned char *)words + 1) = 1;
  return 0;
}
