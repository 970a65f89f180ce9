// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A WebAssembly engine as a board: wasm.mjs and wasm.py provide the two functions.
#include "board.h"

#include <stddef.h>

__attribute__((import_module("board"), import_name("write"))) void board_write(const char *text,
                                                                               size_t length);
__attribute__((import_module("board"), import_name("leave"))) _Noreturn void board_leave(int status);

void say(const char *text) {
  size_t length = 0;
  while (text[length] != '\0')
    length++;
  board_write(text, length);
}

void leave(int status) { board_leave(status); }

void _start(void);
void _start(void) { leave(main()); }
