// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls both kernels on a Cortex-M4 and tells by semihosting whether each byte is where it should be: what a
// debugger shows, and qemu prints. There is no C library.
#include "firmware.h"

#include <stddef.h>

static uint8_t frame[96][96][3];
static int8_t planes[3][96][96];
static int8_t mfcc[490]; // 49 by 10, then 10 by 49

// Requests to the debugger: see "Semihosting for AArch32 and AArch64" of Arm.
enum { SYS_WRITE0 = 0x04, SYS_EXIT = 0x18, EXIT_DONE = 0x20026, EXIT_FAILED = 0x20023 };

static void semihost(uintptr_t request, uintptr_t argument) {
  register uintptr_t r0 __asm__("r0") = request;
  register uintptr_t r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void say(const char *text) { semihost(SYS_WRITE0, (uintptr_t)text); }

static int camera_is_right(void) {
  for (size_t h = 0; h < 96; h++)
    for (size_t w = 0; w < 96; w++)
      for (size_t c = 0; c < 3; c++)
        frame[h][w][c] = (uint8_t)((h * 7 + w * 3 + c * 41) & 127);
  camera(&frame[0][0][0], &planes[0][0][0]);
  for (size_t h = 0; h < 96; h++)
    for (size_t w = 0; w < 96; w++)
      for (size_t c = 0; c < 3; c++)
        if (planes[c][h][w] != (int8_t)frame[h][w][c])
          return 0;
  return 1;
}

static int keywords_are_right(void) {
  for (size_t i = 0; i < 490; i++)
    mfcc[i] = (int8_t)(i * 5 % 256 - 128);
  keywords(mfcc, mfcc);
  for (size_t step = 0; step < 49; step++)
    for (size_t feature = 0; feature < 10; feature++)
      if (mfcc[feature * 49 + step] != (int8_t)((step * 10 + feature) * 5 % 256 - 128))
        return 0;
  return 1;
}

void reset(void);
void reset(void) {
  int good_camera = camera_is_right(), good_keywords = keywords_are_right();
  say(good_camera ? "camera: every byte is in its plane\n" : "camera: wrong\n");
  say(good_keywords ? "keywords: turned in one buffer\n" : "keywords: wrong\n");
  semihost(SYS_EXIT, good_camera && good_keywords ? EXIT_DONE : EXIT_FAILED);
  for (;;) {
  }
}

extern char stack_top[]; // of the linker script

__attribute__((section(".vectors"), used)) static const struct {
  void *stack;
  void (*reset)(void);
} vectors = {stack_top, reset};
