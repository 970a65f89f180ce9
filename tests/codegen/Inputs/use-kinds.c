// Calls the kernels of kinds.rsh, as a user would.
#include "kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(int good, const char *what) {
  if (!good) {
    fprintf(stderr, "wrong: %s\n", what);
    failures++;
  }
}

static void transposed(void) {
  static float x[70][90], y[90][70];
  for (int i = 0; i < 70; i++)
    for (int j = 0; j < 90; j++)
      x[i][j] = (float)(i * 90 + j);
  turned(&x[0][0], &y[0][0]);
  int good = 1;
  for (int i = 0; i < 90; i++)
    for (int j = 0; j < 70; j++)
      good = good && y[i][j] == x[j][i];
  check(good, "turned");
}

static void looked(void) {
  static int32_t x[61 * 67], t[61 * 67], y[67][61];
  for (int i = 0; i < 61 * 67; i++)
    x[i] = i;
  for (int i = 0; i < 67; i++)
    for (int j = 0; j < 61; j++)
      t[i * 61 + j] = x[j * 67 + i];
  looked_up(x, &y[0][0]);
  int good = 1;
  for (int i = 0; i < 67; i++)
    for (int j = 0; j < 61; j++)
      good = good && y[i][j] == t[j * 67 + i];
  check(good, "looked_up");
}

// Constant arrays are in read-only pages.
static const uint8_t fixed[WHOLE_X_BYTES] = {1, 2, 3};

static void aliases(void) {
  static int16_t x[8 * 6], y[2 * 6], dims[] = PART_Y_DIMS;
  for (int16_t i = 0; i < 8 * 6; i++)
    x[i] = i;
  check(PART_Y_IS_ALIAS == 1 && PART_Y_OFFSET == 18 && PART_Y_RANK == 2 && dims[1] == 6,
        "macros of part");
  check(part_y(x) == x + 18, "place of part");
  part(x, y);
  check(memcmp(x + 18, y, sizeof y) == 0, "copy of part");
  part(x, x + 18);
  check(x[18] == 18, "part in place");
  uint8_t *place;
  const uint8_t *view = whole_y(fixed);
  memcpy(&place, &view, sizeof place);
  whole(fixed, place); // would crash if it wrote
  static uint8_t copy[WHOLE_Y_BYTES];
  whole(fixed, copy);
  check(memcmp(fixed, copy, sizeof copy) == 0, "copy of whole");
}

static void small(void) {
  const uint8_t a[15] = {0, 1, 2}, b[10] = {15, 16};
  uint8_t y[25];
  joined(a, b, y);
  check(memcmp(y, a, 15) == 0 && memcmp(y + 15, b, 10) == 0, "joined");
  nothing(NULL, NULL);
  double one = 1.5, out = 0;
  scalar(&one, &out);
  int dims[] = SCALAR_X_DIMS;
  check(out == 1.5 && SCALAR_X_RANK == 0 && dims[0] == 1, "scalar");
  const char *const words[6] = {"a", "b", "c", "d", "e", "f"};
  const char *turned_words[6];
  texts(words, turned_words);
  check(turned_words[1] == words[3] && turned_words[4] == words[2], "texts");
  const float p[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const double w[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  float q[12];
  double z[4];
  pairs(p, w, q, z);
  check(q[2] == 6 && q[3] == 7 && z[0] == 2 && z[3] == 5 && pairs_z(w) == w + 2, "pairs");
  const float l[6] = {0, 1, 2, 3, 4, 5};
  float m[6];
  long_(l, m);
  check(m[1] == 3, "long_");
}

int main(void) {
  transposed();
  looked();
  aliases();
  small();
  return failures != 0;
}
