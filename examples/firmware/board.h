// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface between a program and the support code of its board. There is no C library.
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

// Prints text on the debugger's console or the serial port.
void say(const char *text);

// Ends the program; 0 means success. The status becomes the exit status of the emulator.
void leave(int status);

// Called by the start-up code, which passes the result to leave().
int main(void);

#endif
