// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t %{count:5}
//
// The fold against a plain interpreter: every chain of one, two and three operators that move elements, of a few small
// shapes. Each number of a call is among the least, the most and one between; with more operators, fewer numbers of a
// call are chosen, and the others are the least.
#define CHAIN_VOLUME 400
#include "Inputs/chain.h"

static void run_all(const rsh_shape *shape, int steps, int most, int each) {
  static int8_t digit[MAX_DIGITS], choices[MAX_DIGITS];
  draws = (Draws){.digit = digit, .choices = choices, .most = most, .each = each};
  do
    run_chain((uint64_t)folds, shape, steps);
  while (next_digits());
}

int main(int argc, char **argv) {
  static const struct {
    int rank, dim[4];
  } shapes[] = {{2, {2, 3}}, {4, {1, 4, 2, 2}}, {3, {2, 1, 3}}, {1, {4}}, {0, {0}}};
  int count = argc > 1 ? atoi(argv[1]) : 5;
  for (int i = 0; i < count; i++) {
    rsh_shape shape = {.rank = shapes[i].rank};
    for (int k = 0; k < shape.rank; k++)
      shape.dim[k] = rsh_int(shapes[i].dim[k]);
    run_all(&shape, 1, 3, 9);
    run_all(&shape, 2, 2, 6);
    run_all(&shape, 3, 2, 3);
    printf("rank %d: %lld folds so far\n", shape.rank, (long long)folds);
    fflush(stdout);
  }
  return too_small != 0;
}
