// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Usage: x86_names CPU FEATURES: prints its vectors, and 1 if it converts f16.
#include "codegen/machine/x86.h"

#include <stdio.h>

int main(int argc, char **argv) {
  static const char *const names[] = {"SSE2", "SSE3", "SSSE3",   "SSE4_1",   "SSE4_2",
                                      "AVX",  "AVX2", "AVX512F", "AVX512BW", "AVX512VBMI"};
  if (argc != 3)
    return 2;
  X86 x86 = x86_find(argv[1], argv[2]);
  printf("%s %d\n", names[x86.vectors], x86.has_half);
  return 0;
}
