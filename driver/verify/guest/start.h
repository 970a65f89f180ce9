// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program without a library, for Linux as in qemu's user mode: its entry point and its system calls. guest.c and
// tests/cross run kernels of other machines in such programs.
#if !defined DRIVER_GUEST_START_H && !defined GUEST_BOARD // board.h
#define DRIVER_GUEST_START_H

#include <stddef.h>
#include <stdint.h>

int main(void);

#if defined __x86_64__
#define BEGIN "xor %ebp, %ebp\n and $-16, %rsp\n call guest_begin\n"
#elif defined __aarch64__
#define BEGIN "mov x29, #0\n bl guest_begin\n"
#elif defined __riscv
#define BEGIN "andi sp, sp, -16\n call guest_begin\n"
#elif defined __s390x__
#define BEGIN "aghi %r15, -160\n brasl %r14, guest_begin\n"
#elif defined __powerpc__
#define BEGIN "stwu 1, -32(1)\n bl guest_begin\n"
#endif

#if defined __arm__
__asm__(
    ".thumb\n .globl _start\n .type _start, %function\n .thumb_func\n _start:\n bl guest_begin\n");
#else
__asm__(".globl _start\n _start:\n " BEGIN);
#endif

static inline long guest_system(long number, long a, long b, long c) {
#if defined __x86_64__
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
#elif defined __aarch64__
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
#elif defined __arm__
  register long r0 __asm__("r0") = a, r1 __asm__("r1") = b, r2 __asm__("r2") = c,
                   r3 __asm__("r3") = number;
  __asm__ volatile("push {r7}\n mov r7, r3\n svc 0\n pop {r7}"
                   : "+r"(r0)
                   : "r"(r1), "r"(r2), "r"(r3)
                   : "memory");
  return r0;
#elif defined __riscv
  register long a7 __asm__("a7") = number;
  register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
  return a0;
#elif defined __s390x__
  register long r1 __asm__("r1") = number;
  register long r2 __asm__("r2") = a, r3 __asm__("r3") = b, r4 __asm__("r4") = c;
  __asm__ volatile("svc 0" : "+d"(r2) : "d"(r1), "d"(r3), "d"(r4) : "memory");
  return r2;
#elif defined __powerpc__
  register long r0 __asm__("r0") = number;
  register long r3 __asm__("r3") = a, r4 __asm__("r4") = b, r5 __asm__("r5") = c;
  __asm__ volatile("sc"
                   : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5)
                   :
                   : "cr0", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "ctr", "memory");
  return r3;
#endif
}

#if defined __x86_64__
enum { SYSTEM_READ = 0, SYSTEM_WRITE = 1, SYSTEM_EXIT = 60, SYSTEM_MPROTECT = 10 };
#elif defined __aarch64__ || defined __riscv
enum { SYSTEM_READ = 63, SYSTEM_WRITE = 64, SYSTEM_EXIT = 93, SYSTEM_MPROTECT = 226 };
#else
enum { SYSTEM_READ = 3, SYSTEM_WRITE = 4, SYSTEM_EXIT = 1, SYSTEM_MPROTECT = 125 };
#endif

static inline void guest_write(const char *text, size_t length) {
  guest_system(SYSTEM_WRITE, 1, (long)(uintptr_t)text, (long)length);
}

__attribute__((used, noreturn)) static void guest_begin(void) {
  guest_system(SYSTEM_EXIT, main(), 0, 0);
  for (;;)
    ;
}

#endif
