// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same program as an image for a board: a Cortex-M55 (qemu's mps3-an547), which has instructions of Armv8.1-M that
// Linux processors lack. Standard input and output use semihosting; the memory protection unit replaces page
// protection.
#ifndef DRIVER_GUEST_BOARD_H
#define DRIVER_GUEST_BOARD_H

#include "driver/verify/guest/requests.h"

#ifdef GUEST_BOARD

#include <stddef.h>

int main(void);

enum {
  GUEST_CODE = 0x80000,        // bytes from address 0 on
  GUEST_DATA = 0x21000000,     // static memory and the stack
  GUEST_DATA_END = 0x21200000, // board.ld
  GUEST_DRAM = 0x70000000,
  GUEST_DRAM_BYTES = 1 << 28
};

static unsigned char *const guest_memory = (unsigned char *)GUEST_DRAM;
static const uint64_t guest_room = GUEST_DRAM_BYTES;

// "Semihosting for AArch32 and AArch64" of Arm.
enum { SEMIHOST_OPEN = 1, SEMIHOST_WRITE = 5, SEMIHOST_READ = 6, SEMIHOST_EXIT = 0x20 };
enum { SEMIHOST_MODE_READ = 1, SEMIHOST_MODE_WRITE = 5, SEMIHOST_DONE = 0x20026 };

static uint32_t guest_ask(uint32_t what, const uint32_t *argument) {
  register uint32_t r0 __asm__("r0") = what;
  register const uint32_t *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

static void guest_stop(int status) {
  const uint32_t argument[] = {SEMIHOST_DONE, (uint32_t)status};
  guest_ask(SEMIHOST_EXIT, argument);
  for (;;)
    ;
}

static uint32_t guest_console(uint32_t mode) {
  static const char name[] = ":tt";
  const uint32_t argument[] = {(uint32_t)name, mode, sizeof name - 1};
  return guest_ask(SEMIHOST_OPEN, argument);
}

static uint32_t guest_file[2];

// Returns the number of bytes passed. Semihosting returns the number of bytes left.
static long guest_part(uint32_t what, void *bytes, uint64_t count) {
  const uint32_t argument[] = {guest_file[what == SEMIHOST_WRITE], (uint32_t)bytes,
                               (uint32_t)count};
  return (long)(count - guest_ask(what, argument));
}

static long guest_read_part(void *to, uint64_t count) {
  return guest_part(SEMIHOST_READ, to, count);
}
static long guest_write_part(void *from, uint64_t count) {
  return guest_part(SEMIHOST_WRITE, from, count);
}

#define GUEST_REGISTER(offset) (*(volatile uint32_t *)(0xe000ed00 + (offset)))

enum {
  CPACR = 0x88,
  MPU_TYPE = 0x90,
  MPU_CTRL = 0x94,
  MPU_RNR = 0x98,
  MPU_RBAR = 0x9c,
  MPU_RLAR = 0xa0,
  MPU_MAIR0 = 0xc0
};

enum { OWN_REGIONS = 2 }; // of the program: its code and its data
static uint32_t guest_regions;

// Makes bytes accessible, in units of 32. If there are no regions left, the last one is extended and includes the gap.
static int guest_allow(void *at, uint64_t count) {
  static uint32_t begin;
  uint32_t regions = GUEST_REGISTER(MPU_TYPE) >> 8 & 255;
  if (count == 0)
    return 1;
  if (guest_regions < regions) {
    begin = (uint32_t)at;
    guest_regions++;
  }
  GUEST_REGISTER(MPU_RNR) = guest_regions - 1;
  GUEST_REGISTER(MPU_RBAR) = begin | 2; // writable
  GUEST_REGISTER(MPU_RLAR) = (((uint32_t)at + (uint32_t)count - 1) & ~31u) | 1;
  __asm__ volatile("dsb\n isb" ::: "memory");
  return 1;
}

// Makes all memory for tensors inaccessible: a region may cover several tensors.
static int guest_forbid(void *at, uint64_t count) {
  (void)at, (void)count;
  for (; guest_regions > OWN_REGIONS; guest_regions--) {
    GUEST_REGISTER(MPU_RNR) = guest_regions - 1;
    GUEST_REGISTER(MPU_RLAR) = 0;
  }
  __asm__ volatile("dsb\n isb" ::: "memory");
  return 1;
}

static int guest_forbid_all(void) {
  GUEST_REGISTER(MPU_MAIR0) = 0x44; // not cached
  guest_allow((void *)0, GUEST_CODE);
  guest_allow((void *)GUEST_DATA, GUEST_DATA_END - GUEST_DATA);
  GUEST_REGISTER(MPU_CTRL) = 1;
  __asm__ volatile("dsb\n isb" ::: "memory");
  return 1;
}

static void guest_fault(void) { guest_stop(GUEST_FAULT); }

// Runs before main, so that main may use floating-point and vector instructions anywhere.
static void guest_reset(void) {
  GUEST_REGISTER(CPACR) |= 0xf << 20; // coprocessors 10 and 11
  __asm__ volatile("dsb\n isb" ::: "memory");
  guest_file[0] = guest_console(SEMIHOST_MODE_READ);
  guest_file[1] = guest_console(SEMIHOST_MODE_WRITE);
  guest_stop(main());
}

__attribute__((section(".vectors"), used)) static const struct {
  uint32_t stack;
  void (*reset)(void);
  void (*nmi)(void);
  void (*hard_fault)(void);
} guest_vectors = {GUEST_DATA_END, guest_reset, guest_fault, guest_fault};

#endif
#endif
