// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/machine/x86.h"

#include "frontend/text/words.h"

#include <stddef.h>
#include <string.h>

typedef struct Row {
  const char *cpus;
  X86 x86;
} Row;

#define RSH_X86(vectors, has_half, cpus) {cpus, {X86_##vectors, has_half}},
static const Row rows[] = {
#include "codegen/machine/x86.def"
};
#undef RSH_X86

static const char *const features_of[] = {
    [X86_SSE3] = "sse3",       [X86_SSSE3] = "ssse3",       [X86_SSE4_1] = "sse4.1",
    [X86_SSE4_2] = "sse4.2",   [X86_AVX] = "avx",           [X86_AVX2] = "avx2",
    [X86_AVX512F] = "avx512f", [X86_AVX512BW] = "avx512bw", [X86_AVX512VBMI] = "avx512vbmi",
};

// "+avx2" adds everything that AVX2 includes, "-avx2" removes everything that includes AVX2. F16C includes AVX, and
// AVX512F includes F16C.
static void change(X86 *x86, char sign, const char *name, size_t length) {
  bool is_half = length == 4 && strncmp(name, "f16c", 4) == 0;
  X86Vectors least = is_half ? X86_AVX : X86_SSE2, most = is_half ? X86_AVX2 : X86_AVX512VBMI;
  for (int v = X86_SSE3; v <= X86_AVX512VBMI; v++)
    if (strlen(features_of[v]) == length && strncmp(features_of[v], name, length) == 0) {
      least = (X86Vectors)v;
      most = (X86Vectors)(v - 1);
    }
  if (sign == '+' && x86->vectors < least)
    x86->vectors = least;
  if (sign == '-' && x86->vectors > most)
    x86->vectors = most;
  x86->has_half = is_half
                      ? sign == '+'
                      : (x86->has_half && x86->vectors >= X86_AVX) || x86->vectors >= X86_AVX512F;
}

X86 x86_find(const char *cpu, const char *features) {
  X86 x86 = {X86_SSE2, false};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (has_word(rows[i].cpus, cpu))
      x86 = rows[i].x86;
  for (const char *at = features; *at; at += *at == ',') {
    size_t length = strcspn(at, ",");
    if (length > 0)
      change(&x86, *at, at + 1, length - 1);
    at += length;
  }
  return x86;
}
