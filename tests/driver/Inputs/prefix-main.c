// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the graphs named turn in two files.
#include "a/turn.h"
#include "b/turn.h"

#include <stdio.h>

static void print(const uint8_t *y, int count) {
  for (int i = 0; i < count; i++)
    printf("%d%c", y[i], i + 1 < count ? ' ' : '\n');
}

int main(void) {
  uint8_t x[CAM_TURN_X_BYTES] = {0, 1, 2, 3, 4, 5}, y[CAM_TURN_Y_BYTES];
  const uint8_t z[LCD_TURN_X_BYTES(2)] = {1, 2, 3, 4};
  cam_turn(x, y, (uint8_t *)cam_turn_first(x));
  print(y, CAM_TURN_Y_BYTES);
  if (lcd_turn(2, z, y) == RSH_ok)
    print(y, LCD_TURN_Y_BYTES(2));
  lcd_int(z, y);
  print(y, LCD_INT_Y_BYTES);
  printf("tasks: %d\n", (int)cam_turn_tasks());
  return 0;
}
