// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compilers call on their own, without being asked: for a struct copy or an initialiser they may put
// a call of memcpy or memset, also for programs without libc. librsh_runtime.a needs nothing of others, so
// every file of it is compiled with this header before its text (Makefile), which leads those calls to the
// archive's own functions:
//
//   *a = *b;   ->   memcpy(a, b, sizeof *a)   ->   rsh_memcpy(a, b, sizeof *a)
//
// The names change in the assembler, as compilers take no others. Definitions of memcpy itself would do too,
// but then the whole program, libc or not, used these short ones.
#ifndef RSH_CALLS_H
#define RSH_CALLS_H

#include <stddef.h>

// As the functions of <string.h>.
void *rsh_memcpy(void *to, const void *from, size_t bytes);
void *rsh_memmove(void *to, const void *from, size_t bytes);
void *rsh_memset(void *to, int byte, size_t bytes);

__asm__(".set memcpy, rsh_memcpy\n"
        ".set memmove, rsh_memmove\n"
        ".set memset, rsh_memset");

#endif
