// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vectors of an x86-64 processor.
#ifndef CODEGEN_X86_H
#define CODEGEN_X86_H

#include <stdbool.h>

// Each set of instructions includes those before it.
typedef enum X86Vectors {
  X86_SSE2,
  X86_SSE3,
  X86_SSSE3, // pshufb
  X86_SSE4_1,
  X86_SSE4_2,
  X86_AVX,
  X86_AVX2,
  X86_AVX512F,
  X86_AVX512BW,
  X86_AVX512VBMI // vpermb
} X86Vectors;

typedef struct X86 {
  X86Vectors vectors;
  bool has_half; // F16C
} X86;

// The vectors of `cpu` (x86.def), changed by `features`: "znver4" with "-avx512bw" has AVX512F.
X86 x86_find(const char *cpu, const char *features);

#endif
