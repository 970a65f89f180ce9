// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Start-up code for a 32-bit RISC-V. Output uses the serial port of qemu's board "virt".
#include "board.h"

#define SERIAL ((volatile uint8_t *)0x10000000)  // transmit register of a 16550
#define FINISH ((volatile uint32_t *)0x00100000) // a write ends the emulator
enum { FINISH_DONE = 0x5555, FINISH_FAILED = 0x13333 };

void say(const char *text) {
  while (*text != '\0')
    *SERIAL = (uint8_t)*text++;
}

void leave(int status) {
  *FINISH = status == 0 ? FINISH_DONE : FINISH_FAILED;
  for (;;) {
  }
}

__attribute__((used)) static void begin(void) { leave(main()); }

static void fault(void) __attribute__((used, aligned(4)));
static void fault(void) {
  say("fault: an access that the processor traps on\n");
  leave(1);
}

__asm__(".section .text.reset, \"ax\"\n"
        ".globl reset\n"
        "reset:\n"
        "  la sp, stack_top\n"
        "  la t0, fault\n"
        "  csrw mtvec, t0\n"
        "  call begin\n");
