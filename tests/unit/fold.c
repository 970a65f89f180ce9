// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t %{count:20000}
//
// The fold against a plain interpreter: random chains of all operators that move elements.
#include "Inputs/chain.h"

int main(int argc, char **argv) {
  uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
  uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    draws.state = seed * 2654435761u + 17;
    run_chain(seed, NULL, 12);
  }
  printf("%llu chains, %lld folds, at most %lld moves, %lld ran out of room\n",
         (unsigned long long)count, (long long)folds, (long long)pieces_most, (long long)too_small);
  return too_small == 0 ? 0 : 1;
}
