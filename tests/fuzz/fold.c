// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as the random numbers of a chain of operators: its fold moves each element as the interpreter does.
//
// RUN: %{python} -B %S/Inputs/fold_seeds.py %t.seeds
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:5000} %t.seeds/*
#define CHAIN_VOLUME 200
#include "../unit/Inputs/chain.h"
#include "Inputs/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  draws = (Draws){.at = bytes, .end = bytes + size};
  if (size > 0)
    run_chain(0, NULL, 12);
  return 0;
}
