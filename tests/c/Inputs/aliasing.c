// Included after the graphs of aliasing.rsh. The smallest doubles have the bits of small integers.
#include <assert.h>

int main(void) {
  const double least = 4.9406564584124654e-324, i[3] = {0, 3 * least, least};
  const uint8_t x[5] = {10, 11, 12, 13, 14};
  uint8_t y[3] = {0};
  assert(pick(x, i, y) == RSH_ok && y[0] == 10 && y[1] == 13 && y[2] == 11);
  const float one[6] = {1, 1, 1, 1, 1, 1};
  uint32_t bits[6] = {0}, sum = 0;
  soft(one, bits);
  for (int k = 0; k < 6; k++)
    sum += bits[k];
  assert(sum == (uint32_t)(6 * INT64_C(0x3EAAAAAB))); // a third
  return 0;
}
