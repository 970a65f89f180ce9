// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that C compilers call for a division that the machine lacks: the runtime's, under libgcc's names.
#include "runtime/calls_long.c"

#if defined __arm__
__asm__(".globl __aeabi_uldivmod, __aeabi_ldivmod\n"
        ".set __aeabi_uldivmod, rsh_both_unsigned\n"
        ".set __aeabi_ldivmod, rsh_both\n");
#elif UINTPTR_MAX == UINT32_MAX && !defined __wasm__
__asm__(".globl __udivdi3, __umoddi3, __divdi3, __moddi3\n"
        ".set __udivdi3, rsh_quotient_unsigned\n"
        ".set __umoddi3, rsh_remainder_unsigned\n"
        ".set __divdi3, rsh_quotient\n"
        ".set __moddi3, rsh_remainder\n");
#endif

// They call this one if compiled without the rest of the runtime.
__attribute__((weak)) void *rsh_memset(void *to, int byte, size_t bytes) {
  volatile unsigned char *at = to;
  for (size_t i = 0; i < bytes; i++)
    at[i] = (unsigned char)byte;
  return to;
}
