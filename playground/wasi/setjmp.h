// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wasi-libc has no setjmp. Where frontend/text/rescue.h would jump (without LLVM only on lack of memory), the module
// ends with the message of the command line; the page then discards it and starts another.
#ifndef PLAYGROUND_SETJMP_H
#define PLAYGROUND_SETJMP_H

#include <stdio.h>
#include <stdlib.h>

typedef char jmp_buf[1];

static inline int setjmp(jmp_buf place) {
  (void)place;
  return 0;
}

static inline _Noreturn void longjmp(jmp_buf place, int value) {
  (void)place, (void)value;
  fputs("reshapec: error: out of memory\n", stderr);
  _Exit(3);
}

#endif
