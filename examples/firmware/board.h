// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program asks of the board that it runs on. There is no C library.
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

// Prints text where a person sees it.
void say(const char *text);

// Ends the program, with a status that is 0 where all is good. The emulator hands it on.
void leave(int status);

// What start-up code calls. Its result goes to leave().
int main(void);

#endif
