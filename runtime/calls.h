// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that compilers call implicitly. For a struct copy or an initializer they may emit a call of memcpy or
// memset, even without libc, and for a division that the machine lacks, a call of __aeabi_uldivmod or __udivdi3.
// librsh_runtime.a depends on no other library: the Makefile includes this header at the top of each of its files,
// which redirects those calls to the archive's own functions:
//
//   *a = *b;   ->   memcpy(a, b, sizeof *a)   ->   rsh_memcpy(a, b, sizeof *a)
//
// The assembler renames them, because compilers accept no other names. Definitions of memcpy itself would also work,
// but then the whole program, with or without libc, would use these short versions.
#ifndef RSH_CALLS_H
#define RSH_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Like the functions of <string.h>.
void *rsh_memcpy(void *to, const void *from, size_t bytes);
void *rsh_memmove(void *to, const void *from, size_t bytes);
void *rsh_memset(void *to, int byte, size_t bytes);
void rsh_memclr(void *to, size_t bytes);
void rsh_memfill(void *to, size_t bytes, int byte);

// The operators / and %, *, << and >>, for machines without such instructions (calls_long.c).
uint64_t rsh_divide(uint64_t n, uint64_t by, uint64_t *rest);
int64_t rsh_divide_signed(int64_t n, int64_t by, int64_t *rest);
int64_t rsh_quotient(int64_t n, int64_t by);
int64_t rsh_remainder(int64_t n, int64_t by);
uint64_t rsh_quotient_unsigned(uint64_t n, uint64_t by);
uint64_t rsh_remainder_unsigned(uint64_t n, uint64_t by);
uint64_t rsh_multiply(uint64_t a, uint64_t b);
uint64_t rsh_shift_left(uint64_t n, int32_t by);
uint64_t rsh_shift_right(uint64_t n, int32_t by);
uint64_t rsh_divide_word(uint32_t n, uint32_t by); // the remainder in the high word
uint64_t rsh_divide_word_signed(int32_t n, int32_t by);

#ifdef __wasm__ // its assembler cannot rename functions: these are weak definitions, which the program's own override
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
__extension__ typedef unsigned __int128 Wide;
Wide __multi3(Wide a, Wide b);
#else
__asm__(".set memcpy, rsh_memcpy\n"
        ".set memmove, rsh_memmove\n"
        ".set memset, rsh_memset");
#endif

#ifdef __arm__
__asm__(".set __aeabi_memcpy, rsh_memcpy\n"
        ".set __aeabi_memcpy4, rsh_memcpy\n"
        ".set __aeabi_memcpy8, rsh_memcpy\n"
        ".set __aeabi_memmove, rsh_memmove\n"
        ".set __aeabi_memmove4, rsh_memmove\n"
        ".set __aeabi_memmove8, rsh_memmove\n"
        ".set __aeabi_memset, rsh_memfill\n"
        ".set __aeabi_memset4, rsh_memfill\n"
        ".set __aeabi_memset8, rsh_memfill\n"
        ".set __aeabi_memclr, rsh_memclr\n"
        ".set __aeabi_memclr4, rsh_memclr\n"
        ".set __aeabi_memclr8, rsh_memclr\n"
        ".set __aeabi_lmul, rsh_multiply\n"
        ".set __aeabi_llsl, rsh_shift_left\n"
        ".set __aeabi_llsr, rsh_shift_right\n"
        ".set __aeabi_ldivmod, rsh_both\n"
        ".set __aeabi_uldivmod, rsh_both_unsigned\n"
        ".set __aeabi_idiv, rsh_divide_word_signed\n"
        ".set __aeabi_idivmod, rsh_divide_word_signed\n"
        ".set __aeabi_uidiv, rsh_divide_word\n"
        ".set __aeabi_uidivmod, rsh_divide_word");
#elif UINTPTR_MAX == UINT32_MAX && !defined __wasm__
__asm__(".set __divdi3, rsh_quotient\n"
        ".set __moddi3, rsh_remainder\n"
        ".set __udivdi3, rsh_quotient_unsigned\n"
        ".set __umoddi3, rsh_remainder_unsigned\n"
        ".set __muldi3, rsh_multiply\n"
        ".set __ashldi3, rsh_shift_left\n"
        ".set __lshrdi3, rsh_shift_right");
#endif

#endif
