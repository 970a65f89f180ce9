// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fuzz target that a single byte breaks.
//
// RUN: %t 0 %{root}/seed
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size > 0 && bytes[0] == '!')
    abort();
  return 0;
}
