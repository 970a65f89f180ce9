// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linux in qemu's user mode, as a board.
#include "board.h"
#include "driver/verify/guest/start.h"

void say(const char *text) {
  size_t length = 0;
  while (text[length] != '\0')
    length++;
  guest_write(text, length);
}

void leave(int status) {
  guest_system(SYSTEM_EXIT, status, 0, 0);
  for (;;)
    ;
}
