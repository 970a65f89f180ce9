// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Start-up code for any Cortex-M. Output uses semihosting: a debugger displays it, and qemu prints it.
#include "board.h"

// Requests to the debugger: see "Semihosting for AArch32 and AArch64" of Arm.
enum { SYS_WRITE0 = 0x04, SYS_EXIT = 0x18, EXIT_DONE = 0x20026, EXIT_FAILED = 0x20023 };

static void semihost(uintptr_t request, uintptr_t argument) {
  register uintptr_t r0 __asm__("r0") = request;
  register uintptr_t r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void say(const char *text) { semihost(SYS_WRITE0, (uintptr_t)text); }

void leave(int status) {
  semihost(SYS_EXIT, status == 0 ? EXIT_DONE : EXIT_FAILED);
  for (;;) {
  }
}

static void fault(void) {
  say("fault: an access that the processor traps on\n");
  leave(1);
}

// Enables the floating-point and vector unit before main, which may use them anywhere.
void reset(void);
void reset(void) {
#if defined __ARM_FP || defined __ARM_FEATURE_MVE
  *(volatile uint32_t *)0xe000ed88 |= 0xf << 20; // CPACR: coprocessors 10 and 11
  __asm__ volatile("dsb\n isb" ::: "memory");
#endif
  leave(main());
}

extern char stack_top[]; // of the linker script

__attribute__((section(".vectors"), used)) static const struct {
  void *stack;
  void (*reset)(void);
  void (*nmi)(void);
  void (*hard_fault)(void);
} vectors = {stack_top, reset, fault, fault};
