// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program asks of the board that it runs on. There is no C library.
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

// Prints text where a person sees it.
void say(const char *text);

// Ends the program; good or not is the emulator's exit status.
void leave(int is_good);

// What start-up code calls. Its result goes to leave().
int main(void);

#endif
